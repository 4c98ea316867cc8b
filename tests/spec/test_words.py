"""Conditions in words: read whole, or not at all."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.spec.phrases import OPERATORS, STATES
from tablewright.spec.read import read_spec
from tablewright.spec.words import Worded, read_words

ENTITIES: dict[str, Any] = {
    "Room": {
        "id": "roomId",
        "attributes": {
            "createdBy": {},
            "stock": "number",
            "reserved": "number",
            "status": {"values": ["open", "closed", "in progress"]},
            "points": "integer",
            "dueAt": "timestamp",
            "active": "boolean",
            "version": "number",
            "note": "string",
            "tags": "set",
        },
    },
    "Message": {"id": ["roomId", "messageId"], "attributes": {"text": {}, "key": {}}},
    "OrderLine": {"id": ["orderId", "no"], "attributes": {"status": {}, "quantity": "number"}},
    "Order": {"id": "orderId", "attributes": {"status": {}, "total": "number"}},
    "Locked": {"id": "lockId", "attributes": {"holder": {}}, "version": True},
}
KNOWN = read_spec(
    {
        "name": "app",
        "entities": ENTITIES,
        "access_patterns": [{"id": "a", "kind": "get", "entity": "Room", "by": "roomId"}],
    }
).entities


def words(text: str, entity: str = "Room") -> Worded:
    return read_words(text, [KNOWN[entity]], KNOWN)[entity]


def condition(text: str, entity: str = "Room") -> str:
    return " AND ".join(str(each) for each in words(text, entity).conditions)


# ---- whether something is there -------------------------------------------------------------------------------------

NEW = (
    "not exists",
    "Not exists.",
    "not exist",
    "does not exist",
    "doesn't exist",
    "does not exist yet",
    "must not exist",
    "not existing",
    "it does not exist",
    "the item must not already exist",
    "Room does not exist",
    "the room does not exist",
    "roomId is free",
    "the id is free",
    "id is new",
)


@pytest.mark.parametrize("text", NEW)
def test_that_an_item_is_new(text: str) -> None:
    assert words(text) == Worded(existence="new", named="oom" in text)


@pytest.mark.parametrize(
    "text", ["exists", "must exist", "it exists", "the item exists", "room exists", "only if it exists"]
)
def test_that_an_item_is_there(text: str) -> None:
    assert words(text).existence == "there"
    assert not words(text).unread


@pytest.mark.parametrize(
    ("text", "parents"),
    [
        ("PARENT exists", ("PARENT",)),
        ("its parent exists", ("PARENT",)),
        ("Room exists", ("Room",)),
        ("the room must exist", ("Room",)),
        ("roomId exists", ("Room",)),
        ("the order line exists", ("OrderLine",)),
        ("Room exists and Order exists", ("Room", "Order")),
    ],
)
def test_that_a_parent_is_there(text: str, parents: tuple[str, ...]) -> None:
    assert words(text, "Message") == Worded(parents=parents)


# ---- comparisons ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("createdBy equals caller", "createdBy = {caller}"),
        ("created by is the caller", "createdBy = {caller}"),
        ("Room.createdBy = {caller}", "createdBy = {caller}"),
        ("stock >= qty", "stock >= {qty}"),
        ("stock at least {qty}", "stock >= {qty}"),
        ("the stock is greater than or equal to the amount", "stock >= {amount}"),
        ("stock >= reserved", "stock >= reserved"),
        ("stock must not exceed 5.5", "stock <= 5.5"),
        ("stock is not below -3", "stock >= -3"),
        ("stock between 3 and 5", "stock BETWEEN 3 AND 5"),
        ("status is open", "status = 'open'"),
        ("status equals open", "status = 'open'"),
        ("status is still in progress", "status = 'in progress'"),
        ("status is not closed", "status <> 'closed'"),
        ("status differs from {status}", "status <> {status}"),
        ("status = 'done'", "status = 'done'"),
        ("status = 'active' OR points > 3", "status = 'active' OR points > 3"),
        ("points less than {points}", "points < {points}"),
        ("fewer", ""),
        ("version matches", "version = {seen_version}"),
        ("dueAt is not set", "attribute_not_exists(dueAt)"),
        ("dueAt exists", "attribute_exists(dueAt)"),
        ("dueAt after now", "dueAt > {now}"),
        ("active is true", "active = true"),
        ("note equals 5", "note = '5'"),
        ("note equals 'it''s, and more'", "note = 'it''s, and more'"),
        ("stock > 0, status is open and points < 5", "stock > 0 AND status = 'open' AND points < 5"),
    ],
)
def test_comparisons(text: str, wanted: str) -> None:
    assert condition(text) == wanted
    assert bool(words(text).unread) is (not wanted)


def test_the_version_of_an_entity_is_compared_anyway() -> None:
    assert words("version matches", "Locked") == Worded()


def test_all_at_once() -> None:
    found = words("not exists, Room exists and text equals {text}", "Message")
    assert (found.existence, found.parents, [str(each) for each in found.conditions]) == (
        "new",
        ("Room",),
        ["text = {text}"],
    )


VALUES = {"stock": {"5": "5", "{qty}": "{qty}", "amount": "{amount}", "reserved": "reserved"}}


@given(
    st.sampled_from([each for each in OPERATORS if each[0] not in STATES]),
    st.sampled_from(sorted(VALUES["stock"])),
    st.sampled_from(["stock", "the stock", "Stock", "Room.stock"]),
)
def test_every_phrase_is_an_operator(phrase: tuple[tuple[str, ...], str], value: str, subject: str) -> None:
    text = " ".join((subject, *phrase[0], value))
    assert condition(text) == f"stock {phrase[1]} {VALUES['stock'][value]}"


# ---- what is not understood -----------------------------------------------------------------------------------------

UNREAD = (
    "fewer than 50 players and not joined before",
    "balance covers the amount",
    "only by its customer",
    "not liked before",
    "star must not exist",
    "handle is free",
    "status is available",
    "status is open or closed",
    "exists and not exists",
    "stock >=",
    "stock equals 'x'",
    "active is 5",
    "dueAt is after 5",
    "tags equals x",
    "and",
    "?",
    "stock > 0 and",
    "stock > 0 and and not exists",
    "stock > 0,, not exists",
    ", not exists",
    "stock >= 5 (or so)",
    "stock = stock",
    "the stock is not what it was",
    "Order does not exist",
)


@pytest.mark.parametrize("text", UNREAD)
def test_what_is_not_understood_is_kept_whole(text: str) -> None:
    assert words(text) == Worded(unread=text)


@pytest.mark.parametrize("unknown", UNREAD)
def test_never_half_a_condition(unknown: str) -> None:
    for known in (*NEW, "status is open", "PARENT exists"):
        for text in (f"{known} and {unknown}", f"{unknown} and {known}"):
            assert words(text) == Worded(unread=text)


@given(st.text())
def test_any_text_is_read_whole_or_not_at_all(text: str) -> None:
    assert words(text).unread in ("", text)


# ---- in a transaction -----------------------------------------------------------------------------------------------


def together(text: str) -> dict[str, Worded]:
    return read_words(text, [KNOWN["Order"], KNOWN["OrderLine"]], KNOWN)


def test_that_nothing_exists_is_said_of_all() -> None:
    assert together("not exists") == {name: Worded(existence="new") for name in ("Order", "OrderLine")}


def test_a_named_entity_is_meant_alone() -> None:
    assert together("the order does not exist") == {"Order": Worded(existence="new", named=True), "OrderLine": Worded()}


def test_a_comparison_is_about_the_one_that_has_the_attribute() -> None:
    found = together("total > 0 and quantity at most 5 and Order.status is 'open'")
    assert {name: [str(part) for part in each.conditions] for name, each in found.items()} == {
        "Order": ["total > 0", "status = 'open'"],
        "OrderLine": ["quantity <= 5"],
    }


def test_a_name_that_two_have_is_not_understood() -> None:
    text = "status equals 'open'"
    assert together(text) == {name: Worded(unread=text) for name in ("Order", "OrderLine")}
