"""Lists that the stream keeps: the first items of a group, in one item.

Nothing is kept here that can get worse or go: a design has such a list only where every
write of an item makes it better in the order of the list. So an entry is only ever
replaced by a better one of the same id, and who is pushed out stays out until there is
a better record of it. A record that comes again, or late, finds a list that has it or
something better, and changes nothing.

A list is written as a whole, on the condition that it is still what was read; otherwise
it is read again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cmp_to_key
from typing import Any

from .errors import WrongValue
from .model import PAUSE, Flow, Item, Request, Stored, ask
from .values import keys_in, stored_item

TRIES = 6
WAIT = 0.05


class NotAdded(RuntimeError):
    """Others write the same items all the time: the changes have to come again."""


@dataclass(frozen=True, slots=True)
class Change:
    """A record of the stream: its id, and the item before and after."""

    id: str
    old: Item | None
    new: Item | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Top:
    """A list: the item that it is, the map in it, and what it has of whom.

    `order` has the attributes with 1 for the least first, or -1; what names an item
    comes last in it, so that no two items have the same place.
    """

    item: str
    inside: str
    order: tuple[tuple[str, int], ...]
    id: tuple[str, ...]
    most: int
    shows: tuple[str, ...]


@dataclass(slots=True)
class _Heard:
    """What a batch of changes says of one list: its values, and the best of each id."""

    top: Top
    values: Item
    entries: dict[tuple[Any, ...], Item] = field(
        default_factory=dict[tuple[Any, ...], Item]
    )


def keep_tops(
    stored: Stored, tops: Mapping[str, tuple[Top, ...]], changes: Iterable[Change]
) -> Flow[None]:
    for key, heard in _lists(stored, tops, changes):
        yield from _keep(stored, heard, key)


def _lists(
    stored: Stored, tops: Mapping[str, tuple[Top, ...]], changes: Iterable[Change]
) -> Iterator[tuple[Item, _Heard]]:
    """Every list that the changes are about, with its key."""
    found: dict[tuple[Any, ...], tuple[Item, _Heard]] = {}
    for change in changes:
        image = change.new or {}
        for top in tops.get(str(image.get(stored.type_field)), ()):
            if _shows_the_same(top, change):
                continue
            kind = stored.types[top.item]
            values = {name: image.get(name) for name in kind.id}
            known = (*kind.id, *(name for name, _ in top.order))
            if any(image.get(name) is None for name in known):
                continue  # in no list
            try:
                key = keys_in(stored, kind.table_keys, kind, values)
            except WrongValue:
                continue  # nobody can ask for it
            at = (top.item, *key.values())
            _, heard = found.setdefault(at, (key, _Heard(top, values)))
            _put(top, heard.entries, _entry(top, image))
    yield from found.values()


def _shows_the_same(top: Top, change: Change) -> bool:
    old, new = change.old, change.new or {}
    return old is not None and _entry(top, old) == _entry(top, new)


def _entry(top: Top, image: Item) -> Item:
    return {name: image[name] for name in top.shows if image.get(name) is not None}


def _put(top: Top, entries: dict[tuple[Any, ...], Item], entry: Item) -> None:
    """Unless there is a better one of the same id."""
    at = tuple(entry[name] for name in top.id)
    there = entries.get(at)
    if there is None or _compare(top, entry, there) < 0:
        entries[at] = entry


def _compare(top: Top, one: Item, other: Item) -> int:
    for name, direction in top.order:
        if one[name] != other[name]:
            return direction if one[name] > other[name] else -direction
    return 0


def _keep(stored: Stored, heard: _Heard, key: Item) -> Flow[None]:
    top, table = heard.top, stored.types[heard.top.item].table
    for attempt in range(TRIES):
        reply = yield from ask(
            "GetItem", {"TableName": table, "Key": key, "ConsistentRead": True}
        )
        item: Item = reply.get("Item") or {}
        was: dict[str, Item] | None = item.get(top.inside)
        now = _merged(top, was or {}, heard.entries.values())
        if now == was:
            return
        write = _write(stored, heard, key, was, now)
        (answer,) = yield (Request("PutItem", write, may_fail=True),)
        if not answer.get("Refused"):
            return
        yield (Request(PAUSE, {"seconds": WAIT * 2**attempt}),)
    raise NotAdded(f"others write {key} all the time")


def _merged(top: Top, was: dict[str, Item], more: Iterable[Item]) -> dict[str, Item]:
    entries: dict[tuple[Any, ...], Item] = {}
    for each in (*was.values(), *more):
        _put(top, entries, each)

    def order(one: Item, other: Item) -> int:
        return _compare(top, one, other)

    first = sorted(entries.values(), key=cmp_to_key(order))[: top.most]
    width = len(str(top.most - 1))
    return {str(at).zfill(width): each for at, each in enumerate(first)}


def _write(
    stored: Stored,
    heard: _Heard,
    key: Item,
    was: dict[str, Item] | None,
    now: dict[str, Item],
) -> dict[str, Any]:
    """The whole list, if it is still what it was."""
    top, kind = heard.top, stored.types[heard.top.item]
    item = stored_item(stored, kind, {**heard.values, top.inside: now}, 0)
    condition: dict[str, Any] = {
        "ConditionExpression": "attribute_not_exists(#top)",
        "ExpressionAttributeNames": {"#top": top.inside},
    }
    if was is not None:
        condition["ConditionExpression"] = "#top = :was"
        condition["ExpressionAttributeValues"] = {":was": was}
    return {"TableName": kind.table, "Item": {**item, **key}, **condition}
