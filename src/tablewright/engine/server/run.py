"""A server in a thread of its own (`with serve() as server: server.url`) or in the foreground (`serve_forever`)."""

from __future__ import annotations

import asyncio
import signal
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from tablewright.engine.engine import Engine
from tablewright.engine.server.admission import Admission
from tablewright.engine.server.connection import Clients, Connection, Limits
from tablewright.engine.server.databases import Shared
from tablewright.engine.server.service import Service
from tablewright.errors import TablewrightError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tablewright.engine.server.databases import Databases

LOOPBACK = "127.0.0.1"
SWEEP_SECONDS = 0.5
SPARE_FILES = 64


class Server:
    """Serves databases on a port until it is stopped. `port=0` takes any free one.

    Pages in browsers are refused but for those whose origins are in `cors`, and so is whoever calls the server by a
    name that is neither this machine's own, nor `host`, nor one of `allow_hosts`.
    """

    def __init__(
        self,
        databases: Databases,
        *,
        host: str = LOOPBACK,
        port: int = 0,
        limits: Limits | None = None,
        region: str = "us-east-1",
        grace_seconds: float = 2.0,
        cors: Iterable[str] = (),
        allow_hosts: Iterable[str] = (),
    ) -> None:
        self.databases = databases
        self.service = Service(databases, Admission(host, hosts=allow_hosts, origins=cors), region=region)
        self.host = host
        self.port = port
        self.limits = _fit_limits(limits or Limits())
        self.grace_seconds = grace_seconds
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread: threading.Thread | None = None
        self._clients: Clients | None = None

    @property
    def url(self) -> str:
        host = {"0.0.0.0": LOOPBACK, "::": "[::1]"}.get(self.host, self.host)  # noqa: S104 - compared, not bound
        return f"http://{f'[{host}]' if ':' in host and '[' not in host else host}:{self.port}"

    @property
    def connection_count(self) -> int:
        """The clients that are connected at this moment."""
        return 0 if self._clients is None else len(self._clients.connections)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> Self:
        """Serve from a thread; returns when the port is open."""
        ready = threading.Event()
        failures: list[BaseException] = []
        self._thread = threading.Thread(
            target=self._run_thread, args=(ready, failures), name="tablewright-server", daemon=True
        )
        self._thread.start()
        ready.wait()
        if failures:
            self._thread.join()
            raise failures[0]
        return self

    def _run_thread(self, ready: threading.Event, failures: list[BaseException]) -> None:
        try:
            asyncio.run(self.run(ready.set))
        except (OSError, TablewrightError) as error:
            failures.append(error)
        finally:
            ready.set()

    def request_stop(self) -> None:
        """Ask the server to end, from whatever thread, and do not wait for it."""
        if self._loop is not None and self._stop is not None:
            with suppress(RuntimeError):  # it may have stopped by itself
                self._loop.call_soon_threadsafe(self._stop.set)

    def stop(self) -> None:
        """Take no more requests, let those under way finish, and close."""
        self.request_stop()
        if self._thread is not None:
            self._thread.join()
        self._thread = None
        self.databases.close()

    async def run(self, on_ready: Callable[[], None] = lambda: None) -> None:
        """Serve until `stop` or cancellation."""
        loop = self._loop = asyncio.get_running_loop()
        stop = self._stop = asyncio.Event()
        clients = self._clients = Clients(self.service, self.limits, loop)
        try:
            listener = await loop.create_server(lambda: Connection(clients), self.host, self.port, backlog=1024)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise TablewrightError(
                f"cannot listen on {self.host}:{self.port}: {reason}; choose another port"
            ) from error
        self.port = listener.sockets[0].getsockname()[1]
        self.service.address = self.url.removeprefix("http://")
        sweeper = asyncio.create_task(_sweep(clients))
        on_ready()
        try:
            await stop.wait()
        finally:
            sweeper.cancel()
            listener.close()
            await _finish(clients, self.grace_seconds)


async def _sweep(clients: Clients) -> None:
    """Close the connections whose time is up."""
    while True:
        await asyncio.sleep(min(SWEEP_SECONDS, clients.limits.request_seconds / 2))
        clients.close_overdue()


async def _finish(clients: Clients, grace_seconds: float) -> None:
    """Let requests that have begun come to their end, within reason."""
    clients.stopping = True
    clients.close_idle()
    if clients.connections:
        with suppress(TimeoutError):
            await asyncio.wait_for(clients.all_gone.wait(), grace_seconds)
    for connection in list(clients.connections):
        connection.abort()
    await asyncio.sleep(0)


def _fit_limits(limits: Limits) -> Limits:
    """No more connections than the process may have files: running out of them would stop everybody."""
    try:
        import resource
    except ImportError:  # not on Windows
        return limits
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if files == resource.RLIM_INFINITY or limits.connections <= files - SPARE_FILES:
        return limits
    from dataclasses import replace

    return replace(limits, connections=max(files - SPARE_FILES, 1))


def serve(
    engine: Engine | None = None,
    *,
    host: str = LOOPBACK,
    port: int = 0,
    limits: Limits | None = None,
    cors: Iterable[str] = (),
    allow_hosts: Iterable[str] = (),
) -> Server:
    """A server for this engine (or a fresh one in memory), to be used in a `with` statement or with `start()`."""
    shown = engine if engine is not None else Engine()
    databases = Shared(shown, lent=engine is not None)
    return Server(
        databases,
        host=host,
        port=port,
        limits=limits,
        region=shown.region,
        cors=cors,
        allow_hosts=allow_hosts,
    )


def serve_forever(server: Server, on_ready: Callable[[], None] = lambda: None) -> None:
    """Serve from the calling thread until the process is interrupted or asked to end."""

    def ready() -> None:
        loop = asyncio.get_running_loop()
        with suppress(NotImplementedError, RuntimeError):  # not on Windows, nor outside the main thread
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, server.request_stop)
        on_ready()

    try:
        with suppress(KeyboardInterrupt):
            asyncio.run(server.run(ready))
    finally:
        server.databases.close()
