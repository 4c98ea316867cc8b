from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from tablewright.engine import Engine, instruments, simulation
from tablewright.engine.simulation import Clock, Failure, Instruments, Partitions, every
from tablewright.engine.simulation.buckets import Bucket
from tablewright.engine.store.keys import partition_bytes
from tablewright.errors import ServiceError, TablewrightError, Throttled
from tests.engine.make import create_table

Make = Callable[..., Engine]

PROVISIONED = {"BillingMode": "PROVISIONED"}


def test_the_first_name_of_the_package_still_works() -> None:
    assert instruments.__all__ == simulation.__all__
    assert all(getattr(instruments, name) is getattr(simulation, name) for name in simulation.__all__)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make(clock: Clock) -> Iterator[Make]:
    """An engine with these instruments."""
    made: list[Engine] = []

    def engine(**options: Any) -> Engine:
        made.append(Engine(clock=clock, instruments=Instruments(**options)))
        return made[-1]

    yield engine
    for each in made:
        each.close()


def songs(engine: Engine, *, rcu: int = 0, wcu: int = 0, **options: Any) -> Engine:
    if rcu:
        units = {"ReadCapacityUnits": rcu, "WriteCapacityUnits": wcu}
        options |= {**PROVISIONED, "ProvisionedThroughput": units}
    create_table(engine, options.pop("keys", "pk"), name="songs", **options)
    return engine


def put(engine: Engine, key: str, **attributes: Any) -> dict[str, Any]:
    return engine.call("PutItem", {"TableName": "songs", "Item": {"pk": {"S": key}, **attributes}})


def get(engine: Engine, key: str, **more: Any) -> dict[str, Any]:
    return engine.call("GetItem", {"TableName": "songs", "Key": {"pk": {"S": key}}, **more})


def refused(call: Callable[[], Any]) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        call()
    return caught.value


def reason(error: ServiceError) -> str:
    (found,) = error.details.get("ThrottlingReasons") or error.details["throttlingReasons"]
    return found["reason"]


# ---- the clock ---------------------------------------------------------------------------------------------------


def test_the_clock_stands_until_it_is_stepped(clock: Clock) -> None:
    before = clock()
    assert clock() == before
    assert clock.step(1, minutes=1, hours=1, days=1) == before + 1 + 60 + 3600 + 86_400


def test_the_clock_does_not_go_back(clock: Clock) -> None:
    with pytest.raises(TablewrightError, match="forward"):
        clock.step(-1)


# ---- the account -------------------------------------------------------------------------------------------------


def test_the_account_tells_what_a_query_read_and_kept(make: Make) -> None:
    engine = songs(make(account=10), keys="pk sk")
    for number in range(10):
        put(engine, "a", sk={"S": str(number)}, n={"N": str(number)})
    values = {":pk": {"S": "a"}, ":n": {"N": "7"}}
    condition = {"KeyConditionExpression": "pk = :pk", "FilterExpression": "n >= :n"}
    engine.call("Query", {"TableName": "songs", **condition, "ExpressionAttributeValues": values})
    call = engine.account[-1]
    assert (call.action, call.tables, call.indexes) == ("Query", ("songs",), ())
    assert (call.read, call.kept, call.units()) == (10, 3, 0.5)
    assert call.size > 0
    assert engine.account.totals()["PutItem"] == {"calls": 9, "read": 0, "kept": 0, "rcu": 0.0, "wcu": 9.0}


def test_the_account_tells_indexes_and_failures(make: Make) -> None:
    engine = songs(make(account=10), gsis={"by_owner": ("owner", "ALL")})
    put(engine, "a", owner={"S": "me"})
    assert [(charge.index, charge.units) for charge in engine.account[-1].charges] == [("by_owner", 1.0), (None, 1.0)]
    item = {"TableName": "songs", "Item": {"pk": {"S": "a"}}, "ConditionExpression": "attribute_not_exists(pk)"}
    refused(lambda: engine.call("PutItem", item))
    assert (engine.account[-1].error, engine.account[-1].units("write")) == ("ConditionalCheckFailedException", 1.0)


