"""Items that lack an attribute of the order a pattern asks for, and how a key can put them where they belong.

A key ends where its first absent attribute of `rest` would stand, so that such an item sorts before all that have it:
read upwards they come first, read backwards last. Where they belong to the other end, those that have the attribute
are read by a range and the others by the shorter key, one list behind the other. An item without an attribute of
`lead` is not in the index at all, and behind an absent attribute a key says nothing of those that follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

if TYPE_CHECKING:
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec, SortSpec

Lacking: TypeAlias = Literal["", "omitted", "before", "behind"]
"""Read along with the others, kept out by the key, or read by a request of their own before or behind the others."""


class Placing(msgspec.Struct, frozen=True):
    """What becomes of items without an attribute of the order; `demands` are left for a filter to find there."""

    lacking: Lacking = ""
    demands: tuple[str, ...] = ()


def demanded(pattern: PatternSpec) -> set[str]:
    """The attributes without which an item is no answer to a pattern."""
    ranged = {pattern.range.attr} if pattern.range is not None else set[str]()
    sorted_by = {each.attr for each in pattern.sort} if pattern.absent == "omit" else set[str]()
    return {*pattern.by, *pattern.filter, *ranged, *sorted_by}


def asked_order(pattern: PatternSpec) -> list[SortSpec]:
    """What orders an answer: all items have the same value of an input."""
    return [each for each in pattern.sort if each.attr not in pattern.by]


def place_absent(facts: Facts, pattern: PatternSpec, shape: Shape, at: int) -> Placing | None:
    """How a key does it whose order begins with its sort attribute number `at`; None where it cannot be had."""
    order = asked_order(pattern)
    lacking = lacked(facts, pattern, shape)
    inside = [number for number in lacking if at + number >= len(shape.lead)]
    if pattern.absent == "omit":
        demands = tuple(order[number].attr for number in inside if number > 0)
        return Placing("omitted" if 0 in inside else "", demands)
    if not lacking:
        return Placing("omitted" if _is_kept_out(facts, pattern, shape, at) else "")
    if inside != lacking or lacking != [len(order) - 1]:
        return None
    if comes_in_place(pattern):
        return Placing()
    return None if len(order) > 1 else Placing("behind" if pattern.absent == "last" else "before")


def lacked(facts: Facts, pattern: PatternSpec, shape: Shape) -> list[int]:
    """The attributes of the order, by their number in it, without which an item may be in the index and in question."""
    held, lacking = {name for name, _ in shape.when}, may_lack(facts, pattern, shape.entity)
    names = [each.attr for each in asked_order(pattern)]
    return [number for number, name in enumerate(names) if name in lacking - held]


def may_lack(facts: Facts, pattern: PatternSpec, entity: str) -> set[str]:
    """The attributes of the order that items may lack which match everything else."""
    known = facts.spec.entities[entity].attributes
    kept_out = demanded(msgspec.structs.replace(pattern, absent="last"))
    names = {each.attr for each in asked_order(pattern)} & known.keys()
    return names - facts.present[entity] - kept_out


def comes_in_place(pattern: PatternSpec) -> bool:
    """Whether the order of keys has items without the attribute where the pattern wants them."""
    order = asked_order(pattern)
    return not order or pattern.absent == ("first" if order[0].order == "asc" else "last")


def _is_kept_out(facts: Facts, pattern: PatternSpec, shape: Shape, at: int) -> bool:
    """Whether a range or filter drops items without the first attribute of the order, which a key need not read."""
    names = [each.attr for each in asked_order(pattern)[:1]]
    return at >= len(shape.lead) and any(name not in facts.present[shape.entity] for name in names)
