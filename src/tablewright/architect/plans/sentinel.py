"""Unique values: a sentinel item for each, put together with the item on the condition that there is none yet.

It is deleted with its item, and replaced when the value changes.

A table key that holds more than the id lets two items with one id in; where the spec says that an id is unique (or a
put is for what does not exist), either the key is the id alone or a sentinel keeps it. Reads by a unique attribute may
go through its sentinel: two GetItems, which can be cheaper than an index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import FormPlan
from tablewright.architect.plans.writing import Companion, WriteSubject, key_attributes, key_templates, pk_field
from tablewright.design.layout.forms import (
    ReadPart,
    Rewrite,
    Rewritten,
    capital,
    fresh_name,
    step_id,
    with_entity,
    with_patterns,
)
from tablewright.design.model import WriteStep
from tablewright.design.serving.filters import equalities
from tablewright.design.serving.writes import operation_on
from tablewright.design.values.templates import Path, slot
from tablewright.spec.conditions import absent, exists
from tablewright.spec.facts import only_creates
from tablewright.spec.model import EntitySpec
from tablewright.spec.writes import effects_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.model import ItemType
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def _demand(facts: Facts) -> Iterator[tuple[Rewrite, ...]]:
    """For every unique set the ways to keep it, of which one must be taken."""
    for name, entity in facts.spec.entities.items():
        across = [(attr,) for group in facts.spec.unique for owner, attr in group if owner == name]
        groups = dict.fromkeys((*(tuple(group) for group in entity.unique), *across))
        for group in groups:
            if not set(group) >= set(entity.id):
                yield (Rewrite("unique", name, group),)
        is_kept = any(set(group) == set(entity.id) for group in groups)
        if is_kept or _is_made_once(facts, name) or _is_demanded(facts, name):
            yield (Rewrite("exact", name), Rewrite("unique", name, entity.id))


def _is_made_once(facts: Facts, entity: str) -> bool:
    """Whether a put is refused where the id exists."""
    return any(
        operation_on(facts, each, entity) == "put" and only_creates(facts.spec, each, entity)
        for each in facts.writes
        if entity in each.entities
    )


def _is_demanded(facts: Facts, entity: str) -> bool:
    """Whether a child is written only where this is, which its id alone must tell."""
    return any(
        parent.entity == entity
        for each in facts.writes
        for effect in effects_of(facts, each)
        for parent in effect.parents
    )


def _offer_lookups(facts: Facts) -> Iterator[Rewrite]:
    for name, entity in facts.spec.entities.items():
        if "lookup" not in entity.rewrites:
            continue
        for group in dict.fromkeys(entity.unique):
            if _is_across(facts, name, group) or set(group) >= set(entity.id):
                continue
            if any(_answers(each, name, group) for each in facts.spec.reads):
                yield Rewrite("lookup", name, group)


def _is_across(facts: Facts, entity: str, group: tuple[str, ...]) -> bool:
    """Whether a sentinel may be another entity's, so that it finds nothing."""
    return any((entity, *group) in several for several in facts.spec.unique)


def _answers(pattern: PatternSpec, entity: str, group: tuple[str, ...]) -> bool:
    """Whether a sentinel finds the one item that a read can have; a filter may say a part of what is unique."""
    return (
        pattern.entities == (entity,)
        and pattern.through is None
        and {*pattern.by, *pattern.filter} == set(group)
        and equalities(pattern) == set(pattern.filter)
        and pattern.range is None
        and not pattern.sort  # an item without what is sorted by is no part of the answer
        and pattern.aggregate is None
        and pattern.tenant is None
    )


def _sentinel_name(entity: str, group: tuple[str, ...]) -> str:
    return entity + "".join(capital(name) for name in group)


# ---- applying -------------------------------------------------------------------------------------------------------


