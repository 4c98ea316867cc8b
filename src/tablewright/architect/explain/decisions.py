"""Decisions: what was chosen, what it costs a month, and by how much the next best choice loses.

The next best choice is the best design in which the decision is forbidden: the entity under that partition key in that
place, or the pattern read from there. A key with the same partition and another order behind it is the same decision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.explain.forms import OtherForm, other_forms
from tablewright.architect.explain.keys import (
    key_decisions,
    keyed,
    place_name,
    plan_sources,
    projection_decisions,
    shard_decisions,
)
from tablewright.architect.explain.patterns import steps_of, why
from tablewright.architect.explain.resolve import (
    Baseline,
    again,
    difference,
    ground,
    hopeless,
    read_usd,
)
from tablewright.architect.plans.collection import slots_of, variable_of
from tablewright.architect.plans.readers import key_of
from tablewright.architect.plans.registry import FORM_OF, PLACE_OF
from tablewright.architect.search.keep import keys_of
from tablewright.design.advice import Decision
from tablewright.design.cost.prices import prices_of
from tablewright.design.wording import concat, sentence, sort_text, tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.architect.assembly.requests import ReadRequest
    from tablewright.architect.assembly.solution import Solution
    from tablewright.architect.explain.resolve import PricedSolution
    from tablewright.architect.plans.values import PlaceName, Variable
    from tablewright.design.layout.forms import Rewrite
    from tablewright.design.serving.shapes import Shape

NOT_TRIED = "Not looked for: so large a spec allows only so many second solutions."


def decisions(
    solution: Solution, *, start: Baseline | None = None, forms: tuple[OtherForm, ...] | None = None
) -> tuple[Decision, ...]:
    """Table keys, index entries, second items, plans, projections, shards and rewrites."""
    begun = start or ground(solution)
    others = tuple(other_forms(begun)) if forms is None else forms
    found = [*key_decisions(begun), *projection_decisions(begun), *plan_decisions(begun), *_look_up_decisions(begun)]
    return (*_weigh(begun, found), *shard_decisions(begun), *_rewrite_decisions(begun, others))


def _weigh(start: Baseline, found: list[tuple[Decision, list[Variable]]]) -> Iterator[Decision]:
    """In canonical order, as long as second solutions are allowed; what can be seen without one costs none."""
    left = start.allowed
    for decision, forbid in found:
        if hopeless(start.candidates, frozenset(forbid)):
            yield _weigh_against(decision, start.now, None)
        elif left:
            left -= 1
            yield _weigh_against(decision, start.now, again(start, forbid=forbid))
        else:
            yield msgspec.structs.replace(decision, alternative=NOT_TRIED)


def _weigh_against(decision: Decision, now: PricedSolution, other: PricedSolution | None) -> Decision:
    return msgspec.structs.replace(
        decision, loses=difference(now, other), alternative=_describe_alternative(now, other)
    )


# ---- plans ----------------------------------------------------------------------------------------------------------


def plan_decisions(start: Baseline) -> Iterator[tuple[Decision, list[Variable]]]:
    solution, prices = start.solution, prices_of(start.solution.spec)
    for pattern in solution.origin.reads:
        steps = [each for each in solution.stored_ids(pattern.id) if each in solution.requests]
        decision = Decision(
            id=f"plan:{pattern.id}",
            kind="plan",
            subject=pattern.id,
            chosen="; then ".join(_requests_text(solution, pattern.id)),
            why=why(solution, pattern.id),
            usd_per_month=sum(read_usd(start.now, each, prices) for each in steps),
            patterns=(pattern.id,),
            sources=plan_sources(solution, steps),
        )
        yield decision, _same_reading(start, steps[0]) if steps else []


def _requests_text(solution: Solution, pattern: str) -> Iterator[str]:
    """All that is sent, in its order."""
    for id_, several in steps_of(solution, pattern):
        if id_ in solution.requests:
            yield from (_request_text(each, several=several) for each in _sent(solution.requests[id_]))


def _sent(request: ReadRequest) -> Iterator[ReadRequest]:
    """A request, what fetches the items it found, and what goes on with the list."""
    yield request
    if request.then is not None:
        yield request.then
    if request.rest is not None:
        yield from _sent(request.rest)


def _request_text(request: ReadRequest, *, several: bool) -> str:
    sort = f" | {sort_text(request.sk)}" if request.sk else ""
    operation = "BatchGetItem" if several and request.operation == "GetItem" else request.operation
    return f"{operation} on {request.index or 'the table'}: {request.pk}{sort}"


def _same_reading(start: Baseline, pattern: str) -> list[Variable]:
    """Reading the pattern from this place under this partition."""
    choice = start.solution.choice
    if pattern in choice.plans:
        chosen = choice.plans[pattern]
        return [
            ("plan", pattern, plan.place, plan.shape)
            for plan in start.candidates.plans[pattern]
            if plan.place == chosen.place and plan.shape.partition == chosen.shape.partition
        ]
    collection, _ = choice.collections[pattern]
    return [
        variable_of(each, slot)
        for each in start.candidates.collections[pattern]
        if each.place == collection.place and each.signature[0] == collection.signature[0]
        for slot in slots_of(each, start.max_gsis)
    ]


def _look_up_decisions(start: Baseline) -> Iterator[tuple[Decision, list[Variable]]]:
    """Writes that have to find the table key of what they write; the other way is a table key that they know."""
    solution = start.solution
    for (write, entity), plan in solution.choice.located.items():
        place = place_name(key_of(solution.choice, plan))
        decision = Decision(
            id=f"plan:{write}:{entity}",
            kind="plan",
            subject=write,
            chosen=f"{write} looks {entity} up in {place} by {keyed(plan.shape)}, then writes it",
            why=why(solution, write),
            usd_per_month=read_usd(start.now, write, prices_of(solution.spec)),
            patterns=(write,),
        )
        yield decision, [("locate", write, plan.place, plan.shape)]


# ---- rewrites -------------------------------------------------------------------------------------------------------


def _rewrite_decisions(start: Baseline, forms: Iterable[OtherForm]) -> Iterator[Decision]:
    """Forms that were chosen among several; the others are solved for with everything else as it is."""
    for form in forms:
        decision = Decision(
            id=f"rewrite:{' '.join(map(str, form.taken))}",
            kind="rewrite",
            subject=form.taken[0].subject,
            chosen=concat(_rewrite_text(each) for each in form.taken),
            why=sentence(FORM_OF[form.taken[0].kind].reason),
        )
        yield _weigh_against(decision, start.now, form.outcome)


def _rewrite_text(rewrite: Rewrite) -> str:
    return FORM_OF[rewrite.kind].text.format(subject=rewrite.subject, attributes=concat(rewrite.attributes))


# ---- another design ------------------------------------------------------------------------------------------------

MOST_CHANGES = 3


def _describe_alternative(now: PricedSolution, other: PricedSolution | None) -> str:
    if other is None:
        return "No design serves all patterns without it."
    changes = list(key_changes(now, other)) or list(_reading_changes(now, other))
    if not changes and now.choice.projections != other.choice.projections:
        return "The same keys, and indexes that hold more of the items."
    forms = [_rewrite_text(each) for each in other.solution.rewrites if each not in now.solution.rewrites]
    if not changes and forms:  # such as a total that somebody else keeps, under the same key
        return sentence(concat(forms))
    more = len(changes) - MOST_CHANGES
    tail = [tally(more, "more change")] if more > 0 else []
    return sentence(concat([*changes[:MOST_CHANGES], *tail])) if changes else "The same keys, read in another order."


def key_changes(now: PricedSolution, other: PricedSolution) -> Iterator[str]:
    """New keys first, then what is gone; indexes have no numbers here, for these mean nothing across designs."""
    before, after = _unnumbered(now), _unnumbered(other)
    added = [each for each in after if each not in before]
    for place, shape in added:
        yield f"{shape.entity} {PLACE_OF[place].added} by {keyed(shape)}"
    replaced = {(place, shape.entity) for place, shape in added}
    for place, shape in before:
        if (place, shape) not in after and (place, shape.entity) not in replaced:
            yield f"no {PLACE_OF[place].removed} of {shape.entity} by {keyed(shape)}"


def _unnumbered(outcome: PricedSolution) -> list[tuple[PlaceName, Shape]]:
    return [(key.place, key.shape) for key in keys_of(outcome.choice)]


def _reading_changes(now: PricedSolution, other: PricedSolution) -> Iterator[str]:
    for pattern, plan in now.choice.plans.items():
        then = other.choice.plans.get(pattern)
        if then is not None and (plan.place, plan.shape) != (then.place, then.shape):
            yield f"{pattern} from {place_name(key_of(other.choice, then))} by {keyed(then.shape)}"
        if pattern in other.choice.collections:
            yield f"{pattern} as one query"
    for pattern, (before, slot) in now.choice.collections.items():
        if pattern not in other.choice.collections:
            yield f"{pattern} as several requests at once"
            continue
        after, other_slot = other.choice.collections[pattern]
        if (before.signature, slot is None) != (after.signature, other_slot is None):
            place = PLACE_OF[after.place].name_of(other_slot or 0)
            yield f"{pattern} from {place} by {' + '.join(after.signature[0])}"
