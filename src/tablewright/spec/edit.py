"""Changing values in the text of a spec and nothing else: comments, order and layout stay as somebody wrote them.

A place is written `entities.Task.count`, `relationships[2].avg` or, by its id, `access_patterns.AP3.rate`. What is not
there yet is added behind its neighbours, in their style (also a pattern, when the value is all of it); a short form
(`rate: 3`) becomes the long one where it must.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from tablewright.errors import DesignError
from tablewright.schema.documents import NoYaml, Unreadable, compose_yaml

Step = str | int
PLAIN = re.compile(r"[A-Za-z_][\w./ -]*[\w]|[A-Za-z_]")
SHORT = {"rate": "avg", "ttl": "days"}  # of an attribute it is its type
WORDS = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")


def edited(text: str, changes: Mapping[str, Any]) -> str:
    """The text with every change made, one after the other."""
    for place, value in changes.items():
        text = with_value(text, steps_of(place), value)
    return text


def steps_of(place: str) -> tuple[Step, ...]:
    parts = re.findall(r"([^.\[\]]+)|\[(\d+)\]", place)
    return tuple(int(index) if index else name for name, index in parts)


def with_value(text: str, steps: tuple[Step, ...], value: Any) -> str:
    node, rest = found_node(composed(text), steps)
    for each in reversed(rest[1:]):
        value = {each: value}
    if rest and node.id == "scalar" and node.value:
        short = SHORT.get(str(steps[-len(rest) - 1]), "type")
        value, rest = {short: json_value(node), rest[0]: value}, ()
    if not rest or node.id == "scalar":
        value = {rest[0]: value} if rest else value
        before = text[: node.start_mark.index]
        return before + (" " if before.endswith(":") else "") + pen(text)(value) + text[content_end(node) :]
    if node.id == "sequence" and len(rest) == 1 and isinstance(rest[0], str) and isinstance(value, Mapping):
        return appended(text, node, {"id": rest[0], **cast("Mapping[str, Any]", value)})
    if node.id != "mapping" or any(isinstance(each, int) for each in rest):
        raise DesignError(f"the spec has no place {'.'.join(map(str, steps))} to write an answer to")
    return inserted(text, node, str(rest[0]), value)


def json_value(node: Any) -> Any:
    import yaml

    return yaml.safe_load(node.value)


def composed(text: str) -> Any:
    try:
        return compose_yaml(text, "the spec")
    except NoYaml:
        raise DesignError("changing specs needs PyYAML; install tablewright[architect]") from None
    except Unreadable as error:
        raise DesignError(str(error)) from error


# ---- finding the place ----------------------------------------------------------------------------------------------


def found_node(node: Any, steps: tuple[Step, ...]) -> tuple[Any, tuple[Step, ...]]:
    """The innermost node on the way to a place, and the steps that do not exist yet."""
    for at, step in enumerate(steps):
        below = child(node, step)
        if below is None:
            return node, steps[at:]
        node = below
    return node, ()


def child(node: Any, step: Step) -> Any:
    if node.id == "mapping":
        return next((value for key, value in node.value if key.value == step), None)
    if node.id == "sequence" and isinstance(step, int):
        return node.value[step] if step < len(node.value) else None
    if node.id == "sequence":
        return next((each for each in node.value if each.id == "mapping" and is_named(each, step)), None)
    return None


def is_named(node: Any, name: Step) -> bool:
    named = child(node, "id")
    return named is not None and named.value == name


# ---- writing --------------------------------------------------------------------------------------------------------


def inserted(text: str, node: Any, key: str, value: Any) -> str:
    """A new entry, as the last of a mapping."""
    if node.flow_style:
        end = content_end(node) - 1  # the closing brace
        before = text[:end].rstrip()
        comma = "" if before.endswith(("{", ",")) else ","
        space = "" if before.endswith("{") else " "
        return f"{before}{comma}{space}{pen(text)(key)}: {pen(text)(value)}{text[len(before) : end]}{text[end:]}"
    after = content_end(node.value[-1][1])
    end = text.find("\n", after)
    end = len(text) if end < 0 else end
    indent = " " * node.value[0][0].start_mark.column
    return f"{text[:end]}\n{indent}{written(key)}: {written(value)}{text[end:]}"


def appended(text: str, node: Any, value: Mapping[str, Any]) -> str:
    """A new entry, as the last of a list."""
    if node.flow_style or not node.value:
        end = content_end(node) - 1
        before = text[:end].rstrip()
        comma = "" if before.endswith("[") else ", "
        return f"{before}{comma}{pen(text)(value)}{text[len(before) :]}"
    end = text.find("\n", content_end(node))
    end = len(text) if end < 0 else end
    indent = " " * node.start_mark.column
    return f"{text[:end]}\n{indent}- {written(value)}{text[end:]}"


def content_end(node: Any) -> int:
    """Where the content ends; the end of a block includes what follows it up to the next token."""
    if node.id == "scalar" or node.flow_style:
        text: str = node.start_mark.buffer[node.start_mark.index : node.end_mark.index]
        return int(node.start_mark.index) + len(text.rstrip("\0").rstrip())
    last = node.value[-1]
    return content_end(last[1] if node.id == "mapping" else last)


def pen(text: str) -> Callable[[Any], str]:
    """A spec in JSON stays JSON."""
    return json.dumps if text.lstrip().startswith("{") else written


def written(value: Any) -> str:
    """A value in one line, as YAML that is JSON wherever that would not be pretty."""
    match value:
        case float():
            return re.sub(r"^(-?\d+)e", r"\1.0e", repr(value))  # YAML takes no power of ten without a point
        case bool() | None | int():
            return json.dumps(value)
        case str():
            return value if PLAIN.fullmatch(value) and value.lower() not in WORDS else quoted(value)
        case Mapping():
            return "{" + ", ".join(f"{written(key)}: {written(value[key])}" for key in cast("Any", value)) + "}"
        case list() | tuple():
            return "[" + ", ".join(written(each) for each in cast("Any", value)) + "]"
        case _:
            return quoted(str(value))


def quoted(text: str) -> str:
    escaped = (letter if letter.isprintable() else f"\\U{ord(letter):08x}" for letter in text.replace("\\", "\\\\"))
    return '"' + "".join(escaped).replace('"', '\\"') + '"'
