"""Reads the fenced blocks, links and anchors of a Markdown page.

The info string after the opening fence says what becomes of a block:

    python               executed
    python skip: REASON  shown only; the reason is mandatory
    text output          must equal what the previous Python block printed
    json output          must equal it as JSON
    LANG file: NAME      written to the file NAME, beside which the page's later blocks run
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)$")
LINK = re.compile(r"(?<!\\)\[(?:[^\[\]]|\[[^\]]*\])*\]\((?P<target>[^()\s]+)(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6}\s+(?P<title>.*?)\s*#*$")
EXPLICIT_ANCHOR = re.compile(r"<a\s+(?:id|name)=\"(?P<name>[^\"]+)\"")
CODE_SPAN = re.compile(r"(`+)(?:(?!\1).)*\1")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; `line` is the number of its first line of content, counted from 1."""

    language: str
    mode: str
    argument: str
    line: int
    source: str


def blocks(text: str) -> Iterator[Block]:
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        opening = FENCE.match(lines[at])
        at += 1
        if opening is None:
            continue
        start = at
        while at < len(lines) and not closes(lines[at], opening["fence"]):
            at += 1
        if at == len(lines):
            raise ValueError(f"the fence opened in line {start} is never closed")
        yield block(opening["info"].strip(), start + 1, dedented(lines[start:at], len(opening["indent"])))
        at += 1


def closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and set(bare) == {fence[0]}


def dedented(lines: list[str], indent: int) -> str:
    return "".join(line.removeprefix(" " * indent) + "\n" for line in lines)


def block(info: str, line: int, source: str) -> Block:
    language, _, rest = info.partition(" ")
    mode, _, argument = rest.partition(":")
    return Block(language, mode.strip(), argument.strip(), line, source)


def prose(text: str) -> Iterator[str]:
    """The lines outside fenced blocks."""
    fence = ""
    for line in text.splitlines():
        opening = FENCE.match(line)
        if fence:
            fence = "" if closes(line, fence) else fence
        elif opening:
            fence = opening["fence"]
        else:
            yield line


def links(text: str) -> list[str]:
    return [found["target"] for line in prose(text) for found in LINK.finditer(CODE_SPAN.sub("code", line))]


def anchors(text: str) -> set[str]:
    """The names a link may point at: headings as GitHub spells them, and explicit `<a id="...">`."""
    found: set[str] = set()
    for line in prose(text):
        heading = HEADING.match(line)
        if heading:
            found.add(numbered(slug(heading["title"]), found))
        found.update(explicit["name"] for explicit in EXPLICIT_ANCHOR.finditer(line))
    return found


def slug(title: str) -> str:
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
    return re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")


def numbered(name: str, taken: set[str]) -> str:
    """GitHub tells headings of one name apart by a number."""
    candidates = (f"{name}-{count}" if count else name for count in range(len(taken) + 1))
    return next(candidate for candidate in candidates if candidate not in taken)
