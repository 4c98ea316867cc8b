"""Cursors are the same bytes on both sides, and each side goes on where the other stopped."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

import tablewright as tw
from tablewright.runtime.electrodb.service import LoadedService
from tablewright.runtime.transports.recorded import Recorded as Replies
from tablewright.schema.electro import load_service
from tests.conftest import Node
from tests.side_by_side.boxoffice import Genre, House, Show, Ticket
from tests.side_by_side.boxoffice_cases import OPENING_TEXT
from tests.side_by_side.columns import Case, Recorded, assert_same, record
from tests.side_by_side.loaded import request_of
from tests.side_by_side.test_boxoffice import FUNCTIONS

TABLE_KEY = {"PK": "$boxoffice#showid_cats-7", "SK": "$liveshow_1"}
PROGRAM_KEY = {
    "GSI1PK": "$boxoffice#v_royal",
    "GSI1SK": "$house#program#liveshow_1#startsat_2026-09-01t19:30:00.000z#showid_cats-7",
    **TABLE_KEY,
}
GENRE_KEY = {
    "genre": "Musical",
    "venueCode": "ROYAL",
    "startsAt": "2026-09-01T19:30:00.000Z",
    "price": 49.9,
    "PK": "$boxoffice#showid_cats-7",
    "SK": "$liveshow_1",
}
DOOR_KEY = {
    "GSI5PK": "$BOXOFFICE$TICKET_1#BARCODE_ÄÖ-1",
    "PK": "$boxoffice#showid_cats-7",
    "SK": "$ticket_1#s_balcony#rownumber_004#seatnumber_0017",
}
NAMED = f'{{showId: "Cats-7", venueCode: "ROYAL", startsAt: {OPENING_TEXT}, genre: "Musical", basePrice: 49.9}}'

# By name: where DynamoDB stopped, ElectroDB's query and ours.
STOPS: dict[str, tuple[dict[str, Any], str, Callable[[], Any]]] = {
    "query": (PROGRAM_KEY, 'shows.query.program({venueCode: "ROYAL"})', lambda: Show.program("ROYAL")),
    "multi-attribute query": (
        GENRE_KEY,
        'shows.query.by_genre({genre: "Musical", venueCode: "ROYAL"})',
        lambda: Show.by_genre(Genre.MUSICAL, "ROYAL"),
    ),
    "query without sort key": (
        DOOR_KEY,
        'tickets.query.by_barcode({barcode: "äö-1"})',
        lambda: Ticket.by_barcode("äö-1"),
    ),
    "scan": (TABLE_KEY, "shows.scan", Show.scan),
    "collection": (PROGRAM_KEY, 'collections.house({venueCode: "ROYAL"})', lambda: House.of("ROYAL").pages(1)),
}


def our_cursor(name: str) -> str:
    """The cursor of a page after which DynamoDB has more."""
    last, _, make = STOPS[name]
    page = tw.Database(Replies([{"Items": [], "LastEvaluatedKey": last}])).run(make())
    assert isinstance(page.cursor, str)
    return page.cursor


def written(name: str) -> Case:
    """ElectroDB's cursor for the place where DynamoDB stopped."""
    entity = "tickets" if "tickets" in STOPS[name][1] else "shows"
    return Case(
        f"{name}: cursor", f"conversions.{entity}.fromKeys.toCursor({STOPS[name][0]})", lambda: our_cursor(name)
    )


def gone_on(name: str) -> Case:
    """ElectroDB's request for the page after one that we read."""
    _, electro, make = STOPS[name]
    cursor = our_cursor(name)
    return Case(f"{name}: next page", f'{electro}.go({{cursor: "{cursor}"}})', lambda: make().after(cursor))


CONVERSIONS = [
    Case(
        "from composites",
        f"conversions.shows.byAccessPattern.program.fromComposite.toCursor({NAMED})",
        lambda: our_cursor("query"),
    ),
    Case(
        "to composites",
        f'conversions.shows.byAccessPattern.program.fromCursor.toComposite("{our_cursor("query")}")',
        lambda: {"venueCode": "royal", "startsAt": "2026-09-01t19:30:00.000z", "showId": "cats-7"},
    ),
    Case("to keys", f'conversions.shows.fromCursor.toKeys("{our_cursor("multi-attribute query")}")', lambda: GENRE_KEY),
    Case(
        "from keys", f"conversions.tickets.fromKeys.toCursor({DOOR_KEY})", lambda: our_cursor("query without sort key")
    ),
]
WRITTEN = [written(name) for name in STOPS]
CASES = [*WRITTEN, *(gone_on(name) for name in STOPS), *CONVERSIONS]


@pytest.fixture(scope="module")
def electro(node: Node) -> Recorded:
    return record(node, "boxoffice", CASES)


@pytest.fixture(scope="module")
def loaded(electro: Recorded) -> LoadedService:
    return LoadedService(load_service(electro.schemas, table=electro.table, functions=FUNCTIONS))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_typed_and_electrodb_agree(electro: Recorded, case: Case) -> None:
    made = case.typed()
    request = made.params() if hasattr(made, "params") else made
    assert_same("Tablewright", request, f"ElectroDB: {case.electro}", electro.request(case))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_loaded_and_electrodb_agree(electro: Recorded, loaded: LoadedService, case: Case) -> None:
    made = request_of(loaded, deepcopy(electro.calls(case)))
    assert_same("Tablewright, loaded", made, f"ElectroDB: {case.electro}", electro.request(case))


@pytest.mark.parametrize("name", STOPS)
def test_a_cursor_of_electrodb_is_taken(electro: Recorded, name: str) -> None:
    cursor = electro.request(next(case for case in WRITTEN if case.name == f"{name}: cursor"))
    assert STOPS[name][2]().after(cursor).params()["ExclusiveStartKey"] == STOPS[name][0]
