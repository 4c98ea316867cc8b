"""One item at a time: written, changed, read and taken away."""

from __future__ import annotations

from decimal import Decimal

import pytest

import tablewright as tw
from tests.scenarios.museum import Exhibit, Loan, Repair, Size, State, Talk, Tour, at, exhibit, full_exhibit
from tests.scenarios.ways import Run

SEVEN = Exhibit.key("Uffizi", number=7)


def the_table_is_as_declared(run: Run) -> None:
    assert run.check() == []
    run.create()


def every_type_comes_back_as_it_was(run: Run) -> None:
    written = run(full_exhibit().put())
    assert written == full_exhibit()
    assert run(SEVEN.get()) == full_exhibit()
    assert run(SEVEN.get().consistent()) == full_exhibit()


def what_is_absent_stays_absent(run: Run) -> None:
    run(exhibit(7).put())
    found = run(SEVEN.get())
    assert found is not None
    assert found == exhibit(7)
    assert (found.room, found.tags, found.notes, found.views) == (None, set(), None, 0)


def extreme_numbers_are_exact(run: Run) -> None:
    heavy, light = Decimal("9.9999999999999999999999999999999999999E+125"), Decimal("1E-130")
    run(exhibit(1, weight=heavy, scores=frozenset({10**37, -(10**37)})).put())
    run(exhibit(2, weight=light, views=-(2**60), shine=1e-100).put())
    first, second = run(Exhibit.key("Uffizi", number=1).get()), run(Exhibit.key("Uffizi", number=2).get())
    assert first is not None
    assert second is not None
    assert (first.weight, first.scores) == (heavy, {10**37, -(10**37)})
    assert (second.weight, second.views, second.shine) == (light, -(2**60), 1e-100)


def text_is_any_text(run: Run) -> None:
    title = 'quote " backslash \\ newline \n tab \t null \x00 snow ☃ face 😀 #{}$'
    run(exhibit(7, title=title, notes=[title, ""], free={title: title}).put())
    found = run(SEVEN.get())
    assert found is not None
    assert (found.title, found.notes, found.free) == (title, [title, ""], {title: title})


def a_large_item_travels_in_many_packets(run: Run) -> None:
    photo = bytes(range(256)) * 1000
    run(exhibit(7, photo=photo).put())
    found = run(SEVEN.get())
    assert found is not None
    assert found.photo == photo


def nothing_there_is_none(run: Run) -> None:
    assert run(SEVEN.get()) is None
    assert run(Talk.key("Ada", begins=at(9)).get()) is None


def somebody_elses_item_is_not_ours(run: Run) -> None:
    run(exhibit(7).put())
    foreign = exhibit(7).put().params()["Item"]
    key = {"pk": {"S": foreign["pk"]}, "sk": {"S": foreign["sk"]}}
    change = {"UpdateExpression": "SET #e = :e", "ExpressionAttributeNames": {"#e": "__edb_e__"}}
    run.send(
        "UpdateItem", {"TableName": "museum", "Key": key, **change, "ExpressionAttributeValues": {":e": {"S": "x"}}}
    )
    assert run(SEVEN.get()) is None


def put_replaces(run: Run) -> None:
    run(full_exhibit().put())
    run(exhibit(7, title="other").put())
    assert run(SEVEN.get()) == exhibit(7, title="other")
    assert run(Exhibit.by_label("äö-1")).items == []


def put_can_answer_with_the_old_item(run: Run) -> None:
    assert run(exhibit(7, title="one").put().returning("all_old")) is None
    old = run(exhibit(7, title="two").put().returning("all_old"))
    assert old == exhibit(7, title="one")


def create_is_refused_the_second_time(run: Run) -> None:
    run(exhibit(7, title="one").create())
    with pytest.raises(tw.ConditionFailed):
        run(exhibit(7, title="two").create())
    found = run(SEVEN.get())
    assert found is not None
    assert found.title == "one"


def a_failed_condition_can_show_the_item(run: Run) -> None:
    run(exhibit(7, title="one").create())
    again = exhibit(7).create().with_options(return_on_condition_check_failure="all_old")
    with pytest.raises(tw.ConditionFailed) as failed:
        run(again)
    assert failed.value.details["Item"]["title"] == {"S": "one"}


