"""Times and numbers that are moved, and what of `overlaps` cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.design.steps import values
from tablewright.design.steps.errors import WrongValue
from tablewright.spec.intervals import lasts_too_long, shifted
from tablewright.spec.model import Ending
from tablewright.spec.read import SpecFaults, read_spec
from tablewright.spec.write import spec_data

DAY = 86_400
MOVED = [
    ("2026-03-01T09:00:00Z", -DAY, "2026-02-28T09:00:00Z"),
    ("2026-03-01T09:00:00.123Z", -1, "2026-03-01T08:59:59.123Z"),
    ("2026-03-01T09:00:00.123456+00:00", 1, "2026-03-01T09:00:01.123456+00:00"),
    ("2026-03-01T09:00:00", DAY, "2026-03-02T09:00:00"),
    ("2024-03-01", -DAY, "2024-02-29"),
    ("2026-03-01", -DAY - 3600, "2026-02-28"),
    ("2026-03-01", DAY // 2, "2026-03-01"),
    ("0001-01-02T00:00:00Z", -9 * DAY, "0001-01-01T00:00:00Z"),
    ("9999-12-31", 9 * DAY, "9999-12-31"),
    (10, -30, -20),
]


@pytest.mark.parametrize(("value", "by", "moved"), MOVED)
def test_values_keep_their_form(value: Any, by: float, moved: Any) -> None:
    assert shifted(value, by) == moved
    assert values.shifted(value, by) == moved


@pytest.mark.parametrize("value", ["soon", "2026-02-30", "2026-03-01T25:00:00Z", "2026-03-01 09:00", "2026-3-1", ""])
def test_what_is_no_time_cannot_be_moved(value: str) -> None:
    assert shifted(value, 1) is None
    with pytest.raises(WrongValue):
        values.shifted(value, 1)
    assert lasts_too_long(Ending("a", 5), value, "2026-01-01").startswith("is no time")


def test_numbers_may_go_below_0() -> None:
    for first, lowest in ((10, -20), (40, 10), (40.5, 10.5)):
        assert shifted(first, -30) == lowest == values.shifted(first, -30)


def test_both_ends_count() -> None:
    rule = Ending("a", 2 * DAY)
    assert lasts_too_long(rule, "2026-01-01", "2026-01-03") == ""
    assert lasts_too_long(rule, "2026-01-01", "2026-01-04") == "is more than 172800 behind a"


# ---- what is wrong --------------------------------------------------------------------------------------------------

OVERLAPS = {"start": "startsAt", "end": "endsAt", "longest": "14d"}
PATTERN: dict[str, Any] = {"id": "taken", "kind": "query", "entity": "Booking", "by": "roomId", "overlaps": OVERLAPS}
ATTRIBUTES: dict[str, Any] = {"roomId": {}, "startsAt": "timestamp", "endsAt": "timestamp", "seats": "number"}


def bookings(*patterns: dict[str, Any], **attributes: Any) -> dict[str, Any]:
    entity = {"id": "bookingId", "attributes": {**ATTRIBUTES, **attributes}}
    put = {"id": "book", "kind": "write", "op": "put", "entity": "Booking", "by": "bookingId"}
    return {"entities": {"Booking": entity}, "access_patterns": [*patterns, put]}


def update(**more: Any) -> dict[str, Any]:
    return {"id": "change", "kind": "write", "op": "update", "entity": "Booking", "by": "bookingId", **more}


def test_it_is_written_as_it_was_said() -> None:
    spec = read_spec(bookings(PATTERN))
    written = spec_data(spec)
    assert written["access_patterns"][0]["overlaps"] == OVERLAPS
    assert not {"range", "filter"} & written["access_patterns"][0].keys()
    assert read_spec(written) == spec
    ends = spec.entities["Booking"].attributes["endsAt"].ends
    assert ends == Ending("startsAt", 14 * DAY)


WRONG: list[tuple[str, dict[str, Any]]] = [
    ('Booking has no attribute "begins"', bookings({**PATTERN, "overlaps": {**OVERLAPS, "start": "begins"}})),
    ("write two timestamps, or two numbers", bookings({**PATTERN, "overlaps": {**OVERLAPS, "end": "seats"}})),
    ("write a time such as 14d", bookings({**PATTERN, "overlaps": {**OVERLAPS, "longest": 14}})),
    ("write a time such as 14d", bookings({**PATTERN, "overlaps": {**OVERLAPS, "longest": "long"}})),
    ("must be more than 0", bookings({**PATTERN, "overlaps": {**OVERLAPS, "longest": "0d"}})),
    ("is for a query of one entity", bookings({**PATTERN, "kind": "get"})),
    ("is for reads", bookings(PATTERN, update(overlaps=OVERLAPS, changes=["roomId"]))),
    ("what overlaps is a range already", bookings({**PATTERN, "range": {"attr": "seats"}})),
    ("endsAt is an input or filter as well", bookings({**PATTERN, "filter": {"endsAt": "param"}})),
    ("has `default`", bookings(PATTERN, endsAt={"type": "timestamp", "default": "now"})),
    (
        "let both say the same",
        bookings(PATTERN, {**PATTERN, "id": "other", "overlaps": {**OVERLAPS, "longest": "15d"}}),
    ),
    ("changes endsAt of Booking without startsAt", bookings(PATTERN, update(changes=["endsAt"]))),
    ("changes startsAt of Booking without endsAt", bookings(PATTERN, update(changes=["startsAt", "seats"]))),
    ("let the caller give endsAt and startsAt", bookings(PATTERN, update(changes={"endsAt": "2026-01-01"}))),
    (
        "changes endsAt of Booking without startsAt",
        bookings(PATTERN, update(), startsAt={"type": "timestamp", "immutable": True}),
    ),
]


@pytest.mark.parametrize(("said", "spec"), WRONG, ids=[f"{at} {said}" for at, (said, _) in enumerate(WRONG)])
def test_what_cannot_be_is_said(said: str, spec: dict[str, Any]) -> None:
    with pytest.raises(SpecFaults) as found:
        read_spec(spec)
    assert said in str(found.value)


def test_an_end_may_change_alone_where_the_start_names_the_item() -> None:
    entity = {"id": ["roomId", "startsAt"], "attributes": ATTRIBUTES}
    change = update(by=["roomId", "startsAt"], changes=["endsAt"])
    assert read_spec({"entities": {"Booking": entity}, "access_patterns": [PATTERN, change]})
