from __future__ import annotations

from tablewright.review.naming import naming_conventions
from tests.review.applications import PUT_TASK, board


def test_conventions_have_examples_from_the_design():
    found = tuple(naming_conventions(board(PUT_TASK).layout))
    assert found[0] == "The table is called app; its keys are pk and sk."
    assert found[1].endswith("with # between them: Project has PROJECT#{projectId}.")
    assert found[2].endswith("Project has PROJECT.")
    assert "_type says of every item what it is." in found
    assert not any("_shard" in each or "Copies" in each or "Indexes" in each for each in found)


def test_other_key_styles_are_told_apart():
    found = tuple(naming_conventions(board(PUT_TASK, constraints={"key_style": "electrodb"}).layout))
    assert found[1].startswith("Keys are ElectroDB's")
    assert "__edb_e__ says of every item what it is." in found


def test_indexes_and_shards_are_named_where_there_are_some():
    by_state = {
        "id": "of-state",
        "kind": "query",
        "entity": "Task",
        "by": "state",
        "sort": "due",
        "limit": 9,
        "rate": 1,
    }
    hot = {**PUT_TASK, "rate": {"avg": 10, "peak": 6000}}
    found = tuple(naming_conventions(board(hot, by_state).layout))
    assert any(each.startswith("Indexes are numbered, as several entities share them (gsi1)") for each in found)
    assert any("{_shard} in a partition key is a number from 0 to " in each for each in found)
