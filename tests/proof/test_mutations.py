"""Designs that are broken on purpose fail their proofs, whatever it is that was broken.

The catalogue of faults is in `tests.proof.mutations`; `python -m tests.proof.mutations` prints how many of each kind
were tried, and how many the proof caught.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.proof.mutations.catalogue import CATALOGUE
from tests.proof.mutations.designs import NAMES, right_report
from tests.proof.mutations.trial import try_fault

if TYPE_CHECKING:
    from tests.proof.mutations.fault import Fault


pytestmark = pytest.mark.shares("spec")
WITH_SPECS = [pytest.param(each.spec, each, id=str(each)) for each in CATALOGUE]


@pytest.mark.parametrize("spec", NAMES)
def test_as_it_is_the_design_passes(spec: str) -> None:
    report = right_report(spec)
    assert report.failure == ""
    assert report.passed


@pytest.mark.parametrize(("spec", "fault"), WITH_SPECS)
def test_a_seeded_fault_is_caught(spec: str, fault: Fault) -> None:
    assert fault.spec == spec
    trial = try_fault(fault)
    assert trial.caught, trial.said


def test_every_right_design_has_faults_and_no_fault_is_there_twice() -> None:
    assert {each.spec for each in CATALOGUE} == set(NAMES)
    assert [name for name, many in Counter(map(str, CATALOGUE)).items() if many > 1] == []
