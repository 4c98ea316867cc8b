"""Solving a spec: the best form of it, the best choice for that form, and its names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.assembly.solution import RuleCost, Solution, name_choice
from tablewright.architect.plans.forms import rewrite
from tablewright.architect.plans.pointer import WORTH, pointer_rule
from tablewright.architect.plans.prices import UNBOUNDED, growth_rule
from tablewright.architect.plans.values import Candidates, Choice, PlacedShapes, Variable
from tablewright.architect.search.conflict import conflicts_of, describe_conflicts, feasible
from tablewright.architect.search.forms import Weight, choose
from tablewright.architect.search.least import ALIKE, PROVEN
from tablewright.architect.search.search import candidates_of, search_further, try_search
from tablewright.architect.search.stages import Aim
from tablewright.design.cost.prices import prices_of
from tablewright.design.cost.report import month_of
from tablewright.design.cost.units.volumes import estimate
from tablewright.design.heat.report import is_too_hot, table_heat
from tablewright.design.layout.forms import Rewrite, Rewritten, facts_of
from tablewright.design.wording import concat, money
from tablewright.errors import DesignError
from tablewright.spec.facts import Facts, assume
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from pathlib import Path

    from tablewright.architect.search.forms import Weight
    from tablewright.design.layout.layout import Layout
    from tablewright.spec.model import Spec

__all__ = ["Solution", "can_serve", "more_than_ids", "price_of_cooling", "solve", "solve_without", "weight_of"]

MOST_FORMS = 3
"""Forms besides the best whose next best designs are looked through."""
LOCAL_RULE = (
    "a local index would be made with its table and never later, and would hold each partition to 10 GB; it is taken"
    " only where nothing else serves, or where the spec allows it (constraints: lsis: true)"
)
FREE_FORMS = 3
"""Forms besides the best that are solved without rules, to tell what rules cost; and one more."""


class _SolveOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of a solution besides the spec."""

    aim: Aim
    max_gsis: int | None
    forbid: Collection[Variable]
    prefer: PlacedShapes | None
    tell_rules: bool = False


def solve(
    given: str | Path | Mapping[str, Any] | Spec,
    *,
    aim: Aim | None = None,
    max_gsis: int | None = None,
    forbid: Collection[Variable] = (),
    prefer: PlacedShapes | None = None,
    rewrites: Sequence[Rewrite] | None = None,
    tell_rules: bool = False,
) -> Solution:
    """The best design for a spec; `aim` is cost when the spec has rates, else the number of indexes.

    `rewrites` are those to make; left out, they are chosen. The other options are those of `try_search`. Local indexes
    are taken where nothing else serves, unless the spec forbids them. `tell_rules`: also what rules beside the bill
    cost, which takes another search.
    """
    spec = read_spec(given)
    wanted = _SolveOptions(
        aim=aim or ("cost" if assume(spec).has_rates else "gsis"),
        max_gsis=max_gsis,
        forbid=forbid,
        prefer=prefer,
        tell_rules=tell_rules,
    )
    found = _best_of(assume(spec), wanted, rewrites)
    if found is None and _may_need_local_indexes(spec):
        found = _best_of(assume(_with_local_indexes(spec)), wanted, rewrites)
    elif found is not None and wanted.tell_rules and wanted.aim == "cost" and _may_need_local_indexes(spec):
        found = _with_local_rule(found, spec, wanted, rewrites)
    if found is None:
        raise DesignError(_why_none(spec, wanted, rewrites))
    return found


def _with_local_rule(
    found: Solution, spec: Spec, wanted: _SolveOptions, rewrites: Sequence[Rewrite] | None
) -> Solution:
    """What it costs that local indexes are taken only where nothing else serves."""
    options = msgspec.structs.replace(wanted, tell_rules=False)
    other = _best_of(assume(_with_local_indexes(spec)), options, rewrites)
    saved = 0.0 if other is None else weight_of(found.layout, "cost")[0] - weight_of(other.layout, "cost")[0]
    told = 0.0 if found.rule is None else found.rule.usd_per_month
    if other is None or not other.choice.lsis or saved <= weight_of(found.layout, "cost")[0] * PROVEN:
        return found
    why = () if found.rule is None else found.rule.why
    rule = RuleCost(max(told, saved / MICRO), (*why, LOCAL_RULE))
    return msgspec.structs.replace(found, rule=rule)


