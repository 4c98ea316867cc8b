from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.engine import Engine
from tablewright.engine.transfer import (
    Columns,
    Export,
    Lines,
    TransferError,
    dump_export,
    dump_lines,
    load,
    replace_file,
)

ITEMS: list[dict[str, Any]] = [
    {"id": {"S": "a"}, "n": {"N": "1.5"}, "b": {"B": "AAE="}, "set": {"SS": ["x", "y"]}},
    {"id": {"S": "ü"}, "m": {"M": {"l": {"L": [{"BOOL": True}, {"NULL": True}]}}}},
    {"id": {"S": "c"}},
]


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine() as opened:
        create(opened, "source")
        create(opened, "target")
        yield opened


def create(engine: Engine, name: str, key_type: str = "S") -> None:
    engine.call(
        "CreateTable",
        {
            "TableName": name,
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": key_type}],
        },
    )


def fill(engine: Engine) -> None:
    for item in ITEMS:
        engine.call("PutItem", {"TableName": "source", "Item": item})


def items(engine: Engine, table: str = "target") -> list[dict[str, Any]]:
    return sorted(engine.call("Scan", {"TableName": table})["Items"], key=json.dumps)


def write_lines(path: Path, *lines: object) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


# ---- lines -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["items.jsonl", "items.jsonl.gz"])
def test_lines_come_back_as_they_went(engine: Engine, tmp_path: Path, name: str) -> None:
    fill(engine)
    with replace_file(tmp_path / name) as output:
        assert dump_lines(engine, "source", output) == 3
    loaded = load(engine, "target", Lines([tmp_path / name]))
    assert (loaded.put, loaded.deleted) == (3, 0)
    assert items(engine) == items(engine, "source")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_items_may_be_bare_or_wrapped_and_lines_empty(engine: Engine, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "x", {"Item": ITEMS[0]}, ITEMS[2])
    path.write_text(f"\n{path.read_text()}\n   \n")
    assert load(engine, "target", Lines([path])).put == 2


