"""Clients of botocore as transports: against moto, the engine's server, and servers that misbehave."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import boto3
import botocore.session
import msgspec
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, EndpointConnectionError
from botocore.stub import Stubber
from moto import mock_aws

from tablewright import errors
from tablewright.engine import Engine
from tablewright.engine.server import serve
from tablewright.engine.simulation import Clock, Failure, Instruments
from tablewright.runtime.backoff import Retry
from tablewright.runtime.transports.botocore import AsyncBotocore, Botocore, make_client, with_bytes
from tablewright.runtime.transports.trace import Trace
from tablewright.wire.call import Call
from tests.runtime.transports.scripted import Scripted, hang_up, refusal

KEYS = {"aws_access_key_id": "id", "aws_secret_access_key": "secret", "region_name": "us-east-1"}
TABLE: dict[str, Any] = {
    "TableName": "things",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}
ITEM: dict[str, Any] = {
    "pk": {"S": "ä"},
    "b": {"B": "AAH/"},
    "bs": {"BS": ["AQ=="]},
    "B": {"S": "no binary"},
    "BS": {"L": [{"B": "Ag=="}, {"N": "1.5"}]},
    "m": {"M": {"B": {"B": ""}, "BS": {"NULL": True}}},
}
READ = Call("GetItem", {"TableName": "things", "Key": {"pk": ITEM["pk"]}})
PUT = Call("PutItem", {"TableName": "things", "Item": ITEM})
CREATE = Call("PutItem", {**PUT.params, "ConditionExpression": "attribute_not_exists(pk)"})
COUNT = Call(
    "UpdateItem",
    {
        "TableName": "things",
        "Key": {"pk": ITEM["pk"]},
        "UpdateExpression": "ADD n :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    },
)
FEW = Config(retries={"total_max_attempts": 2, "mode": "standard"}, connect_timeout=2, read_timeout=1)


def client_of(url: str, **more: Any) -> Any:
    return boto3.client("dynamodb", endpoint_url=url, **KEYS, **more)


def filled(transport: Botocore) -> Botocore:
    transport.call(Call("CreateTable", TABLE))
    transport.call(PUT)
    return transport


@pytest.fixture
def moto() -> Iterator[None]:
    with mock_aws():
        yield


@pytest.fixture(params=["moto", "server"])
def client(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "moto":
        with mock_aws():
            yield boto3.client("dynamodb", **KEYS)
        return
    with serve() as server:
        made = client_of(server.url)
        yield made
        made.close()


# ---- values ----------------------------------------------------------------------------------------------------------


def test_items_go_in_and_out_unchanged(client: Any) -> None:
    assert msgspec.json.decode(filled(Botocore(client)).call(READ)) == {"Item": ITEM}


def test_parameters_that_an_action_does_not_know_are_dropped(client: Any) -> None:
    read = Call("GetItem", {**READ.params, "Limit": 3, "ScanIndexForward": True})
    assert b"Item" in filled(Botocore(client)).call(read)


def test_points_in_time_are_numbers(client: Any) -> None:
    described = msgspec.json.decode(filled(Botocore(client)).call(Call("DescribeTable", {"TableName": "things"})))
    assert isinstance(described["Table"]["CreationDateTime"], float)
    assert "ResponseMetadata" not in described


def test_requests_without_binary_values_are_not_copied() -> None:
    assert with_bytes(COUNT.params) is COUNT.params
    assert with_bytes(PUT.params)["Item"]["bs"] == {"BS": [b"\x01"]}
    assert PUT.params["Item"]["bs"] == {"BS": ["AQ=="]}


# ---- refusals --------------------------------------------------------------------------------------------------------


def test_a_failed_condition_comes_with_its_item(client: Any) -> None:
    transport = filled(Botocore(client))
    asked = Call("PutItem", {**CREATE.params, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"})
    with pytest.raises(errors.ConditionFailed) as caught:
        transport.call(asked)
    assert caught.value.details["Item"] == ITEM
    assert isinstance(caught.value.__cause__, ClientError)


def test_a_cancelled_transaction_comes_with_its_reasons(client: Any) -> None:
    with pytest.raises(errors.TransactionCancelled) as caught:
        filled(Botocore(client)).call(Call("TransactWriteItems", {"TransactItems": [{"Put": CREATE.params}]}))
    assert caught.value.details["CancellationReasons"][0]["Code"] == "ConditionalCheckFailed"


def test_what_botocore_refuses_itself_is_a_validation_error(client: Any) -> None:
    with pytest.raises(errors.ServiceError, match="Missing required parameter") as caught:
        Botocore(client).call(Call("GetItem", {"TableName": "things"}))
    assert caught.value.name == "ValidationException"


def test_actions_that_botocore_does_not_know_are_told(client: Any) -> None:
    with pytest.raises(errors.ServiceError, match="does not know FlyToTheMoon"):
        Botocore(client).call(Call("FlyToTheMoon", {}))


# ---- trouble on the way ----------------------------------------------------------------------------------------------


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    client = client_of(url, config=FEW)
    with pytest.raises(errors.ConnectionFailed) as caught:
        Botocore(client).call(COUNT)
    assert isinstance(caught.value.__cause__, EndpointConnectionError)
    client.close()


def test_without_credentials_nothing_is_sent() -> None:
    client = botocore.session.get_session().create_client("dynamodb", "us-east-1", endpoint_url="http://127.0.0.1:9")
    with pytest.raises(errors.CredentialsMissing):
        Botocore(client).call(READ)
    client.close()


@pytest.mark.parametrize("trouble", [hang_up, refusal("InternalServerError", status=500)])
def test_a_write_that_botocore_gave_up_may_have_been_made(trouble: Any) -> None:
    with Scripted([trouble] * 9) as script:
        client = client_of(script.url, config=FEW)
        with pytest.raises(errors.OutcomeUnknown):
            Botocore(client).call(COUNT)
        with pytest.raises((errors.ConnectionFailed, errors.ServiceError)):
            Botocore(client).call(READ)
        client.close()
        assert len(script.requests) == 4  # ours do not multiply botocore's


def test_silence_is_a_timeout() -> None:
    with Scripted([lambda connection: connection.recv(1)]) as script:  # type: ignore[list-item,func-returns-value]
        config = Config(retries={"total_max_attempts": 1}, read_timeout=0.1)
        client = client_of(script.url, config=config)
        with pytest.raises(errors.TimedOut):
            Botocore(client).call(READ)
        client.close()


def test_throttling_is_botocores_to_retry() -> None:
    trace = Trace()
    with Scripted([refusal("ThrottlingException")] * 9) as script:
        client = client_of(script.url, config=Config(retries={"total_max_attempts": 1}))
        with pytest.raises(errors.Throttled):
            Botocore(client).call(READ, trace)
        client.close()
        assert len(script.requests) == 1
    assert trace == Trace(attempts=1, faults=["ThrottlingException"])


def test_conflicts_which_botocore_gives_up_are_retried_here() -> None:
    conflict = Failure("TransactionConflictException")
    script = iter([None, conflict, conflict])
    instruments = Instruments(failures=lambda _action, _params: next(script, None))
    trace = Trace()
    with serve(Engine(clock=Clock(), instruments=instruments)) as server:
        client = client_of(server.url)
        transport = Botocore(client, retry=Retry(base_seconds=0.0))
        transport.call(Call("CreateTable", TABLE))
        transport.call(COUNT, trace)
        client.close()
    assert trace == Trace(attempts=3, faults=["TransactionConflictException"] * 2)


def test_attempts_of_botocore_are_noted() -> None:
    trace = Trace()
    with Scripted([refusal("InternalServerError", status=500)]) as script:
        client = client_of(script.url, config=FEW)
        Botocore(client).call(READ, trace)
        client.close()
    assert trace.attempts == 2


# ---- clients ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("moto")
def test_resources_tables_and_their_clients_will_do() -> None:
    resource = boto3.resource("dynamodb", **KEYS)
    filled(Botocore(resource))
    table = resource.Table("things")
    for given in (resource, table, resource.meta.client):
        assert msgspec.json.decode(Botocore(given).call(READ)) == {"Item": ITEM}
    table.put_item(Item={"pk": "b", "n": 1})  # what was lent still converts values
    assert table.get_item(Key={"pk": "b"})["Item"]["n"] == 1


@pytest.mark.parametrize("given", [object(), "http://localhost:8000"])
def test_what_is_no_client_is_refused(given: Any) -> None:
    with pytest.raises(errors.RequestError, match="is no DynamoDB client") as caught:
        Botocore(given)
    assert caught.value.code == 1023


def test_clients_of_other_services_are_refused() -> None:
    with pytest.raises(errors.RequestError, match="is no DynamoDB client"):
        Botocore(boto3.client("sts", **KEYS))


@pytest.mark.usefixtures("moto")
def test_lent_clients_give_others_their_replies_whole() -> None:
    client = boto3.client("dynamodb", **KEYS)
    filled(Botocore(client))
    assert client.get_item(**{**READ.params, "Key": {"pk": {"S": "ä"}}})["Item"]["b"] == {"B": b"\x00\x01\xff"}
    with pytest.raises(errors.ConditionFailed):
        Botocore(client).call(CREATE)
    assert client.list_tables()["TableNames"] == ["things"]


@pytest.mark.usefixtures("moto")
def test_replies_are_the_same_where_botocore_tells_nobody_of_them() -> None:
    client = boto3.client("dynamodb", **KEYS)
    transport = filled(Botocore(client))
    told = msgspec.json.decode(transport.call(READ))
    client.meta.events.unregister("before-parse.dynamodb", unique_id="tablewright-take-text")
    assert msgspec.json.decode(transport.call(READ)) == told
    described = msgspec.json.decode(transport.call(Call("DescribeTable", {"TableName": "things"})))
    assert isinstance(described["Table"]["CreationDateTime"], float)


def test_stubs_work() -> None:
    client = client_of("http://127.0.0.1:9")
    with Stubber(client) as stub:
        stub.add_response("get_item", {"Item": {"pk": {"S": "a"}, "b": {"B": b"\x00"}}})
        reply = Botocore(client).call(READ)
    assert msgspec.json.decode(reply) == {"Item": {"pk": {"S": "a"}, "b": {"B": "AA=="}}}


def test_lent_clients_stay_open_and_own_ones_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    client = client_of("http://127.0.0.1:9")
    closed: list[bool] = []
    monkeypatch.setattr(client, "close", lambda: closed.append(True))
    Botocore(client).close()
    assert not closed
    Botocore(client, owned=True).close()
    assert closed


def test_our_policy_becomes_botocores() -> None:
    client = make_client(retry=Retry(attempts=3), config=Config(read_timeout=7), **KEYS)
    assert client.meta.config.retries["total_max_attempts"] == 3
    assert client.meta.config.retries["mode"] == "standard"
    assert client.meta.config.read_timeout == 7
    session = boto3.Session(**KEYS)
    assert make_client(session).meta.region_name == "us-east-1"


# ---- awaited ---------------------------------------------------------------------------------------------------------


def test_awaited_calls_run_in_threads(client: Any) -> None:
    filled(Botocore(client))

    async def scene() -> list[bytes]:
        transport = AsyncBotocore(client)
        replies = await asyncio.gather(*(transport.call(READ) for _ in range(10)))
        with pytest.raises(errors.ConditionFailed):
            await transport.call(CREATE)
        await transport.close()
        return replies

    assert {bytes(reply) for reply in asyncio.run(scene())} == {Botocore(client).call(READ)}


def test_one_loop_after_the_other(client: Any) -> None:
    filled(Botocore(client))
    transport = AsyncBotocore(client)
    assert asyncio.run(transport.call(READ)) == asyncio.run(transport.call(READ))
    asyncio.run(transport.close())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_child_process_has_threads_of_its_own() -> None:
    with Scripted() as script:
        client = client_of(script.url)
        transport = AsyncBotocore(client)
        asyncio.run(transport.call(READ))
        child = os.fork()
        if child == 0:
            os._exit(0 if asyncio.run(transport.call(READ)) == b"{}" else 1)
        assert os.waitpid(child, 0)[1] == 0
        asyncio.run(transport.close())
        client.close()


def test_times_in_replies_are_converted_wherever_they_stand() -> None:
    client = client_of("http://127.0.0.1:9")
    moment = datetime.fromisoformat("2026-01-01T00:00:00+00:00")
    with Stubber(client) as stub:
        summary = {"BackupName": "night", "BackupCreationDateTime": moment}
        stub.add_response("list_backups", {"BackupSummaries": [summary]})
        reply = Botocore(client).call(Call("ListBackups", {}))
    assert msgspec.json.decode(reply)["BackupSummaries"][0]["BackupCreationDateTime"] == moment.timestamp()
