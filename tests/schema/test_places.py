from __future__ import annotations

from tablewright.schema.places import TOP, nearest


def test_a_place_grows() -> None:
    assert str(TOP) == "the schema"
    assert str((TOP / "entities" / "task")[2] / "type") == "entities.task[2].type"


def test_the_nearest_word() -> None:
    assert nearest("statsu", ["state", "status"]) == ' Did you mean "status"?'
    assert nearest(5, ["status"]) == ""
    assert nearest("size", ["since", "size_bytes"]) == ' Did you mean "size_bytes"?'
