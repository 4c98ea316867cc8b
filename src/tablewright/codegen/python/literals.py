"""Values, calls and docstrings as Python code: the only place that makes Python of a text.

Laid out as formatters do: on one line where it fits, else a part a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

INDENT = "    "
WIDTH = 88


class Code(msgspec.Struct, frozen=True):
    """Code that stands for itself, such as a name."""

    text: str


class Invocation(msgspec.Struct, frozen=True):
    """`name(arguments, key=value)`."""

    name: str
    arguments: tuple[Any, ...] = ()
    named: tuple[tuple[str, Any], ...] = ()
    opening: str = "("
    closing: str = ")"


def invoke(name: str, /, *arguments: Any, **named: Any) -> Invocation:
    return Invocation(name, arguments, tuple(named.items()))


def print_code(value: Any, depth: int = 0, ahead: int = 0, behind: int = 0) -> str:
    """`depth` is how far the line is indented; `ahead` and `behind` count what else stands on it."""
    match value:
        case Code():
            return value.text
        case Invocation():
            parts = [print_code(each, depth + 1, 0, 1) for each in value.arguments]
            parts += [f"{name}={print_code(each, depth + 1, len(name) + 1, 1)}" for name, each in value.named]
            return _block(value.name + value.opening, parts, value.closing, depth, ahead, behind)
        case dict():
            fields: dict[Any, Any] = value  # pyright: ignore[reportUnknownVariableType] - of whatever
            parts = [_pair(name, each, depth + 1) for name, each in fields.items()]
            return _block("{", parts, "}", depth, ahead, behind)
        case (only_one,) if isinstance(value, tuple):
            only = print_code(only_one, depth + 1, 1, 2)
            return _block("(", [only], ")", depth, ahead, behind, single=True)
        case tuple() | list():
            opening, closing = ("(", ")") if isinstance(value, tuple) else ("[", "]")
            parts = [print_code(each, depth + 1, 0, 1) for each in cast("list[Any]", value)]
            return _block(opening, parts, closing, depth, ahead, behind)
        case str():
            return text(value)
        case _:
            return repr(value)


def _pair(name: Any, value: Any, depth: int) -> str:
    key = print_code(name)
    return f"{key}: {print_code(value, depth, len(key) + 2, 1)}"


def _block(
    opening: str, parts: list[str], closing: str, depth: int, ahead: int, behind: int, *, single: bool = False
) -> str:
    line = f"{opening}{', '.join(parts)}{',' if single else ''}{closing}"
    if not parts or (len(INDENT) * depth + ahead + len(line) + behind <= WIDTH and "\n" not in line):
        return line
    inner = INDENT * (depth + 1)
    return opening + "".join(f"\n{inner}{part}," for part in parts) + f"\n{INDENT * depth}{closing}"


def text(value: str) -> str:
    """Quoted with what needs fewer escapes, in characters that every editor shows."""
    quote = "'" if value.count('"') > value.count("'") else '"'
    return quote + "".join(_escape(each, quote) for each in value) + quote


ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\"}


def _escape(character: str, quote: str) -> str:
    if character == quote:
        return f"\\{quote}"
    if character in ESCAPES:
        return ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def docstring(paragraphs: Iterable[str], indent: str = "") -> str:
    """A docstring of one line, or of several with its end on a line of its own."""
    said = [_clean(each) for each in paragraphs]
    width = WIDTH - len(indent)
    first = _wrap_words(said[0], width - (3 if len(said) > 1 else 6))
    blocks = [first, *(_wrap_words(each, width) for each in said[1:])]
    text = "\n\n".join("\n".join(f"{indent}{line}" for line in block) for block in blocks)
    end = "" if "\n" not in text else f"\n{indent}"
    return f'{indent}"""{_escape_ends(text.removeprefix(indent), is_one_line=not end)}{end}"""'


def _escape_ends(said: str, *, is_one_line: bool) -> str:
    """A quote beside the three that begin or end a docstring would be taken for one of them."""
    said = f"\\{said}" if said.startswith('"') else said
    return f'{said[:-1]}\\"' if is_one_line and said.endswith('"') and said != '\\"' else said


def interpolate(parts: Iterable[str | Code]) -> str:
    """An f-string of texts and expressions without quotes in them."""
    shown_parts = (
        f"{{{each.text}}}"
        if isinstance(each, Code)
        else "".join(_escape(one, '"') for one in each).replace("{", "{{").replace("}", "}}")
        for each in parts
    )
    return f'f"{"".join(shown_parts)}"'


def _clean(line: str) -> str:
    """What would end a docstring, or mean something inside of it, said so that it does not."""
    flat = "".join(each if each.isprintable() else " " for each in line)
    return " ".join(flat.replace("\\", "\\\\").replace('"""', "'''").split())


def _wrap_words(words: str, width: int) -> list[str]:
    """Prose in lines of so many characters; a word is never broken."""
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines


def drop_empty(**fields: Any) -> dict[str, Any]:
    """Fields that say something: what is empty, false or absent is what a reader assumes anyway."""
    return {name: value for name, value in fields.items() if value not in (None, False, "", (), [], {})}
