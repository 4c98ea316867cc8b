from __future__ import annotations

import json
from pathlib import Path

import pytest

from tablewright.engine import Engine
from tablewright.engine.server.authorization import Caller
from tablewright.engine.store.values import Words
from tablewright.errors import ServiceError
from tablewright.tasks import NewTable, engine_import, engine_server, engine_tables


@pytest.mark.parametrize("separate", [False, True])
@pytest.mark.parametrize(
    ("wording", "told"), [("current", "Value at 'RequestItems'"), ("classic", "Value '{}' at 'requestItems'")]
)
def test_a_server_speaks_in_the_words_it_is_told_to(separate: bool, wording: Words, told: str) -> None:
    databases = engine_server(port=0, separate=separate, wording=wording).databases
    with pytest.raises(ServiceError, match=told):
        databases.engine_for(Caller("key", "us-east-1")).call("BatchGetItem", {"RequestItems": {}})
    databases.close()


def interrupted(items: int, done_bytes: int, total_bytes: int) -> None:
    raise KeyboardInterrupt


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps({"id": {"S": str(number)}}) + "\n" for number in range(1000)))
    return path


def test_an_interrupted_import_leaves_no_new_file(tmp_path: Path, source: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        engine_import(tmp_path / "new.db", "things", source, new_table=NewTable("id"), progress=interrupted)
    assert [path.name for path in tmp_path.iterdir()] == [source.name]


def test_an_interrupted_import_leaves_an_old_file_as_it_was(tmp_path: Path, source: Path) -> None:
    file = tmp_path / "app.db"
    engine_import(file, "kept", source, new_table=NewTable("id"))
    with pytest.raises(KeyboardInterrupt):
        engine_import(file, "things", source, new_table=NewTable("id"), progress=interrupted)
    source.write_text('{"id": {"S": "0"}, "changed": {"BOOL": true}}\n' * 600)
    with pytest.raises(KeyboardInterrupt):
        engine_import(file, "kept", source, progress=interrupted)
    (told,) = engine_tables(file)
    assert (told["TableName"], told["ItemCount"]) == ("kept", 1000)
    with Engine(file) as engine:
        found = engine.call("GetItem", {"TableName": "kept", "Key": {"id": {"S": "0"}}})
    assert found["Item"] == {"id": {"S": "0"}}
