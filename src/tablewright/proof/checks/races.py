"""Two writers: one comes between what the other reads and what it writes.

The outcome must be that of some order of the two; or the one that lost the race is refused and has changed nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.proof.application.state import Applied, Call, State, id_of
from tablewright.proof.calls import make_write_call
from tablewright.proof.checks.awkward import is_unholdable
from tablewright.proof.checks.stored import difference, repair, stored_after
from tablewright.proof.context import Subject
from tablewright.proof.data import new_value, promise_anew
from tablewright.proof.questions import as_lists
from tablewright.spec.writes import effect_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tablewright.proof.application.state import Item, Named
    from tablewright.proof.context import PatternTally, ProofContext
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

ATTEMPTS = 4
RACES_OF_A_PAIR = 4
DRAWN = 24
"""Values of which the first two are taken."""
MOST_RACES = 300
"""Of all pairs together; each meets once at least."""


class _Run(msgspec.Struct, frozen=True):
    """What one writer wants."""

    subject: Subject
    call: Call


class _Course(msgspec.Struct, frozen=True):
    """How it may have gone: what each of the two has done (None: refused), in their order."""

    first: Applied | None
    other: Applied | None
    state: State
    order: tuple[Applied, ...]


def check_race(context: ProofContext, subject: Subject, call: Call, tally: PatternTally, *, alike: bool) -> bool:
    """Whether there was a race: there is none about nothing. `alike`: both writers want the same."""
    about = _subject_of(context, subject, call)
    if about is None:
        return False
    mine = _Run(subject, call)
    other = _same(context, mine) if alike else _another(context, about, context.writes)
    if other is None:
        return False
    _race(context, mine, other, tally)
    return True


def check_races(context: ProofContext) -> None:
    """Every write against every other one about the same item: which of them meet is not left to chance."""
    pairs = [(one, other) for one in context.writes for other in context.writes if _may_meet(one, other)]
    for _ in range(max(1, min(MOST_RACES // max(1, len(pairs)), RACES_OF_A_PAIR))):
        for one, other in pairs:
            _check_pair(context, one, other)
    for one in context.writes:
        for other in context.writes:
            _check_going_on(context, one, other)
    for shown in context.reads:
        _check_neighbours(context, shown)


def _may_meet(one: Subject, other: Subject) -> bool:
    return bool(set(one.meant.entities) & set(other.meant.entities))


def _check_pair(context: ProofContext, one: Subject, other: Subject) -> None:
    tally = context.tallies[one.meant.id]
    for _ in range(ATTEMPTS):
        call = make_write_call(context.values, one.meant, context.state, context.next_number())
        about = _subject_of(context, one, call)
        met = None if about is None else _another(context, about, [other])
        if met is not None:
            tally.runs += 1
            _race(context, _Run(one, call), met, tally)
            return


def _check_going_on(context: ProofContext, one: Subject, other: Subject) -> None:
    """The other comes when an item is gone and what goes with it was found, but is still there.

    Where more hangs on what goes, that may be gone before it is given to another parent: a stated exception.
    """
    along = {each.entity for each in one.design.cascade}
    is_deep = any(each.of in along for each in one.design.cascade)
    for _ in range(0 if is_deep or not along & set(other.meant.entities) else ATTEMPTS):
        call = make_write_call(context.values, one.meant, context.state, context.next_number())
        applied = context.try_write(one, call)
        found = [] if applied is None or not applied.changed else [each for each in applied.along if each.before]
        if not found:
            continue
        child = context.values.chance.choice(found)
        met = _another(context, (child.entity, child.before or {}), [other])
        if met is not None:
            tally = context.tallies[one.meant.id]
            tally.runs += 1
            _race(context, _Run(one, call), met, tally, after=1)


# ---- two items of one group -----------------------------------------------------------------------------------------


def _check_neighbours(context: ProofContext, shown: Subject) -> None:
    """Two new items of one group, of which a read shows the first in an order: each comes while the other is put.

    Both come before all that are there, so that each would be shown; the order of the two is tried both ways.
    """
    read, facts = shown.meant, context.facts
    if read.kind != "get" or len(read.sort) != 1 or len(read.entities) != 1:
        return
    if any(each.sorts_as == read.sort[0].attr for each in facts.spec.entities[read.entity].attributes.values()):
        return  # an id that goes with the time is not changed with it
    putting = [each for each in context.writes if _puts_one(facts, each.meant, read.entity)]
    for one, other in ((one, other) for one in putting for other in putting):
        for is_first in (True, False):
            _check_pair_of_group(context, shown, (one, other), is_first=is_first)


def _puts_one(facts: Facts, write: PatternSpec, entity: str) -> bool:
    effect = effect_on(facts, write, entity) if entity in write.entities else None
    return effect is not None and effect.op == "put" and not effect.is_list


def _check_pair_of_group(
    context: ProofContext, shown: Subject, writers: tuple[Subject, Subject], *, is_first: bool
) -> None:
    read, tally = shown.meant, context.tallies[writers[0].meant.id]
    for _ in range(ATTEMPTS):
        had = frozenset(context.values.promised)
        runs = [_made(context, each, read.entity) for each in writers]
        items = [None if run is None else _new_item(context, run, read.entity) for run in runs]
        mine, other = runs
        if mine is None or other is None or items[0] is None:
            continue
        shared = {name: items[0][name] for name in (*read.by, *read.filter) if name in items[0]}
        first, second = _first_two(context, read)
        mine = _with_values(mine, read.entity, {read.sort[0].attr: first if is_first else second})
        other = _with_values(other, read.entity, {**shared, read.sort[0].attr: second if is_first else first})
        made = [_new_item(context, each, read.entity) for each in (mine, other)]
        if all(each is not None and _is_unheard_of(context, read.entity, each, had) for each in made):
            tally.runs += 1
            _race(context, mine, other, tally)
            return


def _is_unheard_of(context: ProofContext, entity: str, item: Item, had: frozenset[tuple[str, tuple[Any, ...]]]) -> bool:
    """Whether no item ever had its id; then what it has is what the id comes with from now on."""
    if (entity, id_of(context.facts.spec.entities[entity], item)) in had:
        return False
    promise_anew(context.values, entity, item)
    return True


def _made(context: ProofContext, subject: Subject, entity: str) -> _Run | None:
    """A call that makes an item that was not there."""
    call = make_write_call(context.values, subject.meant, context.state, context.next_number())
    run = _Run(subject, call)
    return None if _new_item(context, run, entity) is None else run


def _new_item(context: ProofContext, run: _Run, entity: str) -> Item | None:
    applied = context.try_write(run.subject, run.call)
    made = [] if applied is None else [each for each in applied.changed if each.entity == entity and not each.before]
    return made[0].after if made else None


def _first_two(context: ProofContext, read: PatternSpec) -> tuple[Any, Any]:
    """Two values that come before the others of the attribute that a read is sorted by."""
    attr, known = read.sort[0].attr, as_lists(context.state)
    drawn = [new_value(context.values, read.entity, attr, context.next_number(), known) for _ in range(DRAWN)]
    ordered = sorted(set(drawn), reverse=read.sort[0].order == "desc")
    return ordered[0], ordered[min(1, len(ordered) - 1)]


def _with_values(run: _Run, entity: str, values: Item) -> _Run:
    """The same call with other values of these attributes."""
    call = run.call
    by = {name: values.get(name, value) for name, value in call.by.items()}
    given = {**call.given.get(entity, {}), **{name: each for name, each in values.items() if name not in by}}
    return _Run(run.subject, msgspec.structs.replace(call, by=by, given={**call.given, entity: given}))


def _subject_of(context: ProofContext, subject: Subject, call: Call) -> Named | None:
    """The item that a call is about; None where it does nothing."""
    applied = context.try_write(subject, call)
    if applied is None or not applied.changed:
        return None
    change = applied.changed[0]
    return change.entity, change.before or change.after or {}


def _race(context: ProofContext, mine: _Run, other: _Run, tally: PatternTally, after: int = 0) -> None:
    """The other comes when mine has made so many writes, by default none."""
    results: list[str] = []

    def interfere() -> None:
        results.append(context.run_write(other.subject, other.call).result)

    outcome = context.run_write(mine.subject, mine.call, between=interfere, after=after)
    if not results:  # mine was refused before it came to write
        interfere()
    context.count_check("two writers at once: some order of the two, or one is refused")
    _judge(context, tally, (mine, other), (outcome.result, results[0]))


def _same(context: ProofContext, mine: _Run) -> _Run:
    token = f"{mine.call.token}-{context.next_number()}" if mine.call.token else ""
    return _Run(mine.subject, msgspec.structs.replace(mine.call, token=token))


def _another(context: ProofContext, about: Named, subjects: Sequence[Subject]) -> _Run | None:
    """A call of any of these patterns that writes the same item, and is right by itself."""
    fitting = [each for each in subjects if about[0] in each.meant.entities]
    for _ in range(ATTEMPTS if fitting else 0):
        subject = context.values.chance.choice(fitting)
        call = make_write_call(context.values, subject.meant, context.state, context.next_number(), about)
        applied = context.try_write(subject, call)
        if applied is not None and applied.changed:
            return _Run(subject, call)
    return None


# ---- how it may have gone -------------------------------------------------------------------------------------------


def _judge(context: ProofContext, tally: PatternTally, runs: tuple[_Run, _Run], results: tuple[str, str]) -> None:
    nearest = "no order of the two has these results"
    for course in _courses(context, *runs):
        if not all(map(_fits, (course.first, course.other), results)):
            continue
        stored, touched = stored_after(context, course.order)
        wrong = difference(context, stored, touched | _touched_by_any(context, runs))
        if not wrong:
            context.state, context.stored = course.state, stored
            return
        nearest = wrong
    said = " and ".join(f"{each.subject.meant.id} {context.parameters(each.subject, each.call)}" for each in runs)
    tally.fail(f"two writers, {said}, were {' and '.join(results)}: {nearest}")
    repair(context)


def _courses(context: ProofContext, mine: _Run, other: _Run) -> Iterator[_Course]:
    """The other first, mine first, and mine refused although nothing forbids it: it has read what is no longer so."""
    theirs = context.try_write(other.subject, other.call)
    after = context.state if theirs is None else theirs.state
    ours = context.try_write(mine.subject, mine.call, after)
    yield _course(ours, theirs, (theirs, ours), after if ours is None else ours.state)
    ours = context.try_write(mine.subject, mine.call)
    before = context.state if ours is None else ours.state
    second = context.try_write(other.subject, other.call, before)
    yield _course(ours, second, (ours, second), before if second is None else second.state)
    yield _course(None, theirs, (theirs,), after)
    if theirs is not None and is_unholdable(context, theirs):
        yield _course(ours, None, (ours,), before)
        yield _course(None, None, (), context.state)


def _course(first: Applied | None, other: Applied | None, order: tuple[Applied | None, ...], state: State) -> _Course:
    return _Course(first, other, state, tuple(each for each in order if each is not None))


def _fits(applied: Applied | None, result: str) -> bool:
    """Whether a writer was told what happened; where nothing is done, either word will do."""
    if applied is not None and not (applied.changed or applied.along):
        return True
    return (applied is not None) == (result == "written")


def _touched_by_any(context: ProofContext, runs: tuple[_Run, _Run]) -> set[tuple[str, object, object]]:
    found: set[tuple[str, object, object]] = set()
    for each in runs:
        applied = context.try_write(each.subject, each.call)
        found |= set() if applied is None else stored_after(context, [applied])[1]
    return found
