"""Edges between users, with a second item on the other side, as twins, and counted: made, changed and taken away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import tablewright as tw
from tablewright import ANY, Attr, Range, attr
from tests.simulation.scenario import Play, Scenario
from tests.simulation.story import Deed, Script, Story

TABLE = "graph"
USERS = ("ann", "bob", "cleo")
CLIENTS, DEEDS = 3, 3

graph = tw.Service("graph", table=TABLE)


class User(tw.Entity, service=graph, name="user"):
    """Knows how many follow, and how many are friends."""

    user: Attr[str]
    followers: Attr[int] = attr(aggregate=True, default=0)
    friends: Attr[int] = attr(aggregate=True, default=0)

    @tw.primary(pk="USER#{user}", sk="PROFILE")
    def key(self, user: str) -> None:
        """One user."""


class Follows(tw.Entity, service=graph, name="follows", aggregates=[tw.count_into("user", "followers", by="target")]):
    """Who follows whom."""

    source: Attr[str]
    target: Attr[str]
    by: Attr[str] = attr(default="")

    @tw.primary(pk="USER#{source}", sk="FOLLOWS#{target}")
    def key(self, source: str, *, target: str) -> None:
        """One edge."""

    @tw.mirror("followed_by", pk="USER#{target}", sk="FOLLOWED_BY#{source}")
    def followed_by(self, target: str, *, source: Range[str] = ANY) -> None:
        """The other side."""


class Friends(
    tw.Entity,
    service=graph,
    name="friends",
    symmetric=("user", "friend"),
    aggregates=[tw.count_into("user", "friends", by="user")],
):
    """The same from both ends."""

    user: Attr[str]
    friend: Attr[str]
    by: Attr[str] = attr(default="")

    @tw.primary(pk="USER#{user}", sk="FRIEND#{friend}")
    def key(self, user: str, *, friend: str) -> None:
        """One friendship."""


def begin(_: Story) -> Script:
    for user in USERS:
        yield Deed("join", User(user=user).create())


def written(how: str, story: Story, by: str) -> Any:
    one, other = story.rng.sample(USERS, 2)
    is_follower = story.rng.random() < 0.5
    edge: Any = Follows(source=one, target=other, by=by) if is_follower else Friends(user=one, friend=other, by=by)
    key: Any = Follows.key(one, target=other) if is_follower else Friends.key(one, friend=other)
    match how:
        case "create":
            return edge.create()
        case "put":
            return edge.put()
        case "change":
            return key.patch((Follows if is_follower else Friends).by.set(by))
        case _:
            return key.delete()


def person(number: int, story: Story) -> Script:
    for each in range(DEEDS):
        how, by = story.rng.choice(("create", "create", "put", "change", "delete")), f"{number}.{each}"
        yield Deed(how, written(how, story, by), {"by": by})


def scripts(_: Story) -> Sequence[Play]:
    return [partial(person, number) for number in range(CLIENTS)]


# ---- what must hold --------------------------------------------------------------------------------------------------


def second_items_match(story: Story) -> Iterator[str]:
    """Every edge has its other side, with the same values, and no side stands alone."""
    sides = [
        {(item["source"], item["target"], item["by"]) for item in story.stored(TABLE, name)}
        for name in ("follows", "followed_by")
    ]
    yield from (f"{edge} is on one side only" for edge in sides[0] ^ sides[1])


def twins_match(story: Story) -> Iterator[str]:
    found = {(item["user"], item["friend"], item["by"]) for item in story.stored(TABLE, "friends")}
    yield from (f"{one} has no twin" for one in found if (one[1], one[0], one[2]) not in found)


def degrees_add_up(story: Story) -> Iterator[str]:
    """Counted edges are those that are there."""
    follows, friends = story.stored(TABLE, "follows"), story.stored(TABLE, "friends")
    for item in story.stored(TABLE, "user"):
        followers = sum(each["target"] == item["user"] for each in follows)
        mine = sum(each["user"] == item["user"] for each in friends)
        if (item["followers"], item["friends"]) != (followers, mine):
            yield f"{item}, but there are {followers} followers and {mine} friends"


def no_ghosts(story: Story) -> Iterator[str]:
    """Nothing that was refused is to be seen."""
    refused = {deed.facts["by"]: deed for deed in story.deeds if deed.is_refused}
    for item in story.stored(TABLE):
        if item.get("by") in refused:
            yield f"{refused[item['by']]}, but there is {item}"


SCENARIO = Scenario(
    "following", [graph], scripts, (second_items_match, twins_match, degrees_add_up, no_ghosts), begin=begin
)
