"""Attributes of a parent that are stored with the child: where nobody could tell, proven, taken where it is cheaper."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tablewright.architect.designer import design
from tablewright.architect.pipeline import write_table
from tablewright.architect.plans.forms import go_together
from tablewright.architect.solution import solve, weight_of
from tablewright.design.layout.forms import Rewrite
from tablewright.proof.run import prove
from tests.architect.plans.specs import offered

HALL: dict[str, Any] = {
    "id": "hallId",
    "attributes": {
        "hallId": "string",
        "title": {"immutable": True, "size_bytes": 40},
        "town": {"immutable": True, "required": True},
        "tel": "string",
    },
    "count": 200,
}
SEAT: dict[str, Any] = {
    "id": "seatId",
    "attributes": {
        "seatId": "string",
        "hallId": {"required": True},
        "row": {"required": True, "cardinality": 30},
        "price": "number",
    },
    "count": 20000,
}
OF_ROW: dict[str, Any] = {
    "id": "of-row",
    "kind": "query",
    "entity": "Seat",
    "by": "row",
    "limit": 20,
    "returns": ["seatId", "Hall.title"],
    "rate": 50,
}
ADD: dict[str, Any] = {"id": "add", "kind": "write", "op": "put", "entity": "Seat", "by": "seatId", "rate": 1}
BUILD: dict[str, Any] = {"id": "build", "kind": "write", "op": "put", "entity": "Hall", "by": "hallId", "rate": 0.1}
REPRICE: dict[str, Any] = {**ADD, "id": "reprice", "op": "update", "changes": ["price"]}
REMOVE: dict[str, Any] = {**ADD, "id": "remove", "op": "delete"}
RELATION: dict[str, Any] = {"from": "Hall", "to": "Seat", "kind": "1:n", "avg": 100, "integrity": "checked"}
COPIED = "copied of-row (Hall.title)"


def theatre(*patterns: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return {
        "name": "theatre",
        "entities": {"Hall": HALL, "Seat": SEAT},
        "relationships": [RELATION],
        "access_patterns": [*(patterns or (OF_ROW,)), ADD, BUILD, REPRICE, REMOVE],
        **parts,
    }


def is_offered(spec: dict[str, Any]) -> bool:
    decision = next(each for each in offered(spec) if "parents of-row (Hall.title)" in each)
    assert decision[0] == "parents of-row (Hall.title)"
    return COPIED in decision


def with_write(**fields: Any) -> dict[str, Any]:
    return theatre(OF_ROW, {**ADD, "id": "more", **fields})


def test_where_nobody_could_tell() -> None:
    assert is_offered(theatre())


@pytest.mark.parametrize(
    ("why", "spec"),
    [
        ("it changes", theatre({**OF_ROW, "returns": ["Hall.tel"]})),
        ("the parent goes", with_write(op="delete", entity="Hall", by="hallId")),
        ("the child may have none", theatre(relationships=[{**RELATION, "integrity": "none"}])),
        ("the child gets another", with_write(op="update", changes=["hallId"])),
        ("the child gets anything", with_write(op="update", changes=None)),
        ("the parent expires", theatre(entities={"Hall": {**HALL, "ttl": "30d"}, "Seat": SEAT})),
        ("it is forbidden", theatre(entities={"Hall": HALL, "Seat": {**SEAT, "rewrites": "none"}})),
        ("rewrites are forbidden", theatre(constraints={"rewrites": "none"})),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_where_somebody_could(why: str, spec: dict[str, Any]) -> None:
    assert why
    assert not any("copied" in each for decision in offered(spec) for each in decision)


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_stored_read_and_hidden(style: str) -> None:
    one = {**OF_ROW, "id": "one", "kind": "get", "by": "seatId", "limit": None, "returns": ["Hall.title", "Hall.town"]}
    many = {**one, "id": "many", "kind": "batch", "items": 4}
    whole = {"id": "whole", "kind": "get", "entity": "Seat", "by": "seatId", "rate": 1}
    names = {"of-row": ("Hall.title",), "one": ("Hall.title", "Hall.town"), "many": ("Hall.title", "Hall.town")}
    rewrites = [Rewrite("exact", "Hall"), *(Rewrite("copied", id_, each) for id_, each in names.items())]
    spec = theatre(OF_ROW, one, many, whole, constraints={"key_style": style})
    made = write_table(solve(spec, rewrites=rewrites))
    assert prove(made, rounds=12).failure == ""
    patterns = {each.id: each for each in made.patterns}
    assert all(len(patterns[id_].reads) == 1 for id_ in names)
    (read,) = patterns["add"].reads
    assert (read.operation, read.consistent, read.optional) == ("GetItem", True, True)
    assert read.takes == {"hallTitle": "title", "hallTown": "town"}
    assert {each.operation for each in patterns["add"].writes} == {"PutItem", "ConditionCheck"}
    copies = {each.name: each.copy_of.name for each in made.item("Seat").attributes if each.copy_of}
    assert copies == {"hallTitle": "Hall.title", "hallTown": "Hall.town"}


def test_a_name_that_is_taken() -> None:
    hall = {**HALL, "attributes": {**HALL["attributes"], "hallTitle": "string"}}
    made = design({**theatre(), "entities": {"Hall": hall, "Seat": SEAT}})
    assert [each.name for each in made.item("Seat").attributes if each.copy_of] == ["hallTitle2"]
    assert prove(made, rounds=6).failure == ""


def test_what_lies_in_another_item_has_no_copies() -> None:
    copied = Rewrite("copied", "of-row", ("Hall.title",))
    assert not go_together([copied, Rewrite("embed", "Seat", ("Hall",))])
    assert not go_together([copied, Rewrite("split", "Hall", ("title",))])


def test_read_often_it_is_stored_and_written_often_it_is_read() -> None:
    assert COPIED in map(str, design(theatre()).rewrites)
    written = theatre({**OF_ROW, "rate": 0.01})
    written["access_patterns"] = [
        {**each, "rate": 100} if each["id"] == "add" else each for each in written["access_patterns"]
    ]
    assert COPIED not in map(str, design(written).rewrites)


def random_theatre(seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    asked = ["Hall.title", "Hall.town"][: chance.choice([1, 2])]
    reads = [
        {**OF_ROW, "returns": ["seatId", *asked], "rate": chance.choice([0.01, 1, 50])},
        {
            **OF_ROW,
            "id": "one",
            "kind": "get",
            "by": "seatId",
            "limit": None,
            "returns": ["Hall.title"],
            "rate": chance.choice([0.01, 5]),
        },
    ][: chance.choice([1, 2])]
    spec = theatre(*reads)
    rates = {"add": chance.choice([0.01, 5, 100]), "reprice": chance.choice([0.01, 10])}
    size = {"size_bytes": chance.choice([200, 980, 3000])}
    spec["access_patterns"] = [
        {**each, "rate": rates.get(each["id"], each["rate"])} for each in spec["access_patterns"]
    ]
    return {**spec, "entities": {"Hall": {**HALL, **size}, "Seat": {**SEAT, **size}}}


@pytest.mark.parametrize("seed", range(30))
def test_the_cheapest_of_all_ways_is_taken(seed: int) -> None:
    """Every combination of the two ways is solved by itself, and none has a smaller bill than what was chosen."""
    spec = random_theatre(seed)
    found = solve(spec, aim="cost")
    ids = [each["id"] for each in spec["access_patterns"] if "returns" in each]
    names = {
        each["id"]: tuple(n for n in each["returns"] if "." in n)
        for each in spec["access_patterns"]
        if "returns" in each
    }
    keeping = [each for each in found.rewrites if each.kind not in ("parents", "copied")]
    bills = []
    for number in range(2 ** len(ids)):
        kinds = {id_: "copied" if number >> at & 1 else "parents" for at, id_ in enumerate(ids)}
        ways: list[Any] = [Rewrite(kinds[id_], id_, names[id_]) for id_ in ids]  # type: ignore[arg-type]
        bills.append(weight_of(solve(spec, aim="cost", rewrites=[*keeping, *ways]).layout, "cost")[0])
    assert weight_of(found.layout, "cost")[0] <= min(bills) * 1.005


def test_the_specs_bring_out_both_ways() -> None:
    kinds = {each.kind for seed in range(30) for each in solve(random_theatre(seed), aim="cost").rewrites}
    assert kinds >= {"parents", "copied"}
