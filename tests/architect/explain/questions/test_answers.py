"""Answers are written where they belong, whatever short form a spec uses."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.explain.questions.answers import apply_answers
from tablewright.errors import DesignError
from tablewright.spec.read import read_spec

SPEC: dict[str, Any] = {
    "name": "app",
    "entities": {"Game": {"id": "gameId", "attributes": ["map", "openedAt"]}, "User": {"id": "name", "attributes": {}}},
    "relationships": [{"from": "User", "to": "Game", "kind": "one-to-many"}],
    "access_patterns": [{"id": "AP1", "kind": "get", "entity": "Game", "by": "gameId"}],
}


def test_fields_of_patterns_entities_and_relationships() -> None:
    found = apply_answers(
        SPEC,
        {"access_patterns.AP1.rate": 3, "entities.Game.count": 500, "relationships[0].avg": 7, "region": "eu-west-1"},
    )
    spec = read_spec(found)
    assert spec.patterns[0].rate is not None
    assert spec.patterns[0].rate.avg == 3
    assert spec.entities["Game"].count == 500
    assert spec.relationships[0].avg == 7
    assert spec.region == "eu-west-1"


def test_short_forms_of_attributes_are_written_out() -> None:
    listed = apply_answers(SPEC, {"entities.Game.attributes.map.required": True})
    assert listed["entities"]["Game"]["attributes"] == {
        "map": {"type": "string", "required": True},
        "openedAt": "string",
    }
    typed = {**SPEC, "entities": {"Game": {"id": "gameId", "attributes": {"at": "timestamp"}}}}
    found = apply_answers(typed, {"entities.Game.attributes.at.cardinality": 9})
    assert found["entities"]["Game"]["attributes"]["at"] == {"type": "timestamp", "cardinality": 9}


def test_a_whole_pattern_under_a_new_id_is_added() -> None:
    found = apply_answers(
        SPEC, {"access_patterns.list-Game-by-map": {"kind": "query", "entity": "Game", "by": ["map"]}}
    )
    assert [each.id for each in read_spec(found).patterns] == ["AP1", "list-Game-by-map"]


def test_what_was_given_stays_as_it_is() -> None:
    apply_answers(SPEC, {"access_patterns.AP1.limit": 5, "entities.Game.attributes.map.required": True})
    assert "limit" not in SPEC["access_patterns"][0]
    assert SPEC["entities"]["Game"]["attributes"] == ["map", "openedAt"]


def test_a_pattern_that_is_not_there_is_told() -> None:
    with pytest.raises(DesignError, match=r'no access pattern for "access_patterns\.AP9\.rate"'):
        apply_answers(SPEC, {"access_patterns.AP9.rate": 1})
