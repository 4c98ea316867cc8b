"""The SDKs people use, unchanged, against the served engine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError

from tablewright.engine import Engine
from tablewright.engine.server import Separate, Server, serve
from tablewright.engine.server.authorization import _read_caller
from tablewright.errors import ServiceError
from tests.conftest import Node

ORDERS: dict[str, Any] = {
    "TableName": "orders",
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "customer", "KeyType": "HASH"}, {"AttributeName": "id", "KeyType": "RANGE"}],
    "AttributeDefinitions": [
        {"AttributeName": "customer", "AttributeType": "S"},
        {"AttributeName": "id", "AttributeType": "S"},
        {"AttributeName": "status", "AttributeType": "S"},
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by_status",
            "KeySchema": [{"AttributeName": "status", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
}


@pytest.fixture
def server() -> Iterator[Server]:
    with serve() as running:
        yield running


def resource(server: Server, key: str = "local", region: str = "us-east-1") -> Any:
    return boto3.resource(
        "dynamodb",
        endpoint_url=server.url,
        region_name=region,
        aws_access_key_id=key,
        aws_secret_access_key="local",
    )


def test_boto3_resource(server: Server) -> None:
    dynamodb = resource(server)
    table = dynamodb.create_table(**ORDERS)
    table.wait_until_exists()
    with table.batch_writer() as batch:
        for number in range(60):
            batch.put_item(Item={"customer": "c1", "id": f"o{number:03}", "status": "open", "amount": number})
    page = table.query(KeyConditionExpression=Key("customer").eq("c1") & Key("id").begins_with("o00"), Limit=4)
    assert [item["amount"] for item in page["Items"]] == [0, 1, 2, 3]
    assert page["LastEvaluatedKey"] == {"customer": "c1", "id": "o003"}
    updated = table.update_item(
        Key={"customer": "c1", "id": "o003"},
        UpdateExpression="SET #s = :done ADD amount :one",
        ConditionExpression=Attr("status").eq("open"),
        ExpressionAttributeNames={"#s": "status"},
        ExpressionAttributeValues={":done": "done", ":one": 1},
        ReturnValues="ALL_NEW",
        ReturnConsumedCapacity="INDEXES",
    )
    assert updated["Attributes"]["amount"] == 4
    assert updated["ConsumedCapacity"]["GlobalSecondaryIndexes"] == {"by_status": {"CapacityUnits": 2.0}}
    found = table.query(IndexName="by_status", KeyConditionExpression=Key("status").eq("done"))
    assert [item["id"] for item in found["Items"]] == ["o003"]
    assert table.scan(FilterExpression=Attr("amount").gte(58))["Count"] == 2


def test_boto3_errors_are_its_own(server: Server) -> None:
    client = resource(server).meta.client
    client.create_table(**ORDERS)
    item = {"customer": "c", "id": "1"}
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.get_item(TableName="missing", Key=item)
    with pytest.raises(client.exceptions.ConditionalCheckFailedException) as failed:
        client.delete_item(TableName="orders", Key=item, ConditionExpression="attribute_exists(id)")
    assert failed.value.response["Error"]["Message"] == "The conditional request failed"
    with pytest.raises(client.exceptions.TransactionCanceledException) as cancelled:
        client.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": "orders", "Item": item}},
                {
                    "ConditionCheck": {
                        "TableName": "orders",
                        "Key": {**item, "id": "2"},
                        "ConditionExpression": "attribute_exists(id)",
                    }
                },
            ]
        )
    assert [each["Code"] for each in cancelled.value.response["CancellationReasons"]] == [
        "None",
        "ConditionalCheckFailed",
    ]
    assert "[None, ConditionalCheckFailed]" in cancelled.value.response["Error"]["Message"]
    with pytest.raises(ClientError, match="Invalid KeyConditionExpression"):
        client.query(TableName="orders", KeyConditionExpression="nonsense nonsense")


def test_boto3_streams(server: Server) -> None:
    client = resource(server).meta.client
    client.create_table(**ORDERS, StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
    streams = boto3.client(
        "dynamodbstreams",
        endpoint_url=server.url,
        region_name="us-east-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",
    )
    (stream,) = streams.list_streams(TableName="orders")["Streams"]
    assert stream["TableName"] == "orders"


def test_regions_and_keys_see_their_own_tables(tmp_path: Path) -> None:
    for path in (None, tmp_path / "app.db"):
        with Server(Separate(path)) as server:
            resource(server, "one").meta.client.create_table(**ORDERS)
            assert resource(server, "one").meta.client.list_tables()["TableNames"] == ["orders"]
            assert resource(server, "two").meta.client.list_tables()["TableNames"] == []
            assert resource(server, "one", "eu-central-1").meta.client.list_tables()["TableNames"] == []
            with pytest.raises(ClientError, match="UnrecognizedClientException"):
                resource(server, "../../escape").meta.client.list_tables()
    assert sorted(path.name for path in tmp_path.glob("*.db")) == [
        "app.one.eu-central-1.db",
        "app.one.us-east-1.db",
        "app.two.us-east-1.db",
    ]


@pytest.mark.parametrize(
    ("mine", "others"),
    [
        (("team-eu", "west-1"), ("team", "eu-west-1")),
        (("team", "eu-west-a1"), ("team-eu-west", "a1")),
        (("TEAM", "eu-west-1"), ("team", "eu-west-1")),  # the same name where letter case does not count
        (("a" * 128, "r" * 63), ("a" * 127 + "b", "r" * 63)),  # too long for the name of a file
    ],
)
def test_keys_and_regions_never_run_together(tmp_path: Path, mine: tuple[str, str], others: tuple[str, str]) -> None:
    for path in (None, tmp_path / "app.db"):
        with Server(Separate(path)) as server:
            resource(server, *mine).meta.client.create_table(**ORDERS)
            assert resource(server, *others).meta.client.list_tables()["TableNames"] == []
            assert resource(server, *mine).meta.client.list_tables()["TableNames"] == ["orders"]
    with Server(Separate(tmp_path / "app.db")) as server:
        assert resource(server, *others).meta.client.list_tables()["TableNames"] == []
        assert resource(server, *mine).meta.client.list_tables()["TableNames"] == ["orders"]
    names = [path.name for path in tmp_path.glob("*.db")]
    assert len({name.lower() for name in names}) == 2
    assert max(map(len, names)) <= 200


@pytest.mark.parametrize("key", ["team/red", "team/20261115/eu-west-1", "/red", "red/", "a.b", "/"])
def test_keys_that_cannot_be_told_apart_are_refused(tmp_path: Path, key: str) -> None:
    """The parts of a signature are divided by slashes, so that a key with one looked like another key and region."""
    with Server(Separate(tmp_path / "app.db")) as server:
        with pytest.raises(ClientError, match="UnrecognizedClientException"):
            resource(server, key, "eu-west-1").meta.client.create_table(**ORDERS)
        with pytest.raises(ClientError, match="UnrecognizedClientException"):
            resource(server, "team/blue", "eu-west-1").meta.client.list_tables()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("credential", ["", "team", "team/d/eu-west-1", "team/red/d/eu-west-1"])
def test_signatures_that_lack_parts_have_no_tables_of_their_own(credential: str) -> None:
    with pytest.raises(ServiceError, match="UnrecognizedClientException"):
        Separate().engine_for(_read_caller(credential))


def test_files_of_earlier_versions_are_told_of_and_left_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """They do not tell whose they are: it could be team-eu in west-1, or team in eu-west-1."""
    earlier = tmp_path / "app-team-eu-west-1.db"
    with Engine(earlier) as engine:
        engine.call("CreateTable", ORDERS)
    (tmp_path / "app-notes-of-mine.db").write_text("not a database")
    before = earlier.read_bytes()
    with Server(Separate(tmp_path / "app.db")) as server:
        assert resource(server, "team", "eu-west-1").meta.client.list_tables()["TableNames"] == []
    (told,) = [each.getMessage() for each in caplog.records]
    assert str(earlier) in told
    assert "app.KEY.REGION.db" in told
    assert "notes" not in told
    assert earlier.read_bytes() == before
    earlier.rename(tmp_path / "app.team-eu.west-1.db")
    caplog.clear()
    with Server(Separate(tmp_path / "app.db")) as server:
        assert resource(server, "team-eu", "west-1").meta.client.list_tables()["TableNames"] == ["orders"]
    assert caplog.records == []


def test_the_command_tells_of_files_of_earlier_versions(tmp_path: Path) -> None:
    with Engine(tmp_path / "app-local-us-east-1.db"):
        pass
    command = ["engine", "serve", "--port", "0", "--separate", "--file", str(tmp_path / "app.db")]
    with subprocess.Popen(
        [sys.executable, "-m", "tablewright.cli", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.terminate()
        assert b"app-local-us-east-1.db" in process.communicate()[1]


def test_the_engine_behind_a_server_stays_open() -> None:
    with Engine() as engine:
        with serve(engine) as server:
            resource(server).meta.client.create_table(**ORDERS)
        assert engine.call("ListTables", {}) == {"TableNames": ["orders"]}


def test_aws_sdk_for_javascript_and_electrodb(server: Server, node: Node) -> None:
    seen = node.run("engine.cjs", {"endpoint": server.url})
    assert seen == {
        "created": "ACTIVE",
        "got": {"id": "1", "title": "first", "tags": ["a", "b"]},
        "updated": {"id": "1", "title": "second", "tags": ["a", "b"], "count": 1},
        "queried": ["1", "2", "3"],
        "batched": 3,
        "conditionFailed": "ConditionalCheckFailedException",
        "cancelled": ["None", "ConditionalCheckFailed"],
        "missing": "ResourceNotFoundException",
        "electro": {
            "got": {"team": "blue", "task": "t1", "points": 3, "state": "open"},
            "updated": {"points": 5},
            "byState": ["t1", "t2"],
            "page": 2,
            "transaction": {"canceled": False},
            "rejected": True,
            "left": ["t1"],
        },
    }
