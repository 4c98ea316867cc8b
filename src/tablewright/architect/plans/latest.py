"""The newest of a group: a small item for every group that names it, kept by every put in the same transaction.

The newest version of a document, the last trip of a driver, the latest reading of a meter: `by` one or more attributes,
sorted backwards, got as one item. The answer is the item that the small one names: two GetItems, in the table, which can be
consistent and need no key in that order.

A put reads the small item first. Is the new item newer, it is named in the transaction that writes it, on the condition
that nobody has named a newer one meanwhile; is it older, nothing has to be done, because the newest only ever gets
newer. So this is offered where no item goes (nobody would know which was the newest before it) and where neither the
group nor the order of an item can change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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

_COMPARED = ("string", "number", "timestamp")
"""Types whose values are compared alike everywhere: in the table, in keys and by whoever writes."""


def _offer(facts: Facts) -> Iterator[Rewrite]:
    found = (_rewrite_for(facts, each) for each in facts.spec.reads if _asks_for_newest(facts, each))
    for each in dict.fromkeys(found):
        if _stays(facts, each) and all(_keeps(facts, write, each) for write in _writes_of(facts, each.subject)):
            yield each


def _rewrite_for(facts: Facts, pattern: PatternSpec) -> Rewrite:
    return Rewrite("latest", pattern.entity, (*group_of(pattern), pattern.sort[0].attr))


def _asks_for_newest(facts: Facts, pattern: PatternSpec) -> bool:
    """Whether a read wants one item of a group: the last one in an order that all of them have."""
    return (
        len(pattern.entities) == 1
        and "latest" in facts.spec.entities[pattern.entity].rewrites
        and pattern.consistency == "strong"  # else the one that is named may be seen later than its name
        and pattern.kind == "get"  # whoever has a list can go on to the older ones, page by page
        and [each.order for each in pattern.sort] == ["desc"]
        and pattern.through is None
        and pattern.range is None
        and pattern.aggregate is None
        and pattern.tenant is None
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
    """Whether a write can keep what is the newest: not of several items of one group, nor for one tenant alone."""
    effect = effect_on(facts, write, rewrite.subject)
    return write.tenant is None and not effect.upsert and not is_list(facts, write, rewrite.subject)


# ---- applying -------------------------------------------------------------------------------------------------------


def _name_newest(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    facts, entity = form.asked, form.asked.spec.entities[rewrite.subject]
    group, newest_by = rewrite.attributes[:-1], rewrite.attributes[-1]
    held = {
        name: msgspec.structs.replace(entity.attributes[name], required=True)
        for name in dict.fromkeys((*group, newest_by, *entity.id))
    }
    made = group_item(form, entity.name, group, "latest", "Latest")
    latest = msgspec.structs.replace(made, attributes=held, newest_by=newest_by)
    form = msgspec.structs.replace(form, spec=with_entity(form.spec, latest))
    for write in _writes_of(facts, entity.name):
        if effect_on(facts, write, entity.name).op == "put":
            form = _put_with(form, write, latest)
    for pattern in facts.spec.reads:
        if _asks_for_newest(facts, pattern) and _rewrite_for(facts, pattern) == rewrite:
            form = _read_named(form, pattern, entity, latest)
    return form


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


def _read_named(form: Rewritten, pattern: PatternSpec, entity: EntitySpec, latest: EntitySpec) -> Rewritten:
    """First the small item, then the one that it names: it is there, for nothing goes."""
    plain = msgspec.structs.replace(pattern, kind="get", sort=(), limit=None, rate=form.asked.rates[pattern.id])
    asked = tuple(sorted(pattern.by))  # what is filtered besides, the key takes
    first = msgspec.structs.replace(plain, entities=(latest.name,), by=asked, returns=())
    second = msgspec.structs.replace(
        plain, id=step_id(form.spec, pattern.id), by=entity.id, filter={}, selectivity=None
    )
    parts = (ReadPart(pattern=first.id), ReadPart(pattern=second.id, keys_from=0))
    spec = with_patterns(form.spec, pattern.id, first, second)
    return msgspec.structs.replace(form, spec=spec, reads={**form.reads, pattern.id: parts})


def _exclude(latest: Rewrite, other: Rewrite) -> bool:
    """What lies in another item is not named; what is named is read whole."""
    return other.subject == latest.subject and other.kind in ("embed", "split")


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
    offers=_offer,
    excludes=_exclude,
    apply=_name_newest,
    companion=_COMPANION,
)
