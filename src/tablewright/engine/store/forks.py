"""Processes that are forked while a database is open.

SQLite forbids to use a connection in another process than its own. So a fork waits until nobody is in the middle of a
call; then a child goes on with its own copy of what is in memory, and opens a file anew when it first needs it. What
the child got of its parent's connection is kept and never touched again: even closing it could let go of locks.
"""

from __future__ import annotations

import os
import weakref
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import RLock


class _Connected(Protocol):
    """What has a connection that another process may not use: the storage."""

    connection: Any

    @property
    def lock(self) -> RLock: ...

    @property
    def path(self) -> str | None: ...

    @property
    def is_closed(self) -> bool: ...

    def connect(self) -> Any: ...

    def forget(self) -> None: ...


OPEN: weakref.WeakSet[_Connected] = weakref.WeakSet()
HELD: list[_Connected] = []
LEFT: list[Any] = []
"""Connections of the parent, kept from being closed by whoever collects garbage."""


class _HasLock(Protocol):
    """Whatever has a lock of its own, which another thread may have held when the process was forked."""

    def free_lock(self) -> None: ...


LOCKED: weakref.WeakSet[_HasLock] = weakref.WeakSet()


class _Reopening:
    """Stands for a connection until it is used, and then makes way for one of this process."""

    def __init__(self, storage: _Connected, connect: Callable[[], Any]) -> None:
        self._storage = storage
        self._connect = connect

    def __getattr__(self, name: str) -> Any:
        storage = self._storage
        with storage.lock:
            if cast("object", storage.connection) is self:
                storage.connection = self._connect()
                storage.forget()
        return getattr(storage.connection, name)

    @property
    def in_transaction(self) -> bool:
        return False

    def close(self) -> None:
        """Nothing was opened."""


def follow_forks(storage: _Connected) -> None:
    OPEN.add(storage)


def _hold_all() -> None:
    """Before a fork: wait for calls under way, and let none begin."""
    for storage in list(OPEN):
        storage.lock.acquire()
        HELD.append(storage)


def _release_all() -> None:
    while HELD:
        HELD.pop().lock.release()


def _begin_anew() -> None:
    """In the child."""
    for each in list(LOCKED):
        each.free_lock()
    for storage in HELD:
        if storage.path is not None and not storage.is_closed:
            LEFT.append(storage.connection)
            storage.connection = _Reopening(storage, storage.connect)
    _release_all()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold_all, after_in_parent=_release_all, after_in_child=_begin_anew)
