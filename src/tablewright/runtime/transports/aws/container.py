"""Keys from the endpoint that ECS and EKS give to their containers; the rules are botocore's.

`AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` is a path on ECS's own address. `AWS_CONTAINER_CREDENTIALS_FULL_URI` may be
https, a loopback address or one of AWS's link-local ones: keys are not fetched in clear text from anywhere else.
"""

from __future__ import annotations

import os
import socket
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import msgspec

from tablewright.errors import CredentialsMissing
from tablewright.runtime.transports.aws.headers import check_key, is_host
from tablewright.runtime.transports.forks import not_pickled
from tablewright.runtime.transports.http import Parser, ProtocolFault
from tablewright.runtime.transports.sigv4 import Keys

if TYPE_CHECKING:
    from urllib.parse import SplitResult

    from tablewright.runtime.transports.http import Response

RELATIVE_URI = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"
FULL_URI = "AWS_CONTAINER_CREDENTIALS_FULL_URI"
TOKEN = "AWS_CONTAINER_AUTHORIZATION_TOKEN"
TOKEN_FILE = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"

ECS_HOST = "169.254.170.2"
ALLOWED_HOSTS = frozenset({ECS_HOST, "169.254.170.23", "fd00:ec2::23", "localhost"})
TIMEOUT_SECONDS = 2.0
ANSWER_SECONDS = 5.0
ATTEMPTS = 3
PAUSE_SECONDS = 1.0


class Lent(NamedTuple):
    """Keys that were given for a time; `expires` in seconds of the epoch."""

    keys: Keys
    expires: float


class _Document(msgspec.Struct):
    """What the endpoint answers."""

    AccessKeyId: str
    SecretAccessKey: str
    Token: str
    Expiration: str

    __reduce__ = not_pickled

    def __repr__(self) -> str:
        return f"Document(Expiration={self.Expiration!r})"


def is_container() -> bool:
    return RELATIVE_URI in os.environ or FULL_URI in os.environ


def fetch() -> Lent:
    """Ask the endpoint that the environment names, a few times if need be."""
    url = endpoint()
    for left in reversed(range(ATTEMPTS)):
        try:
            return _read(get(url))
        except (OSError, ProtocolFault, msgspec.DecodeError, ValueError, RecursionError) as error:
            if not left:
                raise _missing(f"{url.hostname} gave no keys: {error}") from error
            time.sleep(PAUSE_SECONDS)
    raise AssertionError("unreachable")


def endpoint() -> SplitResult:
    relative = os.environ.get(RELATIVE_URI)
    name = FULL_URI if relative is None else RELATIVE_URI
    check_key(os.environ[name], name)
    url = urlsplit("")
    try:
        url = urlsplit(os.environ[name] if relative is None else f"http://{ECS_HOST}{relative}")
        usable = " " not in os.environ[name] and is_host(url.hostname or "") and (url.port or 1) > 0
    except ValueError:
        usable = False
    if not usable:
        raise _missing(f"{name} is not a URL that can be asked")
    if relative is not None:
        return url
    if not (url.scheme == "https" or _is_near(url.hostname or "")):
        raise _missing(
            f"{FULL_URI} names the host {url.hostname!r}, from which keys are not fetched in clear text; "
            f"use https, a loopback address or one of {', '.join(sorted(ALLOWED_HOSTS))}"
        )
    return url


def _is_near(host: str) -> bool:
    from ipaddress import ip_address

    if host in ALLOWED_HOSTS:
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def authorization() -> str:
    """The header with the token; its file is read each time, because it is replaced from time to time."""
    if TOKEN_FILE in os.environ:
        try:
            from pathlib import Path  # only containers pay for the import

            token = Path(os.environ[TOKEN_FILE]).read_text(encoding="utf-8")
        except OSError as error:
            raise _missing(f"{TOKEN_FILE} cannot be read: {error}") from error
    else:
        token = os.environ.get(TOKEN, "")
    check_key(token, f"container credentials: the token of {TOKEN_FILE if TOKEN_FILE in os.environ else TOKEN}")
    return f"Authorization: {token}\r\n" if token else ""


def get(url: SplitResult) -> Response:
    path = (url.path or "/") + (f"?{url.query}" if url.query else "")
    request = f"GET {path} HTTP/1.1\r\nHost: {url.netloc}\r\nAccept: application/json\r\n{authorization()}"
    port = url.port or (443 if url.scheme == "https" else 80)
    with socket.create_connection((url.hostname or "", port), TIMEOUT_SECONDS) as plain:
        sock = plain if url.scheme == "http" else _secured(plain, url.hostname or "")
        sock.sendall(f"{request}Connection: close\r\n\r\n".encode())
        return _read_answer(sock, time.monotonic() + ANSWER_SECONDS)


def _read_answer(sock: socket.socket, deadline: float) -> Response:
    """The answer, however the endpoint cuts it, if it comes in time."""
    parser = Parser()
    while (response := parser.filled(sock.recv_into(parser.room()))) is None:
        if time.monotonic() > deadline:
            raise TimeoutError(f"no whole answer within {ANSWER_SECONDS:g} s")
    return response


def _secured(plain: socket.socket, host: str) -> socket.socket:
    from tablewright.runtime.transports.aws.trust import tls_context

    return tls_context(verify=True).wrap_socket(plain, server_hostname=host)


def _read(response: Response) -> Lent:
    if response.status != 200:
        raise ProtocolFault(f"HTTP status {response.status}")  # its body may hold keys or tokens: never quoted
    given = msgspec.json.decode(response.body, type=_Document)
    expires = datetime.fromisoformat(given.Expiration)
    if expires.tzinfo is None:
        expires = expires.replace(tzinfo=UTC)
    return Lent(Keys(given.AccessKeyId, given.SecretAccessKey, given.Token), expires.timestamp())


def _missing(message: str) -> CredentialsMissing:
    return CredentialsMissing(f"container credentials: {message}")
