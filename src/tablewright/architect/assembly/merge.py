"""Several tables as one design: every table is solved and assembled by itself, then all of it is put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.assembly.patterns import predicted
from tablewright.architect.assembly.writes.cascade import going_on
from tablewright.architect.assembly.writes.companions import with_companions
from tablewright.architect.assembly.writes.inputs import write_parameters
from tablewright.architect.assembly.writes.steps import write_steps
from tablewright.design.multi_table.cost import merged_cost
from tablewright.design.multi_table.heat import merged_heat
from tablewright.design.samples import sample_of
from tablewright.design.serving.cascades import cascade_steps
from tablewright.review.multi_table import merge_advice
from tablewright.spec.numbers import assumptions_of, numbers_of
from tablewright.spec.write import spec_data

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tablewright.design.advice import Advice
    from tablewright.design.cost.report import CostReport
    from tablewright.design.model import Design, ItemType, PatternDesign
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def merge_designs(facts: Facts, parts: Sequence[Design]) -> Design:
    """`facts` are those of the whole spec; `parts` have one table each."""
    cost = merged_cost(facts, {each.name: each.cost for each in parts})
    return msgspec.structs.replace(
        parts[0],
        name=facts.spec.name,
        gap=max(each.gap for each in parts),
        notes=tuple(note for each in parts for note in each.notes),
        title=facts.spec.title,
        tables=tuple(table for each in parts for table in each.tables),
        items=tuple(_with_sample(item, facts, part) for part in parts for item in part.items),
        patterns=tuple(_merged_patterns(facts, parts, cost)),
        cost=cost,
        heat=merged_heat({each.name: each.heat for each in parts}),
        advice=_advice_of(facts, parts),
        numbers=numbers_of(facts),
        assumptions=assumptions_of(facts),
        rewrites=tuple(line for each in parts for line in each.rewrites),
        service={},
        spec=spec_data(facts.spec),
        stored={table: form for each in parts for table, form in each.stored.items()},
    )


def _advice_of(facts: Facts, parts: Sequence[Design]) -> Advice:
    tables = {item.entity: item.table for part in parts for item in part.items}
    return merge_advice(facts, {each.name: each.advice for each in parts}, tables)


def _with_sample(item: ItemType, facts: Facts, part: Design) -> ItemType:
    """Samples name each other's ids over tables too."""
    sample: dict[str, Any] = sample_of(item, facts, part.key_style, part.tables[0].ttl_attribute)
    return msgspec.structs.replace(item, sample=sample)


# ---- patterns -------------------------------------------------------------------------------------------------------


def _merged_patterns(facts: Facts, parts: Sequence[Design], cost: CostReport) -> Iterator[PatternDesign]:
    """Each as its table has it; in the order of the spec, what is implied comes last."""
    items = tuple(item for part in parts for item in part.items)
    for pattern in (*facts.spec.patterns, *facts.implied):
        own = [each for part in parts for each in part.patterns if each.id == pattern.id]
        one = own[0] if len(own) == 1 else _crossing(facts, pattern, own, items, cost)
        yield _going_on(facts, pattern, one, parts, cost)


def _going_on(
    facts: Facts, pattern: PatternSpec, one: PatternDesign, parts: Sequence[Design], cost: CostReport
) -> PatternDesign:
    """With what is deleted along, in whichever table it is."""
    if not cascade_steps(facts, pattern):
        return one
    items = tuple(item for part in parts for item in part.items)
    reads = {each.id: each.reads for part in parts for each in part.patterns}
    line = next(each for each in cost.patterns if each.pattern == pattern.id)
    made = going_on(facts, one, pattern, items, reads.__getitem__)
    return msgspec.structs.replace(made, predicted=predicted(line))


def _crossing(
    facts: Facts, pattern: PatternSpec, own: Sequence[PatternDesign], items: tuple[ItemType, ...], cost: CostReport
) -> PatternDesign:
    """A write over several tables, from the spec as a whole: no table alone knows all its parameters."""
    located = {step.entities[0]: step for each in own for step in each.reads if step.operation == "Query"}
    steps = with_companions(facts, pattern, items, located, write_steps(facts, pattern, items, located))
    line = next(each for each in cost.patterns if each.pattern == pattern.id)
    return msgspec.structs.replace(
        own[0],
        entities=pattern.entities,
        parameters=tuple(write_parameters(facts, pattern)),
        reads=steps.reads,
        writes=steps.writes,
        transaction=steps.transaction,
        predicted=predicted(line),
    )
