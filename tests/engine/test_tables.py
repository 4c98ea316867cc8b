from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tablewright.errors import ServiceError
from tests.engine.make import fault, key_schema, put

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine

WRONG = "One or more parameter values were invalid: "
UNITS = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}


def definitions(names: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "AttributeType": "S"} for name in names.split()]


def request(keys: str = "a b", defined: str = "a b", **more: Any) -> dict[str, Any]:
    return {
        "TableName": "abc",
        "AttributeDefinitions": definitions(defined),
        "KeySchema": key_schema(keys),
        "ProvisionedThroughput": UNITS,
        **more,
    }


def index(name: str = "abc", keys: str = "a b", projection: Any = None, **more: Any) -> dict[str, Any]:
    shown = {"ProjectionType": "ALL"} if projection is None else projection
    return {"IndexName": name, "KeySchema": key_schema(keys), "Projection": shown, **more}


def gsi(name: str = "abc", keys: str = "a b", projection: Any = None, **more: Any) -> dict[str, Any]:
    return index(name, keys, projection, ProvisionedThroughput=UNITS, **more)


def test_a_new_table_is_described_as_it_was_asked_for(engine: Engine) -> None:
    told = engine.call("CreateTable", request("a", "a"))["TableDescription"]
    assert told.pop("CreationDateTime") > 0
    assert len(told.pop("TableId")) == 36
    assert told == {
        "TableName": "abc",
        "AttributeDefinitions": definitions("a"),
        "KeySchema": key_schema("a"),
        "TableStatus": "CREATING",
        "ProvisionedThroughput": {**UNITS, "NumberOfDecreasesToday": 0},
        "TableSizeBytes": 0,
        "ItemCount": 0,
        "TableArn": "arn:aws:dynamodb:us-east-1:123456789012:table/abc",
    }
    seen = engine.call("DescribeTable", {"TableName": told["TableArn"]})["Table"]
    assert seen["TableStatus"] == "ACTIVE"
    assert seen["DeletionProtectionEnabled"] is False
    assert seen["WarmThroughput"] == {"ReadUnitsPerSecond": 1, "WriteUnitsPerSecond": 1, "Status": "ACTIVE"}


def test_indexes_are_described_with_what_they_hold(engine: Engine) -> None:
    local = index("loc", "a c", {"ProjectionType": "KEYS_ONLY"})
    asked = request("a b", "a b c", LocalSecondaryIndexes=[local], GlobalSecondaryIndexes=[gsi("glo", "c a")])
    engine.call("CreateTable", asked)
    put(engine, {"a": "1", "b": "1", "c": "x"}, {"a": "2", "b": "1"}, table="abc")
    seen = engine.call("DescribeTable", {"TableName": "abc"})["Table"]
    assert (seen["ItemCount"], seen["TableSizeBytes"]) == (2, 10)
    arn = seen["TableArn"]
    assert seen["LocalSecondaryIndexes"] == [
        {**local, "IndexSizeBytes": 6, "ItemCount": 1, "IndexArn": f"{arn}/index/loc"}
    ]
    assert seen["GlobalSecondaryIndexes"] == [
        {
            **gsi("glo", "c a"),
            "ProvisionedThroughput": {**UNITS, "NumberOfDecreasesToday": 0},
            "IndexStatus": "ACTIVE",
            "IndexSizeBytes": 6,
            "ItemCount": 1,
            "IndexArn": f"{arn}/index/glo",
        }
    ]


def test_options_are_given_back(engine: Engine) -> None:
    asked = request(
        "a",
        "a",
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
        SSESpecification={"Enabled": True},
        Tags=[{"Key": "k", "Value": "v"}],
        TableClass="STANDARD_INFREQUENT_ACCESS",
        DeletionProtectionEnabled=True,
        WarmThroughput={"ReadUnitsPerSecond": 13_000},
        OnDemandThroughput={"MaxReadRequestUnits": 10, "MaxWriteRequestUnits": 5},
    )
    del asked["ProvisionedThroughput"]
    engine.call("CreateTable", asked)
    seen = engine.call("DescribeTable", {"TableName": "abc"})["Table"]
    assert seen["BillingModeSummary"] == {
        "BillingMode": "PAY_PER_REQUEST",
        "LastUpdateToPayPerRequestDateTime": seen["CreationDateTime"],
    }
    assert seen["StreamSpecification"] == asked["StreamSpecification"]
    assert seen["LatestStreamArn"] == f"{seen['TableArn']}/stream/{seen['LatestStreamLabel']}"
    assert seen["SSEDescription"]["SSEType"] == "KMS"
    assert seen["SSEDescription"]["KMSMasterKeyArn"].startswith("arn:aws:kms:us-east-1:")
    assert seen["TableClassSummary"] == {"TableClass": "STANDARD_INFREQUENT_ACCESS"}
    assert seen["DeletionProtectionEnabled"] is True
    assert seen["WarmThroughput"]["ReadUnitsPerSecond"] == 13_000
    assert seen["WarmThroughput"]["WriteUnitsPerSecond"] == 4_000
    assert seen["OnDemandThroughput"] == asked["OnDemandThroughput"]
    assert fault(engine, "DeleteTable", {"TableName": "abc"}).endswith("Disable deletion protection first.")


