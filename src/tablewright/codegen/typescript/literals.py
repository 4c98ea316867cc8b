"""Values and comments as TypeScript and JavaScript: the only place that makes either of a text.

Laid out as people would: on one line where it fits, else one part a line.
"""

from __future__ import annotations

import json
import re
import textwrap
from dataclasses import MISSING, fields, is_dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from tablewright.codegen.names import camel
from tablewright.design.steps.model import Slot

if TYPE_CHECKING:
    from collections.abc import Iterable

INDENT = "  "
WIDTH = 110
IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)


class Code(str):
    """Text that is TypeScript already."""

    __slots__ = ()


def literal(value: Any, depth: int = 0, ahead: int = 0) -> str:
    """`depth` is how far the line is indented, `ahead` the characters that stand before the value on it."""
    match value:
        case Code():
            return value
        case dict():
            pairs = cast("dict[str, Any]", value).items()
            parts = [f"{key(name)}: {literal(each, depth + 1, len(key(name)) + 2)}" for name, each in pairs]
            return block("{", parts, "}", depth, ahead)
        case list() | tuple():
            parts = [literal(each, depth + 1) for each in cast("list[Any]", value)]
            return block("[", parts, "]", depth, ahead)
        case set() | frozenset():
            return f"new Set({literal(sorted(cast('set[str]', value)), depth, ahead + 8)})"
        case Slot(name):
            return literal({"slot": name}, depth, ahead)
        case Decimal():
            return format(value, "f")
        case bytes():
            return f"Uint8Array.from({literal(list(value), depth, ahead + 16)})"
        case str():
            return text(value)
        case _:
            return literal(_fields(value), depth, ahead) if is_dataclass(value) else json.dumps(value)


def _fields(value: Any) -> dict[str, Any]:
    """What a compiled step says besides its defaults."""
    found: dict[str, Any] = {}
    for each in fields(value):
        default = each.default if each.default_factory is MISSING else each.default_factory()
        if getattr(value, each.name) != default:
            found[camel(each.name)] = getattr(value, each.name)
    return found


def text(value: str) -> str:
    """Quoted, in characters that every editor shows."""
    return "".join(each if each.isprintable() else _escape(each) for each in json.dumps(value, ensure_ascii=False))


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{{{code:x}}}"


def interpolate(parts: Iterable[str | Code]) -> str:
    """A template literal of texts and expressions (`Code`)."""
    return f"`{''.join(f'${{{each}}}' if isinstance(each, Code) else _escape_template(each) for each in parts)}`"


def _escape_template(value: str) -> str:
    quoted = re.sub(r"([`\\]|\$(?=\{))", r"\\\1", value)
    return "".join(each if each.isprintable() else _escape(each) for each in quoted)


def key(name: str) -> str:
    """The name of a property; one word would not make a property but set what the object inherits from."""
    if name == "__proto__":
        return '["__proto__"]'
    return name if IDENTIFIER.fullmatch(name) else text(name)


def block(opening: str, parts: list[str], closing: str, depth: int, ahead: int = 0) -> str:
    space = " " if opening == "{" and parts else ""
    line = f"{opening}{space}{', '.join(parts)}{space}{closing}"
    if not parts or (len(INDENT) * depth + ahead + len(line) < WIDTH and "\n" not in line):
        return line
    inner = INDENT * (depth + 1)
    return opening + "".join(f"\n{inner}{part}," for part in parts) + f"\n{INDENT * depth}{closing}"


def comment(lines: Iterable[str], indent: str = "") -> str:
    """A JSDoc comment; what would end it early is broken up."""
    width = WIDTH - len(indent) - 7
    flat = (_one_line(each).replace("*/", "* /") for each in lines)
    said = [part for each in flat for part in textwrap.wrap(each, width, break_long_words=False) or [""]]
    if len(said) == 1:
        return f"{indent}/** {said[0]} */"
    return "\n".join([f"{indent}/**", *(f"{indent} * {each}".rstrip() for each in said), f"{indent} */"])


def _one_line(text: str) -> str:
    """Whatever a compiler could take for the end of a line is a space."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())
