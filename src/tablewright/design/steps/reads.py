"""Reads: pages with cursors, single items, numbers."""

from __future__ import annotations

import json
from base64 import b64decode, urlsafe_b64decode, urlsafe_b64encode
from base64 import b64encode as base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from itertools import islice
from time import time
from typing import Any, Literal, NamedTuple, TypeVar
from zlib import crc32

from .errors import WrongCursor
from .lists import ListSource, limit_of, list_source, lists_of
from .model import NOW, PAUSE, Flow, Inputs, Item, Read, Request, Stored
from .queries import Position, get_many, has_key, parts_of
from .values import add_numbers

R = TypeVar("R")
Number = Literal["count", "sum", "max", "min", "total"]
END = "end"
"""The place behind everything."""


@dataclass(frozen=True, slots=True)
class _FoundPage:
    """Stored items, and where to go on (None at the end)."""

    items: list[Item]
    cursor: str | None = None


class _Stage(NamedTuple):
    """An item and the step that found it."""

    at: int
    item: Item


class _Taken(NamedTuple):
    """What a page has of one list, and the place behind it."""

    stages: list[_Stage]
    end: Position


# ---- answers -------------------------------------------------------------------------


def read_page(
    stored: Stored,
    steps: tuple[Read, ...],
    inputs: Inputs,
    limit: int | None = None,
    after: str | None = None,
    now: int | None = None,
) -> Flow[_FoundPage]:
    """What those steps find that no later one takes its keys from, in their order.

    They make lists (see `lists_of`). A page has of every list with a limit so many
    items, or `limit` of them instead (and what is beside them), and all of the others;
    where no list has one, `limit` counts all items. What expires is left out if it has
    at `now`, by default at this moment. A cursor says where to go on in each list.
    """
    known = {**inputs, NOW: int(time()) if now is None else now}
    question = _checksum(steps, inputs)
    lists = lists_of(steps)
    places = parts_of(
        None if after is None else _read_cursor(after, question), len(lists)
    )
    flows: list[Flow[_Taken]] = []
    for each, place in zip(lists, places, strict=True):
        most = limit
        if limit is None or len(lists) > 1:
            own = limit_of(steps, each)
            most = own if own is None or limit is None else limit
        if place != END:
            source = list_source(stored, steps, each, known, most, place)
            flows.append(_take(stored, steps, source, most))
    found = iter((yield from _side_by_side(flows)))
    taken = [_Taken([], END) if place == END else next(found) for place in places]
    stages = [stage for each in taken for stage in each.stages]
    items = yield from _completed(stored, steps, known, stages)
    ends = [each.end for each in taken]
    is_end = all(end == END for end in ends)
    return _FoundPage(items, None if is_end else _write_cursor(ends, question))


def _take(
    stored: Stored,
    steps: tuple[Read, ...],
    source: ListSource,
    most: int | None,
) -> Flow[_Taken]:
    """Items until there are enough; the place behind the last, or the end."""
    stages: list[_Stage] = []
    place: Position = None
    counted = 0
    while counted != most:
        found = yield from source.next()
        if found is None:
            return _Taken(stages, END)
        if not found.is_gone:
            stages.append(_Stage(found.at, found.item))
        place = found.place
        counted += not _is_beside(stored, steps[found.at], found.item)
    return _Taken(stages, END if source.is_done else place)


def _side_by_side(flows: list[Flow[R]]) -> Flow[list[R]]:
    """What several flows ask at a time is sent at once; all pause when none asks."""
    results: dict[int, R] = {}
    asked: dict[int, tuple[Request, ...]] = {}

    def go_on(at: int, replies: list[dict[str, Any]] | None) -> None:
        try:
            requests = (
                flows[at].send(replies) if replies is not None else next(flows[at])
            )
        except StopIteration as done:
            asked.pop(at, None)
            results[at] = done.value
        else:
            asked[at] = requests

    for at in range(len(flows)):
        go_on(at, None)
    while asked:
        busy = {at: each for at, each in asked.items() if each[0].action != PAUSE}
        if busy:
            replies = iter((yield tuple(one for each in busy.values() for one in each)))
            for at, each in busy.items():
                go_on(at, list(islice(replies, len(each))))
        else:
            yield max(asked.values(), key=lambda each: each[0].params["seconds"])
            for at in list(asked):
                go_on(at, [{}])
    return [results[at] for at in range(len(flows))]