def _keep_exact(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    return msgspec.structs.replace(form, exact=(*form.exact, rewrite.subject))


def _add_sentinel(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    facts, entity = form.asked, form.asked.spec.entities[rewrite.subject]
    group = rewrite.attributes
    held = dict.fromkeys((*group, *entity.id))
    sentinel = EntitySpec(
        name=fresh_name(form.spec.entities, _sentinel_name(entity.name, group)),
        id=group,
        attributes={
            **{name: entity.attributes[name] for name in entity.said_expiry},
            **{name: msgspec.structs.replace(entity.attributes[name], required=True) for name in held},
        },
        count=facts.counts[entity.name],
        growth_per_month=entity.growth_per_month,
        growth_share=entity.growth_share,
        ttl=entity.ttl,
        kind="sentinel",
        of=entity.name,
        shares=_shared_with(form, entity.name, group),
    )
    return msgspec.structs.replace(form, spec=with_entity(form.spec, sentinel))


def _shared_with(form: Rewritten, entity: str, group: tuple[str, ...]) -> str:
    """The sentinel that keeps the same values of another entity; the first of them has its own keys."""
    together = [each for each in form.asked.spec.unique if (entity, *group) in each]
    return next(
        (
            each.shares or each.name
            for each in form.spec.entities.values()
            if each.kind == "sentinel" and any((each.of, *each.id) in several for several in together)
        ),
        "",
    )


def _read_sentinel(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    """Every read by the unique attributes: the sentinel first, then the item by its id."""
    entity = form.asked.spec.entities[rewrite.subject]
    sentinel = next(
        each.name
        for each in form.spec.entities.values()
        if each.kind == "sentinel" and each.of == entity.name and each.id == rewrite.attributes
    )
    spec, reads = form.spec, dict(form.reads)
    for pattern in form.asked.spec.reads:
        if _answers(pattern, entity.name, rewrite.attributes):
            plain = msgspec.structs.replace(pattern, kind="get", sort=(), limit=None, rate=form.asked.rates[pattern.id])
            asked = tuple(name for name in rewrite.attributes if name in pattern.by)  # a filter stands in the key
            first = msgspec.structs.replace(plain, entities=(sentinel,), by=asked, returns=())
            second = msgspec.structs.replace(plain, id=step_id(spec, pattern.id), by=entity.id)
            spec = with_patterns(spec, pattern.id, first, second)
            reads[pattern.id] = (ReadPart(pattern=first.id), ReadPart(pattern=second.id, keys_from=0))
    return msgspec.structs.replace(form, spec=spec, reads=reads)


# ---- written along --------------------------------------------------------------------------------------------------


def _known(sentinel: ItemType) -> set[str]:
    return set(key_attributes(sentinel))


def _carried(sentinel: ItemType) -> set[str]:
    """What it holds besides its key."""
    return {each.name for each in sentinel.attributes} - set(key_attributes(sentinel))


def _put(subject: WriteSubject, sentinel: ItemType) -> WriteStep:
    stored = {each.name for each in sentinel.attributes}
    return WriteStep(
        operation="PutItem",
        item=sentinel.name,
        table=sentinel.table,
        key=key_templates(sentinel, subject.names),
        all_attributes=True,
        set={Path(name): slot(source) for name, source in subject.names.items() if name in stored},
        condition=absent(pk_field(sentinel)),
        unless_same=subject.changed_keys(sentinel),
        each=subject.list_name,
        why=f"no other {sentinel.entity} may have the same {' and '.join(sentinel.id)}",
    )


def _renew(subject: WriteSubject, sentinel: ItemType) -> WriteStep | None:
    """It stays for as long as its item does, which may be another time now."""
    if not (subject.replaces or _carried(sentinel) & set(subject.written)):
        return None
    put, pointed = _put(subject, sentinel), tuple(sorted(_carried(sentinel) - set(subject.own.id)))
    renewed = msgspec.structs.replace(put, condition=None, unless_same=(), if_same=put.unless_same)
    if _expires(subject):
        return msgspec.structs.replace(renewed, why=f"expires with its {sentinel.entity}")
    said = msgspec.structs.replace(renewed, unless_same=pointed, why=f"says where the {sentinel.entity} is now")
    return said if pointed else None


def _expires(subject: WriteSubject) -> bool:
    return subject.facts.spec.entities[subject.entity].ttl is not None


def _remove(subject: WriteSubject, sentinel: ItemType, names: Mapping[str, str]) -> WriteStep:
    return WriteStep(
        operation="DeleteItem",
        item=sentinel.name,
        table=sentinel.table,
        key=key_templates(sentinel, names),
        condition=None if _expires(subject) else exists(pk_field(sentinel)),  # it may have gone before its item
        unless_same=subject.changed_keys(sentinel),
        each=subject.list_name,
        why=f"{' and '.join(sentinel.id)} may be taken again",
    )


def _update(subject: WriteSubject, sentinel: ItemType) -> WriteStep:
    """It goes when its item does, and says where that is."""
    names = _carried(sentinel) & set(subject.written)
    return WriteStep(
        operation="UpdateItem",
        item=sentinel.name,
        table=sentinel.table,
        key=key_templates(sentinel, subject.old_names),
        set={Path(name): slot(subject.names.get(name, name)) for name in sorted(names)},
        unless_same=tuple(sorted(names)),  # an update may bring none of these
        why=f"follows its {sentinel.entity}",
    )


_COMPANION = Companion(
    kind="sentinel", known=_known, follows=_carried, put=_put, remove=_remove, update=_update, renew=_renew
)

UNIQUE = FormPlan(
    kind="unique",
    text="{subject} with a small item for every value of {attributes}",
    reason="a small item for every value, written in the same transaction, keeps it unique",
    demands=_demand,
    apply=_add_sentinel,
    companion=_COMPANION,
)
EXACT = FormPlan(
    kind="exact",
    text="{subject} under its id alone in the table",
    reason="the id and nothing else is the table key, so the table itself keeps the id unique",
    apply=_keep_exact,
)
LOOKUP = FormPlan(
    kind="lookup",
    text="{subject} found by the small item that keeps {attributes} unique",
    reason="the small item that keeps the value unique also finds its owner: two reads instead of an index",
    without="{} found by an index",
    offers=_offer_lookups,
    apply=_read_sentinel,
)
