"""Sparse queues: no item is held twice, none is lost, and whoever lost a lease cannot finish."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, attr
from tablewright.schema.dump import dump
from tablewright.schema.load import load
from tests.runtime.features.interleaving import FAULTS, choosing, interleave
from tests.runtime.features.queues.works import NOON, Job, Parcel, fresh, works

MINUTE = timedelta(minutes=1)


def at(minutes: float) -> Any:
    return tw.time_held(NOON + minutes * MINUTE)


def stocked(*names: str) -> tw.Database:
    db = fresh()
    for minute, name in enumerate(names):
        with at(minute):
            db.run(Job(job=name).create())
    return db


def test_the_oldest_are_claimed_first_and_nobody_else_gets_them() -> None:
    db = stocked("a", "b", "c")
    with at(10):
        claims = db.run(tw.claim(Job.waiting("mail"), limit=2, worker="w1"))
        assert [claim.item.job for claim in claims] == ["a", "b"]
        assert [claim.until for claim in claims] == [NOON + 11 * MINUTE] * 2
        assert [claim.item.job for claim in db.run(tw.claim(Job.waiting("mail"), limit=5))] == ["c"]
        assert db.run(tw.claim(Job.waiting("mail"))) == []
        assert db.run(tw.claim(Job.waiting("letters"))) == []


def test_what_is_not_due_yet_waits() -> None:
    db = fresh()
    db.run(Job(job="later", due=NOON + 5 * MINUTE).create())
    with at(4):
        assert db.run(tw.claim(Job.waiting("mail"))) == []
    with at(5):
        assert len(db.run(tw.claim(Job.waiting("mail")))) == 1


def test_an_ended_lease_can_be_claimed_by_another_who_fences_off_the_first() -> None:
    db = stocked("a")
    with at(10):
        (first,) = db.run(tw.claim(Job.waiting("mail"), worker="w1"))
    with at(12):
        (second,) = db.run(tw.claim(Job.waiting("mail"), worker="w2"))
        assert second.attempts == 2
        for late in (tw.finish(first), tw.release(first), tw.extend(first), tw.discard(first)):
            with pytest.raises(tw.LeaseLost, match=r"w1 no longer holds it \(w2 has claimed it since"):
                db.run(late)
        done = db.run(tw.finish(second, Job.result.set("sent")))
        assert (done.result, done.due) == ("sent", None)
        assert db.run(Job.waiting("mail")).items == []


def test_an_ended_lease_that_nobody_else_wanted_still_finishes() -> None:
    db = stocked("a")
    with at(10):
        (claim,) = db.run(tw.claim(Job.waiting("mail")))
    with at(20):
        db.run(tw.finish(claim))
        with pytest.raises(tw.LeaseLost, match="finished, released or given up"):
            db.run(tw.finish(claim))


def test_extending_moves_the_end() -> None:
    db = stocked("a")
    with at(10):
        (claim,) = db.run(tw.claim(Job.waiting("mail"), lease=2 * MINUTE))
    with at(11):
        longer = db.run(tw.extend(claim, lease=5 * MINUTE))
        assert longer.until == NOON + 16 * MINUTE
    with at(15):
        assert db.run(tw.claim(Job.waiting("mail"))) == []
        assert db.run(tw.finish(longer)).due is None


def test_releasing_delays_and_may_take_the_attempt_back() -> None:
    db = stocked("a")
    with at(10):
        (claim,) = db.run(tw.claim(Job.waiting("mail")))
        assert db.run(tw.release(claim, delay=3 * MINUTE)).attempts == 1
    with at(12):
        assert db.run(tw.claim(Job.waiting("mail"))) == []
    with at(13):
        (claim,) = db.run(tw.claim(Job.waiting("mail")))
        assert claim.attempts == 2
        assert db.run(tw.release(claim, counted=False)).attempts == 1


def test_finishing_with_another_time_keeps_it_in_the_queue() -> None:
    db = stocked("a")
    with at(10):
        (claim,) = db.run(tw.claim(Job.waiting("mail")))
        db.run(tw.finish(claim, Job.due.set(NOON + 60 * MINUTE)))
    with at(60):
        (claim,) = db.run(tw.claim(Job.waiting("mail")))
        assert claim.attempts == 1


def test_after_its_last_attempt_an_item_is_dead_and_can_be_queued_again() -> None:
    db = stocked("a")
    for minute in (10, 20, 30):
        with at(minute):
            assert len(db.run(tw.claim(Job.waiting("mail"), limit=1))) == 1
    with at(40):
        assert db.run(tw.claim(Job.waiting("mail"))) == []
        dead = db.run(Job.key("a").get())
        assert dead is not None
        assert (dead.due, dead.dead_at, dead.attempts) == (None, NOON + 40 * MINUTE, 3)
        assert db.run(Job.waiting("mail")).items == []
        db.run(tw.enqueue(Job.waiting("letters"), dead))
        (claim,) = db.run(tw.claim(Job.waiting("letters")))
        assert (claim.attempts, claim.item.dead_at, claim.item.queue) == (1, None, "letters")


def test_a_dead_item_does_not_stand_in_the_way() -> None:
    db = stocked("a", "b")
    for minute in (10, 20, 30):
        with at(minute):
            assert [claim.item.job for claim in db.run(tw.claim(Job.waiting("mail")))] == ["a"]
            db.run(Job.key("a").update(Job.due.set(NOON)).composite(queue="mail"))
    with at(40):
        assert [claim.item.job for claim in db.run(tw.claim(Job.waiting("mail")))] == ["b"]


def test_a_claim_can_end_within_a_transaction() -> None:
    db = stocked("a")
    with at(10):
        (claim,) = db.run(tw.claim(Job.waiting("mail")))
        db.run(tw.transact(tw.finish(claim).write, Job(job="next", due=None).create()))
        assert db.run(Job.waiting("mail")).items == []
        with pytest.raises(tw.TransactionCancelled):
            db.run(tw.transact(tw.finish(claim).write, Job(job="other", due=None).create()))


def test_discarding_deletes() -> None:
    db = stocked("a")
    with at(10):
        (claim,) = db.run(tw.claim(Job.waiting("mail")))
        assert db.run(tw.discard(claim)) is None
        assert db.run(Job.key("a").get()) is None


def test_a_sharded_queue_with_versions_and_unique_values() -> None:
    db = fresh()
    for minute, name in enumerate("abcdef"):
        with at(minute):
            db.run(Parcel(parcel=name, label=f"l{name}").create())
    with at(10):
        claims = db.run(tw.claim(Parcel.to_send("north"), limit=4))
        assert [claim.item.parcel for claim in claims] == list("abcd")
        db.run(Parcel.key("a").patch(Parcel.label.set("x")))  # somebody else's write does not end the claim
        assert db.run(tw.finish(claims[0], Parcel.label.set("y"))).version == 4
        assert len(db.run(tw.claim(Parcel.to_send("north"), limit=9))) == 2


def test_async() -> None:
    async def main() -> None:
        db = tw.AsyncDatabase.embedded()
        await db.create(works)
        with at(0):
            await db.run(Job(job="a").create())
            (claim,) = await db.run(tw.claim(Job.waiting("mail"), limit=3))
            claim = await db.run(tw.extend(claim))
            assert (await db.run(tw.finish(claim, Job.result.set("ok")))).result == "ok"

    asyncio.run(main())


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        (lambda: tw.claim(Job.dead("mail")), "is no queue"),
        (lambda: tw.claim(Job.waiting("mail", due=tw.lt(NOON))), "leave due out"),
        (lambda: tw.claim(Job.waiting("mail"), limit=0), "at least one"),
        (lambda: tw.claim(Job.waiting("mail"), lease=timedelta()), "over at once"),
    ],
)
def test_what_makes_no_sense_is_refused(operation: Any, said: str) -> None:
    with pytest.raises(tw.RequestError, match=said):
        operation()


def test_a_queue_that_cannot_work_is_refused_when_declared() -> None:
    app = tw.Service("app", table="app")

    class ByName(tw.Entity, service=app, name="by_name"):
        name: Attr[str]
        due: Attr[datetime | None] = attr(default=None)

        @tw.primary
        def key(self, name: str) -> None:
            """One."""

        @tw.index("gsi1", queue=True)
        def waiting(self, due: datetime, *, name: str = ANY) -> None:
            """Wrong way round."""

    with pytest.raises(tw.SchemaError, match="sorted by the time its items are due"):
        ByName.schema()


def test_the_declaration_survives_being_written_down() -> None:
    again = load(dump(works.schema), functions={"tablewright.runtime.clock.now": tw.now})
    declared = again.entities["job"].pattern("waiting")
    assert declared is not None
    assert declared.queue == tw.Lease(seconds=60, attempts=3, due="due")
    assert "queue by due, leased for 60 seconds, dead after 3 attempts" in works.describe()


# ---- whatever happens between requests -------------------------------------------------------------------------------


class Workers:
    """What each worker believes to hold, and what the world has seen them finish."""

    def __init__(self, db: tw.Database) -> None:
        self.db = db
        self.held: list[tw.Claim[Job]] = []
        self.finished: dict[str, int] = {}

    def holders(self, moment: datetime) -> dict[str, int]:
        running = [claim.item.job for claim in self.held if claim.until > moment]
        return {job: running.count(job) for job in running}


STEPS = st.lists(
    st.tuples(
        st.sampled_from([0.0, 0.3, 1.1]),
        st.lists(st.sampled_from(["claim", "claim", "finish", "release", "extend"]), min_size=1, max_size=3),
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=40, deadline=None)
@given(steps=STEPS, data=st.data())
def test_nothing_is_held_twice_or_lost(steps: list[tuple[float, list[str]]], data: st.DataObject) -> None:
    with stocked("a", "b", "c") as db:
        workers, clock = Workers(db), 10.0
        for passed, verbs in steps:
            clock += passed
            with at(clock):
                run_step(workers, verbs, NOON + clock * MINUTE, data)
        with at(clock + 60):
            check_the_end(workers)


def run_step(workers: Workers, verbs: list[str], moment: datetime, data: st.DataObject) -> None:
    """Some of what workers may do, at the same time."""
    operations: list[tuple[str, Any, tw.Claim[Job] | None]] = []
    free = list(workers.held)  # a worker does one thing at a time with what it holds
    for verb in verbs:
        claim = free.pop(data.draw(st.integers(0, len(free) - 1))) if free and verb != "claim" else None
        if verb == "claim" or claim is None:
            operations.append(("claim", tw.claim(Job.waiting("mail"), limit=2), None))
        elif verb == "finish":
            operations.append((verb, tw.finish(claim, Job.done.add(1)), claim))
        else:
            operations.append((verb, tw.release(claim) if verb == "release" else tw.extend(claim), claim))
    # Whoever gives something up, or may have, does not believe to hold it from then on.
    for verb, _, claim in operations:
        if verb != "claim":
            workers.held = [each for each in workers.held if each is not claim]
    outcomes = interleave(workers.db.transport.call, [each for _, each, _ in operations], choosing(data), faults=FAULTS)
    for (verb, _, claim), outcome in zip(operations, outcomes, strict=True):
        if verb == "claim" and outcome.is_done:
            workers.held += outcome.value
        elif verb == "extend" and outcome.is_done:
            workers.held.append(outcome.value)
        elif verb == "finish" and claim is not None and outcome.may_be_done and not lost(outcome.error):
            workers.finished[claim.item.job] = workers.finished.get(claim.item.job, 0) + 1
        assert outcome.error is None or isinstance(outcome.error, EXPECTED), outcome.error
    assert all(count == 1 for count in workers.holders(moment).values()), workers.held


def lost(error: Exception | None) -> bool:
    return isinstance(error, tw.LeaseLost)


EXPECTED = (tw.LeaseLost, tw.TransportError)


def check_the_end(workers: Workers) -> None:
    """Every job was finished once, is dead, or can still be claimed."""
    jobs = {job.job: job for job in workers.db.iter(Job.scan())}
    assert set(jobs) == {"a", "b", "c"}
    waiting = {claim.item.job for claim in workers.db.run(tw.claim(Job.waiting("mail"), limit=3))}
    jobs = {job.job: job for job in workers.db.iter(Job.scan())}
    for name, job in jobs.items():
        assert job.done <= 1
        assert job.done <= workers.finished.get(name, 0)
        states = [job.done == 1, job.dead_at is not None, name in waiting]
        assert states.count(True) == 1, (job, waiting)
