"""What is added up: the numbers of a total item, and the amounts that a write adds to them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Self

from tablewright.expr.nodes import Slot
from tablewright.spec.written import Written
from tablewright.wire.numbers import Number, number_text, parse_number

if TYPE_CHECKING:
    from collections.abc import Callable

TotalKind = Literal["count", "sum", "max", "min"]
_KINDS: dict[str, TotalKind] = {"count": "count", "sum": "sum", "max": "max", "min": "min"}
_TERM = re.compile(r"\s*([+-]?)\s*(?:\{([^{}]+)\}|(\d+(?:\.\d+)?))\s*")


class Total(Written):
    """A number kept for a group of items: how many there are, or what one of their attributes comes to."""

    __slots__ = ("attribute", "kind")
    grammar: ClassVar[str] = "`count`, or `sum` (`max`, `min`) and the attribute behind a space."
    kind: TotalKind
    attribute: str  # "" for a count

    def __init__(self, kind: TotalKind, attribute: str = "") -> None:
        self.kind, self.attribute = kind, attribute

    @classmethod
    def parse(cls, text: str) -> Self:
        kind, _, attribute = text.partition(" ")
        known = _KINDS.get(kind)
        if known is None or bool(attribute) == (kind == "count"):
            raise ValueError(f"{text!a} is no total: count, or sum and an attribute")
        return cls(known, attribute)

    def __str__(self) -> str:
        return f"{self.kind} {self.attribute}".strip()


class _Term(NamedTuple):
    """A number or a parameter, added or taken off."""

    sign: Literal[1, -1]
    value: Slot | Number


class Amount(Written):
    """What is added to a number: `1`, `-{amount}`, or a difference `{amount} - {old.amount}`."""

    __slots__ = ("terms",)
    grammar: ClassVar[str] = (
        "A number or {name}, either with - in front, or a difference of two such; a value that is absent counts 0."
    )
    terms: tuple[_Term, ...]

    def __init__(self, *terms: _Term) -> None:
        self.terms = terms

    @classmethod
    def parse(cls, text: str) -> Self:
        terms: list[_Term] = []
        at = 0
        while at < len(text) or not terms:
            found = _TERM.match(text, at)
            if found is None or (terms and not found[1]) or len(terms) == 2:
                raise ValueError(f"{text!a} is no amount: a number, {{name}}, either with -, or a difference of two")
            value = Slot(found[2]) if found[2] else parse_number(found[3])
            terms.append(_Term(-1 if found[1] == "-" else 1, value))
            at = found.end()
        return cls(*terms)

    def __str__(self) -> str:
        first, *others = (_signed(each) for each in self.terms)
        return "".join([first, *(f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in others)])

    def sum(self, value_of: Callable[[str], Any]) -> Any:
        """The number it comes to; what is absent counts 0."""
        return sum(
            each.sign * (value_of(each.value.name) or 0 if isinstance(each.value, Slot) else each.value)
            for each in self.terms
        )


def _signed(term: _Term) -> str:
    text = f"{{{term.value.name}}}" if isinstance(term.value, Slot) else number_text(term.value)
    return f"-{text}" if term.sign < 0 else text


def add(value: Slot | int) -> Amount:
    return Amount(_Term(1, value))


def subtract(value: Slot | int) -> Amount:
    return Amount(_Term(-1, value))


def difference(new: Slot, old: Slot) -> Amount:
    return Amount(_Term(1, new), _Term(-1, old))
