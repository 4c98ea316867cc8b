"""Keeping a design of several tables: every entity stays in its table, and every table keeps what it can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.keep import solved_as_before
from tablewright.architect.solution import solve
from tablewright.architect.tables import Group, compared, groups_of, in_table, part_of, table_name
from tablewright.errors import DesignError

if TYPE_CHECKING:
    from tablewright.architect.solution import Solution
    from tablewright.architect.tables import Tables
    from tablewright.design.model import Design
    from tablewright.spec.facts import Facts


def solved_tables_as_before(facts: Facts, earlier: Design, how: Any) -> Tables:
    """Without a comparison: what is in use decides."""
    groups = kept_groups(facts, earlier)
    several = tuple(kept_part(facts, table, group, earlier, how) for table, group in groups.items())
    return compared(tuple(groups.values()), None, several, asked=True)


def kept_part(facts: Facts, table: str, group: Group, earlier: Design, how: Any) -> Solution:
    part = part_of(facts, group)
    if all(each.name != table for each in earlier.tables):
        return in_table(solve(part, **how), table)
    return in_table(solved_as_before(part, only(earlier, table), **how), table)


def kept_groups(facts: Facts, earlier: Design) -> dict[str, Group]:
    """By table: the groups whose entities it has; a group without any gets a table of its own."""
    homes = {item.entity: item.table for item in earlier.items}
    found: dict[str, list[str]] = {}
    for group in groups_of(facts):
        tables = list(dict.fromkeys(homes[name] for name in group if name in homes))
        if len(tables) > 1:
            raise DesignError(
                f"some read now joins {', '.join(group)}, which the design to keep has in {len(tables)} tables"
                f" ({', '.join(tables)}); read them by separate patterns, or design without keeping it"
            )
        table = tables[0] if tables else table_name(facts, group)
        found.setdefault(table, []).extend(group)
    order = list(facts.spec.entities)
    return {table: tuple(sorted(names, key=order.index)) for table, names in found.items()}


def only(design: Design, table: str) -> Design:
    """One table of a design, as a design."""
    return msgspec.structs.replace(
        design,
        tables=tuple(each for each in design.tables if each.name == table),
        items=tuple(each for each in design.items if each.table == table),
    )
