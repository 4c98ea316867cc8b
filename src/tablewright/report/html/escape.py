"""Texts of users as HTML: every text on the page goes through `plain` or `prose`, and nothing else makes HTML of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from tablewright.design.values.templates import HIGHEST
from tablewright.design.wording import printable

if TYPE_CHECKING:
    from tablewright.design.model import Design

Anchors: TypeAlias = Mapping[str, str]

UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
"""Characters that HTML has no place for."""
CODE, ADDRESS = r"`[^`]+`", r"https://[^\s<>\"']+"
DOLLAR_KEY = r"\$[^\W\d_][^\s,;()`]*"
HOLE, WORD_END = re.compile(r"\{[\w.]++\}"), re.compile(r"[\s,;()`]")
ENDS = ".,;:)"
HIGHEST_IN_JSON = r"\udbff\udfff"
LINKED = "https://docs.aws.amazon.com/"
"""The page links to nothing else outside of itself."""


def plain(text: str) -> str:
    return escape(UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", printable(text)), quote=True)


def json_text(value: Any, *, indent: int | None = 2) -> str:
    """A value as JSON, with the highest character, which has no glyph, as an escape sequence."""
    return json.dumps(value, ensure_ascii=False, indent=indent, default=_to_json).replace(HIGHEST, HIGHEST_IN_JSON)


def _to_json(value: Any) -> Any:
    """Values that JSON lacks: sets as sorted lists, everything else as text."""
    if isinstance(value, (set, frozenset)):
        return sorted(cast("set[Any]", value), key=str)
    return str(value)


def key(text: str) -> str:
    """As code that is broken between its parts, if at all."""
    return f"<code>{plain(text).replace('#', '#<wbr>').replace('{', '<wbr>{')}</code>".replace("&#<wbr>", "&#")


def prose(text: str, anchors: Anchors) -> str:
    """With addresses and the names of patterns as links, and keys and `such` as code."""
    found: list[str] = []
    for at, part in enumerate(split_marks(text, anchors)):
        found.append(_mark_up(part, anchors) if at % 2 else plain(part))
    return "".join(found)


def split_marks(text: str, anchors: Anchors) -> list[str]:
    """Words, and between them what is marked. A key is a word with a hole in it: looked for from its hole, as a
    pattern that begins with the word would read the rest of a long word again at each of its letters.
    """
    marks = re.compile(f"{CODE}|{ADDRESS}|{DOLLAR_KEY}{id_pattern(anchors)}")
    found, at = list[str](), 0
    mark, key_span = marks.search(text), _next_key(text, 0)
    while mark or key_span:
        start, end = _first_of(mark, key_span, at)
        found += [text[at:start], text[start:end]]
        at = end
        mark = marks.search(text, at) if mark and mark.start() < at else mark
        key_span = _next_key(text, at) if key_span and key_span[0] < at else key_span
    return [*found, text[at:]]


def _next_key(text: str, at: int) -> tuple[int, int] | None:
    """Where the next word with a hole begins and ends."""
    hole = HOLE.search(text, at)
    if hole is None:
        return None
    start = hole.start()
    while start > at and not WORD_END.match(text, start - 1):
        start -= 1
    end = WORD_END.search(text, hole.end())
    return start, len(text) if end is None else end.start()


def _first_of(mark: re.Match[str] | None, key_span: tuple[int, int] | None, at: int) -> tuple[int, int]:
    """Whichever begins first; of two at one place a code or an address, then a key."""
    if key_span is None or mark is None:
        return key_span or (mark.span() if mark else (at, at))
    is_before = mark.start() < key_span[0] or (
        mark.start() == key_span[0] and mark.group().startswith(("`", "https://"))
    )
    return mark.span() if is_before else key_span


def id_pattern(anchors: Anchors) -> str:
    """Ids that no sentence has by chance: those with a digit and a letter."""
    ids = [re.escape(each) for each in anchors if re.search(r"\d", each) and re.search(r"[^\W\d]", each)]
    return rf"|(?<![\w-])(?:{'|'.join(sorted(ids, key=len, reverse=True))})(?![\w-])" if ids else ""


def _mark_up(part: str, anchors: Anchors) -> str:
    if part in anchors:
        return anchor_link(part, anchors)
    if part.startswith("`"):
        return key(part[1:-1])
    word = part.rstrip(ENDS)
    rest = plain(part[len(word) :])
    if word.startswith("https://"):
        return f"{_address(word)}{rest}"
    return f"{key(word)}{rest}"


def _address(word: str) -> str:
    """A link where it leads to AWS's own pages; anybody else's address is text, as it is no part of the design."""
    return f'<a href="{plain(word)}">{plain(word)}</a>' if word.startswith(LINKED) else plain(word)


def anchor_link(name: str, anchors: Anchors) -> str:
    return f'<a class="to" href="#{anchors[name]}">{plain(name)}</a>'


def anchors_of(design: Design) -> dict[str, str]:
    """Where each pattern's requests are on the page."""
    found: dict[str, str] = {}
    for at, pattern in enumerate(design.patterns, 1):
        word = re.sub(r"[^A-Za-z0-9]+", "-", pattern.id).strip("-")
        name = f"pattern-{word or at}"
        found[pattern.id] = f"{name}-{at}" if name in found.values() else name
    return found
