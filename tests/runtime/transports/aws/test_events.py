"""moto's `mock_aws` works unchanged, and so does whoever else answers `before-send`."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import boto3
import botocore.session
import msgspec
import pytest
from botocore.awsrequest import AWSResponse
from moto import mock_aws

from tablewright import errors
from tablewright.runtime.backoff import Retry
from tablewright.runtime.transports.aws.events import BeforeSend
from tablewright.runtime.transports.fast import Fast, open_fast
from tablewright.runtime.transports.settings import read_settings
from tablewright.wire.call import Call
from tests.runtime.transports.scripted import Scripted

TABLE: dict[str, Any] = {
    "TableName": "things",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}
KEY = {"TableName": "things", "Key": {"pk": {"S": "ä"}}}
ITEM = {"pk": {"S": "ä"}, "n": {"N": "1"}}


def opened(**more: Any) -> Fast:
    return open_fast(read_settings(region_name="eu-west-1", **more), retry=Retry(attempts=1))


@pytest.mark.parametrize("with_session", [False, True])
def test_moto(with_session: bool) -> None:
    with mock_aws():
        fast = opened(session=boto3.Session()) if with_session else opened()
        fast.call(Call("CreateTable", TABLE))
        fast.call(Call("PutItem", {"TableName": "things", "Item": ITEM}))
        assert msgspec.json.decode(fast.call(Call("GetItem", KEY))) == {"Item": ITEM}
        stored = boto3.client("dynamodb", "eu-west-1").get_item(**KEY)["Item"]
        assert stored == ITEM
        only_new = {"TableName": "things", "Item": ITEM, "ConditionExpression": "attribute_not_exists(pk)"}
        with pytest.raises(errors.ConditionFailed) as failed:
            fast.call(Call("PutItem", {**only_new, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}))
        assert failed.value.details == {"Item": ITEM}
        assert len(fast.pool) == 0


def test_moto_that_comes_later() -> None:
    fast = opened(aws_access_key_id="id", aws_secret_access_key="secret")
    with mock_aws():
        fast.call(Call("CreateTable", TABLE))
        assert msgspec.json.decode(fast.call(Call("ListTables", {})))["TableNames"] == ["things"]


def test_moto_that_has_ended_answers_no_more() -> None:
    with mock_aws():
        pass
    with Scripted() as server:
        fast = opened(endpoint_url=server.url, aws_access_key_id="id", aws_secret_access_key="secret")
        assert fast.call(Call("ListTables", {})) == b"{}"
        fast.close()


def test_handlers_of_a_session() -> None:
    session = botocore.session.Session()
    session.set_credentials("id", "secret")
    asked: list[Any] = []

    def handler(request: Any, event_name: str, **_: Any) -> AWSResponse:
        asked.append((event_name, request.method, request.url, request.headers["X-Amz-Target"], request.body))
        response = AWSResponse(request.url, 200, {"Content-Type": "x"}, None)
        response._content = b'{"n":1}'
        return response

    with Scripted() as server:
        fast = opened(session=session, endpoint_url=server.url)
        assert fast.call(Call("ListTables", {})) == b"{}"
        session.register("before-send.dynamodb.ListTables", handler)
        assert fast.call(Call("ListTables", {})) == b'{"n":1}'
        assert fast.call(Call("GetItem", {})) == b"{}"
        session.unregister("before-send.dynamodb.ListTables", handler)
        assert fast.call(Call("ListTables", {})) == b"{}"
        fast.close()
        url = f"{server.url}/"
    assert asked == [
        ("before-send.dynamodb.ListTables", "POST", url, "DynamoDB_20120810.ListTables", b"{}"),
    ]


def test_handlers_of_other_services_do_not_listen() -> None:
    session = botocore.session.Session(include_builtin_handlers=False)  # moto's is one of them by now
    session.register("before-send.s3", lambda **_: None)
    assert not BeforeSend("http://x/", session).listens("GetItem")


def test_an_emitter_of_another_make_is_always_asked() -> None:
    class Emitter:
        def emit_until_response(self, event: str, **_: Any) -> tuple[None, None]:
            return None, None

    class Session:
        def get_component(self, _: str) -> Emitter:
            return Emitter()

    before_send = BeforeSend("http://x/", Session())
    assert before_send.listens("GetItem")
    assert before_send.answer("GetItem", b"POST / HTTP/1.1\r\nHost: x\r\n\r\n{}") is None


def test_nobody_listens_while_botocore_is_not_imported() -> None:
    code = """
import sys
from tablewright.runtime.transports.aws.events import BeforeSend
print(BeforeSend("http://x/").listens("GetItem"), "botocore" in sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "False"]


def test_motos_server() -> None:
    pytest.importorskip("flask")
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        fast = opened(endpoint_url=f"http://{host}:{port}", aws_access_key_id="id", aws_secret_access_key="secret")
        fast.call(Call("CreateTable", TABLE))
        fast.call(Call("PutItem", {"TableName": "things", "Item": ITEM}))
        assert msgspec.json.decode(fast.call(Call("GetItem", KEY))) == {"Item": ITEM}
        with pytest.raises(errors.ServiceError, match="ResourceNotFoundException"):
            fast.call(Call("GetItem", {**KEY, "TableName": "nothing"}))
        fast.close()
    finally:
        server.stop()
