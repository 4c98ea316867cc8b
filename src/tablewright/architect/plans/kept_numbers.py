"""Numbers that are kept: an item type for all numbers of an entity with the same groups, and the read that gets one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from tablewright.design.cost.growth import growth_of
from tablewright.design.layout.forms import ReadPart, Rewritten, capital, fresh_name, with_entity, with_patterns
from tablewright.design.serving.filters import equalities
from tablewright.spec.model import AttributeSpec, EntitySpec
from tablewright.spec.volumes import distinct, presence

if TYPE_CHECKING:
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import Aggregate, PatternSpec

KeptKind: TypeAlias = Literal["total", "trailing", "latest"]


def may_keep(facts: Facts, pattern: PatternSpec) -> bool:
    """Whether a number can be kept at all, whoever does it: nobody takes off what expires or adds up a range."""
    entity = facts.spec.entities[pattern.entity]
    assert pattern.aggregate is not None
    return (
        "total" in entity.rewrites
        and pattern.aggregate.kind in ("count", "sum")
        and pattern.range is None
        and equalities(pattern) == set(pattern.filter)
        and entity.ttl is None
        and set(group_of(pattern)) <= set(entity.attributes)
    )


def group_of(pattern: PatternSpec) -> tuple[str, ...]:
    """What the items of one number have in common."""
    return tuple(sorted({*pattern.by, *equalities(pattern)}))


def add_number(form: Rewritten, pattern_id: str, kind: KeptKind, window_seconds: int = 0) -> Rewritten:
    """One item type for all numbers of an entity with the same groups that are kept in the same way."""
    pattern = form.asked.spec.pattern(pattern_id)
    assert pattern is not None
    assert pattern.aggregate is not None
    group = group_of(pattern)
    kept = _kept_for(form, pattern.entity, group, kind) or group_item(form, pattern.entity, group, kind, "Total")
    name = _attribute_of(pattern.aggregate)
    kept = msgspec.structs.replace(
        kept,
        attributes={**kept.attributes, name: AttributeSpec(name=name, type="number", required=True)},
        totals={**kept.totals, name: pattern.aggregate},
        window_seconds=min(kept.window_seconds or window_seconds, window_seconds),
    )
    asked = tuple(sorted(pattern.by))  # what is filtered besides, the key takes
    read = msgspec.structs.replace(pattern, kind="get", entities=(kept.name,), by=asked, aggregate=None, returns=())
    return msgspec.structs.replace(
        form,
        spec=with_patterns(with_entity(form.spec, kept), pattern.id, read),
        reads={**form.reads, pattern.id: (ReadPart(pattern=pattern.id),)},
        aggregates={**form.aggregates, pattern.id: {"total": name}},
    )


def _attribute_of(aggregate: Aggregate) -> str:
    return "total" if aggregate.kind == "count" else f"{aggregate.attr}Total"


def _kept_for(form: Rewritten, entity: str, group: tuple[str, ...], kind: KeptKind) -> EntitySpec | None:
    return next(
        (each for each in form.spec.entities.values() if each.kind == kind and each.of == entity and each.id == group),
        None,
    )


def group_item(form: Rewritten, entity: str, group: tuple[str, ...], kind: KeptKind, called: str) -> EntitySpec:
    """An item for every group of an entity's items, as it is before anything is kept in it."""
    facts, spec = form.asked, form.asked.spec.entities[entity]
    groups = 1.0 if not group else distinct(facts, entity, group)
    for name in group:
        groups *= presence(facts, entity, name)
    by = "By" + "".join(capital(name) for name in group) if group else ""
    growing = growth_of(facts, entity).added_per_month * groups / facts.counts[entity]
    by_share = spec.growth_share is not None or facts.spec.month_growth is not None
    return EntitySpec(
        name=fresh_name(form.spec.entities, f"{entity}{called}{by}"),
        id=group,
        attributes={name: msgspec.structs.replace(spec.attributes[name], required=True) for name in group},
        count=max(1.0, groups),
        growth_per_month=None if by_share else growing,
        growth_share=spec.growth_share,
        kind=kind,
        of=entity,
    )
