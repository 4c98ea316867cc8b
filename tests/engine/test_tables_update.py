from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest

from tablewright.engine.engine import Engine
from tablewright.errors import ServiceError
from tests.engine.make import create_table, fault, key_schema, put

if TYPE_CHECKING:
    from collections.abc import Callable

WRONG = "One or more parameter values were invalid: "
UNCHANGED = (
    "The provisioned throughput for {} will not change. The requested value equals the current value."
    " Current ReadCapacityUnits provisioned for the {}: 5. Requested ReadCapacityUnits: 5."
    " Current WriteCapacityUnits provisioned for the {}: 5. Requested WriteCapacityUnits: 5."
    " Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
)


def units(read: int = 5, write: int = 5) -> dict[str, int]:
    return {"ReadCapacityUnits": read, "WriteCapacityUnits": write}


def provisioned(engine: Engine, **more: Any) -> None:
    create_table(engine, "pk", BillingMode="PROVISIONED", ProvisionedThroughput=units(), **more)


def update(engine: Engine, **changes: Any) -> dict[str, Any]:
    return engine.call("UpdateTable", {"TableName": "things", **changes})["TableDescription"]


def refused(engine: Engine, **changes: Any) -> str:
    return fault(engine, "UpdateTable", {"TableName": "things", **changes})


def table(engine: Engine) -> dict[str, Any]:
    return engine.call("DescribeTable", {"TableName": "things"})["Table"]


def new_gsi(name: str = "byX", keys: str = "x", kind: str = "S", **more: Any) -> dict[str, Any]:
    asked = {"IndexName": name, "KeySchema": key_schema(keys), "Projection": {"ProjectionType": "ALL"}, **more}
    names = [each["AttributeName"] for each in asked["KeySchema"]]
    return {
        "AttributeDefinitions": [{"AttributeName": each, "AttributeType": kind} for each in names],
        "GlobalSecondaryIndexUpdates": [{"Create": asked}],
    }


def scan_index(engine: Engine, name: str = "byX") -> list[str]:
    found = engine.call("Scan", {"TableName": "things", "IndexName": name})["Items"]
    return sorted(item["pk"]["S"] for item in found)


def test_units_are_old_while_they_are_updated() -> None:
    """Also where the clock moves on between any two looks at it."""
    moments = itertools.count(1_700_000_000)
    with Engine(clock=lambda: float(next(moments))) as engine:
        _units_are_old_while_they_are_updated(engine)


def _units_are_old_while_they_are_updated(engine: Engine) -> None:
    provisioned(engine)
    told = update(engine, ProvisionedThroughput=units(9, 9))
    assert told["TableStatus"] == "UPDATING"
    assert (
        told["ProvisionedThroughput"].pop("LastIncreaseDateTime")
        < (table(engine)["ProvisionedThroughput"]["LastIncreaseDateTime"])
    )
    assert told["ProvisionedThroughput"] == {**units(), "NumberOfDecreasesToday": 0}
    told = update(engine, ProvisionedThroughput=units(1, 9))
    assert told["ProvisionedThroughput"]["NumberOfDecreasesToday"] == 0
    seen = table(engine)["ProvisionedThroughput"]
    assert (seen["ReadCapacityUnits"], seen["NumberOfDecreasesToday"]) == (1, 1)
    assert seen["LastDecreaseDateTime"] > told["ProvisionedThroughput"]["LastDecreaseDateTime"]


def test_decreases_are_counted_by_the_day() -> None:
    now = [1_700_000_000.0]
    with Engine(clock=lambda: now[0]) as engine:
        provisioned(engine)
        update(engine, ProvisionedThroughput=units(1, 1))
        assert table(engine)["ProvisionedThroughput"]["NumberOfDecreasesToday"] == 1
        now[0] += 86_400
        assert table(engine)["ProvisionedThroughput"]["NumberOfDecreasesToday"] == 0


