"""A crash at every step of every write: no reference to nothing, and no orphan that a sweep would not find."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tests.runtime.features.blobs.library import (
    AsyncMemoryStore,
    CrashedError,
    Document,
    Fuse,
    MemoryStore,
    fused,
    library,
    noise,
)

NOW = timedelta(0)
BIG = noise(1500, 1)


def doc(seed: int, number: str = "1") -> Document:
    return Document(shelf="a", number=number, title="t", content=noise(900, seed), text="x" * 700 + str(seed))


WRITES: dict[str, Callable[[], Any]] = {
    "put": lambda: doc(7).put(),
    "put without": lambda: Document(shelf="a", number="1").put(),
    "create": lambda: doc(7, "9").create(),
    "create over": lambda: doc(7).create(),
    "patch": lambda: Document.key("a", number="1").patch(Document.content.set(BIG)),
    "patch, all new": lambda: Document.key("a", number="1").patch(Document.content.set(BIG)).returning("all_new"),
    "set if absent": lambda: Document.key("a", number="1").patch(Document.content.if_not_exists(BIG)),
    "remove attribute": lambda: Document.key("a", number="1").patch(Document.content.remove()),
    "update anew": lambda: Document.key("a", number="9").update(Document.content.set(BIG)).composite(title=None),
    "upsert": lambda: doc(7).upsert(),
    "delete": lambda: Document.key("a", number="1").delete(),
    "delete, all old": lambda: Document.key("a", number="1").delete().returning("all_old"),
    "batch": lambda: tw.batch_write(doc(7, "9").put(), Document.key("a", number="1").delete(), doc(8, "2").put()),
    "transact": lambda: tw.transact(
        doc(7, "9").create(),
        Document.key("a", number="1").delete(),
        Document.key("a", number="2").patch(Document.content.set(BIG)),
    ),
    "delete_all": lambda: tw.delete_all(Document.scan()),
}


def stocked() -> tuple[tw.Database, MemoryStore]:
    store = MemoryStore()
    database = tw.Database.embedded(blobs=store)
    database.create(library)
    database.run(tw.batch_write(doc(1, "1").put(), doc(2, "2").put()))
    return database, store


def check_whole(database: tw.Database, store: MemoryStore) -> None:
    """Every document can be read; a sweep finds nothing dangling and leaves exactly what is referred to."""
    for each in database.iter(Document.scan()):
        assert each.content is None or len(each.content) in (900, 1500)
    found = database.run(tw.sweep(library, older_than=NOW))
    assert found.dangling == ()
    again = database.run(tw.sweep(library, older_than=NOW, dry_run=True))
    assert again.deleted == ()
    assert again.blobs == again.references == len(store.blobs)


def steps_of(write: Callable[[], Any]) -> int:
    database, store = stocked()
    fuse = Fuse()
    with contextlib.suppress(tw.ConditionFailed):
        fused(database, store, fuse).run(write())
    assert not database.run(tw.sweep(library, older_than=NOW, dry_run=True)).deleted, "nothing is left without a crash"
    return fuse.taken


@pytest.mark.parametrize("name", WRITES)
def test_a_crash_at_any_step_leaves_nothing_dangling_and_no_lasting_orphan(name: str) -> None:
    write = WRITES[name]
    steps = steps_of(write)
    assert steps >= 1
    for step in range(steps):
        for after in (False, True):
            database, store = stocked()
            with contextlib.suppress(CrashedError, tw.ConditionFailed):
                fused(database, store, Fuse(step, after=after)).run(write())
            check_whole(database, store)


FAILURES: list[Callable[[], Exception]] = [
    lambda: tw.OutcomeUnknown("nobody knows"),
    lambda: tw.ConditionFailed("ConditionalCheckFailedException", "a repetition met the first"),
    lambda: tw.ServiceError("InternalServerError", "made nevertheless"),
]


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("name", [name for name in WRITES if name != "transact"])
def test_an_error_after_the_write_was_made_leaves_nothing_dangling(name: str, failure: Callable[[], Exception]) -> None:
    """Answers that are lost, and clients that repeat writes and believe the second answer."""
    for step in range(steps_of(WRITES[name])):
        database, store = stocked()
        with suppress(tw.TablewrightError):
            fused(database, store, Fuse(step, after=True, error=failure)).run(WRITES[name]())
        check_whole(database, store)


@pytest.mark.parametrize("name", WRITES)
def test_the_same_writes_awaited_leave_the_same(name: str) -> None:
    async def run() -> None:
        store = MemoryStore()
        database = tw.AsyncDatabase.embedded(blobs=AsyncMemoryStore(store))
        await database.create(library)
        await database.run(tw.batch_write(doc(1, "1").put(), doc(2, "2").put()))
        with contextlib.suppress(tw.ConditionFailed):
            await database.run(WRITES[name]())
        found = await database.run(tw.sweep(library, older_than=NOW, dry_run=True))
        assert found.deleted == found.dangling == ()
        assert found.blobs == len(store.blobs)

    asyncio.run(run())


STEPS = st.tuples(st.sampled_from(sorted(WRITES)), st.none() | st.integers(0, 8), st.booleans())


@settings(max_examples=60, deadline=None)
@given(st.lists(STEPS, min_size=1, max_size=6))
def test_any_history_with_crashes_stays_whole(history: list[tuple[str, int | None, bool]]) -> None:
    database, store = stocked()
    for name, step, after in history:
        with contextlib.suppress(CrashedError, tw.ConditionFailed, tw.TransactionCancelled):
            fused(database, store, Fuse(step, after=after)).run(WRITES[name]())
        dangling = database.run(tw.sweep(library, dry_run=True)).dangling
        assert dangling == ()
    check_whole(database, store)


# ---- writers that interleave -----------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(sorted(WRITES)), min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_interleaved_writers_leave_nothing_dangling(names: list[str], chance: Any) -> None:
    """Several flows, one effect at a time in any order, on the same items."""
    from tablewright.runtime.database import flow_of
    from tablewright.runtime.flow import carry_out

    database, store = stocked()
    flows = [flow_of(WRITES[name]()) for name in names]
    waiting: list[tuple[Any, Any]] = [(flow, None) for flow in flows]
    while waiting:
        flow, answer = waiting.pop(chance.randrange(len(waiting)))
        try:
            effect = flow.throw(answer) if isinstance(answer, Exception) else flow.send(answer)
        except (StopIteration, tw.ConditionFailed, tw.TransactionCancelled):
            continue
        try:
            answer = carry_out(effect, database.transport.call, database.sleep, store)
        except Exception as error:  # noqa: BLE001
            answer = error
        waiting.append((flow, answer))
    check_whole(database, store)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 12), st.sampled_from(["put", "delete", "patch", "transact", "batch"]))
def test_a_reader_never_sees_a_reference_whose_blob_went(steps: int, name: str) -> None:
    """A get that is stopped between item and blob, while a writer replaces both, reads again."""
    from tablewright.runtime.database import flow_of
    from tablewright.runtime.flow import carry_out

    database, store = stocked()
    reading = flow_of(Document.key("a", number="1").get())
    effect = next(reading)
    answer = carry_out(effect, database.transport.call, database.sleep, store)
    with contextlib.suppress(CrashedError):
        fused(database, store, Fuse(steps)).run(WRITES[name]())
    try:
        while True:
            effect = reading.send(answer)
            answer = carry_out(effect, database.transport.call, database.sleep, store)
    except StopIteration as done:
        found = done.value
    assert found is None or len(found.content) in (900, 1500)
