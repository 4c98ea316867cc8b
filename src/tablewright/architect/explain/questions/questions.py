"""Questions worth asking: those whose answer changes the design, found by solving with the other answer.

An answer matters when it changes a key or the number of indexes, brings shards, or moves the bill by a tenth and a
dollar. Numbers that were assumed are asked for where the bill rests on them. Each answer has what to write into the
spec, and what is promised for it is what the whole way from that spec to a design came to (`settled_questions`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.explain.questions.amounts import AMOUNTS
from tablewright.architect.explain.questions.answers import answered, that_can_be_said
from tablewright.architect.explain.questions.asking import FIRST, MOST_QUESTIONS, Reply
from tablewright.architect.explain.questions.doubts import DOUBTS
from tablewright.architect.explain.questions.settled import answer, shards_of
from tablewright.architect.explain.resolve import FEWEST, NOTHING, PricedSolution, forms_of, near, outcome, read_usd
from tablewright.architect.plans.forms import form_options
from tablewright.architect.search.program import INFINITY
from tablewright.architect.solution import solve
from tablewright.design.advice import Question
from tablewright.design.cost.prices import prices_of
from tablewright.errors import DesignError
from tablewright.spec.facts import assume
from tablewright.spec.write import spec_data

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from tablewright.architect.assembly.solution import Solution
    from tablewright.architect.explain.questions.asking import OpenQuestion
    from tablewright.architect.explain.resolve import Baseline
    from tablewright.design.layout.forms import Rewrite
    from tablewright.spec.model import Spec

MOST_OF_A_SOURCE, MOST_REPLIES = 2, 2
GSI_USD, COPY_USD, KEY_USD, SHARD_USD, MOST_FOR_MONEY = 20.0, 10.0, 5.0, 50.0, 10.0
"""What a change counts like when questions are put in order: an index, a second item, other keys, shards."""
TOLERANCE = {"design": (0.1, 1.0), "aim": (INFINITY, INFINITY)}
"""By kind of question: the share and the dollars a bill must move to matter; what is aimed at is no matter of money."""


def questions(start: Baseline) -> tuple[Question, ...]:
    """The most valuable first, few of a kind; none that changes nothing."""
    content = spec_data(start.solution.origin)
    found: list[tuple[str, Question]] = []
    left = max(FEWEST, start.allowed // forms_of(start.solution))
    for asking in that_can_be_said(content, everything_to_ask(start.solution)):
        if left < len(asking.others):
            break
        left -= len(asking.others)
        question = _weigh_question(start, content, asking)
        if question is not None:
            found.append((asking.source, question))
    return tuple(_varied(found))[:MOST_QUESTIONS]


def everything_to_ask(solution: Solution) -> Iterator[OpenQuestion]:
    """First what decides keys, then mere numbers: where a spec is large, not all can be tried.

    Nobody is asked about what a delete goes on by: it follows from the delete.
    """
    inside = tuple(f"access_patterns.{each.id}" for each in solution.origin.patterns if each.cascade_of)
    for source in (*DOUBTS, *AMOUNTS):
        for asking in source(solution):
            if not any(path.startswith(inside) for reply in asking.others for path in reply.changes):
                yield asking


def _varied(found: list[tuple[str, Question]]) -> Iterator[Question]:
    """What nothing proves first, then in order of value; equal ones in the order of the spec, few of one source."""
    taken: dict[str, int] = {}
    for source, question in sorted(found, key=lambda each: (each[0] != FIRST, -each[1].value)):
        taken[source] = taken.get(source, 0) + 1
        if taken[source] <= MOST_OF_A_SOURCE or source == FIRST:
            yield question


def _weigh_question(start: Baseline, content: Mapping[str, Any], asking: OpenQuestion) -> Question | None:
    now = start.now
    telling = list(_telling_replies(start, content, asking))
    if not telling and not asking.always:
        return None
    assumed = answer((now,), Reply(asking.assumed, {}), (now,), is_assumed=True)
    others = (answer((now,), reply, None if then is None else (then,)) for reply, then in telling)
    return Question(
        id=asking.id,
        place=asking.place,
        question=asking.question,
        answers=(assumed, *others),
        value=max((_value(now, then, asking.kind) for _, then in telling), default=0.0),
    )


def _telling_replies(
    start: Baseline, content: Mapping[str, Any], asking: OpenQuestion
) -> Iterator[tuple[Reply, PricedSolution | None]]:
    """Answers that matter."""
    found = [(reply, _outcome_if_it_matters(start, content, reply.changes, asking.kind)) for reply in asking.others]
    yield from [each for each in found if _matters(start.now, each[1], asking.kind)][:MOST_REPLIES]


def _outcome_if_it_matters(
    start: Baseline, content: Mapping[str, Any], changes: Mapping[str, Any], kind: str
) -> PricedSolution | None:
    """Where an answer leaves the same forms to choose from, the chosen one is tried first; the others if it matters.

    Where there are so many forms that few designs are allowed, the first will do: what is asked is designed later.
    """
    solution = start.solution
    if solution.rewrites and _forms_to_choose(answered(solution.origin, content, changes)) == form_options(
        solution.asked
    ):
        first = _outcome_with(start, content, changes, rewrites=solution.rewrites)
        if start.designs < MOST_QUESTIONS or not _matters(start.now, first, kind):
            return first
    return _outcome_with(start, content, changes)


def _forms_to_choose(spec: Spec) -> object:
    return form_options(assume(spec))


def _outcome_with(
    start: Baseline,
    content: Mapping[str, Any],
    changes: Mapping[str, Any],
    rewrites: tuple[Rewrite, ...] | None = None,
) -> PricedSolution | None:
    """What the whole way from the spec to a design gives with the answer; None when no design exists then."""
    spec = answered(start.solution.origin, content, changes)
    most = spec.constraints.max_gsis if start.given_gsis is None else start.given_gsis
    for gsis in near(start, most, start.given_aim or ("cost" if _has_rates(spec) else "gsis")):
        try:
            return outcome(solve(spec, aim=start.given_aim, max_gsis=gsis, forbid=[NOTHING], rewrites=rewrites))
        except DesignError:
            continue
    return None


def _has_rates(spec: Spec) -> bool:
    return any(each.rate is not None for each in spec.patterns)


# ---- whether it matters ---------------------------------------------------------------------------------------------


def _matters(now: PricedSolution, then: PricedSolution | None, kind: str) -> bool:
    if then is None:
        return True
    share, dollars = TOLERANCE[kind]
    rebuilt = _restructured(now, then) or (kind == "design" and _table_keys(now) != _table_keys(then))
    return rebuilt or _moved(now, then) > max(dollars, share * now.usd_per_month)


def _restructured(now: PricedSolution, then: PricedSolution) -> bool:
    return (now.gsis, now.copies, shards_of(now)) != (then.gsis, then.copies, shards_of(then))


def _moved(now: PricedSolution, then: PricedSolution) -> float:
    """Dollars a month, without what reading new patterns costs: that is no matter of the design."""
    prices = prices_of(then.solution.spec)
    new = sum(read_usd(then, each.id, prices) for each in then.solution.spec.reads if each.id not in now.predictions)
    return abs(then.usd_per_month - new - now.usd_per_month)


def _table_keys(found: PricedSolution) -> dict[str, tuple[str, ...]]:
    return {name: shape.partition for name, shape in found.choice.base.items()}


def _value(now: PricedSolution, then: PricedSolution | None, kind: str) -> float:
    if then is None:
        return GSI_USD
    dollars = _moved(now, then)
    return (
        GSI_USD * abs(then.gsis - now.gsis)
        + COPY_USD * abs(then.copies - now.copies)
        + KEY_USD * (kind == "design" and _table_keys(now) != _table_keys(then))
        + SHARD_USD * (shards_of(now) != shards_of(then))
        + (dollars if kind == "design" else min(dollars, MOST_FOR_MONEY))
    )
