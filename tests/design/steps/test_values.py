"""Values of steps: templates, keys, expressions, buckets, and texts in keys as the rest of Tablewright writes them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.design import encoding
from tablewright.design.steps.encoding import key_text
from tablewright.design.steps.errors import WrongValue
from tablewright.design.steps.model import Bucket, Demand, Expression, ItemKeys, ItemType, Slot, Stored
from tablewright.design.steps.values import (
    buckets_between,
    demand_values,
    derive,
    keys_in,
    passes,
    placeholders,
    resolve,
    stored_item,
)
from tablewright.design.values import buckets
from tablewright.schema.ordered import EXACT

NUMBERS = st.decimals(-(10**19), 10**19, allow_nan=False, places=6)
UNDELIMITED = st.characters(exclude_characters="#", exclude_categories=["Cs"])
MOMENTS = st.datetimes().map(lambda each: each.isoformat())


@given(st.text(min_size=1) | st.booleans() | NUMBERS | st.integers(-(10**19), 10**19))
def test_texts_in_plain_keys_are_those_of_the_design(value: Any) -> None:
    assert key_text(value, "plain") == encoding.key_text(value, "plain")


PADDED = st.integers(-(2**53), 2**53) | st.decimals(-(10**15), 10**15, allow_nan=False).filter(
    lambda each: not each or each.adjusted() >= -130
)


@given(st.text(UNDELIMITED, min_size=1) | st.booleans() | PADDED)
def test_texts_in_keys_of_electrodb_are_those_of_the_design(value: Any) -> None:
    assert key_text(value, "electrodb") == encoding.key_text(value, "electrodb")


@pytest.mark.parametrize(
    ("value", "style"),
    [
        (Decimal("0.1234567"), "plain"),
        (10**16, "electrodb"),
        (-(10**16), "electrodb"),
        (Decimal("-1e-200"), "electrodb"),
    ],
)
def test_a_number_that_would_be_taken_for_another_is_refused(value: Any, style: Any) -> None:
    with pytest.raises(WrongValue):
        key_text(value, style)


@pytest.mark.parametrize("style", ["plain", "electrodb"])
@pytest.mark.parametrize("behind", ["", "#z", "#a"])
@given(first=NUMBERS | PADDED, second=NUMBERS | PADDED)
def test_the_order_of_numbers_is_that_of_their_texts(first: Any, second: Any, behind: str, style: Any) -> None:
    """Whatever follows the number in its key, and whether it is below zero or has decimals."""
    fine = [EXACT.remainder(Decimal(each).scaleb(6, EXACT), 1) for each in (first, second)]
    numbers = [each for each, rest in zip((first, second), fine, strict=True) if style == "electrodb" or not rest]
    numbers = [each for each in numbers if abs(each) < 10**16]
    by_text = sorted(numbers, key=lambda each: key_text(each, style) + behind)
    assert [Decimal(each) for each in by_text] == sorted(map(Decimal, numbers))


def test_whole_numbers_from_zero_are_padded_as_electrodb_does_it() -> None:
    assert key_text(42, "electrodb") == "0000000000000042"
    assert key_text(Decimal("2.50"), "electrodb") == "0000000000000002.5"
    assert key_text(-1.5, "electrodb") == "-9999999999999998.5"


@pytest.mark.parametrize(("value", "style"), [("c#", "electrodb"), ("", "electrodb"), ("", "plain")])
def test_text_that_would_be_taken_for_another_is_refused(value: str, style: Any) -> None:
    with pytest.raises(WrongValue):
        resolve(style, ("#tag_", Slot("tag")), {"tag": value})


def test_a_number_too_large_for_a_key_is_refused() -> None:
    with pytest.raises(ValueError, match="too large"):
        key_text(10**20, "plain")


@given(MOMENTS, MOMENTS, st.sampled_from(buckets.LENGTHS))
def test_buckets_are_those_of_the_design(one: str, other: str, length: int) -> None:
    low, high = sorted((one, other))
    if int(high[:4]) - int(low[:4]) > 3:
        high = low
    assert buckets_between(low, high, length) == buckets.buckets_between(low, high, length)


# ---- templates ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "inputs", "found"),
    [
        ("ORDER", {}, "ORDER"),
        (7, {}, 7),
        (Slot("n"), {"n": 3}, 3),
        (Slot("n"), {}, None),
        (("A#", Slot("a"), "#B"), {"a": "x y"}, "A#x$`y#B"),
        (("A#", Slot("a"), "#", Slot("b"), "#C"), {"a": "1"}, "A#1#"),
        (("S#", Slot("_shard")), {"_shard": "3"}, "S#3"),
        (Slot("old.a"), {"a": 1, "old.a": 2}, 2),
    ],
)
def test_a_value_is_a_slot_a_text_or_a_constant(value: Any, inputs: dict[str, Any], found: Any) -> None:
    assert resolve("plain", value, inputs) == found


def test_what_finds_items_needs_all_values() -> None:
    demand_values([("A#", Slot("a"))], {"a": 1})
    with pytest.raises(ValueError, match="no value for b, c"):
        demand_values([("A#", Slot("a"), Slot("b")), Slot("c")], {"a": 1, "c": None})


def test_a_request_has_the_placeholders_of_its_expressions() -> None:
    first = Expression("#m.#e = :v0", {"#m": "map", "#e": Slot("entry")}, {":v0": ("K#", Slot("a"))})
    second = Expression("#s > :v1", {"#s": "size"}, {":v1": 5})
    assert placeholders("plain", [first, None, second], {"entry": 7, "a": "x"}) == {
        "ExpressionAttributeNames": {"#m": "map", "#e": "7", "#s": "size"},
        "ExpressionAttributeValues": {":v0": "K#x", ":v1": 5},
    }
    assert placeholders("plain", [None], {}) == {}


@pytest.mark.parametrize(
    ("operator", "values", "passing", "failing"),
    [
        ("=", (Slot("a"),), 1, 2),
        ("<>", (1,), 2, 1),
        ("<", (3,), 2, 3),
        ("<=", (3,), 3, 4),
        (">", (3,), 4, 3),
        (">=", (3,), 3, 2),
        ("between", (1, Slot("b")), 5, 6),
        ("begins_with", ("ab",), "abc", "xab"),
        ("in", ("x", "y"), "y", "z"),
    ],
)
def test_demands_on_an_item_at_hand(operator: Any, values: tuple[Any, ...], passing: Any, failing: Any) -> None:
    demand = Demand("n", operator, values)
    inputs = {"a": 1, "b": 5}
    assert passes([demand], {"n": passing}, inputs)
    assert not passes([demand], {"n": failing}, inputs)
    assert not passes([demand], {}, inputs)
    assert passes([Demand("n", "exists")], {"n": failing}, {})


# ---- stored items ---------------------------------------------------------------------------------------------------

TABLE = ItemKeys(needs=("id",), fields={"pk": ("T#", Slot("id")), "sk": "T"})
SPARSE = ItemKeys(
    index="gsi1",
    needs=("team",),
    fields={"gsi1pk": ("TEAM#", Slot("team"), "#", Slot("_bucket")), "gsi1sk": ("AT#", Slot("at"), "#", Slot("id"))},
    bucket=Bucket("at", 7),
    when={"status": "open", "at": None},
)
KIND = ItemType(
    entity="Task",
    table="tasks",
    id=("id",),
    attributes=("id", "team", "status", "at"),
    fixed={"type": "Task"},
    keys=(TABLE, SPARSE),
    expires="gone",
    lifetime_seconds=60,
)
STORED = Stored(types={"Task": KIND}, places={}, type_field="type", hidden=frozenset({"pk"}), key_style="plain")


def test_an_item_has_its_attributes_its_keys_and_its_end() -> None:
    thing = {"id": "1", "team": "t", "status": "open", "at": "2026-05-06", "other": 1}
    assert stored_item(STORED, KIND, thing, 1000) == {
        "id": "1",
        "team": "t",
        "status": "open",
        "at": "2026-05-06",
        "gone": 1060,
        "type": "Task",
        "pk": "T#1",
        "sk": "T",
        "gsi1pk": "TEAM#t#2026-05",
        "gsi1sk": "AT#2026-05-06#1",
    }
    assert stored_item(STORED, KIND, {**thing, "gone": 5}, 1000)["gone"] == 5


@pytest.mark.parametrize("change", [{"team": None}, {"status": "done"}, {"at": None}])
def test_an_item_is_in_an_index_only_as_that_demands(change: dict[str, Any]) -> None:
    thing = {"id": "1", "team": "t", "status": "open", "at": "2026-05-06", **change}
    assert keys_in(STORED, SPARSE, KIND, thing) == {}
    assert keys_in(STORED, TABLE, KIND, thing) == {"pk": "T#1", "sk": "T"}


def test_shards_follow_from_the_id() -> None:
    found = {derive("plain", {"id": str(number)}, ("id",), 4, None)["_shard"] for number in range(100)}
    assert found == {"0", "1", "2", "3"}
    assert "_shard" not in derive("plain", {}, ("id",), 4, None)
    assert "_shard" not in derive("plain", {"id": "1"}, ("id",), 1, None)
