"""Reads: pages with cursors, single items, numbers."""

from __future__ import annotations

import json
from base64 import b64decode, urlsafe_b64decode, urlsafe_b64encode
from base64 import b64encode as base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, NamedTuple, TypeVar
from zlib import crc32

from .errors import WrongCursor
from .model import Flow, Inputs, Item, Read, Stored
from .queries import get_many
from .sources import ItemSource, parts_of, source_of

R = TypeVar("R")
Number = Literal["count", "sum", "max", "min", "total"]


@dataclass(frozen=True, slots=True)
class _FoundPage:
    """Stored items, and where to go on (None at the end)."""

    items: list[Item]
    cursor: str | None = None


class _Stage(NamedTuple):
    """An item and the step that found it."""

    at: int
    item: Item


# ---- answers -------------------------------------------------------------------------


def read_page(
    stored: Stored,
    steps: tuple[Read, ...],
    inputs: Inputs,
    limit: int | None = None,
    after: str | None = None,
) -> Flow[_FoundPage]:
    """What those steps find that no later one takes its keys from, in their order."""
    most = _usual_limit(steps) if limit is None else limit
    question = _checksum(steps, inputs)
    place = None if after is None else _read_cursor(after, question)
    stages: list[_Stage] = []
    first, within = parts_of(place, 2)
    answering = answering_steps(steps)
    for number, at in enumerate(answering):
        if number < (first or 0):
            continue
        inner = within if number == first else None
        source = source_of(stored, steps, at, inputs, most, inner)
        last = yield from _take(source, at, most, stages)
        if len(stages) == most:
            is_end = source.is_done and number == len(answering) - 1
            items = yield from _completed(stored, steps, inputs, stages)
            cursor = None if is_end else _write_cursor([number, last], question)
            return _FoundPage(items, cursor)
    return _FoundPage((yield from _completed(stored, steps, inputs, stages)))


def _take(
    source: ItemSource, at: int, most: int | None, stages: list[_Stage]
) -> Flow[Any]:
    """Items until there are enough; the place behind the last."""
    place: Any = None
    while len(stages) != most:
        found = yield from source.next()
        if found is None:
            break
        stages.append(_Stage(at, found.item))
        place = found.place
    return place


def answering_steps(steps: tuple[Read, ...]) -> list[int]:
    used = {each.keys_from for each in steps if not each.joins}
    return [at for at, each in enumerate(steps) if not each.joins and at not in used]


def _usual_limit(steps: tuple[Read, ...]) -> int | None:
    """That of the step that answers, or of those whose items it merely completes."""
    step = steps[answering_steps(steps)[0]]
    while (
        step.limit is None
        and step.operation == "BatchGetItem"
        and step.keys_from is not None
    ):
        step = steps[step.keys_from]
    return step.limit


def _completed(
    stored: Stored, steps: tuple[Read, ...], inputs: Inputs, stages: list[_Stage]
) -> Flow[list[Item]]:
    """The items, each with what joining steps find for it."""
    items = [each.item for each in stages]
    for step in (each for each in steps if each.joins):
        wanted = [n for n, each in enumerate(stages) if each.at == step.keys_from]
        values = [{**inputs, **items[number]} for number in wanted]
        found = (yield from get_many(stored, step, values)) if values else []
        for number, more in zip(wanted, found, strict=True):
            items[number] = {**(more or {}), **items[number]}
    return items


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
) -> Flow[Any]:
    """How many items there are, a sum, the greatest, the least, or a total kept."""
    items = (yield from read_page(stored, steps, inputs)).items
    values = [item[attribute] for item in items if item.get(attribute) is not None]
    match what:
        case "count":
            return len(items)
        case "sum":
            return sum(values)
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
