"""Attributes whose values, once checked, are stored as they are: no validator, setter or renaming at any depth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.schema.types import Attribute, ListOf, MapOf, OneOf, RecordOf

if TYPE_CHECKING:
    from collections.abc import Iterable


def does_more(attribute: Attribute) -> bool:
    """Whether an option of its own changes or refuses values on their way in, so that no short way may be taken."""
    return attribute.validate is not None or attribute.set is not None


def is_plain(attribute: Attribute) -> bool:
    if does_more(attribute):
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
