"""Which items name which: by what the spec says, by references, by names."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.spec.facts import assume
from tablewright.spec.links import cascading_links, deleted_by, reached_links
from tablewright.spec.read import read_spec
from tests.proof.forum import FORUM


def links(entities: dict[str, Any], *relationships: dict[str, Any]) -> list[tuple[str, str, dict[str, str]]]:
    described = {
        name: {"id": given[0], "attributes": dict.fromkeys({*given[0], *given[1]}, "string")}
        if isinstance(given, tuple)
        else given
        for name, given in entities.items()
    }
    pattern = {"id": "get", "kind": "get", "entity": next(iter(entities)), "by": next(iter(described.values()))["id"]}
    spec = read_spec(
        {
            "name": "app",
            "entities": described,
            "relationships": [{"kind": "one-to-many", "cascade": True, **each} for each in relationships],
            "access_patterns": [pattern],
        }
    )
    return [(each.parent, each.child, dict(each.by)) for each in cascading_links(spec)]


@pytest.mark.parametrize(
    ("entities", "relationship", "by"),
    [
        ({"A": (["aId"], []), "B": (["bId"], ["aId"])}, {}, {"aId": "aId"}),
        ({"A": (["aId"], []), "B": (["bId"], ["owner"])}, {"by": ["owner"]}, {"owner": "aId"}),
        ({"A": (["t", "aId"], []), "B": (["bId"], ["aId", "t"])}, {}, {"t": "t", "aId": "aId"}),
        ({"A": (["aId"], []), "B": (["bId"], ["x"])}, {}, {}),
    ],
)
def test_by_what_a_child_names_its_parent(entities: dict[str, Any], relationship: dict[str, Any], by: dict[str, str]):
    assert links(entities, {"from": "A", "to": "B", **relationship}) == [("A", "B", by)]


def test_an_attribute_that_says_what_it_references():
    child = {
        "id": ["bId"],
        "attributes": {"bId": "string", "x": {"type": "string", "references": "A"}, "aId": "string"},
    }
    assert links({"A": (["aId"], []), "B": child}, {"from": "A", "to": "B"}) == [("A", "B", {"x": "aId"})]


def test_only_where_it_is_said():
    entities = {"A": (["aId"], []), "B": (["bId"], ["aId"])}
    assert links(entities, {"from": "A", "to": "B", "cascade": False}) == []


@pytest.mark.parametrize("by", [[], ["parentId"]])
def test_an_entity_above_its_own_kind(by: list[str]):
    entities = {"Comment": (["commentId"], ["parentId"]), "B": (["bId"], [])}
    found = links(entities, {"from": "Comment", "to": "Comment", "by": by})
    assert found == [("Comment", "Comment", {"parentId": "commentId"})]


def test_an_edge_goes_with_both_of_its_ends():
    entities = {"A": (["aId"], []), "B": (["bId"], []), "E": (["aId", "bId"], [])}
    edge = {"from": "A", "to": "B", "via": "E", "kind": "many-to-many"}
    assert links(entities, edge) == [("A", "E", {"aId": "aId"}), ("B", "E", {"bId": "bId"})]


@pytest.mark.parametrize("by", [[], ["er"], ["er", "ee"]])
def test_an_edge_between_two_of_one_kind(by: list[str]):
    entities = {"U": (["uId"], []), "F": (["er", "ee"], [])}
    edge = {"from": "U", "to": "U", "via": "F", "kind": "many-to-many", "by": by}
    assert links(entities, edge) == [("U", "F", {"er": "uId"}), ("U", "F", {"ee": "uId"})]


def test_all_that_a_delete_reaches():
    spec = read_spec(FORUM)
    pattern = spec.pattern("drop board")
    assert pattern is not None
    assert deleted_by(assume(spec), pattern) == ("Board",)
    found = [(each.parent, each.child) for each in reached_links(spec, ("Board",))]
    assert found == [("Board", "Post"), ("Post", "Comment"), ("Post", "Like"), ("Comment", "Comment")]
    assert [each.child for each in reached_links(spec, ("User",))] == ["Like", "Follow", "Follow"]
    assert reached_links(spec, ("Follow",)) == ()
