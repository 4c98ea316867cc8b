"""The newest of a group: an item for every group, which names it or is a copy of it, kept in the transaction of puts.

The newest version of a document, the last trip of a driver, the latest reading of a meter: `by` one or more attributes,
sorted backwards, got as one item. A small item that names it makes that two GetItems, a copy one, in the table, which
can be consistent and need no key in that order.

A put reads that item first. Is the new item newer, it is named (or copied) in the transaction that writes it, on the
condition that nobody has named a newer one meanwhile; is it older, nothing has to be done, because the newest only ever
gets newer. So this is offered where no item goes (nobody would know which was the newest before it) and where neither
the group nor the order of an item can change; a copy where nothing that is answered can.

What is named is read consistently or not at all: its name might be seen before it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from tablewright.architect.plans.kept_numbers import group_item, group_of
from tablewright.architect.plans.plan import FormPlan
from tablewright.architect.plans.writing import Companion, WriteSubject, key_templates, pk_field
from tablewright.design.layout.forms import ReadPart, Rewrite, Rewritten, step_id, with_entity, with_patterns
from tablewright.design.model import WriteStep
from tablewright.design.serving.filters import equalities
from tablewright.design.serving.writes import new_names
from tablewright.design.values.templates import Path, slot
from tablewright.expr.nodes import And, Or, Slot
from tablewright.spec.conditions import Predicate, absent, compare
from tablewright.spec.links import deleted_by, reached_links
from tablewright.spec.model import PatternSpec
from tablewright.spec.volumes import period_of
from tablewright.spec.writes import effect_on, is_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.model import ItemType
    from tablewright.expr.nodes import Condition
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import EntitySpec

NewestKind: TypeAlias = Literal["latest", "newest"]
_COMPARED = ("string", "number", "timestamp")
"""Types whose values are compared alike everywhere: in the table, in keys and by whoever writes."""


def _offer_names(facts: Facts) -> Iterator[Rewrite]:
    return _offer(facts, "latest")


def _offer_copies(facts: Facts) -> Iterator[Rewrite]:
    return _offer(facts, "newest")


def _offer(facts: Facts, kind: NewestKind) -> Iterator[Rewrite]:
    found = (_rewrite_for(each, kind) for each in facts.spec.reads if _is_answered(facts, each, kind))
    for each in dict.fromkeys(found):
        if _stays(facts, each) and all(_keeps(facts, write, each) for write in _writes_of(facts, each.subject)):
            yield each


def _rewrite_for(pattern: PatternSpec, kind: NewestKind) -> Rewrite:
    return Rewrite(kind, pattern.entity, (*group_of(pattern), pattern.sort[0].attr))


def _is_answered(facts: Facts, pattern: PatternSpec, kind: NewestKind) -> bool:
    """Whether a read can be answered by what is named, or by a copy, of which nothing may change."""
    if not _asks_for_newest(pattern) or kind not in facts.spec.entities[pattern.entity].rewrites:
        return False
    needed = set(_needed(facts, pattern))
    if kind == "latest":
        return pattern.consistency == "strong" and needed <= facts.spec.entities[pattern.entity].attributes.keys()
    return needed <= facts.spec.entities[pattern.entity].attributes.keys() - facts.changing[pattern.entity]


def _needed(facts: Facts, pattern: PatternSpec) -> tuple[str, ...]:
    return pattern.returns or tuple(facts.spec.entities[pattern.entity].attributes)


def _asks_for_newest(pattern: PatternSpec) -> bool:
    """Whether a read wants one item of a group: the last one in an order."""
    return (
        len(pattern.entities) == 1
        and pattern.kind == "get"  # whoever has a list can go on to the older ones, page by page
        and [each.order for each in pattern.sort] == ["desc"]
        and pattern.through is None
        and pattern.range is None
        and pattern.aggregate is None
        and pattern.tenant in (None, *pattern.by)
        and bool(group_of(pattern))
        and equalities(pattern) == set(pattern.filter)
        and pattern.sort[0].attr not in group_of(pattern)
    )


def _stays(facts: Facts, rewrite: Rewrite) -> bool:
    """Whether an item has its group and its place in the order for ever, and never goes."""
    spec, entity = facts.spec, facts.spec.entities[rewrite.subject]
    settled = facts.present[entity.name] - facts.changing[entity.name]
    compared = [entity.attributes[name].type for name in entity.id]
    deleted = tuple(name for each in facts.writes for name in deleted_by(facts, each))
    gone = {*deleted, *(link.child for link in reached_links(spec, deleted))}
    return (
        set(rewrite.attributes) <= settled
        and not set(entity.id) <= set(rewrite.attributes[:-1])
        and _grows(entity, rewrite.attributes[-1])
        and all(each in _COMPARED for each in compared)
        and entity.ttl is None
        and entity.name not in gone
    )


def _grows(entity: EntitySpec, name: str) -> bool:
    """Whether what comes is as a rule the newest: it has a time, or is numbered. What is the greatest of anything else
    is seldom the last that came, and what many share tells no order.
    """
    attribute = entity.attributes[name]
    is_moment = attribute.type == "timestamp" and period_of(attribute) is None and attribute.cardinality is None
    return is_moment or (attribute.type == "number" and name == entity.id[-1])


def _writes_of(facts: Facts, entity: str) -> Iterator[PatternSpec]:
    return (each for each in facts.writes if entity in each.entities)


def _keeps(facts: Facts, write: PatternSpec, rewrite: Rewrite) -> bool:
    """Whether a write can keep what is the newest: not of several items, nor in a group of several tenants."""
    effect = effect_on(facts, write, rewrite.subject)
    is_apart = write.tenant in (None, *rewrite.attributes[:-1])
    return is_apart and not effect.upsert and not is_list(facts, write, rewrite.subject)


# ---- applying -------------------------------------------------------------------------------------------------------


def _keep_newest(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    facts, entity = form.asked, form.asked.spec.entities[rewrite.subject]
    kind: NewestKind = "newest" if rewrite.kind == "newest" else "latest"
    asked = [
        each for each in facts.spec.reads if _is_answered(facts, each, kind) and _rewrite_for(each, kind) == rewrite
    ]
    copied = {name for each in asked for name in _needed(facts, each)} if kind == "newest" else set[str]()
    latest = _item_of(form, rewrite, copied)
    form = msgspec.structs.replace(form, spec=with_entity(form.spec, latest))
    for write in _writes_of(facts, entity.name):
        if effect_on(facts, write, entity.name).op == "put":
            form = _put_with(form, write, latest)
    for pattern in asked:
        form = (_read_copy if copied else _read_named)(form, pattern, latest)
    return form


def _item_of(form: Rewritten, rewrite: Rewrite, copied: set[str]) -> EntitySpec:
    """The item of a group, with what tells which is the newer one, and what it has a copy of."""
    entity = form.asked.spec.entities[rewrite.subject]
    group, newest_by = rewrite.attributes[:-1], rewrite.attributes[-1]
    told = tuple(dict.fromkeys((*group, newest_by, *entity.id)))
    held = {name: msgspec.structs.replace(entity.attributes[name], required=True) for name in told}
    more = {name: each for name, each in entity.attributes.items() if name in copied and name not in held}
    return msgspec.structs.replace(
        group_item(form, entity.name, group, "latest", "Newest" if copied else "Latest"),
        attributes={**held, **more},
        newest_by=newest_by,
        size_bytes=entity.size_bytes if len(held) + len(more) == len(entity.attributes) else None,
    )


def _put_with(form: Rewritten, write: PatternSpec, latest: EntitySpec) -> Rewritten:
    """The put, with a read of what is the newest so far."""
    facts = form.asked
    names = new_names(facts, write, latest.of)
    read = PatternSpec(
        id=step_id(form.spec, write.id),
        kind="batch",
        entities=(latest.name,),
        by=latest.id,
        items=1.0,
        rate=facts.rates[write.id],
        skews=write.skews,
        regions=write.regions,
        tenant=write.tenant,
        consistency="strong",
    )
    part = ReadPart(
        pattern=read.id,
        given={name: names[name] for name in latest.id if name in names},
        takes={f"{latest.name}.{name}": name for name in _compared(facts.spec.entities[latest.of].id, latest)},
    )
    spec = msgspec.structs.replace(form.spec, patterns=(*form.spec.patterns, read))
    return msgspec.structs.replace(form, spec=spec, reads={**form.reads, write.id: (*form.parts(write.id), part)})


def _compared(ids: tuple[str, ...], latest: EntitySpec | ItemType) -> tuple[str, ...]:
    """What tells which of two items of a group is the newer one: of the same time, the one with the greater id."""
    return tuple(dict.fromkeys((latest.newest_by, *(name for name in ids if name not in latest.id))))


def _read_named(form: Rewritten, pattern: PatternSpec, latest: EntitySpec) -> Rewritten:
    """First the small item, then the one that it names: it is there, for nothing goes."""
    first = msgspec.structs.replace(_read_item(form, pattern, latest), returns=())
    second = msgspec.structs.replace(
        first,
        id=step_id(form.spec, pattern.id),
        entities=pattern.entities,
        by=tuple(
            dict.fromkeys((*form.asked.spec.entities[latest.of].id, *([pattern.tenant] if pattern.tenant else ())))
        ),
        filter={},
        returns=pattern.returns,
    )
    parts = (ReadPart(pattern=first.id), ReadPart(pattern=second.id, keys_from=0))
    spec = with_patterns(form.spec, pattern.id, first, second)
    return msgspec.structs.replace(form, spec=spec, reads={**form.reads, pattern.id: parts})


def _read_copy(form: Rewritten, pattern: PatternSpec, latest: EntitySpec) -> Rewritten:
    part = ReadPart(pattern=pattern.id, entities=pattern.entities)
    spec = with_patterns(form.spec, pattern.id, _read_item(form, pattern, latest))
    return msgspec.structs.replace(form, spec=spec, reads={**form.reads, pattern.id: (part,)})


def _read_item(form: Rewritten, pattern: PatternSpec, latest: EntitySpec) -> PatternSpec:
    """The item of a group; what is filtered besides, its key takes."""
    return msgspec.structs.replace(
        pattern,
        kind="get",
        entities=(latest.name,),
        by=tuple(sorted(pattern.by)),
        sort=(),
        limit=None,
        selectivity=None,
        rate=form.asked.rates[pattern.id],
    )


def _exclude(latest: Rewrite, other: Rewrite) -> bool:
    """What lies in another item is not named, and what is named is read whole; a copy needs no name besides."""
    is_same = other.kind in ("latest", "newest") and other != latest and other.attributes == latest.attributes
    return other.subject == latest.subject and (is_same or other.kind in ("embed", "split"))


# ---- written along --------------------------------------------------------------------------------------------------


def _nothing(_: ItemType) -> set[str]:
    """All that it has never changes."""
    return set()


def _put(subject: WriteSubject, latest: ItemType) -> WriteStep:
    compared = _compared(subject.own.id, latest)
    stored = {each.name for each in latest.attributes}
    return WriteStep(
        operation="PutItem",
        item=latest.name,
        table=latest.table,
        key=key_templates(latest, subject.names),
        all_attributes=True,
        set={Path(name): slot(source) for name, source in subject.names.items() if name in stored},
        condition=_is_older(latest, [(name, subject.names.get(name, name)) for name in compared]),
        if_newer=compared,
        why=f"names the newest {latest.entity} by {' and '.join(latest.id)}",
    )


def _is_older(latest: ItemType, named: list[tuple[str, str]]) -> Predicate:
    """There is none yet, or its first attribute that differs is less than the new one."""
    ways: list[Condition] = [absent(pk_field(latest)).tree]
    for at, (name, source) in enumerate(named):
        same = [compare(each, "=", Slot(its)).tree for each, its in named[:at]]
        less = compare(name, "<", Slot(source)).tree
        ways.append(And((*same, less)) if same else less)
    return Predicate(Or(tuple(ways)))


def _remove(_: WriteSubject, latest: ItemType, __: Mapping[str, str]) -> WriteStep:
    raise AssertionError(f"{latest.name} is kept only where no {latest.entity} goes")


def _update(_: WriteSubject, latest: ItemType) -> WriteStep:
    raise AssertionError(f"{latest.name} holds only what no update changes")


def _renew(_: WriteSubject, __: ItemType) -> WriteStep | None:
    """An item that is replaced has the same group and the same place in the order."""
    return None


_COMPANION = Companion(
    kind="latest",
    known=_nothing,
    follows=_nothing,
    put=_put,
    remove=_remove,
    update=_update,
    renew=_renew,
    is_blind=True,
)

LATEST = FormPlan(
    kind="latest",
    text="{subject} with a small item that names the newest of its group, by {attributes}",
    reason="a small item names the newest of every group and is kept by the writes: two reads instead of an index",
    without="{} in the order of a key",
    offers=_offer_names,
    excludes=_exclude,
    apply=_keep_newest,
    companion=_COMPANION,
)
NEWEST = FormPlan(
    kind="newest",
    text="{subject} with a copy of the newest of its group, by {attributes}",
    reason="a copy of the newest of every group is kept by the writes: one read instead of an index",
    without="{} without a copy of the newest",
    offers=_offer_copies,
    excludes=_exclude,
    apply=_keep_newest,
)
