"""Requests of the rewritten patterns joined to the steps of the pattern as it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.conditions import compare
from tablewright.design.templates import KeyTemplate
from tablewright.expr.nodes import Slot

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.design.forms import ReadPart, Rewritten
    from tablewright.design.model import ReadStep


def compose(form: Rewritten, pattern: str, steps_of: Callable[[str], tuple[ReadStep, ...]]) -> tuple[ReadStep, ...]:
    """All steps of a read; `steps_of` gives those of a rewritten pattern."""
    found: list[ReadStep] = []
    ends: list[int] = []
    for part in form.parts(pattern):
        begin = len(found)
        for number, step in enumerate(steps_of(part.pattern)):
            earlier = None if step.keys_from is None else begin + step.keys_from
            if number == 0 and part.keys_from is not None:
                earlier = ends[part.keys_from]
            found.append(place_step(part, step, earlier, found))
        ends.append(len(found) - 1)
    return tuple(found)


def place_step(part: ReadPart, step: ReadStep, earlier: int | None, found: list[ReadStep]) -> ReadStep:
    several = earlier is not None and found[earlier].operation != "GetItem"
    return msgspec.structs.replace(
        step,
        operation="BatchGetItem" if several and step.operation == "GetItem" else step.operation,
        pk=tuple(KeyTemplate(each.field, each.template.rename(part.given)) for each in step.pk),
        sk=tuple(
            msgspec.structs.replace(
                each,
                low=each.low.rename(part.given),
                high=None if each.high is None else each.high.rename(part.given),
            )
            for each in step.sk
        ),
        filters=(*step.filters, *(compare(name, "=", Slot(name)) for name in part.only)),
        keys_from=earlier,
        joins=part.joins or step.joins,
        unfold=part.unfold or step.unfold,
        entities=part.entities or step.entities,
    )
