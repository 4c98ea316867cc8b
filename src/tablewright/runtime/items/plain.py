"""Attributes whose values, once checked, are stored as they are: no validator, setter or renaming at any depth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.schema.types import Attribute, ListOf, MapOf, OneOf, RecordOf

if TYPE_CHECKING:
    from collections.abc import Iterable


def is_plain(attribute: Attribute) -> bool:
    if attribute.validate is not None or attribute.set is not None:
        return False
    return all(is_plain(each) and each.name == each.field for each in nested_in(attribute))


def nested_in(attribute: Attribute) -> Iterable[Attribute]:
    match attribute.type:
        case MapOf(properties):
            return properties
        case ListOf(items):
            return () if items is None else (items,)
        case RecordOf(values):
            return (values,)
        case OneOf(members=members):
            return [each for _, member in members for each in member.properties]
        case _:
            return ()
