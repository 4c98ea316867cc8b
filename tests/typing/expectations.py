"""The marks of deliberate mistakes in `tests/typing/fail`.

    Task.key(5)                # error: the project is text
    Task.tags.add({1})         # error[pyright]: mypy widens the set to set[object]

The first must be caught by both checkers; the second by the named one, and the text says why not by the other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

CHECKERS = ("mypy", "pyright")
MARK = re.compile(r"#\s*error(?P<only>\[[^\]]*\])?(?P<colon>:?)\s*(?P<what>.*)$")


@dataclass(frozen=True, slots=True)
class Expectation:
    """A mistake in one line, and the checkers that must see it."""

    line: int
    checkers: frozenset[str]
    what: str


def expectations(source: str) -> list[Expectation]:
    marked = ((number, MARK.search(text)) for number, text in enumerate(source.splitlines(), start=1))
    return [expectation(number, mark) for number, mark in marked if mark]


def expectation(line: int, mark: re.Match[str]) -> Expectation:
    only = (mark["only"] or "").strip("[]")
    if not mark["colon"] or not mark["what"]:
        raise ValueError(f"line {line}: say what the mistake is: # error: WHAT")
    if mark["only"] is not None and only not in CHECKERS:
        raise ValueError(f"line {line}: `{only}` is no checker; known are {' and '.join(CHECKERS)}")
    return Expectation(line, frozenset([only] if only else CHECKERS), mark["what"])


def expected_lines(source: str, checker: str) -> set[int]:
    return {expected.line for expected in expectations(source) if checker in expected.checkers}
