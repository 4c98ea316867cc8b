"""Conditions as people write them become what DynamoDB takes, or an error that names the place."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.design.conditions import both, check_condition, creates, read_expression
from tablewright.errors import DesignError

GAME = ("people", "status", "openTimestamp", "name")


def test_names_and_values_become_placeholders():
    found = read_expression("people < 50 AND status = 'open' and name <> {name}")
    assert found.text == "#people < :c0 AND #status = :c1 and #name <> :c2"
    assert found.names == {"#people": "people", "#status": "status", "#name": "name"}
    assert found.literals == {":c0": 50, ":c1": "open"}
    assert found.parameters == {":c2": "name"}


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("False", False), ("-2.5", -2.5), ('"a b"', "a b"), ("'it: {x}'", "it: {x}")]
)
def test_literals(text: str, value: Any):
    assert list(read_expression(f"name = {text}").literals.values()) == [value]


def test_a_colon_names_a_parameter_as_well():
    assert read_expression("people < :most").parameters == {":c0": "most"}


def test_functions_keep_their_names():
    found = check_condition("here", "attribute_exists(openTimestamp) AND size(name) > 3", GAME)
    assert found.text == "attribute_exists(#openTimestamp) AND size(#name) > :c0"


@pytest.mark.parametrize("text", ["fewer than 50 players", "people <", "people < 50 AND", "begins_with(name)"])
def test_what_is_no_condition_is_an_error_with_its_place(text: str):
    with pytest.raises(DesignError, match=r"^access_patterns\.join\.when: .* is no DynamoDB condition"):
        check_condition("access_patterns.join.when", text, GAME)


def test_unknown_attributes_are_named():
    with pytest.raises(DesignError, match="speaks of players; there are the attributes people"):
        check_condition("access_patterns.join.when", "players < 50", GAME)


@pytest.mark.parametrize(
    ("condition", "description", "wanted"),
    [
        ("not exists", "", True),
        ("does not exist", "", True),
        ("the name is free", "", True),
        ("", "create a room", True),
        ("", "recreate a room", False),
        ("fewer than 50", "join a game", False),
    ],
)
def test_creating(condition: str, description: str, wanted: bool):
    assert creates(condition, description) is wanted


def test_alternatives_keep_to_themselves():
    assert both("a = 1 OR b = 2", "", "c = 3") == "(a = 1 OR b = 2) AND c = 3"
    assert both("a = 1 OR b = 2", "") == "a = 1 OR b = 2"
