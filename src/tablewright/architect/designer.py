"""From a spec to a design: solve, name, price, explain, and write it all down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.cost.report import cost_report
from tablewright.architect.design.assemble import PLAIN_ENCODING, items_of, patterns_of, tables_of
from tablewright.architect.design.model import Design
from tablewright.architect.explain.advice import Advice
from tablewright.architect.heat.report import heat_report
from tablewright.architect.solution import Solution, solve

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tablewright.architect.search.choose import Aim
    from tablewright.architect.spec.model import Spec


def design(
    given: str | Path | Mapping[str, Any] | Spec, *, aim: Aim | None = None, max_gsis: int | None = None
) -> Design:
    """The best design for a spec, complete but for its proof."""
    return written_out(solve(given, aim=aim, max_gsis=max_gsis), aim=aim)


def written_out(solution: Solution, *, aim: Aim | None = None) -> Design:
    cost = cost_report(solution)
    return Design(
        name=solution.spec.name,
        title=solution.spec.title,
        aim=aim or ("cost" if solution.facts.has_rates else "gsis"),
        key_style="plain",
        tables=tables_of(solution),
        items=tuple(items_of(solution)),
        patterns=tuple(patterns_of(solution, cost)),
        encoding=PLAIN_ENCODING,
        cost=cost,
        heat=heat_report(solution),
        advice=Advice(),
        assumptions=solution.facts.assumptions,
        spec=msgspec.to_builtins(solution.spec),
    )
