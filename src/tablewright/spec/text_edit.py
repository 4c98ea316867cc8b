"""Edits of single values in the text of a spec; comments, order and layout stay.

A place is written `entities.Task.count`, `relationships[2].avg` or, by its id, `access_patterns.AP3.rate`. A
missing entry is added as the last one, in the style of its neighbours (a whole pattern too); a short form (`rate: 3`)
becomes the long one where needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from tablewright.errors import DesignError
from tablewright.schema.documents import NoYaml, Unreadable, compose_yaml

PathStep = str | int
PLAIN = re.compile(r"[A-Za-z_][\w./ -]*[\w]|[A-Za-z_]")
SHORT = {"rate": "avg", "ttl": "days"}  # of an attribute it is its type
WORDS = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")


def edit_spec(text: str, changes: Mapping[str, Any]) -> str:
    """The text with all changes made in order."""
    for place, value in changes.items():
        text = _set_value(text, _steps_of(place), value)
    return text


def _steps_of(place: str) -> tuple[PathStep, ...]:
    parts = re.findall(r"([^.\[\]]+)|\[(\d+)\]", place)
    return tuple(int(index) if index else name for name, index in parts)


def _set_value(text: str, steps: tuple[PathStep, ...], value: Any) -> str:
    node, rest = _find_node(_compose(text), steps)
    for each in reversed(rest[1:]):
        value = {each: value}
    if rest and node.id == "scalar" and node.value:
        short = SHORT.get(str(steps[-len(rest) - 1]), "type")
        value, rest = {short: _parse_scalar(node), rest[0]: value}, ()
    if not rest or node.id == "scalar":
        value = {rest[0]: value} if rest else value
        before = text[: node.start_mark.index]
        return before + (" " if before.endswith(":") else "") + _choose_writer(text)(value) + text[_content_end(node) :]
    if node.id == "sequence" and len(rest) == 1 and isinstance(rest[0], str) and isinstance(value, Mapping):
        return _append_entry(text, node, {"id": rest[0], **cast("Mapping[str, Any]", value)})
    if node.id != "mapping" or any(isinstance(each, int) for each in rest):
        raise DesignError(f"the spec has no place {'.'.join(map(str, steps))} to write an answer to")
    return _insert_entry(text, node, str(rest[0]), value)


def _parse_scalar(node: Any) -> Any:
    import yaml

    return yaml.safe_load(node.value)


def _compose(text: str) -> Any:
    try:
        return compose_yaml(text, "the spec")
    except NoYaml:
        raise DesignError("changing specs needs PyYAML; install tablewright[architect]") from None
    except Unreadable as error:
        raise DesignError(str(error)) from error


# ---- finding the place ----------------------------------------------------------------------------------------------


def _find_node(node: Any, steps: tuple[PathStep, ...]) -> tuple[Any, tuple[PathStep, ...]]:
    """The innermost existing node on the path, and the steps that do not exist yet."""
    for at, step in enumerate(steps):
        below = _child(node, step)
        if below is None:
            return node, steps[at:]
        node = below
    return node, ()


def _child(node: Any, step: PathStep) -> Any:
    if node.id == "mapping":
        return next((value for key, value in node.value if key.value == step), None)
    if node.id == "sequence" and isinstance(step, int):
        return node.value[step] if step < len(node.value) else None
    if node.id == "sequence":
        return next((each for each in node.value if each.id == "mapping" and _is_named(each, step)), None)
    return None


def _is_named(node: Any, name: PathStep) -> bool:
    named = _child(node, "id")
    return named is not None and named.value == name


# ---- writing --------------------------------------------------------------------------------------------------------


def _insert_entry(text: str, node: Any, key: str, value: Any) -> str:
    """Adds an entry at the end of a mapping."""
    if node.flow_style:
        end = _content_end(node) - 1  # the closing brace
        before = text[:end].rstrip()
        comma = "" if before.endswith(("{", ",")) else ","
        space = "" if before.endswith("{") else " "
        write = _choose_writer(text)
        return f"{before}{comma}{space}{write(key)}: {write(value)}{text[len(before) :]}"
    after = _content_end(node.value[-1][1])
    end = text.find("\n", after)
    end = len(text) if end < 0 else end
    indent = " " * node.value[0][0].start_mark.column
    return f"{text[:end]}\n{indent}{write_value(key)}: {write_value(value)}{text[end:]}"


def _append_entry(text: str, node: Any, value: Mapping[str, Any]) -> str:
    """Adds an entry at the end of a list."""
    if node.flow_style or not node.value:
        end = _content_end(node) - 1
        before = text[:end].rstrip()
        comma = "" if before.endswith("[") else ", "
        return f"{before}{comma}{_choose_writer(text)(value)}{text[len(before) :]}"
    end = text.find("\n", _content_end(node))
    end = len(text) if end < 0 else end
    indent = " " * node.start_mark.column
    return f"{text[:end]}\n{indent}- {write_value(value)}{text[end:]}"


def _content_end(node: Any) -> int:
    """Where the content ends; the end of a block includes what follows it up to the next token."""
    if node.id == "scalar" or node.flow_style:
        text: str = node.start_mark.buffer[node.start_mark.index : node.end_mark.index]
        return int(node.start_mark.index) + len(text.rstrip("\0").rstrip())
    last = node.value[-1]
    return _content_end(last[1] if node.id == "mapping" else last)


def _choose_writer(text: str) -> Callable[[Any], str]:
    """JSON for a spec in JSON, else YAML."""
    return json.dumps if text.lstrip().startswith("{") else write_value


def write_value(value: Any) -> str:
    """A value as YAML on one line, quoted where plain text would be read as something else."""
    match value:
        case float():
            return re.sub(r"^(-?\d+)e", r"\1.0e", repr(value))  # YAML takes no power of ten without a point
        case bool() | None | int():
            return json.dumps(value)
        case str():
            return value if PLAIN.fullmatch(value) and value.lower() not in WORDS else _quote(value)
        case Mapping():
            return "{" + ", ".join(f"{write_value(key)}: {write_value(value[key])}" for key in cast("Any", value)) + "}"
        case list() | tuple():
            return "[" + ", ".join(write_value(each) for each in cast("Any", value)) + "]"
        case _:
            return _quote(str(value))


def _quote(text: str) -> str:
    escaped = (letter if letter.isprintable() else f"\\U{ord(letter):08x}" for letter in text.replace("\\", "\\\\"))
    return '"' + "".join(escaped).replace('"', '\\"') + '"'