def test_the_capacity_mode_can_be_switched_there_and_back(engine: Engine) -> None:
    provisioned(engine)
    update(engine, **new_gsi(ProvisionedThroughput=units()))
    told = update(engine, BillingMode="PAY_PER_REQUEST")
    assert told["GlobalSecondaryIndexes"][0]["IndexStatus"] == "UPDATING"
    seen = table(engine)
    assert seen["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert seen["ProvisionedThroughput"]["ReadCapacityUnits"] == 0
    assert update(engine, BillingMode="PAY_PER_REQUEST")["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    asked = {"BillingMode": "PROVISIONED", "ProvisionedThroughput": units(7, 7)}
    assert refused(engine, **asked) == f"{WRONG}ProvisionedThroughput must be specified for index: byX"
    one = {"Update": {"IndexName": "byX", "ProvisionedThroughput": units(3, 3)}}
    update(engine, **asked, GlobalSecondaryIndexUpdates=[one])
    seen = table(engine)
    assert seen["BillingModeSummary"]["BillingMode"] == "PROVISIONED"
    assert seen["ProvisionedThroughput"]["ReadCapacityUnits"] == 7
    assert seen["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]["ReadCapacityUnits"] == 3


def test_an_index_is_filled_with_the_items_that_fit(engine: Engine) -> None:
    create_table(engine, "pk")
    put(engine, {"pk": "1", "x": "a"}, {"pk": "2", "x": 3}, {"pk": "3"}, {"pk": "4", "x": ""}, {"pk": "5", "x": "b"})
    put(engine, {"pk": "6", "x": "a" * 2048}, {"pk": "7", "x": "a" * 2049})
    told = update(engine, **new_gsi())
    assert told["GlobalSecondaryIndexes"][0]["IndexStatus"] == "CREATING"
    assert told["GlobalSecondaryIndexes"][0]["Backfilling"] is True
    seen = table(engine)
    assert {each["AttributeName"] for each in seen["AttributeDefinitions"]} == {"pk", "x"}
    assert seen["GlobalSecondaryIndexes"][0]["IndexStatus"] == "ACTIVE"
    assert seen["GlobalSecondaryIndexes"][0]["ItemCount"] == 3
    assert scan_index(engine) == ["1", "5", "6"]
    put(engine, {"pk": "2", "x": "c"})
    assert scan_index(engine) == ["1", "2", "5", "6"]


def test_sort_keys_of_an_index_are_shorter(engine: Engine) -> None:
    create_table(engine, "pk")
    put(engine, {"pk": "1", "x": "a" * 1024}, {"pk": "2", "x": "a" * 1025})
    update(engine, **new_gsi(keys="pk x"))
    assert scan_index(engine) == ["1"]


def test_a_deleted_index_is_gone_and_its_attribute_is_free(engine: Engine) -> None:
    create_table(engine, "pk", gsis={"byX": ("x", "ALL")})
    put(engine, {"pk": "1", "x": "a"})
    told = update(engine, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "byX"}}])
    assert told["GlobalSecondaryIndexes"][0]["IndexStatus"] == "DELETING"
    seen = table(engine)
    assert "GlobalSecondaryIndexes" not in seen
    assert [each["AttributeName"] for each in seen["AttributeDefinitions"]] == ["pk"]
    put(engine, {"pk": "1", "x": 7})
    update(engine, **new_gsi(kind="N"))
    assert scan_index(engine) == ["1"]


