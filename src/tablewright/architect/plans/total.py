"""Numbers as answers: counted or added up while reading, or kept in a total item that every write adds to.

A total is an item per group (the values of `by`, and of what a filter takes as equal), changed in the transaction
of the item's own write: +1 and -1, or the value that comes and goes. The greatest and the least value are never kept (a
delete would have to look for the next one); they are the first item of an ordered query, which reads one item and needs
a key in that order, or they are looked for among all items of a list that may be there anyway: both are priced.
What may be behind (`stale`) can be kept by the stream instead, see `trailing`.

A filter by a constant asks for one of the groups: `status: open` is the total of each status, of which one is read, and
an item that is closed leaves that group for another. A filter of more or less than something asks for many groups.

A total is not offered where items expire (nobody would take them off), where the answer has a range, such a filter or
an input only the parent has, where one transaction writes several items of a group, or where so many writes meet in one
group that they would pass what a partition takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.kept_numbers import add_number, group_of, may_keep
from tablewright.architect.plans.plan import FormPlan, Ways
from tablewright.architect.plans.steps import can_count_steps
from tablewright.architect.plans.trailing import can_trail
from tablewright.architect.plans.writing import Companion, WriteSubject, key_attributes, key_templates
from tablewright.design.layout.forms import Rewrite, Rewritten, with_patterns
from tablewright.design.model import WriteStep
from tablewright.design.serving.writes import additions, changed_by, operation_on
from tablewright.design.values.amounts import add, difference, subtract
from tablewright.design.values.templates import Path, Template, slot
from tablewright.expr.nodes import Slot
from tablewright.spec.model import SortSpec
from tablewright.spec.writes import effect_on, is_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.model import ItemType
    from tablewright.design.values.amounts import Amount, Total
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def _demand(facts: Facts) -> Iterator[Ways]:
    """For every pattern that wants a number: the ways to have it."""
    for pattern in facts.spec.reads:
        if pattern.aggregate is None:
            continue
        reading = Rewrite("reading", pattern.id, pattern.entities)
        if pattern.aggregate.kind in ("max", "min"):
            yield (reading, Rewrite("whole", pattern.id, pattern.entities))
            continue
        kept = Rewrite("total", pattern.entity, (pattern.id,))
        trailing = Rewrite("trailing", pattern.entity, (pattern.id,))
        yield (
            reading,
            *((kept,) if _can_keep(facts, pattern) else ()),
            *((trailing,) if can_trail(facts, pattern) else ()),
            *((Rewrite("steps", pattern.entity, (pattern.id,)),) if can_count_steps(facts, pattern) else ()),
        )


def _can_keep(facts: Facts, pattern: PatternSpec) -> bool:
    """Whether the writes themselves can keep it."""
    return (
        may_keep(facts, pattern)
        and _tenants_of(facts, pattern) <= set(pattern.by)
        and not any(_spoils(facts, pattern, each) for each in facts.writes if pattern.entity in each.entities)
    )


def _tenants_of(facts: Facts, pattern: PatternSpec) -> set[str]:
    """What those are held to who ask for the number or write what it counts: a total of several lies in no tenant's."""
    named = (each.tenant for each in (pattern, *facts.writes) if pattern.entity in each.entities)
    return {name for name in named if name is not None}


def _spoils(facts: Facts, pattern: PatternSpec, write: PatternSpec) -> bool:
    """Several items of one group in one transaction, or a new group of which it is not said what becomes of it."""
    if is_list(facts, write, pattern.entity):
        return True
    if operation_on(facts, write, pattern.entity) != "update":
        return False
    moved = changed_by(facts, write, pattern.entity) & set(group_of(pattern))
    return effect_on(facts, write, pattern.entity).gives_any and len(moved) > 1


# ---- applying -------------------------------------------------------------------------------------------------------