def test_index_entries_that_move_cost_both_partitions(make: Make) -> None:
    engine = songs(make(account=10, heat=True), gsis={"by_owner": ("owner", "ALL")})
    put(engine, "a", owner={"S": "me"})
    put(engine, "a", owner={"S": "you"})
    charges = [charge for charge in engine.account[-1].charges if charge.index]
    assert [charge.units for charge in charges] == [1.0, 1.0]
    assert charges[0].partition != charges[1].partition


def test_transactions_cost_twice_in_indexes_too(make: Make) -> None:
    engine = songs(make(account=10), gsis={"by_owner": ("owner", "ALL")})
    item = {"pk": {"S": "a"}, "owner": {"S": "me"}}
    engine.call("TransactWriteItems", {"TransactItems": [{"Put": {"TableName": "songs", "Item": item}}]})
    assert engine.account[-1].units("write") == 4.0


def test_the_account_agrees_with_consumed_capacity(make: Make) -> None:
    engine = songs(make(account=100), keys="pk sk", gsis={"by_owner": ("owner sk", "ALL")})
    told = {"ReturnConsumedCapacity": "TOTAL"}
    writes = [
        {"PutRequest": {"Item": {"pk": {"S": "a"}, "sk": {"S": str(n)}, "owner": {"S": "me"}, "x": {"S": "x" * 900}}}}
        for n in range(5)
    ]
    reply = engine.call("BatchWriteItem", {"RequestItems": {"songs": writes}, **told})
    assert engine.account[-1].units() == reply["ConsumedCapacity"][0]["CapacityUnits"] > 0
    key = {"pk": {"S": "a"}, "sk": {"S": "1"}}
    reply = engine.call("GetItem", {"TableName": "songs", "Key": key, **told})
    assert engine.account[-1].units() == reply["ConsumedCapacity"]["CapacityUnits"]
    values = {":pk": {"S": "me"}}
    query = {"KeyConditionExpression": "#o = :pk", "ExpressionAttributeNames": {"#o": "owner"}}
    for params in ({}, {"IndexName": "by_owner", **query, "ExpressionAttributeValues": values}):
        action = "Query" if params else "Scan"
        reply = engine.call(action, {"TableName": "songs", **params, **told})
        assert engine.account[-1].units() == reply["ConsumedCapacity"]["CapacityUnits"]
        assert engine.account[-1].read == 5
    reply = engine.call("BatchGetItem", {"RequestItems": {"songs": {"Keys": [key]}}, **told})
    assert engine.account[-1].units() == reply["ConsumedCapacity"][0]["CapacityUnits"]
    reply = engine.call("TransactGetItems", {"TransactItems": [{"Get": {"TableName": "songs", "Key": key}}], **told})
    assert engine.account[-1].units() == reply["ConsumedCapacity"][0]["CapacityUnits"]
    statement = {"Statement": "SELECT * FROM songs WHERE pk = 'a'"}
    reply = engine.call("ExecuteStatement", {**statement, **told})
    assert engine.account[-1].units() == reply["ConsumedCapacity"]["CapacityUnits"]


def test_only_the_last_calls_are_kept(make: Make) -> None:
    engine = songs(make(account=3))
    for number in range(5):
        put(engine, str(number))
    assert len(engine.account) == 3
    assert len(engine.account.of("PutItem")) == 3


def test_without_an_account_there_is_none() -> None:
    with Engine() as engine, pytest.raises(TablewrightError, match="Instruments"):
        _ = engine.account


# ---- heat --------------------------------------------------------------------------------------------------------


def test_the_hottest_keys_come_first(make: Make) -> None:
    engine = songs(make(heat=True))
    for key, times in (("cold", 1), ("hot", 5), ("warm", 3)):
        for _ in range(times):
            put(engine, key, n={"N": str(times)})
    get(engine, "cold")
    heat = engine.instruments and engine.instruments.heat
    assert heat is not None
    assert [(each.text, each.units) for each in heat.hottest(2)] == [("hot", 5.0), ("warm", 3.0)]
    assert heat.hottest(1, kind="read")[0].text == "cold"
    assert heat.hottest(table="another") == []


# ---- partitions --------------------------------------------------------------------------------------------------


def test_a_bucket_saves_and_owes() -> None:
    bucket = Bucket(10, 300, now=0)
    bucket.take(25, 0)
    assert not bucket.open(1)
    assert bucket.open(2)
    bucket.take(0, 10_000)
    assert bucket.level == 3000


