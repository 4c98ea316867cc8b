"""Queries, collections, scans: ranges, pages, cursors, and the indexes they read."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

import tablewright as tw
from tests.scenarios.museum import Dealings, Events, Exhibit, Guide, Loan, Policy, Talk, Tour, at, exhibit
from tests.scenarios.ways import Run


def fill(run: Run, count: int = 12, **others: Any) -> None:
    run(tw.batch_write(*(exhibit(number, **others).put() for number in range(1, count + 1))))


def numbers(found: Any) -> list[int]:
    return [each.number for each in found]


RANGES: dict[str, tuple[Any, list[int]]] = {
    "lt": (tw.lt(3), [1, 2]),
    "lte": (tw.lte(3), [1, 2, 3]),
    "gt": (tw.gt(10), [11, 12]),
    "gte": (tw.gte(10), [10, 11, 12]),
    "between": (tw.between(5, 7), [5, 6, 7]),
    "equal": (4, [4]),
}


def ranges_of_the_table_key(run: Run) -> None:
    fill(run)
    for name, (bound, expected) in RANGES.items():
        assert numbers(run(Exhibit.in_house("Uffizi", number=bound))) == expected, name


TITLES: dict[str, tuple[Any, list[int]]] = {
    "begins": (tw.begins_with("title 01"), [10, 11, 12]),
    "lt": (tw.lt("title 002"), [1]),
    "lte": (tw.lte("title 002"), [1, 2]),
    "gt": (tw.gt("title 011"), [12]),
    "gte": (tw.gte("title 011"), [11, 12]),
    "between": (tw.between("title 003", "title 004"), [3, 4]),
    "equal": ("title 005", [5]),
}


def ranges_of_an_index(run: Run) -> None:
    fill(run)
    run(Talk(house="Uffizi", begins=at(9), speaker="Ada").put())
    for name, (bound, expected) in TITLES.items():
        assert numbers(run(Exhibit.by_title("Uffizi", title=bound))) == expected, name


def ranges_of_times_in_a_local_index(run: Run) -> None:
    run(tw.batch_write(*(exhibit(number, acquired=at(20 - number)).put() for number in range(1, 6))))
    assert numbers(run(Exhibit.by_age("Uffizi"))) == [5, 4, 3, 2, 1]
    run(exhibit(6, acquired=None).put())  # nobody knows when: it is in the index, and no comparison finds it
    assert numbers(run(Exhibit.by_age("Uffizi"))) == [6, 5, 4, 3, 2, 1]
    assert numbers(run(Exhibit.by_age("Uffizi", acquired=tw.lte(at(17))))) == [5, 4, 3]
    assert numbers(run(Exhibit.by_age("Uffizi", acquired=tw.lt(at(17))))) == [5, 4]
    assert numbers(run(Exhibit.by_age("Uffizi", acquired=tw.between(at(16), at(18))).consistent())) == [4, 3, 2]
    run(exhibit(6).put())  # without time: its sort key is only begun
    assert numbers(run(Exhibit.by_age("Uffizi"))) == [6, 5, 4, 3, 2, 1]
    assert numbers(run(Exhibit.by_age("Uffizi", acquired=tw.gt(at(17))))) == [2, 1]


def both_directions(run: Run) -> None:
    fill(run, 4)
    assert numbers(run(Exhibit.in_house("Uffizi").ascending())) == [1, 2, 3, 4]
    assert numbers(run(Exhibit.in_house("Uffizi").descending())) == [4, 3, 2, 1]
    assert numbers(run(Exhibit.by_title("Uffizi").descending().limit(2))) == [4, 3]


def an_empty_answer(run: Run) -> None:
    page = run(Exhibit.in_house("Louvre"))
    assert (page.items, page.cursor) == ([], None)
    assert run.all(Exhibit.by_title("Louvre")) == []
    assert run(Guide.of("Louvre")).exhibits == []


def pages_and_their_cursors(run: Run) -> None:
    fill(run)
    query = Exhibit.by_title("Uffizi").limit(5)
    seen: list[list[int]] = []
    cursor: str | None = None
    while True:
        page = run(query.after(cursor))
        seen.append(numbers(page))
        cursor = page.cursor
        if cursor is None:
            break
        assert isinstance(cursor, str)
    assert seen[:2] == [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]
    assert [number for page in seen for number in page] == list(range(1, 13))


def cursors_of_every_index(run: Run) -> None:
    given: dict[str, Any] = {"shown": True, "label": "L", "acquired": at(9), "period": "bronze"}
    fill(run, 6, **given)
    queries: dict[str, Any] = {
        "table": Exhibit.in_house("Uffizi"),
        "collection index": Exhibit.by_title("Uffizi"),
        "local index": Exhibit.by_age("Uffizi"),
        "no sort key": Exhibit.by_label("L"),
        "keys only": Exhibit.on_show("Uffizi").hydrate(),
        "scan": Exhibit.scan(),
    }
    for name, query in queries.items():
        first = run(query.limit(4))
        assert first.cursor is not None, name
        rest = run(query.after(first.cursor))
        assert sorted([*numbers(first), *numbers(rest)]) == [1, 2, 3, 4, 5, 6], name


def pages_backwards(run: Run) -> None:
    fill(run, 5)
    first = run(Exhibit.in_house("Uffizi").descending().limit(3))
    assert numbers(first) == [5, 4, 3]
    assert numbers(run(Exhibit.in_house("Uffizi").descending().after(first.cursor))) == [2, 1]


def several_pages_in_one_run(run: Run) -> None:
    fill(run)
    two = run(Exhibit.in_house("Uffizi").limit(4).pages(2))
    assert numbers(two) == list(range(1, 9))
    assert two.cursor is not None
    every = run(Exhibit.in_house("Uffizi").limit(5).pages("all"))
    assert numbers(every) == list(range(1, 13))
    assert every.cursor is None


def iteration_goes_through_all_pages(run: Run) -> None:
    fill(run)
    assert numbers(run.all(Exhibit.in_house("Uffizi").limit(5))) == list(range(1, 13))
    assert sorted(numbers(run.all(Exhibit.scan().limit(5)))) == list(range(1, 13))


def so_many_items_whatever_pages_it_takes(run: Run) -> None:
    run(tw.batch_write(*(exhibit(number, views=number % 3).put() for number in range(1, 13))))
    wanted = Exhibit.in_house("Uffizi").where(Exhibit.views == 0).limit(2)
    first = run(wanted.count(3))
    assert numbers(first) == [3, 6, 9]
    assert numbers(run(wanted.count(3).after(first.cursor))) == [12]


def filters_leave_cursors_alone(run: Run) -> None:
    run(tw.batch_write(*(exhibit(number, views=number).put() for number in range(1, 13))))
    query = Exhibit.in_house("Uffizi").where(Exhibit.views > 6).limit(4)
    first = run(query)
    assert numbers(first) == []
    assert first.cursor is not None
    assert numbers(run.all(query)) == list(range(7, 13))


def more_than_a_megabyte(run: Run) -> None:
    photo = bytes(290_000)
    for number in range(1, 6):
        run(exhibit(number, photo=photo).put())
    page = run(Exhibit.in_house("Uffizi"))
    assert 0 < len(page) < 5
    assert page.cursor is not None
    found = run.all(Exhibit.in_house("Uffizi"))
    assert [(each.number, each.photo) for each in found] == [(number, photo) for number in range(1, 6)]


def an_index_without_sort_key(run: Run) -> None:
    run(tw.batch_write(exhibit(1, label="Vase").put(), exhibit(2, label="vase").put(), exhibit(3).put()))
    spellings = {"Vase": [1], "vase": [2], "VASE": []}  # one key, and each answers for itself
    assert {each: numbers(run(Exhibit.by_label(each))) for each in spellings} == spellings


def an_index_for_some_items(run: Run) -> None:
    shown = {1: True, 2: False, 3: None, 4: True}
    run(tw.batch_write(*(exhibit(number, shown=each).put() for number, each in shown.items())))
    found = run(Exhibit.on_show("Uffizi").hydrate())
    assert [(each.number, each.title) for each in found] == [(1, "title 001"), (4, "title 004")]
    first = run(Exhibit.key("Uffizi", number=1).get())
    assert first is not None
    run(first.patch(Exhibit.shown.set(False)))
    second = run(Exhibit.key("Uffizi", number=2).get())
    assert second is not None
    run(second.patch(Exhibit.shown.set(True)))
    assert numbers(run(Exhibit.on_show("Uffizi", period="modern").hydrate())) == [2, 4]


def an_index_that_holds_keys_alone(run: Run) -> None:
    run(exhibit(1, shown=True, house="17").put())
    (found,) = run(Exhibit.on_show("17"))
    assert not hasattr(found, "title")


WEIGHTS = [(1, 5, "2.5"), (2, 5, "10"), (3, 7, "1"), (4, 7, "1.5"), (5, 9, "3")]


def attributes_as_keys(run: Run) -> None:
    members = [exhibit(each, period="Roman", room=1, views=views, weight=Decimal(kg)) for each, views, kg in WEIGHTS]
    others = [exhibit(6, period="Roman", room=2, weight=Decimal(1)), exhibit(7, period="Roman", room=1)]
    run(tw.batch_write(*(each.put() for each in (*members, *others))))
    assert numbers(run(Exhibit.by_period("Roman", 1))) == [1, 2, 3, 4, 5]
    assert numbers(run(Exhibit.by_period("Roman", 1, views=7))) == [3, 4]
    assert numbers(run(Exhibit.by_period("Roman", 1, views=tw.gt(5)))) == [3, 4, 5]
    assert numbers(run(Exhibit.by_period("Roman", 1, views=tw.between(5, 7)).descending())) == [4, 3, 2, 1]
    assert numbers(run(Exhibit.by_period("Roman", 1, views=5, weight=tw.lt(Decimal(9))))) == [1]
    first = run(Exhibit.by_period("Roman", 1).limit(3))
    assert numbers(run(Exhibit.by_period("Roman", 1).after(first.cursor))) == [4, 5]


def keys_of_38_digits_in_cursors(run: Run) -> None:
    weights = {number: Decimal(f"1.{'0' * 30}{number}") for number in range(1, 7)}
    members = [exhibit(each, period="Roman", room=1, weight=kg) for each, kg in weights.items()]
    run(tw.batch_write(*(each.put() for each in members)))
    assert numbers(run.all(Exhibit.by_period("Roman", 1).limit(1))) == [1, 2, 3, 4, 5, 6]


def _fill_house(run: Run) -> None:
    run(
        tw.batch_write(
            exhibit(1).put(),
            exhibit(2).put(),
            Talk(house="Uffizi", begins=at(9), speaker="Ada").put(),
            Tour(house="Uffizi", begins=at(11), guests=3).put(),
            Tour(house="Uffizi", begins=at(10), guests=2).put(),
            Tour(house="Louvre", begins=at(10)).put(),
        )
    )


def a_collection_in_one_query(run: Run) -> None:
    _fill_house(run)
    guide = run(Guide.of("Uffizi"))
    assert numbers(guide.exhibits) == [1, 2]
    assert [each.speaker for each in guide.talks] == ["Ada"]
    assert [each.guests for each in guide.tours] == [2, 3]
    assert guide.cursor is None


def a_collection_inside_a_collection(run: Run) -> None:
    _fill_house(run)
    events = run(Events.of("Uffizi"))
    assert [each.speaker for each in events.talks] == ["Ada"]
    assert [each.guests for each in events.tours] == [2, 3]


def pages_of_a_collection(run: Run) -> None:
    _fill_house(run)
    first = run(Guide.of("Uffizi").limit(3))
    assert first.cursor is not None
    rest = run(Guide.of("Uffizi").after(first.cursor))
    both = [numbers(first.exhibits) + numbers(rest.exhibits), len(first.talks) + len(rest.talks)]
    assert both == [[1, 2], 1]
    assert [each.guests for each in (*first.tours, *rest.tours)] == [2, 3]
    every = run(Guide.of("Uffizi").limit(1).pages("all"))
    assert (numbers(every.exhibits), len(every.tours)) == ([1, 2], 2)


def a_clustered_collection(run: Run) -> None:
    run(
        tw.batch_write(
            *(Loan(partner="Prado", due=f"2026-0{month}", exhibit="Vase").put() for month in (1, 3, 5)),
            *(Policy(partner="Prado", due=f"2026-0{month}", sum=month).put() for month in (2, 3, 4)),
        )
    )
    dealings = run(Dealings.of("Prado", due=tw.gte("2026-03")))
    assert [each.due for each in dealings.loans] == ["2026-03", "2026-05"]
    assert [each.sum for each in dealings.policies] == [3, 4]
    assert [each.due for each in run(Loan.dealings("Prado", due=tw.between("2026-01", "2026-03")))] == [
        "2026-01",
        "2026-03",
    ]
    assert [each.sum for each in run(Policy.dealings("Prado"))] == [2, 3, 4]
    assert [each.exhibit for each in run(Loan.dealings("Prado", due="2026-05", exhibit="Vase"))] == ["Vase"]


def a_scan_finds_its_own(run: Run) -> None:
    _fill_house(run)
    assert sorted(numbers(run(Exhibit.scan()))) == [1, 2]
    assert sorted(each.guests for each in run(Tour.scan().where(Tour.guests > 0))) == [2, 3]
    assert {each.house for each in run.all(Tour.scan())} == {"Uffizi", "Louvre"}


def find_and_match_choose_an_index(run: Run) -> None:
    fill(run, 3)
    run(exhibit(4, label="L", room=1).put())
    assert numbers(run(Exhibit.find(label="L"))) == [4]
    assert numbers(run(Exhibit.match(house="Uffizi", number=2, title="title 002"))) == [2]
    assert numbers(run(Exhibit.match(room=1))) == [4]
    assert numbers(run(Exhibit.match(house="Uffizi", number=2, title="other"))) == []


def part_of_what_is_found(run: Run) -> None:
    fill(run, 3, shine=1.5)
    query = Exhibit.by_title("Uffizi").only(Exhibit.shine, "number").limit(2)
    first = run(query)
    assert [(each.number, each.shine) for each in first] == [(1, 1.5), (2, 1.5)]
    assert not hasattr(first.items[0], "title")
    assert numbers(run(query.after(first.cursor))) == [3]


def a_broken_cursor_is_refused(run: Run) -> None:
    fill(run, 3)
    with pytest.raises(tw.RequestError):
        run(Exhibit.in_house("Uffizi").after("not a cursor"))


def a_cursor_of_another_query_is_refused(run: Run) -> None:
    fill(run, 3)
    cursor = run(Exhibit.in_house("Uffizi").limit(1)).cursor
    assert cursor is not None
    for other in (Exhibit.in_house("Louvre"), Exhibit.in_house("Uffizi", number=tw.gt(2)), Exhibit.by_title("Uffizi")):
        with pytest.raises(tw.RequestError):
            run(other.after(cursor))


def a_scan_in_segments(run: Run) -> None:
    run(tw.batch_write(*(exhibit(number, house=f"h{number}").put() for number in range(1, 31))))
    run(Talk(house="Uffizi", begins=at(9), speaker="Ada").put())
    scan = Exhibit.scan().parallel(4)
    assert sorted(numbers(run(scan))) == list(range(1, 31))
    assert sorted(numbers(run.all(scan.limit(3).where(Exhibit.number > 10)))) == list(range(11, 31))
    first = run(scan.limit(2))
    assert first.cursor is not None
    rest = run.all(scan.after(first.cursor))
    assert sorted([*numbers(first), *numbers(rest)]) == list(range(1, 31))


def what_was_found_can_be_deleted(run: Run) -> None:
    fill(run, 30)
    run(Talk(house="Uffizi", begins=at(9), speaker="Ada").put())
    assert run(tw.delete_all(Exhibit.by_title("Uffizi", title=tw.lt("title 028")))) == 27
    assert numbers(run(Exhibit.in_house("Uffizi"))) == [28, 29, 30]
    assert len(run(Talk.program("Uffizi"))) == 1
