"""Tablewright's own way to DynamoDB: HTTP/1.1 over a socket, with nothing in between.

`open_fast(settings)` makes a transport. Nothing is connected and no keys are looked for before the first call.
"""

from __future__ import annotations

import select
import time
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from tablewright.errors import BadAnswer, ConnectionFailed, TimedOut
from tablewright.runtime.backoff import DEFAULT, Retry
from tablewright.runtime.transports.aws.answer import reply_of
from tablewright.runtime.transports.aws.connecting import Connector, closed
from tablewright.runtime.transports.aws.events import BeforeSend
from tablewright.runtime.transports.http import Parser, ProtocolFault
from tablewright.runtime.transports.pool import Pool
from tablewright.runtime.transports.retry import TAKES_TOKEN, Budget, Failed, carry_out, recover, with_token
from tablewright.runtime.transports.sigv4 import RequestWriter

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from tablewright.runtime.transports.http import Response
    from tablewright.runtime.transports.retry import Renew
    from tablewright.runtime.transports.settings import Settings
    from tablewright.runtime.transports.trace import Trace
    from tablewright.wire.call import Call, Reply

POOL_SIZE = 10
"""Idle connections that are kept, as botocore keeps them."""
NEARLY_ALL = 0.9
"""As long as so much of the time for an answer is left, the socket is not told anew, which is a call to the system."""


class Connection:
    """One socket and the parser of what comes out of it."""

    __slots__ = ("_watch", "idle_since", "parser", "read_seconds", "sock", "used")

    def __init__(self, sock: socket.socket, read_seconds: float) -> None:
        sock.settimeout(read_seconds)
        self.sock = sock
        self.read_seconds = read_seconds
        self.parser = Parser()
        self.used = False
        self.idle_since = 0.0
        self._watch = watch(sock)

    @property
    def is_stale(self) -> bool:
        return bool(self._watch())

    def close(self) -> None:
        self.sock.close()

    def exchange(self, request: bytes) -> Response:
        """Send a request and read its answer; `Failed` if that cannot be done."""
        try:
            self.sock.sendall(request)
        except OSError as error:  # not everything was sent, so nobody can have acted upon it
            early = self._early_answer(error)
            if early is None:
                raise self._failed("the request could not be sent", error, sent=False) from error
            return early
        deadline = time.monotonic() + self.read_seconds
        try:
            response = self.parser.filled(self.sock.recv_into(self.parser.room()))
            return response if response is not None else self._rest(deadline)
        except OSError as error:
            raise self._failed("no answer", error, sent=True) from error
        except ProtocolFault as fault:
            raise Failed(BadAnswer(str(fault))) from fault

    def _early_answer(self, error: OSError) -> Response | None:
        """What a server said before it hung up on a request it did not want to read to its end."""
        if not isinstance(error, BrokenPipeError):
            return None
        try:
            early = self._rest(time.monotonic() + self.read_seconds)
        except (OSError, ProtocolFault):
            return None
        return msgspec.structs.replace(early, reusable=False) if early.status >= 400 else None

    def _rest(self, deadline: float) -> Response:
        """What is missing of an answer must come within the time allowed, however the server cuts it."""
        response, shortened = None, False
        while response is None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            if left < NEARLY_ALL * self.read_seconds:
                self.sock.settimeout(left)
                shortened = True
            response = self.parser.filled(self.sock.recv_into(self.parser.room()))
        if shortened:
            self.sock.settimeout(self.read_seconds)
        return response

    def _failed(self, what: str, error: OSError, *, sent: bool) -> Failed:
        if isinstance(error, TimeoutError):
            return Failed(TimedOut(f"{what} within {self.read_seconds:g} s; allow more with timeout="), sent=sent)
        return Failed(ConnectionFailed(f"{what}: {error}"), sent=sent, pooled=self.used and self.parser.is_empty)


def watch(sock: socket.socket) -> Callable[[], object]:
    """A function whose answer is true when there is something to read at this moment, be it the end."""
    if hasattr(select, "poll"):
        watcher = select.poll()
        watcher.register(sock, select.POLLIN)
        return partial(watcher.poll, 0)
    return lambda: select.select([sock], (), (), 0)[0]


class Fast:
    """Calls a DynamoDB over connections of its own; threads may share it."""

    def __init__(self, settings: Settings, retry: Retry = DEFAULT) -> None:
        self.settings = settings
        self.retry = retry
        self.budget = Budget(retry)
        self.writer = RequestWriter(settings.credentials, settings.destination)
        self.pool: Pool[Connection] = Pool(settings.pool_size or POOL_SIZE)
        self._connector = Connector(settings)
        self._before_send = BeforeSend(settings.endpoint, settings.session)

    def call(self, call: Call, trace: Trace | None = None) -> Reply:
        if call.action in TAKES_TOKEN:
            call = with_token(call)
        if trace is not None:
            trace.attempts += 1
        body = call.text()
        try:
            reply = self._attempt(call.action, body)
        except Failed as failed:
            recovery = recover(call, failed, self.retry, self.budget, trace=trace)
        else:
            if self.budget.missing:
                self.budget.give_back()
            return reply
        return carry_out(recovery, lambda fresh: self._attempt(call.action, body, fresh=fresh), renew=self._renew)

    def _renew(self, step: Renew) -> None:
        self.writer.renew(step.access_key, step.offset_seconds)

    def _attempt(self, action: str, body: bytes, *, fresh: bool = False) -> Reply:
        request = self.writer.write(action, body)
        response = self._before_send.answer(action, request) if self._before_send.listens(action) else None
        if response is None:
            response = self._exchange(request, fresh=fresh)
        return reply_of(response, request, self.writer.clock)

    def _exchange(self, request: bytes, *, fresh: bool) -> Response:
        """Send a request on some connection; it goes back into the pool if the answer leaves it usable."""
        connection = (None if fresh else self.pool.take()) or self._connect()
        try:
            response = connection.exchange(request)
        except BaseException:  # whatever it was, the rest of an answer may still come on this connection
            connection.close()
            raise
        if response.reusable:
            connection.used = True
            self.pool.give(connection)
        else:
            connection.close()
        return response

    def _connect(self) -> Connection:
        if self.pool.is_closed:
            raise closed()
        return Connection(self._connector.connect(), self.settings.read_seconds)

    def close(self) -> None:
        self.pool.close()


def open_fast(settings: Settings, *, retry: Retry | None = None) -> Fast:
    """A transport for what `read_settings(...)` found, as `Database.aws` needs it.

    Without `retry`, attempts are as many as botocore would make where its Config, AWS_MAX_ATTEMPTS or the profile tell.
    """
    if retry is None:
        retry = DEFAULT if settings.attempts is None else Retry(attempts=settings.attempts)
    return Fast(settings, retry)
