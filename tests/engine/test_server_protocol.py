"""What the service answers before it looks at an operation: its wording, its order, its checksums."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

import pytest

from tablewright.engine import Engine
from tablewright.engine.server import Server, serve
from tests.engine.wire import JSON_1_0, SIGNED, Client, Reply, ask_once, message, target

JSON = {"Content-Type": "application/json"}
LIST = target("ListTables")
UNKNOWN = {"__type": "com.amazon.coral.service#UnknownOperationException"}
SERIALIZATION = {"__type": "com.amazon.coral.service#SerializationException"}
MISSING = {
    "__type": "com.amazon.coral.service#MissingAuthenticationTokenException",
    "message": "Request is missing Authentication Token",
}
NOTHING_IN_HEADER = (
    "Authorization header requires 'Credential' parameter. "
    "Authorization header requires 'Signature' parameter. "
    "Authorization header requires 'SignedHeaders' parameter. "
    "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
    "Authorization=AWS4-"
)
NOTHING_IN_QUERY = (
    "AWS query-string parameters must include 'X-Amz-Algorithm'. "
    "AWS query-string parameters must include 'X-Amz-Credential'. "
    "AWS query-string parameters must include 'X-Amz-Signature'. "
    "AWS query-string parameters must include 'X-Amz-SignedHeaders'. "
    "AWS query-string parameters must include 'X-Amz-Date'. "
    "Re-examine the query-string parameters."
)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve() as running:
        yield running


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.port) as connected:
        yield connected


def assert_error(reply: Reply, body: object, crc32: int | None = None, content_type: str = "application/json") -> None:
    assert (reply.status, reply.json()) == (400, body)
    assert reply.headers["content-type"] == content_type
    assert reply.headers["x-amz-crc32"] == str(zlib.crc32(reply.body) if crc32 is None else crc32)
    assert re.fullmatch("[0-9A-Z]{52}", reply.headers["x-amzn-requestid"])


def assert_not_found(reply: Reply) -> None:
    assert (reply.status, reply.body) == (404, b"<UnknownOperationException/>\n")
    assert reply.headers["x-amz-crc32"] == "3552371480"
    assert re.fullmatch("[0-9A-Z]{52}", reply.headers["x-amzn-requestid"])


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "BREW"])
def test_only_post_and_get_are_known(client: Client, method: str) -> None:
    assert_not_found(client.ask(message(method=method)))


def test_head_has_no_body(client: Client) -> None:
    client.send(message(method="HEAD") + message(method="GET"))
    assert client.until(b"\r\n\r\n").startswith(b"HTTP/1.1 404")
    assert client.reply().status == 200


@pytest.mark.parametrize("path", ["/", "/ping", "/?whatever"])
def test_get_tells_health(client: Client, path: str) -> None:
    reply = client.ask(message(method="GET", path=path))
    assert (reply.status, reply.body) == (200, b"healthy: dynamodb.us-east-1.amazonaws.com ")
    assert reply.headers["x-amz-crc32"] == "3128867991"
    assert reply.headers["content-length"] == "42"
    assert "content-type" not in reply.headers
    assert re.fullmatch("[0-9A-Z]{52}", reply.headers["x-amzn-requestid"])


def test_health_is_that_of_the_region() -> None:
    with Engine(region="eu-west-1") as engine, serve(engine) as elsewhere:
        reply = ask_once(elsewhere.port, message(method="GET"))
        assert reply.body == b"healthy: dynamodb.eu-west-1.amazonaws.com "


def test_only_get_pings(client: Client) -> None:
    assert_not_found(client.ask(message(b"{}", path="/ping", headers=JSON)))


def test_endpoints_are_where_the_client_found_the_server(client: Client, server: Server) -> None:
    """A client that looks for endpoints must not be sent to AWS with its data."""
    told = client.call("DescribeEndpoints", {}).json()
    assert told == {"Endpoints": [{"Address": "localhost", "CachePeriodInMinutes": 1440}]}
    asked = {**JSON_1_0, **SIGNED, **target("DescribeEndpoints"), "Host": f"127.0.0.1:{server.port}"}
    told = client.ask(message(b"{}", headers=asked)).json()
    assert told["Endpoints"][0]["Address"] == f"127.0.0.1:{server.port}"
    nowhere = client.ask(message(b"{}", headers=asked).replace(b"Host: ", b"X-Host: ")).json()
    assert nowhere["Endpoints"][0]["Address"] == f"127.0.0.1:{server.port}"


@pytest.mark.parametrize("path", ["/shell", "/DynamoDB", "//", "*", "/ping/", "http://localhost/x"])
def test_other_paths_are_not_there(client: Client, path: str) -> None:
    assert_not_found(client.ask(message(b"{}", path=path, headers=JSON)))


def test_a_whole_url_is_a_path_too(client: Client) -> None:
    assert client.ask(message(method="GET", path="http://localhost/")).status == 200


@pytest.mark.parametrize(
    "content_type", [None, "whatever", "application/jsonasdf", "text/plain", "application/x-amz-json-1.1"]
)
def test_other_content_types_are_not_there(client: Client, content_type: str | None) -> None:
    headers = {} if content_type is None else {"Content-Type": content_type}
    assert_not_found(client.ask(message(b"hi", headers=headers)))


@pytest.mark.parametrize(
    ("written", "answered"),
    [
        ("application/json", "application/json"),
        ("application/json;", "application/json"),
        ("  application/json  ;   asfd", "application/json"),
        ("application/x-amz-json-1.0", "application/x-amz-json-1.0"),
        ("application/x-amz-json-1.0;blahblah", "application/x-amz-json-1.0"),
    ],
)
def test_bodies_that_are_no_json(client: Client, written: str, answered: str) -> None:
    reply = client.ask(message(b"hi", headers={"Content-Type": written}))
    assert_error(reply, SERIALIZATION, 3948637019, answered)


@pytest.mark.parametrize("headers", [{}, {"X-Amz-Target": "whatever"}, target("ListTable"), target("ListTables", "X")])
def test_unknown_operations(client: Client, headers: dict[str, str]) -> None:
    assert_error(client.ask(message(headers=headers)), UNKNOWN, 1368724161)
    assert_error(
        client.ask(message(b"{}", headers={**JSON_1_0, **headers})), UNKNOWN, 1368724161, JSON_1_0["Content-Type"]
    )


def test_streams_have_a_target_of_their_own(client: Client) -> None:
    asked = {**JSON_1_0, **SIGNED}
    here = client.ask(message(b"{}", headers={**asked, **target("ListStreams", "DynamoDBStreams_20120810")}))
    assert (here.status, here.json()["Streams"]) == (200, [])
    assert client.ask(message(b"{}", headers={**asked, **target("ListStreams")})).json() == UNKNOWN
    elsewhere = client.ask(message(b"{}", headers={**asked, **target("ListTables", "DynamoDBStreams_20120810")}))
    assert elsewhere.json() == UNKNOWN


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", {}),
        ("/", {"Authorization": "AWS4"}),
        ("/?X-Amz-Algorith", {"Authorization": "X"}),
        ("/?X-Amz-Credential=a&X-Amz-Signature=b&X-Amz-SignedHeaders=c&X-Amz-Date=d", {}),
    ],
)
def test_missing_signatures(client: Client, path: str, headers: dict[str, str]) -> None:
    assert_error(client.ask(message(path=path, headers={**LIST, **headers})), MISSING, 2088342776)


def test_two_signatures(client: Client) -> None:
    reply = client.ask(message(path="/?X-Amz-Algorithm", headers={**LIST, "Authorization": "X"}))
    found = "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."
    body = {"__type": "com.amazon.coral.service#InvalidSignatureException", "message": found}
    assert_error(reply, body, 2139606068)


@pytest.mark.parametrize(
    ("path", "headers", "complaint", "crc32"),
    [
        (
            "/",
            {"Authorization": "AWS4-"},
            NOTHING_IN_HEADER,
            1828866742,
        ),
        (
            "/",
            {"Authorization": "AWS4- Signature=b Credential=a", "Date": "a"},
            "Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- Signature=b Credential=a",
            15336762,
        ),
        (
            "/",
            {"Authorization": "AWS4- Signature=b,Credential=a", "Date": "a"},
            "Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- Signature=b,Credential=a",
            1159703774,
        ),
        (
            "/",
            {"Authorization": "AWS4- Signature=b, Credential=a", "Date": "a"},
            "Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- Signature=b, Credential=a",
            164353342,
        ),
        (
            "/?X-Amz-Algorithm",
            {},
            NOTHING_IN_QUERY,
            2900502663,
        ),
        (
            "/?X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&X-Amz-Date=d",
            {},
            "AWS query-string parameters must include 'X-Amz-SignedHeaders'. Re-examine the query-string parameters.",
            3712057481,
        ),
    ],
)
def test_incomplete_signatures(client: Client, path: str, headers: dict[str, str], complaint: str, crc32: int) -> None:
    reply = client.ask(message(path=path, headers={**LIST, **headers}))
    body = {"__type": "com.amazon.coral.service#IncompleteSignatureException", "message": complaint}
    assert_error(reply, body, crc32)


def test_signatures_in_the_query_are_taken(client: Client) -> None:
    path = "/?X-Amz-Algorithm=a&X-Amz-Credential=b/c/d&X-Amz-Signature=c&X-Amz-SignedHeaders=host&X-Amz-Date=d"
    assert client.ask(message(b"{}", path=path, headers={**JSON, **LIST})).json() == {"TableNames": []}


@pytest.mark.parametrize("body", [b"", b"7", b"[]", b"null", b'"text"', b"true"])
def test_bodies_that_are_no_object(client: Client, body: bytes) -> None:
    reply = client.ask(message(body, headers={**JSON_1_0, **LIST, **SIGNED}))
    assert reply.status == 400
    assert reply.json()["__type"] == SERIALIZATION["__type"]


@pytest.mark.parametrize(
    "content_type", ["application/x-amz-json-1.0", "application/x-amz-json-1.1", "application/json"]
)
def test_answers_in_the_version_of_the_question(client: Client, content_type: str) -> None:
    reply = client.ask(message(b"{}", headers={"Content-Type": content_type, **LIST, **SIGNED}))
    assert (reply.status, reply.json()) == (200, {"TableNames": []})
    assert reply.headers["content-type"] == content_type


def test_errors_are_spelled_as_the_service_does(client: Client) -> None:
    missing = client.call("DescribeTable", {"TableName": "missing"})
    assert missing.json() == {
        "__type": "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
        "message": "Requested resource not found: Table: missing not found",
    }
    assert client.call("GetItem", {"TableName": "a;b", "Key": {}}).json()["__type"] == (
        "com.amazon.coral.validate#ValidationException"
    )
    wrong_type = client.call("DescribeTable", {"TableName": 23}).json()
    assert wrong_type["__type"] == SERIALIZATION["__type"]
    assert "Message" in wrong_type


def test_tagging_is_answered_with_nothing() -> None:
    table = {
        "TableName": "tagged",
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    }
    with serve() as fresh, Client(fresh.port) as client:
        arn = client.call("CreateTable", table).json()["TableDescription"]["TableArn"]
        reply = client.call("TagResource", {"ResourceArn": arn, "Tags": [{"Key": "k", "Value": "v"}]})
        assert (reply.status, reply.body) == (200, b"")


def test_requests_may_be_sent_ahead(server: Server) -> None:
    asked = message(b"{}", headers={**JSON_1_0, **LIST, **SIGNED})
    with Client(server.port) as client:
        client.send(asked * 50)
        assert {client.reply().status for _ in range(50)} == {200}


def test_large_bodies_may_be_announced(client: Client) -> None:
    headers = {**JSON_1_0, **LIST, **SIGNED, "Expect": "100-continue"}
    client.send(message(headers=headers, method="POST").replace(b"Content-Length: 0", b"Content-Length: 2"))
    assert client.until(b"\r\n\r\n") == b"HTTP/1.1 100 Continue"
    client.send(b"{}")
    assert client.reply().status == 200


def test_chunked_bodies_are_taken(client: Client) -> None:
    start = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n"
    lines = "".join(f"{name}: {value}\r\n" for name, value in {**JSON_1_0, **LIST, **SIGNED}.items()).encode()
    assert client.ask(start + lines + b"\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n").json() == {"TableNames": []}


def test_connections_close_when_asked(server: Server) -> None:
    with Client(server.port) as client:
        reply = client.ask(message(method="GET", headers={"Connection": "close"}))
        assert reply.headers["connection"] == "close"
        assert client.is_closed()


def test_ask_once_needs_no_second_request(server: Server) -> None:
    assert ask_once(server.port, b"GET / HTTP/1.0\r\n\r\n").status == 200
