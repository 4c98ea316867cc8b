from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tablewright.engine import Engine
from tablewright.engine.simulation import Clock
from tablewright.errors import ServiceError
from tests.engine.make import create_table


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def engine(clock: Clock) -> Iterator[Engine]:
    with Engine(clock=clock) as made:
        yield made


ITEM = {"pk": {"S": "a"}, "n": {"N": "1"}}


def streaming(view: str) -> dict[str, Any]:
    return {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": view}}


@pytest.fixture
def arn(engine: Engine) -> str:
    return stream_of(engine, "NEW_AND_OLD_IMAGES")


def stream_of(engine: Engine, view: str, keys: str = "pk", name: str = "songs", **more: Any) -> str:
    create_table(engine, keys, name=name, **streaming(view), **more)
    return engine.call("DescribeTable", {"TableName": name})["Table"]["LatestStreamArn"]


def put(engine: Engine, item: dict[str, Any], table: str = "songs") -> None:
    engine.call("PutItem", {"TableName": table, "Item": item})


def shard_of(engine: Engine, arn: str) -> dict[str, Any]:
    (shard,) = engine.call("DescribeStream", {"StreamArn": arn})["StreamDescription"]["Shards"]
    return shard


def iterator(engine: Engine, arn: str, kind: str = "TRIM_HORIZON", **more: Any) -> str:
    params = {"StreamArn": arn, "ShardId": shard_of(engine, arn)["ShardId"], "ShardIteratorType": kind, **more}
    return engine.call("GetShardIterator", params)["ShardIterator"]


def read(engine: Engine, iterator: str, **more: Any) -> dict[str, Any]:
    return engine.call("GetRecords", {"ShardIterator": iterator, **more})


def records(engine: Engine, arn: str) -> list[dict[str, Any]]:
    return read(engine, iterator(engine, arn))["Records"]


def refused(engine: Engine, action: str, params: dict[str, Any]) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        engine.call(action, params)
    return caught.value


# ---- records -----------------------------------------------------------------------------------------------------


def test_a_change_of_each_kind_is_recorded(engine: Engine, arn: str) -> None:
    put(engine, ITEM)
    put(engine, {"pk": {"S": "a"}, "n": {"N": "2"}})
    engine.call("DeleteItem", {"TableName": "songs", "Key": {"pk": {"S": "a"}}})
    found = records(engine, arn)
    assert [record["eventName"] for record in found] == ["INSERT", "MODIFY", "REMOVE"]
    images = [(r["dynamodb"].get("OldImage"), r["dynamodb"].get("NewImage")) for r in found]
    changed = {"pk": {"S": "a"}, "n": {"N": "2"}}
    assert images == [(None, ITEM), (ITEM, changed), (changed, None)]


def test_a_record_has_everything_that_readers_know(engine: Engine, arn: str, clock: Clock) -> None:
    clock.step(1.75)
    put(engine, ITEM)
    (record,) = records(engine, arn)
    inside = record["dynamodb"]
    assert record["eventVersion"] == "1.1"
    assert record["eventSource"] == "aws:dynamodb"
    assert record["awsRegion"] == "us-east-1"
    assert len(record["eventID"]) == 32
    assert "userIdentity" not in record
    assert inside["Keys"] == {"pk": {"S": "a"}}
    assert inside["StreamViewType"] == "NEW_AND_OLD_IMAGES"
    assert inside["ApproximateCreationDateTime"] == int(clock())
    assert inside["SequenceNumber"].isdecimal()
    assert 21 <= len(inside["SequenceNumber"]) <= 40


def test_sizes_are_those_of_keys_and_images(engine: Engine) -> None:
    """The service's own documentation has these three records with these sizes."""
    arn = stream_of(engine, "NEW_AND_OLD_IMAGES", "Id", "docs", types={"Id": "N"})
    key = {"Id": {"N": "101"}}
    put(engine, {**key, "Message": {"S": "New item!"}}, "docs")
    put(engine, {**key, "Message": {"S": "This item has changed"}}, "docs")
    engine.call("DeleteItem", {"TableName": "docs", "Key": key})
    assert [record["dynamodb"]["SizeBytes"] for record in records(engine, arn)] == [26, 59, 38]


@pytest.mark.parametrize(
    ("view", "images"),
    [
        ("KEYS_ONLY", set()),
        ("NEW_IMAGE", {"NewImage"}),
        ("OLD_IMAGE", {"OldImage"}),
        ("NEW_AND_OLD_IMAGES", {"NewImage", "OldImage"}),
    ],
)
def test_the_view_type_decides_on_images(engine: Engine, view: str, images: set[str]) -> None:
    arn = stream_of(engine, view)
    put(engine, ITEM)
    put(engine, {**ITEM, "n": {"N": "2"}})
    modified = records(engine, arn)[1]["dynamodb"]
    assert {name for name in modified if name.endswith("Image")} == images
    assert modified["Keys"] == {"pk": {"S": "a"}}


def test_a_write_that_changes_nothing_leaves_no_record(engine: Engine, arn: str) -> None:
    put(engine, ITEM)
    put(engine, ITEM)
    engine.call("DeleteItem", {"TableName": "songs", "Key": {"pk": {"S": "nobody"}}})
    assert len(records(engine, arn)) == 1


def test_true_and_one_are_different_values(engine: Engine, arn: str) -> None:
    put(engine, {"pk": {"S": "a"}, "n": {"N": "1"}})
    put(engine, {"pk": {"S": "a"}, "n": {"BOOL": True}})
    assert len(records(engine, arn)) == 2


def test_a_refused_write_leaves_no_record(engine: Engine, arn: str) -> None:
    condition = {"ConditionExpression": "attribute_exists(pk)"}
    refused(engine, "PutItem", {"TableName": "songs", "Item": ITEM, **condition})
    assert records(engine, arn) == []


# ---- reading -----------------------------------------------------------------------------------------------------


def test_reading_goes_on_where_it_stopped(engine: Engine, arn: str) -> None:
    for number in range(5):
        put(engine, {"pk": {"S": str(number)}})
    first = read(engine, iterator(engine, arn), Limit=2)
    second = read(engine, first["NextShardIterator"])
    keys = [record["dynamodb"]["Keys"]["pk"]["S"] for record in first["Records"] + second["Records"]]
    assert keys == ["0", "1", "2", "3", "4"]
    assert read(engine, second["NextShardIterator"])["Records"] == []


def test_latest_sees_only_what_follows(engine: Engine, arn: str) -> None:
    put(engine, {"pk": {"S": "before"}})
    place = iterator(engine, arn, "LATEST")
    assert read(engine, place)["Records"] == []
    put(engine, {"pk": {"S": "after"}})
    (record,) = read(engine, place)["Records"]
    assert record["dynamodb"]["Keys"] == {"pk": {"S": "after"}}


def test_iterators_by_sequence_number(engine: Engine, arn: str) -> None:
    for number in range(3):
        put(engine, {"pk": {"S": str(number)}})
    numbers = [record["dynamodb"]["SequenceNumber"] for record in records(engine, arn)]
    at = read(engine, iterator(engine, arn, "AT_SEQUENCE_NUMBER", SequenceNumber=numbers[1]))
    after = read(engine, iterator(engine, arn, "AFTER_SEQUENCE_NUMBER", SequenceNumber=numbers[1]))
    assert [record["dynamodb"]["SequenceNumber"] for record in at["Records"]] == numbers[1:]
    assert [record["dynamodb"]["SequenceNumber"] for record in after["Records"]] == numbers[2:]


def test_the_shard_begins_with_its_first_record(engine: Engine, arn: str) -> None:
    put(engine, ITEM)
    start = shard_of(engine, arn)["SequenceNumberRange"]["StartingSequenceNumber"]
    assert len(read(engine, iterator(engine, arn, "AT_SEQUENCE_NUMBER", SequenceNumber=start))["Records"]) == 1


def test_iterators_by_time(engine: Engine, arn: str, clock: Clock) -> None:
    put(engine, {"pk": {"S": "early"}})
    moment = clock.step(minutes=5)
    put(engine, {"pk": {"S": "late"}})
    (record,) = read(engine, iterator(engine, arn, "AT_TIMESTAMP", Timestamp=moment))["Records"]
    assert record["dynamodb"]["Keys"] == {"pk": {"S": "late"}}


def test_a_reply_holds_a_megabyte(engine: Engine, arn: str) -> None:
    for number in range(4):
        put(engine, {"pk": {"S": str(number)}, "data": {"S": "x" * 390_000}})
    first = read(engine, iterator(engine, arn))
    assert len(first["Records"]) == 2
    assert len(read(engine, first["NextShardIterator"])["Records"]) == 2


# ---- time --------------------------------------------------------------------------------------------------------


def test_iterators_expire_after_a_quarter_of_an_hour(engine: Engine, arn: str, clock: Clock) -> None:
    place = iterator(engine, arn)
    clock.step(minutes=15)
    read(engine, place)
    clock.step(1)
    assert refused(engine, "GetRecords", {"ShardIterator": place}).name == "ExpiredIteratorException"


def test_records_are_kept_for_a_day(engine: Engine, arn: str, clock: Clock) -> None:
    put(engine, {"pk": {"S": "old"}})
    clock.step(hours=12)
    put(engine, {"pk": {"S": "new"}})
    old, new = records(engine, arn)
    clock.step(hours=13)
    place = iterator(engine, arn)
    assert read(engine, place)["Records"] == [new]
    number = old["dynamodb"]["SequenceNumber"]
    params = {"StreamArn": arn, "ShardId": shard_of(engine, arn)["ShardId"], "SequenceNumber": number}
    fault = refused(engine, "GetShardIterator", {**params, "ShardIteratorType": "AT_SEQUENCE_NUMBER"})
    assert fault.name == "TrimmedDataAccessException"
    assert len(read(engine, iterator(engine, arn, "AFTER_SEQUENCE_NUMBER", SequenceNumber=number))["Records"]) == 1
    assert shard_of(engine, arn)["SequenceNumberRange"]["StartingSequenceNumber"] > number


def test_an_iterator_may_lose_its_record(engine: Engine, arn: str, clock: Clock) -> None:
    put(engine, ITEM)
    clock.step(hours=24)
    place = iterator(engine, arn)
    clock.step(minutes=10)
    assert refused(engine, "GetRecords", {"ShardIterator": place}).name == "TrimmedDataAccessException"


def test_old_records_leave_the_file(engine: Engine, arn: str, clock: Clock) -> None:
    put(engine, ITEM)
    clock.step(hours=25)
    engine.call("ListTables", {})
    assert engine.storage.connection.execute("select count(*) from records").fetchone() == (0,)
    assert records(engine, arn) == []


# ---- streams that ended ------------------------------------------------------------------------------------------


def test_a_disabled_stream_can_be_read_to_its_end(engine: Engine, arn: str) -> None:
    put(engine, ITEM)
    engine.call("UpdateTable", {"TableName": "songs", "StreamSpecification": {"StreamEnabled": False}})
    put(engine, {**ITEM, "n": {"N": "2"}})
    described = engine.call("DescribeStream", {"StreamArn": arn})["StreamDescription"]
    assert described["StreamStatus"] == "DISABLED"
    assert "EndingSequenceNumber" in described["Shards"][0]["SequenceNumberRange"]
    reply = read(engine, iterator(engine, arn))
    assert len(reply["Records"]) == 1
    assert "NextShardIterator" not in reply


def test_a_stream_outlives_its_table_by_a_day(engine: Engine, arn: str, clock: Clock) -> None:
    put(engine, ITEM)
    engine.call("DeleteTable", {"TableName": "songs"})
    assert len(records(engine, arn)) == 1
    clock.step(hours=25)
    assert engine.call("ListStreams", {}) == {"Streams": []}
    fault = refused(engine, "DescribeStream", {"StreamArn": arn})
    assert (fault.name, fault.service_message) == (
        "ResourceNotFoundException",
        f"Requested resource not found: Stream: {arn} not found",
    )


def test_a_stream_that_is_switched_on_again_is_a_new_one(engine: Engine, arn: str, clock: Clock) -> None:
    put(engine, ITEM)
    engine.call("UpdateTable", {"TableName": "songs", "StreamSpecification": {"StreamEnabled": False}})
    clock.step(1)
    engine.call("UpdateTable", {"TableName": "songs", **streaming("KEYS_ONLY")})
    put(engine, {**ITEM, "n": {"N": "2"}})
    arns = [stream["StreamArn"] for stream in engine.call("ListStreams", {"TableName": "songs"})["Streams"]]
    assert arns[0] == arn
    assert [len(records(engine, each)) for each in arns] == [1, 1]


# ---- listing and describing --------------------------------------------------------------------------------------


def test_streams_are_listed_in_pages(engine: Engine) -> None:
    for name in ("one", "two", "three"):
        stream_of(engine, "KEYS_ONLY", name=name)
    create_table(engine, name="none")
    first = engine.call("ListStreams", {"Limit": 2})
    rest = engine.call("ListStreams", {"ExclusiveStartStreamArn": first["LastEvaluatedStreamArn"]})
    assert "LastEvaluatedStreamArn" not in rest
    names = [stream["TableName"] for stream in first["Streams"] + rest["Streams"]]
    assert names == ["one", "three", "two"]
    assert engine.call("ListStreams", {"TableName": "none"}) == {"Streams": []}


def test_a_description_has_everything(engine: Engine, arn: str, clock: Clock) -> None:
    described = engine.call("DescribeStream", {"StreamArn": arn})["StreamDescription"]
    shard = described.pop("Shards")[0]
    assert described == {
        "StreamArn": arn,
        "StreamLabel": arn.rpartition("/")[2],
        "StreamStatus": "ENABLED",
        "StreamViewType": "NEW_AND_OLD_IMAGES",
        "CreationRequestDateTime": clock(),
        "TableName": "songs",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    }
    assert 28 <= len(shard["ShardId"]) <= 65
    assert "EndingSequenceNumber" not in shard["SequenceNumberRange"]


def test_shards_behind_a_start(engine: Engine, arn: str) -> None:
    shard = shard_of(engine, arn)["ShardId"]
    for start in (shard, "z" * 40):
        described = engine.call("DescribeStream", {"StreamArn": arn, "ExclusiveStartShardId": start})
        assert described["StreamDescription"]["Shards"] == []


# ---- refusals ----------------------------------------------------------------------------------------------------

BAD_ARN = "x" * 50
SHARD = "shardId-00000000000000000000-00000000"
ANY_NUMBER = "1" * 21


@pytest.mark.parametrize(
    ("action", "params"),
    [
        ("DescribeStream", {"StreamArn": BAD_ARN}),
        ("ListStreams", {"ExclusiveStartStreamArn": BAD_ARN}),
        ("ListStreams", {"Limit": 0}),
        ("ListStreams", {"Limit": 101}),
        ("GetShardIterator", {"StreamArn": BAD_ARN, "ShardId": SHARD, "ShardIteratorType": "LATEST"}),
        ("GetRecords", {"ShardIterator": "nonsense"}),
        ("GetRecords", {"ShardIterator": "arn|1|AAAA"}),
        ("GetRecords", {"ShardIterator": "arn|1|é"}),
        ("GetRecords", {"ShardIterator": "x", "Limit": 1001}),
    ],
)
def test_what_cannot_be_is_refused(engine: Engine, action: str, params: dict[str, Any]) -> None:
    assert refused(engine, action, params).name == "ValidationException"


@pytest.mark.parametrize(
    "params",
    [
        {"ShardIteratorType": "AT_SEQUENCE_NUMBER"},
        {"ShardIteratorType": "AFTER_SEQUENCE_NUMBER"},
        {"ShardIteratorType": "LATEST", "SequenceNumber": ANY_NUMBER},
        {"ShardIteratorType": "TRIM_HORIZON", "SequenceNumber": ANY_NUMBER},
        {"ShardIteratorType": "AT_SEQUENCE_NUMBER", "SequenceNumber": "x" * 21},
        {"ShardIteratorType": "somewhere"},
        {"ShardIteratorType": "AT_TIMESTAMP"},
    ],
)
def test_the_type_of_iterator_must_fit(engine: Engine, arn: str, params: dict[str, Any]) -> None:
    place = {"StreamArn": arn, "ShardId": shard_of(engine, arn)["ShardId"]}
    assert refused(engine, "GetShardIterator", {**place, **params}).name == "ValidationException"


def test_unknown_shards(engine: Engine, arn: str) -> None:
    params = {"StreamArn": arn, "ShardId": SHARD, "ShardIteratorType": "LATEST"}
    fault = refused(engine, "GetShardIterator", params)
    assert fault.name == "ResourceNotFoundException"
    assert fault.service_message == "Requested resource not found: Shard does not exist"
