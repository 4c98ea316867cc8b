"""What a spec says of its bill: every field has a default, every fault its place."""

from __future__ import annotations

import pytest

from tablewright.errors import DesignError
from tablewright.spec.model import Billing
from tablewright.spec.read import read_spec
from tests.design.cost.shop import GET, ORDER


def spec(**top):
    return read_spec({"entities": {"Order": ORDER}, "access_patterns": [GET], **top})


def test_defaults():
    assert spec().billing == Billing(profile=None, utilisation=None, prices=None, pitr=None, streams="none")
    assert spec().billing.has_recovery


def test_all_fields():
    said = {"profile": [1] * 24, "utilisation": 0.5, "prices": "eu.yaml", "pitr": False, "streams": "kinesis"}
    assert spec(billing=said).billing == Billing(**{**said, "profile": (1,) * 24})


@pytest.mark.parametrize(
    ("billing", "words"),
    [
        ({"profile": [1] * 23}, "billing.profile: has 23 numbers; write 24"),
        ({"profile": [0] * 24}, "not all of them 0"),
        ({"utilisation": 1.5}, "billing.utilisation"),
        ({"stream": "lambda"}, "streams"),
    ],
)
def test_faults(billing, words):
    with pytest.raises(DesignError, match=words):
        spec(billing=billing)
