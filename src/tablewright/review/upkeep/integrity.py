"""For each write: what makes it unique, guarded, whole, repeatable, safe beside others, and what it leaves to do."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.advice import Source, WriteNote
from tablewright.design.serving.writes import failure_share, operation_on
from tablewright.design.wording import an, concat, money, percent, sentences, tally
from tablewright.review import sources
from tablewright.review.upkeep.cascade import (
    count_actions,
    describe_amount,
    describe_fit,
    describe_order,
    reach_of_delete,
)
from tablewright.review.upkeep.retries import describe_concurrency, describe_repeats
from tablewright.review.upkeep.uniqueness import describe_uniqueness, is_put
from tablewright.spec.writes import Effect, effects_of, unread_of
from tablewright.wire.capacity import write_wcu
from tablewright.wire.limits import MAX_TRANSACTION_ACTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.cost.lines import PatternCost
    from tablewright.design.layout.layout import Layout
    from tablewright.review.case import Case
    from tablewright.spec.model import PatternSpec


def write_notes(case: Case) -> tuple[WriteNote, ...]:
    return tuple(_write_note(case, each, _own_line(case, each)) for each in case.facts.writes if not each.cascade_of)


def _own_line(case: Case, pattern: PatternSpec) -> PatternCost:
    """Without what a delete goes on to, which is no part of its transaction."""
    line, own = case.lines[pattern.id], case.predictions[pattern.id]
    if pattern.id not in case.layout.form.reads:
        return line
    share = own.wcu / line.prediction.wcu if line.prediction.wcu else 1.0
    return msgspec.structs.replace(line, prediction=own, write_usd_per_month=line.write_usd_per_month * share)


def _write_note(case: Case, pattern: PatternSpec, line: PatternCost) -> WriteNote:
    return WriteNote(
        pattern=pattern.id,
        uniqueness=describe_uniqueness(case, pattern),
        conditions=sentences(*_conditions(case, pattern, line)),
        transaction=_transaction(line),
        idempotency=describe_repeats(case.facts, pattern, line.prediction),
        concurrency=describe_concurrency(case, pattern, line.prediction),
        cascade=sentences(*_cascade(case, pattern, line)),
        sources=tuple(_sources_of(pattern, line)),
    )


# ---- conditions -----------------------------------------------------------------------------------------------------

GUARDS = {
    "create": "attribute_not_exists on the key: it creates and never overwrites",
    "put": "none: it replaces what has the same key. With `condition: not exists` it would only create",
    "replace": "attribute_exists on the key: it replaces and never creates",
    "upsert": "none: it makes the item that is not there",
    "update": "attribute_exists on the key: an update of what is not there would create half an item",
    "check": "attribute_exists on the key: nothing of it is written, but it must be there",
    "delete": "none needed; attribute_exists on the key tells whether there was something to delete",
}

CENT = 0.01


def _conditions(case: Case, pattern: PatternSpec, line: PatternCost) -> Iterator[str]:
    several = len(pattern.entities) > 1
    for effect in effects_of(case.facts, pattern):
        guard, demands = _guard_of(effect), tuple(_demands(effect))
        yield f"{effect.entity}: {guard}." if several else f"{guard}."
        if demands:
            yield f"And {concat(demands)}."
    for words in unread_of(case.facts, pattern):
        yield f'"{words}" is in words: the caller must see to it; written as `when` the table checks it.'
    if line.failed_usd_per_month >= CENT:
        share = percent(failure_share(case.asked, pattern))
        yield f"{share} are refused and billed all the same: {money(line.failed_usd_per_month)} a month."


def _guard_of(effect: Effect) -> str:
    if effect.op == "put" and effect.existence != "any":
        return GUARDS["create" if effect.existence == "new" else "replace"]
    return GUARDS["upsert" if effect.upsert else effect.op]


def _demands(effect: Effect) -> Iterator[str]:
    """What else must be so."""
    if effect.when is not None:
        yield str(effect.when)
    if effect.version is not None and effect.op != "check":
        yield f"{effect.version} as the caller has seen it"
    if effect.parents:
        yield f"a ConditionCheck that its {concat(dict.fromkeys(each.entity for each in effect.parents))} exists"


# ---- transactions ---------------------------------------------------------------------------------------------------


def _transaction(line: PatternCost) -> str:
    found = line.prediction
    if not found.transactional:
        return "One item: atomic by itself, no transaction needed."
    items = ceil(found.items)
    half = line.write_usd_per_month / 2
    text = (
        f"{tally(items, 'item')} in one transaction, {tally(found.wcu, 'write unit')}: twice what they cost one by"
        f" one, {money(half)} a month more."
    )
    if items > MAX_TRANSACTION_ACTIONS:
        return f"{text} {MAX_TRANSACTION_ACTIONS} actions are the most: write it in steps that can be repeated."
    return text


# ---- beyond the item ------------------------------------------------------------------------------------------------


def _cascade(case: Case, pattern: PatternSpec, line: PatternCost) -> Iterator[str]:
    for entity in pattern.entities:
        if operation_on(case.facts, pattern, entity) == "delete":
            yield from _deleted(case, entity)
        elif is_put(case.facts, pattern, entity):
            yield from _parent_check(case, pattern, entity, line)


def _deleted(case: Case, entity: str) -> Iterator[str]:
    found = reach_of_delete(case.layout, entity)
    along = tuple(each for each in found if each.cascade)
    gone = tuple(each for each in found if each.cascade is None)
    left = [each for each in found if each.cascade is False]
    if along:
        yield f"Goes on to about {concat(describe_amount(each) for each in along)}. {describe_order(along)}"
    if gone:
        fit = describe_fit(count_actions(case.entries, entity, gone))
        yield f"Reaches about {concat(describe_amount(each) for each in gone)}. {fit}"
    if left:
        yield f"Leaves about {concat(describe_amount(each) for each in left)} that still name it."
    if not found:
        yield f"Nothing hangs on {an(entity)}."


def _parent_check(case: Case, pattern: PatternSpec, entity: str, line: PatternCost) -> Iterator[str]:
    """Whether the parent is there: nothing checks it, and what a check would cost."""
    checked = {each.entity for effect in effects_of(case.facts, pattern) for each in effect.parents}
    known = {*pattern.entities, *checked}
    missing = [name for name in _parents_of(case.layout, entity) if name not in known]
    if not missing:
        return
    sizes = {each.entity: ceil(each.bytes) for each in case.entries if each.kind == "item"}
    checks = sum(write_wcu(sizes[name], sizes[name], transactional=True) for name in missing)
    doubled = 0.0 if line.prediction.transactional else line.prediction.wcu
    price = (checks + doubled) * line.write_usd_per_month / line.prediction.wcu if line.prediction.wcu else 0.0
    exist = "exists" if len(missing) == 1 else "exist"
    yield (
        f"Nothing checks that its {concat(missing)} {exist}. A ConditionCheck in the same transaction would"
        f" ({tally(checks + doubled, 'unit')} more, {money(price)} a month)."
    )


def _parents_of(layout: Layout, entity: str) -> tuple[str, ...]:
    """What an item names by its attributes; a twin with the same id is a parent only where a relationship says so."""
    facts, own = layout.asked, layout.spec.entities[entity].id
    said = {each.source for each in facts.spec.relationships if (each.via or each.target) == entity}
    found = (of for name, of in facts.references[entity].items() if (name,) != own or of in said)
    return tuple(dict.fromkeys(found))


# ---- sources --------------------------------------------------------------------------------------------------------


def _sources_of(pattern: PatternSpec, line: PatternCost) -> Iterator[Source]:
    yield sources.CONDITIONS
    if line.prediction.transactional:
        yield sources.TRANSACTIONS
        yield sources.TRANSACT_WRITE
    if pattern.op == "update" and pattern.changes is None:
        yield sources.OPTIMISTIC_LOCKING