def test_changes_of_an_incremental_export(engine: Engine, tmp_path: Path) -> None:
    key, other = {"id": {"S": "a"}}, {"id": {"S": "b"}}
    path = write_lines(
        tmp_path / "x",
        {"Metadata": {"WriteTimestampMicros": {"N": "1"}}, "Keys": key, "NewImage": {**key, "v": {"N": "2"}}},
        {"Keys": other, "NewImage": other},
        {"Keys": other, "OldImage": other},
        {"Keys": {"id": {"S": "never there"}}},
    )
    loaded = load(engine, "target", Lines([path]))
    assert (loaded.put, loaded.deleted) == (2, 2)
    assert items(engine) == [{"id": {"S": "a"}, "v": {"N": "2"}}]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("nonsense", "this is not JSON"),
        ("[1]", "an object is needed"),
        ('{"id": "plain"}', "this is not DynamoDB JSON"),
        ('{"Item": {"id": {"S": "a", "N": "1"}}}', "this is not DynamoDB JSON"),
        ('{"Item": {"name": {"S": "a"}}}', "Missing the key id in the item"),
        ('{"Item": {"id": {"N": "1"}}}', "Type mismatch for key id expected: S actual: N"),
        ('{"Item": {"id": {"S": ""}}}', "empty string value"),
        ('{"Item": {"id": {"S": "a"}, "n": {"N": "abc"}}}', "numeric value: abc"),
        ('{"Item": {"id": {"S": "a"}, "v": {"S": "%s"}}}' % ("x" * 410_000), "maximum allowed size"),
        ("[" * 100_000, "this is not JSON"),
    ],
)
def test_one_bad_line_undoes_everything(engine: Engine, tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(f'{{"id": {{"S": "good"}}}}\n{line}\n')
    with pytest.raises(TransferError) as caught:
        load(engine, "target", Lines([path]))
    assert complaint in caught.value.message
    assert caught.value.message.startswith(f"{path}:2: ")
    assert items(engine) == []


def test_damaged_archives_are_told(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "bad.gz"
    path.write_bytes(gzip.compress(b'{"id": {"S": "good"}}\n' * 1000)[:60])
    with pytest.raises(TransferError, match=str(path)):
        load(engine, "target", Lines([path]))
    with pytest.raises(TransferError, match="No such file"):
        Lines([tmp_path / "missing"])


def test_progress_is_told(engine: Engine, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "x", *({"id": {"S": str(number)}} for number in range(1200)))
    seen: list[tuple[int, int, int]] = []
    load(engine, "target", Lines([path]), lambda *told: seen.append(told))
    assert [told[0] for told in seen] == [500, 1000, 1200]
    size = path.stat().st_size
    assert seen[-1] == (1200, size, size)
    assert all(0 < done <= total == size for _, done, total in seen)


@given(st.lists(st.text(min_size=1, max_size=8), unique=True, max_size=5))
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    path = tmp_path_factory.mktemp("text") / "items.jsonl"
    with Engine() as engine:
        for table in ("source", "target"):
            create(engine, table)
        for name in names:
            engine.call("PutItem", {"TableName": "source", "Item": {"id": {"S": name}, "v": {"S": name}}})
        with replace_file(path) as output:
            dump_lines(engine, "source", output)
        load(engine, "target", Lines([path]))
        assert items(engine) == items(engine, "source")


# ---- files that appear -----------------------------------------------------------------------------------------------


def test_a_file_that_fails_does_not_appear(tmp_path: Path) -> None:
    def fail(path: Path) -> None:
        with replace_file(path) as output:
            output.write(b"half")
            raise ValueError

    (tmp_path / "x").write_text("before")
    with pytest.raises(ValueError):
        fail(tmp_path / "x")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"x": "before"}


# ---- exports to S3 ---------------------------------------------------------------------------------------------------


def test_exports_come_back_as_they_went(engine: Engine, tmp_path: Path) -> None:
    fill(engine)
    folder, count = dump_export(engine, "source", tmp_path)
    assert count == 3
    assert folder.parent == tmp_path / "AWSDynamoDB"
    summary = json.loads((folder / "manifest-summary.json").read_text())
    assert (summary["itemCount"], summary["outputFormat"]) == (3, "DYNAMODB_JSON")
    assert summary["tableArn"].endswith(":table/source")
    (listed,) = map(json.loads, (folder / "manifest-files.json").read_text().splitlines())
    assert listed["itemCount"] == 3
    for place in (tmp_path, folder, folder.parent):
        assert load(engine, "target", Export(place)).put == 3
        assert items(engine) == items(engine, "source")


def test_an_export_without_manifest_is_read(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write_lines(tmp_path / "data" / "one.json", {"Item": ITEMS[0]})
    (tmp_path / "data" / "two.json.gz").write_bytes(gzip.compress(json.dumps({"Item": ITEMS[1]}).encode()))
    assert load(engine, "target", Export(tmp_path)).put == 2


def test_damaged_exports_are_refused(engine: Engine, tmp_path: Path) -> None:
    fill(engine)
    folder, _ = dump_export(engine, "source", tmp_path)
    (data,) = (folder / "data").iterdir()
    data.write_bytes(gzip.compress(b'{"Item": {"id": {"S": "other"}}}\n'))
    with pytest.raises(TransferError, match="checksum"):
        load(engine, "target", Export(tmp_path))
    data.unlink()
    with pytest.raises(TransferError, match="it is not there"):
        Export(tmp_path)
    (folder / "manifest-summary.json").write_text('{"outputFormat": "ION"}')
    with pytest.raises(TransferError, match="export it as DYNAMODB_JSON"):
        Export(tmp_path)
    dump_export(engine, "source", tmp_path)
    with pytest.raises(TransferError, match="several exports"):
        Export(tmp_path)
    with pytest.raises(TransferError, match="is this an export"):
        Export(tmp_path / "elsewhere")
    assert items(engine) == []


# ---- CSV -------------------------------------------------------------------------------------------------------------


def test_csv_types_keys_as_the_table_does(engine: Engine, tmp_path: Path) -> None:
    create(engine, "numbered", "N")
    path = tmp_path / "people.csv"
    path.write_text('﻿id,name,age\n1,"Ann, ""A""",\n2,"two\nlines",7\n\n', encoding="utf-8")
    assert load(engine, "numbered", Columns(path, {"id": "N"})).put == 2
    assert items(engine, "numbered") == [
        {"id": {"N": "1"}, "name": {"S": 'Ann, "A"'}},
        {"id": {"N": "2"}, "name": {"S": "two\nlines"}, "age": {"S": "7"}},
    ]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "must name the attributes"),
        (b"id,id\n1,2\n", "must name the attributes"),
        (b"id,\n1,2\n", "must name the attributes"),
        (b"id,name\n1\n", ":2: 1 cells, but the first line names 2 attributes"),
        (b'id,name\n1,"open', "not CSV"),
        (b"id,name\n1,\xff\n", "not CSV in UTF-8"),
        (b"name\nAnn\n", "Missing the key id"),
    ],
)
def test_bad_csv_is_told(engine: Engine, tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(content)
    with pytest.raises(TransferError) as caught:
        load(engine, "target", Columns(path, {"id": "S"}))
    assert complaint in caught.value.message
    assert items(engine) == []
