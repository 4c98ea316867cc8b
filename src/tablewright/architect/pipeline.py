"""From a spec to its design, stage by stage. Each stage takes a draft and returns it with one thing more.

`STAGES` are those of a whole spec; `TABLE_STAGES` those of every table that the search came to, from a solution to a
design of that table alone. `designer.design` runs them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.architect.assembly.items import items_of, table_of
from tablewright.architect.assembly.merge import merge_designs
from tablewright.architect.assembly.patterns import patterns_of, with_predictions
from tablewright.architect.assembly.solution import Solution
from tablewright.architect.cooling import solve_cool
from tablewright.architect.explain.explain import explain_choices
from tablewright.architect.explain.patterns import why
from tablewright.architect.explain.questions.settled import settled_questions
from tablewright.architect.influence import with_influence
from tablewright.architect.keep import name_as_before, solve_as_before, solve_tables_as_before
from tablewright.architect.search.stages import Aim
from tablewright.architect.second_look import look_again
from tablewright.architect.tables import Tables, in_table, note_of, solve_tables
from tablewright.design.advice import Advice
from tablewright.design.change import with_change
from tablewright.design.cost.report import CostReport, table_cost
from tablewright.design.derive import TableParts, derive_layout
from tablewright.design.encoding import ENCODINGS
from tablewright.design.heat.report import HeatReport, table_heat
from tablewright.design.heat.scenarios import with_heat
from tablewright.design.layout.forms import StoredForm
from tablewright.design.layout.layout import Layout
from tablewright.design.model import Design, ItemType, PatternDesign, TableDesign
from tablewright.design.notes import notes_of
from tablewright.design.read import round_design
from tablewright.design.samples import with_samples
from tablewright.design.service import with_service
from tablewright.design.tables import with_settings
from tablewright.design.verdicts import failed_verdicts
from tablewright.errors import DesignError
from tablewright.review.advice import advise
from tablewright.review.case import Case, case_of
from tablewright.spec.facts import Facts, assume
from tablewright.spec.faults.keys import check_keys
from tablewright.spec.model import KeyStyle, Spec
from tablewright.spec.model import Tables as TablesWanted
from tablewright.spec.numbers import assumptions_of, numbers_of
from tablewright.spec.read import read_spec
from tablewright.spec.write import spec_data

if TYPE_CHECKING:
    from collections.abc import Iterator


Progress: TypeAlias = Callable[[str], None]
"""Is told what is being done, in a few words, whenever that changes."""


class DesignOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of a design besides its spec: see `designer.design`."""

    aim: Aim | None = None
    max_gsis: int | None = None
    tables: TablesWanted | None = None
    key_style: KeyStyle | None = None
    keep: Design | None = None
    explain: bool = False
    progress: Progress | None = None


class DesignDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A design on its way. What no stage has added yet is None or empty."""

    given: str | Path | Mapping[str, Any] | Spec
    options: DesignOptions
    facts: Facts | None = None
    found: Tables | None = None  # where several tables were thought of
    solutions: tuple[Solution, ...] = ()  # one for each table
    parts: tuple[Design, ...] = ()  # the same, written out
    design: Design | None = None


class _TableDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A design of one table on its way from its solution."""

    solution: Solution
    options: DesignOptions
    table: TableDesign | None = None
    items: tuple[ItemType, ...] = ()
    patterns: tuple[PatternDesign, ...] = ()
    layout: Layout | None = None
    cost: CostReport | None = None
    heat: HeatReport | None = None
    advice: Advice = Advice()
    design: Design | None = None


Stage: TypeAlias = Callable[[DesignDraft], DesignDraft]
TableStage: TypeAlias = Callable[[_TableDraft], _TableDraft]
_with = msgspec.structs.replace


# ---- of a spec ------------------------------------------------------------------------------------------------------


