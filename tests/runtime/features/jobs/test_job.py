"""Jobs: steps that are remembered, gone on with after a crash, and shared by runners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright.runtime.features.jobs.job import Job
from tablewright.runtime.features.jobs.progress import Progress, Stride
from tablewright.runtime.requests.request import call
from tests.runtime.features.interleaving import FAULTS, choosing, interleave
from tests.runtime.features.lifeos import Plan, fresh, life, stored

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow

LAYOUT = Plan.__tablewright_layout__()


class Counting(msgspec.Struct, frozen=True):
    """Puts plans 0 to goal - 1, one a step; those in the way are skipped over by trying again."""

    goal: int
    conflicts: int = 0
    words: str = "count"

    layout = LAYOUT
    job = "counting"

    @property
    def about(self) -> str:
        return self.words

    def begin(self) -> Flow[dict[str, Any]]:
        yield from ()
        return {"at": 0}

    def step(self, state: Any, _: Any) -> Flow[Stride | None]:
        at = state["at"]
        if self.conflicts:
            return None
        if at == self.goal:
            return Stride(None)
        item = {**Plan.key(str(at)).values(), "plan": str(at), "__edb_e__": "plan", "__edb_v__": "1"}
        yield from call("PutItem", {"TableName": "life", "Item": item})
        return Stride({"at": at + 1}, {"plan": 1}, 1.0)

    def survey(self) -> Flow[Progress]:
        yield from ()
        return Progress(self.job, {"plan": self.goal}, is_done=True)

    def check_tenant(self, _: Any) -> None:
        """It is about no tenant."""


@settings(max_examples=50, deadline=None)
@given(data=st.data(), goal=st.integers(0, 4), runners=st.integers(1, 3))
def test_every_step_is_done_and_counted_once(data: st.DataObject, goal: int, runners: int) -> None:
    with fresh() as db:
        job = Job(Counting(goal))
        outcomes = interleave(db.transport.call, [job] * runners, choosing(data), faults=FAULTS)
        unfinished = db.run(job.status())
        if unfinished is not None:
            assert unfinished.items == unfinished.state["at"]
            assert db.run(job).items == goal
        for outcome in outcomes:
            assert outcome.error is None or isinstance(outcome.error, tw.TransportError)
        if unfinished is not None or any(outcome.is_done for outcome in outcomes):
            assert len(stored(db, "plan")) == goal
            assert stored(db, "tablewright:job") == []


def test_a_checkpoint_is_an_item_of_its_own() -> None:
    with fresh() as db:
        watching = db.iter_job(Job(Counting(3)))
        next(watching)
        (item,) = stored(db, "tablewright:job")
        assert item["pk"] == "$tablewright$job#life#counting"
        assert (item["job"], item["about"], item["steps"], item["counts"]) == ("counting", "count", 1, {"plan": 1})
        assert life.parse(item) is None
        assert [plan.plan for plan in db.run(Plan.scan())] == ["0"]


def test_another_job_of_that_name_is_not_gone_on_with() -> None:
    with fresh() as db:
        next(db.iter_job(Job(Counting(3))))
        with pytest.raises(tw.RequestError, match="'counting' is under way, but to count, not to count sheep"):
            db.run(Job(Counting(3, words="count sheep")))


def test_a_job_that_is_always_in_the_way_gives_up() -> None:
    with fresh() as db:
        db.sleep = lambda _: None
        with pytest.raises(tw.Conflict, match="to count: others kept changing"):
            db.run(Job(Counting(1, conflicts=1)))


def test_it_tells_what_it_would_do() -> None:
    with fresh() as db:
        job = Job(Counting(3))
        assert db.run(job.dry_run()).items == 3
        assert stored(db) == []
        assert job.params()["Key"]["pk"] == "$tablewright$job#life#counting"


def test_the_short_form() -> None:
    with fresh() as db:
        life.bind(db)
        try:
            assert Job(Counting(2)).go().items == 2
        finally:
            life.bind(None)


def test_who_is_behind_does_not_write_over_what_is_ahead() -> None:
    with fresh() as db:
        job = Job(Counting(3))
        behind = db.run(job.next(None))
        ahead = db.run(job.next(behind))
        assert db.run(job.next(behind)) == ahead
        assert db.run(job.status()) == ahead
        db.run(job)
        assert db.run(job.next(behind)).is_done
        assert stored(db, "tablewright:job") == []
