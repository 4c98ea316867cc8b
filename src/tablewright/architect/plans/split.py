"""Large attributes that are seldom asked for, in a detail item of their own.

Every read of the main item becomes smaller; a read that needs the rest fetches the detail by its id as well. Only
attributes that nothing compares, sorts by, keeps unique or adds up are moved, and only when every write knows the id
and what it changes, and no answer of several entities, or behind a list,
needs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import FormPlan
from tablewright.design.layout.forms import (
    ReadPart,
    Rewrite,
    Rewritten,
    fresh_name,
    step_id,
    with_entity,
    with_patterns,
)
from tablewright.design.serving.answers import answer_items
from tablewright.spec.listing import asked_reads
from tablewright.spec.model import EntitySpec, Rate
from tablewright.spec.volumes import attribute_bytes
from tablewright.spec.writes import effect_on

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

LEAST_BYTES = 1024
"""Smaller attributes save less than the second item costs."""


def _offer(facts: Facts) -> Iterator[Rewrite]:
    for name, entity in facts.spec.entities.items():
        cold = _cold_attributes(facts, name)
        asked = (*asked_reads(facts.spec), *facts.spec.writes)
        tenants = {each.tenant for each in asked if name in each.entities and each.tenant}
        reached = all(
            _knows_id(facts, each, entity) and _knows_changes(facts, each, name) for each in _writes_of(facts, name)
        )
        alone = all(
            len(each.entities) == 1 and each.through is None
            for each in facts.spec.reads
            if name in each.entities and _needs(each, cold)
        )
        if cold and "split" in entity.rewrites and tenants <= set(entity.id) and reached and alone:
            yield Rewrite("split", name, cold)


def _cold_attributes(facts: Facts, name: str) -> tuple[str, ...]:
    """The large attributes that some read does not return and that nothing but returning is done with."""
    entity, used = facts.spec.entities[name], set(_used_attributes(facts, name))
    partial = [each for each in facts.spec.reads if name in each.entities and each.returns]
    return tuple(
        attr
        for attr in entity.attributes
        if attr not in used
        and attribute_bytes(facts, name, attr) >= LEAST_BYTES
        and any(attr not in each.returns for each in partial)
    )


def _used_attributes(facts: Facts, name: str) -> Iterator[str]:
    entity = facts.spec.entities[name]
    yield from (*entity.id, *facts.references[name], *(attr for group in entity.unique for attr in group))
    if entity.ttl is not None and entity.ttl.attribute is not None:
        yield entity.ttl.attribute
    for each in (*asked_reads(facts.spec), *facts.spec.writes):
        if name in each.entities:
            yield from (*each.by, *each.filter, *(part.attr for part in each.sort))
            yield from (part.attr for part in (each.range, each.aggregate) if part is not None)
            yield from (attr for attr in entity.attributes if attr in (each.tenant, each.search))
    for each in _writes_of(facts, name):
        effect = effect_on(facts, each, name)
        yield from (*effect.by, *(() if effect.when is None else effect.when.attributes))
        yield from (effect.version,) if effect.version else ()


def _writes_of(facts: Facts, name: str) -> list[PatternSpec]:
    return [each for each in facts.writes if name in each.entities]


def _knows_id(facts: Facts, write: PatternSpec, entity: EntitySpec) -> bool:
    effect = effect_on(facts, write, entity.name)
    return effect.op == "put" or set(entity.id) <= set(effect.by) or write.op == "transact"


def _knows_changes(facts: Facts, write: PatternSpec, name: str) -> bool:
    """Whether it is said which attributes an update changes, and so which of the two items."""
    return not effect_on(facts, write, name).gives_any


def _needs(pattern: PatternSpec, cold: tuple[str, ...]) -> bool:
    return pattern.aggregate is None and (not pattern.returns or bool(set(pattern.returns) & set(cold)))


# ---- applying -------------------------------------------------------------------------------------------------------


def _divide(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    facts, whole, cold = form.asked, form.spec.entities[rewrite.subject], rewrite.attributes
    moved = sum(attribute_bytes(facts, whole.name, attr) for attr in cold)
    detail = EntitySpec(
        name=fresh_name(form.spec.entities, f"{whole.name}Detail"),
        id=whole.id,
        attributes={attr: whole.attributes[attr] for attr in (*whole.id, *cold, *whole.said_expiry)},
        count=facts.counts[whole.name],
        growth_per_month=whole.growth_per_month,
        growth_share=whole.growth_share,
        ttl=whole.ttl,
        kind="detail",
        of=whole.name,
    )
    main = msgspec.structs.replace(
        whole,
        attributes={attr: spec for attr, spec in whole.attributes.items() if attr not in cold},
        size_bytes=None if whole.size_bytes is None else max(1, whole.size_bytes - moved),
    )
    found = msgspec.structs.replace(form, spec=with_entity(with_entity(form.spec, main), detail))
    for pattern in form.asked.spec.reads:
        if whole.name in pattern.entities and _needs(pattern, cold):
            found = _join_detail(found, pattern, detail, cold)
    return found


def _join_detail(form: Rewritten, pattern: PatternSpec, detail: EntitySpec, cold: tuple[str, ...]) -> Rewritten:
    """The pattern itself, and the detail of every item it finds."""
    facts, rate = form.asked, form.asked.rates[pattern.id]
    items = 1.0 if pattern.kind == "get" else answer_items(facts, pattern, detail.of)
    first = msgspec.structs.replace(
        pattern, returns=tuple(attr for attr in pattern.returns if attr not in cold), rate=rate
    )
    second = msgspec.structs.replace(
        pattern,
        id=step_id(form.spec, pattern.id),
        kind="get",
        entities=(detail.name,),
        by=detail.id,
        range=None,
        sort=(),
        filter={},
        limit=None,
        items=None,
        returns=(),
        tenant=None,
        rate=Rate(avg=rate.avg * items, peak=(rate.peak or 0.0) * items),
    )
    return msgspec.structs.replace(
        form,
        spec=with_patterns(form.spec, pattern.id, first, second),
        reads={
            **form.reads,
            pattern.id: (
                ReadPart(pattern=first.id),
                ReadPart(pattern=second.id, keys_from=0, joins=True, entities=(detail.of,)),
            ),
        },
    )


def _exclude(split: Rewrite, other: Rewrite) -> bool:
    """The item that a sentinel finds is read whole."""
    return other.kind == "lookup" and other.subject == split.subject


SPLIT = FormPlan(
    kind="split",
    text="{subject} without {attributes}, which are in an item of their own",
    reason="the large attributes are seldom asked for, so that all other reads and writes stay small without them",
    without="{} in one piece",
    offers=_offer,
    excludes=_exclude,
    apply=_divide,
)
