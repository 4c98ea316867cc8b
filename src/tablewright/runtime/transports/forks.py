"""Processes that are forked: what a child may not share with its parent.

Forks are counted, because to ask the system for the process at every use takes time: whoever keeps sockets compares the
count with the one they were opened under. A lock that another thread held when the process was forked would stay locked
in the child for ever, so the locks of a child begin anew.
"""

from __future__ import annotations

import os
import threading
import weakref
from typing import NoReturn


class Forks:
    """How many forks lie between this process and the one that was started."""

    count = 0

    @classmethod
    def add(cls) -> None:
        cls.count += 1
        for lock in list(LOCKS):
            lock.begin_anew()


def not_pickled(self: object) -> NoReturn:
    """As `__reduce__`: what holds connections or secrets stays in its process."""
    name = type(self).__name__
    raise TypeError(f"{name} is not pickled, because it holds connections or secrets; make one in each process")


class ForkedLock:
    """A lock that is free in a forked child, whoever held it in the parent."""

    __slots__ = ("__weakref__", "_lock", "acquire", "locked", "release")

    def __init__(self) -> None:
        self.begin_anew()
        LOCKS.add(self)

    def begin_anew(self) -> None:
        self._lock = threading.Lock()
        self.acquire, self.release, self.locked = self._lock.acquire, self._lock.release, self._lock.locked

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


LOCKS: weakref.WeakSet[ForkedLock] = weakref.WeakSet()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=Forks.add)
