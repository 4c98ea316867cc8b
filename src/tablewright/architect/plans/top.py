"""The first items of a list in one item per group, a little behind (`stale`): a function that follows the stream keeps
it.

A read gets one item, and no index has to have the order: of a leaderboard whose scores change all the time an index
would be written for every change, while the list is written when its first places change, for many changes at once.

When one of the first leaves or falls behind, nobody knows who comes next without reading the group. So a list is kept
only where that cannot happen: the spec deletes none of these items, lets none expire, and every write that changes what
the list shows makes the item better in its order (`add` of a number above 0, or the condition that what is stored is
less than what is given). Then what is left out of the list stays out until it is written again, a record that comes
again changes nothing, and the list is the same in whatever order records of different items come.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.kept_numbers import group_item
from tablewright.architect.plans.plan import FormPlan
from tablewright.design.layout.forms import ReadPart, Rewrite, Rewritten, fresh_name, with_entity, with_patterns
from tablewright.design.serving.trailing import LEAST_STALE_SECONDS, window_seconds
from tablewright.design.serving.writes import changed_by
from tablewright.expr.nodes import Or, Slot
from tablewright.spec.conditions import Predicate, absent, compare
from tablewright.spec.model import AttributeSpec, Top
from tablewright.spec.volumes import attribute_bytes
from tablewright.spec.writes import effect_on

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec, SortSpec, Spec
    from tablewright.spec.writes import Effect

MOST_BYTES = 64 * 1024
"""Of a list: each of its writes is a write of all of it."""
MAP_BYTES, ENTRY_BYTES = 3, 1
"""What DynamoDB adds for a map, and for each of its entries."""
ORDERED = ("string", "number", "timestamp")
SHOWN = (*ORDERED, "boolean")
"""What a record tells whole, in every language; a binary value comes as text to one that follows."""


def _offer(facts: Facts) -> Iterator[Rewrite]:
    for pattern in facts.spec.reads:
        if pattern.stale is not None and pattern.aggregate is None and _can_keep(facts, pattern):
            yield Rewrite("top", pattern.entity, (pattern.id,))


def _can_keep(facts: Facts, pattern: PatternSpec) -> bool:
    entity = facts.spec.entities[pattern.entity]
    return (
        _is_one_list(facts, pattern)
        and (pattern.stale or 0.0) >= LEAST_STALE_SECONDS
        and pattern.consistency != "strong"
        and "total" in facts.spec.constraints.rewrites
        and "total" in entity.rewrites
        and (pattern.tenant is None or pattern.tenant in pattern.by)
        and not facts.spec.is_global  # the functions of two regions would write one list over another
        and entity.ttl is None
        and not _goes_with_another(facts.spec, entity.name)
        and all(_only_improves(facts, pattern, each) for each in facts.writes if entity.name in each.entities)
        and _list_bytes(facts, pattern, float(pattern.limit or 0)) <= MOST_BYTES
    )


def _is_one_list(facts: Facts, pattern: PatternSpec) -> bool:
    """Whether the groups stay what they are, and every item has its place in the order of one."""
    entity = facts.spec.entities[pattern.entity]
    names = {each.attr for each in pattern.sort}
    plain = not (pattern.range or pattern.filter or pattern.through or pattern.limits or pattern.search)
    return (
        pattern.kind == "query"
        and len(pattern.entities) == 1
        and plain
        and bool(pattern.limit and pattern.sort)
        and not names & set(pattern.by)
        and {*names, *pattern.by} <= facts.present[entity.name]
        and not set(pattern.by) & facts.changing[entity.name]
        and set(pattern.returns) <= set(entity.attributes)
        and all(entity.attributes[name].type in ORDERED for name in {*names, *entity.id})
        and all(entity.attributes[name].type in SHOWN for name in shown_of(facts, pattern))
    )


def _goes_with_another(spec: Spec, entity: str) -> bool:
    return any(each.cascade and entity in (each.target, each.via) for each in spec.relationships)


def shown_of(facts: Facts, pattern: PatternSpec) -> tuple[str, ...]:
    """What a list has of each item: what is answered, what it is ordered by, and who it is."""
    entity = facts.spec.entities[pattern.entity]
    wanted = {*(pattern.returns or entity.attributes), *entity.id, *(each.attr for each in pattern.sort)}
    return tuple(name for name in entity.attributes if name in wanted)


# ---- writes that only make better -----------------------------------------------------------------------------------


def _only_improves(facts: Facts, pattern: PatternSpec, write: PatternSpec) -> bool:
    """Whether an item that is there has a better place after a write, or is shown as before."""
    effect, first = effect_on(facts, write, pattern.entity), pattern.sort[0]
    match effect.op:
        case "put":
            return effect.existence == "new" or _demands_better(effect, first)
        case "update":
            shown = set(shown_of(facts, pattern))
            return not changed_by(facts, write, pattern.entity) & shown or _raises(effect, first)
        case "check":
            return True
        case _:
            return False


def _raises(effect: Effect, first: SortSpec) -> bool:
    change = next((each for each in effect.changes if each.attr == first.attr), None)
    if change is None or change.kind == "remove":
        return False
    if change.kind == "add":
        amount = change.value
        is_number = isinstance(amount, int | float) and not isinstance(amount, bool)
        return is_number and (amount > 0 if first.order == "desc" else amount < 0)
    return change.kind == "given" and not effect.gives_any and _demands_better(effect, first)


def _demands_better(effect: Effect, first: SortSpec) -> bool:
    """Whether it is refused unless the value given comes before the stored one."""
    better = compare(first.attr, "<" if first.order == "desc" else ">", Slot(first.attr))
    wanted = {frozenset((better,)), frozenset((better, absent(first.attr)))}  # every item that is there has it
    return any(_choices(each) in wanted for each in (effect.when.parts if effect.when is not None else ()))


def _choices(condition: Predicate) -> frozenset[Predicate]:
    """What it joins by OR."""
    parts = condition.tree.parts if isinstance(condition.tree, Or) else (condition.tree,)
    return frozenset(Predicate(each) for each in parts)


# ---- applying -------------------------------------------------------------------------------------------------------


def _list_bytes(facts: Facts, pattern: PatternSpec, places: float) -> int:
    name = len(place_name(0, pattern.limit or 1))
    shown = (attribute_bytes(facts, pattern.entity, each) + ENTRY_BYTES for each in shown_of(facts, pattern))
    return MAP_BYTES + ceil(places * (name + ENTRY_BYTES + MAP_BYTES + sum(shown)))


def place_name(at: int, most: int) -> str:
    """`07` of 20: the order of the names is that of the places."""
    return str(at).zfill(len(str(most - 1)))


def _keep_list(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    facts, (id_,) = form.asked, rewrite.attributes
    pattern = facts.spec.pattern(id_)
    assert pattern is not None
    assert pattern.limit is not None
    assert pattern.stale is not None
    group = tuple(sorted(pattern.by))
    kept = group_item(form, pattern.entity, group, "trailing", "Top")
    taken = {name: name for each in form.spec.entities.values() if each.top is None for name in each.attributes}
    inside = fresh_name(taken, "top")
    places = min(float(pattern.limit), facts.counts[pattern.entity] / (kept.count or 1.0))
    held = AttributeSpec(name=inside, type="map", size_bytes=_list_bytes(facts, pattern, places), required=True)
    kept = msgspec.structs.replace(
        kept,
        attributes={**kept.attributes, inside: held},
        top=Top(inside=inside, sort=pattern.sort, most=pattern.limit, shows=shown_of(facts, pattern)),
        window_seconds=window_seconds(pattern.stale),
    )
    read = msgspec.structs.replace(
        pattern, kind="get", entities=(kept.name,), by=group, sort=(), limit=None, items=None, returns=()
    )
    part = ReadPart(pattern=id_, unfold=inside, entities=pattern.entities)
    return msgspec.structs.replace(
        form,
        spec=with_patterns(with_entity(form.spec, kept), id_, read),
        reads={**form.reads, id_: (part,)},
    )


def _exclude(top: Rewrite, other: Rewrite) -> bool:
    """The records of what is divided or lies in another item do not tell what an entry shows."""
    return other.kind in ("embed", "split") and other.subject == top.subject


TOP = FormPlan(
    kind="top",
    text="{subject} with the first of {attributes} in one item, kept by a function that follows the stream",
    reason="the first items may be behind, and only ever get better: a function keeps them in one item, so that no"
    " index is written for every change",
    without="{} read in order by a key",
    offers=_offer,
    apply=_keep_list,
    excludes=_exclude,
)