def test_a_table_that_is_there_cannot_be_made(engine: Engine) -> None:
    engine.call("CreateTable", request())
    with pytest.raises(ServiceError) as refused:
        engine.call("CreateTable", request())
    assert (refused.value.name, refused.value.service_message) == (
        "ResourceInUseException",
        "Table already exists: abc",
    )


def test_a_deleted_table_is_gone(engine: Engine) -> None:
    engine.call("CreateTable", request())
    told = engine.call("DeleteTable", {"TableName": "abc"})["TableDescription"]
    assert told["TableStatus"] == "DELETING"
    assert not told.keys() & {"CreationDateTime", "KeySchema", "AttributeDefinitions"}
    for action in ("DescribeTable", "DeleteTable"):
        with pytest.raises(ServiceError) as refused:
            engine.call(action, {"TableName": "abc"})
        assert refused.value.service_message == "Requested resource not found: Table: abc not found"
    engine.call("CreateTable", request())


def test_tables_are_listed_in_pages(engine: Engine) -> None:
    for name in ("ccc", "aaa", "bbb"):
        engine.call("CreateTable", {**request(), "TableName": name})
    first = engine.call("ListTables", {"Limit": 2})
    assert first == {"TableNames": ["aaa", "bbb"], "LastEvaluatedTableName": "bbb"}
    assert engine.call("ListTables", {"ExclusiveStartTableName": "bbb"}) == {"TableNames": ["ccc"]}
    assert engine.call("ListTables", {"Limit": 3}) == {"TableNames": ["aaa", "bbb", "ccc"]}


UNDEFINED = f"{WRONG}Some index key attributes are not defined in AttributeDefinitions. "
SAME = "Both the Hash Key and the Range Key element in the KeySchema have the same name"
FIRST = "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"
SECOND = "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"
PAID = "when BillingMode is PAY_PER_REQUEST"


def keys(*pairs: tuple[str, str]) -> list[dict[str, str]]:
    return [{"AttributeName": name, "KeyType": kind} for name, kind in pairs]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ProvisionedThroughput": None}, f"{WRONG}ReadCapacityUnits and WriteCapacityUnits must both be specified"),
        (
            {"BillingMode": "PAY_PER_REQUEST"},
            f"{WRONG}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified {PAID}",
        ),
        (
            {"ProvisionedThroughput": {"ReadCapacityUnits": 10**12 + 1, "WriteCapacityUnits": 1}},
            "Given value 1000000000001 for ReadCapacityUnits is out of bounds",
        ),
        ({"AttributeDefinitions": definitions("a a")}, "Attribute Name is duplicated: a"),
        ({"AttributeDefinitions": definitions("a")}, "Invalid KeySchema: Some index key attribute have no definition"),
        ({"AttributeDefinitions": definitions("a c")}, f"{UNDEFINED}Keys: [a, b], AttributeDefinitions: [a, c]"),
        ({"KeySchema": keys(("a", "HASH"), ("a", "RANGE"))}, SAME),
        ({"KeySchema": keys(("a", "RANGE"), ("b", "HASH"))}, FIRST),
        ({"KeySchema": keys(("a", "HASH"), ("b", "HASH"))}, SECOND),
        ({"AttributeDefinitions": definitions("a b c")}, f"{WRONG}Number of attributes in KeySchema does not exactly"),
        (
            {"StreamSpecification": {"StreamEnabled": True}},
            f"{WRONG}Table is being created with a stream enabled, UpdateViewType is required",
        ),
        (
            {"StreamSpecification": {"StreamEnabled": False, "StreamViewType": "NEW_IMAGE"}},
            f"{WRONG}Table is being created with a stream disabled, UpdateViewType should not be specified",
        ),
        ({"SSESpecification": {"SSEType": "KMS"}}, f"{WRONG}SSEType can not be specified if Enabled is false"),
        ({"SSESpecification": {"Enabled": True, "SSEType": "AES256"}}, f"{WRONG}SSEType AES256 is not supported"),
        ({"TableClass": "x"}, "Invalid table-class parameter provided. Please try again with a valid table-class"),
        ({"Tags": [{"Key": "k"}]}, "The Tag Value provided is invalid, Value: null"),
        (
            {"OnDemandThroughput": {"MaxReadRequestUnits": 1}},
            f"{WRONG}MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is",
        ),
        (
            {"WarmThroughput": {"WriteUnitsPerSecond": 0}},
            f"{WRONG}Requested WriteUnitsPerSecond for WarmThroughput for table is lower than WriteCapacityUnits of",
        ),
    ],
)
def test_what_a_table_cannot_be(engine: Engine, change: dict[str, Any], message: str) -> None:
    assert fault(engine, "CreateTable", request(**change)).startswith(message)


