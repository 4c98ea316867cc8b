"""What overlaps: keys in order of the start, read from the longest time before on; what that takes; where it fails."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.designer import design
from tablewright.proof.checks.estimates import check_estimates
from tablewright.proof.run import prove
from tests.codegen.specials import special
from tests.proof.mutations.editing import pattern_of

BOOKING: dict[str, Any] = {
    "id": "bookingId",
    "attributes": {
        "roomId": {"required": True, "cardinality": 40},
        "startsAt": {"type": "timestamp", "required": True},
        "endsAt": {"type": "timestamp", "required": True},
        "floor": {"values": ["low", "high"], "required": True},
    },
    "count": 20_000,
}
TAKEN: dict[str, Any] = {
    "id": "taken",
    "kind": "query",
    "entity": "Booking",
    "by": "roomId",
    "overlaps": {"start": "startsAt", "end": "endsAt", "longest": "14d"},
    "rate": 10,
}
BOOK = {"id": "book", "kind": "write", "op": "put", "entity": "Booking", "by": "bookingId", "rate": 1}


def bookings(*patterns: dict[str, Any], **constraints: Any) -> dict[str, Any]:
    return {
        "name": "bookings",
        "entities": {"Booking": BOOKING},
        "access_patterns": [*patterns, BOOK],
        "constraints": {"key_style": "plain", **constraints},
    }


def test_the_key_is_read_from_the_longest_time_before_on() -> None:
    made = design(bookings({**TAKEN, "sort": "startsAt"}))
    (step,) = pattern_of(made, "taken").reads
    (condition,) = step.sk
    assert (str(condition.low), str(condition.high)) == ("BOOKING#{_earliest}", "BOOKING#{to}")
    assert [str(each) for each in step.filters] == ["endsAt >= {from}"]
    assert step.longest == 14 * 86_400
    assert "began at most 14d before" in pattern_of(made, "taken").why


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_what_is_estimated_is_what_is_read(style: str) -> None:
    report = check_estimates(special("overlaps", style))
    assert [each for each in report.patterns if not each.passed] == []


def test_how_much_that_is_nobody_said() -> None:
    assumed = {each.place: each for each in design(bookings(TAKEN)).cost.assumptions}
    assert assumed["access_patterns.taken.overlaps"].value == 0.75
    assert assumed["access_patterns.taken.range"].value == pytest.approx(2 * 14 / 365, rel=0.3)


def test_indexes_on_the_attributes_themselves_have_it_too() -> None:
    made = design(bookings({**TAKEN, "sort": "startsAt desc", "limit": 4}, multi_attribute_keys=True))
    (step,) = pattern_of(made, "taken").reads
    assert [(each.field, str(each.low), str(each.high)) for each in step.sk] == [("startsAt", "{_earliest}", "{to}")]
    assert prove(made).failure == ""


def test_in_another_order_only_filters_can_tell() -> None:
    made = design(bookings({**TAKEN, "sort": "floor", "items": 100}))
    (step,) = pattern_of(made, "taken").reads
    assert step.longest is None
    assert {str(each) for each in step.filters} == {"startsAt <= {to}", "endsAt >= {from}"}
    assert prove(made, rounds=8).failure == ""


def test_dates_and_short_times_are_told_apart() -> None:
    day = {**BOOKING["attributes"], "startsAt": {"type": "date"}, "endsAt": {"type": "date"}}
    spec = bookings({**TAKEN, "overlaps": {**TAKEN["overlaps"], "longest": "36h"}})
    made = design({**spec, "entities": {"Booking": {**BOOKING, "attributes": day}}})
    assert pattern_of(made, "taken").reads[0].longest == 36 * 3600
    assert prove(made, rounds=8).failure == ""
