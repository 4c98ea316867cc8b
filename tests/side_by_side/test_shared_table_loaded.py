"""The loaded style gives the answers that ElectroDB gives, on the same table through the served engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from tablewright.runtime.electrodb.service import LoadedService
from tablewright.schema.electro import load_service
from tests.conftest import Node
from tests.side_by_side.columns import record
from tests.side_by_side.shared_table import (
    Shared,
    in_any_order,
    shared_table,
    write_all,
)


@pytest.fixture
def shared(node: Node) -> Iterator[Shared]:
    with shared_table(node) as both:
        yield both


SAME: dict[str, tuple[str, Callable[[LoadedService], Any]]] = {
    "put": (
        'tours.put({house: "Prado", beginsAt: "2026-06-01T08:00:00.000Z"}).go()',
        lambda museum: museum.tours.put(house="Prado", beginsAt="2026-06-01T08:00:00.000Z").go(),
    ),
    "get": (
        'exhibits.get({house: "Uffizi", number: 7}).go()',
        lambda museum: museum.exhibits.get(house="Uffizi", number=7).go(),
    ),
    "nothing": (
        'exhibits.get({house: "Uffizi", number: 70}).go()',
        lambda museum: museum.exhibits.get(house="Uffizi", number=70).go(),
    ),
    "page": (
        'exhibits.query.by_title({house: "Uffizi"}).gte({title: "title 002"}).go({limit: 2})',
        lambda museum: museum.exhibits.query.by_title(house="Uffizi").gte(title="title 002").go(limit=2),
    ),
    "filter": (
        'exhibits.query.key({house: "Uffizi"}).where(({views}, {gt}) => gt(views, 3)).go({order: "desc"})',
        lambda museum: (
            museum.exhibits.query.key(house="Uffizi").where(lambda a, op: op.gt(a.views, 3)).go(order="desc")
        ),
    ),
    "multi-attribute": (
        'exhibits.query.by_period({period: "Roman", room: 12}).gt({views: 2}).go({pages: "all"})',
        lambda museum: museum.exhibits.query.by_period(period="Roman", room=12).gt(views=2).go(pages="all"),
    ),
    "collection": (
        'collections.guide({house: "Uffizi"}).go({limit: 4})',
        lambda museum: museum.collections.guide(house="Uffizi").go(limit=4),
    ),
    "clustered collection": (
        'collections.dealings({partner: "Prado"}).gte({due: "2026-03"}).go()',
        lambda museum: museum.collections.dealings(partner="Prado").gte(due="2026-03").go(),
    ),
    "batch": (
        'loans.get([{partner: "Prado", due: "2026-01", exhibitName: "Vase"}]).go()',
        lambda museum: museum.loans.get([{"partner": "Prado", "due": "2026-01", "exhibitName": "Vase"}]).go(),
    ),
    "scan": ("policies.scan.go()", lambda museum: museum.policies.scan.go()),
    "update": (
        """tours.patch({house: "Uffizi", beginsAt: "2026-05-01T08:00:00.000Z"}).add({guests: 2})
        .go({response: "all_new"})""",
        lambda museum: (
            museum.tours.patch(house="Uffizi", beginsAt="2026-05-01T08:00:00.000Z").add(guests=2).go(response="all_new")
        ),
    ),
    "cancelled": (
        """transaction.write(({tours}) => [
            tours.create({house: "Uffizi", beginsAt: "2026-05-01T08:00:00.000Z"}).commit({response: "all_old"}),
            tours.put({house: "Louvre", beginsAt: "2026-05-01T08:00:00.000Z"}).commit(),
        ]).go()""",
        lambda museum: museum.transaction.write(
            lambda tours, **_: [
                tours.create(house="Uffizi", beginsAt="2026-05-01T08:00:00.000Z").commit(response="all_old"),
                tours.put(house="Louvre", beginsAt="2026-05-01T08:00:00.000Z").commit(),
            ]
        ).go(),
    ),
}


def test_the_loaded_style_answers_as_electrodb_does(shared: Shared) -> None:
    """On the same table, one after the other; what one has changed is put back for the other."""
    write_all(shared.database)
    theirs = shared.electro({name: electro for name, (electro, _) in SAME.items()})
    write_all(shared.database)
    schemas = record(shared.node, "museum", []).schemas
    functions = {"isShown": lambda exhibit: exhibit.get("shown") is True}
    loaded = LoadedService(load_service(schemas, table="museum", functions=functions))
    loaded.bind(shared.database)
    for name, (_, ours) in SAME.items():
        assert settled_answer(ours(loaded)) == settled_answer(theirs[name]), name


def settled_answer(value: Any) -> Any:
    """Sets in one order, numbers of one type."""
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, list):
        return [settled_answer(each) for each in value]
    if isinstance(value, dict):
        return {key: settled_answer(in_any_order({key: each})[key]) for key, each in value.items()}
    return float(value) if isinstance(value, int | Decimal) and not isinstance(value, bool) else value
