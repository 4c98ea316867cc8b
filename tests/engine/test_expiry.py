from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tablewright.engine import Engine
from tablewright.engine.expiry import OLDEST_SECONDS
from tablewright.engine.simulation import Clock, Instruments
from tests.engine.make import create_table


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def engine(clock: Clock) -> Iterator[Engine]:
    with Engine(clock=clock) as made:
        yield made


@pytest.fixture
def table(engine: Engine) -> str:
    stream = {"StreamEnabled": True, "StreamViewType": "OLD_IMAGE"}
    create_table(engine, "pk", name="songs", StreamSpecification=stream)
    enable(engine, "ttl")
    return "songs"


def enable(engine: Engine, attribute: str, *, enabled: bool = True) -> None:
    spec = {"AttributeName": attribute, "Enabled": enabled}
    engine.call("UpdateTimeToLive", {"TableName": "songs", "TimeToLiveSpecification": spec})


def put(engine: Engine, key: str, **attributes: Any) -> None:
    engine.call("PutItem", {"TableName": "songs", "Item": {"pk": {"S": key}, **attributes}})


def keys(engine: Engine) -> set[str]:
    return {item["pk"]["S"] for item in engine.call("Scan", {"TableName": "songs"})["Items"]}


def seconds(time: float) -> dict[str, str]:
    return {"N": f"{time:.0f}"}


def test_an_item_goes_when_its_time_has_come(engine: Engine, table: str, clock: Clock) -> None:
    put(engine, "soon", ttl=seconds(clock() + 100))
    put(engine, "later", ttl=seconds(clock() + 1000))
    assert engine.expire() == 0
    clock.step(100)
    assert engine.expire() == 1
    assert keys(engine) == {"later"}


def test_calls_look_for_expired_items_by_themselves(engine: Engine, table: str, clock: Clock) -> None:
    put(engine, "soon", ttl=seconds(clock()))
    clock.step(0.5)
    assert keys(engine) == {"soon"}, "not every call looks"
    clock.step(0.5)
    assert keys(engine) == set()


@pytest.mark.parametrize(
    "value",
    [
        {"S": "1"},
        {"BOOL": True},
        {"L": [{"N": "1767225600"}]},
        {"M": {"N": {"N": "1767225600"}}},
        {"NS": ["1767225600"]},
        {"NULL": True},
    ],
)
def test_only_numbers_are_times(engine: Engine, table: str, clock: Clock, value: dict[str, Any]) -> None:
    put(engine, "kept", ttl=value)
    clock.step(days=1)
    assert engine.expire() == 0
    assert keys(engine) == {"kept"}


def test_five_years_ago_is_a_mistake(engine: Engine, table: str, clock: Clock) -> None:
    put(engine, "ancient", ttl=seconds(clock() - OLDEST_SECONDS))
    put(engine, "old", ttl=seconds(clock() - OLDEST_SECONDS + 1))
    put(engine, "milliseconds", ttl=seconds(clock() * 1000))
    engine.expire()
    assert keys(engine) == {"ancient", "milliseconds"}


def test_the_stream_tells_that_the_service_did_it(engine: Engine, table: str, clock: Clock) -> None:
    put(engine, "a", ttl=seconds(clock()))
    engine.expire()
    engine.call("DeleteItem", {"TableName": table, "Key": {"pk": {"S": "a"}}})
    (stream,) = engine.call("ListStreams", {})["Streams"]
    (shard,) = engine.call("DescribeStream", {"StreamArn": stream["StreamArn"]})["StreamDescription"]["Shards"]
    place = {"StreamArn": stream["StreamArn"], "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
    found = engine.call("GetRecords", engine.call("GetShardIterator", place))["Records"]
    assert [record["eventName"] for record in found] == ["INSERT", "REMOVE"]
    assert "userIdentity" not in found[0]
    assert found[1]["userIdentity"] == {"Type": "Service", "PrincipalId": "dynamodb.amazonaws.com"}
    assert found[1]["dynamodb"]["OldImage"] == {"pk": {"S": "a"}, "ttl": seconds(clock())}


def test_indexes_follow(engine: Engine, clock: Clock) -> None:
    create_table(engine, "pk", name="songs", gsis={"by_owner": ("owner", "ALL")})
    enable(engine, "ttl")
    put(engine, "a", owner={"S": "me"}, ttl=seconds(clock()))
    engine.expire()
    assert engine.call("Scan", {"TableName": "songs", "IndexName": "by_owner"})["Count"] == 0


def test_items_that_were_there_before(engine: Engine, clock: Clock) -> None:
    create_table(engine, "pk", name="songs")
    put(engine, "a", ttl=seconds(clock()))
    assert engine.expire() == 0
    enable(engine, "ttl")
    assert engine.expire() == 1


def test_another_attribute(engine: Engine, table: str, clock: Clock) -> None:
    put(engine, "a", ttl=seconds(clock()), end=seconds(clock() + 9))
    enable(engine, "ttl", enabled=False)
    assert engine.expire() == 0
    clock.step(hours=2)
    enable(engine, "end")
    assert engine.expire() == 1
    assert len(expiry_indexes(engine)) == 1


NAMES = ["ttl", "a.b", "it's", 'say "so"', "back\\slash", "$", "größe", "a b", "[0]", "line\nbreak", "\x7f"]


def expiry_indexes(engine: Engine) -> list[str]:
    sql = "select name from sqlite_master where type = 'index' and name glob '*expiry*'"
    return [name for (name,) in engine.storage.connection.execute(sql)]


@pytest.mark.parametrize("name", NAMES)
def test_the_search_uses_its_index(engine: Engine, clock: Clock, name: str) -> None:
    create_table(engine, "pk", name="songs")
    enable(engine, name)
    asked: list[str] = []
    put(engine, "a", **{name: seconds(clock())})
    engine.expire()
    engine.storage.connection.set_trace_callback(asked.append)
    put(engine, "a", **{name: seconds(clock())})
    engine.expire()
    engine.storage.connection.set_trace_callback(None)
    search = next(sql for sql in asked if "is not null" in sql and sql.startswith("select"))
    plan = str(engine.storage.connection.execute(f"explain query plan {search}").fetchall())
    assert "USING INDEX" in plan
    assert expiry_indexes(engine)[0] in plan


@pytest.mark.parametrize("name", NAMES)
def test_any_name_will_do(engine: Engine, clock: Clock, name: str) -> None:
    create_table(engine, "pk", name="songs")
    enable(engine, name)
    put(engine, "gone", **{name: seconds(clock())})
    put(engine, "kept", **{name: seconds(clock() + 1)})
    assert engine.expire() == 1
    assert keys(engine) == {"kept"}


def test_many_at_once(engine: Engine, table: str, clock: Clock) -> None:
    for number in range(1200):
        put(engine, str(number), ttl=seconds(clock()))
    assert engine.expire() == 1200


def test_it_is_free(clock: Clock) -> None:
    tight = {"BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}
    with Engine(clock=clock, instruments=Instruments(partitions=True, account=10, heat=True)) as engine:
        create_table(engine, "pk", name="songs", **tight)
        enable(engine, "ttl")
        end = seconds(clock() + 3)
        for number in range(3):
            put(engine, str(number), ttl=end)
            clock.step(1)
        assert engine.instruments is not None
        assert engine.instruments.heat is not None
        before = sum(each.units for each in engine.instruments.heat.hottest())
        assert engine.expire() == 3
        assert sum(each.units for each in engine.instruments.heat.hottest()) == before
        put(engine, "there is still room")