def _add_while_reading(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    """What is read is a list; of the greatest or least value the first item is enough, in its order."""
    pattern = form.spec.pattern(rewrite.subject)
    assert pattern is not None
    assert pattern.aggregate is not None
    aggregate = pattern.aggregate
    read = msgspec.structs.replace(pattern, kind="query", aggregate=None)
    if aggregate.kind in ("max", "min") and rewrite.kind == "reading":
        first = SortSpec(aggregate.attr, "desc" if aggregate.kind == "max" else "asc")
        read = msgspec.structs.replace(read, sort=(first,), absent="omit", limit=1)
    return msgspec.structs.replace(
        form,
        spec=with_patterns(form.spec, pattern.id, read),
        aggregates={**form.aggregates, pattern.id: {aggregate.kind: aggregate.attr}},
    )


def _add_total(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    return add_number(form, rewrite.attributes[0], "total")


# ---- written along --------------------------------------------------------------------------------------------------


def _summed(total: ItemType) -> set[str]:
    """The attributes it adds up."""
    return {each.attribute for each in total.totals.values() if each.attribute}


def _known(total: ItemType) -> set[str]:
    return {*key_attributes(total), *_summed(total)}


def _put(subject: WriteSubject, total: ItemType) -> WriteStep:
    names = subject.names
    if subject.operation == "update":  # what it does not change is nobody else's parameter of that name
        names = {**{name: f"new.{name}" for name in _known(total)}, **names}
    group = {Path(name): slot(names.get(name, name)) for name in total.id}
    fixed = {Path(name): Template(str(value)) for name, value in total.fixed.items()}
    amounts = {Path(name): add(_value(each, names)) for name, each in total.totals.items()}
    return _change(subject, total, names, amounts, {**group, **fixed})


def _remove(subject: WriteSubject, total: ItemType, names: Mapping[str, str]) -> WriteStep:
    amounts = {Path(name): subtract(_value(each, names)) for name, each in total.totals.items()}
    return _change(subject, total, names, amounts)


def _update(subject: WriteSubject, total: ItemType) -> WriteStep:
    """The difference between the new value and the old, or what is added to the old one."""
    names, added = subject.names, additions(subject.facts, subject.pattern, subject.entity)
    differences = {
        Path(name): added.get(each.attribute)
        or difference(Slot(names.get(each.attribute, each.attribute)), Slot(f"old.{each.attribute}"))
        for name, each in total.totals.items()
        if each.attribute and (each.attribute in subject.written or subject.replaces)
    }
    return _change(subject, total, subject.old_names, differences)


def _renew(subject: WriteSubject, total: ItemType) -> WriteStep | None:
    """The same where an item stays in its group after all; the number of items stays."""
    changed = _summed(total) & {*subject.written, *subject.pattern.by}
    if not changed:
        return None
    step, same = _update(subject, total), subject.changed_keys(total)
    return msgspec.structs.replace(
        step, key=key_templates(total, subject.names), unless_same=tuple(sorted(changed)), if_same=same
    )


def _value(total: Total, names: Mapping[str, str]) -> Slot | int:
    """What an item adds to a total: one, or the value of the attribute, whatever that is called here."""
    return Slot(names.get(total.attribute, total.attribute)) if total.attribute else 1


def _change(
    subject: WriteSubject,
    total: ItemType,
    names: Mapping[str, str],
    amounts: dict[Path, Amount],
    also: dict[Path, Template] | None = None,
) -> WriteStep:
    return WriteStep(
        operation="UpdateItem",
        item=total.name,
        table=total.table,
        key=key_templates(total, names),
        set=also or {},
        add=amounts,
        unless_same=subject.changed_keys(total),
        each=subject.list_name,
        why="the total is kept in step",
    )


_COMPANION = Companion(
    kind="total", known=_known, follows=_summed, put=_put, remove=_remove, update=_update, renew=_renew
)

TOTAL = FormPlan(
    kind="total",
    text="{subject} with a total by {attributes}, kept by the writes",
    reason="the number is kept up to date by the writes, so reading it is one small item",
    without="{} counted while reading",
    demands=_demand,
    apply=_add_total,
    companion=_COMPANION,
)
READING = FormPlan(
    kind="reading",
    text="{subject} added up while reading",
    reason="the number is worked out while reading, so that writes stay as they are",
    apply=_add_while_reading,
)
WHOLE = FormPlan(
    kind="whole",
    text="{subject} looked for among all items of its list",
    reason="all items of the list are read, which costs less than a key in the order of the value",
    apply=_add_while_reading,
)
