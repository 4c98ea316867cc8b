"""Walks over buckets: one after the other from now or from the first, until the list is full, however it is paged."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.design.steps.errors import WrongCursor
from tablewright.design.steps.model import Bucket, Expression, Read, Slot
from tablewright.design.steps.reads import _write_cursor, read_page
from tablewright.design.steps.values import bucket_at, bucket_beside, buckets_between
from tests.design.steps.memory import Memory, stored

STORED = stored()
NOW = int(datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp())
WALK = Read(
    operation="Query",
    table="t",
    condition=Expression(
        "#pk = :v0", {"#pk": "pk"}, {":v0": (Slot("list"), "#", Slot("_bucket"), "#", Slot("_shard"))}
    ),
    bucket=Bucket("at", 10),
    since="2026-02-20T12:00:00Z",
    shards=2,
    limit=5,
)
DAYS = buckets_between("2026-02-20", "2026-03-02", 10)
INPUTS = {"list": "a"}
TIMES = st.lists(st.tuples(st.sampled_from(DAYS), st.integers(0, 3), st.integers(0, 1)), max_size=25, unique=True)
"""Of each item its day, its place in it, and its shard; the same time may be in both."""


def items_at(times: list[tuple[str, int, int]]) -> list[dict[str, Any]]:
    return [{"pk": f"a#{day}#{shard}", "sk": f"{day}T{hour:02d}"} for day, hour, shard in times]


def walk(memory: Memory, step: Read, limit: int | None = None, after: str | None = None, now: int = NOW) -> Any:
    return memory.drive(read_page(STORED, (step,), INPUTS, limit, after, now))


def paged(memory: Memory, step: Read, size: int, now: int = NOW) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    page = walk(memory, step, size, None, now)
    found += page.items
    while page.cursor is not None:
        page = walk(memory, step, size, page.cursor, now)
        assert len(page.items) <= size
        found += page.items
    return found


def asked_buckets(memory: Memory) -> list[str]:
    requests = [each for sent in memory.asked for each in sent]
    partitions = [each.params["ExpressionAttributeValues"][":v0"] for each in requests]
    return list(dict.fromkeys(each.split("#")[1] for each in partitions))


@given(times=TIMES, size=st.integers(1, 6), page=st.integers(1, 6), backwards=st.booleans())
def test_a_walk_is_the_whole_list_in_order(
    times: list[tuple[str, int, int]], size: int, page: int, backwards: bool
) -> None:
    items, step = items_at(times), replace(WALK, backwards=backwards)
    wanted = sorted((each["sk"] for each in items), reverse=backwards)
    assert [each["sk"] for each in walk(Memory(items, page), step, size).items] == wanted[:size]
    found = paged(Memory(items, page), step, size)
    assert [each["sk"] for each in found] == wanted
    assert sorted((each["pk"], each["sk"]) for each in found) == sorted((each["pk"], each["sk"]) for each in items)


def test_no_more_buckets_are_asked_than_the_list_needs() -> None:
    memory = Memory(items_at([("2026-03-01", 1, 0), ("2026-02-27", 1, 1), ("2026-02-25", 1, 0)]))
    found = walk(memory, replace(WALK, backwards=True, limit=2))
    assert [each["sk"] for each in found.items] == ["2026-03-01T01", "2026-02-27T01"]
    assert asked_buckets(memory) == ["2026-03-02", "2026-03-01", "2026-02-28", "2026-02-27"]
    assert found.cursor is not None


def test_each_bucket_is_asked_for_what_is_missing() -> None:
    memory = Memory(items_at([("2026-03-02", 1, 0), ("2026-03-02", 2, 1), ("2026-03-01", 1, 0)]))
    walk(memory, replace(WALK, backwards=True))
    limits = [each.params["Limit"] for sent in memory.asked[:2] for each in sent]
    assert limits == [5, 5, 3, 3]


def test_where_something_is_dropped_as_many_are_asked_for_again() -> None:
    items = items_at([(day, 1, 0) for day in DAYS])
    kept = [{"pk": f"I#{day}T01", "sk": "I"} for day in DAYS[:2]]
    fetch = Read(operation="BatchGetItem", table="t", key={"pk": ("I#", Slot("sk")), "sk": "I"}, keys_from=0)
    memory = Memory([*items, *kept])
    steps = (replace(WALK, backwards=True, limit=2), fetch)
    found = memory.drive(read_page(STORED, steps, INPUTS, now=NOW))
    assert [each["pk"] for each in found.items] == [each["pk"] for each in kept[::-1]]
    limits = [each.params["Limit"] for sent in memory.asked for each in sent if each.action == "Query"]
    assert limits == [2, 2, 1, 1] * 5 + [2, 2]


def test_a_walk_goes_from_now_to_the_first_bucket_and_no_further() -> None:
    beyond = [{"pk": f"a#{day}#0", "sk": f"{day}T00"} for day in ("2026-02-19", "2026-03-03")]
    for backwards in (False, True):
        memory = Memory(beyond)
        found = walk(memory, replace(WALK, backwards=backwards))
        assert (found.items, found.cursor) == ([], None)
        assert asked_buckets(memory) == (DAYS[::-1] if backwards else DAYS)


def test_what_lies_in_the_future_is_found_when_its_bucket_has_begun() -> None:
    memory = Memory(items_at([("2026-03-02", 3, 0)]))
    assert walk(memory, replace(WALK, backwards=True), now=NOW - 86_400).items == []
    assert len(walk(memory, replace(WALK, backwards=True), now=NOW - 8 * 3600).items) == 1


def test_nothing_is_asked_before_there_can_be_anything() -> None:
    memory = Memory([])
    assert walk(memory, replace(WALK, since="2026-04-01T00:00:00Z", backwards=True)).cursor is None
    assert memory.asked == []


def test_a_page_goes_on_in_its_bucket_though_time_has_passed() -> None:
    memory = Memory(items_at([("2026-03-02", 1, 0), ("2026-03-01", 2, 0), ("2026-03-01", 1, 1)]))
    step = replace(WALK, backwards=True)
    first = walk(memory, step, 2)
    second = walk(memory, step, 2, first.cursor, NOW + 30 * 86_400)
    assert [each["sk"] for each in (*first.items, *second.items)] == ["2026-03-02T01", "2026-03-01T02", "2026-03-01T01"]


def test_an_attribute_of_the_same_name_is_not_taken_for_the_time() -> None:
    memory = Memory(items_at([("2026-03-01", 1, 0)]))
    found = memory.drive(read_page(STORED, (WALK,), {**INPUTS, "at": "2026-01-01T00:00:00Z"}, now=NOW))
    assert len(found.items) == 1


@pytest.mark.parametrize("bucket", ["2026-03", "2026-03-99", "nonsense..", 7, ["2026-03-01"]])
def test_a_cursor_with_another_bucket_is_refused(bucket: Any) -> None:
    memory = Memory(items_at([("2026-03-02", at, 0) for at in range(3)]))
    cursor = walk(memory, WALK, 1).cursor
    question = _question(cursor)
    with pytest.raises(WrongCursor):
        walk(memory, WALK, 1, _write_cursor([[0, [0, [bucket, None]]]], question))


def _question(cursor: str) -> int:
    found: list[Any] = json.loads(urlsafe_b64decode(cursor))
    return int(found[0])


# ---- buckets --------------------------------------------------------------------------------------------------------


@given(st.integers(0, 4_400_000_000), st.sampled_from((4, 7, 10, 13)))
def test_the_bucket_beside_is_the_next_between_two_times(seconds: int, length: int) -> None:
    bucket = bucket_at(seconds, length)
    after = bucket_beside(bucket, backwards=False)
    whole = {4: "-01-01T00", 7: "-01T00", 10: "T00", 13: ""}[length]
    assert buckets_between(bucket + whole, after + whole, length) == [bucket, after]
    assert bucket_beside(after, backwards=True) == bucket


def test_the_bucket_of_a_moment_is_that_of_its_time_in_utc() -> None:
    assert [bucket_at(NOW, length) for length in (4, 7, 10, 13)] == ["2026", "2026-03", "2026-03-02", "2026-03-02T09"]
