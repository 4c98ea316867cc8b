"""Values as TypeScript, laid out as people would: on one line where it fits, else one part a line."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

INDENT = "  "
WIDTH = 110
IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)


def literal(value: Any, depth: int = 0, ahead: int = 0) -> str:
    """`depth` is how far the line is indented, `ahead` the characters that stand before the value on it."""
    match value:
        case dict():
            pairs = cast("dict[str, Any]", value).items()
            parts = [f"{key(name)}: {literal(each, depth + 1, len(key(name)) + 2)}" for name, each in pairs]
            return block("{", parts, "}", depth, ahead)
        case list() | tuple():
            parts = [literal(each, depth + 1) for each in cast("list[Any]", value)]
            return block("[", parts, "]", depth, ahead)
        case _:
            return text(value) if isinstance(value, str) else json.dumps(value)


def text(value: str) -> str:
    """Quoted, in characters that every editor shows."""
    return "".join(each if each.isprintable() else escaped(each) for each in json.dumps(value, ensure_ascii=False))


def escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{{{code:x}}}"


def key(name: str) -> str:
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
    said = [each.replace("*/", "* /").replace("\n", " ").rstrip() for each in lines]
    if len(said) == 1:
        return f"{indent}/** {said[0]} */"
    return "\n".join([f"{indent}/**", *(f"{indent} * {each}".rstrip() for each in said), f"{indent} */"])


def kept(**fields: Any) -> dict[str, Any]:
    """Fields that say something: what is empty, false or absent is what a reader assumes anyway."""
    return {name: value for name, value in fields.items() if value not in (None, False, "", (), [], {})}
