"""Two writers: one comes between what the other reads and what it writes.

The outcome must be that of some order of the two; or the one that lost the race is refused and has changed nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.proof.application.state import Applied, Call, State
from tablewright.proof.calls import make_write_call
from tablewright.proof.checks.stored import difference, repair, stored_after
from tablewright.proof.context import Subject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.proof.application.state import Named
    from tablewright.proof.context import PatternTally, ProofContext

ATTEMPTS = 4


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
    applied = context.try_write(subject, call)
    if applied is None or not applied.changed:
        return False
    mine = _Run(subject, call)
    change = applied.changed[0]
    item = change.before or change.after or {}
    other = _same(context, mine) if alike else _another(context, (change.entity, item))
    if other is None:
        return False
    results: list[str] = []
    outcome = context.run_write(
        subject, call, between=lambda: results.append(context.run_write(other.subject, other.call).result)
    )
    context.count_check("two writers at once: some order of the two, or one is refused")
    _judge(context, tally, (mine, other), (outcome.result, results[0] if results else "absent"))
    return True


def _same(context: ProofContext, mine: _Run) -> _Run:
    token = f"{mine.call.token}-{context.next_number()}" if mine.call.token else ""
    return _Run(mine.subject, msgspec.structs.replace(mine.call, token=token))


def _another(context: ProofContext, about: Named) -> _Run | None:
    """A call of any pattern that writes the same item, and is right by itself."""
    fitting = [each for each in context.writes if about[0] in each.meant.entities]
    for _ in range(ATTEMPTS):
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


def _course(first: Applied | None, other: Applied | None, order: tuple[Applied | None, ...], state: State) -> _Course:
    return _Course(first, other, state, tuple(each for each in order if each is not None))


def _fits(applied: Applied | None, result: str) -> bool:
    """Whether a writer was told what happened; where nothing is done, either word will do."""
    if applied is not None and not applied.changed:
        return True
    return (applied is not None) == (result == "written")


def _touched_by_any(context: ProofContext, runs: tuple[_Run, _Run]) -> set[tuple[str, object, object]]:
    found: set[tuple[str, object, object]] = set()
    for each in runs:
        applied = context.try_write(each.subject, each.call)
        found |= set() if applied is None else stored_after(context, [applied])[1]
    return found
