"""Lag: what was written a moment ago is not in indexes yet, and eventually consistent reads may miss it.

A pattern that is consistent must answer exactly all the same. Any other may answer with earlier states, each item by
itself. A write that finds its item through an index may miss it; then it is refused, and nothing is written.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tablewright.engine.simulation import Instruments
from tablewright.expr.compare import is_equal
from tablewright.proof.answers import item_text
from tablewright.proof.application.reads import Match, matching, returned, shown
from tablewright.proof.calls import make_write_call
from tablewright.proof.checks.reads import compare_found
from tablewright.proof.checks.stored import advance, compare_tables, difference, repair, stored_after
from tablewright.proof.database import run_reads
from tablewright.proof.questions import make_read_call
from tablewright.proof.values import WRITTEN_AT
from tablewright.spec.listing import entities_read
from tablewright.spec.parents import is_of_parent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.proof.application.state import Applied, Call, Item, Named, State
    from tablewright.proof.context import ProofContext, Subject

HOUR = 3600.0
"""Longer than any proof takes: what was written since lag was switched on stays unseen."""


def check_lag(context: ProofContext, *, indexes_only: bool) -> None:
    """Every write once, then every read, with lag in indexes, or everywhere but in consistent reads."""
    states = [context.state]
    context.engine.instruments = Instruments(gsi_lag=HOUR, stale_reads=0 if indexes_only else HOUR)
    try:
        written: list[Applied] = []
        for subject in context.writes:
            applied = _write_late(context, subject)
            written += [] if applied is None else [applied]
            states.append(context.state)
        for subject in context.reads:
            _read_late(context, subject, states, written)
    finally:
        context.engine.instruments = None


# ---- writes ---------------------------------------------------------------------------------------------------------


def _write_late(context: ProofContext, subject: Subject) -> Applied | None:
    """Done as it should be, or refused without a trace."""
    tally = context.tallies[subject.meant.id]
    call = make_write_call(context.values, subject.meant, context.state, context.next_number())
    inputs = context.parameters(subject, call)
    applied = context.try_write(subject, call)
    tally.runs += 1
    if applied is not None and (applied.along or len(applied.changed) > len(subject.meant.entities)):
        return None  # of several items that an index finds, it may find some
    try:
        result = context.run_write(subject, call).result
    except Exception as fault:  # noqa: BLE001 - whatever a broken design runs into is reported
        tally.fail(f"{inputs}, with lag: {type(fault).__name__} {fault}")
        repair(context)
        return None
    context.count_check("with lag: written, or refused without a trace")
    if applied is None or result != "written":
        compare_tables(context, tally, f"{inputs}, with lag: {result}, but")
        return None
    stored, touched = stored_after(context, [applied])
    wrong = difference(context, stored, touched)
    if wrong:
        tally.fail(f"{inputs}, with lag: {wrong}")
        repair(context)
        return None
    advance(context, applied)
    return applied


# ---- reads ----------------------------------------------------------------------------------------------------------


def _read_late(context: ProofContext, subject: Subject, states: list[State], written: list[Applied]) -> None:
    tally = context.tallies[subject.meant.id]
    about = [
        (change.entity, item)
        for applied in written
        for change in applied.changed
        if change.entity in entities_read(context.facts.spec, subject.meant)
        and (item := change.after or change.before) is not None
    ]
    chosen = context.values.chance.choice(about) if about else None
    call = make_read_call(context.values, subject.meant, context.state, chosen)
    inputs = context.parameters(subject, call)
    tally.runs += 1
    try:
        found = run_reads(context.engine, context.compiled, subject.design.id, inputs).items
    except Exception as fault:  # noqa: BLE001 - whatever a broken design runs into is reported
        tally.fail(f"{inputs}, with lag: {type(fault).__name__} {fault}")
        return
    if subject.meant.consistency == "strong":
        wrong = compare_found(context, subject, call, found)
        context.count_check("with lag: consistent reads see everything")
    else:
        wrong = _compare_late(context, subject, call, found, states)
        context.count_check("with lag: every item is as it is or was")
    if wrong:
        tally.fail(f"{inputs}, with lag: {wrong}")


def _compare_late(context: ProofContext, subject: Subject, call: Call, found: list[Item], states: list[State]) -> str:
    if subject.meant.aggregate is not None:
        return ""  # a number of items, each as it is or was
    answered = Counter(item_text((name, _returned(subject, item))) for name, item in map(context.identify, found))
    known = set(_texts(context, subject, states))
    in_parts = any(each.joins for each in subject.design.reads)
    parts = [context.identify(item) for item in found] if in_parts else []
    pieced = {
        item_text((name, _returned(subject, item))) for name, item in parts if _is_pieced(context, states, name, item)
    }
    strange = next((text for text in answered if text not in known and text not in pieced), "")
    if strange:
        return f"returned what no item ever was: {strange}"
    if subject.meant.kind == "get" or subject.meant.limit or subject.meant.limits:
        return ""
    always = Counter[str]()
    for at, state in enumerate(states):
        found_then = matching(context.facts, subject.meant, state, call)
        now = Counter(_text(context, subject, state, each) for each in found_then if not each.is_gone)
        always = now if at == 0 else always & now
    missing = next(iter(always - answered), "")
    return f"missing is {missing}, which nobody changed" if missing else ""


def _is_pieced(context: ProofContext, states: list[State], entity: str, item: Item) -> bool:
    """Whether each part of an item that is stored in parts is as that very item is or was."""
    known = {name: item[name] for name in context.facts.spec.entities[entity].id if name in item}
    ids = dict.fromkeys(own for state in states for own, each in state.items[entity].items() if _has(each, known))
    histories = ([each for state in states if (each := state.get(entity, own)) is not None] for own in ids)
    return any(
        all(any(_had(context, states, (entity, each), name, value) for each in was) for name, value in item.items())
        for was in histories
    )


def _had(context: ProofContext, states: list[State], named: Named, name: str, value: Any) -> bool:
    """Whether an item has a value, or one that it names has it or had it once."""
    if not is_of_parent(context.facts.spec.entities[named[0]], name):
        return _has(named[1], {name: value})
    known = (returned(context.facts, state, named, name) for state in states)
    return any(each is not None and is_equal(each, value) for each in known)


def _has(item: Item, values: Item) -> bool:
    return all(name in item and is_equal(item[name], value) for name, value in values.items())


def _returned(subject: Subject, item: Item) -> Item:
    names = subject.meant.returns
    return {name: value for name, value in item.items() if name in names} if names else item


def _texts(context: ProofContext, subject: Subject, states: list[State]) -> Iterator[str]:
    """Of everything that an item is or was; states share the items that nobody changed."""
    seen: set[int] = set()
    for state in states:
        for entity in subject.meant.entities:
            for item in state.of(entity):
                if id(item) not in seen or any("." in name for name in subject.meant.returns):
                    seen.add(id(item))
                    yield _text(context, subject, state, Match(entity, item, (), WRITTEN_AT))


def _text(context: ProofContext, subject: Subject, state: State, match: Match) -> str:
    return item_text((match.entity, shown(context.facts, subject.meant, state, match)))