@pytest.mark.parametrize(
    ("indexes", "message"),
    [
        ([], f"{WRONG}List of LocalSecondaryIndexes is empty"),
        ([index(keys="a x")], f"{UNDEFINED}Keys: [a, x], AttributeDefinitions: [a, b]"),
        ([index(keys="a")], f"{WRONG}Index KeySchema does not have a range key for index: abc"),
        (
            [index(keys="b a")],
            (
                f"{WRONG}Index KeySchema does not have the same leading hash key as table KeySchema for index: abc."
                " index"
                " hash key: b, table hash key: a"
            ),
        ),
        ([index(projection={})], f"{WRONG}Unknown ProjectionType: null"),
        ([index(), index()], f"{WRONG}Duplicate index name: abc"),
        (
            [index(f"abc{number}") for number in range(6)],
            f"{WRONG}Number of LocalSecondaryIndexes exceeds per-table limit of 5",
        ),
    ],
)
def test_what_a_local_index_cannot_be(engine: Engine, indexes: list[Any], message: str) -> None:
    assert fault(engine, "CreateTable", request(LocalSecondaryIndexes=indexes)) == message


def test_a_local_index_needs_a_sort_key(engine: Engine) -> None:
    told = fault(engine, "CreateTable", request("a", "a b", LocalSecondaryIndexes=[index()]))
    assert (
        told
        == f"{WRONG}Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex"
    )


@pytest.mark.parametrize(
    ("indexes", "message"),
    [
        ([], f"{WRONG}List of GlobalSecondaryIndexes is empty"),
        ([gsi(keys="x")], f"{UNDEFINED}Keys: [x], AttributeDefinitions: [a, b]"),
        ([{**gsi(), "KeySchema": keys(("a", "RANGE"))}], FIRST),
        ([{**gsi(), "KeySchema": keys(("a", "HASH"), ("a", "HASH"))}], SAME),
        (
            [gsi(projection={"ProjectionType": "INCLUDE"})],
            f"{WRONG}ProjectionType is INCLUDE, but NonKeyAttributes is not",
        ),
        (
            [gsi(projection={"ProjectionType": "KEYS_ONLY", "NonKeyAttributes": ["x"]})],
            f"{WRONG}ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified",
        ),
        (
            [gsi(projection={"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x", "x"]})],
            f"{WRONG}Duplicate element in NonKeyAttributes: x",
        ),
        ([index()], f"{WRONG}ProvisionedThroughput is not specified for index: abc"),
        (
            [gsi(f"abc{number}") for number in range(21)],
            f"{WRONG}GlobalSecondaryIndex count exceeds the per-table limit of 20",
        ),
        (
            [
                gsi(
                    f"abc{number}", projection={"ProjectionType": "INCLUDE", "NonKeyAttributes": [*map(str, range(51))]}
                )
                for number in range(2)
            ],
            f"{WRONG}Number of NonKeyAttributes over all indexes exceeds the limit of 100: 102",
        ),
    ],
)
def test_what_a_global_index_cannot_be(engine: Engine, indexes: list[Any], message: str) -> None:
    assert fault(engine, "CreateTable", request(GlobalSecondaryIndexes=indexes)).startswith(message)


def test_an_attribute_must_be_used(engine: Engine) -> None:
    told = fault(engine, "CreateTable", request(defined="a b c", GlobalSecondaryIndexes=[gsi()]))
    assert told == f"{WRONG}Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys used: [a, b]"


def test_an_index_of_an_on_demand_table_has_no_units(engine: Engine) -> None:
    asked = request(BillingMode="PAY_PER_REQUEST", GlobalSecondaryIndexes=[gsi()])
    del asked["ProvisionedThroughput"]
    told = fault(engine, "CreateTable", asked)
    assert told == f"{WRONG}ProvisionedThroughput should not be specified for index: abc {PAID}"


def test_keys_of_several_attributes(engine: Engine) -> None:
    eight = "a b c d e f g h"
    asked = request("a b", eight, GlobalSecondaryIndexes=[gsi(keys="a,b,c,d e,f,g,h")])
    engine.call("CreateTable", asked)
    seen = engine.call("DescribeTable", {"TableName": "abc"})["Table"]["GlobalSecondaryIndexes"][0]
    assert seen["KeySchema"] == key_schema("a,b,c,d e,f,g,h")


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (key_schema("a,b,c,d,e"), f"{WRONG}The KeySchema exceeds the maximum allowed number of HASH key attributes"),
        (key_schema("a b,c,d,e,f"), f"{WRONG}The KeySchema exceeds the maximum allowed number of RANGE key attributes"),
        (
            keys(("a", "HASH"), ("b", "RANGE"), ("c", "HASH")),
            f"{WRONG}All HASH key attributes must precede RANGE key attributes in the KeySchema",
        ),
        (key_schema("a,b a"), "The KeySchema contains multiple key attributes with the same name"),
    ],
)
def test_too_many_attributes_in_a_key(engine: Engine, schema: list[Any], message: str) -> None:
    asked = request("a b", "a b c d e f", GlobalSecondaryIndexes=[{**gsi(), "KeySchema": schema}])
    assert fault(engine, "CreateTable", asked) == message
