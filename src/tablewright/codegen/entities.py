"""Entities as generated code shows them: whatever items their attributes lie in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from tablewright.design.model import Design, ItemAttribute, ItemType, Parameter, PatternDesign


def entities_of(design: Design) -> list[str]:
    return list(dict.fromkeys(each.entity for each in design.items))


def main_item(design: Design, entity: str) -> ItemType:
    return next(
        item for item in design.items if item.entity == entity and item.kind in ("entity", "embedded", "packed")
    )


def detail_item(design: Design, entity: str) -> ItemType | None:
    return next((item for item in design.items if item.entity == entity and item.kind == "detail"), None)


def entity_attributes(design: Design, entity: str) -> dict[str, ItemAttribute]:
    """By name all attributes of an entity, also those that lie in an item of their own."""
    found: dict[str, ItemAttribute] = {}
    for item in design.items:
        if item.entity == entity and item.kind in ("entity", "detail", "embedded", "packed"):
            found |= {each.name: each for each in own_attributes(design, item) if each.name not in found}
    return found


def taken_attributes(design: Design, pattern: PatternDesign) -> dict[str, ItemAttribute]:
    """By name in an answer: the attributes that its items have of others. None of them need be there."""
    return {
        name: msgspec.structs.replace(_stored_attribute(design, step.entities[0], taken), name=name, required=False)
        for step in (pattern.reads if not pattern.writes else ())
        for name, taken in step.takes.items()
    }


def _stored_attribute(design: Design, entity: str, name: str) -> ItemAttribute:
    stored = (each for item in design.items if item.entity == entity for each in item.attributes)
    return next(each for each in stored if each.name == name)


def returned_attributes(design: Design, pattern: PatternDesign, entity: str) -> dict[str, ItemAttribute]:
    """By name in an answer that does not have all of an entity: what it has."""
    known = {**entity_attributes(design, entity), **taken_attributes(design, pattern)}
    return {name: each for name, each in known.items() if name in pattern.returns}


def own_attributes(design: Design, item: ItemType) -> list[ItemAttribute]:
    """Without maps of what lies inside, which are entities of their own, and copies, which are another's."""
    maps = {each.inside for each in design.items if each.holder == item.name}
    return [each for each in item.attributes if each.name not in maps and each.copy_of is None]


def put_entity(design: Design, pattern: PatternDesign) -> str | None:
    """The entity whose attributes are exactly what a put takes."""
    if pattern.op != "put" or len(pattern.entities) != 1:
        return None
    attributes = {(each.name, each.required) for each in entity_attributes(design, pattern.entities[0]).values()}
    taken = {(each.attribute, each.required) for each in pattern.parameters if each.attribute == each.name}
    return pattern.entities[0] if attributes == taken and len(taken) == len(pattern.parameters) else None


def writes_ruled(pattern: PatternDesign) -> bool:
    """Whether a write fills in defaults or checks values, as far as its own parameters tell."""
    return any(is_ruled(each) for each in pattern.parameters)


def is_ruled(said: Parameter | ItemAttribute) -> bool:
    """Whether something is filled in, checked, or held against another value."""
    return said.default is not None or said.validate is not None or said.ends is not None
