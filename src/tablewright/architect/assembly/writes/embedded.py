"""Writes of children that lie in their parent: one entry of its map is set or removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.assembly.writes.steps import Written
from tablewright.design.conditions import exists
from tablewright.design.model import WriteStep
from tablewright.design.templates import Path, slot
from tablewright.expr.nodes import Slot

if TYPE_CHECKING:
    from tablewright.design.model import ItemType
    from tablewright.spec.model import PatternSpec


def embedded_steps(pattern: PatternSpec, item: ItemType) -> Written:
    """A put sets the entry, a delete removes it; both need the parent to be there."""
    entry = Path(item.inside, Slot(item.entry))
    keys = next(each for each in item.keys if each.index is None)
    step = WriteStep(
        operation="UpdateItem",
        item=item.name,
        table=item.table,
        key=(*keys.pk, *keys.sk),
        set={entry: slot("*")} if pattern.op == "put" else {},
        remove=(entry,) if pattern.op == "delete" else (),
        condition=exists(keys.pk[0].field),
        why=f"{item.entity} lies in {item.holder}",
    )
    return Written((), (step,), transaction=pattern.transactional)
