"""What clients did in a run, and what they were told of it: what invariants are checked against.

A script is what one client does: a generator that yields deeds and is sent them back when they are over. A deed is an
operation with a name, and what its client may believe afterwards: that it was done, that it was refused (so it was
certainly not done), or that nobody knows. Everything an invariant says rests on these three words.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tablewright.errors import Incomplete, OutcomeUnknown
from tablewright.runtime.flow import Flow, Pause
from tests.simulation.tasks import Client, Steps, operated

if TYPE_CHECKING:
    from random import Random

    from tests.simulation.world import World

Belief = Literal["unknown", "done", "refused"]


@dataclass(eq=False)
class Deed:
    """Something a client wants done. `facts` are the scenario's own words about it."""

    kind: str
    operation: Any
    facts: dict[str, Any] = field(default_factory=dict[str, Any])
    belief: Belief = "unknown"  # until an answer comes; a crash leaves it so
    value: Any = None
    error: Exception | None = None
    client: str = ""
    began: float = 0.0
    ended: float = float("inf")

    @property
    def is_done(self) -> bool:
        return self.belief == "done"

    @property
    def is_refused(self) -> bool:
        return self.belief == "refused"

    @property
    def may_be_done(self) -> bool:
        return self.belief != "refused"

    def __str__(self) -> str:
        facts = ", ".join(f"{name}={value!r}" for name, value in self.facts.items())
        return f"{self.client}: {self.kind}({facts}) {self.belief}{f' ({self.error})' if self.error else ''}"


Script: TypeAlias = "Generator[Deed, Deed, None]"


class Story:
    """A run as it is told afterwards."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.deeds: list[Deed] = []
        self.notes: dict[str, Any] = {}
        self.crashes = 0

    @property
    def rng(self) -> Random:
        return self.world.rng

    def named(self, *kinds: str) -> list[Deed]:
        return [deed for deed in self.deeds if deed.kind in kinds]

    def stored(self, table: str, entity: str | None = None) -> list[dict[str, Any]]:
        """The items of a table, or those of one entity among them."""
        items = self.world.stored(table)
        return items if entity is None else [item for item in items if item.get("__edb_e__") == entity]


Invariant: TypeAlias = Callable[[Story], Iterator[str]]
"""Yields a sentence for everything that is not as it must be."""


def told(script: Script, client: Client, story: Story) -> Steps:
    """A client's script as a task."""
    deed = next(script, None)
    while deed is not None:
        deed.client, deed.began = client.name, story.world.clock.now
        story.deeds.append(deed)
        story.world.trace.add(deed.began - story.world.began, client.name, f"begins {deed.kind} {deed.facts}")
        try:
            deed.value = yield from operated(deed.operation, client)
        except Exception as error:  # noqa: BLE001 - what a client is told is what the run is about
            deed.error = error
        deed.belief = _belief(deed.error)
        deed.ended = story.world.clock.now
        story.world.trace.add(deed.ended - story.world.began, client.name, f"ends {deed}")
        deed = _next(script, deed)


def _belief(error: Exception | None) -> Belief:
    """What the runtime's own words allow a caller to believe."""
    if error is None:
        return "done"
    return "unknown" if isinstance(error, OutcomeUnknown | Incomplete) else "refused"


def _next(script: Script, deed: Deed) -> Deed | None:
    try:
        return script.send(deed)
    except StopIteration:
        return None


class Wait:
    """An operation that does nothing for a while."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def flow(self) -> Flow[None]:
        yield Pause(self.seconds)
