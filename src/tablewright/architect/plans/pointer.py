"""Items that move: a table key may hold what a put or an update changes, if a small item says where the item is. So it
may hold what never changes and a writer does not know.

The small item is the sentinel of the id, and has the other attributes of the table key besides. A put that replaces
reads it, deletes the item where it was, and writes item and sentinel anew, all in one transaction; whoever knows only
the id finds the item through it. That asks more of every writer than an index does, so that it is taken for the sake of
reads that must be consistent, or where indexes are to be few, and not to save a little money.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import FormPlan
from tablewright.architect.plans.prices import is_transaction
from tablewright.architect.plans.shapes import can_move, locating, table_key_attributes
from tablewright.architect.plans.sizes import least_item_bytes
from tablewright.design.cost.prices import GB, SECONDS_PER_MONTH, Prices
from tablewright.design.layout.forms import Rewrite, Rewritten, capital, facts_of, fresh_name, with_entity
from tablewright.design.serving.shapes import Shape
from tablewright.design.serving.writes import changed_by, operation_on, replaces
from tablewright.spec.model import EntitySpec
from tablewright.spec.volumes import attribute_bytes
from tablewright.wire.capacity import write_wcu
from tablewright.wire.limits import ITEM_STORAGE_OVERHEAD_BYTES

if TYPE_CHECKING:
    from tablewright.architect.plans.values import Choice
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


WORTH = 50_000_000
"""Micro-dollars a month that a pointer has to save: a transaction and a read before it are work for every writer. A
rule, told where it costs.
"""


def moved_attributes(facts: Facts, shape: Shape) -> tuple[str, ...]:
    """The attributes of a table key that another item with the same id may have differently.

    Where there are none, those that a writer who knows the id alone has to be told: no index tells them in time.
    """
    if not can_move(facts, shape.entity):
        return ()
    moved = set(shape.attributes) - table_key_attributes(facts, shape.entity)
    return tuple(sorted(moved)) if moved or not _is_hidden(facts, shape) else _told(facts, shape)


def _is_hidden(facts: Facts, shape: Shape) -> bool:
    """Whether some writer gives the id and does not find the item by it: neither in the table nor by a second item, nor
    in an index that is there for those who read by the id.
    """
    ids = facts.spec.entities[shape.entity].id
    copies = facts.spec.constraints.copies
    if copies == "any" or (copies == "ids" and len(ids) > 1) or set(shape.attributes) <= set(ids):
        return False
    if any(shape.entity in each.entities and set(ids) <= set(each.by) for each in facts.spec.reads):
        return False
    asked = (set(each.by) for each in locating(facts, shape.entity))
    return any(by.issuperset(ids) and not by.issuperset(shape.partition) for by in asked)


def pointer_cost(facts: Facts, prices: Prices, shape: Shape) -> int:
    """Micro-dollars a month for what a key costs that may change: sentinels, reads of these, and transactions."""
    moved = moved_attributes(facts, shape)
    if not moved:
        return 0
    item = write_wcu(0, ceil(least_item_bytes(facts, shape.entity)))
    size = sum(attribute_bytes(facts, shape.entity, name) for name in shape.attributes)
    sentinel = 0.0 if _has_sentinel(facts, shape.entity) else write_wcu(0, size)
    wcu = rcu = 0.0
    for write in facts.writes:
        if shape.entity in write.entities:
            times = facts.rates[write.id].avg * SECONDS_PER_MONTH
            before = item * (2 if is_transaction(facts, write) else 1)
            wcu += times * _more_written(facts, write, shape, set(moved), item, before, sentinel)
            rcu += times * _is_read_first(facts, write, shape, set(moved))
    stored = size + ITEM_STORAGE_OVERHEAD_BYTES if sentinel else 0
    storage = facts.counts[shape.entity] * stored / GB * prices.storage_gb_month * 1e6
    return int(wcu * prices.write_per_million + rcu * prices.read_per_million + storage)


def pointer_rule(facts: Facts, shape: Shape) -> int:
    """What is given for a key that stays, in micro-dollars a month."""
    return WORTH if moved_attributes(facts, shape) else 0


def _told(facts: Facts, shape: Shape) -> tuple[str, ...]:
    """The attributes of a table key that somebody who knows the id must be told."""
    return tuple(sorted(set(shape.attributes) - set(facts.spec.entities[shape.entity].id)))


def _is_read_first(facts: Facts, write: PatternSpec, shape: Shape, moved: set[str]) -> bool:
    """Whoever says the whole key need not be told it, and sees the item only to move it."""
    if operation_on(facts, write, shape.entity) == "put":
        return replaces(facts, write, shape.entity)
    says_where = set(shape.attributes) <= set(write.by_of(shape.entity))
    return not says_where or bool(moved & changed_by(facts, write, shape.entity))


def _has_sentinel(facts: Facts, entity: str) -> bool:
    """Whether the id has one anyway, which then says where the item is besides."""
    ids = facts.spec.entities[entity].id
    return any(
        each.kind == "sentinel" and each.of == entity and each.id == ids for each in facts.spec.entities.values()
    )


def _more_written(
    facts: Facts, write: PatternSpec, shape: Shape, moved: set[str], item: float, before: float, sentinel: float
) -> float:
    """Write units beyond those that the item costs without a pointer; in a transaction everything counts twice."""
    if operation_on(facts, write, shape.entity) != "update":
        return 2 * item + 2 * sentinel - before
    moves = moved & changed_by(facts, write, shape.entity)
    return 4 * item + 2 * sentinel - before if moves else 0.0


# ---- applying -------------------------------------------------------------------------------------------------------


def with_pointers(form: Rewritten, facts: Facts, choice: Choice) -> tuple[Rewritten, Facts, Choice]:
    """What was chosen, with a pointer for every entity whose items move."""
    found = {shape.entity: _told(facts, shape) for shape in choice.base.values() if moved_attributes(facts, shape)}
    if not found:
        return form, facts, choice
    base = dict(choice.base)
    for entity, told in found.items():
        rewrite = Rewrite("pointer", entity, told)
        form = _point(msgspec.structs.replace(form, rewrites=(*form.rewrites, rewrite)), rewrite)
        pointer = _sentinel_of(form, entity)
        assert pointer is not None
        base.setdefault(pointer.name, Shape(pointer.name, pointer.id))
    return form, _same_patterns(facts_of(form), facts), msgspec.structs.replace(choice, base=base)


def _same_patterns(found: Facts, facts: Facts) -> Facts:
    """Whoever asks what a design is without some patterns has fewer of them than the form."""
    kept = {each.id for each in facts.spec.patterns}
    patterns = tuple(each for each in found.spec.patterns if each.id in kept)
    return msgspec.structs.replace(found, spec=msgspec.structs.replace(found.spec, patterns=patterns))


def _sentinel_of(form: Rewritten, entity: str) -> EntitySpec | None:
    ids = form.spec.entities[entity].id
    return next(
        (
            each
            for each in form.spec.entities.values()
            if each.kind == "sentinel" and each.of == entity and each.id == ids
        ),
        None,
    )


def _point(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    """The sentinel of the id, which there may be already, with these attributes as well."""
    entity = form.spec.entities[rewrite.subject]
    held = {
        name: msgspec.structs.replace(entity.attributes[name], required=True)
        for name in (*entity.id, *rewrite.attributes)
    }
    found = _sentinel_of(form, entity.name) or EntitySpec(
        name=fresh_name(form.spec.entities, entity.name + "".join(map(capital, entity.id))),
        id=entity.id,
        attributes={},
        count=form.asked.counts[entity.name],
        growth_per_month=entity.growth_per_month,
        growth_share=entity.growth_share,
        kind="sentinel",
        of=entity.name,
    )
    pointer = msgspec.structs.replace(found, attributes={**found.attributes, **held})
    return msgspec.structs.replace(form, spec=with_entity(form.spec, pointer))


POINTER = FormPlan(
    kind="pointer",
    text="{subject} keyed by {attributes} in the table, and a small item by its id that says where it is",
    reason="the key of the table holds more than the id, so that a small item finds the item by its id and follows it",
    apply=_point,
)
