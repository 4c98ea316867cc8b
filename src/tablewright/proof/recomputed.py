"""What a design's patterns are estimated to take: by the volumes of its spec, or by those of a smaller one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.report import table_cost
from tablewright.design.cost.units.prediction import Prediction
from tablewright.design.derive import TableParts, derive_layout, layouts_of
from tablewright.design.multi_table.cost import merged_cost
from tablewright.design.serving.answers import parents_named
from tablewright.design.serving.cascades import cascade_patterns, cascade_steps
from tablewright.design.serving.packing import with_packed_numbers
from tablewright.design.serving.refreshes import children_of, times
from tablewright.spec.facts import assume

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.design.layout.forms import Rewritten
    from tablewright.design.layout.layout import Layout
    from tablewright.design.model import Design
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec, Spec


class Estimates(msgspec.Struct, frozen=True):
    """By pattern as it was written what a run takes, and by item type the bytes of an item."""

    predictions: Mapping[str, Prediction]
    bytes: Mapping[str, float]


def estimates_of(design: Design, facts: Facts, resize: Callable[[Spec], Spec]) -> Estimates:
    """`resize` gives every spec other volumes; `facts` are those of the whole."""
    asked = assume(resize(facts.spec))
    steps = [step for each in asked.spec.writes for step in cascade_steps(asked, each)]
    reached = {each.id: each for each in cascade_patterns(asked, steps)}

    def change(spec: Spec) -> Spec:
        """Of fewer items a delete reaches fewer, too."""
        return _with_cascades(resize(spec), reached)

    reports = {
        table: table_cost(_resized_layout(design, table, layout, change))
        for table, layout in layouts_of(design).items()
    }
    found = next(iter(reports.values())) if len(reports) == 1 else merged_cost(asked, reports)
    return Estimates(
        {each.pattern: each.prediction for each in found.patterns},
        {each.entity: each.item_bytes for each in found.entities},
    )


def _resized_layout(design: Design, table: str, layout: Layout, change: Callable[[Spec], Spec]) -> Layout:
    form = layout.form
    asked = assume(change(form.origin))
    stored = with_packed_numbers(asked, change(form.spec))
    spec = _with_refreshes(form, asked, _with_parents(form, asked, stored))
    resized = msgspec.structs.replace(form, asked=asked, spec=spec)
    return derive_layout(
        TableParts(
            form=resized,
            style=design.key_style,
            table=next(each for each in design.tables if each.name == table),
            items=[item for item in design.items if item.table == table],
            patterns=design.patterns,
        )
    )


def _with_cascades(spec: Spec, reached: Mapping[str, PatternSpec]) -> Spec:
    patterns = (
        msgspec.structs.replace(each, rate=reached[each.id].rate, items=reached[each.id].items)
        if each.id in reached
        else each
        for each in spec.patterns
    )
    return msgspec.structs.replace(spec, patterns=tuple(patterns))


def _with_parents(form: Rewritten, asked: Facts, spec: Spec) -> Spec:
    """Fewer items name fewer parents."""
    counts: dict[str, float] = {}
    for id_, parts in form.reads.items():
        pattern = asked.spec.pattern(id_)
        for part in parts:
            step, source = spec.pattern(part.pattern), part.keys_from
            if pattern is not None and step is not None and source is not None and part.joins and part.takes:
                first = spec.pattern(parts[source].pattern)
                found = first if first is not None and first.entities == pattern.entities else pattern
                own = tuple(part.given.get(name, name) for name in step.by)
                counts[step.id] = parents_named(asked, found, own)
    patterns = (msgspec.structs.replace(each, items=counts.get(each.id, each.items)) for each in spec.patterns)
    return msgspec.structs.replace(spec, patterns=tuple(patterns))


def _with_refreshes(form: Rewritten, asked: Facts, spec: Spec) -> Spec:
    """Updates set copies of as many children as there are."""
    found: dict[str, PatternSpec] = {}
    for id_, parts in form.reads.items():
        write = asked.spec.pattern(id_)
        own: tuple[str, ...] = ()
        for part in parts if write is not None else ():
            pattern = spec.pattern(part.pattern)
            if not part.refreshes or write is None or pattern is None:
                continue
            own = pattern.by if pattern.is_read else own
            children, rate = children_of(asked, write.entity, part.refreshes, own), asked.rates[id_]
            found[pattern.id] = (
                msgspec.structs.replace(pattern, items=children, rate=rate)
                if pattern.is_read
                else msgspec.structs.replace(pattern, rate=times(rate, children))
            )
    return msgspec.structs.replace(spec, patterns=tuple(found.get(each.id, each) for each in spec.patterns))
