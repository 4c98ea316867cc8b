"""Forms of entities that were chosen among several (embedded, split, counted ...), and the best of the other forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.explain.resolve import NOTHING, PricedSolution, near, outcome
from tablewright.architect.plans.forms import form_options
from tablewright.architect.plans.registry import FORM_OF
from tablewright.architect.solution import solve
from tablewright.design.layout.forms import Rewrite
from tablewright.errors import DesignError
from tablewright.spec.model import REWRITES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.explain.resolve import Baseline


class OtherForm(msgspec.Struct, frozen=True, kw_only=True):
    """What was taken, and the best design of those with another form and all else as it is."""

    taken: tuple[Rewrite, ...]
    outcome: PricedSolution | None
    needs: Mapping[str, Any] = {}  # to get it; nothing where a spec cannot ask for it
    label: str = ""


def other_forms(start: Baseline) -> Iterator[OtherForm]:
    chosen = start.solution.rewrites
    options = [each for each in form_options(start.solution.asked) if len(each) > 1]
    for ways in options[: start.allowed]:
        taken = next((way for way in ways if set(way) <= set(chosen) and way), None)
        if taken is None:
            continue
        left = [each for each in chosen if each not in taken]
        others = [form for way in ways if way != taken for form in _with_form(start, [*left, *way])]
        first = taken[0]
        yield OtherForm(
            taken=taken,
            outcome=min(others, key=lambda each: (each.usd_per_month, each.gsis), default=None),
            needs=_forbidding(start, first),
            label=FORM_OF[first.kind].without.format(first.subject),
        )


def _forbidding(start: Baseline, rewrite: Rewrite) -> Mapping[str, Any]:
    entity = start.solution.origin.entities.get(rewrite.subject)
    if entity is None or rewrite.kind not in REWRITES:
        return {}
    return {f"entities.{entity.name}.rewrites": [each for each in entity.rewrites if each != rewrite.kind]}


def _with_form(start: Baseline, rewrites: list[Rewrite]) -> Iterator[PricedSolution]:
    for gsis in near(start, start.max_gsis, start.aim):
        try:
            found = solve(start.solution.origin, aim=start.aim, max_gsis=gsis, rewrites=rewrites, forbid=[NOTHING])
        except DesignError:
            continue
        yield outcome(found)
        return