def read(draft: DesignDraft) -> DesignDraft:
    """The spec with what was said beside it, so that the design's own spec tells how it came about."""
    options, keep = draft.options, draft.options.keep
    said = {
        "tables": options.tables if keep is None else _tables_as_before(keep, options.tables),
        "key_style": options.key_style if keep is None else keep.key_style,
    }
    spec = read_spec(draft.given)
    given = {name: value for name, value in said.items() if value is not None}
    spec = _with(spec, constraints=_with(spec.constraints, **given))
    check_keys(spec)  # a style that was said beside the spec may not hold what its own would
    return _with(draft, given=spec)


def _tables_as_before(keep: Design, tables: TablesWanted | None) -> TablesWanted:
    """Items are not carried from table to table."""
    if tables == "several" and len(keep.tables) == 1:
        raise DesignError(
            "the design to keep has one table, and parting it would move every item; "
            "ask for several tables without keeping it, or keep it as one"
        )
    return "several" if len(keep.tables) > 1 else "single"


def complete(draft: DesignDraft) -> DesignDraft:
    """What the spec leaves open, with where each number comes from."""
    assert isinstance(draft.given, Spec)
    return _with(draft, facts=assume(draft.given))


def search(draft: DesignDraft) -> DesignDraft:
    """The best solution in one table, or in as many as are better or asked for."""
    return _searched(draft, tell_rules=True)


def _searched(draft: DesignDraft, *, tell_rules: bool) -> DesignDraft:
    assert draft.facts is not None
    spec, options = draft.facts.spec, draft.options
    how: dict[str, Any] = {"aim": options.aim, "max_gsis": options.max_gsis}
    keep = options.keep
    if spec.constraints.tables == "single":
        found = solve_cool(spec, **how, tell_rules=tell_rules) if keep is None else solve_as_before(spec, keep, **how)
        return _with(draft, solutions=(found,))
    tables = (
        solve_tables(spec, **how, tell_rules=tell_rules)
        if keep is None
        else solve_tables_as_before(draft.facts, keep, how)
    )
    aim: Aim = options.aim or ("cost" if draft.facts.has_rates else "gsis")
    return _with(draft, found=tables, solutions=tables.solutions, options=_with(options, aim=aim))


def reconsider(draft: DesignDraft) -> DesignDraft:
    """The review of every table before it is shown, and another search without what it warns of."""
    assert draft.facts is not None
    application = draft.facts.spec.name  # which keys are called after, whatever their table is called
    looked = (
        in_table(_look_again(in_table(each, application), draft.options), each.spec.name) for each in draft.solutions
    )
    return _with(draft, solutions=tuple(looked))


def _look_again(solution: Solution, options: DesignOptions) -> Solution:
    keep = options.keep
    return look_again(
        solution,
        _case_of,
        aim=options.aim,
        max_gsis=options.max_gsis,
        keep=None if keep is None else lambda found: name_as_before(found, keep),
    )


def _case_of(solution: Solution) -> Case:
    """What rules judge, without what is written for people."""
    draft = _price(assemble(_TableDraft(solution=solution, options=DesignOptions())), foresee=False)
    assert draft.table is not None
    assert draft.layout is not None
    assert draft.cost is not None
    assert draft.heat is not None
    return case_of(draft.table, draft.layout, draft.cost, draft.heat, draft.patterns)


def write_tables(draft: DesignDraft) -> DesignDraft:
    """Every table as a design of its own."""
    return _with(draft, parts=tuple(assemble_table(each, draft.options) for each in draft.solutions))


def merge(draft: DesignDraft) -> DesignDraft:
    """One design of all tables."""
    if len(draft.parts) == 1:
        return _with(draft, design=draft.parts[0])
    assert draft.facts is not None
    return _with(draft, design=merge_designs(draft.facts, [round_design(each) for each in draft.parts]))