def test_provisioned_throughput_runs_out_and_comes_back(make: Make, clock: Clock) -> None:
    engine = songs(make(partitions=True), rcu=5, wcu=2)
    put(engine, "a")
    put(engine, "b")
    error = refused(lambda: put(engine, "c"))
    assert error.name == "ProvisionedThroughputExceededException"
    assert error.service_message.startswith("The level of configured provisioned throughput for the table was exceeded")
    arn = engine.call("DescribeTable", {"TableName": "songs"})["Table"]["TableArn"]
    told = {"reason": "TableWriteProvisionedThroughputExceeded", "resource": arn}
    assert error.details["ThrottlingReasons"] == [told]
    assert get(engine, "c") == {}, "nothing was written, and reads have units of their own"
    clock.step(1)
    put(engine, "c")


def test_unused_throughput_is_saved_for_five_minutes(make: Make, clock: Clock) -> None:
    engine = songs(make(partitions=True), rcu=1, wcu=1)
    clock.step(hours=1)
    for number in range(300):
        put(engine, str(number))
    assert refused(lambda: put(engine, "more")).name == "ProvisionedThroughputExceededException"


def test_a_hot_key_meets_the_limit_of_its_partition(make: Make) -> None:
    engine = songs(make(partitions=True))
    for number in range(1000):
        put(engine, "hot", n={"N": str(number)})
    error = refused(lambda: put(engine, "hot"))
    assert error.name == "ThrottlingException"
    assert reason(error) == "TableWriteKeyRangeThroughputExceeded"
    assert "hot key" in error.service_message


def test_indexes_throttle_the_table(make: Make) -> None:
    engine = songs(make(partitions=Partitions(partition_wcu=2)), gsis={"by_kind": ("kind", "ALL")})
    put(engine, "a", kind={"S": "k"})
    put(engine, "b", kind={"S": "k"})
    error = refused(lambda: put(engine, "c", kind={"S": "k"}))
    assert reason(error) == "IndexWriteKeyRangeThroughputExceeded"
    assert get(engine, "c") == {}
    put(engine, "d", kind={"S": "another"})


def test_batches_come_back_with_what_had_no_room(make: Make) -> None:
    engine = songs(make(partitions=True), rcu=2, wcu=3)
    requests = [{"PutRequest": {"Item": {"pk": {"S": str(number)}}}} for number in range(5)]
    left = engine.call("BatchWriteItem", {"RequestItems": {"songs": requests}})["UnprocessedItems"]
    assert left == {"songs": requests[3:]}
    error = refused(lambda: engine.call("BatchWriteItem", {"RequestItems": left}))
    assert error.name == "ProvisionedThroughputExceededException"
    keys = [{"pk": {"S": str(number)}} for number in range(5)]
    asked = {"songs": {"Keys": keys, "ConsistentRead": True}}
    reply = engine.call("BatchGetItem", {"RequestItems": asked})
    assert reply["UnprocessedKeys"] == {"songs": {"Keys": keys[2:], "ConsistentRead": True}}
    error = refused(lambda: engine.call("BatchGetItem", {"RequestItems": reply["UnprocessedKeys"]}))
    assert error.name == "ProvisionedThroughputExceededException"


def test_transactions_are_cancelled_when_there_is_no_room(make: Make) -> None:
    engine = songs(make(partitions=True), rcu=2, wcu=2)
    put(engine, "a")
    put(engine, "b")
    member = {"Put": {"TableName": "songs", "Item": {"pk": {"S": "c"}}}}
    error = refused(lambda: engine.call("TransactWriteItems", {"TransactItems": [member]}))
    assert error.name == "TransactionCanceledException"
    assert error.details["CancellationReasons"][0]["Code"] == "ProvisionedThroughputExceeded"


def test_scans_use_the_throughput_of_the_table(make: Make) -> None:
    engine = songs(make(partitions=True), rcu=1, wcu=10)
    scan = {"TableName": "songs", "ConsistentRead": True}
    engine.call("Scan", scan)
    assert reason(refused(lambda: engine.call("Scan", scan))) == "TableReadProvisionedThroughputExceeded"