def test_index_units_and_limits(engine: Engine) -> None:
    provisioned(engine)
    update(engine, **new_gsi(ProvisionedThroughput=units()))
    one = {"IndexName": "byX", "ProvisionedThroughput": units()}
    assert refused(engine, GlobalSecondaryIndexUpdates=[{"Update": one}]) == UNCHANGED.format(
        "the index byX", "index", "index"
    )
    one = {"IndexName": "byX", "ProvisionedThroughput": units(8, 5)}
    told = update(engine, GlobalSecondaryIndexUpdates=[{"Update": one}])["GlobalSecondaryIndexes"][0]
    assert (told["IndexStatus"], told["ProvisionedThroughput"]["ReadCapacityUnits"]) == ("UPDATING", 5)
    assert table(engine)["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]["ReadCapacityUnits"] == 8
    update(engine, BillingMode="PAY_PER_REQUEST")
    one = {"IndexName": "byX", "OnDemandThroughput": {"MaxReadRequestUnits": 10}}
    update(engine, GlobalSecondaryIndexUpdates=[{"Update": one}])
    assert table(engine)["GlobalSecondaryIndexes"][0]["OnDemandThroughput"] == {"MaxReadRequestUnits": 10}
    assert refused(engine, GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": "byX"}}]) == (
        f"{WRONG}The only Updates for index: byX when TableThroughputMode is PAY_PER_REQUEST can be to"
        " OnDemandThroughput, WarmThroughput"
    )


def test_streams_go_on_and_off(engine: Engine) -> None:
    create_table(engine, "pk")
    on = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
    first = update(engine, StreamSpecification=on)
    assert first["StreamSpecification"] == on
    assert refused(engine, StreamSpecification=on) == "Table already has an enabled stream: TableName: things"
    off = update(engine, StreamSpecification={"StreamEnabled": False})
    assert "StreamSpecification" not in off
    assert off["LatestStreamArn"] == first["LatestStreamArn"]
    assert refused(engine, StreamSpecification={"StreamEnabled": False}) == (
        "Table has no stream to disable: TableName: things"
    )
    again = update(engine, StreamSpecification=on)
    assert again["LatestStreamLabel"] != first["LatestStreamLabel"]


def test_streams_of_the_same_moment_have_different_names() -> None:
    with Engine(clock=lambda: 1_700_000_000.0) as engine:
        create_table(engine, "pk", StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
        first = table(engine)["LatestStreamLabel"]
        update(engine, StreamSpecification={"StreamEnabled": False})
        update(engine, StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
        assert table(engine)["LatestStreamLabel"] > first


def test_other_settings(engine: Engine) -> None:
    create_table(engine, "pk")
    assert update(engine, DeletionProtectionEnabled=True)["TableStatus"] == "ACTIVE"
    assert table(engine)["DeletionProtectionEnabled"] is True
    update(engine, TableClass="STANDARD_INFREQUENT_ACCESS")
    assert table(engine)["TableClassSummary"]["TableClass"] == "STANDARD_INFREQUENT_ACCESS"
    update(engine, SSESpecification={"Enabled": True})
    assert table(engine)["SSEDescription"]["Status"] == "ENABLED"
    update(engine, SSESpecification={"Enabled": False})
    assert "SSEDescription" not in table(engine)
    update(engine, OnDemandThroughput={"MaxReadRequestUnits": 10, "MaxWriteRequestUnits": -1})
    assert table(engine)["OnDemandThroughput"] == {"MaxReadRequestUnits": 10, "MaxWriteRequestUnits": -1}
    update(engine, WarmThroughput={"ReadUnitsPerSecond": 13_000})
    assert table(engine)["WarmThroughput"]["ReadUnitsPerSecond"] == 13_000


LOWER = "is lower than current WarmThroughput, decreasing WarmThroughput is not supported"
ONLINE = {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "byX"}}]}
STREAM = {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or"),
        ({"GlobalSecondaryIndexUpdates": []}, "At least one of ProvisionedThroughput, BillingMode,"),
        (
            {"BillingMode": "PROVISIONED"},
            f"{WRONG}ProvisionedThroughput must be specified when BillingMode is PROVISIONED",
        ),
        (
            {"ProvisionedThroughput": units(10**12 + 1)},
            "Given value 1000000000001 for ReadCapacityUnits is out of bounds",
        ),
        ({"ProvisionedThroughput": units()}, UNCHANGED.format("the table", "table", "table")),
        (
            {"BillingMode": "PAY_PER_REQUEST", "ProvisionedThroughput": units()},
            f"{WRONG}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is",
        ),
        (
            {"GlobalSecondaryIndexUpdates": [{}]},
            (
                f"{WRONG}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create,"
                " GlobalSecondaryIndexUpdate.Delete must not be null"
            ),
        ),
        (
            {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "abc"}, "Update": {"IndexName": "abd"}}]},
            f"{WRONG}Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object",
        ),
        (
            {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "abc"}}] * 2},
            f"{WRONG}Only one global secondary index update per index is allowed simultaneously. Index: abc",
        ),
        (
            {"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "no1", "ProvisionedThroughput": units(10**13)}}]},
            "This operation cannot be performed with given input values. Please contact DynamoDB service team",
        ),
        (new_gsi(), f"{WRONG}Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: byX"),
        (new_gsi("loc", ProvisionedThroughput=units()), "Attempting to create an index which already exists"),
        (
            {**new_gsi(ProvisionedThroughput=units()), "AttributeDefinitions": None},
            f"{WRONG}AttributeDefinitions is not specified for index: byX",
        ),
        (
            new_gsi(keys="r", kind="N", ProvisionedThroughput=units()),
            (
                f"{WRONG}Attributes cannot be redefined. Please check that your attribute has the same type as"
                " previously"
                " defined. Existing schema: Schema:[SchemaElement: key{r:S:HASH}]"
                " New schema: Schema:[SchemaElement: key{r:N:HASH}]"
            ),
        ),
        (
            {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "loc"}}]},
            "Cannot delete an index that is not a GlobalSecondaryIndex: loc",
        ),
        (
            {"StreamSpecification": {"StreamEnabled": True}},
            f"{WRONG}If stream is being enabled then UpdateViewType is required",
        ),
        (
            {"StreamSpecification": {"StreamEnabled": False, "StreamViewType": "KEYS_ONLY"}},
            f"{WRONG}If stream is being disabled, then UpdateViewType must not be specified",
        ),
        ({"SSESpecification": {"Enabled": False}}, f"{WRONG}Table is already encrypted by default"),
        (
            {"TableClass": "STANDARD", "DeletionProtectionEnabled": True},
            f"{WRONG}TableClass modification must be the only operation in the request",
        ),
        (
            {"ProvisionedThroughput": units(9), **STREAM},
            f"{WRONG}You cannot modify stream status while updating table IOPS",
        ),
        (
            {"ProvisionedThroughput": units(9), **ONLINE},
            f"{WRONG}You cannot create or delete index while updating table IOPS",
        ),
        ({**STREAM, **ONLINE}, f"{WRONG}You cannot create or delete index while changing stream status"),
        (
            {"OnDemandThroughput": {"MaxReadRequestUnits": 1}, **STREAM},
            f"{WRONG}OnDemandThroughput can only be combined with BillingMode in an UpdateTable request",
        ),
        (
            {"WarmThroughput": {"ReadUnitsPerSecond": 1}},
            f"{WRONG}Requested ReadUnitsPerSecond for WarmThroughput for table {LOWER}",
        ),
        ({"WarmThroughput": {}}, f"{WRONG}WarmThroughput must have at least one of ReadUnitsPerSecond or"),
    ],
)
def test_what_cannot_be_changed(engine: Engine, changes: dict[str, Any], message: str) -> None:
    lsis = {"loc": ("pk r", "ALL")}
    create_table(engine, "pk sk", BillingMode="PROVISIONED", ProvisionedThroughput=units(), lsis=lsis)
    before = table(engine)
    assert refused(engine, **changes).startswith(message)
    assert table(engine) == before


