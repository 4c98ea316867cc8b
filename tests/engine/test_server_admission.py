"""Who may talk to the server: programs that call it by a name it has, and web pages only when they were let in."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import boto3
import pytest

from tablewright.cli.main import main
from tablewright.engine.server import Server, serve
from tablewright.errors import TablewrightError
from tests.engine.wire import JSON_1_0, SIGNED, Client, Reply, ask_once, message, target

LIST = {**JSON_1_0, **SIGNED, **target("ListTables")}
PAGE = "http://localhost:3000"
FOREIGN = "https://evil.example"
CORS = "access-control-"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve() as running:
        yield running


@pytest.fixture(scope="module")
def open_server() -> Iterator[Server]:
    with serve(cors=[PAGE, "HTTPS://App.Example"], allow_hosts=["dynamodb", "Db.Internal"]) as running:
        yield running


def ask(server: Server, **headers: str) -> Reply:
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    return ask_once(server.port, message(b"{}", headers={**LIST, **told}))


def assert_refused(reply: Reply, *words: str) -> None:
    assert reply.status == 403
    told = reply.json()
    assert told["__type"].endswith("#AccessDeniedException")
    assert all(word in told["Message"] for word in words), told
    assert not [name for name in reply.headers if name.startswith(CORS)]


# ---- Host ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8000", "LOCALHOST.", "127.0.0.1:1", "127.3.2.1", "[::1]", "[::1]:8000"],
)
def test_names_of_this_machine_are_welcome(server: Server, host: str) -> None:
    assert ask(server, Host=host).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example",
        "evil.example#localhost",
        "localhost@evil.example",
        "127.0.0.1.evil.example",
        "10.0.0.1",
        "0x7f.1.evil",
        "[fe80::1]",
        "localhost, evil.example",
        "",
        ":8000",
        "dynamodb",
    ],
)
def test_a_name_that_somebody_pointed_at_this_machine_is_refused(server: Server, host: str) -> None:
    assert_refused(ask(server, Host=host), "Host")
    reply = ask_once(server.port, message(method="GET", headers={"Host": host}))
    assert reply.status == 403


def test_the_host_in_a_whole_url_counts_as_well(server: Server) -> None:
    assert_refused(ask_once(server.port, message(b"{}", path="http://evil.example/", headers=LIST)), "evil.example")
    assert ask_once(server.port, message(b"{}", path="http://localhost/", headers=LIST)).status == 200


def test_the_refusal_names_the_remedy(server: Server) -> None:
    assert_refused(ask(server, Host="dynamodb:8000"), "'dynamodb'", "--allow-host dynamodb")


@pytest.mark.parametrize("host", ["dynamodb", "dynamodb:8000", "db.internal", "DB.INTERNAL.:80", "localhost"])
def test_allowed_hosts_are_welcome(open_server: Server, host: str) -> None:
    assert ask(open_server, Host=host).status == 200
    assert_refused(ask(open_server, Host=f"x{host}"), "Host")


def test_a_server_for_other_machines_is_called_by_its_addresses() -> None:
    with serve(host="0.0.0.0") as everywhere:
        assert ask(everywhere, Host="192.168.1.7:8000").status == 200
        assert ask(everywhere, Host="[fd00::7]").status == 200
        assert_refused(ask(everywhere, Host="rebound.example"), "rebound.example")


@pytest.mark.parametrize("name", ["http://dynamodb", "dynamodb:8000", "a b", "", "*"])
def test_hosts_that_are_no_names(name: str) -> None:
    with pytest.raises(TablewrightError, match="name of a host"):
        serve(allow_hosts=[name])


# ---- Origin ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", [FOREIGN, "null", "http://localhost:8000", "http://127.0.0.1", PAGE, ""])
def test_no_page_may_ask(server: Server, origin: str) -> None:
    assert_refused(ask(server, Origin=origin), "Origin", "--cors")


def test_no_page_may_ask_with_a_form(server: Server) -> None:
    sent = message(b"a=b", headers={"Origin": FOREIGN, "Content-Type": "text/plain"})
    assert_refused(ask_once(server.port, sent), FOREIGN)


def test_nobody_is_told_that_pages_may_come(server: Server) -> None:
    asked = {"Origin": FOREIGN, "Access-Control-Request-Method": "POST"}
    assert_refused(ask_once(server.port, message(method="OPTIONS", headers=asked)), FOREIGN)
    for reply in (ask(server), ask_once(server.port, message(method="GET"))):
        assert reply.status == 200
        assert not [name for name in reply.headers if name.startswith(CORS)]


def test_allowed_pages_are_answered(open_server: Server) -> None:
    for origin in (PAGE, "https://app.example"):
        reply = ask(open_server, Origin=origin)
        assert (reply.status, reply.json()) == (200, {"TableNames": []})
        assert reply.headers["access-control-allow-origin"] == origin
        assert reply.headers["vary"] == "Origin"
        assert "x-amz-crc32" in reply.headers["access-control-expose-headers"]
    assert_refused(ask(open_server, Origin=FOREIGN), FOREIGN)
    assert_refused(ask(open_server, Origin=f"{PAGE}1"), "Origin")
    assert_refused(ask(open_server, Origin=f"{PAGE}, {FOREIGN}"), "Origin")


def test_pages_hear_errors_too(open_server: Server) -> None:
    sent = message(b"{}", headers={**LIST, **target("Nonsense"), "Origin": PAGE})
    reply = ask_once(open_server.port, sent)
    assert reply.status == 400
    assert reply.headers["access-control-allow-origin"] == PAGE


def test_preflight(open_server: Server) -> None:
    asked = {
        "Origin": PAGE,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type, x-amz-target",
        "Access-Control-Request-Private-Network": "true",
    }
    reply = ask_once(open_server.port, message(method="OPTIONS", headers=asked))
    assert (reply.status, reply.body) == (200, b"")
    assert reply.headers["access-control-allow-origin"] == PAGE
    assert reply.headers["access-control-allow-methods"] == "POST"
    assert reply.headers["access-control-allow-headers"] == "content-type, x-amz-target"
    assert reply.headers["access-control-allow-private-network"] == "true"
    assert reply.headers["access-control-max-age"] == "172800"
    assert reply.headers["vary"] == "Origin"


def test_every_page_can_be_let_in() -> None:
    with serve(cors=["*"]) as anybody:
        assert ask(anybody, Origin=FOREIGN).headers["access-control-allow-origin"] == FOREIGN
        assert ask(anybody, Origin="null").headers["access-control-allow-origin"] == "null"
        assert_refused(ask(anybody, Origin=FOREIGN, Host="evil.example"), "Host")


@pytest.mark.parametrize("origin", ["localhost:3000", "http://localhost:3000/", "http://", "app.example", "", "a b"])
def test_origins_that_are_none(origin: str) -> None:
    with pytest.raises(TablewrightError, match="http://localhost:3000"):
        serve(cors=[origin])


# ---- programs --------------------------------------------------------------------------------------------------------


def test_boto3_reaches_a_server_by_the_name_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container network, where the host's name is that of the service."""
    import socket

    real = socket.getaddrinfo

    def resolve(host: Any, *args: Any, **options: Any) -> Any:
        return real("127.0.0.1" if host == "dynamodb" else host, *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with serve(allow_hosts=["dynamodb"]) as server:
        client = boto3.client(
            "dynamodb",
            endpoint_url=f"http://dynamodb:{server.port}",
            region_name="us-east-1",
            aws_access_key_id="local",
            aws_secret_access_key="local",
        )
        assert client.list_tables()["TableNames"] == []
        address = f"dynamodb:{server.port}"
        assert client.describe_endpoints()["Endpoints"] == [{"Address": address, "CachePeriodInMinutes": 1440}]


def test_the_command_takes_hosts_and_origins() -> None:
    command = "engine serve --port 0 --cors http://localhost:3000 --cors null --allow-host db --allow-host db2".split()
    with subprocess.Popen([sys.executable, "-m", "tablewright.cli", *command], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            url = process.stdout.readline().split()[-1].decode()
            for host, origin in (("db", "null"), ("db2", PAGE)):
                asked = Request(url, headers={"Host": host, "Origin": origin})
                with urlopen(asked) as reply:
                    assert reply.headers["access-control-allow-origin"] == origin
        finally:
            process.terminate()


def test_the_command_refuses_what_is_no_origin(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine", "serve", "--port", "0", "--cors", "localhost:3000"]) == 1
    said = capsys.readouterr()
    assert "http://localhost:3000" in said.err
    assert said.out == ""
    assert main(["engine", "serve", "--port", "0", "--allow-host", "http://db"]) == 1
    assert "name of a host" in capsys.readouterr().err


def test_many_requests_on_one_connection_are_each_judged(open_server: Server) -> None:
    with Client(open_server.port) as client:
        for host, status in (("dynamodb", 200), ("evil", 403), ("localhost", 200)):
            assert client.ask(message(b"{}", headers={**LIST, "Host": host})).status == status
