"""Reads the fenced blocks, links and anchors of a Markdown page.

The info string after the opening fence says what becomes of a block:

    python               executed
    python skip: REASON  shown only; the reason is mandatory
    sh run               its lines are `tablewright` commands, which must succeed
    sh fails             the same, and the last one must fail
    text output          must equal what the previous block printed
    text output: A | B   must equal these sections of it, by their headings; A[:9] is its first nine lines
    json output          must equal it as JSON
    LANG file: NAME      written to the file NAME, beside which the page's later blocks run

Between `<!-- from FILE: HEADING -->` and `<!-- end -->` stands what a Markdown file that the page's blocks wrote says
under that heading.
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
FROM = re.compile(r"^<!-- from (?P<file>[^:]+): (?P<heading>.+) -->$")
END = "<!-- end -->"
WANTED = re.compile(r"(?P<heading>.+?)(?:\[:(?P<most>\d+)\])?")
GAP = "…"


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


@dataclass(frozen=True, slots=True)
class Included:
    """Lines taken from another file: from the one with index `start` up to the one before `end`."""

    file: str
    heading: str
    start: int
    end: int


def included(text: str) -> Iterator[Included]:
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if found := FROM.match(line):
            if END not in lines[at:]:
                raise ValueError(f"what line {at + 1} takes from {found['file']} has no {END}")
            yield Included(found["file"], found["heading"], at + 1, lines.index(END, at))


def under(heading: str, text: str) -> list[str]:
    """What a Markdown text says between a heading and the next."""
    lines, fenced, found = text.splitlines(), False, None
    for at, line in enumerate(lines):
        fenced ^= bool(FENCE.match(line))
        title = None if fenced else HEADING.match(line)
        if title and found is not None:
            return between_blanks(lines[found:at])
        if title and title["title"] == heading:
            found = at + 1
    if found is None:
        raise ValueError(f'there is no heading "{heading}"')
    return between_blanks(lines[found:])


def between_blanks(lines: list[str]) -> list[str]:
    return ["", *"\n".join(lines).strip("\n").splitlines(), ""]


def sections(printed: str, wanted: str) -> str:
    """Some sections of a plain text, by headings that are underlined; a sign stands for what was left out."""
    lines = printed.strip("\n").splitlines()
    starts = [
        at for at, line in enumerate(lines[1:]) if line and set(line) <= set("=-") and len(line) == len(lines[at])
    ]
    found = {lines[at]: (at, end) for at, end in zip(starts, [*starts[1:], len(lines)], strict=True)}
    shown: list[str] = []
    last = 0
    for each in wanted.split("|"):
        given = WANTED.fullmatch(each.strip())
        if given is None or given["heading"] not in found:
            raise ValueError(f'no section "{each.strip()}" was printed; there are: {", ".join(found)}')
        start, end = found[given["heading"]]
        shown += [*([GAP, ""] if start > last else []), *lines[start : start + int(given["most"] or end - start)]]
        last = min(end, start + int(given["most"] or end - start))
    return "\n".join([*shown, *([GAP] if last < len(lines) else [])]) + "\n"


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
