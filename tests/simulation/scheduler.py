"""One step after the other: which task goes next, and what happens to it, is drawn from the world's source of chance.

A task that pauses is asleep until its time has come; when all are asleep, time leaps to the first that wakes. A client
that crashes takes all its tasks along. Requests that are late arrive as tasks of nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import tablewright as tw
from tablewright.errors import TablewrightError
from tablewright.runtime.flow import Pause
from tablewright.runtime.transports.retry import Failed
from tablewright.wire.call import Call
from tests.simulation.tasks import Attempt, Client, Fork, Steps
from tests.simulation.trace import shown_call
from tests.simulation.weather import Fate
from tests.simulation.world import LONGEST_DELAY_SECONDS, TIMEOUT_SECONDS, Crash, World, is_write

MOST_STEPS = 4000
LONGEST_STEP_SECONDS = 0.05
ARRIVES: frozenset[Fate | None] = frozenset({None, "unheard", "failed after", "crash after"})
SLOW: frozenset[Fate] = frozenset({"vanished", "unheard", "late"})


class Endless(Exception):
    """The run takes more steps than any can need."""


@dataclass(eq=False)
class Task:
    """A generator on its way, and the step it waits for."""

    steps: Steps
    client: Client
    done: Callable[[Any], None]
    waits_for: Any = None
    wakes: float = 0.0
    failed: Failed | None = None
    queued: list[tuple[int, Steps]] = field(default_factory=list[tuple[int, Steps]])
    answers: list[Any] = field(default_factory=list[Any])
    running: int = 0

    @property
    def is_waiting(self) -> bool:
        return self.running > 0


class Scheduler:
    """Runs tasks until none is left."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.tasks: list[Task] = []
        self.crashed: Callable[[Client], None] = lambda _client: None

    def start(self, steps: Steps, client: Client, done: Callable[[Any], None] = lambda _result: None) -> Task:
        """Begin a task; `done` is told its result, or the exception that ended it."""
        task = Task(steps, client, done, wakes=self.world.clock.now)
        self.tasks.append(task)
        self._resume(task, None)
        return task

    def run(self) -> None:
        world = self.world
        while self.tasks:
            world.trace.steps += 1
            if world.trace.steps > MOST_STEPS:
                raise Endless(f"more than {MOST_STEPS} steps")
            world.clock.step(world.rng.random() * LONGEST_STEP_SECONDS)
            awake = [task for task in self.tasks if not task.is_waiting and task.wakes <= world.clock.now]
            if awake:
                self._step(world.rng.choice(awake))
            else:
                world.clock.now = min(task.wakes for task in self.tasks if not task.is_waiting)

    # ---- one step ----------------------------------------------------------------------------------------------------

    def _step(self, task: Task) -> None:
        attempt = task.waits_for
        if task.failed is not None:  # it has waited long enough
            self._fail(task, task.failed)
            return
        if not isinstance(attempt, Attempt):  # it has slept enough
            self._resume(task, None)
            return
        fate = None if attempt.is_late else self._drawn(task)
        if fate == "stall":
            task.wakes = self.world.clock.now + self.world.stall_seconds()
            self._tell(task, "hangs")
            return
        if fate == "jump":
            task.client.offset_seconds = self.world.wrong_clock()
            self._tell(task, f"clock is {task.client.offset_seconds:+.3f} s off")
            return
        self._send(task, attempt, fate)

    def _drawn(self, task: Task) -> Fate | None:
        fate = self.world.weather.fate(self.world.rng)
        return fate if fate != "late" or is_write(task.waits_for.call) else "vanished"

    def _send(self, task: Task, attempt: Attempt, fate: Fate | None) -> None:
        call = attempt.call
        if fate in ARRIVES and not attempt.is_late and not self.world.is_overtaken:
            self._hurry(call)
        try:
            reply = self.world.deliver(attempt, task.client, fate)
        except Crash:
            self._tell(task, shown_call(call) if self.world.trace.is_kept else "", fate or "")
            self.crash(task.client)
        except Failed as failed:
            self._tell(task, shown_call(call) if self.world.trace.is_kept else "", fate or failed.error.message)
            task.failed = failed
            task.wakes = self.world.clock.now + (TIMEOUT_SECONDS if fate in SLOW else 0.0)
            self._postpone()
        else:
            self._tell(task, shown_call(call) if self.world.trace.is_kept else "", "ok")
            self._resume(task, reply)

    def _postpone(self) -> None:
        """What is late arrives when it does."""
        while self.world.late:
            attempt = self.world.late.pop()
            task = self.start(_arriving(attempt), NOBODY)
            task.wakes += self.world.rng.random() * LONGEST_DELAY_SECONDS

    def _hurry(self, call: Call) -> None:
        """Attempts of one call arrive in the order in which they were made."""
        for task in [each for each in self.tasks if each.client is NOBODY and each.waits_for.call is call]:
            self._step(task)

    def crash(self, client: Client) -> None:
        """End a process, wherever its tasks are."""
        client.is_alive = False
        for task in [each for each in self.tasks if each.client is client]:
            self.tasks.remove(task)
            task.steps.close()
        self.crashed(client)

    # ---- generators --------------------------------------------------------------------------------------------------

    def _resume(self, task: Task, answer: Any) -> None:
        self._go_on(task, lambda: task.steps.send(answer))

    def _fail(self, task: Task, error: Exception) -> None:
        task.failed = None
        self._go_on(task, lambda: task.steps.throw(error))

    def _go_on(self, task: Task, resume: Callable[[], Any]) -> None:
        try:
            with tw.time_held(self.world.time_of(task.client)):
                task.waits_for = resume()
        except StopIteration as done:
            self._end(task, done.value)
        except (TablewrightError, Failed) as error:
            self._end(task, error)
        else:
            self._begin_waiting(task)

    def _begin_waiting(self, task: Task) -> None:
        match task.waits_for:
            case Pause(seconds=seconds):
                task.wakes = self.world.clock.now + seconds
            case Fork(branches=branches, width=width):
                task.queued = list(enumerate(branches))
                task.answers = [None] * len(branches)
                for _ in range(min(width, len(branches))):
                    self._branch(task)
            case _:
                pass

    def _branch(self, parent: Task) -> None:
        at, steps = parent.queued.pop(0)
        parent.running += 1

        def done(result: Any) -> None:
            parent.answers[at] = result
            parent.running -= 1
            if parent.queued:
                self._branch(parent)
            elif not parent.running:
                self._resume(parent, parent.answers)

        self.start(steps, parent.client, done)

    def _end(self, task: Task, result: Any) -> None:
        self.tasks.remove(task)
        task.done(result)

    def _tell(self, task: Task, what: str, outcome: str = "") -> None:
        self.world.trace.add(self.world.clock.now - self.world.began, task.client.name, what, outcome)


NOBODY = Client("network", retry=tw.Retry())


def _arriving(attempt: Attempt) -> Steps:
    try:
        yield Attempt(attempt.call, is_late=True)
    except Failed:
        return
