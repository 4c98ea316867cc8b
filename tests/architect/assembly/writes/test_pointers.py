"""Items that move: the table key holds what may change, and a pointer by the id follows."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tablewright.architect.designer import design
from tablewright.proof.run import prove
from tests.architect.assembly.writes.dictionaries import Pair, random_values

VALUES: dict[str, list[Any]] = {
    "userId": ["u1", "u2", "u3"],
    "team": ["red", "blue"],
    "email": ["a@x", "b@x", "c@x", None],
    "points": [1, 2, None],
}
PUT = {"id": "put", "kind": "write", "op": "put", "entity": "User", "by": "userId"}
MEMBERS = {"id": "members", "kind": "query", "entity": "User", "by": "team", "consistency": "strong"}
SUM = {"id": "sum", "kind": "get", "entity": "User", "by": "team", "aggregate": {"sum": "points"}, "rate": 100}
WRITES = [
    PUT,
    {**PUT, "id": "move", "op": "update", "changes": ["team"]},
    {**PUT, "id": "change", "op": "update", "changes": ["email", "points"]},
    {**PUT, "id": "drop", "op": "delete"},
]


def users(*patterns: dict[str, Any], style: str = "plain", **user: Any) -> dict[str, Any]:
    attributes = {"team": {"required": True}, "email": "string", "points": "number"}
    return {
        "name": "users",
        "entities": {"User": {"id": "userId", "attributes": attributes, **user}},
        "access_patterns": [MEMBERS, *patterns, *WRITES],
        "constraints": {"key_style": style},
    }


def write_at_random(pair: Pair, seed: int, rounds: int = 80) -> None:
    chance = random.Random(seed)
    for values in random_values(VALUES, seed, rounds):
        given = {name: values.get(name) for name in VALUES}
        match chance.choice(["put", "put", "move", "change", "drop"]):
            case "put":
                pair.write("put", values)
            case "move":
                pair.write("move", {name: given[name] for name in ("userId", "team")})
            case "change":
                pair.write("change", {name: given[name] for name in ("userId", "email", "points")})
            case _ if (values["userId"],) in pair.application.state["User"]:
                pair.write("drop", {"userId": values["userId"]})


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("style", ["plain", "electrodb"])
@pytest.mark.parametrize("more", [{}, {"unique": ["email"]}])
def test_items_are_found_wherever_they_are(style: str, seed: int, more: dict[str, Any]) -> None:
    reads = (SUM,) if more else ()
    pair = Pair(users(*reads, style=style, **more))
    assert [str(each) for each in pair.design.rewrites if "pointer" in str(each)]
    assert not pair.design.tables[0].gsis
    write_at_random(pair, seed)
    for team in ("red", "blue"):
        pair.ask("members", team=team)
        if reads:
            pair.ask("sum", team=team)
    pair.check_stored({"User": "put"})


def test_an_item_that_moved_meanwhile_is_refused():
    pair = Pair(users())
    pair.write("put", {"userId": "u1", "team": "red"})

    def move() -> None:
        assert pair.write("move", {"userId": "u1", "team": "blue"}) == "written"

    assert pair.write("put", {"userId": "u1", "team": "red", "points": 1}, between=move) == "refused"
    assert pair.ask("members", team="red") == []
    pair.check_stored({"User": "put"})


def test_two_who_put_the_same_id_at_once():
    pair = Pair(users())

    def put() -> None:
        assert pair.write("put", {"userId": "u1", "team": "blue"}) == "written"

    assert pair.write("put", {"userId": "u1", "team": "red"}, between=put) == "refused"
    pair.check_stored({"User": "put"})


def test_an_id_that_must_be_new_is_refused_whatever_its_key():
    spec = users()
    spec["access_patterns"][1] = {**PUT, "condition": "not exists"}
    pair = Pair(spec)
    assert pair.write("put", {"userId": "u1", "team": "red"}) == "written"
    assert pair.write("put", {"userId": "u1", "team": "blue"}) == "refused"
    assert pair.write("move", {"userId": "u1", "team": "blue"}) == "written"
    pair.check_stored({"User": "put"})


@pytest.mark.parametrize(
    "user", [{"ttl": {"days": 3}}, {"version": True}, {"access_patterns": [{**PUT, "when": "points < {points}"}]}]
)
def test_where_a_pointer_could_go_wrong_there_is_an_index(user: dict[str, Any]) -> None:
    spec = users()
    patterns = [{**MEMBERS, "consistency": "eventual"}, *user.pop("access_patterns", [PUT])]
    spec = {**spec, "access_patterns": patterns}
    spec["entities"]["User"] |= user
    made = design(spec, aim="gsis")
    assert len(made.tables[0].gsis) == 1


def test_an_index_is_cheaper_to_write():
    spec = users()
    spec["access_patterns"][0] = {**MEMBERS, "consistency": "eventual", "rate": 10}
    spec["access_patterns"] = [{"rate": 10, **each} for each in spec["access_patterns"]]
    assert len(design(spec, aim="cost").tables[0].gsis) == 1
    assert not design(spec, aim="gsis").tables[0].gsis


def moved_from(by: list[str], *, sort: str = "") -> dict[str, Any]:
    """Users whose team changes, and who changes it says which it was."""
    spec = users()
    spec["entities"]["User"]["attributes"] |= {"since": {"type": "timestamp", "required": True, "immutable": True}}
    board = {**MEMBERS, **({"sort": sort} if sort else {})}
    spec["access_patterns"] = [board, *({**each, "by": by} if each["id"] == "move" else each for each in WRITES)]
    return spec


def test_a_caller_who_says_where_the_item_is_need_not_be_told():
    made = design(moved_from(["userId", "team"]))
    move = next(each for each in made.patterns if each.id == "move")
    assert [(each.operation, each.items) for each in move.reads] == [("GetItem", ("User",))]
    assert prove(made, rounds=12).failure == ""


def test_a_caller_who_says_a_part_of_where_it_is_must_be_right():
    made = design(moved_from(["userId", "team"], sort="since"))
    move = next(each for each in made.patterns if each.id == "move")
    assert [each.items for each in move.reads] == [("UserUserId",), ("User",)]
    assert str(move.writes[0].condition) == "attribute_exists(pk) AND team = {team}"
    assert prove(made, rounds=12).failure == ""