def put_under_a_condition(run: Run) -> None:
    run(exhibit(7, views=1).put())
    with pytest.raises(tw.ConditionFailed):
        run(exhibit(7, views=2).put().where(Exhibit.views > 1))
    run(exhibit(7, views=2).put().where(Exhibit.views == 1))
    found = run(SEVEN.get())
    assert found is not None
    assert found.views == 2


def update_makes_a_whole_item(run: Run) -> None:
    loan = Loan.key("Prado", due="2026-05", exhibit="Vase")
    run(loan.update())
    assert run(loan.get()) == Loan(partner="Prado", due="2026-05", exhibit="Vase")
    assert run(Loan.dealings("Prado")).items == [Loan(partner="Prado", due="2026-05", exhibit="Vase")]


def patch_wants_an_item(run: Run) -> None:
    with pytest.raises(tw.ConditionFailed):
        run(SEVEN.patch(Exhibit.notes.append("x")))
    assert run(SEVEN.get()) is None
    run(exhibit(7).put())
    run(SEVEN.patch(Exhibit.notes.append("x")))
    found = run(SEVEN.get())
    assert found is not None
    assert found.notes == ["x"]


def every_verb_of_change(run: Run) -> None:
    run(full_exhibit().put())
    run(
        SEVEN.patch(
            Exhibit.state.set(State.WHOLE),
            Exhibit.shine.add(0.25),
            Exhibit.tags.add({"new"}),
            Exhibit.scores.delete({0, 5}),
            Exhibit.notes.append("fourth", "fifth"),
            Exhibit.photo.remove(),
            Exhibit.born.if_not_exists(at(1).date()),
            Exhibit.repairs[0].minutes.set(6),
            Exhibit.size_.inside.width.remove(),
            Exhibit.prices["eur"].set(Decimal("13.75")),
            Exhibit.lasts.remove(),
        )
    )
    found = run(SEVEN.get())
    assert found == full_exhibit(
        state=State.WHOLE,
        shine=0.35,
        tags={"new", "oil", "Öl", "night"},
        scores=frozenset({-1, 10**20}),
        notes=["first", "", "third", "fourth", "fifth"],
        photo=None,
        repairs=[Repair(by="Ada", minutes=6), Repair(by="Bo")],
        size_=Size(height=1.5, marks=["back"]),
        prices={"eur": Decimal("13.75"), "usd": Decimal(14)},
        lasts=None,
    )


def a_set_that_is_emptied_is_absent(run: Run) -> None:
    run(exhibit(7, tags={"a"}).put())
    run(SEVEN.patch(Exhibit.tags.delete({"a"})))
    found = run(SEVEN.get())
    assert found is not None
    assert found.tags == set()
    assert run(Exhibit.in_house("Uffizi").where(Exhibit.tags.exists())).items == []


def an_item_updates_itself_and_moves_in_its_indexes(run: Run) -> None:
    run(exhibit(7, title="one", acquired=at(1)).put())
    found = run(SEVEN.get())
    assert found is not None
    run(found.patch(Exhibit.title.set("two"), Exhibit.acquired.set(at(2)), Exhibit.label.set("L")))
    assert run(Exhibit.by_title("Uffizi", title="one")).items == []
    assert [each.number for each in run(Exhibit.by_title("Uffizi", title="two"))] == [7]
    assert [each.number for each in run(Exhibit.by_age("Uffizi", acquired=at(2)))] == [7]
    assert [each.title for each in run(Exhibit.by_label("L"))] == ["two"]


def an_item_that_has_changed_meanwhile_is_not_overwritten(run: Run) -> None:
    run(exhibit(7, shown=True, period="bronze").put())
    stale = run(SEVEN.get())
    assert stale is not None
    run(exhibit(7, shown=False, period="bronze").put())
    with pytest.raises(tw.ConditionFailed):
        run(stale.patch(Exhibit.period.set("modern")))


def answers_of_updates(run: Run) -> None:
    run(exhibit(7, notes=["a"]).put())
    change = SEVEN.patch(Exhibit.notes.append("b"))
    assert run(change) is None
    old = run(change.returning("all_old"))
    new = run(change.returning("all_new"))
    assert old is not None
    assert new is not None
    assert (old.notes, new.notes, new.title) == (["a", "b"], ["a", "b", "b", "b"], "title 007")
    part = run(change.returning("updated_new"))
    assert part is not None
    assert part.notes == ["a", *"bbbb"]
    assert not hasattr(part, "title")


