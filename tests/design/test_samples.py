"""Sample items respect types, name each other's ids, and make the pictures of item collections."""

from __future__ import annotations

import pytest

from tablewright.design.samples import pictures
from tests.architect.designs import CASES, case_design

TYPES = {"string": str, "timestamp": str, "number": int, "boolean": bool, "map": dict, "list": list}


@pytest.mark.parametrize("case", CASES)
def test_samples_have_every_attribute_and_every_key(case: str) -> None:
    for item in case_design(case).items:
        for each in item.attributes:
            value = item.sample[each.name]
            assert isinstance(value, TYPES[each.type])
            assert not each.values or value in each.values
        assert {each.field for keys in item.keys for each in (*keys.pk, *keys.sk)} <= item.sample.keys()


def test_samples_refer_to_each_other() -> None:
    items = {item.name: item.sample for item in case_design("online-shop").items}
    assert items["OrderItem"]["orderId"] == items["Order"]["orderId"] == items["Invoice"]["orderId"]
    assert items["Order"]["customerId"] == items["Customer"]["customerId"]


def test_a_picture_for_the_table_and_each_index() -> None:
    shown = pictures(case_design("session-management"))
    assert [each.splitlines()[0] for each in shown] == ["session-management", "session-management / gsi1"]
    first, second = (line.split(" | ") for line in shown[1].splitlines()[1:])
    assert [each.strip() for each in first[:2]] == [
        "$session-management#customerId_customer-1",
        "$Session_1#lastLoginTime_2026-03-14T09:26:53.000Z",
    ]
    assert [each.strip() for each in second[:2]] == ["$session-management#sessionId_session-1", "$ChildSession_1"]
    assert first[2].startswith("Session: sessionId=session-1, customerId=customer-1")
    assert shown[1].splitlines()[1].index("|") == shown[1].splitlines()[2].index("|")
