"""Transactions whose parts depend on each other: what is found by nothing, and values taken from another entity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.spec.borrowing import borrowed_slots
from tablewright.spec.facts import names_one
from tablewright.spec.faults.place import SpecFault, unknown_attributes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.spec.model import EntityOp, PatternSpec, Spec

ONE_EACH = "write each {0} with its {1} in a transaction of its own"


def unnamed_faults(place: str, pattern: PatternSpec, spec: Spec, done: Mapping[str, EntityOp]) -> Iterator[SpecFault]:
    """Whatever is changed, deleted or checked must be found by something."""
    for name, op in done.items() if pattern.op == "transact" else ():
        entity = spec.entities[name]
        if op == "put" or any(each in entity.attributes for each in pattern.by_of(name)):
            continue
        lists = [each for each in pattern.entities if done[each] == "put" and is_list_in(spec, pattern, each)]
        remedy = f"; or {ONE_EACH.format(lists[0], name)}" if lists else ""
        yield f"{place}.by", f"nothing says which {name} to {op}: add {', '.join(entity.id)}{remedy}."


def borrowed_faults(place: str, pattern: PatternSpec, spec: Spec, done: Mapping[str, EntityOp]) -> Iterator[SpecFault]:
    """`{Line.quantity}` is what this write gives one Line."""
    for name, field in borrowed_slots(pattern).items():
        at = f"{place}.{field}"
        other, _, attribute = name.partition(".")
        if other not in done:
            yield at, f"{{{name}}}: the write is about {', '.join(done)}, and not about {other}."
        elif attribute not in spec.entities[other].attributes:
            yield from unknown_attributes(at, (attribute,), spec.entities[other])
        elif not _gives(spec, pattern, done, other, attribute):
            yield at, f"{{{name}}}: this write gives {other} no {attribute}; write {{{attribute}}} to ask the caller."
        elif is_list_in(spec, pattern, other):
            yield at, f"{{{name}}}: any number of {other} are put here; {ONE_EACH.format(other, 'own change')}."
        elif len(having := [each for each in done if _gives(spec, pattern, done, each, attribute)]) > 1:
            yield at, f"{{{name}}}: {' and '.join(having)} are both given a {attribute}; call one of them otherwise."


def _gives(spec: Spec, pattern: PatternSpec, done: Mapping[str, EntityOp], entity: str, attribute: str) -> bool:
    """Whether the caller gives this attribute of an entity."""
    if attribute not in spec.entities[entity].attributes or done[entity] not in ("put", "update"):
        return False
    if done[entity] == "put" or attribute in pattern.by_of(entity):
        return True
    said = pattern.ops.get(entity)
    changes = pattern.changes if said is None or said.changes is None else said.changes
    return any(each.attr == attribute and each.kind == "given" for each in changes or ())


def is_list_in(spec: Spec, pattern: PatternSpec, entity: str) -> bool:
    """Whether a transaction puts any number of these: children of another one whose whole ids the caller brings."""
    if pattern.op != "transact" or names_one(spec, pattern, entity):
        return False
    return any(
        (each.via or each.target) == entity and each.source != entity and each.source in pattern.entities
        for each in spec.relationships
    )
