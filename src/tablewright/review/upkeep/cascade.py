"""What a delete must reach: children, their children and the entries of each, as estimates from the volumes."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tablewright.design.serving.cascades import MOST_IN_A_CALL
from tablewright.design.wording import tally
from tablewright.review.upkeep.children import Side, sides_of
from tablewright.wire.capacity import write_wcu
from tablewright.wire.limits import MAX_TRANSACTION_ACTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.cost.units.entries import Entry
    from tablewright.design.layout.layout import Layout
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import RelationshipSpec

Entries: TypeAlias = "tuple[Entry, ...]"


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """Items of one entity that go, or are left behind, when one item above them is deleted."""

    side: Side
    cascade: bool | None  # as the spec says it
    usual: float
    most: float
    depth: int


def reach_of_delete(layout: Layout, entity: str) -> tuple[Reach, ...]:
    """All below one item of an entity, parents before their children."""
    return tuple(_below(layout, entity, 1.0, 1.0, (entity,)))


def _below(layout: Layout, entity: str, usual: float, most: float, above: tuple[str, ...]) -> Iterator[Reach]:
    """Embedded children go with their parent and are not counted."""
    facts = layout.asked
    for each in facts.spec.relationships:
        for side in sides_of(facts, each):
            if side.parent != entity or side.child in (*above, *layout.form.embedded):
                continue
            few, many = _children_of(facts, each, side)
            most_of_all = max(usual * few, facts.counts[side.child])
            found = Reach(
                side=side,
                cascade=each.cascade,
                usual=usual * few,
                most=min(most * max(few, many), most_of_all),
                depth=len(above),
            )
            yield found
            if each.cascade is not False:
                yield from _below(layout, side.child, found.usual, found.most, (*above, side.child))


def _children_of(facts: Facts, each: RelationshipSpec, side: Side) -> tuple[float, float]:
    """Children of one parent usually and at most: as said, else all children over all parents."""
    said = each.avg if side.parent == each.source else None
    usual = facts.counts[side.child] / max(1.0, facts.counts[side.parent]) if said is None else said
    most = (each.max or each.p99 or usual) if side.parent == each.source else usual
    return usual, most


def _actions_for(entries: Entries, entity: str) -> float:
    """Actions of a transaction that deletes one item: itself, its copies and what else is written along with it."""
    return sum(each.share for each in entries if each.owner == entity and each.kind != "index")


def delete_units(entries: Entries, entity: str) -> float:
    """Write units to delete one item with all its entries, index entries included."""
    return sum(each.share * write_wcu(ceil(each.bytes), 0) for each in entries if each.owner == entity)


def count_actions(entries: Entries, entity: str, found: Iterable[Reach]) -> tuple[int, int]:
    """Actions to delete an item with all it reaches in one transaction: usually, and at most."""
    own, taken = _actions_for(entries, entity), tuple(found)
    usual = own + sum(each.usual * _actions_for(entries, each.side.child) for each in taken)
    most = own + sum(each.most * _actions_for(entries, each.side.child) for each in taken)
    return ceil(usual), ceil(most)


def describe_amount(reach: Reach) -> str:
    most = f" ({tally(reach.most, 'item')} at most)" if reach.most > reach.usual else ""
    return f"{tally(reach.usual, f'{reach.side.child} item')}{most}"


def describe_order(found: Iterable[Reach]) -> str:
    """How they go where the spec says that they do."""
    job = " So many are a job." if sum(each.most for each in found) > MOST_IN_A_CALL else ""
    return f"The parent goes first and they follow, in requests of their own, until none is left.{job}"


def describe_fit(actions: tuple[int, int]) -> str:
    """Whether that is one transaction, in a sentence."""
    usual, most = actions
    if most <= MAX_TRANSACTION_ACTIONS:
        return f"All fits one transaction: {most:,} of {MAX_TRANSACTION_ACTIONS} actions at most."
    stepwise = (
        "delete the children in batches of 25 first and the parent last, so that a run that stops can be run again"
    )
    if usual <= MAX_TRANSACTION_ACTIONS:
        return f"Usually one transaction ({usual:,} actions), but not for the largest ({most:,}): {stepwise}."
    return f"No transaction holds it ({usual:,} actions, {MAX_TRANSACTION_ACTIONS} are the most): {stepwise}."
