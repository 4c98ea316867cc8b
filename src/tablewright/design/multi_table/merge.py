"""Several tables as one design: every table is solved and written out by itself, then all of it is put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.multi_table.advice import merged_advice
from tablewright.design.multi_table.cost import merged_cost
from tablewright.design.multi_table.heat import merged_heat
from tablewright.design.multi_table.patterns import merged_patterns
from tablewright.design.samples import sample_of
from tablewright.spec.write import spec_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.architect.solution import Solution
    from tablewright.design.advice import Advice
    from tablewright.design.model import Design, ItemType
    from tablewright.spec.facts import Facts


def merged(facts: Facts, solutions: Sequence[Solution], parts: Sequence[Design]) -> Design:
    """`facts` are those of the whole spec; `parts` are the solutions, each written out."""
    cost = merged_cost(facts, {each.name: each.cost for each in parts})
    return msgspec.structs.replace(
        parts[0],
        name=facts.spec.name,
        gap=max(each.gap for each in parts),
        title=facts.spec.title,
        tables=tuple(table for each in parts for table in each.tables),
        items=tuple(sampled(item, facts, part) for part in parts for item in part.items),
        patterns=tuple(merged_patterns(facts, parts, solutions, cost)),
        cost=cost,
        heat=merged_heat({each.name: each.heat for each in parts}),
        advice=advice_of(facts, parts),
        assumptions=facts.assumptions,
        rewrites=tuple(line for each in parts for line in each.rewrites),
        service={},
        spec=spec_data(facts.spec),
    )


def advice_of(facts: Facts, parts: Sequence[Design]) -> Advice:
    tables = {item.entity: item.table for part in parts for item in part.items}
    return merged_advice(facts, {each.name: each.advice for each in parts}, tables)


def sampled(item: ItemType, facts: Facts, part: Design) -> ItemType:
    """Samples name each other's ids over tables too."""
    sample: dict[str, Any] = sample_of(item, facts, part.key_style, part.tables[0].ttl_attribute)
    return msgspec.structs.replace(item, sample=sample)
