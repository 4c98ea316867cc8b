"""Cursors of gathered pages: the place in every lane that has more, and which question they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard
from zlib import crc32

from tablewright.runtime.features.sharding.lanes import sort_fields
from tablewright.runtime.features.sharding.partitions import is_descending, where
from tablewright.runtime.items.cursor import (
    MAX_CHARACTERS,
    foreign,
    is_key_value,
    key_fields,
    read_cursor,
    refuse_foreign,
    write_cursor,
)

if TYPE_CHECKING:
    from tablewright.runtime.features.sharding.partitions import Stage
    from tablewright.runtime.operations.query import Query

Places = dict[str, dict[str, Any]]  # by lane: the key to go on from, empty for its beginning


def write_places(query: Query[Any], places: Places, last: tuple[Any, ...]) -> str:
    """A cursor behind `last`, the sort key handed out last: what comes before it now was not there then."""
    return write_cursor({**_about(query), "at": places, "behind": dict(zip(sort_fields(query), last, strict=False))})


def _about(query: Query[Any]) -> dict[str, Any]:
    """What a cursor says of its question: it goes on nowhere else."""
    shards = query.keys.pattern.shards
    given = sorted((name, str(value)) for name, value in query.given.items())
    sort = query.sort
    compared = (
        None if sort is None else (sort.operator, *(sorted(map(str, side.items())) for side in (sort.low, sort.high)))
    )
    asked = repr((query.layout.name, query.pattern, given, compared))
    return {
        "question": crc32(asked.encode("utf-8", "surrogatepass")),
        "order": "desc" if is_descending(query) else "asc",
        "shards": 0 if shards is None else shards.read,
    }


def read_places(query: Query[Any], stages: tuple[Stage, ...]) -> tuple[int, Places, tuple[Any, ...]]:
    """The stage a cursor goes on in, the places there, and what it is behind; without one, the very beginning."""
    if query.options.cursor is None:
        return 0, {}, ()
    held = read_cursor(query.options.cursor, most=MAX_CHARACTERS * max([1, *(len(stage) for stage in stages)]))
    own = _about(query)
    if set(held) != {*own, "at", "behind"} or held["question"] != own["question"]:
        raise foreign(where(query), "it is of another question")
    places, behind = held["at"], held["behind"]
    if not (_is_record(places) and _is_record(behind) and all(map(_is_record, places.values()))):
        raise foreign(where(query), "it says nothing of where to go on")
    if behind and not (set(behind) == set(sort_fields(query)) and all(map(is_key_value, behind.values()))):
        raise foreign(where(query), "what it is behind is no sort key of this question")
    for name in ("order", "shards"):
        if held[name] != own[name]:
            raise foreign(where(query), f"its {name} is {held[name]!r:.40}, and here it is {own[name]!r}")
    fields = key_fields(query.layout, query.keys)
    for key in places.values():
        if key:
            refuse_foreign(key, fields, None, where(query))
    for at, stage in enumerate(stages):
        if set(places) <= {lane.name for lane in stage}:
            return at, places, tuple(behind.get(field) for field in sort_fields(query) if behind)
    raise foreign(where(query), f"it is in {', '.join(places):.200}, where this question does not look")


def _is_record(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)
