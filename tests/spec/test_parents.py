"""`Customer.name` in `returns`: what it means for an item, and what is said where it means nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.errors import DesignError
from tablewright.spec.parents import ParentAttribute, parents_asked
from tablewright.spec.read import read_spec

ENTITIES: dict[str, Any] = {
    "Customer": {"id": "customerId", "attributes": ["name", "city"]},
    "Order": {"id": "orderId", "attributes": ["customerId", "amount"]},
    "User": {"id": "userId", "attributes": ["nick"]},
    "Message": {
        "id": "messageId",
        "attributes": {"senderId": {"references": "User"}, "receiverId": {"references": "User"}, "text": "string"},
    },
    "Shelf": {"id": ["room", "number"], "attributes": ["label"]},
    "Book": {"id": "bookId", "attributes": ["room", "number", "title"]},
    "Copy": {"id": "copyId", "attributes": ["inRoom", "inNumber"]},
}


def asked(entity: str, *returns: str, **parts: Any) -> tuple[ParentAttribute, ...]:
    pattern = {"id": "get", "kind": "get", "entity": entity, "by": ENTITIES[entity]["id"], "returns": list(returns)}
    spec = read_spec({"name": "all", "entities": ENTITIES, "access_patterns": [pattern], **parts})
    return parents_asked(spec, spec.patterns[0])


def refusal(entity: str, *returns: str, **parts: Any) -> str:
    with pytest.raises(DesignError) as fault:
        asked(entity, *returns, **parts)
    return str(fault.value)


def test_a_parent_is_named_by_an_attribute_that_is_called_like_its_id() -> None:
    assert asked("Order", "amount", "Customer.name") == (
        ParentAttribute("Customer.name", "Customer", "name", (("customerId", "customerId"),)),
    )


def test_a_whole_id_of_several_attributes() -> None:
    (found,) = asked("Book", "Shelf.label")
    assert found.by == (("room", "room"), ("number", "number"))


def test_by_the_attributes_of_a_relationship() -> None:
    relation = {"from": "Shelf", "to": "Copy", "kind": "1:n", "by": ["inRoom", "inNumber"]}
    (found,) = asked("Copy", "Shelf.label", relationships=[relation])
    assert found.by == (("room", "inRoom"), ("number", "inNumber"))


def test_one_of_two_parents_is_called_by_the_attribute_that_names_it() -> None:
    sender, receiver = asked("Message", "senderId.nick", "receiverId.nick")
    assert (sender.parent, sender.own, receiver.own) == ("User", ("senderId",), ("receiverId",))


@pytest.mark.parametrize(
    ("entity", "name", "said"),
    [
        ("Order", "Custmer.name", 'there is no entity "Custmer". Did you mean "Customer"? Its items name: Customer.'),
        ("Order", "Customer.nme", 'Customer has no attribute "nme". Did you mean "name"?'),
        ("Order", "Order.amount", 'Order.amount is its own attribute; write "amount".'),
        ("Order", "amount.name", "amount is no id. Say whose id it is: `references` of Order.amount"),
        ("Order", "User.nick", "an item of Order does not name a User by its whole id. Add a relationship from User"),
        ("Message", "User.nick", "names several of User. Say which: senderId.nick or receiverId.nick."),
    ],
)
def test_what_it_cannot_mean(entity: str, name: str, said: str) -> None:
    assert said in refusal(entity, name)


def test_several_whole_ids_of_several_attributes() -> None:
    relation = {"from": "Shelf", "to": "Book", "kind": "1:n", "by": ["title", "bookId"]}
    assert "names several of Shelf (by title and bookId or by room and number)" in refusal(
        "Book", "Shelf.label", relationships=[relation]
    )


def test_only_reads_of_one_entity_return_a_parents() -> None:
    pattern = {
        "id": "both",
        "kind": "query",
        "entities": ["Customer", "Order"],
        "by": "customerId",
        "returns": ["customerId", "Customer.name"],
    }
    with pytest.raises(DesignError, match=r"a read of one entity returns, and not of several \(Customer, Order\)"):
        read_spec({"name": "all", "entities": ENTITIES, "access_patterns": [pattern]})
