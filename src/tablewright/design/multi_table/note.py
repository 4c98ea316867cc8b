"""One table against several, both of them solved: which is better, and by how much."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.tables import WORTH_SHARE, WORTH_USD
from tablewright.design.advice import TablesNote
from tablewright.design.cost.report import table_cost
from tablewright.design.wording import counted, joined, money
from tablewright.review.tables import points, stored_groups

if TYPE_CHECKING:
    from tablewright.architect.tables import TableCost, Tables

CENT = 0.01
KEPT = "The tables of the design that is kept: items are not carried from one to another."
CLASSES = {"standard": "Standard", "standard-ia": "Standard-IA"}


def note_of(found: Tables, *, kept: bool = False) -> TablesNote:
    """`kept`: the tables are those of a design that is in use, and nothing was compared."""
    single = found.single
    said = [KEPT] if kept else [numbers(found), verdict(found)]
    return TablesNote(
        recommended=found.recommended,
        why=" ".join((*said, f"{joined(map(told, found.several_costs))}.")),
        single_usd_per_month=found.single_usd_per_month or 0.0,
        several_usd_per_month=found.several_usd_per_month or 0.0,
        groups=found.groups,
        points=points(single, table_cost(single.layout), stored_groups(single)) if single else {},
    )


def numbers(found: Tables) -> str:
    many = f"{counted(len(found.several), 'table')} {money(found.several_usd_per_month or 0.0)}"
    if found.single_usd_per_month is None:
        return f"No design with one table serves every pattern within its limit of indexes; {many} a month on demand."
    indexes = sum(each.gsis for each in found.several_costs)
    one = f"{money(found.single_usd_per_month)} and {counted(found.single_costs[0].gsis, 'GSI')}"
    return f"Both were solved: one table {one}, {many} and {counted(indexes, 'GSI')} a month on demand."


def verdict(found: Tables) -> str:
    if found.single_usd_per_month is None:
        return "So there are several."
    saved = found.single_usd_per_month - (found.several_usd_per_month or 0.0)
    if found.recommended == "several":
        return f"{difference(saved)} and no read crosses them: several are better."
    asked = " There are several all the same, because they are asked for." if found.taken == "several" else ""
    worth = max(WORTH_USD, WORTH_SHARE * found.single_usd_per_month)
    return f"{difference(saved)}; to be worth it they would have to save {money(worth)}: one is better.{asked}"


def difference(saved: float) -> str:
    if abs(saved) < CENT:
        return "Several cost as much"
    return f"Several save {money(saved)} a month" if saved > 0 else f"Several cost {money(-saved)} a month more"


def told(cost: TableCost) -> str:
    return f"{cost.table} ({CLASSES[cost.table_class]}, {money(cost.usd_per_month)})"
