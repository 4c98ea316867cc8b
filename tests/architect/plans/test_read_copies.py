"""Read copies: where they are proposed and how many, what they are called, and that a design says all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tablewright import tasks
from tablewright.architect.search.search import candidates_of
from tablewright.design.derive import layout_of
from tablewright.design.heat.report import table_heat
from tablewright.design.read import design_json, read_design
from tablewright.errors import DesignError
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from pathlib import Path

    from tablewright.design.heat.load import PartitionHeat
    from tablewright.design.model import Design, ReadStep

DISH: dict[str, Any] = {
    "id": "dishId",
    "attributes": {"kind": {"values": ["main", "side"], "required": True}, "title": {"required": True}},
    "count": 40,
    "size_bytes": 150,
}
GET: dict[str, Any] = {"id": "get", "kind": "get", "entity": "Dish", "by": "dishId", "skew": "hottest 50%"}
LIST: dict[str, Any] = {"id": "of", "kind": "query", "entity": "Dish", "by": "kind", "sort": "title", "limit": 5}
PUT: dict[str, Any] = {"id": "put", "kind": "write", "op": "put", "entity": "Dish", "by": "dishId", "rate": 1}
RENAME: dict[str, Any] = {**PUT, "id": "rename", "op": "update", "changes": ["title"]}


def peak(units: float) -> dict[str, float]:
    return {"avg": 10, "peak": units}


def menu(*patterns: dict[str, Any], style: str = "plain", dish: dict[str, Any] | None = None, **more: Any) -> Any:
    return {
        "name": "menu",
        "entities": {"Dish": {**DISH, **(dish or {})}},
        "access_patterns": [*patterns],
        "constraints": {"key_style": style, **more},
    }


def proposed(spec: Any) -> set[int]:
    return {each.copies for each in candidates_of(assume(read_spec(spec))).second_items["Dish"] if each.copies}


def step(design: Design, pattern: str) -> ReadStep:
    return next(each for each in design.patterns if each.id == pattern).reads[0]


def hot(design: Design) -> list[str]:
    return [each.kind for each in design.heat.findings if each.severity == "error"]


# ---- where and how many ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reads", "copies"),
    [
        (11_000, set()),  # 2,750 units on the hottest dish: one partition serves them
        (13_000, {2}),  # 3,250, in parts of at most 2,100
        (17_000, {3}),
        (210_000, {25}),
        (211_000, set()),  # more than every write should write
    ],
)
def test_as_many_as_keep_each_below_70_percent(reads: int, copies: set[int]) -> None:
    assert proposed(menu({**GET, "rate": peak(reads)}, PUT)) == copies


def test_what_is_hot_together_counts_together() -> None:
    """2,000 units of the hottest dish by each of two patterns: neither is too much by itself."""
    one = {**GET, "rate": peak(8000)}
    assert proposed(menu(one, PUT)) == set()
    assert 2 in proposed(menu(one, {**one, "id": "again"}, PUT))


def test_where_nothing_may_be_written_twice_there_are_none() -> None:
    assert proposed(menu({**GET, "rate": peak(13_000)}, PUT, copies="none")) == set()


def test_too_many_for_copies_stay_hot_and_are_said_to() -> None:
    design = tasks.design(menu({**GET, "rate": peak(300_000)}, PUT), quick=True)
    assert hot(design) == ["hot-item-read"]
    assert step(design, "get").copies == 1


def test_transactions_have_room_for_all_copies_of_an_item() -> None:
    """Two keys with 25 copies each, of which one changes, would be more than a hundred actions."""
    patterns = [{**GET, "rate": peak(200_000)}, {**LIST, "rate": peak(95_000)}, PUT, RENAME]
    design = tasks.design(menu(*patterns), quick=True)
    assert max(len(each.writes) for each in design.patterns) <= 100


# ---- what a design says ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("style", "keys", "asked"),
    [
        ("plain", ["DISH#{dishId}", "DISH.COPY#{dishId}#1", "DISH.COPY#{dishId}#2"], "DISH.COPY#{dishId}#{_copy}"),
        (
            "electrodb",
            ["$menu#dishId_{dishId}", "$menu#dishId_{dishId}#copy_1", "$menu#dishId_{dishId}#copy_2"],
            "$menu#dishId_{dishId}#copy_{_copy}",
        ),
    ],
)
def test_keys_end_with_the_number_of_the_copy(style: str, keys: list[str], asked: str) -> None:
    design = tasks.design(menu({**GET, "rate": peak(13_000)}, PUT, style=style), quick=True)
    assert [each.table_keys.pk[0].text for each in design.items] == keys
    assert [each.table_keys.copy for each in design.items] == [0, 1, 2]
    assert len({each.table_keys.sk[0].text for each in design.items[1:]}) == 1
    assert (step(design, "get").pk[0].text, step(design, "get").copies) == (asked, 2)
    put = next(each for each in design.patterns if each.id == "put")
    assert put.transaction
    assert [each.item for each in put.writes] == ["Dish", "DishCopy", "DishCopy2"]


def test_each_copy_has_its_part_of_the_reads_and_all_writes() -> None:
    design = tasks.design(menu({**GET, "rate": peak(13_000)}, PUT), quick=True)
    copies = [each for each in design.heat.partitions if "COPY" in each.partition_key]
    assert [each.rcu_per_second for each in copies] == [1625, 1625]
    assert {each.wcu_per_second for each in copies} == {each.wcu_per_second for each in design.heat.partitions}
    assert "/ 2 copies = 1,625 units" in copies[0].terms[0].arithmetic
    assert hot(design) == []


def test_what_is_not_hot_reads_the_item_itself() -> None:
    design = tasks.design(menu({**GET, "rate": 1}, {**LIST, "rate": peak(14_000)}, PUT), quick=True)
    assert (step(design, "get").copies, step(design, "of").copies) == (1, 2)


def test_a_design_that_was_read_is_as_hot_as_when_it_was_made() -> None:
    made = tasks.design(menu({**GET, "rate": peak(13_000)}, {**LIST, "rate": peak(14_000)}, RENAME), quick=True)
    read = read_design(design_json(made).decode())
    assert read == made
    again = table_heat(layout_of(read)).partitions
    assert [_load(each) for each in again] == [_load(each) for each in made.heat.partitions]


def _load(heat: PartitionHeat) -> tuple[str, float, float]:
    return heat.partition_key, round(heat.rcu_per_second, 6), round(heat.wcu_per_second, 6)


def test_a_step_that_names_other_copies_than_there_are_is_refused() -> None:
    made = tasks.design(menu({**GET, "rate": peak(13_000)}, PUT), quick=True)
    said: Any = msgspec.json.decode(design_json(made))
    said["patterns"][0]["reads"][0]["copies"] = 3
    with pytest.raises(DesignError, match=r"patterns\[0\]\.reads\[0\]\.copies"):
        read_design(msgspec.json.encode(said).decode())


def test_a_later_design_keeps_them(tmp_path: Path) -> None:
    first = tasks.design(menu({**GET, "rate": peak(13_000)}, PUT), quick=True)
    kept = tmp_path / "design.json"
    kept.write_bytes(design_json(first))
    later = tasks.design(menu({**GET, "rate": peak(13_000)}, {**LIST, "rate": 1}, PUT), quick=True, keep=kept)
    assert later.change is not None
    assert later.change.moved == ()
    names = {each.table_keys.pk[0].text for each in later.items}
    assert names >= {each.table_keys.pk[0].text for each in first.items}


def test_explanations_tell_why_and_what_it_costs() -> None:
    design = tasks.design(menu({**GET, "rate": peak(13_000)}, PUT))
    (decision,) = [each for each in design.advice.decisions if each.kind == "copy"]
    assert "in 2 copies" in decision.chosen
    assert "of 2 copies each read asks any one" in decision.why
    get = next(each for each in design.patterns if each.id == "get")
    assert "2 copies lie under keys that end with a number" in get.why
    put = next(each for each in design.patterns if each.id == "put")
    assert "All 2 read copies of Dish are written in the same transaction" in put.why
