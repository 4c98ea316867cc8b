"""From a spec to a design: solve, name, price, explain, and write it all down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.cost.report import cost_report
from tablewright.architect.design.assemble import patterns_of
from tablewright.architect.design.encoding import ENCODINGS
from tablewright.architect.design.items import items_of
from tablewright.architect.design.keep import solved_as_before, with_change
from tablewright.architect.design.keys.notes import notes_of
from tablewright.architect.design.model import Design
from tablewright.architect.design.published import settled
from tablewright.architect.design.samples import with_samples
from tablewright.architect.design.service import service_of
from tablewright.architect.design.settings import tables_of
from tablewright.architect.explain.advice import Advice
from tablewright.architect.explain.choices.explained import explain_choices
from tablewright.architect.explain.notes import notes
from tablewright.architect.heat.report import heat_report
from tablewright.architect.solution import Solution, solve
from tablewright.architect.spec.published import spec_data
from tablewright.architect.spec.read import read_spec
from tablewright.errors import SchemaError
from tablewright.schema.dump import dump

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tablewright.architect.design.model import PatternDesign
    from tablewright.architect.search.choose import Aim
    from tablewright.architect.spec.model import KeyStyle, Spec


def design(
    given: str | Path | Mapping[str, Any] | Spec,
    *,
    aim: Aim | None = None,
    max_gsis: int | None = None,
    key_style: KeyStyle | None = None,
    keep: Design | None = None,
    explain: bool = False,
) -> Design:
    """The best design for a spec, complete but for its proof.

    `key_style` stands before what the spec says of it. `keep` is a design that is in use: its keys and names stay
    where they can, its key style does, and `change` tells what that costs. `explain` adds what is found by solving
    again (prices of decisions, alternatives, questions, evolution), which takes many times as long.
    """
    spec = styled(read_spec(given), key_style if keep is None else keep.key_style)
    if keep is None:
        solution = solve(spec, aim=aim, max_gsis=max_gsis)
    else:
        solution = solved_as_before(spec, keep, aim=aim, max_gsis=max_gsis)
    choices = explain_choices(solution, aim=aim, max_gsis=max_gsis) if explain else Advice()
    made = written_out(solution, aim=aim, choices=choices)
    return made if keep is None else settled(with_change(made, keep))


def styled(spec: Spec, key_style: KeyStyle | None) -> Spec:
    if key_style is None:
        return spec
    return msgspec.structs.replace(spec, constraints=msgspec.structs.replace(spec.constraints, key_style=key_style))


def written_out(solution: Solution, *, aim: Aim | None = None, choices: Advice | None = None) -> Design:
    """A solution with all that follows from it; `choices` is the advice that needs other solutions."""
    cost, heat = cost_report(solution), heat_report(solution)
    advice = both(choices or Advice(), notes(solution, cost, heat))
    tables = tables_of(solution, cost)
    made = Design(
        name=solution.spec.name,
        title=solution.spec.title,
        aim=aim or ("cost" if solution.facts.has_rates else "gsis"),
        key_style=solution.names.style,
        tables=tables,
        items=with_samples(items_of(solution), solution.asked, solution.names.style, tables[0].ttl_attribute),
        patterns=with_reasons(patterns_of(solution, cost), advice),
        encoding=ENCODINGS[solution.names.style],
        cost=cost,
        heat=heat,
        advice=advice,
        assumptions=solution.facts.assumptions,
        rewrites=solution.rewrites,
        spec=spec_data(solution.origin),
    )
    return settled(with_service(msgspec.structs.replace(made, notes=notes_of(made))))


def with_reasons(patterns: Iterable[PatternDesign], advice: Advice) -> tuple[PatternDesign, ...]:
    """Why a pattern is read as it is, where that was found out."""
    found = {each.subject: each.why for each in advice.decisions if each.kind == "plan"}
    return tuple(msgspec.structs.replace(each, why=found.get(each.id, each.why)) for each in patterns)


def both(one: Advice, other: Advice) -> Advice:
    """Each says what the other leaves empty; pages are cited once."""
    nothing = Advice()
    said: dict[str, Any] = {
        name: getattr(other, name)
        for name in Advice.__struct_fields__
        if getattr(other, name) != getattr(nothing, name)
    }
    return msgspec.structs.replace(one, **{**said, "sources": tuple(sorted({*one.sources, *other.sources}))})


def with_service(made: Design) -> Design:
    try:
        return msgspec.structs.replace(made, service=dump(service_of(made)))
    except SchemaError as error:
        note = f"The runtime's services cannot hold this design: {error.message}"
        return msgspec.structs.replace(made, notes=(*made.notes, note))
