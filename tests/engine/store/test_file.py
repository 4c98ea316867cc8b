"""Opening a file: in the same time whatever its size, and whatever version wrote it."""

from __future__ import annotations

import json
import random
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tablewright.engine import Engine
from tablewright.engine.inspection import inspect
from tablewright.engine.store.file import MARK
from tablewright.errors import ServiceError, TablewrightError
from tests.engine.make import create_table, put
from tests.engine.test_durability import check_file, check_totals

FORMAT_1 = Path(__file__).with_name("format_1.sql").read_text()
TABLE = {"TableName": "things"}
DAY = 86_400


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


# ---- time ------------------------------------------------------------------------------------------------------------


def fill(path: Path, rows: int, clock: Clock, until: str = "until") -> None:
    """Items in a table with a time to live, two indexes and a stream; transactions with tokens."""
    with Engine(path, clock=clock) as engine:
        create_table(
            engine,
            gsis={"owners": ("owner sk", "ALL"), "keys": ("owner", "KEYS_ONLY")},
            lsis={"local": ("pk owner", "ALL")},
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
        )
        spec = {"Enabled": True, "AttributeName": until}
        engine.call("UpdateTimeToLive", {**TABLE, "TimeToLiveSpecification": spec})
        with engine.storage.writing():
            for i in range(rows):
                put(engine, {"pk": f"p{i % 50}", "sk": f"{i:06}", "owner": f"o{i % 20}", until: clock.now + DAY * 9})
                if i % 10 == 0:
                    item = {"pk": {"S": f"t{i}"}, "sk": {"S": "x"}}
                    members = [{"Put": {**TABLE, "Item": item}}]
                    engine.call("TransactWriteItems", {"TransactItems": members, "ClientRequestToken": f"token{i}"})
        engine.expire()


