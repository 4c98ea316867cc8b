"""One table, two libraries: what Tablewright writes ElectroDB reads, and the reverse, through the served engine."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

import tablewright as tw
from tests.conftest import Node
from tests.scenarios.museum import (
    TABLE,
    Dealings,
    Events,
    Exhibit,
    Guide,
    Loan,
    State,
    Talk,
    Tour,
    at,
    museum,
)
from tests.side_by_side.shared_table import (
    EVERYTHING,
    FULL,
    LOANS,
    POLICIES,
    SMALL,
    TALKS,
    TOURS,
    Shared,
    as_electro_says,
    electro_writes,
    in_any_order,
    shared_table,
    write_all,
)


@pytest.fixture
def shared(node: Node) -> Iterator[Shared]:
    with shared_table(node) as both:
        yield both


def test_both_write_the_same_bytes(shared: Shared) -> None:
    write_all(shared.database)
    ours = shared.stored()
    shared.engine.call("DeleteTable", {"TableName": "museum"})
    shared.engine.call("CreateTable", TABLE)
    electro_writes(shared)
    assert shared.stored() == ours
    assert shared.database.check(museum) == []
    assert len(ours) == len(EVERYTHING)


def test_electrodb_reads_what_we_write(shared: Shared) -> None:
    write_all(shared.database)
    seen = shared.electro(
        {
            "get": 'exhibits.get({house: "Uffizi", number: 7}).go()',
            "all": 'exhibits.query.key({house: "Uffizi"}).go()',
            "range": 'exhibits.query.key({house: "Uffizi"}).between({number: 2}, {number: 4}).go()',
            "title": 'exhibits.query.by_title({house: "Uffizi"}).gte({title: "title 004"}).go()',
            "period": 'exhibits.query.by_period({period: "Roman", room: 12}).gt({views: 2}).go()',
            "label": 'exhibits.query.by_label({label: "äö-1"}).go()',
            "shown": 'exhibits.query.on_show({house: "Uffizi", period: "Roman"}).go({hydrate: true})',
            "age": 'exhibits.query.by_age({house: "Uffizi"}).lt({acquiredAt: "2026-05-01T04"}).go()',
            "scan": "tours.scan.go()",
            "guide": 'collections.guide({house: "Uffizi"}).go()',
            "events": 'collections.events({house: "Uffizi"}).go()',
            "dealings": 'collections.dealings({partner: "Prado"}).gte({due: "2026-03"}).go()',
            "batch": 'loans.get([{partner: "Prado", due: "2026-01", exhibitName: "Vase"}]).go()',
        }
    )
    data = {name: answer["data"] for name, answer in seen.items()}

    def numbers(name: str) -> list[int]:
        return [each["number"] for each in data[name]]

    assert in_any_order(data["get"]) == as_electro_says(FULL)
    assert numbers("all") == [1, 2, 3, 4, 5, 7]
    assert numbers("range") == [2, 3, 4]
    assert numbers("title") == [4, 5, 7]
    assert numbers("period") == [3, 7, 4, 5]
    assert [in_any_order(each) for each in data["label"]] == [as_electro_says(FULL)]
    assert numbers("shown") == [1, 2, 3, 4, 5, 7]
    assert numbers("age") == [7, 1, 2, 3]
    assert sorted(each["guests"] for each in data["scan"]) == [8, 10]
    assert {alias: len(found) for alias, found in data["guide"].items()} == {"exhibits": 6, "talks": 2, "tours": 2}
    assert data["events"] == {
        "talks": [as_electro_says(each) for each in TALKS],
        "tours": [as_electro_says(each) for each in TOURS],
    }
    assert data["dealings"] == {
        "loans": [as_electro_says(each) for each in LOANS[1:]],
        "policies": [as_electro_says(each) for each in POLICIES[1:]],
    }
    assert data["batch"] == [as_electro_says(LOANS[0])]


def test_we_read_what_electrodb_writes(shared: Shared) -> None:
    electro_writes(shared)
    run = shared.database.run
    assert run(Exhibit.key("Uffizi", number=7).get()) == FULL
    assert run(Exhibit.in_house("Uffizi")).items == [*SMALL, FULL]
    assert run(Exhibit.by_title("Uffizi", title=tw.lte("title 002"))).items == SMALL[:2]
    assert run(Exhibit.by_period("Roman", 12, views=tw.gt(2))).items == [SMALL[2], FULL, *SMALL[3:]]
    assert run(Exhibit.by_label(str(FULL.label))).items == [FULL]
    assert run(Exhibit.by_label("ÄÖ-1")).items == []  # the same key, another spelling
    assert run(Exhibit.on_show("Uffizi", period="Roman").hydrate()).items == [*SMALL, FULL]
    assert run(Exhibit.by_age("Uffizi", acquired=tw.gte(at(4)))).items == SMALL[3:]
    assert sorted(tour.guests for tour in run(Tour.scan())) == [8, 10]
    guide, events, dealings = run(Guide.of("Uffizi")), run(Events.of("Uffizi")), run(Dealings.of("Prado"))
    assert (len(guide.exhibits), guide.talks, guide.tours) == (6, TALKS, TOURS)
    assert (events.talks, events.tours) == (TALKS, TOURS)
    assert (dealings.loans, dealings.policies) == (LOANS, POLICIES)
    assert run(tw.batch_get(*(loan.key.get() for loan in LOANS))) == LOANS


# ---- changing --------------------------------------------------------------------------------------------------------

KEY = '{house: "Uffizi", number: 7}'
CHANGES: dict[str, tuple[str, Any]] = {
    "patch": (
        """exhibits.patch({house: "Uffizi", number: 7}).set({state: "whole", title: "moved"})
        .add({tags: ["new"], shine: 1}).append({notes: ["end"]}).remove(["opens"]).go()""",
        FULL.patch(
            Exhibit.state.set(State.WHOLE),
            Exhibit.title.set("moved"),
            Exhibit.tags.add({"new"}),
            Exhibit.shine.add(1.0),
            Exhibit.notes.append("end"),
            Exhibit.opens.remove(),
        ),
    ),
    "moved in a multi-attribute index": (
        'exhibits.patch({house: "Uffizi", number: 7}).set({room: 3, weight: 1.5}).go()',
        FULL.patch(Exhibit.room.set(3), Exhibit.weight.set(Decimal("1.5"))),
    ),
    "taken out of a sparse index": (
        'exhibits.patch({house: "Uffizi", number: 7}).set({shown: false}).composite({period: "Roman"}).go()',
        FULL.patch(Exhibit.shown.set(False)),
    ),
    "update": (  # of what exists: ElectroDB leaves an item that an update creates out of its indexes
        'tours.update({house: "Uffizi", beginsAt: "2026-05-01T08:00:00.000Z"}).set({guests: 4}).go()',
        Tour.key("Uffizi", begins=at(8)).update(Tour.guests.set(4)),
    ),
    "upsert": (
        'tours.upsert({house: "Louvre", beginsAt: "2026-05-01T08:00:00.000Z", guests: 5}).go()',
        Tour(house="Louvre", begins=at(8), guests=5).upsert(),
    ),
    "delete": ('loans.delete({partner: "Prado", due: "2026-01", exhibitName: "Vase"}).go()', LOANS[0].delete()),
    "transaction": (
        """transaction.write(({tours, talks}) => [
            tours.patch({house: "Uffizi", beginsAt: "2026-05-01T10:00:00.000Z"}).add({guests: 1}).commit(),
            talks.remove({speaker: "Ada", beginsAt: "2026-05-01T09:00:00.000Z"}).commit(),
        ]).go()""",
        tw.transact(
            Tour.key("Uffizi", begins=at(10)).patch(Tour.guests.add(1)), Talk.key("Ada", begins=at(9)).remove()
        ),
    ),
}


def test_both_change_items_of_the_other_alike(shared: Shared) -> None:
    electro_writes(shared)
    for _, ours in CHANGES.values():
        shared.database.run(ours)
    changed_by_us = shared.stored()
    shared.engine.call("DeleteTable", {"TableName": "museum"})
    shared.engine.call("CreateTable", TABLE)
    write_all(shared.database)
    shared.electro({name: electro for name, (electro, _) in CHANGES.items()})
    assert shared.stored() == changed_by_us


# ---- cursors ---------------------------------------------------------------------------------------------------------

QUERIES: dict[str, tuple[str, Any]] = {
    "table": ('exhibits.query.key({house: "Uffizi"})', Exhibit.in_house("Uffizi")),
    "index": ('exhibits.query.by_title({house: "Uffizi"})', Exhibit.by_title("Uffizi")),
    "local index": ('exhibits.query.by_age({house: "Uffizi"})', Exhibit.by_age("Uffizi")),
    "no sort key": ('exhibits.query.by_label({label: "L"})', Exhibit.by_label("L")),
    "keys only": ('exhibits.query.on_show({house: "Uffizi"})', Exhibit.on_show("Uffizi").hydrate()),
    "multi-attribute": ('exhibits.query.by_period({period: "Roman", room: 12})', Exhibit.by_period("Roman", 12)),
    "scan": ("exhibits.scan", Exhibit.scan()),
    "clustered": ('loans.query.dealings({partner: "Prado"})', Loan.dealings("Prado")),
}
HYDRATED = {"keys only": ", hydrate: true"}


def test_each_goes_on_where_the_other_stopped(shared: Shared) -> None:
    write_all(shared.database)
    ours = {name: shared.database.run(query.limit(4)) for name, (_, query) in QUERIES.items()}
    first = {f"{name} 1": f"{line}.go({{limit: 4{HYDRATED.get(name, '')}}})" for name, (line, _) in QUERIES.items()}
    rest = {
        f"{name} 2": f"{line}.go({{cursor: given.cursors[{name!r}], pages: 'all'{HYDRATED.get(name, '')}}})"
        for name, (line, _) in QUERIES.items()
    }
    theirs = shared.electro({**first, **rest}, cursors={name: page.cursor for name, page in ours.items()})
    for name, (_, query) in QUERIES.items():
        begun, ended = theirs[f"{name} 1"], theirs[f"{name} 2"]
        assert begun["cursor"] == ours[name].cursor, name
        whole = shared.database.run(query.pages("all")).items
        assert [place(each) for each in [*ours[name], *ended["data"]]] == [place(each) for each in whole], name
        after = list(shared.database.iter(query.after(begun["cursor"])))
        assert [place(each) for each in [*begun["data"], *after]] == [place(each) for each in whole], name


def test_cursors_of_collections(shared: Shared) -> None:
    write_all(shared.database)
    first = shared.database.run(Guide.of("Uffizi").limit(3))
    theirs = shared.electro(
        {
            "begun": 'collections.guide({house: "Uffizi"}).go({limit: 3})',
            "ended": 'collections.guide({house: "Uffizi"}).go({cursor: given.cursor, pages: "all"})',
        },
        cursor=first.cursor,
    )
    assert theirs["begun"]["cursor"] == first.cursor
    rest = shared.database.run(Guide.of("Uffizi").after(theirs["begun"]["cursor"]))
    ended = theirs["ended"]["data"]
    assert len(first.exhibits) + len(rest.exhibits) == len(first.exhibits) + len(ended["exhibits"]) == 6
    assert [place(each) for each in rest.tours] == [place(each) for each in ended["tours"]]
    assert [place(each) for each in rest.talks] == [place(each) for each in ended["talks"]]


def place(item: Any) -> Any:
    """What tells items apart, whoever read them."""
    if isinstance(item, dict):
        return item.get("number") or item.get("due") or item["beginsAt"]
    return as_electro_says(item).get("number") or as_electro_says(item).get("due") or as_electro_says(item)["beginsAt"]
