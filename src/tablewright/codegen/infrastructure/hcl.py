"""Terraform's language: blocks and values as data, and how they are printed."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

INDENT = "  "


class Raw(msgspec.Struct, frozen=True):
    """An expression, such as a reference."""

    text: str


class Block(msgspec.Struct, frozen=True):
    """`type "label" { ... }`: arguments first, then blocks."""

    type: str
    labels: tuple[str, ...] = ()
    arguments: dict[str, Any] = {}
    blocks: tuple[Block, ...] = ()


# ---- printing -------------------------------------------------------------------------------------------------------


def print_blocks(blocks: list[Block]) -> str:
    return "\n".join("\n".join(_lines(block)) + "\n" for block in blocks)


def _lines(block: Block) -> Iterator[str]:
    """Arguments with their equal signs in one column, as `terraform fmt` wants it; blocks behind an empty line."""
    yield " ".join([block.type, *(quote(label) for label in block.labels), "{"])
    yield from (INDENT + line for line in _arguments_of(block.arguments))
    for at, inner in enumerate(block.blocks):
        if at or block.arguments:
            yield ""
        yield from (INDENT + line if line else line for line in _lines(inner))
    yield "}"


def _arguments_of(arguments: Mapping[str, Any]) -> Iterator[str]:
    for group in _groups(arguments):
        width = max(len(name) for name in group)
        for name, value in group.items():
            first, *rest = _value_text(value).split("\n")
            yield f"{name.ljust(width)} = {first}"
            yield from rest


def _groups(arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A value of several lines stands for itself in the alignment."""
    group: dict[str, Any] = {}
    for name, value in arguments.items():
        if isinstance(value, dict):
            if group:
                yield group
            yield {name: value}
            group = {}
        else:
            group[name] = value
    if group:
        yield group


def _value_text(value: Any) -> str:
    match value:
        case Raw(text):
            return text
        case dict():
            return _map_text(cast("dict[str, Any]", value))
        case list():
            return _list_text(cast("Any", value))
        case bool():
            return "true" if value else "false"
        case str():
            return quote(value)
        case _:
            return json.dumps(int(value) if value == int(value) else value)


def _list_text(value: list[Any]) -> str:
    return f"[{', '.join(_value_text(each) for each in value)}]"


def _map_text(value: dict[str, Any]) -> str:
    width = max((len(_name_text(each)) for each in value), default=0)
    pairs = (f"{INDENT}{_name_text(name).ljust(width)} = {_value_text(each)}\n" for name, each in value.items())
    return "{\n" + "".join(pairs) + "}"


def _name_text(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", name) else quote(name)


# ---- texts: everything that becomes HCL goes through one of these ---------------------------------------------------

ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


def quote(text: str) -> str:
    return f'"{_literal_text(text)}"'


def interpolate(*parts: str | Raw) -> Raw:
    """A template of texts and expressions."""
    return Raw(
        '"' + "".join(f"${{{each.text}}}" if isinstance(each, Raw) else _literal_text(each) for each in parts) + '"'
    )


def _literal_text(text: str) -> str:
    """Terraform would fill in `${` and `%{`; doubled, they stay what they are, several as numbers."""
    escaped = "".join(ESCAPES.get(each) or (each if each.isprintable() else _unicode_escape(each)) for each in text)
    return re.sub(r"\$+(?=\{)|%+(?=\{)", _harmless_marks, escaped)


def _harmless_marks(found: re.Match[str]) -> str:
    marks = found[0]
    return marks * 2 if len(marks) == 1 else "".join(map(_unicode_escape, marks))


def _unicode_escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
