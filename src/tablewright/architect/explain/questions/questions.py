"""Questions worth asking: those whose answer changes the design, found by solving with the other answer.

An answer matters when it changes a key or the number of indexes, brings shards, or moves the bill by a tenth and a
dollar; of mere volumes the bill must move by half and ten dollars, for that more costs more is no news. Each answer has
what to write into the spec, so that asking again with it gives what was promised.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.assembly.solution import name_choice
from tablewright.architect.explain.decisions import key_changes
from tablewright.architect.explain.questions.amounts import AMOUNTS
from tablewright.architect.explain.questions.answers import answered, apply_answers
from tablewright.architect.explain.questions.doubts import DOUBTS
from tablewright.architect.explain.resolve import FEWEST, NOTHING, PricedSolution, near, outcome, read_usd
from tablewright.architect.plans.forms import form_options
from tablewright.architect.search.forms import MOST_COMBINATIONS
from tablewright.architect.search.program import INFINITY
from tablewright.architect.solution import solve
from tablewright.design.advice import Answer, Question
from tablewright.design.cost.prices import prices_of
from tablewright.design.serving.serving import serve
from tablewright.design.wording import concat, money, sentence, tally
from tablewright.errors import DesignError
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tablewright.spec.write import spec_data

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from tablewright.architect.assembly.solution import Solution
    from tablewright.architect.explain.questions.asking import OpenQuestion, Reply
    from tablewright.architect.explain.resolve import Baseline
    from tablewright.architect.plans.values import ReadPlan
    from tablewright.design.layout.forms import Rewrite
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import Spec

FIRST = "condition"
"""What keeps a pattern from being proven is asked before everything else."""
MOST_QUESTIONS, MOST_OF_A_SOURCE, MOST_REPLIES = 8, 2, 2
GSI_USD, COPY_USD, KEY_USD, SHARD_USD, MOST_FOR_MONEY = 20.0, 10.0, 5.0, 50.0, 10.0
"""What a change counts like when questions are put in order: an index, a second item, other keys, shards."""
TOLERANCE = {"design": (0.1, 1.0), "volume": (0.5, 10.0), "aim": (INFINITY, INFINITY)}
"""By kind of question: the share and the dollars a bill must move to matter; what is aimed at is no matter of money."""


def questions(start: Baseline) -> tuple[Question, ...]:
    """The most valuable first, few of a kind; none that changes nothing."""
    content = spec_data(start.solution.origin)
    found: list[tuple[str, Question]] = []
    left = max(FEWEST, start.allowed // _forms_of(start.solution))
    for asking in _that_can_be_said(content, everything_to_ask(start.solution)):
        if left < len(asking.others):
            break
        left -= len(asking.others)
        question = _weigh_question(start, content, asking)
        if question is not None:
            mere = asking.kind == "volume" and question.value <= MOST_FOR_MONEY
            found.append(("money" if mere else asking.source, question))
    return tuple(_varied(found))[:MOST_QUESTIONS]


def _that_can_be_said(content: Mapping[str, Any], found: Iterator[OpenQuestion]) -> Iterator[OpenQuestion]:
    """Without answers that would contradict the rest of the spec, and without questions that have no other answer."""
    for asking in found:
        others = tuple(each for each in asking.others if _is_readable(content, each.changes))
        if others or asking.always:
            yield msgspec.structs.replace(asking, others=others)


def _is_readable(content: Mapping[str, Any], changes: Mapping[str, Any]) -> bool:
    try:
        read_spec(apply_answers(content, changes))
    except DesignError:
        return False
    return True


def _forms_of(solution: Solution) -> int:
    """How many forms of the spec are weighed for every single solution."""
    return min(MOST_COMBINATIONS, prod(len(each) for each in form_options(solution.asked)))


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
    assumed = Answer(
        answer=asking.assumed,
        outcome=sentence(_comes_to(now)),
        gsis=now.gsis,
        usd_per_month=now.usd_per_month,
        is_assumed=True,
    )
    return Question(
        id=asking.id,
        place=asking.place,
        question=asking.question,
        answers=(assumed, *(answer(now, reply, then) for reply, then in telling)),
        value=max((_value(now, then, asking.kind) for _, then in telling), default=0.0),
    )


def _telling_replies(
    start: Baseline, content: Mapping[str, Any], asking: OpenQuestion
) -> Iterator[tuple[Reply, PricedSolution | None]]:
    """Answers that matter. Of those that differ only in how much, none is tried when the last would not matter."""
    if asking.kind == "volume" and not _bears(start, content, asking):
        return
    found = [(reply, _outcome_if_it_matters(start, content, reply.changes, asking.kind)) for reply in asking.others]
    yield from [each for each in found if _matters(start.now, each[1], asking.kind)][:MOST_REPLIES]


def _bears(start: Baseline, content: Mapping[str, Any], asking: OpenQuestion) -> bool:
    """Whether the design as it is would come to something else with the last answer, or not serve any more."""
    solution = start.solution
    if solution.rewrites:
        return True
    facts = assume(answered(start.solution.origin, content, asking.others[-1].changes))
    if not all(_still_serves(facts, plan) for plan in solution.choice.plans.values()):
        return True
    return _matters(start.now, outcome(name_choice(solution.rewritten, facts, solution.choice)), asking.kind)


def _still_serves(facts: Facts, plan: ReadPlan) -> bool:
    """A filter that is fine for ten items is not for a thousand."""
    pattern = facts.spec.pattern(plan.pattern)
    assert pattern is not None
    return not plan.serving.filters or serve(facts, pattern, plan.shape, in_table=plan.place != "index") is not None


def _outcome_if_it_matters(
    start: Baseline, content: Mapping[str, Any], changes: Mapping[str, Any], kind: str
) -> PricedSolution | None:
    """Where an answer leaves the same forms to choose from, the chosen one is tried first; the others if it matters."""
    solution = start.solution
    if solution.rewrites and _forms_to_choose(answered(solution.origin, content, changes)) == form_options(
        solution.asked
    ):
        first = _outcome_with(start, content, changes, rewrites=solution.rewrites)
        if not _matters(start.now, first, kind):
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
    return (now.gsis, now.copies, _shards_of(now)) != (then.gsis, then.copies, _shards_of(then))


def _moved(now: PricedSolution, then: PricedSolution) -> float:
    """Dollars a month, without what reading new patterns costs: that is no matter of the design."""
    prices = prices_of(then.solution.spec)
    new = sum(read_usd(then, each.id, prices) for each in then.solution.spec.reads if each.id not in now.predictions)
    return abs(then.usd_per_month - new - now.usd_per_month)


def _table_keys(found: PricedSolution) -> dict[str, tuple[str, ...]]:
    return {name: shape.partition for name, shape in found.choice.base.items()}


def _shards_of(found: PricedSolution) -> int:
    return max(found.solution.names.shards.values(), default=1)


def _value(now: PricedSolution, then: PricedSolution | None, kind: str) -> float:
    if then is None:
        return GSI_USD
    dollars = _moved(now, then)
    return (
        GSI_USD * abs(then.gsis - now.gsis)
        + COPY_USD * abs(then.copies - now.copies)
        + KEY_USD * (kind == "design" and _table_keys(now) != _table_keys(then))
        + SHARD_USD * (_shards_of(now) != _shards_of(then))
        + (dollars if kind == "design" else min(dollars, MOST_FOR_MONEY))
    )


# ---- in words -------------------------------------------------------------------------------------------------------

MOST_CHANGES = 2


def answer(now: PricedSolution, reply: Reply, then: PricedSolution | None) -> Answer:
    if then is None:
        return Answer(answer=reply.answer, outcome="No design serves all patterns then.", changes=reply.changes)
    return Answer(
        answer=reply.answer,
        outcome=sentence(f"{_comes_to(then)}{'; ' if _changes_text(now, then) else ''}{_changes_text(now, then)}"),
        changes=reply.changes,
        gsis=then.gsis,
        usd_per_month=then.usd_per_month,
    )


def _comes_to(found: PricedSolution) -> str:
    copies = f", {tally(found.copies, 'second item')}" if found.copies else ""
    shards = f", {_shards_of(found)} shards" if _shards_of(found) > 1 else ""
    return f"{tally(found.gsis, 'GSI')}{copies}{shards}, {money(found.usd_per_month)} a month"


def _changes_text(now: PricedSolution, then: PricedSolution) -> str:
    changes = list(key_changes(now, then))
    return concat(changes[:MOST_CHANGES]) + (" and more" if len(changes) > MOST_CHANGES else "") if changes else ""
