"""Defaults and rules that contradict what else is said, each told with its place."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.errors import DesignError
from tablewright.spec.read import read_spec
from tablewright.spec.write import spec_data


def spec(**attributes: Any) -> dict[str, Any]:
    return {
        "entities": {
            "Owner": {"id": "ownerId", "attributes": {}},
            "Thing": {"id": "thingId", "attributes": attributes, "unique": ["code"] if "code" in attributes else []},
        },
        "access_patterns": [{"id": "A", "kind": "write", "op": "put", "entity": "Thing", "by": "thingId"}],
    }


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"thingId": {"default": "x"}}, "part of the id, which callers give"),
    ({"code": {"default": "x"}}, "is unique, so that only one item"),
    ({"n": {"type": "number", "default": "x"}}, "is a number, and 'x' is none"),
    ({"s": {"values": ["a", "b"], "default": "c"}}, 'never is "c"'),
    ({"m": {"type": "map", "default": "x"}}, "is a map; a default is a text"),
    ({"s": {"default": "x", "required": False}}, "every item has what has a default"),
    ({"s": {"default": "x", "presence": 0.5}}, "every item has what has a default"),
    ({"s": {"default": "xyz", "validate": {"max_length": 2}}}, "which `validate` refuses"),
    ({"s": {"values": ["a", "bcd"], "validate": {"max_length": 2}}}, "'bcd' has more than 2"),
    ({"s": {"validate": {"min": 1}}}, "is a string; numbers have a min"),
    ({"n": {"type": "number", "validate": {"pattern": "a"}}}, "is a number; texts have a pattern"),
    ({"n": {"type": "number", "validate": {"min": 5, "max": 1}}}, "5 is more than the max of 1"),
    ({"s": {"validate": {"min_length": 5, "max_length": 1}}}, "5 is more than the max_length of 1"),
    ({"s": {"validate": {"max_length": 0}}}, "no text has 0 characters"),
    ({"s": {"validate": {}}}, "says nothing"),
    ({"s": {"validate": {"pattern": "("}}}, "is no regular expression"),
    ({"s": {"validate": {"pattern": "^a{9}$", "max_length": 3}}}, "make pattern and lengths fit"),
    ({"s": {"size_bytes": 900, "validate": {"max_length": 3}}}, "at most 3 characters"),
    ({"ownerId": {"validate": {"pattern": "^a"}}}, "it holds the id of Owner; say the same of Owner.ownerId"),
    ({"thingId": {"sorts_as": "at"}}, 'has no attribute "at"'),
    ({"thingId": {"sorts_as": "at"}, "at": {"type": "timestamp"}}, "at may change"),
    ({"thingId": {"sorts_as": "at"}, "at": {"immutable": True}}, "a text sorts as a timestamp"),
    (
        {"thingId": {"sorts_as": "at", "values": ["a"]}, "at": {"type": "timestamp", "immutable": True}},
        "leave out what else",
    ),
    ({"s": {"references": ["Owner", "Nobody"]}}, 'there is no entity "Nobody"'),
]


@pytest.mark.parametrize(("attributes", "told"), FAULTS)
def test_contradictions_are_told(attributes: dict[str, Any], told: str) -> None:
    with pytest.raises(DesignError) as fault:
        read_spec(spec(**attributes))
    assert told in fault.value.message


def test_a_constant_of_an_update_obeys_the_rule() -> None:
    given = spec(n={"type": "number", "validate": {"max": 3}})
    update = {"id": "B", "kind": "write", "op": "update", "entity": "Thing", "by": "thingId", "changes": {"n": 4}}
    given["access_patterns"].append(update)
    with pytest.raises(DesignError, match=r"changes.n: 4 is more than 3"):
        read_spec(given)


def test_what_was_read_is_written_and_read_again() -> None:
    found = read_spec(
        spec(
            s={"default": "ab", "validate": {"pattern": "^a", "max_length": 4}},
            t={"type": "timestamp", "default": "now"},
            b={"type": "boolean", "default": False},
            other={"references": ["Owner", "Thing"]},
        )
    )
    assert found.entities["Thing"].attributes["s"].required
    assert found.entities["Thing"].attributes["other"].references_any == ("Owner", "Thing")
    assert read_spec(spec_data(found)) == found


RELATED: list[tuple[dict[str, Any], str]] = [
    ({"avg": 10, "p50": 30}, "half of the parents have 30 or more"),
    ({"avg": 50, "p50": 2, "max": 60}, "the average is not 50"),
    ({"avg": 10, "p50": 5, "p99": 4}, "99 of 100 parents have at most 4"),
    ({"p50": 5}, "add avg"),
    ({"avg": 10, "p50": 50, "max": 20}, "at most 20"),
]


@pytest.mark.parametrize(("numbers", "told"), RELATED)
def test_the_middle_lies_between_the_other_numbers(numbers: dict[str, Any], told: str) -> None:
    given = spec(ownerId={})
    given["relationships"] = [{"from": "Owner", "to": "Thing", "kind": "1:n", **numbers}]
    with pytest.raises(DesignError) as fault:
        read_spec(given)
    assert told in fault.value.message


BORROWED: list[tuple[Any, str]] = [
    ({"subtract": "Line.nothing"}, 'Line has no attribute "nothing"'),
    ({"subtract": "Order.quantity"}, "not about Order"),
    ({"subtract": "x"}, "cannot be subtracted"),
    ({"add": "Product.stock"}, "gives Product no stock"),
]


def reservation(change: Any) -> dict[str, Any]:
    return {
        "entities": {
            "Line": {"id": ["orderId", "productId"], "attributes": {"quantity": {"type": "number"}}},
            "Product": {"id": "productId", "attributes": {"stock": {"type": "number"}}},
        },
        "access_patterns": [
            {
                "id": "A",
                "kind": "write",
                "op": "transact",
                "by": ["orderId", "productId"],
                "ops": {"Line": "put", "Product": {"op": "update", "changes": {"stock": change}}},
            }
        ],
    }


@pytest.mark.parametrize(("change", "told"), BORROWED)
def test_amounts_of_other_entities_must_be_given(change: Any, told: str) -> None:
    with pytest.raises(DesignError) as fault:
        read_spec(reservation(change))
    assert told in fault.value.message


@pytest.mark.parametrize("change", [{"subtract": "Line.quantity"}, {"add": "-{Line.quantity}"}, {"add": "-{quantity}"}])
def test_an_amount_of_another_entity_is_asked_for_once(change: Any) -> None:
    (pattern,) = read_spec(reservation(change)).patterns
    changes = pattern.ops["Product"].changes or ()
    assert [(each.kind, each.value) for each in changes] == [("add", "-{quantity}")]


def test_what_is_subtracted_is_added_with_the_other_sign() -> None:
    found = [read_spec(reservation(each)).patterns[0].ops["Product"].changes for each in ({"subtract": 2}, {"add": -2})]
    assert found[0] == found[1]


def test_a_text_with_braces_is_no_input() -> None:
    said = {
        "name": "orders",
        "entities": {"Order": {"id": "orderId", "attributes": {"driverId": {}}}},
        "access_patterns": [
            {"id": "take", "kind": "write", "op": "update", "entity": "Order", "by": "orderId"}
            | {"changes": {"driverId": "{driverId}"}}
        ],
    }
    with pytest.raises(DesignError, match=r"changes\.driverId: .*stored with its braces.*`driverId: \{given: true\}`"):
        read_spec(said)


def test_a_parent_that_is_named_twice_is_not_asked_by() -> None:
    said = {
        "name": "mail",
        "entities": {
            "User": {"id": "userId", "attributes": {"email": {"required": True}}},
            "Mail": {"id": "mailId", "attributes": {name: {"references": "User"} for name in ("fromId", "toId")}},
        },
        "access_patterns": [{"id": "of", "kind": "query", "entity": "Mail", "by": "email"}],
    }
    with pytest.raises(DesignError, match=r"names User, which has it, by fromId and toId\. Ask by one of these"):
        read_spec(said)
