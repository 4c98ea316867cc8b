"""Compiled reading gives what the generic way gives, for every type, and for everything that does not fit."""

from __future__ import annotations

import copy
import logging
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import Attr, attr
from tablewright.runtime.codecs.choose_reader import why_generic
from tablewright.runtime.operations.delete import Delete
from tablewright.runtime.operations.get import Get
from tablewright.runtime.operations.query import Query
from tablewright.runtime.options import DEFAULT
from tablewright.wire.values import marshal_item
from tests.runtime.codecs.everything import ITEMS, Color, Everything, lab, look

LAYOUT = Everything.__tablewright_layout__()
GENERIC = msgspec.structs.replace(LAYOUT, codec=None)
encode = msgspec.json.encode
STORED = ITEMS.filter(lambda item: item.whole is not None or item.text is None).map(
    lambda item: marshal_item(item.put().item())
)


def typed(item: Any) -> dict[str, Any]:
    return marshal_item(item.put().item())


def answer(layout: Any, reply: bytes) -> Any:
    """The answer to a get, or the error."""
    try:
        return Get(layout, {"code": "x"}).answer(reply)
    except Exception as error:  # noqa: BLE001 - it is to be compared
        return type(error), str(error)


def page(layout: Any, reply: bytes, **options: Any) -> Any:
    flow = Query(layout, "key", {"code": "x"}).with_options(**options).flow()
    next(flow)
    try:
        flow.send(reply)
    except StopIteration as done:
        return done.value
    raise AssertionError("a page was enough")


def same(one: Any, other: Any) -> None:
    assert look(one) == look(other)
    assert one == other


@settings(max_examples=100, deadline=None)
@given(STORED)
def test_items_of_every_type(stored: dict[str, Any]) -> None:
    misfits = LAYOUT.codec.misfits
    reply = encode({"Item": stored})
    same(answer(LAYOUT, reply), answer(GENERIC, reply))
    assert LAYOUT.codec.misfits == misfits
    assert LAYOUT.codec.reason is None


def written(layout: Any, reply: bytes, response: str) -> Any:
    """The answer to a write, or the error."""
    flow = Delete(layout, {"code": "x"}).with_options(response=response).flow()
    next(flow)
    try:
        flow.send(reply)
    except StopIteration as done:
        return done.value
    except Exception as error:  # noqa: BLE001 - it is to be compared
        return type(error), str(error)
    raise AssertionError("one call was enough")


@settings(max_examples=60, deadline=None)
@given(STORED, st.sampled_from(["all_old", "all_new", "updated_new", "default"]), st.data())
def test_items_that_writes_answer_with(stored: dict[str, Any], response: str, data: st.DataObject) -> None:
    for field in data.draw(st.lists(st.sampled_from([*stored]), max_size=1)):
        stored[field] = data.draw(ODD)
    reply = encode(data.draw(st.sampled_from([{"Attributes": stored}, {"Attributes": {}}, {}])))
    same(written(LAYOUT, reply, response), written(GENERIC, reply, response))


def test_what_a_write_answers_with_is_read_by_compiled_code() -> None:
    reply = encode({"Attributes": typed(Everything(code="x", demanded=1))})
    reader = LAYOUT.codec.reader(LAYOUT)
    same(reader.written(reply), written(GENERIC, reply, "all_new"))


ODD = st.sampled_from(
    [
        {"NULL": True},
        {"S": "2026-01-01"},
        {"S": ""},
        {"N": "1.5"},
        {"N": "-0"},
        {"N": "12345678901234567890123456789012345678"},
        {"N": "0.12345678901234567890123456789012345678"},
        {"BOOL": True},
        {"B": "AAE="},
        {"L": []},
        {"L": [{"NULL": True}]},
        {"L": [{"S": "a"}, {"N": "1"}]},
        {"M": {}},
        {"M": {"city": {"S": "c"}, "z": {"NULL": True}, "more": {"S": "m"}}},
        {"M": {"x": {"N": "1"}}},
        {"M": {"kind": {"S": "coin"}}},
        {"SS": ["a"]},
        {"NS": ["1", "2.5"]},
        {"BS": ["AAE="]},
    ]
)


@settings(max_examples=150, deadline=None)
@given(STORED, st.data())
def test_items_with_something_odd(stored: dict[str, Any], data: st.DataObject) -> None:
    fields = [each.field for each in LAYOUT.attributes.values()]
    for field in data.draw(st.lists(st.sampled_from(fields), max_size=3, unique=True)):
        stored[field] = data.draw(ODD)
    for field in data.draw(st.lists(st.sampled_from([*stored]), max_size=2, unique=True)):
        del stored[field]
    reply = encode({"Item": stored})
    same(answer(LAYOUT, reply), answer(GENERIC, reply))