def _why_none(spec: Spec, wanted: _SolveOptions, rewrites: Sequence[Rewrite] | None) -> str:
    """The patterns that are to blame; where something is forbidden or settled beforehand, nobody asks."""
    if wanted.forbid or rewrites is not None:
        return "no design serves all access patterns"
    most = spec.constraints.max_gsis if wanted.max_gsis is None else wanted.max_gsis
    limited = msgspec.structs.replace(spec, constraints=msgspec.structs.replace(spec.constraints, max_gsis=most))
    return describe_conflicts(conflicts_of(limited, lambda each: can_serve(each, wanted.prefer)))


class _Served(Exception):
    """No error: it ends the search for any design at the first."""


def can_serve(spec: Spec, prefer: PlacedShapes | None = None) -> bool:
    """Whether some design serves a spec, in whichever form it is stored and whatever it costs."""

    def weigh(form: Rewritten) -> Weight | None:
        candidates = candidates_of(facts_of(form), prefer)
        if feasible(candidates, spec.constraints.max_gsis, more_than_ids(form, candidates)):
            raise _Served
        return None

    specs = (spec, _with_local_indexes(spec)) if _may_need_local_indexes(spec) else (spec,)
    try:
        for each in specs:
            choose(assume(each), weigh)
    except _Served:
        return True
    return False


def _may_need_local_indexes(spec: Spec) -> bool:
    return spec.constraints.lsis is None and _may_help(spec)


def _with_local_indexes(spec: Spec) -> Spec:
    return msgspec.structs.replace(spec, constraints=msgspec.structs.replace(spec.constraints, lsis=True))


def solve_without(
    solution: Solution,
    forbid: Collection[Variable],
    *,
    aim: Aim,
    max_gsis: int | None,
    prefer: PlacedShapes | None = None,
) -> Solution | None:
    """The best design of the same form without some choices; None when there is none."""
    form = rewrite(solution.asked, [each for each in solution.rewrites if each.kind != "pointer"])
    wanted = _SolveOptions(aim=aim, max_gsis=max_gsis, forbid=forbid, prefer=prefer)
    return _try_form(form, wanted, likely=len(solution.choice.slots))


def with_gap_of(first: Solution, taken: Solution) -> Solution:
    """A design that was taken instead of the best is not nearer to the least bill than that one is known to be."""
    gap = max(first.choice.gap, taken.choice.gap)
    return msgspec.structs.replace(taken, choice=msgspec.structs.replace(taken.choice, gap=gap))


def _may_help(spec: Spec) -> bool:
    """A local index is another sort key that can be read consistently."""
    return any(each.consistency == "strong" and each.kind == "query" for each in spec.reads)


def _best_of(facts: Facts, wanted: _SolveOptions, rewrites: Sequence[Rewrite] | None) -> Solution | None:
    """None where nothing serves."""
    if rewrites is not None:
        made = [each for each in rewrites if each.kind != "pointer"]  # which follow from the keys
        return _try_form(rewrite(facts, made), wanted)
    found: dict[tuple[Rewrite, ...], Solution] = {}
    weights: dict[tuple[Rewrite, ...], Weight] = {}
    is_open = wanted.aim == "cost" and not wanted.prefer

    def weigh(form: Rewritten) -> Weight | None:
        if form.rewrites in weights:
            return weights[form.rewrites]
        likely = max((len(each.choice.slots) for each in found.values()), default=0)
        solution = _try_form(form, wanted, settled=not is_open, likely=likely)
        if solution is None:
            return None
        found[form.rewrites] = solution
        weights[form.rewrites] = (float(solution.too_hot), *_weight(solution, wanted.aim))
        return weights[form.rewrites]

    most = facts.spec.constraints.max_gsis if wanted.max_gsis is None else wanted.max_gsis
    best = choose(facts, weigh, thorough=is_open, additive=most if is_open else None)
    solution = found.get(best.rewrites)
    if solution is None:
        return None
    cheapest = min(weights, key=lambda each: weights[each][1:])
    if is_open:
        plainest = _plainest_of(weights, best.rewrites)
        likely = len(found[plainest].choice.slots)
        solution = _try_form(rewrite(facts, plainest), wanted, likely=likely) or solution  # with its ties settled
        others = [each for form, each in found.items() if form != plainest and each.too_hot <= solution.too_hot]
        solution = _least_bill([solution, *others], wanted)
    if found[cheapest].too_hot > solution.too_hot:
        return msgspec.structs.replace(solution, remarks=(price_of_cooling(found[cheapest], solution),))
    return solution


