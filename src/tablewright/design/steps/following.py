"""What follows the stream: numbers kept by the changes of items, each added once, and
copies of what changed.

Copies that items keep of others are set wherever the changes say another value, as the
item is by then: to set one again does no harm.

For numbers a batch of changes is cut into transactions. Each has a mark for every
change in it, which must not be there yet, and for every group that these changes meet
in one update of its number. A change that comes again finds its mark, and the
transaction is refused: the marks are read, and what is left is sent without those that
were added before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .actions import Given, action_of
from .errors import WrongValue
from .model import PAUSE, Flow, Item, Request, Stored, Writing
from .reads import read_page
from .tops import TRIES, WAIT, Change, NotAdded, Top, keep_tops
from .values import add_numbers, floor_to, keys_in, stored_item

MOST_ACTIONS = 100
MARK = "stream#"
MARK_SECONDS = 2 * 86_400
"""A stream keeps a record for one day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number that items add to: by attribute what is summed, or nothing: a count."""

    item: str
    totals: Mapping[str, str]
    steps: Mapping[str, tuple[str, int]] = field(
        default_factory=dict[str, tuple[str, int]]
    )  # by attribute of the group: the number that it is, rounded down to a multiple


@dataclass(frozen=True, slots=True, kw_only=True)
class Copying:
    """Copies that items keep of one that changes.

    The reads of `updates` find these items, a slot being an attribute of the id of the
    changed one; `copies` says by copy which of its attributes it is of.
    """

    id: tuple[str, ...]
    copies: Mapping[str, str]
    updates: Writing


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """What the function knows of one table."""

    table: str
    key: tuple[str, str]
    expires: str = ""  # the attribute by which DynamoDB deletes marks
    numbers: Mapping[str, tuple[Number, ...]] = field(
        default_factory=dict[str, tuple[Number, ...]]
    )  # by what an item says it is
    tops: Mapping[str, tuple[Top, ...]] = field(
        default_factory=dict[str, tuple[Top, ...]]
    )
    copying: Mapping[str, tuple[Copying, ...]] = field(
        default_factory=dict[str, tuple[Copying, ...]]
    )  # the same, of what changes


@dataclass(slots=True)
class _Group:
    """One number of one group: who it is about, and what is to be added."""

    kind: str
    values: Item
    amounts: dict[str, Any]
    is_entered: bool = False  # or left: then it is written, whatever it comes to


_Groups = dict[tuple[Any, ...], _Group]


def follow(
    stored: Stored, following: Following, changes: Iterable[Change], now: int
) -> Flow[None]:
    """Adds what the changes mean, in their order; `now` is in seconds since 1970."""
    known = list(changes)
    for some in _transactions(stored, following, known):
        yield from _add_once(stored, following, some, now)
    for copying, item in _sources(stored, following, known):
        yield from _set_copies(stored, following, copying, item, now)
    yield from keep_tops(stored, following.tops, known)


# ---- copies --------------------------------------------------------------------------


def _sources(
    stored: Stored, following: Following, changes: list[Change]
) -> Iterator[tuple[Copying, Item]]:
    """What has another value now, each as the last of its changes left it."""
    found: dict[tuple[Any, ...], tuple[Copying, Item]] = {}
    for change in changes:
        old, new = change.old, change.new
        if old is None or new is None:
            continue
        label = str(new.get(stored.type_field))
        for at, each in enumerate(following.copying.get(label, ())):
            place = (label, at, *(new[name] for name in each.id))
            names = each.copies.values()
            if place in found or any(old.get(name) != new.get(name) for name in names):
                found[place] = (each, new)
    yield from found.values()


def _set_copies(
    stored: Stored, following: Following, copying: Copying, changed: Item, now: int
) -> Flow[None]:
    """As the item is by now: an old record may come again. What is gone, or names
    another one, is left alone.
    """
    key = {name: changed[name] for name in following.key}
    asked = {"TableName": following.table, "Key": key, "ConsistentRead": True}
    (reply,) = yield (Request("GetItem", asked),)
    item: Item | None = reply.get("Item")
    if item is None:
        return
    ids = {name: item[name] for name in copying.id}
    given = {copy: item.get(name) for copy, name in copying.copies.items()}
    page = yield from read_page(stored, copying.updates.reads, ids, now=now)
    for child in page.items:
        for step in copying.updates.writes:
            action = action_of(
                stored, copying.updates, step, Given(given, given), child, now
            )
            if action is not None:
                yield (Request(action.operation, dict(action.params), may_fail=True),)


def _transactions(
    stored: Stored, following: Following, changes: Iterable[Change]
) -> Iterator[list[Change]]:
    some: list[Change] = []
    met: set[tuple[Any, ...]] = set()
    for each in {change.id: change for change in changes}.values():
        groups = set(_groups(stored, following, [each]))
        if not groups:
            continue  # it changes nothing that is kept
        if len(some) + 1 + len(met | groups) > MOST_ACTIONS:
            yield some
            some, met = [], set()
        some.append(each)
        met |= groups
    if some:
        yield some


def _add_once(
    stored: Stored, following: Following, changes: list[Change], now: int
) -> Flow[None]:
    left = changes
    for attempt in range(TRIES):
        actions = [
            *(_mark(following, each, now) for each in left),
            *_updates(stored, following, left),
        ]
        (reply,) = yield (
            Request("TransactWriteItems", {"TransactItems": actions}, may_fail=True),
        )
        if not reply.get("Refused"):
            return
        left = yield from _unmarked(following, left)
        if not left:
            return
        yield (Request(PAUSE, {"seconds": WAIT * 2**attempt}),)
    raise NotAdded(f"{len(left)} changes could not be added: {left[0].id} is the first")


# ---- marks ---------------------------------------------------------------------------


def mark_key(following: Following, change: str) -> Item:
    return dict.fromkeys(following.key, MARK + change)


def _mark(following: Following, change: Change, now: int) -> Item:
    item = mark_key(following, change.id)
    if following.expires:
        item[following.expires] = now + MARK_SECONDS
    return {
        "Put": {
            "TableName": following.table,
            "Item": item,
            "ConditionExpression": "attribute_not_exists(#pk)",
            "ExpressionAttributeNames": {"#pk": following.key[0]},
        }
    }


def _unmarked(following: Following, changes: list[Change]) -> Flow[list[Change]]:
    """Those that were not added before."""
    pending: list[Item] = [mark_key(following, each.id) for each in changes]
    marked: set[Any] = set()
    while pending:
        asked = {following.table: {"Keys": pending, "ConsistentRead": True}}
        (reply,) = yield (Request("BatchGetItem", {"RequestItems": asked}),)
        found = reply["Responses"].get(following.table, ())
        marked.update(each[following.key[0]] for each in found)
        rest = reply.get("UnprocessedKeys", {}).get(following.table)
        pending = rest["Keys"] if rest else []
    return [each for each in changes if MARK + each.id not in marked]


# ---- numbers -------------------------------------------------------------------------


def _updates(
    stored: Stored, following: Following, changes: list[Change]
) -> Iterator[Item]:
    for group in _groups(stored, following, changes).values():
        yield {"Update": _update(stored, group)}


def _update(stored: Stored, group: _Group) -> Item:
    """Says what it is a number of as well: it may be the first of its group."""
    kind = stored.types[group.kind]
    key = keys_in(stored, kind.table_keys, kind, group.values)
    whole = stored_item(stored, kind, group.values, 0)
    said = {name: each for name, each in whole.items() if name not in key}
    names = {f"#s{at}": name for at, name in enumerate(said)}
    values = {f":s{at}": each for at, each in enumerate(said.values())}
    adding = {f"#a{at}": name for at, name in enumerate(group.amounts)}
    amounts = {f":a{at}": each for at, each in enumerate(group.amounts.values())}
    sets = ", ".join(f"#s{at} = :s{at}" for at in range(len(said)))
    adds = ", ".join(f"#a{at} :a{at}" for at in range(len(adding)))
    return {
        "TableName": kind.table,
        "Key": key,
        "UpdateExpression": f"SET {sets} ADD {adds}" if sets else f"ADD {adds}",
        "ExpressionAttributeNames": {**names, **adding},
        "ExpressionAttributeValues": {**values, **amounts},
    }


def _groups(stored: Stored, following: Following, changes: Iterable[Change]) -> _Groups:
    """By number and group what the changes add, without what they leave as it is."""
    found: _Groups = {}
    for change in changes:
        old = _count(stored, following, change.old, -1, found)
        new = _count(stored, following, change.new, 1, found)
        for each in old ^ new:
            found[each].is_entered = True
    return {
        at: each
        for at, each in found.items()
        if each.is_entered or any(each.amounts.values())
    }


def _count(
    stored: Stored, following: Following, image: Item | None, sign: int, found: _Groups
) -> set[tuple[Any, ...]]:
    """The groups that an item is in, with what it adds or takes."""
    groups: set[tuple[Any, ...]] = set()
    if image is None:
        return groups
    for number in following.numbers.get(str(image.get(stored.type_field)), ()):
        kind = stored.types[number.item]
        values = {name: _in_group(number, image, name) for name in kind.id}
        if any(value is None for value in values.values()):
            continue  # in no group
        try:
            key = keys_in(stored, kind.table_keys, kind, values)
        except WrongValue:
            continue  # nor can anybody ask for it
        at = (number.item, *key.values())
        groups.add(at)
        new = _Group(number.item, values, dict.fromkeys(number.totals, 0))
        group = found.setdefault(at, new)
        for name, summed in number.totals.items():
            term = image.get(summed) if summed else 1
            group.amounts[name] = add_numbers(group.amounts[name], term, sign)
    return groups


def _in_group(number: Number, image: Item, name: str) -> Any:
    """What a group has in common: a value as it is, or the step that it lies in."""
    if name not in number.steps:
        return image.get(name)
    attribute, size = number.steps[name]
    value = image.get(attribute)
    return None if value is None else floor_to(value, size)
