"""Questions as they are shown: every answer is taken into the spec and designed, so that it says what comes of it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tablewright.architect.explain.decisions import key_changes
from tablewright.architect.explain.questions.answers import answered, that_can_be_said
from tablewright.architect.explain.questions.asking import ALL_RATES, FIRST, MOST_QUESTIONS, Reply
from tablewright.architect.explain.questions.numbers import numbers_to_ask
from tablewright.architect.explain.resolve import designs_allowed, outcome
from tablewright.design.advice import Answer, Question
from tablewright.design.wording import concat, money, sentence, tally
from tablewright.errors import DesignError
from tablewright.spec.write import spec_data

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from tablewright.architect.assembly.solution import Solution
    from tablewright.architect.explain.questions.asking import OpenQuestion
    from tablewright.architect.explain.resolve import PricedSolution
    from tablewright.design.model import Design
    from tablewright.spec.model import Spec

Settle: TypeAlias = "Callable[[Spec], Sequence[Solution]]"
"""From a spec to the solutions of its tables, by all that happens to a spec that is designed."""
MOST_NUMBERS = 4
"""Numbers that are asked for: whoever knows these can be asked for the next ones."""


class AskedQuestions(msgspec.Struct, frozen=True):
    """What is shown, and what is not because its answers would take too many designs, in words."""

    questions: tuple[Question, ...]
    capped: str = ""


def settled_questions(made: Design, spec: Spec, now: Sequence[Solution], settle: Settle) -> AskedQuestions:
    """The questions of a design: first what nothing proves, then the numbers its bill rests on, then what was found.

    Every answer is taken into the spec and designed, so that what is shown is what comes of it; as many as are allowed.
    """
    content = spec_data(spec)
    chosen = tuple(map(outcome, now))
    numbers = islice(that_can_be_said(content, numbers_to_ask(made, spec)), MOST_NUMBERS)
    found = made.advice.questions
    unread = [each for each in found if each.id.startswith(f"{FIRST}:")]
    rates = [each for each in found if each.id == ALL_RATES]
    others = [each for each in found if each not in (*unread, *rates)]
    order = (*unread, *rates, *map(_question_of, numbers), *others)
    designs = min(map(designs_allowed, now))
    asked, left_out = _affordable(order, designs)
    shown = (_settled(spec, content, chosen, each, settle) for each in asked)
    return AskedQuestions(
        tuple(islice((each for each in shown if each is not None), MOST_QUESTIONS)), _capped(left_out, designs)
    )


def _affordable(order: Sequence[Question], designs: int) -> tuple[list[Question], int]:
    """Those whose answers can be designed, in their order; how many cannot, of those that would be shown."""
    found, left = list[Question](), designs
    for question in order:
        left -= sum(not each.is_assumed for each in question.answers)
        if left >= 0 or len(question.answers) == 1:
            found.append(question)
    return found, max(0, min(MOST_QUESTIONS, len(order)) - len(found))


def _capped(questions: int, designs: int) -> str:
    if not questions:
        return ""
    return (
        f"{tally(questions, 'question')} left out: every answer is a whole design, and so many forms of so many"
        f" patterns allow {designs} of them. Answer what is asked, and design again for the next."
    )


def _question_of(asking: OpenQuestion) -> Question:
    """As it is asked, before anybody knows what its answers come to."""
    assumed = Answer(answer=asking.assumed, outcome="", is_assumed=True)
    others = (Answer(answer=each.answer, outcome="", changes=each.changes) for each in asking.others)
    return Question(
        id=asking.id,
        place=asking.place,
        question=asking.question,
        answers=(assumed, *others),
        value=asking.value,
    )


def _settled(
    spec: Spec, content: Mapping[str, Any], now: Sequence[PricedSolution], question: Question, settle: Settle
) -> Question | None:
    """With what every answer comes to; None where all come to the same after all."""
    then = {
        each.answer: now if each.is_assumed else _designed(answered(spec, content, each.changes), settle)
        for each in question.answers
    }
    told = tuple(
        answer(now, Reply(each.answer, each.changes), then[each.answer], is_assumed=each.is_assumed)
        for each in question.answers
        if each.is_assumed or not _is_same(now, then[each.answer])
    )
    return None if len(told) == 1 < len(question.answers) else msgspec.structs.replace(question, answers=told)


def _designed(spec: Spec, settle: Settle) -> Sequence[PricedSolution] | None:
    try:
        return tuple(map(outcome, settle(spec)))
    except DesignError:
        return None


def _is_same(now: Sequence[PricedSolution], then: Sequence[PricedSolution] | None) -> bool:
    return then is not None and _comes_to(now) == _comes_to(then) and not _changes_text(now, then)


# ---- in words -------------------------------------------------------------------------------------------------------

MOST_CHANGES = 2


def answer(
    now: Sequence[PricedSolution], reply: Reply, then: Sequence[PricedSolution] | None, *, is_assumed: bool = False
) -> Answer:
    if then is None:
        return Answer(answer=reply.answer, outcome="No design serves all patterns then.", changes=reply.changes)
    changes = "" if is_assumed else _changes_text(now, then)
    return Answer(
        answer=reply.answer,
        outcome=sentence(f"{_comes_to(then)}{'; ' if changes else ''}{changes}"),
        changes=reply.changes,
        gsis=sum(each.gsis for each in then),
        usd_per_month=sum(each.usd_per_month for each in then),
        is_assumed=is_assumed,
    )


def _comes_to(found: Sequence[PricedSolution]) -> str:
    copies, shards = sum(each.copies for each in found), max(map(shards_of, found))
    said = [
        tally(len(found), "table") if len(found) > 1 else "",
        tally(sum(each.gsis for each in found), "GSI"),
        tally(copies, "second item") if copies else "",
        f"{shards} shards" if shards > 1 else "",
        f"{money(sum(each.usd_per_month for each in found))} a month",
    ]
    return ", ".join(each for each in said if each)


def _changes_text(now: Sequence[PricedSolution], then: Sequence[PricedSolution]) -> str:
    """Other keys; of several tables nothing is said here, whose keys are not each other's."""
    changes = list(key_changes(now[0], then[0])) if len(now) == len(then) == 1 else []
    return concat(changes[:MOST_CHANGES]) + (" and more" if len(changes) > MOST_CHANGES else "") if changes else ""


def shards_of(found: PricedSolution) -> int:
    return max(found.solution.names.shards.values(), default=1)
