"""One table against several, with numbers: what belongs together, what each table would cost, what else speaks for it.

Entities that one read answers together belong in one table; transactions reach across tables at the same price. On
demand the requests cost the same either way, so that the money is in what a table chooses for all its items: the
table class. Where everything hangs together, one table for each entity is what is compared, with the extra requests.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from tablewright.design.advice import TablesNote
from tablewright.design.cost.units.entries import TABLE, place_of_view
from tablewright.design.multi_table.parts import WORTH_SHARE, WORTH_USD, groups_of
from tablewright.design.wording import counted, joined, money, number
from tablewright.wire.capacity import read_rcu

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.architect.solution import Solution
    from tablewright.design.cost.lines import PatternCost
    from tablewright.design.cost.report import CostReport
    from tablewright.spec.model import PatternSpec

Groups = tuple[tuple[str, ...], ...]


def tables_note(solution: Solution, cost: CostReport) -> TablesNote:
    together = stored_groups(solution)
    groups = together if len(together) > 1 else tuple((name,) for name in solution.spec.entities)
    single = single_usd(cost)
    several = several_usd(cost, groups) + extra_reads_usd(solution, cost, groups)
    asked = solution.spec.constraints.tables == "several"
    better = len(together) > 1 and single - several > max(WORTH_USD, WORTH_SHARE * single)
    return TablesNote(
        recommended="several" if better else "single",
        why=why(together, single, several, asked=asked, better=better),
        single_usd_per_month=single,
        several_usd_per_month=several,
        groups=groups,
        points=points(solution, cost, groups),
    )


def stored_groups(solution: Solution) -> Groups:
    """Entities that some read joins, each with what is written along with it."""
    stored = solution.spec.entities
    found: list[tuple[str, ...]] = []
    for group in groups_of(solution.asked):
        along = (name for name, entity in stored.items() if entity.of in group)
        found.append(tuple(name for name in (*group, *along) if name in stored))
    return tuple(group for group in found if group)


# ---- money ----------------------------------------------------------------------------------------------------------


def single_usd(cost: CostReport) -> float:
    """On demand, in the better class for all items together."""
    return min(each.usd_per_month for each in cost.modes if each.mode == "on-demand")


def several_usd(cost: CostReport, groups: Groups) -> float:
    """On demand, each table in its better class; recovery and streams as before."""
    same = cost.pitr_usd_per_month + cost.streams_usd_per_month
    return same + sum(min(group_usd(cost, group)) for group in groups)


def group_usd(cost: CostReport, group: Iterable[str]) -> tuple[float, float]:
    """Standard, and infrequent access."""
    prices, own = cost.prices, [each for each in cost.entities if each.entity in group]
    read = sum(each.read_usd_per_month for each in own)
    write = sum(each.write_usd_per_month for each in own)
    storage = sum(each.storage_usd_per_month for each in own)
    rarely = (
        read * prices.ia_read_per_million / prices.read_per_million
        + write * prices.ia_write_per_million / prices.write_per_million
        + storage * prices.ia_storage_gb_month / prices.storage_gb_month
    )
    return read + write + storage, rarely


def extra_reads_usd(solution: Solution, cost: CostReport, groups: Groups) -> float:
    """Reads over several tables: each table rounds up for itself."""
    lines = {each.pattern: each for each in cost.patterns}
    split = [each for each in split_reads(solution, groups) if each.id in lines]
    return sum(extra_units(each, lines[each.id]) for each in split) * cost.prices.read_per_million / 1e6


def split_reads(solution: Solution, groups: Groups) -> list[PatternSpec]:
    """Reads whose answer would come from several tables."""
    return [each for each in solution.spec.reads if sum(bool(set(group) & set(each.entities)) for group in groups) > 1]


def extra_units(pattern: PatternSpec, line: PatternCost) -> float:
    found = line.prediction
    consistent = pattern.consistency == "strong"
    shares = [units / found.rcu for units in found.rcu_by_entity.values() if found.rcu]
    apart = sum(read_rcu(ceil(found.bytes_read * share), consistent=consistent) for share in shares)
    return max(0.0, apart - found.rcu) * line.runs_per_month


# ---- words ----------------------------------------------------------------------------------------------------------


def why(together: Groups, single: float, several: float, *, asked: bool, better: bool) -> str:
    numbers = f"one table {money(single)}, {{}} {money(several)} a month on demand"
    if len(together) == 1:
        text = numbers.format("one for each entity")
        if asked:
            return f"Several tables are asked for, but reads join all entities, so it is one: {text}, in more requests."
        return f"Some read joins every entity with the others: {text}, and what is one request now becomes several."
    text = numbers.format(f"{len(together)} tables")
    if better:
        return f"No read crosses the groups and a class of their own pays: {text}."
    return f"No read crosses {len(together)} groups of entities, but splitting them saves too little: {text}."


def points(solution: Solution, cost: CostReport, groups: Groups) -> Mapping[str, str]:
    return {
        "shared patterns": shared_patterns(solution, groups),
        "transactions": transactions(solution, groups),
        "backup and restore": backup(cost, groups),
        "capacity": capacity(solution, groups),
        "life cycle": life_cycle(solution, cost, groups),
        "access": access(solution, groups),
    }


def shared_patterns(solution: Solution, groups: Groups) -> str:
    split = split_reads(solution, groups)
    if not split:
        return f"None: no read asks more than one of the {len(groups)} tables."
    requests = sum(len(each.entities) for each in split)
    answer = "answers" if len(split) == 1 else "answer"
    return (
        f"{joined(each.id for each in split)} {answer} with several entities: {counted(len(split), 'request')} from one"
        f" table, {requests} from {len(groups)}, and the answers no longer belong to one moment."
    )


def transactions(solution: Solution, groups: Groups) -> str:
    crossing = [
        each.id for each in solution.spec.writes if sum(bool(set(group) & set(each.entities)) for group in groups) > 1
    ]
    text = f"{joined(crossing)} would cross tables" if crossing else "No write crosses tables"
    return f"{text}; a transaction reaches several tables at the same price and with the same limit of 100 actions."


def backup(cost: CostReport, groups: Groups) -> str:
    sizes = {group: sum(each.gb - each.index_gb for each in cost.entities if each.entity in group) for group in groups}
    largest = max(sizes, key=lambda group: sizes[group])
    restore = cost.prices.restore_gb
    return (
        f"One table is restored as a whole, to one moment ({money(cost.one_off.restore_usd)}); several one by one,"
        f" the largest being {joined(largest)} ({money(sizes[largest] * restore)}), and may not fit each other then."
    )


def capacity(solution: Solution, groups: Groups) -> str:
    one = 1 + len(indexes_of(solution, solution.spec.entities))
    many = sum(1 + len(indexes_of(solution, group)) for group in groups)
    return (
        f"One table has {counted(one, 'place')} to provision and watch, {len(groups)} tables have {many}; in one, quiet"
        " entities lend their capacity to busy ones, in several a runaway entity throttles only itself."
    )


def indexes_of(solution: Solution, group: Iterable[str]) -> set[str]:
    members = set(group)
    return {place_of_view(view) for view in solution.names.keys if view.entity in members} - {TABLE}


def life_cycle(solution: Solution, cost: CostReport, groups: Groups) -> str:
    expiring = [name for name, entity in solution.spec.entities.items() if entity.ttl]
    rare = [group for group in groups if group_usd(cost, group)[1] < group_usd(cost, group)[0]]
    saved = sum(group_usd(cost, group)[0] - group_usd(cost, group)[1] for group in rare)
    dropped = "A table of its own can be dropped, exported or archived as one; in a shared one items are deleted singly"
    ttl = f" (TTL does that for {joined(expiring)})" if expiring else ""
    classes = (
        f" Standard-IA would suit {joined(joined(group) for group in rare)}: {money(saved)} a month less."
        if rare and len(rare) < len(groups)
        else ""
    )
    return f"{dropped}{ttl}.{classes}"


def access(solution: Solution, groups: Groups) -> str:
    tenants = dict.fromkeys(each.tenant for each in solution.spec.patterns if each.tenant)
    rows = (
        f"; rows of one {joined(name for name in tenants if name)} by dynamodb:LeadingKeys either way"
        if tenants
        else ""
    )
    return (
        f"{number(len(groups))} tables have policies of their own. In one table a policy tells entities apart only by"
        f" the beginning of their partition keys (dynamodb:LeadingKeys){rows}."
    )