def test_a_partition_splits_when_it_stays_hot(make: Make, clock: Clock) -> None:
    engine = songs(make(partitions=Partitions(partition_wcu=10, hot_seconds=5)), rcu=10, wcu=10)
    put(engine, "x")
    engine.call(
        "UpdateTable",
        {"TableName": "songs", "ProvisionedThroughput": {"ReadCapacityUnits": 10, "WriteCapacityUnits": 20}},
    )
    model = engine.instruments and engine.instruments.partitions
    assert model is not None
    resource = model.of(engine.table("songs"), None, clock())
    assert len(resource.partitions) == 2, "more throughput, more partitions"
    hot = {key for key in map(str, range(200)) if resource.at(partition_of(key)) is resource.partitions[0]}
    for _ in range(8):
        try_all(engine, sorted(hot))
        clock.step(1)
    assert len(model.of(engine.table("songs"), None, clock()).partitions) > 2, "heat splits"


def test_one_hot_key_cannot_be_split(make: Make, clock: Clock) -> None:
    engine = songs(make(partitions=Partitions(partition_wcu=10, hot_seconds=5)), rcu=100, wcu=100)
    model = engine.instruments and engine.instruments.partitions
    assert model is not None
    before = len(model.of(engine.table("songs"), None, clock()).partitions)
    for _ in range(20):
        try_all(engine, ["hot"] * 15)
        clock.step(1)
    resource = model.of(engine.table("songs"), None, clock())
    assert len(resource.partitions) == before == 10
    assert resource.at(partition_of("hot")).throttled > 0


def partition_of(key: str) -> bytes:
    return partition_bytes([key])


def try_all(engine: Engine, keys: list[str]) -> None:
    for number, key in enumerate(keys):
        with suppress(Throttled):
            put(engine, key, n={"N": str(number)})


def test_a_partition_splits_when_it_is_full(make: Make, clock: Clock) -> None:
    engine = songs(make(partitions=Partitions(max_bytes=10_000)), rcu=100, wcu=100)
    for number in range(30):
        put(engine, str(number), data={"S": "x" * 1000})
        clock.step(1)
    model = engine.instruments and engine.instruments.partitions
    assert model is not None
    parts = model.of(engine.table("songs"), None, clock()).partitions
    assert len(parts) > 2
    assert 30_000 < sum(part.size for part in parts) < 31_000


def test_every_partition_counts_its_heat(make: Make) -> None:
    engine = songs(make(partitions=True), gsis={"by_kind": ("kind", "ALL")})
    for number in range(50):
        put(engine, str(number), kind={"S": "same"})
    get(engine, "7")
    model = engine.instruments and engine.instruments.partitions
    assert model is not None
    parts = model.parts(engine, "songs")
    assert len(parts) == 4
    assert sum(part.wcu for part in parts) == 50
    assert all(0 < part.wcu < 50 for part in parts)
    assert [part.rcu for part in parts if part.rcu] == [0.5]
    assert sorted(part.wcu for part in model.parts(engine, "songs", "by_kind")) == [0, 0, 0, 50]


def test_on_demand_tables_grow_with_their_peaks(make: Make, clock: Clock) -> None:
    engine = songs(make(partitions=True))
    model = engine.instruments and engine.instruments.partitions
    assert model is not None
    table = engine.table("songs")
    assert model.of(table, None, clock()).limits.write == 4000
    assert len(model.of(table, None, clock()).partitions) == 4
    for number in range(3000):
        put(engine, str(number))
    clock.step(minutes=31)
    assert model.of(table, None, clock()).limits.write == 6000
    assert len(model.of(table, None, clock()).partitions) == 6


def test_the_owner_can_limit_an_on_demand_table(make: Make) -> None:
    maxima = {"MaxReadRequestUnits": 2, "MaxWriteRequestUnits": 2}
    engine = songs(make(partitions=True), OnDemandThroughput=maxima)
    put(engine, "a")
    put(engine, "b")
    assert reason(refused(lambda: put(engine, "c"))) == "TableWriteMaxOnDemandThroughputExceeded"


# ---- lag ---------------------------------------------------------------------------------------------------------


def names(engine: Engine, **params: Any) -> list[str]:
    return sorted(item["pk"]["S"] for item in engine.call("Scan", {"TableName": "songs", **params})["Items"])


