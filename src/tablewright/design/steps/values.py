"""What slots stand for: values, keys, expressions of a request, stored items."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, localcontext
from typing import Any, cast
from zlib import crc32

from .encoding import key_text
from .errors import WrongValue
from .model import (
    BUCKET,
    NOW,
    SHARD,
    Bucket,
    Demand,
    Expression,
    Inputs,
    Item,
    ItemKeys,
    ItemType,
    KeyStyle,
    Read,
    Slot,
    Stored,
    Value,
)

DIGITS = 38
"""Those of a number in DynamoDB."""
SECONDS_PER_DAY = 86_400
YEAR_1 = datetime.fromisoformat("0001-01-01T00:00:00")
YEAR_9999 = datetime.fromisoformat("9999-12-31T23:59:59")
MOMENT = re.compile(
    "([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:(T[0-9]{2}:[0-9]{2}:[0-9]{2})((?:\.[0-9]+)?(?:Z|\+00:00)?))?"
)
TESTS: dict[str, Callable[[Any, list[Any]], bool]] = {
    "=": lambda value, given: value == given[0],
    "<>": lambda value, given: value != given[0],
    ">": lambda value, given: value > given[0],
    ">=": lambda value, given: value >= given[0],
    "<": lambda value, given: value < given[0],
    "<=": lambda value, given: value <= given[0],
    "between": lambda value, given: given[0] <= value <= given[1],
    "begins_with": lambda value, given: str(value).startswith(given[0]),
    "in": lambda value, given: value in given,
    "exists": lambda _value, _given: True,
}


def slots_of(value: Value) -> list[str]:
    """The names of the slots in a value."""
    return [part.name for part in _parts(value) if isinstance(part, Slot)]


def _parts(value: Value) -> tuple[Value, ...]:
    return (
        cast("tuple[str | Slot, ...]", value) if isinstance(value, tuple) else (value,)
    )


def resolve(style: KeyStyle, value: Value, inputs: Inputs) -> Any:
    """A value with everything put in; text ends at the first value that is absent."""
    if isinstance(value, Slot):
        return inputs.get(value.name)
    if not isinstance(value, tuple):
        return value
    text = ""
    for part in _parts(value):
        found = inputs.get(part.name) if isinstance(part, Slot) else part
        if found is None:
            return text
        is_plain = not isinstance(part, Slot) or part.name == SHARD
        text += found if is_plain else key_text(found, style)
    return text


def is_complete(value: Value, inputs: Inputs) -> bool:
    return all(inputs.get(name) is not None for name in slots_of(value))


def demand_values(values: Iterable[Value], inputs: Inputs) -> None:
    """What finds items needs all of its values."""
    names = (name for each in values for name in slots_of(each))
    missing = [name for name in names if inputs.get(name) is None]
    if missing:
        raise ValueError(f"no value for {', '.join(missing)}")


def resolve_all(style: KeyStyle, values: Mapping[str, Value], inputs: Inputs) -> Item:
    return {name: resolve(style, value, inputs) for name, value in values.items()}


# ---- expressions ---------------------------------------------------------------------


def placeholders(
    style: KeyStyle, expressions: Iterable[Expression | None], inputs: Inputs
) -> dict[str, Any]:
    """The names and values of a request with these expressions."""
    names: dict[str, str] = {}
    values: dict[str, Any] = {}
    for each in expressions:
        if each is None:
            continue
        for mark, name in each.names.items():
            names[mark] = str(inputs[name.name]) if isinstance(name, Slot) else name
        values |= resolve_all(style, each.values, inputs)
    found: dict[str, dict[str, Any]] = {
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": values,
    }
    return {name: each for name, each in found.items() if each}


def passes(demands: Iterable[Demand], item: Item, inputs: Inputs) -> bool:
    """Whether an item at hand is what a request would have been filtered for."""
    for each in demands:
        given = [
            inputs[value.name] if isinstance(value, Slot) else value
            for value in each.values
        ]
        if each.attribute not in item or not TESTS[each.operator](
            item[each.attribute], given
        ):
            return False
    return True


def answers(step: Read, item: Item, inputs: Inputs) -> bool:
    """Whether a step that has no filter keeps an item that is at hand."""
    return passes(step.demands, item, inputs) and is_unexpired(step, item, inputs)


def is_unexpired(step: Read, item: Item, inputs: Inputs) -> bool:
    until = item.get(step.unexpired) if step.unexpired else None
    return until is None or bool(until > inputs[NOW])


# ---- numbers -------------------------------------------------------------------------


def add_numbers(one: Any, other: Any, sign: int = 1) -> Any:
    """As exactly as DynamoDB does it."""
    with localcontext() as context:
        context.prec = DIGITS
        return _number(one) + sign * _number(other)


def _number(value: Any) -> Any:
    """Absent counts 0; a float is what it looks like, as DynamoDB stores it."""
    return Decimal(repr(value)) if isinstance(value, float) else value or 0


# ---- times ---------------------------------------------------------------------------


def floor_to(value: Any, size: int) -> int:
    """The multiple of `size` that is not above a number, and next to it."""
    return math.floor(Decimal(str(value))) // size * size


def shifted(value: Any, by: float) -> Any:
    """A number with this added; a time so many seconds later, in the form it has. Of
    dates whole days count, and nothing lies before the year 1 or behind 9999.
    """
    if not isinstance(value, str):
        return add_numbers(value, by)
    found = MOMENT.fullmatch(value)
    if found is None:
        raise WrongValue(f"{value!r} is no time such as 2026-01-31T09:00:00Z")
    day, time, rest = found.groups()
    try:
        moment = datetime.fromisoformat(f"{day}{time or ''}")
    except ValueError:
        raise WrongValue(f"{value!r} is no time that there is") from None
    seconds = by if time else int(by / SECONDS_PER_DAY) * SECONDS_PER_DAY
    try:
        moved = moment + timedelta(seconds=seconds)
    except OverflowError:
        moved = YEAR_1 if by < 0 else YEAR_9999
    if time:
        return moved.isoformat(timespec="seconds") + rest
    return moved.date().isoformat()


# ---- stored items --------------------------------------------------------------------


def keys_in(stored: Stored, keys: ItemKeys, kind: ItemType, item: Inputs) -> Item:
    """The key fields of an item in one place; none where it is not there."""
    is_there = all(item.get(name) is not None for name in keys.needs)
    if keys.index is not None and not (is_there and keys.admits(item)):
        return {}
    known = derive(stored.key_style, item, kind.id, keys.shards, keys.bucket)
    return resolve_all(stored.key_style, keys.fields, known)


def stored_item(stored: Stored, kind: ItemType, thing: Inputs, now: int) -> Item:
    """The attributes that are there, when it goes (as it was said before, or counted
    from `now`, seconds since 1970), the fixed ones, and the keys of every place.
    """
    item = {
        name: thing[name] for name in kind.attributes if thing.get(name) is not None
    }
    if kind.expires:
        item[kind.expires] = thing.get(kind.expires, now + kind.lifetime_seconds)
    item.update(kind.fixed)
    for keys in kind.keys:
        item.update(keys_in(stored, keys, kind, thing))
    return item


# ---- shards and buckets --------------------------------------------------------------


def derive(
    style: KeyStyle,
    inputs: Inputs,
    id_names: tuple[str, ...],
    shards: int,
    bucket: Bucket | None,
) -> Inputs:
    """The same values with the shard and the bucket that follow from them."""
    found = with_bucket(inputs, bucket)
    if shards == 1 or any(inputs.get(name) is None for name in id_names):
        return found
    text = "#".join(key_text(inputs[name], style) for name in id_names)
    return {**found, SHARD: str(crc32(text.encode()) % shards)}


def with_bucket(inputs: Inputs, bucket: Bucket | None) -> Inputs:
    if bucket is None or inputs.get(bucket.attribute) is None:
        return inputs
    return {**inputs, BUCKET: str(inputs[bucket.attribute])[: bucket.length]}


def buckets_between(low: str, high: str, length: int) -> list[str]:
    """All buckets from one timestamp to the other: `2026-01`, `2026-02`, ..."""
    first, last = low[:length], high[:length]
    return [each for each in _periods(first, last, length) if first <= each <= last]


def _periods(first: str, last: str, length: int) -> Iterator[str]:
    """Those of whole years, or of whole days."""
    if length <= 7:
        for year in range(int(first[:4]), int(last[:4]) + 1):
            months = (f"{year:04d}-{month:02d}" for month in range(1, 13))
            yield from [f"{year:04d}"] if length == 4 else months
        return
    day = date.fromisoformat(first[:10])
    while day.isoformat() <= last[:10]:
        hours = (f"{day.isoformat()}T{hour:02d}" for hour in range(24))
        yield from [day.isoformat()] if length == 10 else hours
        day += timedelta(days=1)


def bucket_at(seconds: int, length: int) -> str:
    """The bucket of a moment, in seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:length]


def bucket_beside(bucket: str, backwards: bool) -> str:
    """The one before, or the one behind it."""
    step = -1 if backwards else 1
    if len(bucket) == 4:
        return f"{int(bucket) + step:04d}"
    if len(bucket) == 7:
        months = int(bucket[:4]) * 12 + int(bucket[5:]) - 1 + step
        return f"{months // 12:04d}-{months % 12 + 1:02d}"
    if len(bucket) == 10:
        return (date.fromisoformat(bucket) + timedelta(days=step)).isoformat()
    moment = datetime.fromisoformat(f"{bucket}:00") + timedelta(hours=step)
    return moment.isoformat()[:13]
