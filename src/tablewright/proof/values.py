"""Single values: words, numbers and times that are easily taken for one another."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.spec.validation import make_valid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tablewright.spec.model import AttributeSpec

WRITTEN_AT = 4_102_444_800
"""Proofs happen in the year 2100, so that no database finds anything to expire."""
WRITTEN_MOMENT = WRITTEN_AT + 0.5
"""Where less than a second counts."""
POOL = 12
"""How many values an attribute without a cardinality takes."""
TRIES = 20
WORDS = (
    "a",
    "ab",
    "abc",
    "b",
    "1",
    "10",
    "2",
    "Z",
    "z",
    "caf\u00e9",
    "cafe\u0301",
    "north",
    "North",
    "north-east",
    "a_b",
    "a.b",
    "A",
    "\U0001f600",
    "\uffee",
    "null",
)
ODD_WORDS = ("a b", "a#b", "a!", "a#", "#", "$", "a$c", 'q"', "{a}", " ", "a#b#c", "$a#1", "a ")
NUMBERS = (0, 1, 2, 9, 10, 11, 99, 100, 1000, 12345)
ODD_NUMBERS = (2.5, -3, -10, -2.75, 0.5, 0.25, -100)
PLACES = (0.0, 0.0, 0.06, 0.12, 0.18, 0.5, 0.56, 0.94, 1.0, 1.0)
"""Of the way from the oldest time to now: parts of it where items lie."""
DAYS = ("2026-03-14", "2026-03-15", "2026-12-31", "2027-01-01", "2027-11-05")


class Mixture(msgspec.Struct, frozen=True):
    """`odd`: keys can hold any text. `words` are the spec's own: values of enumerations, which may be names too."""

    chance: random.Random
    odd: bool
    words: tuple[str, ...] = ()

    def pick_skewed(self, size: int) -> int:
        """A number below `size`, small ones more often."""
        return int(size * self.chance.random() ** 2)


def make_value(mixture: Mixture, spec: AttributeSpec, number: int | None, keyed: bool) -> Any:
    """`number` tells the value apart from all others; `keyed`: it may stand in a key."""
    if spec.values:
        return mixture.chance.choice(spec.values)
    if spec.validate is not None:
        return _make_valid(mixture, spec, number, keyed)
    kind = "string" if spec.type == "any" else spec.type
    if kind == "string":
        return make_word(mixture, number, spec.cardinality, keyed)
    if kind == "number":
        return make_number(mixture) if number is None else number
    if kind == "timestamp":
        if spec.since is not None:
            return make_past_time(mixture.chance, spec.since, number)
        return make_timestamp(mixture.chance, number)
    return _MAKERS[kind](mixture)


def _make_valid(mixture: Mixture, spec: AttributeSpec, number: int | None, keyed: bool) -> Any:
    """One that the attribute's rule lets pass, and keys of the style can hold if they have to."""
    first = mixture.pick_skewed(POOL) if number is None else number
    made = (make_valid(spec, first + 1000 * more) for more in range(TRIES))
    fitting = (each for each in made if mixture.odd or not keyed or _is_plain(each))
    return next(fitting, None) or make_valid(spec, first)


def _is_plain(value: Any) -> bool:
    return not isinstance(value, str) or "#" not in value


def make_word(mixture: Mixture, number: int | None = None, cardinality: int | None = None, keyed: bool = True) -> str:
    words: tuple[str, ...] = (*mixture.words, *WORDS, *(ODD_WORDS if mixture.odd or not keyed else ()))
    if number is not None:
        return words[number] if number < len(words) else f"{words[number * 7 % len(words)]}{number}"
    if not keyed and mixture.chance.random() < 0.1:
        return ""
    return words[mixture.pick_skewed(min(cardinality or POOL, POOL, len(words))) * 5 % len(words)]


def make_number(mixture: Mixture) -> int | float:
    return mixture.chance.choice(NUMBERS + ODD_NUMBERS)


def make_timestamp(chance: random.Random, number: int | None) -> str:
    """Many of one second; with a number no two are the same."""
    if number is None:
        return f"{chance.choice(DAYS)}T{chance.choice((0, 9, 23)):02d}:26:53.00{chance.randint(0, 9)}Z"
    return f"{chance.choice(DAYS)}T{chance.choice((0, 9, 23)):02d}:{number // 1000 % 60:02d}:53.{number % 1000:03d}Z"


def make_past_time(chance: random.Random, since: str, number: int | None) -> str:
    """The same between the oldest time there is and now, both included, with long times of nothing in between."""
    oldest = datetime.fromisoformat(since).replace(tzinfo=UTC)
    now = datetime.fromtimestamp(WRITTEN_AT, UTC)
    place = chance.choice(PLACES)
    moment = oldest + (now - oldest) * place
    apart = chance.choice((0, 0, 1, 2)) if number is None else number
    moment += timedelta(milliseconds=-apart if place == 1 else apart)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


_MAKERS: Mapping[str, Callable[[Mixture], Any]] = {
    "boolean": lambda mixture: mixture.chance.random() < 0.5,
    "binary": lambda mixture: bytes(mixture.chance.randrange(256) for _ in range(4)),
    "map": lambda mixture: {"note": make_word(mixture, keyed=False), "a#b": 1},
    "list": lambda mixture: [make_word(mixture, keyed=False), 1],
    "set": lambda mixture: {make_word(mixture), make_word(mixture)},
}
