"""Which changes have been handled, and by whom: what makes a second delivery harmless.

A handler is noted once it is done, so a crash in between makes it run again: at least once, and as a rule once.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from tablewright.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from tablewright.runtime.streams.changes.record import StreamRecord

NOBODY: frozenset[str] = frozenset()


class Recalled(msgspec.Struct, frozen=True):
    """What is known of a record: the handlers that are done with it, and its item's newest change that was handled."""

    done: frozenset[str] = NOBODY
    newest_microseconds: int | None = None


class Seen(Protocol):
    """Something that remembers. Either method may be a coroutine's where handlers are awaited."""

    def recall(self, record: StreamRecord, /) -> Recalled | Awaitable[Recalled]:
        """What was noted before."""
        ...

    def remember(self, record: StreamRecord, done: frozenset[str], /) -> Any:
        """These handlers are done with the record; for a record without order, its time is noted for its item."""
        ...


class SeenInMemory:
    """Remembers the last `size` records, and the newest change of as many items, for as long as the process lives."""

    def __init__(self, size: int = 10_000) -> None:
        if size < 1:
            raise RequestError(f"SeenInMemory({size}) would remember nothing; give 1 or more", code=1010)
        self.size = size
        self._done: OrderedDict[str, frozenset[str]] = OrderedDict()
        self._newest: OrderedDict[str, int] = OrderedDict()
        self._lock = threading.Lock()

    def recall(self, record: StreamRecord) -> Recalled:
        with self._lock:
            newest = None if record.is_ordered else self._newest.get(record.item)
            return Recalled(self._done.get(record.id, NOBODY), newest)

    def remember(self, record: StreamRecord, done: frozenset[str]) -> None:
        with self._lock:
            self._keep(self._done, record.id, self._done.get(record.id, NOBODY) | done)
            if not record.is_ordered and record.microseconds is not None:
                newest = max(record.microseconds, self._newest.get(record.item, record.microseconds))
                self._keep(self._newest, record.item, newest)

    def _keep(self, notes: OrderedDict[str, Any], name: str, value: Any) -> None:
        notes[name] = value
        notes.move_to_end(name)
        if len(notes) > self.size:
            notes.popitem(last=False)