def test_indexes_lag_behind(make: Make, clock: Clock) -> None:
    engine = songs(make(gsi_lag=2), gsis={"by_owner": ("owner", "ALL")})
    put(engine, "a", owner={"S": "me"})
    assert names(engine) == ["a"]
    assert names(engine, IndexName="by_owner") == []
    clock.step(2)
    assert names(engine, IndexName="by_owner") == ["a"]
    engine.call("DeleteItem", {"TableName": "songs", "Key": {"pk": {"S": "a"}}})
    assert names(engine) == []
    assert names(engine, IndexName="by_owner") == ["a"], "still there"
    clock.step(2)
    assert names(engine, IndexName="by_owner") == []


def test_an_index_that_lags_shows_items_as_they_were(make: Make, clock: Clock) -> None:
    engine = songs(make(gsi_lag=5), gsis={"by_owner": ("owner", "ALL")})
    put(engine, "a", owner={"S": "me"}, n={"N": "1"})
    clock.step(5)
    put(engine, "a", owner={"S": "you"}, n={"N": "2"})
    (item,) = engine.call("Scan", {"TableName": "songs", "IndexName": "by_owner"})["Items"]
    assert item == {"pk": {"S": "a"}, "owner": {"S": "me"}, "n": {"N": "1"}}


def test_eventual_reads_are_stale_and_consistent_ones_are_not(make: Make, clock: Clock) -> None:
    engine = songs(make(stale_reads=1))
    put(engine, "a", n={"N": "1"})
    clock.step(1)
    put(engine, "a", n={"N": "2"})
    assert get(engine, "a")["Item"]["n"] == {"N": "1"}
    assert get(engine, "a", ConsistentRead=True)["Item"]["n"] == {"N": "2"}
    keys = {"Keys": [{"pk": {"S": "a"}}]}
    eventual = engine.call("BatchGetItem", {"RequestItems": {"songs": keys}})
    consistent = engine.call("BatchGetItem", {"RequestItems": {"songs": {**keys, "ConsistentRead": True}}})
    assert eventual["Responses"]["songs"][0]["n"] == {"N": "1"}
    assert consistent["Responses"]["songs"][0]["n"] == {"N": "2"}
    statement = {"Statement": "SELECT n FROM songs WHERE pk = 'a'"}
    assert engine.call("ExecuteStatement", statement)["Items"] == [{"n": {"N": "1"}}]
    assert engine.call("ExecuteStatement", {**statement, "ConsistentRead": True})["Items"] == [{"n": {"N": "2"}}]
    clock.step(1)
    assert get(engine, "a")["Item"]["n"] == {"N": "2"}


def test_stale_reads_change_nothing(make: Make, clock: Clock) -> None:
    stream = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
    engine = songs(make(stale_reads=60, account=9, heat=True), StreamSpecification=stream)
    put(engine, "a")
    assert get(engine, "a") == {}
    assert get(engine, "a", ConsistentRead=True) != {}
    assert engine.storage.connection.execute("select count(*) from records").fetchone() == (1,)
    assert [call.units() for call in engine.account][-2:] == [0.5, 1.0]


def test_a_write_that_was_rolled_back_never_was(make: Make, clock: Clock) -> None:
    engine = songs(make(stale_reads=60))
    put(engine, "a", n={"N": "1"})
    clock.step(100)
    key = {"pk": {"S": "b"}}
    members = [
        {"Put": {"TableName": "songs", "Item": {"pk": {"S": "a"}, "n": {"N": "2"}}}},
        {"ConditionCheck": {"TableName": "songs", "Key": key, "ConditionExpression": "attribute_exists(pk)"}},
    ]
    refused(lambda: engine.call("TransactWriteItems", {"TransactItems": members}))
    assert get(engine, "a")["Item"]["n"] == {"N": "1"}


# ---- trouble -----------------------------------------------------------------------------------------------------


def test_every_nth_call_fails(make: Make) -> None:
    engine = make(failures=every(3, actions=["PutItem"]))
    songs(engine)
    put(engine, "a")
    put(engine, "b")
    assert refused(lambda: put(engine, "c")).name == "InternalServerError"
    assert names(engine) == ["a", "b"]
    put(engine, "c")


def test_an_answer_can_get_lost(make: Make) -> None:
    engine = songs(make(failures=every(1, after=True, actions=["PutItem"]), account=5))
    assert refused(lambda: put(engine, "a")).name == "InternalServerError"
    assert engine.account[-1].error == "InternalServerError"
    assert names(engine) == ["a"]