@pytest.mark.parametrize("action", ["Delete", "Update"])
def test_an_index_that_is_not_there(engine: Engine, action: str) -> None:
    provisioned(engine)
    asked = {"IndexName": "no1", **({"ProvisionedThroughput": units()} if action == "Update" else {})}
    with pytest.raises(ServiceError) as said:
        update(engine, GlobalSecondaryIndexUpdates=[{action: asked}])
    assert said.value.name == "ResourceNotFoundException"
    assert said.value.service_message == "Requested resource not found: Index no1 for table things"


def test_one_index_at_a_time(engine: Engine) -> None:
    create_table(engine, "pk")
    both = [{"Delete": {"IndexName": "ab1"}}, {"Delete": {"IndexName": "ab2"}}]
    with pytest.raises(ServiceError) as said:
        update(engine, GlobalSecondaryIndexUpdates=both)
    assert said.value.name == "LimitExceededException"
    assert said.value.service_message == (
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"
    )


def test_twenty_indexes_are_enough(engine: Engine) -> None:
    create_table(engine, "pk", gsis={f"by{number}": ("x", "ALL") for number in range(20)})
    with pytest.raises(ServiceError) as said:
        update(engine, **new_gsi("one_more"))
    assert said.value.name == "LimitExceededException"


# ---- states ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def slow() -> Any:
    now = [1_700_000_000.0]
    with Engine(clock=lambda: now[0], table_delay_seconds=10) as made:
        yield made, lambda seconds: now.__setitem__(0, now[0] + seconds)


