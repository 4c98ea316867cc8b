"""Attributes of a parent in an answer, proven: whatever finds the items, their parents are read after them."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.designer import design
from tablewright.architect.pipeline import write_table
from tablewright.architect.plans.forms import go_together
from tablewright.architect.solution import solve
from tablewright.design.layout.forms import Rewrite
from tablewright.design.model import Design
from tablewright.proof.run import prove
from tests.architect.plans.specs import (
    ENTITIES,
    LINE,
    LINES,
    OF_EMAIL,
    ORDER,
    UNIQUE,
    changed,
    facts_of,
    offered,
    owned,
    shop,
)

NAMED: dict[str, Any] = {
    "id": "named",
    "kind": "query",
    "entity": "Order",
    "by": "status",
    "limit": 30,
    "returns": ["orderId", "amount", "Customer.name", "Customer.email"],
    "rate": 20,
}
THROUGH = Rewrite("through", "of-email", ("Order",))


def parents(*ids: str, names: tuple[str, ...] = ("Customer.name", "Customer.email")) -> list[Rewrite]:
    return [Rewrite("parents", id_, names) for id_ in ids]


def proven(spec: dict[str, Any], *rewrites: Rewrite, style: str = "plain", **constraints: Any) -> Design:
    solution = solve({**spec, "constraints": {"key_style": style, **constraints}}, rewrites=rewrites)
    made = write_table(solution)
    report = prove(made, rounds=12)
    assert report.failure == ""
    return made


def steps(made: Design, id_: str) -> list[tuple[str, int | None, dict[str, str]]]:
    pattern = next(each for each in made.patterns if each.id == id_)
    return [(each.operation, each.keys_from, dict(each.takes)) for each in pattern.reads]


TAKEN = {"Customer.name": "name", "Customer.email": "email"}


def test_where_it_is_said() -> None:
    assert ["parents named (Customer.name, Customer.email)"] in offered(shop(NAMED))
    assert not any("parents" in each for decision in offered(shop(ORDER)) for each in decision)


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_of_one_item_and_of_a_list(style: str) -> None:
    one = {**NAMED, "id": "one", "kind": "get", "by": "orderId", "limit": None, "consistency": "strong"}
    made = proven(shop(NAMED, one), UNIQUE, *parents("named", "one"), style=style)
    assert steps(made, "named") == [("Query", None, {}), ("BatchGetItem", 0, TAKEN)]
    assert steps(made, "one") == [("GetItem", None, {}), ("GetItem", 0, TAKEN)]
    assert all(each.consistent for each in next(p for p in made.patterns if p.id == "one").reads)


def test_parents_are_asked_for_what_is_taken() -> None:
    made = proven(shop(NAMED), UNIQUE, *parents("named"))
    assert next(each for each in made.patterns if each.id == "named").reads[1].projection == ("name", "email")


def test_of_a_list_in_two_requests_and_of_items_that_name_nobody() -> None:
    order = {
        "attributes": {
            "orderId": "string",
            "customerId": {"presence": 0.5},
            "amount": {"type": "number", "presence": 0.5},
            "status": {"values": ["open", "sent"], "required": True},
        }
    }
    made = proven(shop({**NAMED, "sort": "amount"}, entities={"Order": order}), UNIQUE, *parents("named"))
    assert [(name, at) for name, at, _ in steps(made, "named")] == [
        ("Query", None),
        ("Query", None),
        ("BatchGetItem", 0),
        ("BatchGetItem", 1),
    ]


def test_behind_an_index_of_keys() -> None:
    note = {"note": {"size_bytes": "30 KB"}}
    order = {"attributes": {**ENTITIES["Order"]["attributes"], **note}}
    spec = shop({**NAMED, "rate": 0.01, "returns": ["note", *TAKEN]}, entities={"Order": order})
    made = proven(changed(spec, "send-order", rate=300), UNIQUE, *parents("named"))
    assert [(name, at) for name, at, _ in steps(made, "named")] == [
        ("Query", None),
        ("BatchGetItem", 0),
        ("BatchGetItem", 1),
    ]


def test_behind_two_steps() -> None:
    made = proven(shop({**OF_EMAIL, "returns": ["orderId", *TAKEN]}), UNIQUE, THROUGH, *parents("of-email"))
    *before, (_, at, takes) = steps(made, "of-email")
    assert (at, takes) == (len(before) - 1, TAKEN)


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_of_what_lies_in_another_item(style: str) -> None:
    asked = {**LINES, "returns": ["product", "Order.status"]}
    made = proven(
        owned(ORDER, asked, LINE),
        UNIQUE,
        Rewrite("embed", "Line", ("Order",)),
        *parents("lines", names=("Order.status",)),
        style=style,
    )
    assert steps(made, "lines")[-1][2] == {"Order.status": "status"}


def test_a_parent_that_lies_in_another_item_is_not_read() -> None:
    line = Rewrite("embed", "Line", ("Order",))
    assert go_together([line, *parents("lines", names=("Order.status",))])
    assert not go_together([line, *parents("picks", names=("Line.product",))])
    assert not go_together([Rewrite("split", "Customer", ("bio",)), *parents("named", names=("Customer.bio",))])


def test_a_parent_that_expires() -> None:
    proven(shop(NAMED, entities={"Customer": {"ttl": "30d", "unique": []}}), *parents("named"))


def test_ids_of_several_attributes_under_other_names() -> None:
    spec: dict[str, Any] = {
        "name": "library",
        "entities": {
            "Shelf": {"id": ["room", "number"], "attributes": {"label": "string", "number": "number"}, "count": 500},
            "Book": {
                "id": "bookId",
                "attributes": {
                    "inRoom": "string",
                    "inNumber": "number",
                    "title": "string",
                    "topic": {"required": True},
                },
                "count": 50000,
            },
        },
        "relationships": [{"from": "Shelf", "to": "Book", "kind": "1:n", "by": ["inRoom", "inNumber"], "avg": 100}],
        "access_patterns": [
            {
                "id": "topic",
                "kind": "query",
                "entity": "Book",
                "by": "topic",
                "returns": ["title", "Shelf.label"],
                "rate": 5,
            },
            {"id": "put", "kind": "write", "op": "put", "entity": "Book", "by": "bookId", "rate": 1},
            {"id": "shelve", "kind": "write", "op": "put", "entity": "Shelf", "by": ["room", "number"], "rate": 1},
            {"id": "clear", "kind": "write", "op": "delete", "entity": "Shelf", "by": ["room", "number"], "rate": 1},
        ],
    }
    made = proven(spec, *parents("topic", names=("Shelf.label",)))
    key = next(each for each in made.patterns if each.id == "topic").reads[1]
    assert {name for each in (*key.pk,) for name in each.template.names} <= {"inRoom", "inNumber"}


def test_two_parents_of_one_entity() -> None:
    message = {
        "id": "messageId",
        "attributes": {
            "messageId": "string",
            "room": {"required": True, "cardinality": 50},
            "senderId": {"references": "User", "required": True},
            "receiverId": {"references": "User"},
        },
        "count": 10000,
    }
    spec: dict[str, Any] = {
        "name": "chat",
        "entities": {"User": {"id": "userId", "attributes": ["nick"], "count": 300}, "Message": message},
        "access_patterns": [
            {
                "id": "room",
                "kind": "query",
                "entity": "Message",
                "by": "room",
                "limit": 20,
                "returns": ["messageId", "senderId.nick", "receiverId.nick"],
                "rate": 10,
            },
            {"id": "send", "kind": "write", "op": "put", "entity": "Message", "by": "messageId", "rate": 1},
            {"id": "join", "kind": "write", "op": "put", "entity": "User", "by": "userId", "rate": 1},
            {"id": "leave", "kind": "write", "op": "delete", "entity": "User", "by": "userId", "rate": 1},
        ],
    }
    made = proven(spec, *parents("room", names=("senderId.nick", "receiverId.nick")))
    assert [takes for _, _, takes in steps(made, "room")] == [
        {},
        {"senderId.nick": "nick"},
        {"receiverId.nick": "nick"},
    ]


def test_a_batch_with_what_its_items_name() -> None:
    asked = {**NAMED, "id": "many", "kind": "batch", "by": "orderId", "limit": None, "items": 5}
    made = proven(shop(asked), UNIQUE, *parents("many"))
    assert [(name, at) for name, at, _ in steps(made, "many")] == [("BatchGetItem", None), ("BatchGetItem", 0)]


def test_parents_share_a_table_with_what_names_them() -> None:
    made = design({**shop(NAMED, LINES), "constraints": {"tables": "several"}})
    tables = {each.name: each.table for each in made.items}
    assert tables["Customer"] == tables["Order"] != tables["Line"]
    assert prove(made, rounds=6).failure == ""


def test_each_parent_is_paid_for_once() -> None:
    """All orders of one customer name that customer; those of a status name nearly as many as there are orders."""
    own = {**NAMED, "id": "own", "by": "customerId"}
    solution = solve(shop(NAMED, own), rewrites=[UNIQUE, *parents("named", "own")])
    items = {each.id: each.items for each in solution.spec.reads}
    assert items["own.2"] == 1
    assert items["named.2"] == pytest.approx(30, abs=0.1)
    assert facts_of(shop(own)).counts["Customer"] == 100_000
