"""Whole applications: designed, proven, and called at random beside an application over dictionaries."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright import tasks
from tablewright.design.model import Design
from tablewright.spec.model import KeyStyle
from tests.trust.driver import Driver

HERE = Path(__file__).parent
APPLICATIONS = sorted((HERE / "applications").glob("*.yaml"))
KNOWN = sorted([*HERE.parents[1].glob("examples/specs/*.yaml"), *HERE.parents[0].glob("architect/cases/*.yaml")])
_DESIGNS: dict[tuple[Path, str], Design] = {}


def designed(path: Path, style: KeyStyle = "electrodb") -> Design:
    if (path, style) not in _DESIGNS:
        _DESIGNS[path, style] = tasks.design(path, key_style=style, quick=True)
    return _DESIGNS[path, style]


@pytest.mark.parametrize("path", APPLICATIONS, ids=lambda path: path.stem)
def test_an_application_is_proven(path: Path) -> None:
    report = tasks.prove(designed(path)).proof
    assert report is not None
    assert (report.passed, report.failure) == (True, "")
    assert [each.id for each in designed(path).patterns if each.unproven] == []


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("path", APPLICATIONS, ids=lambda path: path.stem)
def test_an_application_does_what_its_spec_says(path: Path, seed: int) -> None:
    driver = Driver(designed(path), seed)
    driver.run(80)
    assert len(driver.history) == 80


@pytest.mark.parametrize("path", APPLICATIONS, ids=lambda path: path.stem)
def test_most_writes_happen_with_plain_keys_as_well(path: Path) -> None:
    """A comparison of nothing but refusals would say little."""
    driver = Driver(designed(path, "plain"), 7)
    driver.run(150)
    writes = [each.id for each in driver.running.patterns.values() if each.kind == "write"]
    assert sum(not driver.outcomes[each, True] for each in writes) <= len(writes) // 3


@pytest.mark.parametrize("path", KNOWN, ids=lambda path: path.stem)
def test_examples_and_published_applications_do_what_their_specs_say(path: Path) -> None:
    Driver(designed(path), 1).run(40)
