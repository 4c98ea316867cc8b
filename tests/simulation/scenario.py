"""A scenario: tables, what clients do in them at once, how things are put right afterwards, and what must hold.

begin      makes what is there before anybody comes, in fair weather
scripts    what clients do, each a function of the story that makes a script; all at once, in any weather
heal       what somebody does when the storm is over (goes on with a job, repeats what was left undone)
invariants a function each
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import tablewright as tw
from tests.simulation.scheduler import Endless, Scheduler
from tests.simulation.story import Invariant, Script, Story, told
from tests.simulation.tasks import Client
from tests.simulation.trace import Trace
from tests.simulation.weather import draw_weather
from tests.simulation.world import World, seeded

Play = Callable[[Story], Script]

CALM = "calm"
MOST_RETURNS = 3
"""So often a script whose client crashed is taken up by another one."""


@dataclass(frozen=True)
class Scenario:
    """`never` are fates (or "lag") that the scenario makes no promise for; the page on simulation says why."""

    name: str
    services: Sequence[Any]
    scripts: Callable[[Story], Sequence[Play]]
    invariants: Sequence[Invariant]
    begin: Play | None = None
    heal: Play | None = None
    never: Collection[str] = ()
    skew_seconds: float = 2.0
    resumed: Collection[Any] = ()  # scripts that another client begins anew when theirs has crashed
    table_settings: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Verdict:
    """How one run ended: what was wrong, by invariant, and what happened (if that was to be kept)."""

    scenario: str
    seed: int
    complaints: Sequence[tuple[str, str]]
    steps: int
    deeds: int
    lines: Sequence[str]

    @property
    def broken(self) -> set[str]:
        return {name for name, _ in self.complaints}


def simulate(scenario: Scenario, seed: int, *, keep_trace: bool = False, is_overtaken: bool = False) -> Verdict:
    """One run. The same seed gives the same run, step for step.

    `is_overtaken` lets attempts arrive after their own repetition, for which less is promised.
    """
    rng = Random(f"{scenario.name} {seed}")
    trace = Trace(is_kept=keep_trace)
    with seeded(rng):
        weather = draw_weather(rng, scenario.never)
        world = World(rng, weather, trace, skew_seconds=scenario.skew_seconds, is_overtaken=is_overtaken)
        story = Story(world)
        trace.add(0, "weather", str(world.weather))
        with world.engine:
            complaints = _played(scenario, story)
    return Verdict(scenario.name, seed, complaints, trace.steps, len(story.deeds), trace.lines)


def _played(scenario: Scenario, story: Story) -> list[tuple[str, str]]:
    for service in scenario.services:
        story.world.truth.create(service, **scenario.table_settings)
    try:
        _alone(scenario.begin, story)
        _all_at_once(scenario, story)
        story.world.catch_up()
        _alone(scenario.heal, story)
    except Endless as endless:
        return [("everything_ends", str(endless))]
    return [(each.__name__, text) for each in (fair_weather, *scenario.invariants) for text in each(story)]


def fair_weather(story: Story) -> Iterator[str]:
    """Before and after the storm everything works."""
    yield from (f"{deed}" for deed in story.deeds if deed.client == CALM and not deed.is_done)


def _alone(play: Play | None, story: Story) -> None:
    """One client by itself, in fair weather."""
    if play is None:
        return
    weather = story.world.weather
    chances, conflict, unprocessed = weather.chances, weather.conflict, weather.unprocessed
    weather.calm_down()
    scheduler = Scheduler(story.world)
    client = Client(CALM, tw.Retry())
    scheduler.start(told(play(story), client, story), client)
    scheduler.run()
    weather.chances, weather.conflict, weather.unprocessed = chances, conflict, unprocessed


def _all_at_once(scenario: Scenario, story: Story) -> None:
    scheduler = Scheduler(story.world)
    playing: dict[str, tuple[Play, int]] = {}

    def start(play: Play, number: int, returns: int) -> None:
        client = _client(story, f"c{number}" + "'" * returns)
        playing[client.name] = (play, returns)
        scheduler.start(told(play(story), client, story), client)

    def crashed(client: Client) -> None:
        story.crashes += 1
        play, returns = playing[client.name]
        story.world.trace.add(story.world.clock.now - story.world.began, client.name, "is gone")
        if getattr(play, "func", play) in scenario.resumed and returns < MOST_RETURNS:
            start(play, int(client.name.strip("c'")), returns + 1)

    scheduler.crashed = crashed
    for number, play in enumerate(scenario.scripts(story), 1):
        start(play, number, 0)
    scheduler.run()


def _client(story: Story, name: str) -> Client:
    attempts = story.rng.choice((1, 2, 4, 8))
    return Client(name, tw.Retry(attempts=attempts), offset_seconds=story.world.wrong_clock())