def in_use(call: Callable[[], Any]) -> str:
    with pytest.raises(ServiceError) as said:
        call()
    assert said.value.name == "ResourceInUseException"
    return said.value.service_message


def test_a_table_takes_its_time(slow: Any) -> None:
    engine, wait = slow
    create_table(engine, "pk", gsis={"byX": ("x", "ALL")})
    seen = table(engine)
    assert (seen["TableStatus"], seen["GlobalSecondaryIndexes"][0]["IndexStatus"]) == ("CREATING", "CREATING")
    with pytest.raises(ServiceError, match="Requested resource not found"):
        put(engine, {"pk": "1"})
    busy = "Attempt to change a resource which is still in use: Table is being created: things"
    assert in_use(lambda: engine.call("DeleteTable", {"TableName": "things"})) == busy
    told = fault(engine, "DescribeTimeToLive", {"TableName": "things"})
    assert told.endswith("Current table state is CREATING")
    wait(10)
    assert table(engine)["TableStatus"] == "ACTIVE"
    put(engine, {"pk": "1"})


def test_an_update_takes_its_time(slow: Any) -> None:
    engine, wait = slow
    provisioned(engine)
    wait(10)
    update(engine, ProvisionedThroughput=units(9, 9))
    seen = table(engine)
    assert (seen["TableStatus"], seen["ProvisionedThroughput"]["ReadCapacityUnits"]) == ("UPDATING", 5)
    assert in_use(lambda: update(engine, BillingMode="PAY_PER_REQUEST")).endswith("Table is being updated: things")
    put(engine, {"pk": "1"})
    wait(10)
    seen = table(engine)
    assert (seen["TableStatus"], seen["ProvisionedThroughput"]["ReadCapacityUnits"]) == ("ACTIVE", 9)
    update(engine, **new_gsi(ProvisionedThroughput=units()))
    assert table(engine)["GlobalSecondaryIndexes"][0]["IndexStatus"] == "CREATING"
    wait(10)
    update(engine, **ONLINE)
    assert table(engine)["GlobalSecondaryIndexes"][0]["IndexStatus"] == "DELETING"
    wait(10)
    assert "GlobalSecondaryIndexes" not in table(engine)


def test_a_table_is_gone_after_its_time(slow: Any) -> None:
    engine, wait = slow
    create_table(engine, "pk")
    wait(10)
    engine.call("DeleteTable", {"TableName": "things"})
    assert table(engine)["TableStatus"] == "DELETING"
    assert engine.call("ListTables", {}) == {"TableNames": ["things"]}
    assert in_use(lambda: create_table(engine, "pk")) == "Table already exists: things"
    with pytest.raises(ServiceError, match="Requested resource not found"):
        put(engine, {"pk": "1"})
    wait(10)
    assert engine.call("ListTables", {}) == {"TableNames": []}
    with pytest.raises(ServiceError, match="not found"):
        table(engine)
    create_table(engine, "pk")
    wait(10)
    assert table(engine)["ItemCount"] == 0
