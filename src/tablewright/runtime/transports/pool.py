"""Connections that wait for their next use. The one used last goes first, so that a pool shrinks to what is needed.

No lock is needed: a deque's `append` and `pop` are atomic, and a few connections too many do no harm. A process that
was forked must not speak on its parent's connections, so each process begins with an empty pool.
"""

from __future__ import annotations

import time
import weakref
from collections import deque
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from tablewright.runtime.transports.forks import Forks

if TYPE_CHECKING:
    from collections.abc import Callable


class _Pooled(Protocol):
    """What a pool must know of a connection."""

    idle_since: float

    @property
    def is_stale(self) -> bool:
        """Whether the other side has closed it, or sent what nobody asked for."""
        ...

    def close(self) -> None: ...


C = TypeVar("C", bound=_Pooled)


class Pool(Generic[C]):
    """Keeps up to `size` idle connections, each for at most `idle_seconds`."""

    def __init__(
        self, size: int = 10, idle_seconds: float = 50.0, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.size = size
        self.idle_seconds = idle_seconds
        self.clock = clock
        self._idle: deque[C] = deque()
        self._forks = Forks.count
        self.is_closed = False
        weakref.finalize(self, _drop_all, self._idle)  # a database that nobody closed leaves no open sockets behind

    def __len__(self) -> int:
        return len(self._idle)

    def take(self) -> C | None:
        """A connection that can be used at once, if there is one."""
        if self._forks != Forks.count:
            self._begin_anew()
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return None
            if connection.idle_since + self.idle_seconds < self.clock():
                connection.close()
                _drop_all(self._idle)  # the others wait for longer still
                return None
            if not connection.is_stale:
                return connection
            connection.close()

    def give(self, connection: C) -> None:
        """A connection whose answer was read to its end."""
        if self.is_closed or len(self._idle) >= self.size or self._forks != Forks.count:
            connection.close()
            return
        connection.idle_since = self.clock()
        self._idle.append(connection)
        if self.is_closed:  # meanwhile
            _drop_all(self._idle)

    def close(self) -> None:
        """Close what is idle; what is in use is closed when it is given back."""
        self.is_closed = True
        _drop_all(self._idle)

    def _begin_anew(self) -> None:
        """In a forked child: closing our copies of the parent's sockets sends nothing to the other side."""
        self._forks = Forks.count
        _drop_all(self._idle)


def _drop_all(connections: deque[C]) -> None:
    while connections:
        try:
            connections.pop().close()
        except IndexError:  # another thread was faster
            return
