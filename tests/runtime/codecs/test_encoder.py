"""Compiled encoding gives what encoding attribute by attribute gives, faults included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import Attr, attr
from tablewright.runtime.compiled import compiled_of
from tests.runtime.codecs.everything import FREE, ITEMS, VALUES, Everything, Point, Spot, lab, look


def outcome(encode: Any, item: Any) -> Any:
    try:
        return look(encode(item))
    except Exception as error:  # noqa: BLE001 - it is to be compared
        return type(error), str(error)


def both(item: Any) -> Any:
    """What both ways say, which must be the same."""
    compiled = compiled_of(type(item))
    found = outcome(compiled.encode, item)
    assert found == outcome(compiled.encode_carefully, item)
    return found


@settings(max_examples=100, deadline=None)
@given(ITEMS)
def test_items_of_every_type(item: Everything) -> None:
    assert isinstance(both(item), list)


@settings(max_examples=150, deadline=None)
@given(ITEMS, st.data())
def test_values_of_the_wrong_type(item: Everything, data: st.DataObject) -> None:
    for name in data.draw(st.lists(st.sampled_from([*VALUES]), min_size=1, max_size=3)):
        other = data.draw(st.sampled_from([*VALUES]))
        setattr(item, name, data.draw(FREE | VALUES[other]))
    both(item)


class Longer(str):
    """A text that is more than a text."""

    __slots__ = ()


class Wider(Point):
    """A point that is more than a point."""


@dataclass
class Holder:
    free: Any
    needed: str


class Shelf(tw.Entity, service=lab, name="shelf"):
    """Holds anything."""

    code: Attr[str]
    holder: Attr[Holder | None] = attr(default=None)

    @tw.primary
    def key(self, code: str) -> None:
        """One shelf."""


def test_derived_types_are_taken_as_what_they_are() -> None:
    both(Everything(code=Longer("c"), demanded=True, point=Wider(1), names=[Longer("n")], moment=tw.now()))
    both(Everything(code=Longer("c"), demanded=1, point=Wider(1), names=[Longer("n")], moment=tw.now()))


@pytest.mark.parametrize("free", [set(), {"a"}, frozenset(), [], None, 0, ""])
def test_free_values_inside_a_class(free: Any) -> None:
    both(Shelf(code="s", holder=Holder(free, "n")))


def test_what_is_missing_inside_is_told_with_its_place() -> None:
    item = Everything(code="c", demanded=1, spot=Spot(city="x"), moment=tw.now())
    assert item.spot is not None
    item.spot.city = None  # type: ignore[assignment]  # wrong on purpose
    kind, message = both(item)
    assert issubclass(kind, tw.ValidationError)
    assert "spot.city" in message
    del item.spot.city
    assert both(item)[0] is AttributeError


def test_what_was_not_read_is_noticed_whatever_else_is_there() -> None:
    item = Shelf(code="s")
    del item.holder
    item.__dict__["note"] = "an attribute of the caller's own"
    assert both(item)[0] is tw.RequestError
