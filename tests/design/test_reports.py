"""A design that was read from its file costs and heats exactly as when it was made, without any search."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tablewright import tasks
from tablewright.architect import designer, solution
from tablewright.design.read import design_data, design_json, read_design, round_report
from tablewright.design.reports import cost_report, heat_report
from tablewright.errors import DesignError
from tablewright.review.advice import advise

if TYPE_CHECKING:
    from tablewright.design.cost.report import CostReport
    from tablewright.design.model import Design

pytestmark = pytest.mark.shares("spec")

ROOT = Path(__file__).parents[2]
FOLDERS = ("examples/specs", "tests/architect/cases", "tests/architect/applications")
SPECS = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.yaml"))]
VERSION_1 = Path(__file__).parent / "check" / "version_1"
TRAFFIC = (1.0, 3.0, 100.0)
WAYS: dict[str, dict[str, Any]] = {
    "cost": {"aim": "cost"},
    "gsis": {"aim": "gsis"},
    "any": {"aim": "cost", "tables": "any"},
    "several": {"aim": "gsis", "tables": "several"},
}


def refused(*_: Any, **__: Any) -> Any:
    raise AssertionError("nothing is searched for a report")


@cache
def designs(spec: Path) -> dict[str, Design]:
    """One made in every way, and one that keeps what another aim made; of examples, which are large, two."""
    if spec.parent.name == "specs":
        return {name: designer.design(spec, **WAYS[name]) for name in ("cost", "several")}
    found = {name: designer.design(spec, **how) for name, how in WAYS.items()}
    found["kept"] = designer.design(spec, aim="cost", keep=found["gsis"])
    return found


def without_influence(cost: CostReport) -> CostReport:
    """What guesses would change is found by pricing again, once, when a design is made."""
    plain = [msgspec.structs.replace(each, usd_at_tenth=None, usd_at_ten_times=None) for each in cost.assumptions]
    return msgspec.structs.replace(cost, assumptions=tuple(sorted(plain)))


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_a_design_that_was_read_has_the_reports_it_was_made_with(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = designs(spec)
    for name in ("try_search", "search_further"):
        monkeypatch.setattr(f"tablewright.architect.search.search.{name}", refused)
        monkeypatch.setattr(solution, name, refused)
    for way, design in made.items():
        read = read_design(design_json(design).decode())
        assert read == design, way
        for traffic in TRAFFIC:
            cost, heat = cost_report(design, traffic=traffic), heat_report(design, traffic=traffic)
            assert cost_report(read, traffic=traffic) == cost, (way, traffic)
            assert heat_report(read, traffic=traffic) == heat, (way, traffic)
            if traffic == 1.0:
                assert without_influence(round_report(cost)) == without_influence(design.cost), way
                assert round_report(heat) == design.heat, way


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_a_design_of_the_first_version_is_completed(spec: Path) -> None:
    """Its file has neither the form its spec is stored in nor the types of the items that a step reads."""
    for way in ("cost", "several"):
        made = designs(spec)[way]
        data = design_data(made)
        del data["stored"]
        for step in (step for pattern in data["patterns"] for step in pattern["reads"]):
            del step["items"]
        read = designer.complete_form(read_design(data))
        assert read.stored == made.stored
        assert cost_report(read, traffic=3.0) == cost_report(made, traffic=3.0)
        assert heat_report(read, traffic=3.0) == heat_report(made, traffic=3.0)


@pytest.mark.parametrize("name", ["buckets", "embedded", "fan_out", "sparse", "totals"])
def test_a_file_of_the_first_version_costs_what_it_was_written_with(name: str) -> None:
    """But for numbers that nobody gave, which are derived in other ways by now, and what is advised."""
    read = designer.complete_form(read_design(VERSION_1 / f"{name}.json"))
    found = cost_report(read)
    assert found.prices == read.cost.prices
    assert found.usd_per_month == pytest.approx(read.cost.usd_per_month, rel=0.05)
    assert found.write_usd_per_month == pytest.approx(read.cost.write_usd_per_month, rel=0.02)
    assert {each.place for each in found.places} == {each.place for each in read.cost.places}
    assert {each.place for each in heat_report(read).partitions} == {each.place for each in read.heat.partitions}


def test_a_design_keeps_the_prices_it_was_made_with(tmp_path: Path) -> None:
    """Also when the file that had them is gone."""
    prices = tmp_path / "dear.yaml"
    prices.write_text("region: eu-west-1\nwrite_per_million: 70.5\n")
    spec = next(each for each in SPECS if each.stem == "orders")
    made = tasks.design(spec, prices=prices, quick=True, tables="several")
    prices.unlink()
    read = read_design(design_json(made).decode())
    assert cost_report(read).write_usd_per_month == pytest.approx(made.cost.write_usd_per_month)
    assert cost_report(read).prices.region == "eu-west-1"
    assert round_report(advise(read).advice).savings == made.advice.savings


WITHOUT_ARCHITECT = """
import sys
from functools import cache
sys.modules["tablewright.architect"] = None
from tablewright.design.read import read_design
from tablewright.design.reports import cost_report, heat_report
design = read_design(sys.argv[1])
assert cost_report(design, traffic=3.0).usd_per_month > 2 * design.cost.read_usd_per_month
assert heat_report(design, traffic=3.0).partitions
"""


def test_a_report_needs_nothing_of_the_architect(tmp_path: Path) -> None:
    path = tmp_path / "design.json"
    path.write_bytes(design_json(designer.design(SPECS[0])))
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_ARCHITECT, str(path)], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_what_a_design_does_not_say_is_told() -> None:
    rewritten = next(made for spec in SPECS if (made := designer.design(spec)).rewrites)
    with pytest.raises(DesignError, match="does not say how"):
        cost_report(msgspec.structs.replace(rewritten, stored={}))
    with pytest.raises(DesignError, match="holds no spec"):
        heat_report(msgspec.structs.replace(rewritten, spec={}))
