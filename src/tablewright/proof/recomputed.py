"""What a design's patterns are estimated to take: by the volumes of its spec, or by those of a smaller one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.report import table_cost
from tablewright.design.derive import TableParts, derive_layout, layouts_of
from tablewright.design.multi_table.cost import merged_cost
from tablewright.spec.facts import assume

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.design.cost.units.prediction import Prediction
    from tablewright.design.layout.layout import Layout
    from tablewright.design.model import Design
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import Spec


def estimates_of(design: Design, facts: Facts, resize: Callable[[Spec], Spec]) -> dict[str, Prediction]:
    """By pattern as it was written. `resize` gives every spec other volumes; `facts` are those of the whole."""
    reports = {
        table: table_cost(_resized_layout(design, table, layout, resize))
        for table, layout in layouts_of(design).items()
    }
    found = next(iter(reports.values())) if len(reports) == 1 else merged_cost(facts, reports)
    return {each.pattern: each.prediction for each in found.patterns}


def _resized_layout(design: Design, table: str, layout: Layout, resize: Callable[[Spec], Spec]) -> Layout:
    form = layout.form
    resized = msgspec.structs.replace(form, asked=assume(resize(form.origin)), spec=resize(form.spec))
    return derive_layout(
        TableParts(
            form=resized,
            style=design.key_style,
            table=next(each for each in design.tables if each.name == table),
            items=[item for item in design.items if item.table == table],
            patterns=design.patterns,
        )
    )
