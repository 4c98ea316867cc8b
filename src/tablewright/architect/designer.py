"""From a spec to a design: solve, name, price, explain, and write it all down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.assembly.items import items_of
from tablewright.architect.assembly.merge import merged
from tablewright.architect.assembly.patterns import patterns_of, with_predictions
from tablewright.architect.assembly.table import table_of
from tablewright.architect.explain.explain import explain_choices
from tablewright.architect.explain.patterns import why
from tablewright.architect.keep import solved_as_before, solved_tables_as_before
from tablewright.architect.plans.forms import rewrite
from tablewright.architect.search.stages import Aim
from tablewright.architect.solution import Solution, solve
from tablewright.architect.tables import Tables, note_of, solve_tables
from tablewright.design.advice import Advice
from tablewright.design.change import with_change
from tablewright.design.cost.report import CostReport, table_cost
from tablewright.design.encoding import ENCODINGS
from tablewright.design.forms import StoredForm
from tablewright.design.heat.report import table_heat
from tablewright.design.layout.derive import Drawn, asked_in, drawn_layout, facts_in, rewrites_in
from tablewright.design.model import Design
from tablewright.design.notes import notes_of
from tablewright.design.read import settled
from tablewright.design.samples import with_samples
from tablewright.design.service import service_of
from tablewright.design.settings import with_settings
from tablewright.errors import DesignError, SchemaError
from tablewright.review.notes import notes
from tablewright.review.operations.guidance import guidance
from tablewright.schema.dump import dump
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tablewright.spec.write import spec_data

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from tablewright.design.model import PatternDesign
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import KeyStyle, Spec
    from tablewright.spec.model import Tables as Wanted


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of a design besides its spec."""

    aim: Aim | None
    max_gsis: int | None
    keep: Design | None
    explain: bool


def design(
    given: str | Path | Mapping[str, Any] | Spec,
    *,
    aim: Aim | None = None,
    max_gsis: int | None = None,
    tables: Wanted | None = None,
    key_style: KeyStyle | None = None,
    keep: Design | None = None,
    explain: bool = False,
) -> Design:
    """The best design for a spec, complete but for its proof.

    `tables` and `key_style` stand before what the spec says of them. `keep` is a design that is in use: its keys,
    names, tables and key style stay where they can, and `change` tells what that costs. `explain` adds what is found
    by solving again (prices of decisions, alternatives, questions, evolution), which takes many times as long.
    """
    spec = constrained(
        read_spec(given),
        tables=tables if keep is None else tables_as_before(keep, tables),
        key_style=key_style if keep is None else keep.key_style,
    )
    made = designed(spec, Asked(aim=aim, max_gsis=max_gsis, keep=keep, explain=explain))
    return made if keep is None else settled(with_change(made, keep))


def constrained(spec: Spec, **said: Any) -> Spec:
    """The spec with what was said beside it, so that the design's own spec tells how it came about."""
    constraints = {name: value for name, value in said.items() if value is not None}
    return msgspec.structs.replace(spec, constraints=msgspec.structs.replace(spec.constraints, **constraints))


def tables_as_before(keep: Design, tables: Wanted | None) -> Wanted:
    """Items are not carried from table to table."""
    if tables == "several" and len(keep.tables) == 1:
        raise DesignError(
            "the design to keep has one table, and parting it would move every item; "
            "ask for several tables without keeping it, or keep it as one"
        )
    return "several" if len(keep.tables) > 1 else "single"


def designed(spec: Spec, asked: Asked) -> Design:
    how: dict[str, Any] = {"aim": asked.aim, "max_gsis": asked.max_gsis}
    keep = asked.keep
    if spec.constraints.tables == "single":
        return explained(solve(spec, **how) if keep is None else solved_as_before(spec, keep, **how), asked)
    facts = assume(spec)
    found = solve_tables(spec, **how) if keep is None else solved_tables_as_before(facts, keep, how)
    return whole(facts, found, asked)


