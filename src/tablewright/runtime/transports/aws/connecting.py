"""Sockets to DynamoDB: connected, through a proxy if there is one, and secured."""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING, Any

from tablewright.errors import ConnectionFailed, TimedOut, TransportError
from tablewright.runtime.transports.aws.proxies import is_tunnel_open, tunnel_request
from tablewright.runtime.transports.aws.trust import tls_context
from tablewright.runtime.transports.http import ProtocolFault
from tablewright.runtime.transports.retry import Failed

if TYPE_CHECKING:
    import ssl

    from tablewright.runtime.transports.settings import Settings


class Connector:
    """Opens sockets to one endpoint. What TLS needs is loaded when the first one is opened."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.proxy = settings.proxy
        self.address = (settings.host, settings.port) if self.proxy is None else (self.proxy.host, self.proxy.port)
        self._context: ssl.SSLContext | None = None

    def context(self) -> ssl.SSLContext:
        """What to trust and how to speak TLS; made once, as it takes milliseconds."""
        if self._context is None:
            self._context = tls_context(self.settings.verify, self.settings.client_cert)
        return self._context

    def connect(self) -> socket.socket:
        """A socket on which a request can be sent; `Failed` if there is none to be had at the moment."""
        host, port = self.address
        try:
            sock = socket.create_connection((_as_looked_up(host), port), self.settings.connect_seconds)
        except OSError as error:
            raise self.failed(error) from error
        try:
            return self._prepared(sock)
        except (OSError, ProtocolFault) as error:
            sock.close()
            raise self.failed(error) from error
        except BaseException:
            sock.close()
            raise

    def _prepared(self, sock: socket.socket) -> socket.socket:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.settings.keep_alive:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if not self.settings.is_secure:
            return sock
        if self.proxy is not None:
            sock.sendall(tunnel_request(self.proxy, self.settings.host, self.settings.port))
            read_tunnel_answer(sock, self.settings.connect_seconds)
        return self.context().wrap_socket(sock, server_hostname=self.settings.host)

    def failed(self, error: Exception) -> Exception:
        """Why there is no connection: worth another attempt, unless it is about certificates or a proxy's rules."""
        host, port = self.address
        where = f"{host}:{port}" if self.proxy is None else f"the proxy {host}:{port}"
        if isinstance(error, TimeoutError):
            return Failed(TimedOut(f"no connection to {where} within {self.settings.connect_seconds:g} s"), sent=False)
        if _is_certificate_fault(error):
            return ConnectionFailed(
                f"the certificate of {self.settings.host} is not trusted: {error}. Name the authority with verify=, "
                "AWS_CA_BUNDLE or ca_bundle in the profile"
            )
        if isinstance(error, ProtocolFault):
            return ConnectionFailed(f"{where}: {error}")
        return Failed(ConnectionFailed(f"no connection to {where}: {error}; check region and endpoint"), sent=False)


def closed() -> TransportError:
    return TransportError("this database was closed; make a new one")


def _is_certificate_fault(error: Any) -> bool:
    return type(error).__name__ == "SSLCertVerificationError"


def read_tunnel_answer(sock: socket.socket, seconds: float) -> None:
    """Byte by byte would be safe and slow; the peer is silent after its head, so that nothing can be read too far.

    A proxy that lets its answer drip has no more time for all of it than for connecting.
    """
    answer = b""
    end = time.monotonic() + seconds
    while not is_tunnel_open(answer):
        sock.settimeout(max(end - time.monotonic(), 0.001))
        data = sock.recv(4096)
        if not data:
            raise ConnectionResetError("the proxy closed the connection")
        answer += data
    sock.settimeout(seconds)


def _as_looked_up(host: str) -> Any:
    """A host for `getaddrinfo`, which loads the tables for names of all scripts (IDNA) when it is given text."""
    return host.encode() if host.isascii() else host