def weigh_guesses(draft: DesignDraft) -> DesignDraft:
    """What the bill would be with other values for what was assumed; the most influential guess comes first."""
    assert draft.design is not None
    assert draft.facts is not None
    return _with(draft, design=_with_guesses(draft.design, draft.facts.spec, draft.solutions))


def _with_guesses(made: Design, spec: Spec, solutions: tuple[Solution, ...]) -> Design:
    cost = _with(made.cost, assumptions=with_influence(spec, solutions, made.cost.assumptions))
    return _with(made, assumptions=with_influence(spec, solutions, made.assumptions), cost=cost)


def ask(draft: DesignDraft) -> DesignDraft:
    """What to ask, each answer with the design that the spec with it comes to."""
    if not draft.options.explain or draft.design is None:
        return draft
    assert isinstance(draft.given, Spec)
    made, options = draft.design, _with(draft.options, explain=False, progress=None)
    found = settled_questions(made, draft.given, draft.solutions, lambda spec: _solutions_of(spec, options))
    capped = " ".join(each for each in (made.advice.capped, found.capped) if each)
    return _with(draft, design=_with(made, advice=_with(made.advice, questions=found.questions, capped=capped)))


def _solutions_of(spec: Spec, options: DesignOptions) -> tuple[Solution, ...]:
    draft = complete(read(DesignDraft(given=spec, options=options)))
    return reconsider(_searched(draft, tell_rules=False)).solutions


def review(draft: DesignDraft) -> DesignDraft:
    """What follows from the design alone: advice, what callers of each pattern should know, and notes."""
    assert draft.design is not None
    return _with(draft, design=_reviewed(draft.design))


def _reviewed(made: Design) -> Design:
    advised = advise(made)
    notes = (*_limit_notes(made), *made.notes, *notes_of(advised))
    return _with(advised, notes=notes, verdicts=failed_verdicts(advised))


def serve(draft: DesignDraft) -> DesignDraft:
    """The service, as the runtime reads it; and every number rounded as it will be read back."""
    assert draft.design is not None
    return _with(draft, design=round_design(with_service(draft.design)))


def weigh_tables(draft: DesignDraft) -> DesignDraft:
    """What speaks for one table and what for several, where there was a choice."""
    if draft.design is None or draft.found is None or not draft.found.several:
        return draft
    note = note_of(draft.found, kept=draft.options.keep is not None)
    made = _with(draft.design, advice=_with(draft.design.advice, tables=note))
    return _with(draft, design=made if len(draft.parts) == 1 else round_design(made))


def compare(draft: DesignDraft) -> DesignDraft:
    """What changes from the design that is kept, and what that costs."""
    keep = draft.options.keep
    if draft.design is None or keep is None:
        return draft
    return _with(draft, design=round_design(with_change(draft.design, keep)))


STAGES: tuple[Stage, ...] = (
    read,
    complete,
    search,
    reconsider,
    write_tables,
    merge,
    weigh_guesses,
    ask,
    review,
    serve,
    weigh_tables,
    compare,
)


def _words_for(stage: Stage, options: DesignOptions) -> str | None:
    """What a stage that may take long is doing; None for one that is done at once."""
    words: dict[Stage, str] = {search: "searching", reconsider: "reviewing"}
    if options.explain:
        words |= {write_tables: "explaining: solving again without each choice", ask: "asking: designing every answer"}
    return words.get(stage)


def run(draft: DesignDraft) -> Design:
    for stage in STAGES:
        words = _words_for(stage, draft.options)
        if draft.options.progress is not None and words is not None:
            draft.options.progress(words)
        draft = stage(draft)
    assert draft.design is not None
    return draft.design


# ---- of a table -----------------------------------------------------------------------------------------------------


def assemble(draft: _TableDraft) -> _TableDraft:
    """The table with its indexes, its item types, and what is sent for every pattern."""
    solution = draft.solution
    items, table = tuple(items_of(solution)), table_of(solution)
    patterns = tuple(patterns_of(solution, items))
    form, style = solution.rewritten, solution.names.style
    layout = derive_layout(TableParts(form=form, style=style, table=table, items=items, patterns=patterns))
    return _with(draft, table=table, items=items, patterns=patterns, layout=layout)


