"""Words for keys and inputs; numbers and lists are worded as everywhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.wording import joined

if TYPE_CHECKING:
    from tablewright.design.shapes import Shape
    from tablewright.spec.model import PatternSpec


def keyed(shape: Shape) -> str:
    """`customerId, then date`: the attributes behind a key, without tags and labels."""
    first = " + ".join(shape.partition) or "kind (all of them in one partition)"
    return f"{first}, then {', '.join(shape.sort)}" if shape.sort else first


def inputs(pattern: PatternSpec) -> str:
    return joined(pattern.by)
