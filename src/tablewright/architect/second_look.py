"""A design reviewed before it is shown: what a rule warns of is forbidden, and the search asked again.

A design without the warning is taken where it costs little more (at most a dollar a month or half a percent of the
bill, whichever is more) and where nothing else is wrong with it that was not wrong before. What stays is said with the
reason. A number of searches ends it, never a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tablewright.architect.assembly.solution import Solution
from tablewright.architect.avoiding import NO_LOCAL_INDEX, Forbidden, key_of, look_up_of, reading_of, together
from tablewright.architect.search.forms import Weight
from tablewright.architect.search.search import candidates_of
from tablewright.architect.solution import solve_without, weight_of, with_gap_of
from tablewright.design.wording import money
from tablewright.review.case import Remark
from tablewright.review.critique.rules import avoidable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.architect.search.stages import Aim
    from tablewright.review.case import Case

WORTH_USD = 1.0
WORTH_SHARE = 0.005
MOST_SEARCHES = 8
TRIES = 2
"""Of one warning: the next design may have it in another place."""
SPARE_GSIS = 1
AIMS = {"gsis": "indexes", "latency": "requests one after the other"}
MICRO = 1e6
CaseOf: TypeAlias = "Callable[[Solution], Case]"
Keep: TypeAlias = Callable[[Solution], Solution]


class _Reviewed(msgspec.Struct, frozen=True, kw_only=True):
    """A design with what rules warn of in it."""

    solution: Solution
    weight: Weight  # by what is aimed at
    usd_per_month: float
    warnings: Mapping[str, tuple[Remark, ...]]  # by rule

    def has(self, rule: str) -> int:
        return len(self.warnings.get(rule, ()))

    def is_as_good(self, other: _Reviewed) -> bool:
        """Nothing is wrong with it that is not wrong with the other."""
        return self.solution.too_hot <= other.solution.too_hot and all(
            self.has(rule) <= other.has(rule) for rule in self.warnings
        )


def look_again(
    solution: Solution, case_of: CaseOf, *, aim: Aim | None, max_gsis: int | None, keep: Keep | None = None
) -> Solution:
    """The solution, or another without some of its warnings; `reconsidered` says what became of each.

    `keep`: its keys are in use and stay, with the names that this gives them.
    """
    looked = _SecondLook(solution, case_of, aim, max_gsis, keep)
    for rule, remarks in tuple(looked.now.warnings.items()):
        for remark in remarks:
            if remark.text in {each.text for each in looked.now.warnings.get(rule, ())}:
                looked.do_without(rule, remark)
    return msgspec.structs.replace(
        with_gap_of(solution, looked.now.solution),
        remarks=(*solution.remarks, *looked.remarks),
        reconsidered={
            rule: " ".join(dict.fromkeys(found)) for rule, found in looked.reasons.items() if looked.now.has(rule)
        },
    )


class _SecondLook:
    """The best design so far, and what was tried to make it better."""

    def __init__(
        self, solution: Solution, case_of: CaseOf, aim: Aim | None, max_gsis: int | None, keep: Keep | None
    ) -> None:
        self.case_of, self.keep = case_of, keep
        self.prefer = None if keep is None else solution.choice.shapes
        self.aim: Aim = aim or ("cost" if solution.facts.has_rates else "gsis")
        most = solution.spec.constraints.max_gsis if max_gsis is None else max_gsis
        self.most_gsis = min(most, len(solution.choice.slots) + SPARE_GSIS)
        self.now = self._review(solution)
        self.forbidden: Forbidden = frozenset()
        self.searches = 0
        self.remarks: list[str] = []
        self.reasons: dict[str, list[str]] = {}

    def _review(self, solution: Solution) -> _Reviewed:
        warnings: dict[str, tuple[Remark, ...]] = {}
        for rule, remark in avoidable(self.case_of(solution)):
            warnings[rule] = (*warnings.get(rule, ()), remark)
        layout = solution.layout
        return _Reviewed(
            solution=solution,
            weight=weight_of(layout, self.aim),
            usd_per_month=weight_of(layout, "cost")[0] / MICRO,
            warnings=warnings,
        )

    def do_without(self, rule: str, remark: Remark) -> None:
        """Take the next best design without what a rule warns of, or tell why not."""
        if self.keep is not None and (remark.views or remark.local_indexes):
            return self._stays(rule, "Keys that are in use stay.")
        forbidden, found, unwanted = self.forbidden, self.now, [remark]
        known = {each.text for each in self.now.warnings[rule] if each is not remark}
        for _ in range(TRIES):
            if self.searches == MOST_SEARCHES:
                return self._stays(rule, "No other design was tried: the search ends at a number of designs.")
            self.searches += 1
            forbidden |= self._behind(found, unwanted)
            solution = self._search(forbidden)
            if solution is None:
                return self._stays(rule, "Forbidden once: no design without it.")
            found = self._review(solution)
            unwanted = [each for each in found.warnings.get(rule, ()) if each.text not in known]
            if not unwanted:
                break
        return self._weigh(rule, remark, found, forbidden)

    def _search(self, forbidden: Forbidden) -> Solution | None:
        found = solve_without(self.now.solution, forbidden, aim=self.aim, max_gsis=self.most_gsis, prefer=self.prefer)
        if self.keep is None or found is None:
            return found
        return self.keep(found) if found.choice.shapes == self.prefer else None

    def _stays(self, rule: str, reason: str) -> None:
        self.reasons.setdefault(rule, []).append(reason)

    def _weigh(self, rule: str, remark: Remark, found: _Reviewed, forbidden: Forbidden) -> None:
        more = found.usd_per_month - self.now.usd_per_month
        if found.has(rule) >= self.now.has(rule):
            self._stays(rule, "Forbidden once: the next best design has it as well.")
        elif not found.is_as_good(self.now):
            others = ", ".join(each for each in found.warnings if found.has(each) > self.now.has(each))
            worse = f"has more of {others}" if others else "is too hot"
            self._stays(rule, f"A design without it {worse} and costs {_difference(more)}.")
        elif self.aim != "cost" and found.weight[0] > self.now.weight[0]:
            self._stays(rule, f"A design without it has more {AIMS[self.aim]} and costs {_difference(more)}.")
        elif more > max(WORTH_USD, WORTH_SHARE * self.now.usd_per_month):
            self._stays(rule, f"A design without it costs {_difference(more)}.")
        else:
            self.remarks.append(_taken(remark, rule, more))
            self.now, self.forbidden = found, forbidden

    def _behind(self, found: _Reviewed, remarks: Iterable[Remark]) -> Forbidden:
        return together(part for each in remarks for part in self._parts(found.solution, each))

    def _parts(self, solution: Solution, remark: Remark) -> Iterator[Forbidden]:
        candidates = candidates_of(solution.facts, self.prefer)
        yield from (key_of(candidates, view) for view in remark.views)
        yield from (reading_of(solution, candidates, pattern) for pattern in remark.reads)
        yield from (look_up_of(solution, *each) for each in remark.look_ups)
        if remark.local_indexes:
            yield NO_LOCAL_INDEX


def _difference(usd: float) -> str:
    return f"{money(usd)} a month more" if usd >= 0 else f"{money(-usd)} a month less"


def _taken(remark: Remark, rule: str, more: float) -> str:
    return (
        f"{money(max(0.0, more))} a month more than the cheapest design, of which {rule} warns: {remark.text}. Up to"
        f" {money(WORTH_USD)} a month or {WORTH_SHARE:.1%} of the bill is paid for a design without a warning."
    )
