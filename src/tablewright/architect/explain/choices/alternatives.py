"""Other designs a person would weigh: the Pareto front of cost, indexes, second items, heat, requests and tables.

Tried are the least cost with every smaller number of GSIs, and every aim of its own. What another design beats or
equals in everything is dropped; the chosen design stays, marked, beside at most three others.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.explain.advice import Alternative
from tablewright.architect.explain.choices.readers import key_of_view
from tablewright.architect.explain.choices.resolve import Outcome, again, elsewhere, outcome
from tablewright.architect.explain.choices.words import CENT, more, sentence
from tablewright.architect.explain.wording import counted, joined, usd
from tablewright.architect.heat.arithmetic import number, percent
from tablewright.architect.tables import cost_of, groups_of, solve_tables
from tablewright.errors import DesignError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.architect.explain.choices.resolve import Ground
    from tablewright.architect.search.choose import Aim
    from tablewright.architect.solution import Solution

MOST_OTHERS = 3
HEAT_STEP, MONEY_STEP = 0.01, 0.01
"""Shares of a limit, and of the bill, below which two designs are the same."""
AIMS: tuple[Aim, ...] = ("cost", "gsis", "latency")


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """A design with its numbers; less is better in all of them."""

    outcomes: tuple[Outcome, ...]  # one for each table
    usd_per_month: float

    @property
    def counts(self) -> Mapping[str, int]:
        return {
            "GSI": sum(each.gsis for each in self.outcomes),
            "LSI": sum(len(each.choice.lsis) for each in self.outcomes),
            "second item": sum(each.copies for each in self.outcomes),
            "table": len(self.outcomes),
        }

    @property
    def hottest(self) -> float:
        return max(each.hottest for each in self.outcomes)

    @property
    def requests_per_pattern(self) -> float:
        patterns = {id_ for each in self.outcomes for id_ in each.predictions}
        return sum(each.requests for each in self.outcomes) / max(1, len(patterns))

    def numbers(self, step: float) -> tuple[float, ...]:
        """Dollars in steps, for nobody weighs a cent against an index."""
        heat, requests = round(self.hottest / HEAT_STEP), round(self.requests_per_pattern, 3)
        return (round(self.usd_per_month / step), heat, requests, *self.counts.values())

    @property
    def name(self) -> str:
        """What it is: `2 GSIs, 1 second item`."""
        said = [
            counted(count, noun) for noun, count in self.counts.items() if noun == "GSI" or count > (noun == "table")
        ]
        return ", ".join(said)


def alternatives(start: Ground) -> tuple[Alternative, ...]:
    chosen = measured_one(start.now)
    others = front([chosen, *islice(measured(start), start.allowed)])[:MOST_OTHERS]
    return tuple(described(each, chosen) for each in (chosen, *others))


def measured_one(outcome: Outcome) -> Measured:
    return Measured(outcomes=(outcome,), usd_per_month=outcome.usd_per_month)


def measured(start: Ground) -> Iterator[Measured]:
    """In the order in which they are kept: other aims, then fewer and fewer indexes, then what was not allowed."""
    for aim in AIMS:
        if aim != start.aim:
            yield from found(again(start, aim=aim))
    for gsis in reversed(range(start.now.gsis)):
        other = again(start, aim="cost", max_gsis=gsis)
        if other is None:
            break
        yield from found(other)
    for kind, gsis in (("lsis", start.max_gsis), ("copies", max(0, start.now.gsis - 1)), ("copies", 0)):
        yield from found(allowing(start, kind, gsis))
    yield from in_several_tables(start)


def found(outcome: Outcome | None) -> Iterator[Measured]:
    if outcome is not None:
        yield measured_one(outcome)


def in_several_tables(start: Ground) -> Iterator[Measured]:
    """A table for everything that is read together; each in the class that suits it."""
    origin = start.solution.origin
    if origin.constraints.tables != "single" or len(groups_of(start.solution.asked)) < 2:
        return
    try:
        apart = solve_tables(origin, tables="several", aim=start.given_aim, max_gsis=start.given_gsis)
    except DesignError:
        return
    saved = cost_of(start.solution, origin.entities).usd_per_month - (apart.several_usd_per_month or 0.0)
    yield Measured(
        outcomes=tuple(outcome(each) for each in apart.several), usd_per_month=start.now.usd_per_month - saved
    )


ALLOWED: Mapping[str, object] = {"lsis": True, "copies": "any"}


def allowing(start: Ground, kind: str, gsis: int) -> Outcome | None:
    """With local indexes, or with second items under any key: neither is taken unless somebody asks for it."""
    spec = start.facts.spec
    if getattr(spec.constraints, kind) == ALLOWED[kind]:
        return None
    constraints = msgspec.structs.replace(spec.constraints, **{kind: ALLOWED[kind]})
    freer = msgspec.structs.replace(start.facts, spec=msgspec.structs.replace(spec, constraints=constraints))
    aim: Aim = "gsis" if kind == "lsis" else "cost"
    return elsewhere(msgspec.structs.replace(start, aim=aim, max_gsis=gsis), freer)


def front(every: list[Measured]) -> list[Measured]:
    """What nothing else beats, each set of numbers once; the first is the chosen one and not returned."""
    kept: list[Measured] = []
    step = max(0.01, MONEY_STEP * every[0].usd_per_month)
    for each in every[1:]:
        rivals = [other for other in every if other is not each]
        known = any(other.numbers(step) == each.numbers(step) for other in (every[0], *kept))
        if not known and not any(dominates(other, each, step) for other in rivals):
            kept.append(each)
    return kept


def dominates(one: Measured, other: Measured, step: float) -> bool:
    pairs = list(zip(one.numbers(step), other.numbers(step), strict=True))
    return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)


# ---- in words -------------------------------------------------------------------------------------------------------


def described(each: Measured, chosen: Measured) -> Alternative:
    changes = list(compared(chosen, each))
    return Alternative(
        name=each.name,
        gsis=each.counts["GSI"],
        copies=each.counts["second item"],
        tables=each.counts["table"],
        usd_per_month=each.usd_per_month,
        requests_per_pattern=each.requests_per_pattern,
        hottest_share=each.hottest,
        gains=in_a_sentence([text for amount, text in changes if amount < 0]),
        costs=in_a_sentence([text for amount, text in changes if amount > 0]),
        keys={name: key for outcome in each.outcomes for name, key in table_keys(outcome.solution).items()},
        chosen=each is chosen,
    )


def compared(chosen: Measured, each: Measured) -> Iterator[tuple[float, str]]:
    """Every number that differs, with its sign."""
    money = each.usd_per_month - chosen.usd_per_month
    if abs(money) >= CENT:
        share = f" ({percent(abs(money) / chosen.usd_per_month)})" if chosen.usd_per_month >= CENT else ""
        yield money, f"{usd(abs(money))} {more(money)} a month{share}"
    for noun, before in chosen.counts.items():
        count = each.counts[noun] - before
        if count:
            yield count, f"{counted(abs(count), noun)} {more(count)}{WARNINGS.get(noun, '') if count > 0 else ''}"
    now, then = chosen.requests_per_pattern, each.requests_per_pattern
    if abs(then - now) >= CENT:
        yield then - now, f"{number(then)} requests a pattern instead of {number(now)}"
    heat = each.hottest - chosen.hottest
    if abs(heat) >= HEAT_STEP:
        yield (
            heat,
            f"the hottest partition at {percent(each.hottest)} instead of {percent(chosen.hottest)} of its limit",
        )


WARNINGS = {
    "LSI": " (made with the table and never later, and no partition key may hold more than 10 GB)",
    "second item": " to keep in step, in transactions of twice the units",
}


def in_a_sentence(texts: list[str]) -> str:
    return sentence(joined(texts)) if texts else ""


def table_keys(solution: Solution) -> Mapping[str, str]:
    return {
        view.entity: f"{keys.pk.text} | {keys.sk.text}"
        for view, keys in solution.names.keys.items()
        if key_of_view(view).place == "table"
    }
