"""The beginning: most items are stored as they must be, the others are put by the design's own patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.proof.application.state import id_of, parents_of, state_of
from tablewright.proof.calls import put_call
from tablewright.proof.checks.stored import compare_tables, fill_tables
from tablewright.proof.checks.writes import run_and_check
from tablewright.proof.data import make_items, order_entities
from tablewright.proof.expected import expected_items, instances_of

if TYPE_CHECKING:
    from tablewright.proof.application.state import Item, State
    from tablewright.proof.context import ProofContext, Subject
    from tablewright.proof.data import ValueSource

PUT_EVERY = 3
MOST_PUT = 10


def begin(values: ValueSource) -> tuple[State, dict[str, list[Item]]]:
    """The state to begin with, and by entity the items that are to be put: those that nothing else names."""
    facts = values.facts
    everything = make_items(values)
    whole = state_of(facts.spec, everything)
    named = {
        (parent, id_of(facts.spec.entities[parent], found))
        for entity, items in everything.items()
        for item in items
        for parent, found in parents_of(facts, whole, entity, item)
    }
    put: dict[str, list[Item]] = {}
    for entity in order_entities(facts):
        spec = facts.spec.entities[entity]
        free = [item for item in everything[entity] if (entity, id_of(spec, item)) not in named]
        put[entity] = free[::PUT_EVERY][:MOST_PUT]
        everything[entity] = [item for item in everything[entity] if all(item is not other for other in put[entity])]
    return state_of(facts.spec, everything), put


def load(context: ProofContext, put: dict[str, list[Item]]) -> None:
    context.stored = expected_items(context.design, instances_of(context.state))
    fill_tables(context)
    for entity, items in put.items():
        subject = _put_of(context, entity)
        for item in items if subject is not None else ():
            _put(context, subject, item)


def _put_of(context: ProofContext, entity: str) -> Subject | None:
    """A put of this entity alone, described or implied."""
    fitting = (each for each in context.writes if each.meant.op == "put" and each.meant.entities == (entity,))
    return next(fitting, None)


def _put(context: ProofContext, subject: Subject | None, item: Item) -> None:
    assert subject is not None
    tally = context.tallies[subject.meant.id]
    tally.runs += 1
    try:
        run_and_check(context, subject, put_call(context.facts, subject.meant, item), tally)
    except Exception as fault:  # noqa: BLE001 - whatever a broken design runs into is reported
        tally.fail(f"{item}: {type(fault).__name__} {fault}")
        compare_tables(context, tally)
