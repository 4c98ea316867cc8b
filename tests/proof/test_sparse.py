"""Sparse indexes: entries only of items with a value, or with an attribute at all, and in step with every write."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tablewright.architect.designer import design
from tablewright.design.values.templates import Path, slot
from tablewright.proof.run import prove
from tablewright.spec.conditions import compare, exists

TICKET: dict[str, Any] = {
    "id": ["ticketId"],
    "count": 100_000_000,
    "size_bytes": 900,
    "attributes": {
        "ticketId": "string",
        "team": {"type": "string", "cardinality": 50, "required": True},
        "status": {"type": "string", "values": ["open", "waiting", "closed"], "required": True},
        "due": {"type": "timestamp", "required": True},
        "pinned": {"type": "timestamp", "presence": 0.01},
        "text": "string",
    },
}


def write(id_: str, op: str, *changes: str, rate: float = 1) -> dict[str, Any]:
    found = {"id": id_, "kind": "write", "op": op, "entity": "Ticket", "by": ["ticketId"], "rate": rate}
    return {**found, "changes": list(changes)} if changes else found


def desk(style: str = "plain", *more: dict[str, Any], **open_tickets: Any) -> dict[str, Any]:
    listed = {"kind": "query", "entity": "Ticket", "by": ["team"], "limit": 20, "rate": 10}
    return {
        "name": "desk",
        "entities": {"Ticket": TICKET},
        "access_patterns": [
            {"id": "get", "kind": "get", "entity": "Ticket", "by": ["ticketId"], "rate": 10},
            {**listed, "id": "open", "filter": {"status": "open"}, "sort": [{"attr": "due"}], **open_tickets},
            {**listed, "id": "pinned", "sort": [{"attr": "pinned", "order": "desc"}], "absent": "omit"},
            *more,
            write("put", "put", rate=100),
            write("turn", "update", "status", rate=10),
            write("pin", "update", "pinned"),
            write("edit", "update", "text", rate=10),
            write("move", "update", "team", "due"),
            write("any", "update"),
            write("gone", "delete"),
        ],
        "constraints": {"key_style": style},
    }


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_an_index_holds_only_what_is_asked_for(style: str) -> None:
    made = design(desk(style, selectivity=0.01))
    whens = {each.when for each in made.items[0].keys if each.index}
    assert whens == {compare("status", "=", "open"), exists("pinned")}
    listed = next(each for each in made.patterns if each.id == "open")
    assert listed.reads[0].filters == ()
    assert any("only while status is open" in note for note in made.notes)
    report = prove(made)
    assert report.passed, report.failure
    assert all(each.exact for each in report.patterns)


def test_a_key_that_is_not_removed_is_found_out() -> None:
    made = design(desk(selectivity=0.01))
    turn = next(each for each in made.patterns if each.id == "turn")
    careless = replace(turn, writes=(replace(turn.writes[0], set={Path("status"): slot("status")}),))
    broken = replace(made, patterns=tuple(careless if each is turn else each for each in made.patterns))
    assert not prove(broken).passed


def test_who_asks_for_more_keeps_the_others_in_the_index() -> None:
    every = {"id": "all", "kind": "query", "entity": "Ticket", "by": ["team"], "sort": [{"attr": "due"}], "rate": 10}
    made = design(desk("plain", {**every, "limit": 20}, selectivity=0.01), aim="gsis")
    by_team = next(each.reads[0] for each in made.patterns if each.id == "all")
    keys = next(each for each in made.items[0].keys if each.index == by_team.index)
    assert keys.when is None
    report = prove(made, rounds=9)
    assert report.passed, report.failure


def test_an_index_of_nearly_everything_is_not_sparse() -> None:
    made = design(desk(selectivity=0.9))
    assert all("status" not in each.when.attributes for each in made.items[0].keys if each.when)


def test_small_tables_are_left_alone() -> None:
    spec = desk(selectivity=0.01)
    spec["entities"] = {"Ticket": {**TICKET, "count": 1000}}
    for pattern in spec["access_patterns"]:
        pattern["rate"] = 0.001
    assert all(not each.when for each in design(spec).items[0].keys)