def test_a_function_decides_what_fails(make: Make) -> None:
    def fails(action: str, params: dict[str, Any]) -> Failure | None:
        unlucky = action == "PutItem" and params["Item"]["pk"] == {"S": "unlucky"}
        return Failure("ThrottlingException") if unlucky else None

    engine = songs(make(failures=fails))
    put(engine, "a")
    assert refused(lambda: put(engine, "unlucky")).name == "ThrottlingException"


def test_no_call_is_the_zeroth() -> None:
    with pytest.raises(TablewrightError, match="every"):
        every(0)


def test_a_held_item_meets_writes_and_transactions_with_a_conflict(make: Make) -> None:
    engine = songs(make())
    instruments = engine.instruments
    assert instruments is not None
    put(engine, "a")
    key = {"pk": {"S": "a"}}
    with instruments.hold("songs", key):
        error = refused(lambda: put(engine, "a"))
        assert (error.name, error.service_message) == (
            "TransactionConflictException",
            "Transaction is ongoing for the item",
        )
        for action in ("UpdateItem", "DeleteItem"):
            params = {"TableName": "songs", "Key": key}
            assert refused(lambda a=action, p=params: engine.call(a, p)).name == "TransactionConflictException"  # type: ignore[misc]
        members = [{"Put": {"TableName": "songs", "Item": {"pk": {"S": each}}}} for each in ("b", "a")]
        error = refused(lambda: engine.call("TransactWriteItems", {"TransactItems": members}))
        assert error.name == "TransactionCanceledException"
        assert error.details["CancellationReasons"] == [
            {"Code": "None"},
            {"Code": "TransactionConflict", "Message": "Transaction is ongoing for the item"},
        ]
        gets = [{"Get": {"TableName": "songs", "Key": key}}]
        assert refused(lambda: engine.call("TransactGetItems", {"TransactItems": gets})).name == error.name
        statement = {"Statement": "UPDATE songs SET n = 1 WHERE pk = 'a'"}
        assert refused(lambda: engine.call("ExecuteStatement", statement)).name == "TransactionConflictException"
        params = {"TransactStatements": [statement]}
        assert refused(lambda: engine.call("ExecuteTransaction", params)).name == "TransactionCanceledException"
        assert get(engine, "a") != {}, "reads do not conflict"
        put(engine, "b")
        left = engine.call("BatchWriteItem", {"RequestItems": {"songs": [{"DeleteRequest": {"Key": key}}]}})
        assert left["UnprocessedItems"] == {"songs": [{"DeleteRequest": {"Key": key}}]}
        assert engine.call("BatchGetItem", {"RequestItems": {"songs": {"Keys": [key]}}})["UnprocessedKeys"] == {}
    put(engine, "a")


def test_a_function_decides_on_conflicts(make: Make) -> None:
    engine = songs(make(conflicts=lambda table, item: table == "songs" and item["pk"] == {"S": "busy"}))
    put(engine, "a")
    assert refused(lambda: put(engine, "busy")).name == "TransactionConflictException"


def test_members_of_batches_stay_undone(make: Make) -> None:
    engine = songs(make(unprocessed=2))
    requests = [{"PutRequest": {"Item": {"pk": {"S": str(number)}}}} for number in range(4)]
    left = engine.call("BatchWriteItem", {"RequestItems": {"songs": requests}})["UnprocessedItems"]
    assert left == {"songs": [requests[1], requests[3]]}
    assert names(engine) == ["0", "2"]
    asked = {"songs": {"Keys": [{"pk": {"S": "0"}}, {"pk": {"S": "2"}}], "ConsistentRead": True}}
    reply = engine.call("BatchGetItem", {"RequestItems": asked})
    assert reply["Responses"] == {"songs": [{"pk": {"S": "0"}}]}
    assert reply["UnprocessedKeys"] == {"songs": {"Keys": [{"pk": {"S": "2"}}], "ConsistentRead": True}}


def test_nothing_of_a_batch_need_be_done(make: Make) -> None:
    engine = songs(make(unprocessed=lambda table, item: True))
    requests = {"songs": [{"PutRequest": {"Item": {"pk": {"S": "a"}}}}]}
    assert engine.call("BatchWriteItem", {"RequestItems": requests}) == {"UnprocessedItems": requests}
    assert names(engine) == []
