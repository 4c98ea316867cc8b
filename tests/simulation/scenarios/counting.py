"""Many count at the same time: on one item, in shards, in transactions, and once for a request id.

Every deed adds a power of ten of its own, so that the sum tells how often each was counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import tablewright as tw
from tablewright import Attr, attr
from tests.simulation.invariants import digits, made_once
from tests.simulation.scenario import Play, Scenario
from tests.simulation.story import Deed, Script, Story

TABLE = "counting"
CLIENTS, DEEDS = 3, 3
REPEATS = 3

counting = tw.Service("counting", table=TABLE)


class Page(tw.Entity, service=counting, name="page"):
    """What everybody looks at."""

    page: Attr[str]
    hits: Attr[int] = attr(default=0)
    views = tw.counter(shards=2)

    @tw.primary
    def key(self, page: str) -> None:
        """One page."""


HOME = Page.key("home")


def begin(_: Story) -> Script:
    yield Deed("create", Page(page="home").create())


def added(how: str, at: int) -> Any:
    amount, views = 10**at, Page.views.of(HOME)
    match how:
        case "hit":
            return HOME.patch(Page.hits.add(amount))
        case "view":
            return views.add(amount)
        case "hit in a transaction":
            return tw.transact(HOME.patch(Page.hits.add(amount)), Page(page=f"p{at}").put())
        case _:
            return views.add_once(f"r{at}", amount)


HOWS = ("hit", "view", "hit in a transaction", "view once")


def visitor(number: int, story: Story) -> Script:
    for each in range(DEEDS):
        at = number * DEEDS + each
        how = story.rng.choice(HOWS)
        for _ in range(REPEATS if how == "view once" else 1):  # with a request id it may be asked for again
            deed = yield Deed(how, added(how, at), {"at": at})
            if deed.is_done:
                break


def scripts(_: Story) -> Sequence[Play]:
    return [partial(visitor, number) for number in range(CLIENTS)]


def marks(story: Story) -> Mapping[Deed, int]:
    """A request id that was asked for again is one deed: what the last of them was told."""
    hits = sum(item["hits"] for item in story.stored(TABLE, "page") if item["page"] == "home")
    views = sum(item["n"] for item in story.stored(TABLE, "tablewright:counter"))
    found = {deed.facts["at"]: deed for deed in story.named(*HOWS)}
    counted: dict[Deed, int] = {}
    for at, deed in found.items():
        times = digits(int(hits if deed.kind.startswith("hit") else views), at)
        unsure = [each for each in story.named("view once") if each.facts["at"] == at and each.may_be_done]
        # an earlier one of the same id may have been done
        counted[unsure[0] if deed.is_refused and unsure else deed] = times
    return counted


SCENARIO = Scenario("counting", [counting], scripts, made_once(marks), begin=begin)
