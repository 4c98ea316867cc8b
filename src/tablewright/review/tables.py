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
from tablewright.design.wording import concat, money, number, tally
from tablewright.wire.capacity import read_rcu

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.design.cost.lines import PatternCost
    from tablewright.design.cost.report import CostReport
    from tablewright.design.layout.layout import Layout
    from tablewright.spec.model import PatternSpec

Groups = tuple[tuple[str, ...], ...]


def tables_note(layout: Layout, cost: CostReport) -> TablesNote:
    together = stored_groups(layout)
    groups = together if len(together) > 1 else tuple((name,) for name in layout.spec.entities)
    single = _single_usd(cost)
    several = _several_usd(cost, groups) + _extra_reads_usd(layout, cost, groups)
    asked = layout.spec.constraints.tables == "several"
    better = len(together) > 1 and single - several > max(WORTH_USD, WORTH_SHARE * single)
    return TablesNote(
        recommended="several" if better else "single",
        why=_why(together, single, several, asked=asked, better=better),
        single_usd_per_month=single,
        several_usd_per_month=several,
        groups=groups,
        points=compare_points(layout, cost, groups),
    )


def stored_groups(layout: Layout) -> Groups:
    """Entities that some read joins, each with what is written along with it."""
    stored = layout.spec.entities
    found: list[tuple[str, ...]] = []
    for group in groups_of(layout.asked):
        along = (name for name, entity in stored.items() if entity.of in group)
        found.append(tuple(name for name in (*group, *along) if name in stored))
    return tuple(group for group in found if group)


# ---- money ----------------------------------------------------------------------------------------------------------


def _single_usd(cost: CostReport) -> float:
    """On demand, in the better class for all items together."""
    return min(each.usd_per_month for each in cost.modes if each.mode == "on-demand")


def _several_usd(cost: CostReport, groups: Groups) -> float:
    """On demand, each table in its better class; recovery and streams as before."""
    same = cost.pitr_usd_per_month + cost.streams_usd_per_month
    return same + sum(min(_group_usd(cost, group)) for group in groups)


def _group_usd(cost: CostReport, group: Iterable[str]) -> tuple[float, float]:
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


def _extra_reads_usd(layout: Layout, cost: CostReport, groups: Groups) -> float:
    """Reads over several tables: each table rounds up for itself."""
    lines = {each.pattern: each for each in cost.patterns}
    split = [each for each in _split_reads(layout, groups) if each.id in lines]
    return sum(_extra_units(each, lines[each.id]) for each in split) * cost.prices.read_per_million / 1e6


def _split_reads(layout: Layout, groups: Groups) -> list[PatternSpec]:
    """Reads whose answer would come from several tables."""
    return [each for each in layout.spec.reads if sum(bool(set(group) & set(each.entities)) for group in groups) > 1]


def _extra_units(pattern: PatternSpec, line: PatternCost) -> float:
    found = line.prediction
    consistent = pattern.consistency == "strong"
    shares = [units / found.rcu for units in found.rcu_by_entity.values() if found.rcu]
    apart = sum(read_rcu(ceil(found.bytes_read * share), consistent=consistent) for share in shares)
    return max(0.0, apart - found.rcu) * line.runs_per_month


# ---- words ----------------------------------------------------------------------------------------------------------


def _why(together: Groups, single: float, several: float, *, asked: bool, better: bool) -> str:
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


def compare_points(layout: Layout, cost: CostReport, groups: Groups) -> Mapping[str, str]:
    return {
        "shared patterns": _shared_patterns(layout, groups),
        "transactions": _transactions(layout, groups),
        "backup and restore": _backup(cost, groups),
        "capacity": _capacity(layout, groups),
        "life cycle": _life_cycle(layout, cost, groups),
        "access": _access(layout, groups),
    }


def _shared_patterns(layout: Layout, groups: Groups) -> str:
    split = _split_reads(layout, groups)
    if not split:
        return f"None: no read asks more than one of the {len(groups)} tables."
    requests = sum(len(each.entities) for each in split)
    answer = "answers" if len(split) == 1 else "answer"
    return (
        f"{concat(each.id for each in split)} {answer} with several entities: {tally(len(split), 'request')} from one"
        f" table, {requests} from {len(groups)}, and the answers no longer belong to one moment."
    )


def _transactions(layout: Layout, groups: Groups) -> str:
    crossing = [
        each.id for each in layout.spec.writes if sum(bool(set(group) & set(each.entities)) for group in groups) > 1
    ]
    text = f"{concat(crossing)} would cross tables" if crossing else "No write crosses tables"
    return f"{text}; a transaction reaches several tables at the same price and with the same limit of 100 actions."


def _backup(cost: CostReport, groups: Groups) -> str:
    sizes = {group: sum(each.gb - each.index_gb for each in cost.entities if each.entity in group) for group in groups}
    largest = max(sizes, key=lambda group: sizes[group])
    restore = cost.prices.restore_gb
    return (
        f"One table is restored as a whole, to one moment ({money(cost.one_off.restore_usd)}); several one by one,"
        f" the largest being {concat(largest)} ({money(sizes[largest] * restore)}), and may not fit each other then."
    )


def _capacity(layout: Layout, groups: Groups) -> str:
    one = 1 + len(_indexes_of(layout, layout.spec.entities))
    many = sum(1 + len(_indexes_of(layout, group)) for group in groups)
    return (
        f"One table has {tally(one, 'place')} to provision and watch, {len(groups)} tables have {many}; in one, quiet"
        " entities lend their capacity to busy ones, in several a runaway entity throttles only itself."
    )


def _indexes_of(layout: Layout, group: Iterable[str]) -> set[str]:
    members = set(group)
    return {place_of_view(view) for view in layout.keys if view.entity in members} - {TABLE}


def _life_cycle(layout: Layout, cost: CostReport, groups: Groups) -> str:
    expiring = [name for name, entity in layout.spec.entities.items() if entity.ttl]
    rare = [group for group in groups if _group_usd(cost, group)[1] < _group_usd(cost, group)[0]]
    saved = sum(_group_usd(cost, group)[0] - _group_usd(cost, group)[1] for group in rare)
    dropped = "A table of its own can be dropped, exported or archived as one; in a shared one items are deleted singly"
    ttl = f" (TTL does that for {concat(expiring)})" if expiring else ""
    classes = (
        f" Standard-IA would suit {concat(concat(group) for group in rare)}: {money(saved)} a month less."
        if rare and len(rare) < len(groups)
        else ""
    )
    return f"{dropped}{ttl}.{classes}"


def _access(layout: Layout, groups: Groups) -> str:
    tenants = dict.fromkeys(each.tenant for each in layout.spec.patterns if each.tenant)
    rows = (
        f"; rows of one {concat(name for name in tenants if name)} by dynamodb:LeadingKeys either way"
        if tenants
        else ""
    )
    return (
        f"{number(len(groups))} tables have policies of their own. In one table a policy tells entities apart only by"
        f" the beginning of their partition keys (dynamodb:LeadingKeys){rows}."
    )
