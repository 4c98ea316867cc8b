"""Blocking and awaited are one thing: the same operations make the same requests and give the same results."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright.engine import Engine
from tablewright.runtime.transports.embedded import AsyncEmbedded, Embedded
from tablewright.wire.call import Call
from tests.scenarios.museum import TABLE, Dealings, Events, Exhibit, Guide, Loan, Policy, Talk, Tour, at
from tests.scenarios.ways import WAYS, Run, awaited, blocking

HOUSES = st.sampled_from(["Uffizi", "Louvre"])
NUMBERS = st.integers(1, 5)
TITLES = st.sampled_from(["one", "Two", "thrée"])
HOURS = st.integers(0, 3).map(at)
MONTHS = st.sampled_from(["2026-01", "2026-02"])

EXHIBITS = st.builds(
    Exhibit,
    house=HOUSES,
    number=NUMBERS,
    title=TITLES,
    period=st.sampled_from(["bronze", "Roman", "modern"]),
    room=st.none() | st.integers(1, 2),
    weight=st.none() | st.decimals(1, 9, places=2),
    shown=st.none() | st.booleans(),
    photo=st.none() | st.binary(max_size=5),
    acquired=st.none() | HOURS,
    label=st.none() | TITLES,
    views=st.integers(0, 3),
    tags=st.sets(TITLES, max_size=2),
    notes=st.none() | st.lists(TITLES, max_size=2),
    free=st.none() | st.dictionaries(TITLES, st.booleans() | st.integers(0, 9), max_size=2),
)
TOURS = st.builds(Tour, house=HOUSES, begins=HOURS, guests=NUMBERS)
TALKS = st.builds(Talk, house=HOUSES, begins=HOURS, speaker=TITLES)
LOANS = st.builds(Loan, partner=TITLES, due=MONTHS, exhibit=TITLES)
POLICIES = st.builds(Policy, partner=TITLES, due=MONTHS, sum=NUMBERS)
ITEMS: st.SearchStrategy[Any] = EXHIBITS | TOURS | TALKS | LOANS | POLICIES
KEYS: st.SearchStrategy[Any] = ITEMS.map(lambda item: item.key)
CONDITIONS = st.sampled_from(
    [Exhibit.views > 1, Exhibit.tags.exists(), ~(Exhibit.title == "one") | Exhibit.shown.exists()]
)
CHANGES = st.sampled_from(
    [
        Exhibit.notes.append("more"),
        Exhibit.tags.add({"new"}),
        Exhibit.free.remove(),
        Exhibit.photo.set(b"\x00"),
        Exhibit.shine.add(0.5),
    ]
)
EXHIBIT_KEYS = st.builds(lambda house, number: Exhibit.key(house, number=number), HOUSES, NUMBERS)
PATCHES = st.builds(lambda key, change: key.patch(change), EXHIBIT_KEYS, CHANGES) | st.builds(
    lambda tour: tour.key.patch(Tour.guests.add(1)), TOURS
)
WRITES: st.SearchStrategy[Any] = st.one_of(
    ITEMS.map(lambda item: item.put()),
    ITEMS.map(lambda item: item.create()),
    ITEMS.map(lambda item: item.put().returning("all_old")),
    TOURS.map(lambda tour: tour.upsert()),
    KEYS.map(lambda key: key.delete()),
    KEYS.map(lambda key: key.remove()),
    KEYS.map(lambda key: key.delete().returning("all_old")),
    PATCHES,
    PATCHES.map(lambda patch: patch.returning("all_new")),
    st.builds(lambda exhibit, condition: exhibit.put().where(condition), EXHIBITS, CONDITIONS),
)
QUERIES: st.SearchStrategy[Any] = st.one_of(
    HOUSES.map(Exhibit.in_house),
    HOUSES.map(Exhibit.by_title),
    HOUSES.map(Exhibit.by_age),
    HOUSES.map(lambda house: Exhibit.on_show(house).hydrate()),
    TITLES.map(Exhibit.by_label),
    st.just(Exhibit.by_period("Roman", 1)),
    st.builds(lambda house, low: Exhibit.in_house(house, number=tw.gte(low)), HOUSES, NUMBERS),
    HOUSES.map(Tour.program),
    TITLES.map(Loan.dealings),
    st.sampled_from([Exhibit.scan(), Tour.scan(), Policy.scan()]),
)


def paged(query: Any, limit: int | None, condition: Any, *, every: bool) -> Any:
    tuned = query if limit is None else query.limit(limit)
    tuned = tuned.where(condition) if condition is not None and query.layout.name == "exhibit" else tuned
    return tuned.pages("all") if every else tuned


READS: st.SearchStrategy[Any] = st.one_of(
    KEYS.map(lambda key: key.get()),
    EXHIBIT_KEYS.map(lambda key: key.get().only(Exhibit.title).consistent()),
    st.builds(paged, QUERIES, st.none() | st.integers(1, 3), st.none() | CONDITIONS, every=st.booleans()),
    HOUSES.map(Guide.of),
    HOUSES.map(Events.of),
    TITLES.map(Dealings.of),
    st.builds(lambda house, limit: Guide.of(house).limit(limit), HOUSES, NUMBERS),
)


def unlike(items: list[Any]) -> list[Any]:
    return list({str(item.key.values()): item for item in items}.values())


SEVERAL: st.SearchStrategy[Any] = st.one_of(
    st.lists(ITEMS, max_size=30).map(lambda items: tw.batch_write(*(item.put() for item in unlike(items)))),
    st.lists(KEYS, max_size=8).map(lambda keys: tw.batch_get(*(key.get() for key in keys))),
    st.lists(ITEMS, min_size=1, max_size=4).map(
        lambda items: tw.transact(*(item.create() for item in unlike(items))).token("t")
    ),
    st.lists(KEYS, min_size=1, max_size=4).map(lambda keys: tw.transact_get(*(key.get() for key in keys))),
    QUERIES.filter(lambda query: not query.options.hydrate).map(tw.delete_all),
)
PROGRAMS = st.lists(WRITES | READS | SEVERAL, min_size=1, max_size=12)


class Noted:
    """Passes calls on and remembers them."""

    def __init__(self, transport: Any) -> None:
        self.transport = transport
        self.calls: list[Call] = []

    def call(self, call: Call, trace: Any = None) -> bytes:
        self.calls.append(call)
        return self.transport.call(call)  # type: ignore[no-any-return]

    def close(self) -> None:
        self.transport.close()


class AsyncNoted(Noted):
    async def call(self, call: Call, trace: Any = None) -> bytes:  # type: ignore[override]
        self.calls.append(call)
        return await self.transport.call(call)  # type: ignore[no-any-return]

    async def close(self) -> None:  # type: ignore[override]
        await self.transport.close()


def history(run: Run, program: list[Any]) -> list[Any]:
    """What each operation answered, pages with the one behind them."""
    run.send("CreateTable", TABLE)
    seen: list[Any] = []
    for operation in program:
        try:
            result = run(operation)
            seen.append(result)
            if isinstance(result, tw.Page) and result.cursor is not None:
                seen.append(run(operation.after(result.cursor)))
                seen.append(run.all(operation))
        except tw.TablewrightError as error:
            seen.append((type(error), str(error)))
    return [*seen, run(Exhibit.scan())]


@settings(max_examples=40)
@given(program=PROGRAMS)
def test_same_requests_and_same_results(program: list[Any]) -> None:
    noted, also_noted = Noted(Embedded(Engine())), AsyncNoted(AsyncEmbedded(Engine()))
    with blocking(tw.Database(noted)) as run:
        first = history(run, program)
    with awaited(lambda: tw.AsyncDatabase(also_noted)) as run:
        second = history(run, program)
    assert first == second
    assert without_tokens(noted.calls) == without_tokens(also_noted.calls)
    assert noted.calls[-1].action == "Scan"


@settings(max_examples=10)
@given(program=PROGRAMS)
@pytest.mark.parametrize("way", ["fast", "fast async", "botocore"])
def test_sockets_and_botocore_change_nothing(way: str, program: list[Any]) -> None:
    with WAYS["embedded"]() as direct, WAYS[way]() as run:
        assert history(run, program) == history(direct, program)


def without_tokens(calls: list[Call]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (call.action, {name: value for name, value in call.params.items() if name != "ClientRequestToken"})
        for call in calls
    ]


def test_decimals_survive_both() -> None:
    """The property above draws small numbers; this one is as exact as DynamoDB can be."""
    exact = Decimal("1.2345678901234567890123456789012345678")
    with blocking(tw.Database.embedded()) as one, awaited(tw.AsyncDatabase.embedded) as other:
        for run in (one, other):
            run.send("CreateTable", TABLE)
            run(Exhibit(house="Uffizi", number=1, title="t", weight=exact).put())
            found = run(Exhibit.key("Uffizi", number=1).get())
            assert found is not None
            assert found.weight == exact
