"""One table or several: entities that some read answers together share a table, the others need not.

Transactions reach across tables at the same price, so that only reads join. Each group is solved as a spec of its own:
a write that touches several groups is in each of them with the part that is theirs, under the same id. Counts and
references that followed from entities of other groups are written into the part, so that nothing is assumed anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from tablewright.architect.solution import Solution, solve
from tablewright.design.cost.prices import prices_of
from tablewright.design.cost.report import month_of
from tablewright.design.cost.units.volumes import estimate
from tablewright.design.serving.answers import answer_items
from tablewright.design.writes import condition_entity, failure_share, is_list, operation_on, written_together
from tablewright.errors import DesignError
from tablewright.spec.facts import Facts, assume
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tablewright.architect.search.choose import Aim
    from tablewright.spec.model import AttributeSpec, EntitySpec, PatternSpec, Spec
    from tablewright.spec.model import Tables as Wanted

Group = tuple[str, ...]

WORTH_SHARE = 0.1
WORTH_USD = 5.0
"""Several tables are recommended when they save more than this share of the bill, and more than so many dollars."""


class TableCost(msgspec.Struct, frozen=True, kw_only=True):
    """A month of one table, on demand, in the class that suits it."""

    table: str
    entities: Group
    gsis: int
    usd_per_month: float
    table_class: Literal["standard", "standard-ia"]


class Tables(msgspec.Struct, frozen=True, kw_only=True):
    """A spec in one table, in several, or both, and which is better. What was not asked for is None or empty."""

    groups: tuple[Group, ...]
    single: Solution | None
    several: tuple[Solution, ...]
    single_costs: tuple[TableCost, ...]
    several_costs: tuple[TableCost, ...]
    recommended: Literal["single", "several"]
    taken: Literal["single", "several"]  # several where that is asked for, recommended or not

    @property
    def solutions(self) -> tuple[Solution, ...]:
        """Those that are taken.

        `spec.name` of each is the name of its table; in keys the application keeps its own name, so that one design
        can hold them all.
        """
        return self.several if self.taken == "several" or self.single is None else (self.single,)

    @property
    def single_usd_per_month(self) -> float | None:
        return sum(each.usd_per_month for each in self.single_costs) if self.single_costs else None

    @property
    def several_usd_per_month(self) -> float | None:
        return sum(each.usd_per_month for each in self.several_costs) if self.several_costs else None


def solve_tables(
    given: str | Path | Mapping[str, Any] | Spec,
    *,
    tables: Wanted | None = None,
    aim: Aim | None = None,
    max_gsis: int | None = None,
) -> Tables:
    """The best design in one table ("single"), in several, or ("any") in whichever costs less a month.

    `tables` stands before what the spec says of it; `max_gsis` holds for each table. Where reads join all entities
    there is nothing to part, and one table is taken whatever is asked for.
    """
    spec = read_spec(given)
    facts = assume(spec)
    wanted = tables or spec.constraints.tables
    how: Any = {"aim": aim or ("cost" if facts.has_rates else "gsis"), "max_gsis": max_gsis}
    groups = groups_of(facts)
    apart = wanted != "single" and len(groups) > 1
    single = solved_single(spec, how, optional=apart)
    several = tuple(solved_part(facts, group, how) for group in groups) if apart else ()
    return compared(groups, single, several, asked=wanted == "several")


def compared(
    groups: tuple[Group, ...], single: Solution | None, several: tuple[Solution, ...], *, asked: bool
) -> Tables:
    """Which of the two is better; `asked`: several are wanted all the same."""
    costs = (cost_of(single, single.origin.entities),) if single else ()
    apart_costs = tuple(cost_of(each, each.origin.entities) for each in several)
    recommended = better(costs, apart_costs)
    return Tables(
        groups=groups,
        single=single,
        several=several,
        single_costs=costs,
        several_costs=apart_costs,
        recommended=recommended,
        taken="several" if asked and several else recommended,
    )


def solved_single(spec: Spec, how: Any, *, optional: bool) -> Solution | None:
    """Where several will do, one table may be too few: each has its own limit of indexes."""
    try:
        return solve(spec, **how)
    except DesignError:
        if not optional:
            raise
        return None


def solved_part(facts: Facts, group: Group, how: Any) -> Solution:
    return in_table(solve(part_of(facts, group), **how), table_name(facts, group))


def table_name(facts: Facts, group: Group) -> str:
    return f"{facts.spec.name}-{lead_of(facts.spec, group)}"


def in_table(solution: Solution, name: str) -> Solution:
    """In keys the application keeps its name; only the table is called after its entities."""
    form = solution.rewritten
    return msgspec.structs.replace(
        solution,
        facts=called(solution.facts, name),
        rewritten=msgspec.structs.replace(form, asked=called(form.asked, name), spec=renamed(form.spec, name)),
    )


def called(facts: Facts, name: str) -> Facts:
    return msgspec.structs.replace(facts, spec=renamed(facts.spec, name))


def renamed(spec: Spec, name: str) -> Spec:
    return msgspec.structs.replace(spec, name=name)


def lead_of(spec: Spec, group: Group) -> str:
    """The entity that most reads ask for."""
    return max(group, key=lambda name: (sum(name in each.entities for each in spec.reads), -group.index(name)))


def better(single: tuple[TableCost, ...], several: tuple[TableCost, ...]) -> Literal["single", "several"]:
    if not single or not several:
        return "single" if single else "several"
    one, many = (sum(each.usd_per_month for each in costs) for costs in (single, several))
    return "several" if one - many > max(WORTH_USD, WORTH_SHARE * one) else "single"


def cost_of(solution: Solution, entities: Iterable[str]) -> TableCost:
    layout = solution.layout
    month = month_of(layout, prices_of(layout.spec), estimate(layout), free_tier=False)
    best = min((each for each in month.modes if each.mode == "on-demand"), key=lambda each: each.usd_per_month)
    return TableCost(
        table=solution.spec.name,
        entities=tuple(entities),
        gsis=len(solution.choice.slots),
        usd_per_month=best.usd_per_month,
        table_class=best.table_class,
    )


# ---- groups --------------------------------------------------------------------------------------------------------


def groups_of(facts: Facts) -> tuple[Group, ...]:
    """Entities joined by reads, in the order of the spec."""
    groups = [{name} for name in facts.spec.entities]
    for pattern in facts.spec.reads:
        asked = read_together(facts, pattern)
        touched = [group for group in groups if group & asked]
        groups = [group for group in groups if group not in touched] + [set[str]().union(*touched)]
    order = list(facts.spec.entities)
    found = [tuple(sorted(group, key=order.index)) for group in groups]
    return tuple(sorted(found, key=lambda group: order.index(group[0])))


def read_together(facts: Facts, pattern: PatternSpec) -> set[str]:
    """The entities of a read, and a parent that is read first because only it has an input."""
    found = set(pattern.entities)
    for name in pattern.entities:
        foreign = [each for each in pattern.by if each not in facts.spec.entities[name].attributes]
        parents = set(facts.references[name].values())
        found |= {each for each in parents if any(attr in facts.spec.entities[each].attributes for attr in foreign)}
    return found


def part_of(facts: Facts, group: Group) -> Spec:
    """A group as a spec that stands by itself."""
    spec = facts.spec
    return msgspec.structs.replace(
        spec,
        entities={name: self_contained(facts, spec.entities[name], group) for name in group},
        relationships=tuple(each for each in spec.relationships if (each.via or each.target) in group),
        patterns=tuple(own_part(facts, each, group) for each in spec.patterns if set(each.entities) & set(group)),
        constraints=msgspec.structs.replace(spec.constraints, tables="single", budget=None),
    )


def self_contained(facts: Facts, entity: EntitySpec, group: Group) -> EntitySpec:
    count = facts.counts[entity.name]
    foreign = {name: parent for name, parent in facts.references[entity.name].items() if parent not in group}
    attributes = {
        name: referring(attribute, min(count, facts.counts[foreign[name]])) if name in foreign else attribute
        for name, attribute in entity.attributes.items()
    }
    return msgspec.structs.replace(entity, count=count, attributes=attributes)


def referring(attribute: AttributeSpec, parents: float) -> AttributeSpec:
    """An attribute that names an item of another table: it is there, and takes as many values as there are parents."""
    return msgspec.structs.replace(
        attribute,
        required=True if attribute.required is None else attribute.required,
        cardinality=attribute.cardinality or round(parents),
    )


def with_items(facts: Facts, pattern: PatternSpec) -> PatternSpec:
    """A list of items nobody has counted is taken to be short; a part has counts, so that it must be said there."""
    if pattern.kind != "query":
        return pattern
    counted = {
        name: msgspec.structs.replace(entity, count=facts.counts[name]) for name, entity in facts.spec.entities.items()
    }
    known = msgspec.structs.replace(facts, spec=msgspec.structs.replace(facts.spec, entities=counted))
    items = [answer_items(facts, pattern, name) for name in pattern.entities]
    if items == [answer_items(known, pattern, name) for name in pattern.entities]:
        return pattern
    return msgspec.structs.replace(pattern, items=sum(items))


def own_part(facts: Facts, pattern: PatternSpec, group: Group) -> PatternSpec:
    """Of a write over several groups: the entities of this one, with the inputs and changes that are theirs."""
    mine = tuple(name for name in pattern.entities if name in group)
    if mine == pattern.entities:
        return with_items(facts, pattern)
    known = {attr for name in mine for attr in facts.spec.entities[name].attributes}
    return msgspec.structs.replace(
        pattern,
        entities=mine,
        by=tuple(name for name in pattern.by if name in known),
        changes=None if pattern.changes is None else tuple(name for name in pattern.changes if name in known),
        ops={name: operation_on(facts, pattern, name) for name in mine} if pattern.op == "transact" else pattern.ops,
        transactional=True,
        failures=failure_share(pattern),
        when=pattern.when if pattern.when and condition_entity(facts, pattern) in mine else "",
        together={name: written_together(facts, pattern, name) for name in mine if is_list(facts, pattern, name)},
    )
