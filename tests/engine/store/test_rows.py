from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from tablewright.engine.store.collections import collection_bytes
from tablewright.engine.store.item import changed_names
from tablewright.engine.store.rows import entry_of, find, table_key, write
from tests.engine.make import create_table, put

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ({}, {"a": 1}, {"a"}),
        ({"a": 1}, {}, {"a"}),
        ({"a": 1, "b": 2}, {"a": 1, "c": 3}, {"b", "c"}),
        ({"a": 1}, {"a": True}, {"a"}),
        ({"a": [1]}, {"a": [True]}, {"a"}),
        ({"a": {"x": {"1"}}}, {"a": {"x": {"1"}}}, set()),
        ({"a": Decimal("0.1000000000000000000001")}, {"a": Decimal("0.1000000000000000000001")}, set()),
    ],
)
def test_what_a_write_changes(old: Any, new: Any, changed: set[str]) -> None:
    assert changed_names(old, new) == changed


def test_entries_are_sparse(engine: Engine) -> None:
    create_table(engine, "pk", gsis={"by_g": ("g", ["x"])}, types={"g": "N"})
    with engine.storage.reading():
        table = engine.table("things")
    index = table.indexes[0]
    for item in ({"pk": "k"}, {"pk": "k", "g": "no number"}, {"pk": "k", "g": None}, None):
        assert entry_of(table, index, item) is None
    entry = entry_of(table, index, {"pk": "k", "g": 1, "x": "y", "z": "not projected"})
    assert entry is not None
    assert (entry.view, entry.size) == ({"pk": "k", "g": 1, "x": "y"}, 3 + 3 + 2)


def test_a_write_that_changes_nothing_leaves_no_trace(engine: Engine) -> None:
    create_table(engine, "pk", gsis={"by_g": ("g", "ALL")})
    put(engine, {"pk": "k", "g": "1", "tags": {"b", "a"}})
    with engine.storage.writing():
        table = engine.table("things")
        written = write(
            engine, table, find(engine.storage, table, {"pk": "k"}), {"tags": {"a", "b"}, "g": "1", "pk": "k"}
        )
    assert written.index_wcu == {}


def test_collections_are_measured_with_their_local_entries(engine: Engine) -> None:
    create_table(engine, "pk sk", lsis={"by_l": ("pk l", "KEYS_ONLY")})
    put(engine, {"pk": "k", "sk": "1"}, {"pk": "k", "sk": "2", "l": "x"}, {"pk": "other", "sk": "1"})
    with engine.storage.reading():
        table = engine.table("things")
        h, _ = table_key(table, {"pk": "k", "sk": ""})
        assert collection_bytes(engine.storage, table, h) == 6 + 8 + 8
