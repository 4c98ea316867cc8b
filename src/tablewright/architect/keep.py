"""Designing on top of a design that is in use: its keys and names stay, and the difference is priced.

The search is given the earlier shapes and keeps them where it can; names come from the earlier design wherever a shape
stayed. What differs in the end is read off the two designs: see `design.change`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.assembly.solution import name_choice
from tablewright.architect.assembly.views import KeptKeys
from tablewright.architect.plans.forms import form_options
from tablewright.architect.plans.values import PlacedShapes
from tablewright.architect.solution import solve
from tablewright.architect.tables import compare_tables, in_table
from tablewright.design.derive import stored_keys, view_of
from tablewright.design.multi_table.parts import groups_of, part_of, table_name
from tablewright.design.values.templates import DELIMITER
from tablewright.errors import DesignError
from tablewright.spec.facts import assume

if TYPE_CHECKING:
    from tablewright.architect.assembly.solution import Solution
    from tablewright.architect.search.stages import Aim
    from tablewright.architect.tables import Tables
    from tablewright.design.layout.forms import Rewrite
    from tablewright.design.layout.views import View
    from tablewright.design.model import Design
    from tablewright.design.multi_table.parts import Group
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import Spec


# ---- what is to be kept ---------------------------------------------------------------------------------------------


def _kept_keys(design: Design) -> PlacedShapes:
    """The earlier shapes, as the search wants them."""
    table = design.tables[0]
    views = [view_of(item, keys) for item, keys in stored_keys(design.items)]
    return PlacedShapes(
        base={view.entity: view.shape for view in views if view.index is None and not view.is_copy},
        slots=tuple(_shapes_in(views, each.name) for each in table.gsis),
        lsis=tuple(_shapes_in(views, each.name) for each in table.lsis),
        second_items={
            entity: tuple(view.shape for view in views if view.is_copy and view.entity == entity)
            for entity in sorted({view.entity for view in views if view.is_copy})
        },
    )


def _shapes_in(views: list[View], index: str) -> dict[str, Shape]:
    return {view.entity: view.shape for view in views if view.index == index}


def _kept_names(design: Design) -> dict[View, KeptKeys]:
    """What the earlier views were called."""
    return {
        view_of(item, keys): KeptKeys(
            tag=item.name,
            label=keys.pk[0].template.stem.partition(DELIMITER)[0],
            collections=keys.collections,
            shards=keys.shards,
            word="" if keys.lead else keys.sk[0].template.stem.partition(DELIMITER)[0],
        )
        for item, keys in stored_keys(design.items)
        if not keys.native
    }


def _kept_rewrites(spec: Spec, earlier: Design) -> list[Rewrite]:
    """Of every way to store the spec in another form the one that was taken; of new ones the plainest.

    A new pattern may be read from an edge where its parent lies already.
    """
    found: list[Rewrite] = []
    edges = {each.attributes for each in earlier.rewrites if each.kind == "edge"}
    for options in form_options(assume(spec)):
        taken = [option for option in options if option and set(option) <= set(earlier.rewrites)]
        there = [
            option for option in options if any(each.kind == "edge" and each.attributes in edges for each in option)
        ]
        found += (taken or there or options)[0]
    return found


def solve_as_before(spec: Spec, earlier: Design, *, aim: Aim | None, max_gsis: int | None) -> Solution:
    """The best solution that keeps what it can: forms first, then keys, then names."""
    prefer = _kept_keys(earlier)
    try:
        found = solve(spec, aim=aim, max_gsis=max_gsis, prefer=prefer, rewrites=_kept_rewrites(spec, earlier))
    except DesignError:  # what is new may need another form
        found = solve(spec, aim=aim, max_gsis=max_gsis, prefer=prefer)
    return name_as_before(found, earlier)


def name_as_before(solution: Solution, earlier: Design) -> Solution:
    """The solution with the names of the earlier design, where its shapes stayed."""
    form, style = solution.rewritten, solution.names.style
    return name_choice(form, solution.facts, solution.choice, style, _kept_names(earlier))


# ---- several tables -------------------------------------------------------------------------------------------------


def solve_tables_as_before(facts: Facts, earlier: Design, how: Any) -> Tables:
    """Without a comparison: what is in use decides."""
    groups = _kept_groups(facts, earlier)
    several = tuple(_kept_part(facts, table, group, earlier, how) for table, group in groups.items())
    return compare_tables(tuple(groups.values()), None, several, asked=True)


def _kept_part(facts: Facts, table: str, group: Group, earlier: Design, how: Any) -> Solution:
    part = part_of(facts, group)
    if all(each.name != table for each in earlier.tables):
        return in_table(solve(part, **how), table)
    return in_table(solve_as_before(part, _only(earlier, table), **how), table)


def _kept_groups(facts: Facts, earlier: Design) -> dict[str, Group]:
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


def _only(design: Design, table: str) -> Design:
    """One table of a design, as a design."""
    return msgspec.structs.replace(
        design,
        tables=tuple(each for each in design.tables if each.name == table),
        items=tuple(each for each in design.items if each.table == table),
    )