def _plainest_of(weights: Mapping[tuple[Rewrite, ...], Weight], best: tuple[Rewrite, ...]) -> tuple[Rewrite, ...]:
    """Of forms that cost the same, the one that stores the least besides the items themselves."""
    hot, least = weights[best][:2]
    alike = [each for each, weight in weights.items() if weight[0] == hot and weight[1] <= least * (1 + ALIKE)]
    return min(alike, key=lambda form: sum(each.kind != "exact" for each in form))


def _least_bill(found: Sequence[Solution], wanted: _SolveOptions) -> Solution:
    """The search adds up what is linear; the bill decides, among the forms that can be better than the best."""
    best = _go_further(found[0], wanted)
    weight = _weight(best, "cost")[0]
    others = sorted(found[1:], key=_bound)
    for each in others[:MOST_FORMS]:
        other = _go_further(each, wanted) if _bound(each) < weight * (1 - PROVEN) else each
        if _weight(other, "cost")[0] < weight * (1 - ALIKE):
            best, weight = other, _weight(other, "cost")[0]
    return _with_rules(best, [best, *_free_forms(others)], wanted) if wanted.tell_rules else best


def _free_forms(others: Sequence[Solution]) -> list[Solution]:
    """Those with the least bills, and the one that leaves the most table keys open, which rules may speak against."""
    freest = sorted(others, key=lambda each: sum(form.kind == "exact" for form in each.rewrites))[:1]
    return [*others[:FREE_FORMS], *(each for each in freest if each not in others[:FREE_FORMS])]


def _bound(solution: Solution) -> int:
    return solution.choice.cost + solution.choice.rules


def _go_further(solution: Solution, wanted: _SolveOptions, *, rules: bool = True) -> Solution:
    """The design of the same form with the least bill."""
    form = _plain_form(solution)
    facts, how = facts_of(form), _how(form, wanted, rules=rules)
    base = {name: shape for name, shape in solution.choice.base.items() if name in form.spec.entities}

    def bill(choice: Choice) -> float:
        other = name_choice(form, facts, choice)
        return inf if other.too_hot > solution.too_hot else weight_of(other.layout, "cost")[0]

    first = msgspec.structs.replace(solution.choice, base=base)
    return name_choice(form, facts, search_further(first, bill, **how))


def _with_rules(solution: Solution, forms: Sequence[Solution], wanted: _SolveOptions) -> Solution:
    """What a rule costs is told: the bill without it in one of these forms, where that is smaller."""
    usd = weight_of(solution.layout, "cost")[0]
    least, why = usd, list[str]()
    for each in forms:
        if not _may_have_rules(each):
            continue
        likely = len(each.choice.slots)
        free = _try_form(_plain_form(each), wanted, rules=False, settled=False, likely=likely)
        if free is None or free.choice.cost >= least * (1 - PROVEN):  # a bound: no bill is below
            continue
        for other in (free, _go_further(free, wanted, rules=False)) if each is solution else (free,):
            if weight_of(other.layout, "cost")[0] < least * (1 - PROVEN):
                least, why = weight_of(other.layout, "cost")[0], list(_rules_of(other))
    if least == usd:
        return solution
    return msgspec.structs.replace(solution, rule=RuleCost((usd - least) / MICRO, tuple(dict.fromkeys(why))))


def _plain_form(solution: Solution) -> Rewritten:
    """Without pointers, which follow from the keys that are chosen."""
    return rewrite(solution.asked, [each for each in solution.rewrites if each.kind != "pointer"])


