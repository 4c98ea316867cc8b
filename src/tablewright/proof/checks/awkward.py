"""Values that keys may be unable to hold: delimiters, what looks like a part of a key, empty text, odd numbers.

Each is stored right, or refused with nothing written; and who asks for it gets the right answer, or is told.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from tablewright.design.steps.errors import WrongValue
from tablewright.errors import ServiceError
from tablewright.proof.calls import put_call
from tablewright.proof.checks.reads import compare_found
from tablewright.proof.checks.stored import advance, compare_tables, difference, repair, stored_after
from tablewright.proof.data import is_keyed, keep_promises, make_item
from tablewright.proof.database import run_reads
from tablewright.proof.items import may_refuse
from tablewright.proof.questions import as_lists, make_read_call
from tablewright.spec.listing import entities_read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.proof.application.state import Applied, Call, Item, Named
    from tablewright.proof.context import ProofContext, Subject

TEXTS = ("a#b", "#", "a#", "{attr}#a", "x#{attr}_y", "a#{attr}_", "")
NUMBERS = (-1, -20, 2.5, 9.75, Decimal("0.0000001"), Decimal("0.0000002"), 10**15, 10**25)
ASKED = 3


def check_awkward(context: ProofContext) -> None:
    """Puts with such values, then every read, about these and about their neighbours."""
    put: list[Named] = []
    for subject in context.writes:
        put += _put_awkward(context, subject)
        compare_tables(context, context.tallies[subject.meant.id], "with values that keys may be unable to hold")
    for subject in context.reads:
        about = [each for each in put if each[0] in entities_read(context.facts.spec, subject.meant)]
        for number in range(ASKED):
            chosen = context.values.chance.choice(about) if about and number else None
            _ask(context, subject, make_read_call(context.values, subject.meant, context.state, chosen))


# ---- writes ---------------------------------------------------------------------------------------------------------


def _put_awkward(context: ProofContext, subject: Subject) -> Iterator[Named]:
    if subject.meant.op != "put" or len(subject.meant.entities) > 1:
        return
    for item in _awkward_items(context, subject.meant.entity):
        if _put(context, subject, item):
            yield subject.meant.entity, item


def _awkward_items(context: ProofContext, entity: str) -> Iterator[Item]:
    """One for each attribute that may stand in a key, with each kind of value."""
    facts = context.facts
    spec = facts.spec.entities[entity]
    for name, attribute in spec.attributes.items():
        if attribute.values or attribute.sorts_as or name == spec.version or not is_keyed(facts, name):
            continue
        kinds: dict[str, tuple[Any, ...]] = {"string": TEXTS, "number": NUMBERS}
        for value in kinds.get(attribute.type, ()):
            item = make_item(context.values, entity, context.next_number(), as_lists(context.state))
            other = context.values.chance.choice(list(spec.attributes))
            awkward = value.format(attr=other) if isinstance(value, str) else value
            yield keep_promises(context.values, entity, {**item, name: awkward})


def _put(context: ProofContext, subject: Subject, item: Item) -> bool:
    """Whether it was written."""
    tally = context.tallies[subject.meant.id]
    call = put_call(context.facts, subject.meant, item)
    inputs = context.parameters(subject, call)
    applied = context.try_write(subject, call)
    tally.runs += 1
    try:
        result = context.run_write(subject, call).result
    except (ServiceError, ValueError):
        result = "refused"
    context.count_check("a value that keys cannot hold is stored right, or refused")
    if applied is not None and result != "written" and not _has_unholdable(context, subject, item):
        tally.fail(f"{inputs}: {result}, although keys can hold all of it")
    if applied is None or result != "written":
        return False  # that nothing was written shows when the whole table is compared
    stored, touched = stored_after(context, [applied])
    wrong = difference(context, stored, touched)
    if wrong:
        tally.fail(f"{inputs}: {wrong}")
        repair(context)
        return False
    advance(context, applied)
    return True


def _has_unholdable(context: ProofContext, subject: Subject, item: Item) -> bool:
    attributes = context.facts.spec.entities[subject.meant.entity].attributes
    own = ((name, value) for name, value in item.items() if name in attributes and is_keyed(context.facts, name))
    return any(may_refuse(value, context.design.key_style) for _, value in own)


# ---- reads ----------------------------------------------------------------------------------------------------------


def _ask(context: ProofContext, subject: Subject, call: Call) -> None:
    tally = context.tallies[subject.meant.id]
    inputs = context.parameters(subject, call)
    tally.runs += 1
    try:
        found = run_reads(context.engine, context.compiled, subject.design.id, inputs).items
        wrong = compare_found(context, subject, call, found)
    except Exception as fault:  # noqa: BLE001 - whatever a broken design runs into is reported
        refusable = any(may_refuse(each, context.design.key_style) for each in _values_of(call))
        told = isinstance(fault, WrongValue | ServiceError) and refusable
        wrong = "" if told else f"{type(fault).__name__} {fault}"
    if wrong:
        tally.fail(f"{inputs}: {wrong}")


def _values_of(call: Call) -> Iterator[Any]:
    yield from (*call.by.values(), *call.filter.values(), *call.range)
    for each in call.ids:
        yield from each.values()


def is_unholdable(context: ProofContext, applied: Applied) -> bool:
    """Whether something becomes a value that keys of the style cannot hold, where it may stand in one."""
    return any(
        may_refuse(value, context.design.key_style)
        for each in applied.changed
        for name, value in (each.after or {}).items()
        if is_keyed(context.facts, name)
    )