def whole(facts: Facts, found: Tables, asked: Asked) -> Design:
    """One design, in as many tables as were found to be better, or were asked for."""
    asked = msgspec.structs.replace(asked, aim=asked.aim or ("cost" if facts.has_rates else "gsis"))
    parts = [explained(each, asked) for each in found.solutions]
    made = parts[0] if len(parts) == 1 else merged(facts, parts)
    if len(parts) > 1:
        made = msgspec.structs.replace(made, notes=(*limit_notes(made), *notes_of(made)))
    if found.several:
        note = note_of(found, kept=asked.keep is not None)
        made = msgspec.structs.replace(made, advice=msgspec.structs.replace(made.advice, tables=note))
    return made if len(parts) == 1 else settled(with_service(made))


# ---- of an earlier version ------------------------------------------------------------------------------------------


def completed(made: Design) -> Design:
    """A design of an earlier version says what was rewritten, and not what came of it: that is made again."""
    if not made.rewrites or made.stored or not made.spec:
        return made
    facts, stored = facts_in(made), dict[str, StoredForm]()
    for table in made.tables:
        asked = asked_in(made, facts, table.name)
        own = rewrites_in(made, asked)
        if own:
            stored[table.name] = StoredForm.of(rewrite(asked, own))
    return msgspec.structs.replace(made, stored=stored)


# ---- one table ------------------------------------------------------------------------------------------------------


def explained(solution: Solution, asked: Asked) -> Design:
    choices = explain_choices(solution, aim=asked.aim, max_gsis=asked.max_gsis) if asked.explain else Advice()
    return written_out(solution, aim=asked.aim, choices=choices)


def written_out(solution: Solution, *, aim: Aim | None = None, choices: Advice | None = None) -> Design:
    """A solution with all that follows from it; `choices` is the advice that needs other solutions."""
    style, form = solution.names.style, solution.rewritten
    items, table = tuple(items_of(solution)), table_of(solution)
    patterns = tuple(patterns_of(solution, items))
    layout = drawn_layout(Drawn(form=form, style=style, table=table, items=items, patterns=patterns))
    cost, heat = table_cost(layout), table_heat(layout)
    table = with_settings(table, items, layout, cost)
    made = Design(
        name=solution.spec.name,
        title=solution.spec.title,
        aim=aim or ("cost" if solution.facts.has_rates else "gsis"),
        gap=solution.choice.gap,
        key_style=style,
        tables=(table,),
        items=with_samples(items, form.asked, style, table.ttl_attribute),
        patterns=with_reasons(with_predictions(patterns, cost), solution, cost),
        encoding=ENCODINGS[style],
        cost=cost,
        heat=heat,
        advice=both(choices or Advice(), notes(solution, cost, heat)),
        assumptions=solution.facts.assumptions,
        rewrites=form.rewrites,
        spec=spec_data(form.origin),
        stored={table.name: StoredForm.of(form)} if form.rewrites else {},
    )
    return settled(with_service(msgspec.structs.replace(made, notes=(*limit_notes(made), *notes_of(made)))))


def limit_notes(made: Design) -> Iterator[str]:
    """Searches end at a number of nodes and never by a clock, so that every machine finds the same."""
    if made.gap:
        yield (
            f"The search reached its limit of nodes. This is the best design it found; by {made.aim} no other is better"
            f" by more than {made.gap:.2%}, which is proven."
        )


def with_reasons(patterns: Iterable[PatternDesign], solution: Solution, cost: CostReport) -> tuple[PatternDesign, ...]:
    """Why each is read or written as it is, and what its callers should know."""
    advised = guidance(solution, cost)
    return tuple(
        msgspec.structs.replace(
            each, why=why(solution, each.id), paging=advised[each.id].paging, retries=advised[each.id].retries
        )
        for each in patterns
    )


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
        check_collections(made)
        return msgspec.structs.replace(made, service=dump(service_of(made)))
    except SchemaError as error:
        note = f"The runtime's services cannot hold this design: {error.message}"
        return msgspec.structs.replace(made, notes=(*made.notes, note))


def check_collections(made: Design) -> None:
    """A service reads a collection from one table; keys of several tables may have the same name for theirs."""
    tables: dict[str, set[str]] = {}
    for item in made.items:
        for name in (name for keys in item.keys for name in keys.collections):
            tables.setdefault(name, set()).add(item.table)
    apart = sorted(name for name, found in tables.items() if len(found) > 1)
    if apart:
        raise SchemaError(f"the collection {apart[0]} would be in several tables")
