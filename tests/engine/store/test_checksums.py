"""Damage in the file: it is reported with table and key, and nothing damaged is given out."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.cli.main import main
from tablewright.engine import Engine
from tablewright.engine.server import serve
from tablewright.engine.simulation.clock import Clock
from tablewright.errors import TablewrightError
from tablewright.wire.keys import key_bytes, shown_key
from tests.engine.make import create_table, put
from tests.engine.wire import Client

TABLE = {"TableName": "things"}
MARK = b"the text that will be damaged"
KEY = {"pk": {"S": "p3"}, "sk": {"N": "-30"}}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("GetItem", {**TABLE, "Key": KEY}),
    ("BatchGetItem", {"RequestItems": {"things": {"Keys": [KEY]}}}),
    ("TransactGetItems", {"TransactItems": [{"Get": {**TABLE, "Key": KEY}}]}),
    ("Query", {**TABLE, "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "p3"}}}),
    ("Scan", TABLE),
    ("Scan", {**TABLE, "IndexName": "owners"}),
    ("Scan", {**TABLE, "IndexName": "keys"}),
    ("Scan", {**TABLE, "IndexName": "local"}),
    ("ExecuteStatement", {"Statement": "SELECT * FROM things WHERE pk = 'p3'"}),
    ("UpdateItem", {**TABLE, "Key": KEY, "UpdateExpression": "SET a = pk"}),
    ("DeleteItem", {**TABLE, "Key": KEY}),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with seven items, one of which has the text that is looked for, and their entries in three indexes."""
    path = tmp_path / "app.db"
    with Engine(path) as engine:
        create_table(
            engine,
            types={"sk": "N"},
            gsis={"owners": ("owner", "ALL"), "keys": ("owner,pk sk", "KEYS_ONLY")},
            lsis={"local": ("pk owner", "ALL")},
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
        )
        items = [{"pk": f"p{i}", "sk": i * -10, "owner": f"owner{i % 2}", "text": f"text {i}"} for i in range(7)]
        items[3]["text"] = MARK.decode()
        put(engine, *items)
    return path


def damage(path: Path, old: bytes, new: bytes) -> None:
    """What a bad disk does: other bytes in place of those that were written."""
    content = path.read_bytes()
    assert old in content
    assert len(old) == len(new)
    path.write_bytes(content.replace(old, new))


def assert_reported(told: str) -> None:
    assert "damaged" in told
    assert "table 'things' with pk 'p3', sk -30" in told


@pytest.mark.parametrize(("action", "params"), CALLS)
def test_a_flipped_bit_is_reported_with_table_and_key(path: Path, action: str, params: dict[str, Any]) -> None:
    damage(path, MARK, MARK.replace(b"will", b"whll"))
    with Engine(path) as engine:
        with pytest.raises(TablewrightError) as refused:
            engine.call(action, params)
        assert_reported(refused.value.message)
        assert str(path) in refused.value.message
        whole = engine.call("GetItem", {**TABLE, "Key": {"pk": {"S": "p4"}, "sk": {"N": "-40"}}})
        assert whole["Item"]["text"] == {"S": "text 4"}


def test_clients_of_a_server_hear_of_it(path: Path) -> None:
    damage(path, MARK, MARK.replace(b"will", b"whll"))
    with Engine(path) as engine, serve(engine) as server, Client(server.port) as client:
        reply = client.call("GetItem", {**TABLE, "Key": KEY})
        assert reply.status == 500
        assert reply.json()["__type"].endswith("#InternalServerError")
        assert_reported(reply.json()["message"])
        assert MARK[:5] not in reply.body


