"""Other designs that are tried, each with what it asks for: another aim, fewer indexes, more than the spec allows.

What a spec excludes (second items under any key, local indexes, keys of another style, several tables, a pattern less)
is tried as well: `needs` says what to write into the spec to get it, `option` what to say on the command line.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from tablewright.architect.explain.questions.answers import answered
from tablewright.architect.explain.resolve import NOTHING, PricedSolution, again, elsewhere, near, outcome
from tablewright.architect.plans.registry import PLACE_OF
from tablewright.architect.search.conflict import with_only
from tablewright.architect.search.keep import keys_of
from tablewright.architect.solution import solve
from tablewright.architect.tables import cost_of, solve_tables
from tablewright.design.multi_table.parts import groups_of
from tablewright.errors import DesignError
from tablewright.spec.write import spec_data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.explain.forms import OtherForm
    from tablewright.architect.explain.resolve import Baseline
    from tablewright.architect.search.stages import Aim
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts

Kind: TypeAlias = Literal["chosen", "aim", "fewer", "copies", "lsis", "form", "without", "style", "tables"]

AIMS: tuple[Aim, ...] = ("cost", "gsis", "latency")


class TriedDesign(msgspec.Struct, frozen=True, kw_only=True):
    """A design, and how to get it."""

    kind: Kind
    outcomes: tuple[PricedSolution, ...]  # one for each table
    usd_per_month: float
    needs: Mapping[str, Any] = {}  # by place in the spec
    option: str = ""
    without: tuple[str, ...] = ()  # patterns that it leaves to something else
    label: str = ""
    price: str = ""  # what no number says


def attempt(kind: Kind, found: PricedSolution, **more: Any) -> TriedDesign:
    return TriedDesign(kind=kind, outcomes=(found,), usd_per_month=found.usd_per_month, **more)


def attempts(
    start: Baseline, *, forms: tuple[OtherForm, ...] = (), without: Mapping[str, PricedSolution] | None = None
) -> Iterator[TriedDesign]:
    """Within the spec first, then beyond it; the order is that in which a person would look at them."""
    yield from _other_aims(start)
    yield from _fewer_indexes(start)
    yield from _second_items(start)
    yield from _local_indexes(start)
    yield from _other_forms(forms)
    yield from _without_a_pattern(start, without or {})
    yield from _plain_keys(start)
    yield from _in_several_tables(start)


def settled(start: Baseline, each: TriedDesign) -> TriedDesign | None:
    """The same, designed as somebody gets it who does what it asks for; None where that has no design."""
    if start.settle is None or each.kind == "tables":
        return each
    origin = start.solution.origin
    spec = answered(origin, spec_data(origin), each.needs)
    left = with_only(spec, [one.id for one in spec.patterns if one.id not in each.without])
    aims: list[Aim] = [aim for aim in AIMS if each.option.endswith(aim)]
    try:
        found = tuple(map(outcome, start.settle(left, aims[0] if aims else None)))
    except DesignError:
        return None
    return msgspec.structs.replace(each, outcomes=found, usd_per_month=sum(one.usd_per_month for one in found))


# ---- within the spec ------------------------------------------------------------------------------------------------


def _other_aims(start: Baseline) -> Iterator[TriedDesign]:
    for aim in AIMS:
        other = None if aim == start.aim else again(start, aim=aim)
        if other is not None:
            yield attempt("aim", other, option=f"--minimise {aim}")


def _fewer_indexes(start: Baseline) -> Iterator[TriedDesign]:
    for gsis in reversed(range(start.now.gsis)):
        other = again(start, aim="cost", max_gsis=gsis)
        if other is None:
            return
        yield attempt("fewer", other, needs={"constraints.max_gsis": gsis}, option=_minimising(start, "cost"))


def _minimising(start: Baseline, aim: Aim) -> str:
    return "" if aim == start.aim else f"--minimise {aim}"


def _other_forms(forms: tuple[OtherForm, ...]) -> Iterator[TriedDesign]:
    """Without a form that was chosen for an entity."""
    for each in forms:
        if each.outcome is not None and each.needs:
            yield attempt("form", each.outcome, needs=each.needs, label=each.label)


# ---- beyond it ------------------------------------------------------------------------------------------------------


def _second_items(start: Baseline) -> Iterator[TriedDesign]:
    if start.facts.spec.constraints.copies == "any":
        return
    for gsis in sorted({max(0, start.now.gsis - 1), 0}, reverse=True):
        if gsis < start.now.gsis:
            yield from _freer(start, "copies", {"constraints.copies": "any", "constraints.max_gsis": gsis}, "cost")


def _local_indexes(start: Baseline) -> Iterator[TriedDesign]:
    if not start.facts.spec.constraints.lsis and start.now.gsis:
        yield from _freer(start, "lsis", {"constraints.lsis": True}, "gsis")


def _freer(start: Baseline, kind: Kind, needs: Mapping[str, Any], aim: Aim) -> Iterator[TriedDesign]:
    """First as if every attribute were always there; then with those that keys cannot miss."""
    facts, most = start.facts, needs.get("constraints.max_gsis", start.max_gsis)
    allowed = {name.removeprefix("constraints."): value for name, value in needs.items()}
    constraints = msgspec.structs.replace(facts.spec.constraints, **allowed)
    spec = msgspec.structs.replace(facts.spec, constraints=constraints)
    everywhere = {name: _present_if_asked(facts, name) for name in facts.present}
    loose = msgspec.structs.replace(facts, spec=spec, present=everywhere)
    first = elsewhere(msgspec.structs.replace(start, aim=aim, max_gsis=most), loose)
    if first is None:
        return
    keys = keys_of(first.choice)
    new = [each.shape for each in keys if PLACE_OF[each.place].is_item]
    for shapes in (new, [each.shape for each in keys]):
        asked = {**needs, **_required(facts, shapes)}
        found = _changed(start, asked, aim=aim, max_gsis=most)
        if found is not None and (found.gsis, found.copies) <= (first.gsis, first.copies):
            yield attempt(kind, found, needs=asked, option=_minimising(start, aim))
            return


def _present_if_asked(facts: Facts, entity: str) -> frozenset[str]:
    """What is always there, and what nobody said may be absent."""
    attributes = facts.spec.entities[entity].attributes
    open_ = (name for name, each in attributes.items() if each.required is None and each.presence is None)
    return frozenset({*facts.present[entity], *open_})


def _required(facts: Facts, shapes: list[Shape]) -> dict[str, Any]:
    """What keys need that may be absent as far as the spec says."""
    return {
        f"entities.{shape.entity}.attributes.{name}.required": True
        for shape in sorted(shapes)
        for name in shape.attributes
        if shape.entity in facts.spec.entities  # not what says where items are, which nobody describes
        and name not in facts.present[shape.entity]
        and facts.spec.entities[shape.entity].kind == "entity"
    }


def _changed(
    start: Baseline, changes: Mapping[str, Any], *, aim: Aim | None = None, max_gsis: int | None = None
) -> PricedSolution | None:
    """The design of the spec with something else written into it, in the same form."""
    spec = answered(start.solution.origin, spec_data(start.solution.origin), changes)
    for gsis in near(start, start.max_gsis if max_gsis is None else max_gsis, aim or start.aim):
        try:
            found = solve(spec, aim=aim or start.aim, max_gsis=gsis, rewrites=start.solution.rewrites, forbid=[NOTHING])
        except DesignError:
            continue
        return outcome(found)
    return None


def _without_a_pattern(start: Baseline, without: Mapping[str, PricedSolution]) -> Iterator[TriedDesign]:
    """The one whose absence saves most indexes, then most money."""
    now = start.now
    saving = {
        id_: (now.gsis - each.gsis, now.usd_per_month - each.usd_per_month)
        for id_, each in without.items()
        if now.gsis > each.gsis
    }
    if saving:
        best = max(saving, key=lambda id_: saving[id_])
        yield attempt(
            "without",
            without[best],
            without=(best,),
            label=f"without {best}",
            price=f"{best} has to be answered elsewhere, such as from an export or a stream",
        )


def _plain_keys(start: Baseline) -> Iterator[TriedDesign]:
    if start.facts.spec.constraints.key_style == "plain":
        return
    needs = {"constraints.key_style": "plain"}
    found = _changed(start, needs)
    if found is not None:
        price = "keys that ElectroDB reads in the generated package only"
        yield attempt("style", found, needs=needs, label="plain keys", price=price)


def _in_several_tables(start: Baseline) -> Iterator[TriedDesign]:
    """A table for everything that is read together; each in the class that suits it."""
    origin = start.solution.origin
    if origin.constraints.tables != "single" or len(groups_of(start.solution.asked)) < 2:
        return
    try:
        apart = solve_tables(origin, tables="several", aim=start.given_aim, max_gsis=start.given_gsis)
    except DesignError:
        return
    saved = cost_of(start.solution, origin.entities).usd_per_month - (apart.several_usd_per_month or 0.0)
    yield TriedDesign(
        kind="tables",
        outcomes=tuple(outcome(each) for each in apart.several),
        usd_per_month=start.now.usd_per_month - saved,
        needs={"constraints.tables": "several"},
    )
