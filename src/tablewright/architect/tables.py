"""One table or several: entities that some read answers together share a table, the others need not.

Each group is solved as a spec of its own (see `design.multi_table.parts`); the bills decide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from tablewright.architect.assembly.solution import Solution
from tablewright.architect.cooling import solve_cool
from tablewright.design.advice import TablesNote
from tablewright.design.cost.prices import prices_of
from tablewright.design.cost.report import month_of, table_cost
from tablewright.design.cost.units.volumes import estimate
from tablewright.design.multi_table.parts import WORTH_SHARE, WORTH_USD, Group, groups_of, part_of, table_name
from tablewright.design.wording import concat, money, tally
from tablewright.errors import DesignError
from tablewright.review.tables import compare_points, stored_groups
from tablewright.spec.facts import Facts, assume
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tablewright.architect.search.stages import Aim
    from tablewright.design.layout.layout import Layout
    from tablewright.spec.model import Spec
    from tablewright.spec.model import Tables as Wanted

CENT = 0.01
KEPT = "The tables of the design that is kept: items are not carried from one to another."
CLASSES = {"standard": "Standard", "standard-ia": "Standard-IA"}


class _TableCost(msgspec.Struct, frozen=True, kw_only=True):
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
    single_costs: tuple[_TableCost, ...]
    several_costs: tuple[_TableCost, ...]
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
    tell_rules: bool = False,
) -> Tables:
    """The best design in one table ("single"), in several, or ("any") in whichever costs less a month.

    `tables` stands before what the spec says of it; `max_gsis` holds for each table. Where reads join all entities
    there is nothing to part, and one table is taken whatever is asked for.
    """
    spec = read_spec(given)
    facts = assume(spec)
    wanted = tables or spec.constraints.tables
    how: Any = {
        "aim": aim or ("cost" if facts.has_rates else "gsis"),
        "max_gsis": max_gsis,
        "tell_rules": tell_rules,
    }
    groups = groups_of(facts)
    apart = wanted != "single" and len(groups) > 1
    single = _solve_single(spec, how, optional=apart)
    several = tuple(_solve_part(facts, group, how) for group in groups) if apart else ()
    return compare_tables(groups, single, several, asked=wanted == "several")


def compare_tables(
    groups: tuple[Group, ...], single: Solution | None, several: tuple[Solution, ...], *, asked: bool
) -> Tables:
    """Which of the two is better; `asked`: several are wanted all the same."""
    costs = (cost_of(single, single.origin.entities),) if single else ()
    apart_costs = tuple(cost_of(each, each.origin.entities) for each in several)
    recommended = _better(costs, apart_costs)
    return Tables(
        groups=groups,
        single=single,
        several=several,
        single_costs=costs,
        several_costs=apart_costs,
        recommended=recommended,
        taken="several" if asked and several else recommended,
    )


def _solve_single(spec: Spec, how: Any, *, optional: bool) -> Solution | None:
    """Where several will do, one table may be too few: each has its own limit of indexes."""
    try:
        return solve_cool(spec, **how)
    except DesignError:
        if not optional:
            raise
        return None


def _solve_part(facts: Facts, group: Group, how: Any) -> Solution:
    return in_table(solve_cool(part_of(facts, group), **how), table_name(facts, group))


def in_table(solution: Solution, name: str) -> Solution:
    """In keys the application keeps its name; only the table is called after its entities."""
    form = solution.rewritten
    return msgspec.structs.replace(
        solution,
        facts=_called(solution.facts, name),
        rewritten=msgspec.structs.replace(form, asked=_called(form.asked, name), spec=_renamed(form.spec, name)),
    )


def _called(facts: Facts, name: str) -> Facts:
    return msgspec.structs.replace(facts, spec=_renamed(facts.spec, name))


def _renamed(spec: Spec, name: str) -> Spec:
    return msgspec.structs.replace(spec, name=name)


def _better(single: tuple[_TableCost, ...], several: tuple[_TableCost, ...]) -> Literal["single", "several"]:
    if not single or not several:
        return "single" if single else "several"
    one, many = (sum(each.usd_per_month for each in costs) for costs in (single, several))
    return "several" if one - many > max(WORTH_USD, WORTH_SHARE * one) else "single"


def cost_of(solution: Solution, entities: Iterable[str]) -> _TableCost:
    layout = solution.layout
    month = month_of(layout, prices_of(layout.spec), estimate(layout), free_tier=False)
    best = min((each for each in month.modes if each.mode == "on-demand"), key=lambda each: each.usd_per_month)
    return _TableCost(
        table=solution.spec.name,
        entities=tuple(entities),
        gsis=len(solution.choice.slots),
        usd_per_month=best.usd_per_month,
        table_class=best.table_class,
    )


# ---- in words -------------------------------------------------------------------------------------------------------


def note_of(found: Tables, *, kept: bool = False) -> TablesNote:
    """`kept`: the tables are those of a design that is in use, and nothing was compared."""
    single = found.single
    said = [KEPT] if kept else [_numbers(found), _verdict(found)]
    return TablesNote(
        recommended=found.recommended,
        why=" ".join((*said, f"{concat(map(_describe_table, found.several_costs))}.")),
        single_usd_per_month=found.single_usd_per_month or 0.0,
        several_usd_per_month=found.several_usd_per_month or 0.0,
        groups=found.groups,
        points=_points(single.layout) if single else {},
    )


def _points(layout: Layout) -> Mapping[str, str]:
    return compare_points(layout, table_cost(layout), stored_groups(layout))


def _numbers(found: Tables) -> str:
    many = f"{tally(len(found.several), 'table')} {money(found.several_usd_per_month or 0.0)}"
    if found.single_usd_per_month is None:
        return f"No design with one table serves every pattern within its limit of indexes; {many} a month on demand."
    indexes = sum(each.gsis for each in found.several_costs)
    one = f"{money(found.single_usd_per_month)} and {tally(found.single_costs[0].gsis, 'GSI')}"
    return f"Both were solved: one table {one}, {many} and {tally(indexes, 'GSI')} a month on demand."


def _verdict(found: Tables) -> str:
    if found.single_usd_per_month is None:
        return "So there are several."
    saved = found.single_usd_per_month - (found.several_usd_per_month or 0.0)
    if found.recommended == "several":
        return f"{_difference(saved)} and no read crosses them: several are better."
    asked = " There are several all the same, because they are asked for." if found.taken == "several" else ""
    worth = max(WORTH_USD, WORTH_SHARE * found.single_usd_per_month)
    return f"{_difference(saved)}; to be worth it they would have to save {money(worth)}: one is better.{asked}"


def _difference(saved: float) -> str:
    if abs(saved) < CENT:
        return "Several cost as much"
    return f"Several save {money(saved)} a month" if saved > 0 else f"Several cost {money(-saved)} a month more"


def _describe_table(cost: _TableCost) -> str:
    return f"{cost.table} ({CLASSES[cost.table_class]}, {money(cost.usd_per_month)})"
