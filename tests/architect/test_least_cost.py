"""Least cost means least cost: no other way that the tool itself can reach has a smaller bill.

For a spec with `aim: cost` everything else is solved that can be asked for in the same key style and table mode: every
limit of indexes, the other aims, each rewrite switched off. A bill may be smaller only by what a rule is told to cost.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tablewright.architect.designer import design
from tablewright.architect.solution import can_serve, solve
from tablewright.architect.tables import solve_tables
from tablewright.design.cost.prices import prices_of
from tablewright.design.cost.report import month_of
from tablewright.design.cost.units.volumes import estimate
from tablewright.errors import DesignError
from tablewright.report.document import overview
from tablewright.report.text import plain_text
from tablewright.spec.read import read_spec
from tests.architect.specs import CASES, random_spec, rich_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.assembly.solution import Solution
    from tablewright.spec.model import Spec

TESTS = Path(__file__).parents[1]
FILES = [
    *CASES,
    *sorted((TESTS.parent / "examples/specs").glob("*.yaml")),
    *(path for path in sorted((TESTS / "trust/specs").glob("*.yaml")) if path.stem != "contradict"),  # is refused
    *sorted((TESTS / "trust/applications").glob("*.yaml")),
]
TOLERANCE = 0.005
QUICK = ("chat-system", "allusers", "upsert_when")


def solved(spec: Spec, *, surely: bool = False, **how: Any) -> tuple[Solution, ...]:
    """None where it cannot be served that way; `surely`: it is known that it can."""
    most = how.get("max_gsis", spec.constraints.max_gsis)
    limited = msgspec.structs.replace(spec, constraints=msgspec.structs.replace(spec.constraints, max_gsis=most))
    if spec.constraints.tables == "single" and not surely and not can_serve(limited):
        return ()  # nobody has to be told why, which takes far longer
    try:
        if spec.constraints.tables == "single":
            return (solve(spec, **how),)
        return solve_tables(spec, **how).solutions
    except DesignError:
        return ()


def usd(found: tuple[Solution, ...]) -> float:
    return sum(
        month_of(each.layout, prices_of(each.spec), estimate(each.layout), free_tier=False).modes[0].usd_per_month
        for each in found
    )


def reaches(spec: Spec, gsis: int) -> Iterator[tuple[str, Spec, dict[str, Any]]]:
    for most in range(gsis + 2):
        yield f"--max-gsis {most}", spec, {"aim": "cost", "max_gsis": most, "surely": most >= gsis}
    yield from ((f"--aim {aim}", spec, {"aim": aim, "surely": True}) for aim in ("gsis", "latency"))
    allowed = spec.constraints.rewrites
    for without in (*((kind,) for kind in allowed), allowed):
        left = tuple(each for each in allowed if each not in without)
        constraints = msgspec.structs.replace(spec.constraints, rewrites=left)
        yield f"rewrites: {left}", msgspec.structs.replace(spec, constraints=constraints), {"aim": "cost"}
    for name, entity in spec.entities.items():
        if entity.rewrites:
            plain = {**spec.entities, name: msgspec.structs.replace(entity, rewrites=())}
            yield f"{name} without rewrites", msgspec.structs.replace(spec, entities=plain), {"aim": "cost"}


def cheaper_ways(spec: Spec, *, every: bool = True) -> dict[str, float]:
    """The ways that cost less than what was chosen, by more than is allowed for and told."""
    chosen = solved(spec, aim="cost", tell_rules=True)
    if not chosen:
        return {}
    told = sum(each.rule.usd_per_month for each in chosen if each.rule is not None)
    least = (usd(chosen) - told) * (1 - TOLERANCE)
    ways = reaches(spec, sum(len(each.choice.slots) for each in chosen))
    tried = ((how, solved(other, **asked)) for how, other, asked in ways if every or how.startswith("--"))
    return {how: usd(found) for how, found in tried if found and usd(found) < least}


@pytest.mark.parametrize(
    "path",
    [pytest.param(each, marks=() if each.stem in QUICK else pytest.mark.slow) for each in FILES],
    ids=lambda path: path.stem,
)
def test_nothing_that_can_be_asked_for_costs_less(path: Path) -> None:
    spec = read_spec(path)
    assert cheaper_ways(spec, every=path.stem in QUICK) == {}


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(each, marks=pytest.mark.slow) for each in range(4, 100))])
def test_nothing_costs_less_for_random_specs(seed: int) -> None:
    spec = read_spec(random_spec(seed, entities=1 + seed % 3, patterns=2 + seed % 4))
    assert cheaper_ways(spec, every=False) == {}


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(each, marks=pytest.mark.slow) for each in range(4, 100))])
def test_nothing_costs_less_for_rich_specs(seed: int) -> None:
    spec = read_spec(rich_spec(seed, entities=1 + seed % 2, patterns=2 + seed % 4))
    assert cheaper_ways(spec, every=False) == {}


@pytest.mark.parametrize("name", ["session-management", "chat-system"])
def test_no_alternative_of_the_explanation_costs_less(name: str) -> None:
    path = next(each for each in CASES if each.stem == name)
    made = design(path, aim="cost", explain=True)
    chosen = next(each for each in made.advice.alternatives if each.chosen)
    others = [each for each in made.advice.alternatives if not each.chosen and not each.without and not each.needs]
    assert [each.name for each in others if each.usd_per_month < chosen.usd_per_month * (1 - TOLERANCE)] == []


@pytest.mark.parametrize("seed", range(12))
def test_the_program_never_adds_up_to_more_than_the_bill(seed: int) -> None:
    """What it leaves out makes it a bound, by which designs that were not looked at are ruled out."""
    spec = read_spec(rich_spec(seed, entities=1 + seed % 2, patterns=2 + seed % 4))
    for aim in ("cost", "gsis"):
        for found in solved(spec, aim=aim):
            assert found.choice.cost / 1e6 <= usd((found,)) * (1 + 1e-6)


def test_a_rule_tells_its_price() -> None:
    """A pointer would save some dollars, and make a transaction of every write."""
    spec = read_spec(random_spec(36, entities=1, patterns=3))
    found = solve(spec, aim="cost", tell_rules=True)
    assert found.rule is not None
    made = design(spec, aim="cost")
    assert str(found.rule) in made.advice.tradeoffs
    assert str(found.rule) in " ".join(plain_text(overview(made)).split())
    assert "in a transaction" in str(found.rule)


def test_reading_by_id_is_not_lost_for_a_list_of_everything() -> None:
    made = design(TESTS / "trust/specs/allusers.yaml")
    user = next(each for each in made.items if each.name == "User")
    assert user.keys[0].partition == ("userId",)
    assert any(not each.partition for each in user.keys[1:])