def upsert_writes_and_keeps(run: Run) -> None:
    tour = Tour(house="Uffizi", begins=at(9), guests=2)
    run(tour.upsert())
    assert run(Tour.key("Uffizi", begins=at(9)).get()) == tour
    run(Tour(house="Uffizi", begins=at(9), guests=5).upsert())
    assert [each.guests for each in run(Tour.program("Uffizi"))] == [5]


def delete_is_calm_and_remove_is_not(run: Run) -> None:
    run(SEVEN.delete())
    with pytest.raises(tw.ConditionFailed):
        run(SEVEN.remove())
    run(exhibit(7).put())
    run(exhibit(7).remove())
    assert run(SEVEN.get()) is None
    run(exhibit(7).put())
    old = run(SEVEN.delete().returning("all_old"))
    assert old == exhibit(7)
    assert run(SEVEN.get()) is None


def delete_under_a_condition(run: Run) -> None:
    run(full_exhibit().put())
    with pytest.raises(tw.ConditionFailed):
        run(SEVEN.delete().where(Exhibit.shown == False))  # noqa: E712 - a condition
    run(SEVEN.delete().where(Exhibit.shown == True, Exhibit.tags.contains("oil")))  # noqa: E712
    assert run(SEVEN.get()) is None


CONDITIONS = {
    "equal": (Exhibit.title == "Ätna, nachts", Exhibit.title == "x"),
    "unequal": (Exhibit.period != "modern", Exhibit.period != "Roman"),
    "order of numbers": (Exhibit.room > 5, Exhibit.room < 5),
    "order of exact numbers": (Exhibit.weight > Decimal("12.5"), Exhibit.weight <= Decimal("12.5")),
    "order of times": (Exhibit.acquired < at(1), Exhibit.acquired >= at(1)),
    "between": (Exhibit.room.between(12, 13), Exhibit.room.between(13, 14)),
    "among": (Exhibit.room.is_in(1, 12), Exhibit.room.is_in(1, 2)),
    "there": (Exhibit.photo.exists(), Exhibit.photo.not_exists()),
    "type": (Exhibit.free.is_type("M"), Exhibit.free.is_type("S")),
    "prefix": (Exhibit.title.begins_with("Ät"), Exhibit.title.begins_with("At")),
    "part of text": (Exhibit.title.contains("nachts"), Exhibit.title.contains("tags")),
    "member": (Exhibit.scores.contains(-1), Exhibit.scores.contains(1)),
    "element": (Exhibit.notes.contains(""), Exhibit.notes.contains("second")),
    "size": (Exhibit.tags.size() == 3, Exhibit.photo.size() > 9),
    "inside": (Exhibit.size_.inside.height == 1.5, Exhibit.repairs[1].by == "Ada"),
    "bytes": (Exhibit.photo == b"\x00\xff\x80 bytes", Exhibit.photo == b"\x00"),
    "truth": (Exhibit.shown == True, Exhibit.shown == False),  # noqa: E712
    "other attribute": (Exhibit.room > Exhibit.views, Exhibit.room == Exhibit.views),
    "or": ((Exhibit.room == 1) | (Exhibit.views == 3), (Exhibit.room == 1) | (Exhibit.views == 1)),
    "not": (~(Exhibit.room == 1), ~((Exhibit.room == 12) & (Exhibit.views == 3))),
}


def conditions_hold_or_not(run: Run) -> None:
    run(full_exhibit().put())
    for name, (true, false) in CONDITIONS.items():
        assert len(run(Exhibit.in_house("Uffizi").where(true))) == 1, name
        assert len(run(Exhibit.in_house("Uffizi").where(false))) == 0, name
        with pytest.raises(tw.ConditionFailed):
            run(SEVEN.patch(Exhibit.opens.remove()).where(false))
    run(SEVEN.patch(Exhibit.opens.remove()).where(*(true for true, _ in CONDITIONS.values())))


def part_of_an_item(run: Run) -> None:
    run(full_exhibit().put())
    found = run(SEVEN.get().only(Exhibit.title, Exhibit.weight))
    assert found is not None
    assert (found.title, found.weight) == ("Ätna, nachts", full_exhibit().weight)
    assert not hasattr(found, "photo")