def price(draft: _TableDraft) -> _TableDraft:
    """Cost and heat, and the settings that suit them."""
    return _price(draft, foresee=True)


def _price(draft: _TableDraft, *, foresee: bool) -> _TableDraft:
    assert draft.layout is not None
    assert draft.table is not None
    cost = with_heat(table_cost(draft.layout, foresee=foresee), draft.layout)
    heat = table_heat(draft.layout)
    table = with_settings(draft.table, draft.items, draft.layout, cost)
    return _with(draft, cost=cost, heat=heat, table=table, patterns=tuple(with_predictions(draft.patterns, cost)))


def explain(draft: _TableDraft) -> _TableDraft:
    """Why each pattern is served as it is; and if asked for, what else could be, found by solving again."""
    solution, options = draft.solution, draft.options
    patterns = tuple(_with(each, why=why(solution, each.id)) for each in draft.patterns)
    advice = _explained(solution, options) if options.explain else Advice()
    return _with(draft, patterns=patterns, advice=advice)


def _explained(solution: Solution, options: DesignOptions) -> Advice:
    def settle(spec: Spec, aim: Aim | None) -> tuple[Solution, ...]:
        return _solutions_of(spec, _with(options, explain=False, keep=None, aim=aim or options.aim))

    return explain_choices(solution, aim=options.aim, max_gsis=options.max_gsis, settle=settle)


def publish(draft: _TableDraft) -> _TableDraft:
    """All of it as one value, with samples."""
    assert draft.table is not None
    assert draft.cost is not None
    assert draft.heat is not None
    solution, table = draft.solution, draft.table
    form, style = solution.rewritten, solution.names.style
    made = Design(
        name=solution.spec.name,
        title=solution.spec.title,
        aim=draft.options.aim or ("cost" if solution.facts.has_rates else "gsis"),
        gap=solution.choice.gap,
        key_style=style,
        tables=(table,),
        items=with_samples(draft.items, form.asked, style, table.ttl_attribute),
        patterns=draft.patterns,
        encoding=ENCODINGS[style],
        cost=draft.cost,
        heat=draft.heat,
        advice=_with(draft.advice, reconsidered=solution.reconsidered, tradeoffs=(*_rule(solution), *solution.remarks)),
        numbers=numbers_of(solution.asked),
        assumptions=assumptions_of(solution.asked),
        rewrites=form.rewrites,
        spec=spec_data(form.origin),
        stored={table.name: StoredForm.of(form)} if form.rewrites else {},
    )
    return _with(draft, design=made)


def _rule(solution: Solution) -> tuple[str, ...]:
    return () if solution.rule is None else (str(solution.rule),)


TABLE_STAGES: tuple[TableStage, ...] = (assemble, price, explain, publish)


def write_table(solution: Solution, options: DesignOptions | None = None) -> Design:
    """A solution with all that follows from it."""
    made = assemble_table(solution, options or DesignOptions())
    return round_design(with_service(_reviewed(_with_guesses(made, solution.origin, (solution,)))))


def assemble_table(solution: Solution, options: DesignOptions) -> Design:
    """Keys, items, requests, bill, heat and reasons of a solution, by the stages of a table."""
    draft = _TableDraft(solution=solution, options=options)
    for stage in TABLE_STAGES:
        draft = stage(draft)
    assert draft.design is not None
    return draft.design


def _limit_notes(made: Design) -> Iterator[str]:
    """Searches end at a number of nodes and never by a clock, so that every machine finds the same."""
    if made.gap:
        yield (
            f"The search reached its limit. This is the best design it found; by {made.aim} no other is better"
            f" by more than {made.gap:.2%}, which is proven."
        )
    if made.advice.capped:
        yield made.advice.capped