@settings(max_examples=40, deadline=None)
@given(st.lists(STORED, min_size=1, max_size=4), st.data())
def test_pages_with_odd_and_foreign_items(stored: list[dict[str, Any]], data: st.DataObject) -> None:
    for item in stored:
        change = data.draw(st.sampled_from(["none", "null", "foreign", "unnamed"]))
        if change == "null":
            item["t"] = {"NULL": True}
        elif change == "foreign":
            item["__edb_e__"] = {"S": "other"}
        elif change == "unnamed":
            item.pop("__edb_e__")
    last = data.draw(st.sampled_from([None, {"pk": {"S": "p"}, "sk": {"N": "1.5"}}]))
    reply = encode({"Items": stored, "Count": len(stored)} | ({} if last is None else {"LastEvaluatedKey": last}))
    same(page(LAYOUT, reply), page(GENERIC, reply))
    same(page(LAYOUT, reply, ignore_ownership=True), page(GENERIC, reply, ignore_ownership=True))
    mine = len(page(GENERIC, reply).items)
    if mine:
        same(page(LAYOUT, reply, count=mine), page(GENERIC, reply, count=mine))


def test_nothing_is_shared_between_items() -> None:
    reply = encode({"Item": typed(Everything(code="a", demanded=1, moment=tw.now()))})
    one, other = answer(LAYOUT, reply), answer(LAYOUT, reply)
    before = copy.deepcopy(other)
    one.names.append("x")
    one.texts.add("x")
    one.counts["x"] = 1
    assert other == before


def test_nothing_found() -> None:
    assert answer(LAYOUT, b"{}") is None
    assert page(LAYOUT, b"{}").items == []


def test_a_misfit_is_counted_and_logged_without_its_value(caplog: pytest.LogCaptureFixture) -> None:
    stored = typed(Everything(code="a", demanded=1, color=Color.RED))
    before = LAYOUT.codec.misfits
    with caplog.at_level(logging.DEBUG, logger="tablewright"):
        answer(LAYOUT, encode({"Item": stored | {"whole": {"S": "five"}}}))
        answer(LAYOUT, encode({"Item": stored | {"color": {"S": "green"}}}))
    assert LAYOUT.codec.misfits == before + 2
    assert "missing required field `N` - at `$.Item.whole`" in caplog.messages[0]
    assert LAYOUT.codec.last_misfit == "KeyError"
    assert not any("green" in message or "five" in message for message in caplog.messages)


# ---- entities that are more than their values ---------------------------------------------------------------------


class Loud(tw.Entity, service=lab, name="loud"):
    """With a getter, for which nothing is compiled."""

    code: Attr[str]
    shout: Attr[str] = attr(get=str.upper)

    @tw.primary
    def key(self, code: str) -> None:
        """One."""


class Careful(tw.Entity, service=lab, name="careful"):
    """It sets its attributes its own way, has a getter deep inside, and a length of nothing."""

    code: Attr[str]
    inner: Attr[Inner | None] = attr(default=None)

    @tw.primary
    def key(self, code: str) -> None:
        """One."""

    def __setattr__(self, name: str, value: Any) -> None:
        raise TypeError("read only")

    def __len__(self) -> int:
        return 0


class Inner(tw.Map):
    name: Attr[str] = attr(get=str.upper)
    secret: Attr[str | None] = attr(default=None, hidden=True)


class Second(
    tw.Entity, service=lab, name="second", version="2", key_version="2", upgrades={"1": lambda item: item | {"n": 2}}
):
    """Its older items are upgraded one by one."""

    code: Attr[str]
    n: Attr[int]

    @tw.primary
    def key(self, code: str) -> None:
        """One."""


def both(item: tw.Entity, **changes: Any) -> Any:
    """What both ways make of a stored item, which must be the same."""
    layout = type(item).__tablewright_layout__()
    reply = encode({"Item": typed(item) | changes})
    one, other = answer(layout, reply), answer(msgspec.structs.replace(layout, codec=None), reply)
    same(one, other)
    return one


def test_a_getter_keeps_an_entity_generic() -> None:
    assert both(Loud(code="a", shout="hey")).shout == "HEY"
    layout = Loud.__tablewright_layout__()
    assert layout.codec.reader(layout) is None
    assert why_generic(layout, DEFAULT) == "shout has a getter"


def test_a_nested_getter_keeps_its_attribute_generic() -> None:
    item = both(Careful(code="a", inner=Inner(name="low", secret="s")))
    assert item.inner.name == "LOW"
    assert item.inner.secret is None
    layout = Careful.__tablewright_layout__()
    assert why_generic(layout, DEFAULT) is None


def test_older_items_are_upgraded() -> None:
    assert both(Second(code="a", n=1)).n == 1
    assert both(Second(code="a", n=1), __edb_v__={"S": "1"}).n == 2
    assert both(Second(code="a", n=1), __edb_v__={"S": "0"}) is None


def test_the_reason_is_told() -> None:
    assert why_generic(LAYOUT, DEFAULT) is None
    assert why_generic(GENERIC, DEFAULT) == "its schema was loaded"
    assert why_generic(LAYOUT, DEFAULT, ()) == "the index holds only part of each item"
    some = Query(LAYOUT, "key", {}).only("text").options
    assert why_generic(LAYOUT, some) == "only part of each item is read"
    assert why_generic(LAYOUT, Query(LAYOUT, "key", {}).hydrate().options) is not None
