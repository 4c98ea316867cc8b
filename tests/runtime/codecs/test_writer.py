"""Compiled writing sends what the generic way sends, byte for byte, and gives back the same item."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, attr
from tablewright.wire.document import Ready
from tests.runtime.codecs.everything import ITEMS, Everything, lab, look
from tests.runtime.depot import PARCELS, Crate, Parcel

encode = msgspec.json.encode


class Tally(tw.Entity, service=lab, name="tally"):
    """Keys that are numbers, attributes that are keys, keys that may be empty, and a condition."""

    pk: Attr[str]
    sk: Attr[int]
    word: Attr[str | None] = attr(default=None)
    marks: Attr[set[str]] = attr(default_factory=set)

    @tw.primary
    def key(self, pk: str, *, sk: int) -> None:
        """One tally."""

    @tw.index("gsi1", pk="{word}", sk="{sk}", cast={"sk": "number"})
    def by_word(self, word: str, *, sk: int = ANY) -> None:
        """By templates."""

    @tw.index("gsi2", condition=lambda tally: tally.marks is None, depends_on=["marks"])
    def unmarked(self, word: str) -> None:
        """Sparse, by a condition that sees an empty set as none."""


TALLIES = st.builds(
    Tally,
    pk=st.sampled_from(["", "A", "b"]),
    sk=st.integers(-3, 3),
    word=st.none() | st.sampled_from(["", "w"]),
    marks=st.sets(st.sampled_from(["x", "y"])),
)


def outcome(put: Any) -> Any:
    """The request as it is sent and the answer, or the error."""
    flow = put.flow()
    try:
        call = next(flow)
        flow.send(b"{}")
    except StopIteration as done:
        return call.action, encode(call.params), look(done.value)
    except Exception as error:  # noqa: BLE001 - it is to be compared
        return type(error), str(error)
    raise AssertionError("a put is one call")


def both(item: Any) -> Any:
    """What both ways do, which must be the same."""
    put = item.put()
    generic = msgspec.structs.replace(put, layout=msgspec.structs.replace(put.layout, codec=None))
    compiled = outcome(put)
    assert compiled == outcome(generic)
    assert outcome(item.create()) == outcome(msgspec.structs.replace(generic, only_new=True))
    return compiled


@settings(max_examples=150, deadline=None)
@given(ITEMS)
def test_items_of_every_type(item: Everything) -> None:
    both(item)
    is_refused = item.text is not None and item.whole is None  # the sort key of an index would have a gap
    assert is_refused or isinstance(item.put().ready_item(), Ready)


@settings(max_examples=60, deadline=None)
@given(PARCELS)
def test_indexes_of_every_kind(parcel: Parcel) -> None:
    both(parcel)


@settings(max_examples=30, deadline=None)
@given(TALLIES)
def test_keys_of_every_kind(tally: Tally) -> None:
    both(tally)


def test_a_setter_keeps_an_entity_generic() -> None:
    both(Crate(crate="c", title="t", code="x"))
    assert "validator" in str(Crate.__tablewright_layout__().codec.writing_reason)
    assert not isinstance(Crate(crate="c", code="x").put().ready_item(), Ready)


def test_what_cannot_be_written_is_told_the_generic_way() -> None:
    kind, message = both(Everything(code="c", demanded=10**200))
    assert issubclass(kind, ValueError)
    assert message.startswith("demanded: Number overflow")


def test_the_answer_is_a_copy() -> None:
    put = Everything(code="c", demanded=1, names=["a"], free=["b"]).put()
    before = outcome(put)
    flow = put.flow()
    next(flow)
    try:
        flow.send(b"{}")
    except StopIteration as done:
        done.value.names.append("x")
    assert outcome(put) == before
