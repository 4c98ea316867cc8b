"""Proxies as botocore finds them: `Config(proxies=...)`, or else what the environment says.

Requests to https endpoints go through a tunnel (CONNECT); those to http ones are handed to the proxy whole.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from tablewright.errors import RequestError
from tablewright.runtime.transports.aws.headers import is_host
from tablewright.runtime.transports.forks import not_pickled
from tablewright.runtime.transports.http import MAX_HEAD_BYTES, STATUS_LINE, ProtocolFault

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_PORT = 80


@dataclass(frozen=True, slots=True)
class Proxy:
    """Where a proxy listens, and what it wants to hear first."""

    host: str
    port: int
    authorization: str | None = field(default=None, repr=False)

    __reduce__ = not_pickled

    @property
    def header(self) -> str:
        return "" if self.authorization is None else f"Proxy-Authorization: {self.authorization}\r\n"


def find_proxy(url: str, configured: Mapping[str, str] | None) -> Proxy | None:
    """The proxy to use for an endpoint. What was configured counts alone; `{}` means none."""
    proxies = _proxies_of_environment(url) if configured is None else configured
    given = proxies.get(urlsplit(url).scheme)
    return read_proxy(given) if given else None


def _proxies_of_environment(url: str) -> Mapping[str, str]:
    if sys.platform not in ("darwin", "win32") and not any(name.lower().endswith("_proxy") for name in os.environ):
        return {}  # urllib.request is expensive to import, and would find nothing
    from urllib.request import getproxies, proxy_bypass

    return {} if proxy_bypass(urlsplit(url).netloc) else getproxies()


def read_proxy(given: str) -> Proxy:
    url = given if "://" in given else f"http:{'' if given.startswith('//') else '//'}{given}"
    parts = urlsplit(url)
    if parts.scheme != "http":
        raise RequestError(
            f"the proxy {parts.hostname} is to be reached by {parts.scheme:.20}, which this transport cannot do; "
            'give it as http://, or use transport="botocore"',
            code=1010,
        )
    try:
        host, port = parts.hostname, parts.port or DEFAULT_PORT
    except ValueError:
        host, port = None, 0
    if not host or not is_host(host):
        raise RequestError("the proxy's URL has no host that can be looked up, or a port that is no number", code=1010)
    return Proxy(host, port, _basic(parts.username, parts.password))


def _basic(user: str | None, password: str | None) -> str | None:
    """The header for names and passwords in a proxy's URL; both are needed, as in botocore."""
    if not user or not password:
        return None
    from base64 import b64encode

    return f"Basic {b64encode(f'{unquote(user)}:{unquote(password)}'.encode()).decode()}"


def tunnel_request(proxy: Proxy, host: str, port: int) -> bytes:
    """What a proxy is asked for before TLS begins."""
    to = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return f"CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n{proxy.header}\r\n".encode()


def is_tunnel_open(answer: bytes) -> bool:
    """Whether a proxy's answer is complete. Raises `ProtocolFault` if it refused."""
    line = STATUS_LINE.match(answer)
    if b"\r\n\r\n" not in answer:
        if len(answer) > MAX_HEAD_BYTES or (line is None and len(answer) > len(b"HTTP/1.1 200")):
            raise ProtocolFault("the proxy's answer is not HTTP")
        return False
    if line is None or not line[2].startswith(b"2"):
        refused = answer.partition(b"\r\n")[0].decode("latin-1")[:100]
        raise ProtocolFault(f"the proxy refused to connect: {refused}; check its URL, name and password")
    return True
