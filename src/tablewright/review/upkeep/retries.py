"""Which writes may be sent again, and what happens when two writers meet.

put of a whole item           again: the same item, unless someone changed it in between
put with attribute_not_exists again: refused, though the first one may have been the one that wrote
update that sets values       again: the same values
update that adds              again: added twice
delete                        again: nothing left to do
transaction                   again with its token: done once, for ten minutes
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.cost.units.entries import place_of_view
from tablewright.design.serving.writes import operation_on
from tablewright.design.wording import concat, number, percent, sentences
from tablewright.review.upkeep.uniqueness import only_creates
from tablewright.spec.writes import effect_on, effects_of
from tablewright.wire.limits import PARTITION_WCU, TRANSACTION_TOKEN_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.cost.units.prediction import Prediction
    from tablewright.design.heat.report import HeatReport
    from tablewright.review.case import Case
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

MINUTES = TRANSACTION_TOKEN_SECONDS // 60
BUSY = 0.5
"""From this share of what one partition takes on, writers of one item meet often."""


def describe_repeats(facts: Facts, pattern: PatternSpec, found: Prediction) -> str:
    if found.transactional:
        return (
            f"Send the same ClientRequestToken with every attempt: for {MINUTES} minutes a repeated transaction is"
            " answered and not done again. Later attempts are caught by the conditions."
        )
    return sentences(*dict.fromkeys(_of_entity(facts, pattern, name) for name in pattern.entities))


def _of_entity(facts: Facts, pattern: PatternSpec, entity: str) -> str:
    match operation_on(facts, pattern, entity):
        case "put" if not only_creates(facts, pattern, entity):
            return "Harmless to repeat, unless someone changed the item in between: the repeat takes that back."
        case "put":
            return (
                "A retry after a lost answer is refused by attribute_not_exists: ask for the old item with the refusal"
                " (ReturnValuesOnConditionCheckFailure) and take it for done when it is the same."
            )
        case "delete":
            return "Harmless to repeat: what is gone stays gone."
        case "check":
            return "Nothing of what is only looked at changes."
        case _:
            return _of_update(facts, pattern, entity)


def _of_update(facts: Facts, pattern: PatternSpec, entity: str) -> str:
    added = amounts_added(facts, pattern, entity)
    if not added:
        return "Harmless to repeat: it sets the same values again."
    return (
        f"Not to be repeated as it is: it would add to {concat(added)} twice. `idempotent: true` sends it as a"
        " transaction of one with a ClientRequestToken, at twice the units."
    )


def amounts_added(facts: Facts, pattern: PatternSpec, entity: str) -> list[str]:
    """The attributes that an update adds to."""
    return [each.attr for each in effect_on(facts, pattern, entity).changes if each.kind == "add"]


# ---- two writers ----------------------------------------------------------------------------------------------------


def describe_concurrency(case: Case, pattern: PatternSpec, found: Prediction) -> str:
    return sentences(
        *_look_ups(case, pattern),
        *_newest(case, pattern),
        _winner(case.facts, pattern),
        *_hot_writes(pattern, found, case.heat),
    )


def _look_ups(case: Case, pattern: PatternSpec) -> Iterator[str]:
    """The key is found by a read: what it finds may be old by the time of the write."""
    for (write, entity), located in case.layout.located.items():
        if write != pattern.id:
            continue
        place = place_of_view(located.view)
        late = "" if place == "table" else ", which lags a moment,"
        yield (
            f"The key of {entity} is looked up in {place}{late} before the write: with attribute_exists on the key and"
            " the looked-up values in the condition, a write that comes too late is refused and starts over."
        )


def _newest(case: Case, pattern: PatternSpec) -> Iterator[str]:
    """What says which item is the newest is read before the put, and may be another by the time of it."""
    putting = [name for name in pattern.entities if operation_on(case.facts, pattern, name) == "put"]
    kept = [each for each in case.layout.spec.entities.values() if each.kind == "latest" and each.of in putting]
    for each in kept:
        yield (
            f"Where a newer {each.of} has come meanwhile, the condition on {each.name} refuses the whole write: it"
            " starts over with its reads."
        )


def _winner(facts: Facts, pattern: PatternSpec) -> str:
    """An optimistic lock where new values follow from old ones."""
    effects = effects_of(facts, pattern)
    if any(each.version for each in effects):
        return "Of two writers that have seen the same version the first wins, the other is refused."
    if any(each.when is not None for each in effects):
        return "The condition is checked with the write itself, so that two writers cannot both pass it."
    if pattern.op in ("put", None) and not only_creates(facts, pattern, pattern.entity):
        return "Last writer wins, with the whole item."
    if pattern.op in ("put", None):
        return "Of two writers with the same key the first wins, the other is refused."
    if pattern.op == "delete":
        return ""
    changes = [change for each in effects if not each.gives_any for change in each.changes]
    if changes and all(each.kind == "add" for each in changes):
        return "Adding is done by the table with the value of that moment, so that no writer's amount is lost."
    if not any(each.gives_any for each in effects):
        return "Last writer wins, attribute by attribute; set only what was changed."
    return (
        "It may change anything: where new values follow from values read before, keep a version (SET version ="
        " version + 1, condition version = the one read) and start over when refused."
    )


def _hot_writes(pattern: PatternSpec, found: Prediction, heat: HeatReport) -> Iterator[str]:
    terms = [each for each in heat.patterns if each.pattern == pattern.id and each.kind == "write"]
    hottest = max(terms, key=lambda each: each.units_per_second, default=None)
    if hottest is None or hottest.units_per_second < BUSY * PARTITION_WCU:
        return
    share = percent(hottest.units_per_second / PARTITION_WCU)
    units = number(hottest.units_per_second)
    yield f"At peak the hottest key of {hottest.place} takes {units} units a second, {share} of what it can."
    if found.transactional:
        yield "Transactions on one item refuse each other there (TransactionConflict): keep the hot item out of them."
