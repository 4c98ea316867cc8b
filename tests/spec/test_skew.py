from __future__ import annotations

from typing import Any

import pytest

from tablewright.spec.facts import assume
from tablewright.spec.model import Skew
from tablewright.spec.read import read_spec
from tablewright.spec.skew import describe_share, hottest_share, share_of_first, zipf_sum


def test_even():
    assert share_of_first(200, None) == 0.005


def test_hottest_is_what_it_says_and_never_less_than_even():
    assert share_of_first(1000, Skew(hottest=0.1)) == 0.1
    assert share_of_first(4, Skew(hottest=0.1)) == 0.25


def test_zipf_of_three_keys():
    # 1 / (1 + 1/2 + 1/3)
    assert share_of_first(3, Skew(zipf=1.0)) == pytest.approx(6 / 11)


@pytest.mark.parametrize("exponent", [0.8, 1.0, 1.3])
def test_the_tail_as_an_integral_is_close(exponent):
    exact = sum(rank**-exponent for rank in range(1, 20_001))
    assert zipf_sum(20_000, exponent) == pytest.approx(exact, rel=1e-6)


RECORD: dict[str, Any] = {
    "id": ["tenantId", "recordId"],
    "attributes": {
        "tenantId": {"cardinality": 1000},
        "day": "date",
        "ownerId": {"cardinality": 200},
        "state": {"values": ["open", "done"], "required": True},
    },
    "count": 10_000_000,
}
GET: dict[str, Any] = {"id": "get", "kind": "get", "entity": "Record", "by": ["tenantId", "recordId"]}
PUT: dict[str, Any] = {"id": "put", "kind": "write", "op": "put", "entity": "Record", "by": ["tenantId", "recordId"]}
UPDATE: dict[str, Any] = {**PUT, "id": "update", "op": "update"}


def share_on(names: tuple[str, ...], pattern: dict[str, Any], **said: Any) -> float:
    facts = assume(read_spec({"entities": {"Record": RECORD}, "access_patterns": [{**pattern, **said}]}))
    return hottest_share(facts, "Record", names, facts.spec.patterns[0])


def test_one_of_a_thousand_tenants_makes_half_of_the_puts():
    """Not one item: what is put is new each time."""
    for skew in ("hottest 50%", {"tenantId": "hottest 50%"}):
        assert share_on(("tenantId",), PUT, skew=skew) == 0.5
        assert share_on(("tenantId", "recordId"), PUT, skew=skew) == pytest.approx(0.5 / 10_000)
    assert share_on(("state",), PUT, skew={"tenantId": "hottest 50%"}) == 0.5  # one of two states


def test_puts_that_favour_a_tenant_do_not_favour_an_owner():
    """The caller names the tenant; who owns the record is another matter."""
    assert share_on(("ownerId",), PUT, skew="hottest 50%") == 1 / 200


def test_a_favourite_item_takes_its_tenant_and_its_state_along():
    for pattern in (GET, UPDATE):
        assert share_on(("tenantId", "recordId"), pattern, skew={"recordId": "hottest 20%"}) == 0.2
        assert share_on(("tenantId",), pattern, skew={"recordId": "hottest 20%"}) == 0.2
        assert share_on(("tenantId", "state"), pattern, skew={"recordId": "hottest 20%"}) == 0.2


def test_the_plain_form_is_that_of_what_the_item_belongs_to():
    for pattern in (GET, UPDATE, PUT):
        assert share_on(("tenantId",), pattern, skew="hottest 20%") == 0.2
        assert share_on(("tenantId", "recordId"), pattern, skew="hottest 20%") == pytest.approx(0.2 / 10_000)


def test_what_happens_now_is_in_the_present_period():
    by_day = {"id": "day", "kind": "query", "entity": "Record", "by": ["day"]}
    assert share_on(("day",), by_day) == 1.0
    assert share_on(("day", "tenantId"), PUT) == 0.001
    assert share_on(("day",), by_day, skew={"day": "uniform"}) == pytest.approx(1 / 365)
    assert share_on(("day",), UPDATE) == pytest.approx(1 / 365)  # of any age
    assert share_on(("day",), UPDATE, changes=["state"]) == pytest.approx(1 / 365)
    assert share_on(("day",), UPDATE, changes=["day"]) == 1.0  # "delivered today"


def test_in_words():
    facts = assume(
        read_spec(
            {
                "entities": {"Record": RECORD},
                "access_patterns": [
                    GET,
                    {**GET, "id": "zipf", "by": ["tenantId"], "kind": "query", "skew": "zipf 1.1"},
                    {**PUT, "skew": {"tenantId": "hottest 10%"}},
                ],
            }
        )
    )
    even, zipf, hottest = facts.spec.patterns
    assert describe_share(facts, "Record", ("tenantId",), even) == "even over 1,000 keys"
    assert describe_share(facts, "Record", (), even) == "one key for all"
    assert describe_share(facts, "Record", ("tenantId",), zipf) == "Zipf 1.1 over 1,000 keys"
    assert describe_share(facts, "Record", ("tenantId",), hottest) == "hottest share as said"
    assert describe_share(facts, "Record", ("tenantId", "day"), hottest) == (
        "hottest share as said, day being the present one"
    )
