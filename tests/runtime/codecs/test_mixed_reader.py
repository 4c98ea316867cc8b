"""A collection's page is sorted by compiled code as the generic way sorts it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import Attr, attr
from tablewright.wire.values import marshal_item
from tests.runtime.codecs.everything import look

mill = tw.Service("mill", table="mill")


class Sack(tw.Entity, service=mill, name="sack"):
    """Read by compiled code."""

    mill: Attr[str]
    number: Attr[int]
    note: Attr[str | None] = attr(default=None)

    @tw.primary(collection="stock")
    def key(self, mill: str, *, number: int) -> None:
        """One sack."""


class Shout(
    tw.Entity,
    service=mill,
    name="shout",
    version="2",
    key_version="2",
    upgrades={"1": lambda item: {**item, "text": "old"}},
):
    """Read the generic way, some of them older."""

    mill: Attr[str]
    text: Attr[str] = attr(get=str.upper)

    @tw.primary(collection="stock")
    def key(self, mill: str, *, text: str) -> None:
        """One shout."""


class Stock(tw.Collection, service=mill, name="stock"):
    sacks: list[Sack]
    shouts: list[Shout]

    @tw.index("table")
    def of(self, mill: str) -> None:
        """All of it."""


ITEMS = st.one_of(
    st.builds(Sack, mill=st.just("m"), number=st.integers(0, 9), note=st.none() | st.just("n")),
    st.builds(Shout, mill=st.just("m"), text=st.sampled_from(["a", "b"])),
).map(lambda item: marshal_item(item.put().item()))
CHANGES: list[dict[str, Any]] = [
    {},
    {"note": {"NULL": True}},
    {"number": {"S": "seven"}},
    {"__edb_e__": {"S": "other"}},
    {"__edb_e__": {"N": "1"}},
    {"__edb_v__": {"S": "1"}},
]


def gathered(collect: Any, reply: bytes) -> Any:
    flow = collect.flow()
    next(flow)
    try:
        flow.send(reply)
    except StopIteration as done:
        return look(done.value.items), done.value.cursor
    except Exception as error:  # noqa: BLE001 - it is to be compared
        return type(error), str(error)
    raise AssertionError("a page was enough")


@pytest.mark.parametrize("options", [{}, {"ignore_ownership": True}], ids=["owned", "by key"])
@settings(max_examples=60, deadline=None)
@given(items=st.lists(st.tuples(ITEMS, st.sampled_from(CHANGES)), max_size=5), is_last=st.booleans())
def test_pages_are_sorted_alike(options: dict[str, Any], items: list[Any], is_last: bool) -> None:
    stored = [{**item, **change} for item, change in items]
    last = {} if is_last else {"LastEvaluatedKey": {"pk": {"S": "p"}, "sk": {"S": "s"}}}
    reply = msgspec.json.encode({"Items": stored, **last})
    collect = Stock.of("m").collect.with_options(**options, pages=1)
    members = {alias: msgspec.structs.replace(layout, codec=None) for alias, layout in collect.members.items()}
    assert gathered(collect, reply) == gathered(msgspec.structs.replace(collect, members=members), reply)
