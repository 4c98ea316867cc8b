"""TLS and proxies: what is trusted, what is told to whom."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from botocore.config import Config

from tablewright import errors
from tablewright.runtime.backoff import Retry
from tablewright.runtime.transports.aws.connecting import read_tunnel_answer
from tablewright.runtime.transports.aws.trust import bundled_authorities, tls_context
from tablewright.runtime.transports.fast import Fast, open_fast
from tablewright.runtime.transports.settings import read_settings
from tablewright.wire.call import Call
from tests.runtime.transports.aws.certificates import Certificates
from tests.runtime.transports.scripted import Scripted, header, read_request

CALL = Call("ListTables", {})


def secure(context: ssl.SSLContext) -> Callable[[socket.socket], socket.socket]:
    return lambda plain: context.wrap_socket(plain, server_side=True)


def connected(url: str, **more: Any) -> Fast:
    keys = {"aws_access_key_id": "id", "aws_secret_access_key": "secret"}
    settings = read_settings(endpoint_url=url, region_name="us-east-1", **keys, **more)
    return open_fast(settings, retry=Retry(attempts=2, base_seconds=0.0))


# ---- certificates ----------------------------------------------------------------------------------------------------


def test_an_authority_can_be_named(certificates: Certificates) -> None:
    with Scripted(wrap=secure(certificates.server_context())) as server:
        fast = connected(f"https://localhost:{server.port}", verify=certificates.authority)
        assert fast.call(CALL) == b"{}"
        assert fast.call(CALL) == b"{}"
        assert server.connections == 1
        assert header(server.requests[0], "Host") == f"localhost:{server.port}"
        fast.close()


@pytest.mark.parametrize("variable", ["AWS_CA_BUNDLE", "REQUESTS_CA_BUNDLE"])
def test_the_environment_can_name_one(
    variable: str, certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, certificates.authority)
    with Scripted(wrap=secure(certificates.server_context())) as server:
        fast = connected(f"https://127.0.0.1:{server.port}")
        assert fast.call(CALL) == b"{}"
        fast.close()


def test_an_unknown_authority_is_refused_at_once(certificates: Certificates) -> None:
    with Scripted(wrap=secure(certificates.server_context())) as server:
        with pytest.raises(errors.ConnectionFailed, match=r"not trusted.*AWS_CA_BUNDLE"):
            connected(f"https://localhost:{server.port}").call(CALL)
        assert server.connections == 1


def test_another_name_is_refused(certificates: Certificates, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.create_connection
    monkeypatch.setattr(socket, "create_connection", lambda address, *rest: connect(("127.0.0.1", address[1]), *rest))
    refused = pytest.raises(errors.ConnectionFailed, match=r"certificate of other\.example is not trusted")
    with Scripted(wrap=secure(certificates.server_context())) as server, refused:
        connected(f"https://other.example:{server.port}", verify=certificates.authority).call(CALL)


def test_nothing_is_verified_on_demand(certificates: Certificates) -> None:
    with Scripted(wrap=secure(certificates.server_context())) as server:
        fast = connected(f"https://localhost:{server.port}", verify=False)
        assert fast.call(CALL) == b"{}"
        fast.close()


def test_a_client_can_show_a_certificate(certificates: Certificates) -> None:
    with Scripted(wrap=secure(certificates.server_context(ask_client=True))) as server:
        url, config = f"https://localhost:{server.port}", Config(client_cert=certificates.client)
        fast = connected(url, verify=certificates.authority, config=config)
        assert fast.call(CALL) == b"{}"
        fast.close()


def test_a_server_without_tls_is_told_of() -> None:
    def greet(connection: socket.socket) -> socket.socket:
        connection.sendall(b"220 mail.example\r\n")
        return connection

    with Scripted(wrap=greet) as server, pytest.raises(errors.ConnectionFailed, match="no connection to localhost"):
        connected(f"https://localhost:{server.port}").call(CALL)


def test_the_authorities_of_botocore_are_found_without_importing_it() -> None:
    from botocore.httpsession import where

    assert bundled_authorities() == where()
    assert tls_context(verify=True).cert_store_stats()["x509_ca"] > 50


def test_a_folder_of_authorities_will_do(tmp_path: Path) -> None:
    assert tls_context(verify=str(tmp_path)).verify_mode == ssl.CERT_REQUIRED


def test_a_missing_bundle_is_named(tmp_path: Path) -> None:
    with pytest.raises(errors.RequestError, match=r"nowhere\.pem.*AWS_CA_BUNDLE"):
        tls_context(verify=str(tmp_path / "nowhere.pem"))


# ---- proxies ---------------------------------------------------------------------------------------------------------


class Relay:
    """A proxy that knows CONNECT: what it is told is kept, and with `refuse` it does no more than answer."""

    def __init__(self, refuse: bytes = b"") -> None:
        self.refuse = refuse
        self.asked: list[bytes] = []

    def __call__(self, client: socket.socket) -> socket.socket:
        request = read_request(client)
        self.asked.append(request)
        if self.refuse:
            client.sendall(self.refuse)
            return client
        host, _, port = request.split(b" ")[1].partition(b":")
        with socket.create_connection((host.decode(), int(port))) as target:
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=pour, args=(target, client), daemon=True)
            back.start()
            pour(client, target)
            back.join(5)
        return client


def pour(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


def test_https_goes_through_a_tunnel(certificates: Certificates) -> None:
    relay = Relay()
    with Scripted(wrap=secure(certificates.server_context())) as server, Scripted(wrap=relay) as proxy:
        config = Config(proxies={"https": f"http://me:p%40ss@127.0.0.1:{proxy.port}"})
        fast = connected(f"https://localhost:{server.port}", verify=certificates.authority, config=config)
        assert fast.call(CALL) == b"{}"
        fast.close()
    assert relay.asked[0].startswith(f"CONNECT localhost:{server.port} HTTP/1.1\r\n".encode())
    assert header(relay.asked[0], "Proxy-Authorization") == "Basic bWU6cEBzcw=="
    assert header(server.requests[0], "Proxy-Authorization") is None


def test_the_environment_can_name_a_proxy(certificates: Certificates, monkeypatch: pytest.MonkeyPatch) -> None:
    relay = Relay()
    with Scripted(wrap=secure(certificates.server_context())) as server, Scripted(wrap=relay) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"127.0.0.1:{proxy.port}")
        url = f"https://localhost:{server.port}"
        through = connected(url, verify=certificates.authority)
        assert through.call(CALL) == b"{}"
        assert len(relay.asked) == 1
        through.close()
        monkeypatch.setenv("NO_PROXY", "localhost")
        around = connected(url, verify=certificates.authority)
        assert around.call(CALL) == b"{}"
        assert len(relay.asked) == 1
        around.close()


def test_a_proxy_that_refuses_is_quoted() -> None:
    relay = Relay(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
    with Scripted(wrap=relay) as proxy:
        config = Config(proxies={"https": f"http://127.0.0.1:{proxy.port}"})
        with pytest.raises(errors.ConnectionFailed, match="407 Proxy Authentication Required"):
            connected("https://dynamodb.us-east-1.amazonaws.com", config=config).call(CALL)


def test_plain_requests_are_handed_to_the_proxy_whole() -> None:
    with Scripted() as proxy:
        config = Config(proxies={"http": f"http://me:secret@127.0.0.1:{proxy.port}"})
        fast = connected("http://db.example:8000", config=config)
        assert fast.call(CALL) == b"{}"
        assert proxy.requests[0].startswith(b"POST http://db.example:8000/ HTTP/1.1\r\n")
        assert header(proxy.requests[0], "Host") == "db.example:8000"
        assert header(proxy.requests[0], "Proxy-Authorization") == "Basic bWU6c2VjcmV0"
        fast.close()


@pytest.mark.parametrize(
    ("url", "complaint"), [("https://proxy.example:1", "botocore"), ("http://:80", "no host"), ("x:y", "no host")]
)
def test_proxies_that_cannot_be_used_are_told(url: str, complaint: str) -> None:
    with pytest.raises(errors.RequestError, match=complaint):
        connected("https://localhost:1", config=Config(proxies={"https": url}))


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="needs a pair of sockets")
def test_a_proxy_that_drips_has_no_more_time_than_for_connecting() -> None:
    ours, theirs = socket.socketpair()
    done = threading.Event()

    def drip() -> None:
        with contextlib.suppress(OSError):
            theirs.sendall(b"HTTP/1.1 200 OK\r\nVia: ")
            while not done.wait(0.01):
                theirs.sendall(b"x")

    dripping = threading.Thread(target=drip)
    dripping.start()
    try:
        ours.settimeout(0.2)
        with pytest.raises(TimeoutError):
            read_tunnel_answer(ours, 0.2)
    finally:
        done.set()
        dripping.join()
        ours.close()
        theirs.close()
