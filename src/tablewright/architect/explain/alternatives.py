"""Other designs a person would weigh: the Pareto front of cost, indexes, second items, heat, requests and tables.

What another design beats or equals in everything is dropped, and so is what nobody would choose: a bill that grows by
more than a quarter, more than a few second items for an index, a partition beyond its limit. The chosen design stays,
marked, beside at most three others, of different kinds as far as there are any.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tablewright.architect.assembly.views import key_of_view
from tablewright.architect.explain.attempts import TriedDesign, attempt, attempts, settled
from tablewright.design.advice import Alternative
from tablewright.design.wording import CENT, concat, money, more, number, percent, sentence, tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.architect.assembly.solution import Solution
    from tablewright.architect.explain.forms import OtherForm
    from tablewright.architect.explain.resolve import Baseline, PricedSolution

MOST_OTHERS = 3
HEAT_STEP, MONEY_STEP = 0.05, 0.05
"""Shares of a limit, and of the bill, below which two designs are the same."""
MOST_MORE_SHARE, MOST_MORE_USD = 0.25, 5.0
ITEMS_FOR_AN_INDEX = 3
ALIKE_STEPS, FIRST_COUNT = 3, 4
"""Of `numbers`: dollars, heat, requests and what is asked for come before the counts."""


def alternatives(
    start: Baseline, *, forms: tuple[OtherForm, ...] = (), without: Mapping[str, PricedSolution] | None = None
) -> tuple[Alternative, ...]:
    chosen = attempt("chosen", start.now)
    tried = islice(attempts(start, forms=forms, without=without), start.allowed)
    others = _front(chosen, [each for each in tried if _is_sensible(each, chosen)])
    shown = [each for each in (settled(start, each) for each in _vary(others)) if each is not None]
    step = max(0.01, MONEY_STEP * chosen.usd_per_month)
    return tuple(
        _describe(each, chosen) for each in (chosen, *(each for each in shown if not _is_alike(chosen, each, step)))
    )


def _vary(found: list[TriedDesign]) -> list[TriedDesign]:
    """The first of every kind, then the others, each in the order in which they were tried."""
    kinds: dict[str, int] = {}
    ranked: list[tuple[int, int]] = []
    for at, each in enumerate(found):
        kinds[each.kind] = kinds.get(each.kind, -1) + 1
        ranked.append((kinds[each.kind], at))
    return [found[at] for _, at in sorted(ranked)[:MOST_OTHERS]]


# ---- numbers --------------------------------------------------------------------------------------------------------


def _counts(each: TriedDesign) -> dict[str, int]:
    """Less is better in all of them."""
    stored = [set(found.solution.spec.entities) for found in each.outcomes]
    return {
        "GSI": sum(found.gsis for found in each.outcomes),
        "LSI": sum(len(found.choice.lsis) for found in each.outcomes),
        "second item": sum(found.copies for found in each.outcomes),
        "table": len(each.outcomes),
        "kind of item": sum(map(len, stored)),
        "kind of item in the largest table": max(map(len, stored)),
        "pattern left out": len(each.without),
    }


def _hottest(each: TriedDesign) -> float:
    return max(found.hottest for found in each.outcomes)


def _requests_per_pattern(each: TriedDesign) -> float:
    patterns = {id_ for found in each.outcomes for id_ in found.predictions}
    return sum(found.requests for found in each.outcomes) / max(1, len(patterns))


def _waits(each: TriedDesign) -> float:
    """Requests beyond the first of every pattern: these a user waits for."""
    return sum(max(0.0, one.requests - 1) for found in each.outcomes for one in found.predictions.values())


def _numbers(each: TriedDesign, step: float) -> tuple[float, ...]:
    """Dollars in steps, for nobody weighs a cent against an index."""
    heat = round(_hottest(each) / HEAT_STEP)
    return (round(each.usd_per_month / step), heat, round(_waits(each), 1), bool(each.needs), *_counts(each).values())


def _is_sensible(each: TriedDesign, chosen: TriedDesign) -> bool:
    dearer = each.usd_per_month - chosen.usd_per_month
    before, after = _counts(chosen), _counts(each)
    spared = max(0, before["GSI"] - after["GSI"])
    return (
        dearer <= max(MOST_MORE_USD, MOST_MORE_SHARE * chosen.usd_per_month)
        and after["second item"] - before["second item"] <= ITEMS_FOR_AN_INDEX * spared
        and _hottest(each) <= max(1.0, _hottest(chosen))
        and (after["table"] == before["table"] or after["GSI"] <= before["GSI"] or dearer < 0)
    )


def _front(chosen: TriedDesign, others: list[TriedDesign]) -> list[TriedDesign]:
    """What nothing else beats, each set of numbers once."""
    kept: list[TriedDesign] = []
    step = max(0.01, MONEY_STEP * chosen.usd_per_month)
    for each in others:
        known = any(_is_alike(other, each, step) for other in (chosen, *kept))
        rivals = [other for other in (chosen, *others) if other is not each]
        if not known and not any(dominates(other, each, step) for other in rivals):
            kept.append(each)
    return kept


def _is_alike(one: TriedDesign, other: TriedDesign, step: float) -> bool:
    """The same design as far as anybody would care, even where it asks for more."""
    near = abs(one.usd_per_month - other.usd_per_month) <= ALIKE_STEPS * step
    return (
        near and _numbers(one, step)[FIRST_COUNT:] == _numbers(other, step)[FIRST_COUNT:] and one.label == other.label
    )


def dominates(one: TriedDesign, other: TriedDesign, step: float) -> bool:
    pairs = list(zip(_numbers(one, step), _numbers(other, step), strict=True))
    return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)


# ---- in words -------------------------------------------------------------------------------------------------------


def _describe(each: TriedDesign, chosen: TriedDesign) -> Alternative:
    changes = list(_compare_numbers(chosen, each))
    found = _counts(each)
    return Alternative(
        name=_name_of(each),
        gsis=found["GSI"],
        lsis=found["LSI"],
        copies=found["second item"],
        tables=found["table"],
        usd_per_month=each.usd_per_month,
        requests_per_pattern=_requests_per_pattern(each),
        hottest_share=_hottest(each),
        gains=_in_a_sentence([text for amount, text in changes if amount < 0]),
        costs=_in_a_sentence(
            [*([each.price] if each.price else []), *(text for amount, text in changes if amount > 0)]
        ),
        keys={name: key for outcome in each.outcomes for name, key in _table_keys(outcome.solution).items()},
        chosen=each is chosen,
        without=each.without,
        needs=each.needs,
        how=_how(each),
    )


NAMED = ("LSI", "second item", "table")


def _name_of(each: TriedDesign) -> str:
    """What it is: `2 GSIs, 1 second item`."""
    found = _counts(each)
    said = [tally(found["GSI"], "GSI")]
    said += [tally(found[noun], noun) for noun in NAMED if found[noun] > (noun == "table")]
    return ", ".join([*said, *([each.label] if each.label else [])])


def _how(each: TriedDesign) -> str:
    written = [f"`{place}: {_spelled(value)}`" for place, value in each.needs.items()]
    parts = [
        *([f"say {each.option}"] if each.option else []),
        *([f"write {concat(written)}"] if written else []),
        *([f"leave out {concat(each.without)}"] if each.without else []),
    ]
    return concat(parts) if parts else ""


def _spelled(value: object) -> str:
    """As YAML has it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list | tuple) else str(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _compare_numbers(chosen: TriedDesign, each: TriedDesign) -> Iterator[tuple[float, str]]:
    """Every number that differs, with its sign."""
    dollars = each.usd_per_month - chosen.usd_per_month
    if abs(dollars) >= CENT:
        share = f" ({percent(abs(dollars) / chosen.usd_per_month)})" if chosen.usd_per_month >= CENT else ""
        yield dollars, f"{money(abs(dollars))} {more(dollars)} a month{share}"
    before, after = _counts(chosen), _counts(each)
    for noun in ("GSI", *NAMED):
        count = after[noun] - before[noun]
        if count:
            yield count, f"{tally(abs(count), noun)} {more(count)}{WARNINGS.get(noun, '') if count > 0 else ''}"
    yield from _kinds_compared(before, after)
    if abs(_waits(each) - _waits(chosen)) >= HEAT_STEP:
        now, then = _requests_per_pattern(chosen), _requests_per_pattern(each)
        yield _waits(each) - _waits(chosen), f"{_requests_text(then)} a pattern instead of {number(round(now, 2))}"
    heat = _hottest(each) - _hottest(chosen)
    if abs(heat) >= HEAT_STEP:
        at, instead = percent(_hottest(each)), percent(_hottest(chosen))
        yield heat, f"the hottest partition at {at} instead of {instead} of its limit"


def _requests_text(count: float) -> str:
    return f"{number(round(count, 2))} {'request' if round(count, 2) == 1 else 'requests'}"


def _kinds_compared(before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[tuple[int, str]]:
    kinds, largest = "kind of item", "kind of item in the largest table"
    if after["table"] > before["table"]:
        text = f"{after[largest]} of {before[largest]} kinds of items in the largest table, the others backed up,"
        yield after[largest] - before[largest], f"{text} restored and billed apart"
    elif after[kinds] != before[kinds]:
        count = after[kinds] - before[kinds]
        yield count, f"{tally(abs(count), kinds, 'kinds of items')} {more(count)}"


WARNINGS = {
    "LSI": " (made with the table and never later, and no partition key may hold more than 10 GB)",
    "second item": " to keep in step, in transactions of twice the units",
    "table": " to look after",
}


def _in_a_sentence(texts: list[str]) -> str:
    return sentence(concat(texts)) if texts else ""


def _table_keys(solution: Solution) -> Mapping[str, str]:
    return {
        view.entity: f"{keys.pk.text} | {keys.sk.text}"
        for view, keys in solution.names.keys.items()
        if key_of_view(view).place == "table"
    }
