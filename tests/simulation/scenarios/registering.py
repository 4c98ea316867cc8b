"""People want the same email addresses and handles: taken, changed, swapped, given back, wanted again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import tablewright as tw
from tablewright import Attr, attr
from tests.simulation.scenario import Play, Scenario
from tests.simulation.story import Deed, Script, Story

TABLE = "users"
EMAILS = ("x", "y", "z")
CLIENTS, DEEDS = 3, 4

users = tw.Service("users", table=TABLE)


class User(tw.Entity, service=users, name="user", unique=[("org", "handle")]):
    """Whose email is theirs alone, and whose handle within the organisation."""

    user: Attr[str]
    org: Attr[str] = attr(default="o")
    handle: Attr[str | None] = attr(default=None)
    email: Attr[str | None] = attr(default=None, unique=True)
    by: Attr[str] = attr(default="")  # who wrote it last

    @tw.primary
    def key(self, user: str) -> None:
        """One user."""


def written(how: str, story: Story, by: str) -> Any:
    name, email = story.rng.choice(("u1", "u2", "u3", "u4")), story.rng.choice(EMAILS)
    handle = story.rng.choice((None, email))
    key = User.key(name)
    match how:
        case "create":
            return User(user=name, email=email, handle=handle, by=by).create()
        case "put":
            return User(user=name, email=email, handle=handle, by=by).put()
        case "change":
            return key.patch(User.email.set(email), User.by.set(by))
        case "give back":
            return key.patch(User.email.remove(), User.by.set(by))
        case "upsert":
            return User(user=name, email=email, by=by).upsert()
        case "hand over":
            other = story.rng.choice(("u5", "u6"))
            return tw.transact(key.patch(User.email.remove()), User(user=other, email=email, by=by).put())
        case _:
            return key.delete()


HOWS = ("create", "create", "put", "change", "give back", "upsert", "hand over", "delete")


def person(number: int, story: Story) -> Script:
    for each in range(DEEDS):
        how, by = story.rng.choice(HOWS), f"{number}.{each}"
        yield Deed(how, written(how, story, by), {"by": by})


def scripts(_: Story) -> Sequence[Play]:
    return [partial(person, number) for number in range(CLIENTS)]


def values_of(item: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    if "email" in item:
        yield ("email", item["email"])
    if "handle" in item:
        yield ("org,handle", item["org"], item["handle"])


def unique_stays_unique(story: Story) -> Iterator[str]:
    """No two items have the same value."""
    owners = Counter(value for item in story.stored(TABLE, "user") for value in values_of(item))
    yield from (f"{value} belongs to {count} users" for value, count in owners.items() if count > 1)


def sentinels_match_items(story: Story) -> Iterator[str]:
    """Every value has its sentinel, owned by the item that has it; no sentinel is left behind."""
    items = story.stored(TABLE, "user")
    wanted = {(key_of(value), item["user"]) for item in items for value in values_of(item)}
    found = {(item["pk"], item["composites"]["user"]) for item in story.stored(TABLE, "tablewright:unique")}
    yield from (f"{each} has no sentinel" for each in wanted - found)
    yield from (f"nobody owns the sentinel {each}" for each in found - wanted)


def key_of(value: tuple[str, ...]) -> str:
    attributes, *parts = value
    listed = ",".join(f'"{part}"' for part in parts)
    return f"__unique__#users#user#{attributes}#[{listed}]"


def no_ghosts(story: Story) -> Iterator[str]:
    """Nothing that was refused is to be seen; who wrote last is somebody who was not refused."""
    refused = {deed.facts["by"]: deed for deed in story.deeds if deed.is_refused}
    for item in story.stored(TABLE, "user"):
        if item.get("by") in refused:
            yield f"{refused[item['by']]}, but there is {item}"


SCENARIO = Scenario("registering", [users], scripts, (unique_stays_unique, sentinels_match_items, no_ghosts))
