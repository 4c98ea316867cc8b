"""Jobs: work on many items, in steps that can be stopped anywhere and gone on with later.

    read or begin the checkpoint  ->  a step  ->  the checkpoint  ->  a pause  ->  a step ...

A step does a bounded amount of work, and doing it twice does no harm: that is all a kind of work has to promise. After
a crash, making and running the same job again goes on with it. The pace is kept by pausing after each step for as long
as its write units take at the rate that was asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from tablewright.errors import Conflict, RequestError
from tablewright.runtime.clock import new_id
from tablewright.runtime.features.jobs.checkpoint import Checkpoint, Noted
from tablewright.runtime.features.jobs.progress import Progress, Stride
from tablewright.runtime.features.plan import between
from tablewright.runtime.flow import Pause
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.request import table_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.runtime.features.jobs.progress import State
    from tablewright.runtime.features.tenant.scope import Tenant
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.requests.request import Params

ATTEMPTS = 16


class _Work(Protocol):
    """A kind of work that can be done in steps."""

    @property
    def layout(self) -> Layout:
        """The entity in whose table the job is remembered."""
        ...

    @property
    def job(self) -> str:
        """What tells this job from others: the same for the same work."""
        ...

    @property
    def about(self) -> str:
        """What is done, in words that follow "to"."""
        ...

    def begin(self) -> Flow[State]:
        """Check that it can be done at all; where to begin."""
        ...

    def step(self, state: State, note: Callable[[Stride], Noted]) -> Flow[Stride | None]:
        """Do a part of it. None: others were in the way, and it has to be tried again.

        `note` gives the checkpoint as a member of the step's own transaction, where it has one.
        """
        ...

    def survey(self) -> Flow[Progress]:
        """Count what would be done, and do nothing."""
        ...

    def check_tenant(self, tenant: Tenant) -> None:
        """Raise unless everything it touches is of this tenant."""
        ...


class Job(Tunable, msgspec.Struct, frozen=True):
    """Work on many items: `db.run(job)` does all of it, `for progress in db.iter_job(job)` lets you look on."""

    work: Any
    write_units_per_second: float | None = None
    options: Options = DEFAULT

    @property
    def layout(self) -> Layout:
        work: _Work = self.work
        return work.layout

    @property
    def checkpoint(self) -> Checkpoint:
        work: _Work = self.work
        plain = msgspec.structs.replace(work.layout, plan=None)  # the checkpoint is no item of the entity
        return Checkpoint(plain, table_of(work.layout, self.options), work.job, work.about)

    def throttled(self, write_units_per_second: float) -> Job:
        """The same job, using no more than so many write units a second."""
        if write_units_per_second <= 0:
            raise RequestError(f"a job needs more than {write_units_per_second} write units a second", code=1010)
        return msgspec.structs.replace(self, write_units_per_second=write_units_per_second)

    def dry_run(self) -> DryRun:
        """Count what the job would do, and write nothing."""
        return DryRun(self.work)

    def status(self) -> Status:
        """How far the job is; None when it is not under way."""
        return Status(self.work, self.checkpoint)

    def next(self, progress: Progress | None) -> Step:
        """One step of the job, going on from what the last one answered."""
        return Step(self, progress)

    def params(self) -> Params:
        """The request that looks whether the job is under way already."""
        return self.checkpoint.get()

    def flow(self) -> Flow[Progress]:
        progress = yield from self.resume()
        while not progress.is_done:
            progress = yield from self.advance(progress)
        return progress

    def resume(self) -> Flow[Progress]:
        """The job as it was left, or its beginning."""
        work: _Work = self.work
        checkpoint = self.checkpoint
        found = yield from checkpoint.read()
        while found is None:
            state = yield from work.begin()
            beginning = Progress(work.job, state=state, run=new_id())
            if (yield from checkpoint.save(None, beginning)):
                return beginning
            found = yield from checkpoint.read()  # somebody else began it
        return found

    def reread(self, progress: Progress) -> Flow[Progress]:
        """The job as somebody else has left it, who may have finished it."""
        found = yield from self.checkpoint.read()
        return found or msgspec.structs.replace(progress, is_done=True)

    def advance(self, progress: Progress) -> Flow[Progress]:
        """Take one step, remember it, and keep the pace."""
        work: _Work = self.work
        checkpoint = self.checkpoint

        def note(stride: Stride) -> Noted:
            return Noted(checkpoint.layout, checkpoint.put(progress, progress.after(stride)))

        for attempt in range(ATTEMPTS):
            yield from between(attempt)
            stride = yield from work.step(progress.state, note)
            if stride is not None:
                break
            progress = yield from self.reread(progress)
            if progress.is_done:
                return progress
        else:
            raise Conflict("ConditionalCheckFailedException", f"to {work.about}: others kept changing the same items")
        after = progress.after(stride)
        if not stride.is_noted and not (yield from checkpoint.save(progress, after)) and not after.is_done:
            after = yield from self.reread(after)
        if self.write_units_per_second is not None and stride.write_units:
            yield Pause(stride.write_units / self.write_units_per_second)
        return after


class Step(Tunable, msgspec.Struct, frozen=True):
    """One step of a job."""

    operation: Job
    progress: Progress | None = None

    @property
    def layout(self) -> Layout:
        return self.operation.layout

    def params(self) -> Params:
        return self.operation.params()

    def flow(self) -> Flow[Progress]:
        job = self.operation
        progress = self.progress or (yield from job.resume())
        return progress if progress.is_done else (yield from job.advance(progress))


class DryRun(Tunable, msgspec.Struct, frozen=True):
    """What a job would do, counted."""

    work: Any
    options: Options = DEFAULT

    @property
    def layout(self) -> Layout:
        return self.work.layout  # type: ignore[no-any-return]

    def params(self) -> Params:
        return Job(self.work).params()

    def flow(self) -> Flow[Progress]:
        work: _Work = self.work
        return (yield from work.survey())


class Status(Tunable, msgspec.Struct, frozen=True):
    """How far a job is."""

    work: Any
    checkpoint: Checkpoint
    options: Options = DEFAULT

    @property
    def layout(self) -> Layout:
        return self.work.layout  # type: ignore[no-any-return]

    def params(self) -> Params:
        return self.checkpoint.get()

    def flow(self) -> Flow[Progress | None]:
        return (yield from self.checkpoint.read())
