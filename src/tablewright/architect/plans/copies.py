"""Copies: second items in the table under another key, kept in step by writing both in one transaction.

`ids`    keys made of the id alone: a pure edge, which whoever deletes the first item can find
`any`    keys of any attributes that are always there and never change
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.shapes import Shape
    from tablewright.spec.facts import Facts


def copy_shapes(facts: Facts, entity: str, shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    allowed, ids = facts.spec.constraints.copies, facts.spec.entities[entity].id
    if allowed == "none" or (allowed == "ids" and len(ids) == 1):
        return ()
    usable = set(ids) if allowed == "ids" else facts.present[entity] - facts.changing[entity]
    found = {
        msgspec.structs.replace(shape, rest=(*shape.rest, *(name for name in ids if name not in shape.attributes)))
        for shape in shapes
        if shape.partition and set(shape.attributes) <= usable
    }
    return tuple(sorted(found))
