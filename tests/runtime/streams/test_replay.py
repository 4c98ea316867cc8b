"""Properties: whoever applies the events has the table, whatever fails, repeats, or comes out of order."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tests.runtime.streams.bakery import Cake, Loaf, bakery, engine_of, kinesis_event, open_bakery, told

MODEST = settings(max_examples=40, deadline=None)

names = st.sampled_from(["a", "b", "c"])
changes = st.one_of(
    st.builds(lambda name, weight: Loaf(oven="o", loaf=name, weight=weight).put(), names, st.sampled_from([1.0, 2.0])),
    st.builds(lambda name, status: Loaf.key("o", loaf=name).delete(), names, st.none()),
    st.builds(lambda name, seed: Loaf.key("o", loaf=name).update(Loaf.seeds.add({seed})), names, names),
    st.builds(lambda name, layers: Cake(cake=name, layers=layers).put(), names, st.integers(1, 3)),
    st.builds(
        lambda one, two: tw.transact(Cake(cake=one, layers=9).put(), Loaf.key("o", loaf=two).delete()), names, names
    ),
)


class Mirror:
    """A copy of the table that events keep, and how often each was applied."""

    def __init__(self, plan: list[bool], *, awaited: bool, seen: Any, concurrent: int = 1) -> None:
        self.plan = plan
        self.items: dict[str, Any] = {}
        self.applied: list[str] = []
        self.handlers = tw.Handlers(bakery, seen=seen, concurrent=concurrent)

        def apply(event: tw.Event[tw.Entity]) -> None:
            if self.plan and self.plan.pop():
                raise ValueError("unwell")
            self.applied.append(event.id)
            if event.late:
                return
            if isinstance(event, tw.Modified) and event.record.is_ordered:
                assert event.old == self.items[event.record.item]
            if isinstance(event, tw.Removed):
                self.items.pop(event.record.item, None)
            else:
                self.items[event.record.item] = event.item

        async def aapply(event: tw.Event[tw.Entity]) -> None:
            await asyncio.sleep(0)
            apply(event)

        self.handlers.on(tw.Event[tw.Entity])(aapply if awaited else apply)

    def deliver(self, records: list[dict[str, Any]], size: int) -> None:
        """As Lambda does: batch by batch, again from where the report says."""
        at, patience = 0, 200
        while at < len(records):
            patience -= 1
            assert patience, "it never gets through"
            batch = records[at : at + size]
            report = self.handlers.lambda_handler({"Records": batch}, None)["batchItemFailures"]
            numbers = [(each.get("kinesis") or each["dynamodb"]) for each in batch]
            sequences = [each.get("sequenceNumber") or each["SequenceNumber"] for each in numbers]
            at += sequences.index(report[0]["itemIdentifier"]) if report else len(batch)

    def shown(self) -> list[str]:
        return sorted(map(repr, self.items.values()))


def changed_table(operations: list[Any]) -> tw.Database:
    db = open_bakery()
    for operation in operations:
        db.run(operation)
    return db


def stored(db: tw.Database) -> list[str]:
    return sorted(map(repr, [*db.iter(Loaf.scan()), *db.iter(Cake.scan())]))


@pytest.mark.parametrize("awaited", [False, True])
@MODEST
@given(operations=st.lists(changes, max_size=12), plan=st.lists(st.booleans(), max_size=8), size=st.integers(1, 5))
def test_events_of_a_stream_replay_to_the_table(
    awaited: bool, operations: list[Any], plan: list[bool], size: int
) -> None:
    db = changed_table(operations)
    mirror = Mirror(plan, awaited=awaited, seen=None)
    mirror.deliver(told(db), size)
    assert mirror.shown() == stored(db)
    assert len(mirror.applied) == len(told(db))  # one at a time, nothing is done twice although nobody remembers


@pytest.mark.parametrize("awaited", [False, True])
@MODEST
@given(operations=st.lists(changes, max_size=12), plan=st.lists(st.booleans(), max_size=8), size=st.integers(1, 6))
def test_with_a_memory_each_change_is_applied_once(
    awaited: bool, operations: list[Any], plan: list[bool], size: int
) -> None:
    db = changed_table(operations)
    mirror = Mirror(plan, awaited=awaited, seen=tw.SeenInMemory(), concurrent=3 if awaited else 1)
    mirror.deliver(told(db), size)
    assert mirror.shown() == stored(db)
    assert sorted(mirror.applied) == sorted(each["eventID"] for each in told(db))


@pytest.mark.parametrize("in_table", [False, True])
@MODEST
@given(
    operations=st.lists(changes, max_size=10),
    plan=st.lists(st.booleans(), max_size=6),
    size=st.integers(1, 6),
    data=st.data(),
)
def test_repeats_and_disorder_of_kinesis_are_harmless(
    in_table: bool, operations: list[Any], plan: list[bool], size: int, data: st.DataObject
) -> None:
    db = changed_table(operations)
    before = told(db)
    records: list[dict[str, Any]] = kinesis_event(before)["Records"]
    repeated = data.draw(st.lists(st.sampled_from(records), max_size=5)) if records else []
    shuffled = data.draw(st.permutations([*records, *repeated]))
    numbered = [{**each, "kinesis": {**each["kinesis"], "sequenceNumber": str(at)}} for at, each in enumerate(shuffled)]
    memory = tw.SeenInTable(db, bakery, expires=None) if in_table else tw.SeenInMemory()
    mirror = Mirror(plan, awaited=False, seen=memory)
    mirror.deliver(numbered, size)
    assert mirror.shown() == stored(db)
    assert sorted(mirror.applied) == sorted(each["eventID"] for each in before)


@MODEST
@given(
    chunks=st.lists(st.lists(changes, max_size=4), max_size=5),
    plan=st.lists(st.booleans(), max_size=6),
    restarts=st.lists(st.booleans(), min_size=20, max_size=20),
)
def test_a_follower_that_dies_and_comes_back_has_the_table(
    chunks: list[list[Any]], plan: list[bool], restarts: list[bool]
) -> None:
    db, checkpoints = open_bakery(), tw.Checkpoints()
    mirror = Mirror(plan, awaited=False, seen=None)
    for chunk in [*chunks, []]:
        for operation in chunk:
            db.run(operation)
        while True:
            if restarts and restarts.pop():  # another process, as far as the place in the stream goes
                db = tw.Database.embedded(engine=engine_of(db))
            try:
                mirror.handlers.catch_up(db, checkpoints=checkpoints)
            except ValueError:
                continue
            break
    assert mirror.shown() == stored(db)
    assert len(mirror.applied) == len(told(db))
