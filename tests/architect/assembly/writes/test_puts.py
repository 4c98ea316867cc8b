"""Puts replace: whatever an item had is gone with it, and what is kept beside it follows."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tablewright.architect.designer import design
from tablewright.architect.pipeline import write_table
from tablewright.architect.plans.forms import form_options
from tablewright.architect.solution import solve
from tablewright.design.layout.forms import Rewrite
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tests.architect.assembly.writes.dictionaries import Pair, random_values

PUT = {"id": "put", "kind": "write", "op": "put", "entity": "User", "by": "userId"}
CHANGE = {**PUT, "id": "change", "op": "update", "changes": ["email", "points", "team"]}
DROP = {**PUT, "id": "drop", "op": "delete"}
USER: dict[str, Any] = {
    "id": "userId",
    "attributes": {
        "email": "string",
        "team": {"values": ["red", "blue"]},
        "points": "number",
        "bio": {"size_bytes": "6 KB"},
    },
    "unique": ["email"],
}
GET = {"id": "get", "kind": "get", "entity": "User", "by": "userId", "rate": 10}
BRIEF = {**GET, "id": "brief", "returns": ["email"], "rate": 1000}
COUNT = {"id": "count", "kind": "get", "entity": "User", "by": "team", "aggregate": "count", "rate": 100}
SUM = {**COUNT, "id": "sum", "aggregate": {"sum": "points"}}
ALL = {**COUNT, "id": "all", "by": []}
ALL_POINTS = {**SUM, "id": "all-points", "by": []}
VALUES: dict[str, list[Any]] = {
    "userId": ["u1", "u2", "u3"],
    "email": ["a@x", "b@x", "c@x", None],
    "team": ["red", "blue", None],
    "points": [1, 2, 5, None],
    "bio": ["long", None],
}
NUMBERS = (COUNT, SUM, ALL, ALL_POINTS)


def users(*patterns: dict[str, Any], style: str = "plain", **user: Any) -> dict[str, Any]:
    return {
        "name": "users",
        "entities": {"User": {**USER, **user}},
        "access_patterns": [GET, *patterns, PUT, CHANGE, DROP],
        "constraints": {"key_style": style},
    }


def kept(spec: dict[str, Any], *rewrites: Rewrite) -> Pair:
    return Pair(spec, write_table(solve(spec, rewrites=rewrites)))


def totals(*reads: dict[str, Any]) -> list[Rewrite]:
    return [Rewrite("total", "User", (each["id"],)) for each in reads]


UNIQUE = Rewrite("unique", "User", ("email",))


def write_at_random(pair: Pair, seed: int, rounds: int = 60) -> None:
    chance = random.Random(seed)
    for values in random_values(VALUES, seed, rounds):
        match chance.choice(["put", "put", "put", "change", "drop"]):
            case "put":
                pair.write("put", values)
            case "change":
                changes = {name: values.get(name) for name in ("userId", "email", "points", "team")}
                pair.write("change", changes)
            case _ if (values["userId"],) in pair.application.state["User"]:
                pair.write("drop", {"userId": values["userId"]})


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_unique_values_and_totals_follow(style: str, seed: int) -> None:
    pair = kept(users(*NUMBERS, style=style), UNIQUE, *totals(*NUMBERS))
    write_at_random(pair, seed)
    for team in ("red", "blue"):
        pair.ask("count", team=team)
        pair.ask("sum", team=team)
    pair.ask("all")
    pair.ask("all-points")
    pair.check_stored({"User": "put"})


def test_a_value_is_free_again_when_its_item_is_replaced():
    pair = kept(users(), UNIQUE)
    assert pair.write("put", {"userId": "u1", "email": "a@x"}) == "written"
    assert pair.write("put", {"userId": "u2", "email": "a@x"}) == "refused"
    assert pair.write("put", {"userId": "u1", "email": "a@x", "points": 2}) == "written"
    assert pair.write("put", {"userId": "u1", "email": "b@x"}) == "written"
    assert pair.write("put", {"userId": "u2", "email": "a@x"}) == "written"
    pair.check_stored({"User": "put"})


def _write_other(pair: Pair, values: dict[str, Any]) -> None:
    assert pair.write("put", values) == "written"


@pytest.mark.parametrize("first", [None, {"userId": "u1", "email": "a@x", "team": "red"}])
def test_another_writer_between_the_read_and_the_write(first: dict[str, Any] | None) -> None:
    pair = kept(users(COUNT), UNIQUE, *totals(COUNT))
    if first:
        pair.write("put", first)
    other = {"userId": "u1", "email": "b@x", "team": "blue"}
    mine = {"userId": "u1", "email": "c@x", "team": "red"}
    assert pair.write("put", mine, between=lambda: _write_other(pair, other)) == "refused"
    pair.check_stored({"User": "put"})
    assert pair.write("put", mine) == "written"
    pair.check_stored({"User": "put"})


def test_an_item_in_two_parts_is_replaced_whole():
    pair = kept(users(BRIEF), UNIQUE, Rewrite("split", "User", ("bio",)))
    write_at_random(pair, 7)
    for user in ("u1", "u2", "u3"):
        pair.ask("get", userId=user)
    pair.check_stored({"User": "put"})


def test_a_put_that_creates_reads_nothing():
    spec = users(COUNT)
    spec["access_patterns"][-3] = {**PUT, "condition": "not exists"}
    made = kept(spec, UNIQUE, Rewrite("exact", "User"), *totals(COUNT)).design
    (put,) = (each for each in made.patterns if each.id == "put")
    assert not put.reads


def test_a_sentinel_expires_with_its_item():
    expiring = {**USER["attributes"], "until": "number"}
    pair = kept(users(attributes=expiring, ttl={"attribute": "until"}), UNIQUE)
    far = 4_000_000_000
    pair.write("put", {"userId": "u1", "email": "a@x", "until": far})
    pair.write("put", {"userId": "u1", "email": "a@x", "until": far + 1})
    pair.check_stored({"User": "put"})
    pair.write("put", {"userId": "u1", "email": "a@x"})
    pair.check_stored({"User": "put"})


# ---- an id names one item -------------------------------------------------------------------------------------------


def test_a_better_score_takes_the_place_of_the_lower_one():
    spec: dict[str, Any] = {
        "name": "best",
        "entities": {
            "Best": {"id": ["game", "player"], "attributes": {"points": {"type": "integer", "required": True}}}
        },
        "access_patterns": [
            {"id": "top", "kind": "query", "entity": "Best", "by": "game", "sort": "points desc", "limit": 10},
            {"id": "put", "kind": "write", "op": "put", "entity": "Best", "by": ["game", "player"]},
        ],
    }
    pair = Pair(spec)
    for points in (3, 9, 5):
        pair.write("put", {"game": "g", "player": "p", "points": points})
    assert [each["points"] for each in pair.ask("top", game="g")] == [5]


LIKES: dict[str, Any] = {
    "name": "likes",
    "entities": {
        "Post": {"id": "postId", "attributes": {"likes": {"type": "integer", "required": True}}},
        "Like": {
            "id": ["postId", "userId"],
            "attributes": {"at": {"type": "timestamp", "required": True, "immutable": True}},
        },
    },
    "relationships": [{"from": "Post", "to": "Like", "kind": "1:n", "avg": 10}],
    "access_patterns": [
        {"id": "likes", "kind": "query", "entity": "Like", "by": "postId", "sort": "at desc", "limit": 20},
        {"id": "post", "kind": "get", "entity": "Post", "by": "postId"},
        {"id": "make", "kind": "write", "op": "put", "entity": "Post", "by": "postId"},
        {
            "id": "like",
            "kind": "write",
            "op": "transact",
            "entities": ["Like", "Post"],
            "ops": {"Like": "put", "Post": "update"},
            "changes": "likes",
            "by": ["postId", "userId"],
            "condition": "not exists",
        },
    ],
}


@pytest.mark.parametrize("aim", ["gsis", "cost"])
def test_a_second_like_at_another_time_is_refused(aim: Any) -> None:
    pair = Pair(LIKES, design(LIKES, aim=aim))
    pair.write("make", {"postId": "p", "likes": 0})
    assert pair.write("like", {"postId": "p", "userId": "u", "at": "2026-01-01T00:00:00Z", "likes": 1}) == "written"
    assert pair.write("like", {"postId": "p", "userId": "u", "at": "2026-01-02T00:00:00Z", "likes": 2}) == "refused"
    assert [each["likes"] for each in pair.ask("post", postId="p")] == [1]
    assert len(pair.ask("likes", postId="p")) == 1


# ---- transactions ---------------------------------------------------------------------------------------------------

BOTH: dict[str, Any] = {
    "name": "both",
    "entities": {
        "User": USER,
        "Team": {"id": "teamId", "attributes": {"name": "string", "points": "number"}, "unique": ["name"]},
    },
    "access_patterns": [
        GET,
        SUM,
        {
            "id": "both",
            "kind": "write",
            "op": "transact",
            "entities": ["User", "Team"],
            "ops": {"User": "put", "Team": "put"},
            "by": ["userId", "teamId"],
        },
        PUT,
        {"id": "put-team", "kind": "write", "op": "put", "entity": "Team", "by": "teamId"},
    ],
    "constraints": {"key_style": "plain"},
}


@pytest.mark.parametrize("seed", range(3))
def test_a_transaction_replaces_too(seed: int) -> None:
    unique = (UNIQUE, Rewrite("unique", "Team", ("name",)))
    pair = kept(BOTH, *unique, *totals(SUM))
    domains = {**VALUES, "teamId": ["t1", "t2"], "name": ["x", "y", None], "Team_points": [1, None]}
    for values in random_values(domains, seed, 50):
        renamed = {"User_points" if name == "points" else name: value for name, value in values.items()}
        pair.write("both", renamed)
    for team in ("red", "blue"):
        pair.ask("sum", team=team)
    pair.check_stored({"User": "put", "Team": "put-team"})


# ---- unique across entities -----------------------------------------------------------------------------------------

HANDLES: dict[str, Any] = {
    "name": "handles",
    "entities": {
        "User": {"id": "userId", "attributes": {"handle": "string"}},
        "Team": {"id": "teamId", "attributes": {"slug": "string"}},
    },
    "unique": [["User.handle", "Team.slug"]],
    "access_patterns": [
        {"id": "by-handle", "kind": "get", "entity": "User", "by": "handle"},
        *(
            {"id": f"{op}-{entity}", "kind": "write", "op": op, "entity": entity, "by": f"{entity.lower()}Id"}
            for entity in ("User", "Team")
            for op in ("put", "delete")
        ),
        {"id": "rename", "kind": "write", "op": "update", "entity": "Team", "by": "teamId", "changes": ["slug"]},
        {
            "id": "both",
            "kind": "write",
            "op": "transact",
            "entities": ["User", "Team"],
            "ops": {"User": "put", "Team": "put"},
            "by": ["userId", "teamId"],
        },
    ],
}


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_values_unique_across_entities(style: str) -> None:
    pair = Pair({**HANDLES, "constraints": {"key_style": style}})
    assert pair.write("put-User", {"userId": "u", "handle": "a"}) == "written"
    assert pair.write("put-Team", {"teamId": "t", "slug": "a"}) == "refused"
    assert pair.write("put-Team", {"teamId": "t", "slug": "b"}) == "written"
    assert pair.write("rename", {"teamId": "t", "slug": "a"}) == "refused"
    assert pair.write("put-User", {"userId": "u", "handle": "c"}) == "written"
    assert pair.write("rename", {"teamId": "t", "slug": "a"}) == "written"
    assert pair.write("delete-Team", {"teamId": "t"}) == "written"
    assert pair.write("put-User", {"userId": "v", "handle": "a"}) == "written"
    for handle in ("a", "b", "c"):
        pair.ask("by-handle", handle=handle)
    pair.check_stored({"User": "put-User", "Team": "put-Team"})


def test_one_transaction_may_pass_a_value_on():
    pair = Pair(HANDLES)
    pair.write("put-User", {"userId": "u", "handle": "a"})
    assert pair.write("both", {"userId": "u", "teamId": "t", "handle": "b", "slug": "a"}) == "written"
    assert pair.write("both", {"userId": "u", "teamId": "t", "handle": "a", "slug": "b"}) == "written"
    pair.check_stored({"User": "put-User", "Team": "put-Team"})


@pytest.mark.parametrize("seed", range(3))
def test_handles_at_random(seed: int) -> None:
    pair, chance = Pair(HANDLES), random.Random(seed)
    handles: list[Any] = ["a", "b", "c", None]
    domains = {"userId": ["u", "v"], "teamId": ["s", "t"], "handle": handles, "slug": handles}
    for values in random_values(domains, seed, 80):
        user = {name: values[name] for name in ("userId", "handle") if name in values}
        team = {name: values[name] for name in ("teamId", "slug") if name in values}
        match chance.choice(["User", "Team", "rename", "both"]):
            case "User":
                pair.write("put-User", user)
            case "Team":
                pair.write("put-Team", team)
            case "rename":
                pair.write("rename", {"slug": None, **team})
            case _ if values.get("handle", "-") != values.get("slug"):
                pair.write("both", values)
    pair.check_stored({"User": "put-User", "Team": "put-Team"})


def test_entities_that_share_values_share_a_table():
    made = design(HANDLES, tables="several")
    assert len(made.tables) == 1


# ---- what lies in an item -------------------------------------------------------------------------------------------

BASKETS: dict[str, Any] = {
    "name": "baskets",
    "entities": {
        "Basket": {"id": "basketId", "attributes": {"owner": "string", "note": "string"}},
        "Line": {"id": ["basketId", "lineId"], "attributes": {"product": "string"}},
    },
    "relationships": [
        {"from": "Basket", "to": "Line", "kind": "1:n", "avg": 3, "max": 20, "integrity": "checked", "cascade": True}
    ],
    "access_patterns": [
        {"id": "basket", "kind": "get", "entity": "Basket", "by": "basketId"},
        {"id": "of-owner", "kind": "query", "entity": "Basket", "by": "owner"},
        {"id": "lines", "kind": "query", "entity": "Line", "by": "basketId"},
        {"id": "put", "kind": "write", "op": "put", "entity": "Basket", "by": "basketId"},
        {"id": "add", "kind": "write", "op": "put", "entity": "Line", "by": ["basketId", "lineId"]},
    ],
}
EMBED = Rewrite("embed", "Line", ("Basket",))


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_what_lies_in_an_item_stays_when_it_is_replaced(style: str) -> None:
    pair = kept({**BASKETS, "constraints": {"key_style": style}}, EMBED)
    pair.write("put", {"basketId": "b", "owner": "o", "note": "n"})
    pair.write("add", {"basketId": "b", "lineId": "l", "product": "p"})
    pair.write("put", {"basketId": "b", "note": "m"})
    assert pair.ask("of-owner", owner="o") == []
    pair.write("put", {"basketId": "b", "owner": "q"})
    assert pair.ask("basket", basketId="b") == [{"basketId": "b", "owner": "q"}]
    assert len(pair.ask("of-owner", owner="q")) == len(pair.ask("lines", basketId="b")) == 1
    pair.check_stored({"Basket": "put", "Line": "add"})


LOOSE = {**BASKETS["relationships"][0], "integrity": "none"}
KEPT = {**BASKETS["relationships"][0], "cascade": False}
DELETE = {"id": "drop", "kind": "write", "op": "delete", "entity": "Basket", "by": "basketId"}


@pytest.mark.parametrize(
    ("relation", "more", "offered"),
    [
        (BASKETS["relationships"][0], [], True),
        (BASKETS["relationships"][0], [DELETE], True),
        (LOOSE, [], False),  # a line may be there before its basket
        (KEPT, [], True),
        (KEPT, [DELETE], False),  # lines stay when their basket goes
    ],
)
def test_only_what_cannot_be_told_from_items_is_embedded(relation: Any, more: list[Any], offered: bool) -> None:
    spec = {**BASKETS, "relationships": [relation], "access_patterns": [*BASKETS["access_patterns"], *more]}
    found = [each for options in form_options(assume(read_spec(spec))) for option in options for each in option]
    assert (EMBED in found) == offered


# ---- lists ----------------------------------------------------------------------------------------------------------

ORDERS: dict[str, Any] = {
    "name": "orders",
    "entities": {
        "Order": {"id": "orderId", "attributes": {"note": "string"}},
        "Line": {"id": ["orderId", "lineId"], "attributes": {"serial": "string"}, "unique": ["serial"]},
    },
    "relationships": [{"from": "Order", "to": "Line", "kind": "1:n", "avg": 3, "max": 20}],
    "access_patterns": [
        {"id": "lines", "kind": "query", "entity": "Line", "by": "orderId"},
        {
            "id": "place",
            "kind": "write",
            "op": "transact",
            "entities": ["Order", "Line"],
            "ops": {"Order": "put", "Line": "put"},
            "by": "orderId",
        },
        {"id": "put-order", "kind": "write", "op": "put", "entity": "Order", "by": "orderId"},
        {"id": "put-line", "kind": "write", "op": "put", "entity": "Line", "by": ["orderId", "lineId"]},
    ],
}


def test_each_of_many_replaces_its_own():
    pair = Pair(ORDERS)

    def place(order: str, *lines: tuple[str, str]) -> str:
        elements = [{"lineId": line, "serial": serial} for line, serial in lines]
        return pair.write("place", {"orderId": order, "Line": elements})

    assert place("o", ("1", "a"), ("2", "b")) == "written"
    assert place("o", ("1", "a"), ("2", "c"), ("3", "d")) == "written"
    assert place("p", ("1", "b")) == "written"
    assert place("p", ("1", "c")) == "refused"
    assert place("o", ("2", "a"), ("1", "c")) == "written"  # they change places
    pair.ask("lines", orderId="o")
    pair.check_stored({"Order": "put-order", "Line": "put-line"})
