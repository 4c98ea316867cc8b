"""Workers claim jobs from a queue, hang, crash, come too late, give back and finish; their clocks do not agree.

Whoever finishes a job writes the token of the claim into it, so that the table's stream tells who held it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

import tablewright as tw
from tablewright import ANY, Attr, attr
from tests.simulation.invariants import made_once
from tests.simulation.scenario import Play, Scenario
from tests.simulation.story import Deed, Script, Story, Wait
from tests.simulation.stream import changes

TABLE = "queue"
JOBS, WORKERS, ROUNDS = 4, 3, 3
LEASE_SECONDS, ATTEMPTS = 20, 3
SKEW_SECONDS = 2.0
RECORDED_SECONDS = 1.0
"""A stream tells times in whole seconds."""

queue = tw.Service("queue", table=TABLE)


class Job(tw.Entity, service=queue, name="job"):
    """Something to do, three times at the most."""

    job: Attr[str]
    queue: Attr[str] = attr(default="q")
    due: Attr[datetime | None] = attr(default_factory=tw.now)
    lease: Attr[str | None] = attr(default=None)
    attempts: Attr[int] = attr(default=0)
    dead_at: Attr[datetime | None] = attr(default=None)
    finished: Attr[list[str]] = attr(default_factory=list)  # tokens of claims

    @tw.primary
    def key(self, job: str) -> None:
        """One job."""

    @tw.index("gsi1", queue=tw.Lease(seconds=LEASE_SECONDS, attempts=ATTEMPTS))
    def waiting(self, queue: str, *, due: datetime = ANY) -> None:
        """What waits."""


def begin(_: Story) -> Script:
    for number in range(JOBS):
        yield Deed("create", Job(job=f"j{number}").create())


def claimed(worker: str, limit: int) -> Deed:
    return Deed("claim", tw.claim(Job.waiting("q"), limit=limit, worker=worker), {"worker": worker})


def ended(claim: tw.Claim[Job], how: str) -> Deed:
    facts = {"job": claim.item.job, "token": claim.token}
    match how:
        case "extend":
            return Deed(how, tw.extend(claim), facts)
        case "release":
            return Deed(how, tw.release(claim, counted=False), facts)
        case _:
            return Deed("finish", tw.finish(claim, Job.finished.append(claim.token)), facts)


def worker(number: int, story: Story) -> Script:
    for _ in range(ROUNDS):
        deed = yield claimed(f"w{number}", story.rng.choice((1, 2)))
        for claim in deed.value or ():
            if story.rng.random() < 0.2:
                yield ended(claim, "extend")
            if story.rng.random() < 0.3:  # it takes its time, which may be longer than the lease
                yield Deed("work", Wait(story.rng.uniform(0, 2 * LEASE_SECONDS)))
            if story.rng.random() < 0.8:  # what is dropped comes back by itself
                yield ended(claim, story.rng.choice(("finish", "finish", "finish", "release")))


def heal(_: Story) -> Script:
    """One worker goes on until nothing is left."""
    for _round in range(JOBS + ATTEMPTS + 1):
        yield Deed("wait", Wait(LEASE_SECONDS + 2 * SKEW_SECONDS + 1))
        deed = yield claimed("healer", JOBS)
        for claim in deed.value or ():
            yield ended(claim, "finish")


def scripts(_: Story) -> Sequence[Play]:
    return [partial(worker, number) for number in range(WORKERS)]


# ---- what must hold --------------------------------------------------------------------------------------------------


def marks(story: Story) -> Mapping[Deed, int]:
    found = Counter(token for item in story.stored(TABLE, "job") for token in item["finished"])
    return {deed: found[deed.facts["token"]] for deed in story.named("finish")}


def no_job_is_lost(story: Story) -> Iterator[str]:
    """In the end each is finished, or dead because it was claimed as often as it may be."""
    for item in story.stored(TABLE, "job"):
        is_dead = "dead_at" in item and item["attempts"] >= ATTEMPTS
        if not item["finished"] and not is_dead:
            yield f"{item} is neither finished nor dead"


def no_job_is_finished_twice(story: Story) -> Iterator[str]:
    yield from (f"{item}" for item in story.stored(TABLE, "job") if len(item["finished"]) > 1)


def one_worker_at_a_time(story: Story) -> Iterator[str]:
    """Nobody is given a job before the lease of another one has ended, as far as clocks agree."""
    for change in changes(story, TABLE):
        old, new = change.old or {}, change.new or {}
        if not (old.get("lease") and new.get("lease") and old["lease"] != new["lease"]):
            continue
        ends = datetime.fromisoformat(old["due"])
        latest = datetime.fromtimestamp(change.second + RECORDED_SECONDS + SKEW_SECONDS, UTC)
        if latest < ends - timedelta(milliseconds=1):
            yield f"{new['worker']} got {new['job']} at {latest}, which {old['worker']} had until {ends}"


def only_holders_finish(story: Story) -> Iterator[str]:
    """What is finished is finished by the claim that held it at that moment."""
    for change in changes(story, TABLE):
        before, after = ((each or {}).get("finished", []) for each in (change.old, change.new))
        for token in after[len(before) :]:
            if (change.old or {}).get("lease") != token:
                yield f"{token} finished {change.old}"


def claims_are_real(story: Story) -> Iterator[str]:
    """A claim that a worker was given was written, with its token, and given to nobody else."""
    written = {(change.new or {}).get("lease") for change in changes(story, TABLE)}
    given = Counter(claim.token for deed in story.named("claim") for claim in deed.value or ())
    yield from (f"{token} was given {count} times" for token, count in given.items() if count > 1)
    yield from (f"{token} was never written" for token in given if token not in written)


SCENARIO = Scenario(
    "working",
    [queue],
    scripts,
    (
        *made_once(marks),
        no_job_is_lost,
        no_job_is_finished_twice,
        one_worker_at_a_time,
        only_holders_finish,
        claims_are_real,
    ),
    begin=begin,
    heal=heal,
    skew_seconds=SKEW_SECONDS,
    resumed=(worker,),
    table_settings={"stream": "new_and_old_images"},
)