def test_exports_and_new_indexes_do_not_pass_it_on(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damage(path, MARK, MARK.replace(b"will", b"whll"))
    target = path.with_name("out.jsonl")
    assert main(["engine", "export", "things", str(target), "--file", str(path)]) == 1
    assert_reported(capsys.readouterr().err)
    assert not target.exists()
    create = {
        "IndexName": "texts",
        "KeySchema": [{"AttributeName": "text", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    }
    text = [{"AttributeName": "text", "AttributeType": "S"}]
    changed = {**TABLE, "AttributeDefinitions": text, "GlobalSecondaryIndexUpdates": [{"Create": create}]}
    with Engine(path) as engine, pytest.raises(TablewrightError) as refused:
        engine.call("UpdateTable", changed)
    assert_reported(refused.value.message)


def change(path: Path, statement: str, *values: Any) -> None:
    """The same in columns that cannot be found by their bytes."""
    with sqlite3.connect(path) as connection:
        assert connection.execute(statement, values).rowcount == 1
    connection.close()


@pytest.mark.parametrize(
    "statement",
    [
        "update t1 set size = size + 1 where id = 4",
        "update t1 set crc = crc + 1 where id = 4",
        "update t1 set crc = null where id = 4",
        "update t1 set item = cast(item as text) where id = 4",
        "update t1 set item = (select item from t1 where id = 5) where id = 4",
        "update t1 set size = 'much' where id = 4",
    ],
)
def test_every_column_of_an_item_counts(path: Path, statement: str) -> None:
    change(path, statement)
    with Engine(path) as engine:
        for action, params in CALLS:
            with pytest.raises(TablewrightError) as refused:
                engine.call(action, params)
            assert_reported(refused.value.message)


@pytest.mark.parametrize(
    "statement",
    [
        "update t1_1 set size = size + 1 where id = 4",
        "update t1_1 set gr = x'01' where id = 4",
        "update t1_1 set crc = null where id = 4",
    ],
)
def test_every_column_of_an_entry_counts(path: Path, statement: str) -> None:
    change(path, statement)
    with Engine(path) as engine:
        with pytest.raises(TablewrightError) as refused:
            engine.call("Scan", {**TABLE, "IndexName": "owners"})
        assert_reported(refused.value.message)
        assert "index 'owners'" in refused.value.message
        assert engine.call("Scan", TABLE)["Count"] == 7


@pytest.mark.parametrize(
    "statement",
    [
        "delete from t1 where id = 4",
        "update t1_1 set id = 5 where id = 4",
        "update t1_1 set id = 500 where id = 4",
    ],
)
def test_an_entry_that_leads_elsewhere_is_not_followed(path: Path, statement: str) -> None:
    change(path, statement)
    with Engine(path) as engine, pytest.raises(TablewrightError) as refused:
        engine.call("Scan", {**TABLE, "IndexName": "owners"})
    assert_reported(refused.value.message)


def read_stream(engine: Engine) -> None:
    (stream,) = engine.call("ListStreams", {})["Streams"]
    arn = {"StreamArn": stream["StreamArn"]}
    (shard,) = engine.call("DescribeStream", arn)["StreamDescription"]["Shards"]
    wanted = {**arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
    engine.call("GetRecords", engine.call("GetShardIterator", wanted))


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("update tables set data = replace(data, 'things', 'thongs')", "the description of table 'things'"),
        ("update streams set data = replace(data, 'KEYS', 'KEES')", "the description of stream 'things/stream/"),
        ("update records set data = replace(data, 'p3', 'p4') where seq = 4", "record 4 of stream 'things/stream/"),
    ],
)
def test_descriptions_and_stream_records_have_checksums_too(path: Path, statement: str, told: str) -> None:
    change(path, statement)
    with Engine(path) as engine, pytest.raises(TablewrightError, match="damaged") as refused:
        read_stream(engine)
    assert told in refused.value.message
    assert str(path) in refused.value.message


def loosen(path: Path, rule: str) -> None:
    """Damage writes what the schema forbids: such rows are made by a schema that allows them for a while."""
    connection = sqlite3.connect(path)
    connection.execute("pragma writable_schema = 1")
    connection.execute("update sqlite_master set sql = replace(sql, ?, ?) where name = 'records'", (rule, rule[:-9]))
    connection.commit()
    connection.close()


@pytest.mark.parametrize("record", [1, 4])
@pytest.mark.parametrize(
    "values",
    [
        "data = null, crc = null",
        "data = null",
        "data = 5",
        "data = 'text', crc = null",
        "data = x'7b7d', crc = null",
        "crc = null",
        "at = null",
        "at = null, crc = null",
        "at = 'then'",
        "at = x'00'",
        "at = at + 1",
        "at = at - 90000",
    ],
)
def test_no_column_of_a_stream_record_is_used_before_its_checksum(
    path: Path, capsys: pytest.CaptureFixture[str], record: int, values: str
) -> None:
    for rule in ("data blob not null", "at real not null"):
        loosen(path, rule)
    change(path, f"update records set {values} where seq = {record}")
    with Engine(path) as engine, pytest.raises(TablewrightError, match=f"record {record} of stream .*damaged"):
        read_stream(engine)
    assert f"record {record} of stream" in check(path, capsys)


@pytest.mark.parametrize("values", ["at = null", "at = 'then'", "data = null, crc = null"])
def test_damaged_stream_records_do_not_disturb_calls_that_need_none(path: Path, values: str) -> None:
    """Old records are looked for in passing."""
    for rule in ("data blob not null", "at real not null"):
        loosen(path, rule)
    change(path, f"update records set {values} where seq = 1")
    clock = Clock(time.time())
    with Engine(path, clock=clock) as engine:
        clock.step(days=2)
        assert engine.call("Scan", TABLE)["Count"] == 7


def test_the_number_of_the_last_record_may_be_damaged_too(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(path, "update sqlite_sequence set seq = 'many' where name = 'records'")
    assert "the number of the last stream record is damaged" in check(path, capsys)


# ---- tokens ----------------------------------------------------------------------------------------------------------

ADD = {
    **TABLE,
    "Key": KEY,
    "UpdateExpression": "ADD hits :one",
    "ExpressionAttributeValues": {":one": {"N": "1"}},
}
ONCE = {"ClientRequestToken": "once", "ReturnConsumedCapacity": "TOTAL", "TransactItems": [{"Update": ADD}]}
TOKEN_DAMAGE = [
    "update tokens set reply = cast(replace(reply, '2.0', '9.0') as blob)",
    "update tokens set reply = cast('{\"Con' as blob)",
    "update tokens set request = cast(replace(request, 'hits', 'hots') as blob)",
    "update tokens set request = 7",
    "update tokens set token = 'onse'",
    "update tokens set token = x'6f6e6365'",
    "update tokens set at = at - 700",
    "update tokens set at = 'then'",
    "update tokens set crc = null",
    "update tokens set mark = mark + 1",
]


def hits(engine: Engine) -> str:
    found: str = engine.call("GetItem", {**TABLE, "Key": KEY})["Item"]["hits"]["N"]
    return found


@pytest.mark.parametrize("statement", TOKEN_DAMAGE)
def test_a_damaged_token_neither_answers_nor_repeats_a_write(
    path: Path, capsys: pytest.CaptureFixture[str], statement: str
) -> None:
    with Engine(path) as engine:
        engine.call("TransactWriteItems", ONCE)
    change(path, statement)
    with Engine(path) as engine:
        engine.call("TransactWriteItems", {**ONCE, "ClientRequestToken": "another"})  # old ones go with this
        assert hits(engine) == "2"
        with pytest.raises(TablewrightError, match=r"the transaction with token .*damaged") as refused:
            engine.call("TransactWriteItems", ONCE)
        assert str(path) in refused.value.message
        assert hits(engine) == "2"
    assert "the transaction with token" in check(path, capsys)


def test_whole_tokens_are_known_and_go_after_ten_minutes(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with Engine(path, clock=clock) as engine:
        engine.call("TransactWriteItems", ONCE)
        again = engine.call("TransactWriteItems", ONCE)
        assert (again["ConsumedCapacity"][0]["CapacityUnits"], hits(engine)) == (2, "1")
        clock.step(601)
        engine.call("TransactWriteItems", {**ONCE, "ClientRequestToken": "another"})
        assert engine.storage.connection.execute("select token from tokens").fetchall() == [("another",)]
        engine.call("TransactWriteItems", ONCE)
        assert hits(engine) == "3"
    assert check(path, capsys) == ""


def test_two_tokens_may_have_the_same_mark(path: Path) -> None:
    """Of texts of 32 bits or more, some share their checksum: 'plumless' and 'buckeroo' do."""
    with Engine(path) as engine:
        for token in ("plumless", "buckeroo", "plumless"):
            engine.call("TransactWriteItems", {**ONCE, "ClientRequestToken": token})
        assert engine.storage.connection.execute("select count(*), count(distinct mark) from tokens").fetchone() == (
            2,
            1,
        )
        assert hits(engine) == "2"


@pytest.mark.parametrize("letter", [b"\xac", b"q"])
def test_a_damaged_schema_is_told_as_such(path: Path, capsys: pytest.CaptureFixture[str], letter: bytes) -> None:
    damage(
        path, b"primary key (gh, gr, h, r)) without rowid", b"primary key (gh, gr, h, r)) without" + letter + b"rowid"
    )
    assert main(["engine", "tables", "--file", str(path)]) == 1
    said = capsys.readouterr()
    assert "use a copy" in said.err or "malformed" in said.err
    assert said.err.count("\n") == 1


def answers(engine: Engine) -> Iterator[list[dict[str, Any]] | None]:
    """The items of every way to read them; None where damage is reported."""
    for action, params in CALLS[:9]:
        try:
            reply = engine.call(action, params)
        except TablewrightError:
            yield None
        else:
            found = reply.get("Items") or reply.get("Responses", {"things": []})
            several = found["things"] if isinstance(found, dict) else found
            yield [each.get("Item", each) for each in several] + ([reply["Item"]] if "Item" in reply else [])


def test_no_flipped_bit_anywhere_makes_a_wrong_item(path: Path) -> None:
    """A bit here and there in the whole file: an item is as it was written, or not there, or damage is reported."""
    content = path.read_bytes()
    with Engine(path) as engine:
        right = [{json.dumps(item) for item in found or ()} for found in answers(engine)]
    content = path.read_bytes()
    assert all(right)
    reported = 0
    for place in range(100, len(content), 617):
        path.write_bytes(content[:place] + bytes([content[place] ^ (1 << place % 8)]) + content[place + 1 :])
        for beside in ("-wal", "-shm"):
            path.with_name(f"{path.name}{beside}").unlink(missing_ok=True)
        try:
            with Engine(path) as engine:
                found = list(answers(engine))
        except TablewrightError:
            reported += 1
            continue
        reported += None in found
        for items, wanted in zip(found, right, strict=True):
            assert {json.dumps(item) for item in items or ()} <= wanted, f"byte {place}"
    assert reported


# ---- looking through a file ------------------------------------------------------------------------------------------


def check(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    status = main(["engine", "check", "--file", str(path)])
    said = capsys.readouterr()
    assert (status == 0) == (said.out == "")
    return said.out


def test_a_whole_file_is_well(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(path, capsys) == ""
    assert main(["engine", "check", "--file", str(path)]) == 0
    assert "no damage" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("update t1 set item = replace(item, 'will', 'whll') where id = 4", "with pk 'p3', sk -30 is damaged"),
        ("update t1_1 set gh = x'0102030405060708' where id = 4", "the entry in index 'owners' of the item of table"),
        ("delete from t1_1 where id = 4", "pk 'p3', sk -30 is missing"),
        ("delete from t1 where id = 4", "pk 'p3', sk -30 leads to no item"),
        ("update totals set items = 9 where slot = -1", "the items of table 'things' are 7, but 9 are told"),
        ("update records set at = at + 1 where seq = 2", "record 2 of stream"),
        ("update tables set data = x'00'", "the description of table 'things' is damaged"),
    ],
)
def test_damage_is_found_wherever_it_is(
    path: Path, capsys: pytest.CaptureFixture[str], statement: str, told: str
) -> None:
    change(path, statement)
    assert told in check(path, capsys)


def test_pages_that_are_overwritten(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    connection = sqlite3.connect(path)
    (page,) = connection.execute("select rootpage from sqlite_master where name = 't1'").fetchone()
    connection.close()
    content = bytearray(path.read_bytes())
    content[4096 * (page - 1) : 4096 * page] = b"\xff" * 4096
    path.write_bytes(content)
    told = check(path, capsys)
    assert "SQLite" in told
    assert "leads to no item" not in told  # nobody can tell


# ---- keys in words ---------------------------------------------------------------------------------------------------

NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=5, min_value=-(10**20), max_value=10**20)


@given(NUMBERS)
def test_numbers_are_shown_as_they_are(number: Decimal) -> None:
    assert Decimal(shown_key(key_bytes(number), "N")) == number


@pytest.mark.parametrize(
    ("key", "kind", "shown"),
    [
        (b"a'b", "S", '"a\'b"'),
        (b"\xff", "S", r"'\\xff'"),
        (b"\x00\x01", "B", "0x0001"),
        (b"\x03", "N", "0x03"),
        (b"\x01\x7d", "N", "0x017d"),
        (b"\x03\x82\xff", "N", "0x0382ff"),
        (b"", "N", "0x"),
        ("text", "S", "'text'"),
        (None, "N", "None"),
    ],
)
def test_damaged_keys_are_shown_as_far_as_possible(key: Any, kind: str, shown: str) -> None:
    assert shown_key(key, kind) == shown
