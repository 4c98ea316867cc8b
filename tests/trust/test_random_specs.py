"""Specs that nobody would think of: each has a design that is proven and does what the spec says, or is refused."""

from __future__ import annotations

import pytest

from tablewright import tasks
from tablewright.errors import DesignError
from tests.trust.driver import Driver
from tests.trust.random_specs import random_spec

FEW = 16


@pytest.mark.parametrize("seed", range(FEW))
def test_a_random_spec_does_what_it_says(seed: int) -> None:
    design = tasks.design(random_spec(seed), quick=True)
    report = tasks.prove(design).proof
    assert report is not None
    assert (report.passed, report.failure) == (True, "")
    Driver(design, seed).run(40)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(FEW, 80))
def test_many_random_specs_do_what_they_say(seed: int) -> None:
    try:
        design = tasks.design(random_spec(seed), quick=True)
    except DesignError:
        return  # what cannot be met is refused, which other tests look at
    report = tasks.prove(design).proof
    assert report is not None
    assert (report.passed, report.failure) == (True, "")
    Driver(design, seed).run(40)