def _may_have_rules(solution: Solution) -> bool:
    shapes = candidates_of(solution.facts).shapes.values()
    facts = solution.facts
    table = (pointer_rule, growth_rule)
    return any(rule(facts, shape) for each in shapes for shape in each.base for rule in table) or any(
        growth_rule(facts, shape) for each in shapes for shape in each.index
    )


def _rules_of(solution: Solution) -> Iterator[str]:
    """What speaks against a design beside its bill."""
    for each in solution.rewrites:
        if each.kind == "pointer":
            yield (
                f"every write of {each.subject} would read first and write two items in a transaction, because its"
                f" table key would hold more than its id ({concat(each.attributes)}); that must save"
                f" {money(WORTH / MICRO)} a month"
            )
    own = [shape for name, shape in solution.choice.base.items() if name in solution.asked.spec.entities]
    for shape in (*own, *(shape for slot in solution.choice.slots for shape in slot.values())):
        if growth_rule(solution.facts, shape):
            key = concat(shape.partition) if shape.partition else "nothing"
            yield (
                f"partitions of {shape.entity} by {key} would grow beyond 10 GB; that must save"
                f" {money(UNBOUNDED / MICRO)} a month"
            )


def _weight(solution: Solution, aim: Aim) -> Weight:
    """How good a solution is, with what rules are worth beside the bill."""
    first, *others = weight_of(solution.layout, aim)
    return (first + solution.choice.rules, *others) if aim == "cost" else (first, *others)


def _try_form(
    form: Rewritten, wanted: _SolveOptions, *, rules: bool = True, settled: bool = True, likely: int = 0
) -> Solution | None:
    how = _how(form, wanted, rules=rules)
    choice = try_search(facts_of(form), aim=wanted.aim, prefer=wanted.prefer, settled=settled, likely=likely, **how)
    return None if choice is None else name_choice(form, facts_of(form), choice)


def _how(form: Rewritten, wanted: _SolveOptions, *, rules: bool = True) -> dict[str, Any]:
    facts = facts_of(form)
    candidates = candidates_of(facts, wanted.prefer)
    return {
        "max_gsis": facts.spec.constraints.max_gsis if wanted.max_gsis is None else wanted.max_gsis,
        "prices": prices_of(facts.spec),
        "forbid": [*wanted.forbid, *more_than_ids(form, candidates)],
        "candidates": candidates,
        "rules": rules,
    }


def more_than_ids(form: Rewritten, candidates: Candidates) -> list[Variable]:
    """Table keys that would let two items with one id in."""
    return [
        ("base", shape)
        for entity in form.exact
        for shape in candidates.shapes[entity].base
        if set(shape.attributes) != set(form.spec.entities[entity].id)
    ]


def price_of_cooling(hot: Solution, cool: Solution) -> str:
    """What it costs that another design was not taken, and what is too hot in that one."""
    more = (weight_of(cool.layout, "cost")[0] - weight_of(hot.layout, "cost")[0]) / MICRO
    fault = next(each for each in table_heat(hot.layout).findings if is_too_hot(each))
    if more < 0:  # shards that it would need cost more than other keys
        return f"{money(-more)} a month less than the design that came first, in which at peak {fault.what}."
    return f"{money(more)} a month more than the cheapest design, in which at peak {fault.what} ({fault.arithmetic})."


# ---- how good a form is ---------------------------------------------------------------------------------------------
# The search weighs only what depends on its own choice; a rewrite also changes what the items themselves cost to write
# and to store, so that the month on demand is taken here.

MICRO = 1e6


def weight_of(layout: Layout, aim: Aim) -> Weight:
    """Less is better, first things first."""
    usd = month_of(layout, prices_of(layout.spec), estimate(layout), free_tier=False).modes[0].usd_per_month
    cost, indexes = float(round(usd * MICRO)), float(layout.gsis)
    return {"cost": (cost, indexes), "gsis": (indexes, cost), "latency": (_requests_of(layout), cost, indexes)}[aim]


def _requests_of(layout: Layout) -> float:
    """Requests one after the other that all reads of a second wait for."""
    parts = (part for parts in layout.form.reads.values() for part in parts)
    later = {part.pattern for part in parts if part.keys_from is not None}
    return sum(layout.facts.rates[each.id].avg for each in layout.spec.reads if each.id in later)