@contextmanager
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many instructions SQLite runs, on every connection that is opened inside."""
    steps, connect = [0], sqlite3.connect

    def count() -> None:
        steps[0] += 1

    def connect_counting(*args: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*args, **options)
        connection.set_progress_handler(count, 1)
        return connection

    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", connect_counting)
        yield steps


def first_calls(path: Path, clock: Clock) -> None:
    """What a program does with a file that it opens, upkeep included."""
    with Engine(path, clock=clock) as engine:
        assert engine.call("ListTables", {})["TableNames"] == ["things"]
        told = engine.call("DescribeTable", TABLE)["Table"]
        assert told["ItemCount"] > 100
        clock.now += 2
        assert "Item" in engine.call("GetItem", {**TABLE, "Key": {"pk": {"S": "p7"}, "sk": {"S": "000007"}}})
        put(engine, {"pk": "new", "sk": "new"})
        members = [{"Put": {**TABLE, "Item": {"pk": {"S": "new"}, "sk": {"S": "newer"}}}}]
        engine.call("TransactWriteItems", {"TransactItems": members, "ClientRequestToken": "new"})


@pytest.mark.parametrize("until", ["until", 'it\'s "over"'])
def test_a_file_opens_in_the_same_time_whatever_its_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, until: str
) -> None:
    taken = []
    for rows in (200, 6000):
        clock = Clock()
        fill(tmp_path / f"{rows}.db", rows, clock, until)
        with counting(monkeypatch) as steps:
            first_calls(tmp_path / f"{rows}.db", clock)
        taken.append(steps[0])
    assert taken[1] < taken[0] * 1.2


def test_what_became_too_old_in_the_meantime_goes_little_by_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A day later all stream records are to go, and all items have expired a week later; the first call does a part."""
    taken = []
    for rows in (2500, 10_000):
        clock = Clock()
        fill(tmp_path / f"{rows}.db", rows, clock)
        clock.now += DAY * 10
        with counting(monkeypatch) as steps, Engine(tmp_path / f"{rows}.db", clock=clock) as engine:
            clock.now += 2
            assert engine.call("ListTables", {})["TableNames"] == ["things"]
            (stream,) = engine.call("ListStreams", {})["Streams"]
            (shard,) = engine.call("DescribeStream", {"StreamArn": stream["StreamArn"]})["StreamDescription"]["Shards"]
            where = {"StreamArn": stream["StreamArn"], "ShardId": shard["ShardId"]}
            place = engine.call("GetShardIterator", {**where, "ShardIteratorType": "TRIM_HORIZON"})
            shown = engine.call("GetRecords", place)["Records"]
        assert {record["eventName"] for record in shown} == {"REMOVE"}  # what expired now; the old ones are not shown
        taken.append(steps[0])
        with Engine(tmp_path / f"{rows}.db", clock=clock) as engine:
            for _ in range(rows // 1000 + 2):
                clock.now += 2
                engine.call("ListTables", {})
            assert engine.call("Scan", TABLE)["Count"] == rows // 10
            records = "select count(*) from records where at < ?"
            assert engine.storage.connection.execute(records, (clock.now - DAY,)).fetchone() == (0,)
    assert taken[1] < taken[0] * 1.2


@pytest.mark.skipif(sys.platform != "linux", reason="the bytes a process reads are told by Linux")
def test_no_more_is_read_than_a_few_pages(tmp_path: Path) -> None:
    clock = Clock()
    fill(tmp_path / "app.db", 6000, clock)
    size = (tmp_path / "app.db").stat().st_size
    before = bytes_read()
    first_calls(tmp_path / "app.db", clock)
    assert size > 3_000_000
    assert bytes_read() - before < 600_000


def bytes_read() -> int:
    told = Path("/proc/self/io").read_text()
    return int(told.split("rchar:")[1].split()[0])


# ---- totals ----------------------------------------------------------------------------------------------------------


def test_totals_are_those_of_counting_whatever_happens(tmp_path: Path) -> None:
    """Writes of all kinds, failed ones too, with an index that comes and goes."""
    chance = random.Random(7)
    clock = Clock()
    with Engine(tmp_path / "app.db", clock=clock) as engine:
        create_table(engine, "pk", gsis={"owners": ("owner", "ALL"), "keys": ("owner pk", ["a"])})
        engine.call(
            "UpdateTimeToLive", {**TABLE, "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "until"}}
        )
        for step in range(400):
            random_change(engine, chance, clock)
            if step % 40 == 0:
                clock.now += 5
                toggle_index(engine)
            if step % 20 == 0:
                with engine.storage.reading():
                    check_totals(engine, engine.storage.table("things"))
        told = engine.call("DescribeTable", TABLE)["Table"]
        items = engine.call("Scan", TABLE)["Items"]
        assert told["ItemCount"] == len(items)
        check_file(engine)


def random_change(engine: Engine, chance: random.Random, clock: Clock) -> None:
    keys = [{"pk": {"S": f"k{chance.randrange(30)}"}} for _ in range(3)]
    item = {**keys[0], "a": {"S": "x" * chance.randrange(300)}}
    if chance.random() < 0.7:
        item["owner"] = {"S": f"o{chance.randrange(3)}"}
    if chance.random() < 0.2:
        item["until"] = {"N": str(int(clock.now) + 3)}
    failing = {"ConditionCheck": {**TABLE, "Key": keys[1], "ConditionExpression": "attribute_exists(nothing)"}}
    calls: list[tuple[str, dict[str, Any]]] = [
        ("PutItem", {**TABLE, "Item": item}),
        ("DeleteItem", {**TABLE, "Key": keys[0]}),
        ("UpdateItem", {**TABLE, "Key": keys[0], "UpdateExpression": "REMOVE owner"}),
        (
            "UpdateItem",
            {
                **TABLE,
                "Key": keys[0],
                "UpdateExpression": "SET a = :a",
                "ExpressionAttributeValues": {":a": item["a"]},
            },
        ),
        ("TransactWriteItems", {"TransactItems": [{"Put": {**TABLE, "Item": item}}, failing]}),
        ("BatchWriteItem", {"RequestItems": {"things": [{"PutRequest": {"Item": item}}]}}),
        ("PutItem", {**TABLE, "Item": {**item, "owner": {"N": "1"}}}),
    ]
    try:
        engine.call(*chance.choice(calls))
    except ServiceError as refused:
        assert refused.name in ("TransactionCanceledException", "ValidationException")  # noqa: PT017 - which, by chance


def toggle_index(engine: Engine) -> None:
    there = any(index["IndexName"] == "later" for index in described(engine)["GlobalSecondaryIndexes"])
    create = {
        "IndexName": "later",
        "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "KEYS_ONLY"},
    }
    update = {"Delete": {"IndexName": "later"}} if there else {"Create": create}
    definitions = [{"AttributeName": "a", "AttributeType": "S"}]
    engine.call("UpdateTable", {**TABLE, "AttributeDefinitions": definitions, "GlobalSecondaryIndexUpdates": [update]})


def described(engine: Engine) -> dict[str, Any]:
    told: dict[str, Any] = engine.call("DescribeTable", TABLE)["Table"]
    return told


def test_what_is_tried_is_not_counted(engine: Engine) -> None:
    create_table(engine)
    with engine.storage.trying():
        put(engine, {"pk": "p", "sk": "s"})
        assert described(engine)["ItemCount"] == 1
    assert described(engine)["ItemCount"] == 0
    put(engine, {"pk": "p", "sk": "s"})
    assert described(engine)["ItemCount"] == 1


# ---- versions --------------------------------------------------------------------------------------------------------


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """A file as it was written before there were checksums and totals."""
    path = tmp_path / "earlier.db"
    connection = sqlite3.connect(path)
    connection.executescript(FORMAT_1)
    connection.execute(f"pragma application_id = {MARK}")
    connection.close()
    return path


def test_a_file_from_before_checksums_is_read_as_it_is(earlier: Path) -> None:
    with Engine(earlier) as engine:
        assert engine.call("ListTables", {})["TableNames"] == ["empty", "things"]
        items = engine.call("Scan", TABLE)["Items"]
        assert [(item["sk"]["N"], item["text"]["S"]) for item in items] == [(str(i), "x" * i) for i in range(6)]
        for index in ("owners", "keys"):
            assert engine.call("Scan", {**TABLE, "IndexName": index})["Count"] == 6
        told = described(engine)
        assert (told["ItemCount"], told["TableSizeBytes"]) == (6, 122)
        assert [index["ItemCount"] for index in told["GlobalSecondaryIndexes"]] == [6, 6]
        assert engine.call("DescribeTable", {"TableName": "empty"})["Table"]["ItemCount"] == 0


def test_it_gains_checksums_as_it_is_written(earlier: Path) -> None:
    with Engine(earlier) as engine:
        put(engine, *({"pk": "p", "sk": i, "owner": f"o{i}", "text": "new"} for i in range(6)))
        put(engine, {"pk": "q", "sk": 1, "owner": "o1"})
        with engine.storage.reading():
            table = engine.storage.table("things")
        have = "select count(*), count(crc) from"
        assert engine.storage.connection.execute(f"{have} t{table.id}").fetchone() == (7, 7)
        assert engine.storage.connection.execute(f"{have} t{table.id}_0").fetchone() == (7, 7)
        assert described(engine)["ItemCount"] == 7
        engine.call("DeleteItem", {**TABLE, "Key": {"pk": {"S": "q"}, "sk": {"N": "1"}}})
        assert described(engine)["ItemCount"] == 6
        create_table(engine, name="young")
        put(engine, {"pk": "p", "sk": "s"}, table="young")
    with Engine(earlier) as engine:
        assert described(engine)["ItemCount"] == 6
        with engine.storage.reading():
            assert [engine.storage.table(name).sealed for name in ("things", "young")] == [False, True]
            for name in ("things", "young"):
                check_totals(engine, engine.storage.table(name))


def test_it_opens_in_the_same_time_too(earlier: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    larger = tmp_path / "larger.db"
    larger.write_bytes(earlier.read_bytes())
    connection = sqlite3.connect(larger)
    more = "with recursive n(i) as (select 10 union all select i + 1 from n where i < 20000)"
    connection.execute(f"insert into t1 {more} select i, cast(i as blob), h, item, size from n, t1 where t1.id = 1")
    connection.commit()
    connection.close()
    taken = []
    for path in (earlier, larger):
        with counting(monkeypatch) as steps, Engine(path) as engine:
            engine.call("ListTables", {})
        taken.append(steps[0])
    assert taken[1] < taken[0] * 1.2


def test_transactions_from_before_are_not_made_again(earlier: Path) -> None:
    clock = Clock()
    put_new = {"Put": {**TABLE, "Item": {"pk": {"S": "q"}, "sk": {"N": "1"}}}}
    connection = sqlite3.connect(earlier)
    row = ("once", clock.now - 60, json.dumps([put_new], separators=(",", ":")).encode(), b'{"things":2.0}')
    connection.execute("insert into tokens values (?, ?, ?, ?)", row)
    connection.commit()
    connection.close()
    with Engine(earlier, clock=clock) as engine:
        engine.call("TransactWriteItems", {"ClientRequestToken": "once", "TransactItems": [put_new]})
        assert engine.call("Scan", TABLE)["Count"] == 6
        assert list(inspect(engine)) == []


def test_stream_records_from_before_are_read(earlier: Path) -> None:
    clock = Clock()
    clock.now = 1_794_762_700.0
    with Engine(earlier, clock=clock) as engine:
        (stream,) = engine.call("ListStreams", {})["Streams"]
        arn = {"StreamArn": stream["StreamArn"]}
        (shard,) = engine.call("DescribeStream", arn)["StreamDescription"]["Shards"]
        wanted = {**arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
        assert len(engine.call("GetRecords", engine.call("GetShardIterator", wanted))["Records"]) == 6


@pytest.mark.parametrize(
    "values", ["data = x'7b'", "data = x'7b7d'", "data = x'5b5d'", "data = 'text'", "at = 'then'", "data = 5"]
)
def test_damage_in_stream_records_from_before_is_told_where_it_shows(earlier: Path, values: str) -> None:
    connection = sqlite3.connect(earlier)
    connection.execute(f"update records set {values} where seq = 1")
    connection.commit()
    connection.close()
    clock = Clock()
    clock.now = 1_794_762_700.0
    with Engine(earlier, clock=clock) as engine:
        assert any("record 1 of stream" in fault for fault in inspect(engine))
        (stream,) = engine.call("ListStreams", {})["Streams"]
        with pytest.raises(TablewrightError, match=r"record 1 of stream .*damaged"):
            engine.call("DescribeStream", {"StreamArn": stream["StreamArn"]})


def test_records_that_are_added_to_it_must_have_checksums(earlier: Path) -> None:
    clock = Clock()
    clock.now = 1_794_762_700.0
    with Engine(earlier, clock=clock) as engine:
        put(engine, {"pk": "p", "sk": 9})
        engine.storage.connection.execute("update records set crc = null where seq = 7")
        assert any("record 7 of stream" in fault for fault in inspect(engine))
