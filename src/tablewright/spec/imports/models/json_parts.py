"""Parts of JSON files, with an error where they have another type than expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from tablewright.errors import DesignError

Json = Mapping[str, Any]


def mapping(value: Any, place: str) -> Json:
    if not isinstance(value, Mapping):
        raise DesignError(f"{place} should be an object, but it is {_describe(value)}")
    return cast("Json", value)


def sequence(value: Any, place: str) -> Sequence[Any]:
    if not isinstance(value, list):
        raise DesignError(f"{place} should be a list, but it is {_describe(value)}")
    return cast("Sequence[Any]", value)


def objects(value: Any, place: str) -> list[Json]:
    """A list of objects; empty where it is left out."""
    return [mapping(each, f"{place}[{at}]") for at, each in enumerate(sequence(value or [], place))]


def _describe(value: Any) -> str:
    return "missing" if value is None else repr(value)[:40]
