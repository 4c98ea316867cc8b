"""Places with several tables: a table by its name, an index as `orders/gsi1`; with one table they need no such name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from tablewright.design.cost.units.entries import TABLE

if TYPE_CHECKING:
    from tablewright.design.model import Design

T = TypeVar("T")
INDEX = re.compile(r"(gsi|lsi)\d+")


def place_in(table: str, place: str) -> str:
    """What is no place stays as it is."""
    if place == TABLE:
        return table
    return f"{table}/{place}" if INDEX.fullmatch(place) else place


def place_name(design: Design, table: str, index: str | None) -> str:
    """As the design's reports call it."""
    place = index or TABLE
    return place if len(design.tables) == 1 else place_in(table, place)


def located(value: T, table: str) -> T:
    """A report of one table with the places that the whole design calls so."""
    return cast("T", _renamed(value, table))


def _renamed(value: Any, table: str) -> Any:
    if isinstance(value, tuple):
        return tuple(_renamed(each, table) for each in cast("Any", value))
    if not isinstance(value, msgspec.Struct):
        return value
    fields = {name: getattr(value, name) for name in value.__struct_fields__}
    changed = {name: _field_in(name, field, table) for name, field in fields.items()}
    return msgspec.structs.replace(value, **changed)


def _field_in(name: str, field: Any, table: str) -> Any:
    if name == "place":
        return place_in(table, field)
    if name.endswith("_by_place"):
        return {place_in(table, place): units for place, units in field.items()}
    return _renamed(field, table)
