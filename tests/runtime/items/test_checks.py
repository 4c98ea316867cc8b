from __future__ import annotations

from typing import Any

import pytest

from tablewright.errors import ValidationError
from tests.runtime.harbor import berth


def faults(**attributes: Any) -> list[str]:
    with pytest.raises(ValidationError) as refused:
        berth().put({"harbor": "H", "slot": 1, **attributes}).params()
    return [fault.path for fault in refused.value.fields]


@pytest.mark.parametrize(
    ("attributes", "paths"),
    [
        ({"vessel": 5}, ["vessel"]),
        ({"vessel": None}, ["vessel"]),
        ({"slot": True}, ["slot"]),
        ({"state": "sunk"}, ["state"]),
        ({"tags": ["a", 5]}, ["tags[*]"]),
        ({"tags": True}, ["tags"]),
        ({"log": ["a", 5, "b", 6]}, ["log[1]", "log[3]"]),
        ({"dims": {"side": "left"}}, ["dims.beam"]),
        ({"dims": {"beam": "x", "side": 1}}, ["dims.beam", "dims.side"]),
        ({"dims": "wide"}, ["dims"]),
    ],
)
def test_every_fault_of_an_attribute_is_named(attributes: dict[str, Any], paths: list[str]) -> None:
    assert faults(**attributes) == paths


def test_a_scalar_stands_for_a_set_of_one() -> None:
    assert berth().put({"harbor": "H", "slot": 1, "tags": "a"}).params()["Item"]["tags"] == {"a"}


def test_unknown_attributes_and_properties_are_dropped() -> None:
    item = berth().put({"harbor": "H", "slot": 1, "zz": 1, "dims": {"beam": 2, "zz": 1}}).params()["Item"]
    assert item["dims"] == {"beam": 2}
    assert "zz" not in item