def _is_beside(stored: Stored, step: Read, item: Item) -> bool:
    return bool(step.beside) and stored.entity_of(item) == step.beside


def _completed(
    stored: Stored, steps: tuple[Read, ...], inputs: Inputs, stages: list[_Stage]
) -> Flow[list[Item]]:
    """The items, each with what joining steps find for it."""
    items = [{**_taken(steps[each.at], each.item), **each.item} for each in stages]
    for step in (each for each in steps if each.joins):
        keys = {
            number: _key_values(step, inputs, items[number])
            for number, each in enumerate(stages)
            if each.at == step.keys_from
        }
        if step.takes:
            keys = {
                at: each for at, each in keys.items() if has_key(stored, step, each)
            }
        values = list(keys.values())
        found = (yield from get_many(stored, step, values)) if values else []
        for number, more in zip(keys, found, strict=True):
            gained = _taken(step, more or {}) if step.takes else more or {}
            items[number] = {**gained, **items[number]}
    return items


def _key_values(step: Read, inputs: Inputs, item: Item) -> Inputs:
    """What an item takes something of, only the item itself names."""
    return {**({NOW: inputs[NOW]} if step.takes else inputs), **item}


def _taken(step: Read, item: Item) -> Item:
    return {name: item[each] for name, each in step.takes.items() if each in item}


def parsed(stored: Stored, kinds: Mapping[str, Callable[[Item], R]], item: Item) -> R:
    """What is stored twice is one and the same to the application."""
    entity = stored.entity_of(item)
    kind = next(each for each in stored.types.values() if each.entity == entity)
    return kinds[entity]({**item, **kind.fixed})


def read_number(
    stored: Stored,
    steps: tuple[Read, ...],
    inputs: Inputs,
    what: Number,
    attribute: str = "",
    now: int | None = None,
) -> Flow[Any]:
    """How many items there are, a sum, the greatest, the least, or a total kept."""
    items = (yield from read_page(stored, steps, inputs, now=now)).items
    values = [item[attribute] for item in items if item.get(attribute) is not None]
    match what:
        case "count":
            return len(items)
        case "sum":
            return reduce(add_numbers, values, 0)
        case "total":
            return values[0] if values else 0
        case "max":
            return max(values) if values else None
        case "min":
            return min(values) if values else None


# ---- cursors -------------------------------------------------------------------------


def _checksum(steps: tuple[Read, ...], inputs: Inputs) -> int:
    """A cursor serves the question that it was made for."""
    return crc32(repr((steps, sorted(inputs.items()))).encode())


def _write_cursor(place: Any, question: int) -> str:
    text = json.dumps([question, place], default=_tagged, separators=(",", ":"))
    return urlsafe_b64encode(text.encode()).decode()


def _tagged(value: Any) -> Any:
    """What JSON has no form for."""
    if isinstance(value, bytes):
        return {"$bytes": base64(value).decode()}
    if isinstance(value, Decimal):
        return {"$number": str(value)}
    raise TypeError(f"{type(value).__name__} is in no key")


def _untagged(value: dict[str, Any]) -> Any:
    if list(value) == ["$bytes"]:
        return b64decode(value["$bytes"])
    return Decimal(value["$number"]) if list(value) == ["$number"] else value


def _read_cursor(cursor: str, question: int) -> Any:
    try:
        found: Any = json.loads(urlsafe_b64decode(cursor), object_hook=_untagged)
    except ValueError as fault:
        raise WrongCursor("this is no cursor") from fault
    mark, place = parts_of(found, 2) if found is not None else (None, None)
    if mark != question or place is None:
        raise WrongCursor("this cursor belongs to another question")
    return place
