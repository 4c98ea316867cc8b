"""Threads that carry out calls side by side. They are kept, because starting some costs more than a call.

Each effect gets a crew of its own, so that effects of several threads do not wait for each other; idle crews are used
again. A forked process begins without any: threads do not survive the fork.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

MOST_IDLE = 8
"""More idle crews than this are let go."""


class _Crews:
    """Idle crews of one process, by how many threads they have."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.idle: list[tuple[int, ThreadPoolExecutor]] = []
        self.lock = threading.Lock()

    def take(self, width: int) -> ThreadPoolExecutor:
        with self.lock:
            for at, (threads, crew) in enumerate(self.idle):
                if threads == width:
                    del self.idle[at]
                    return crew
        return ThreadPoolExecutor(width, thread_name_prefix="tablewright")

    def give(self, width: int, crew: ThreadPoolExecutor) -> None:
        with self.lock:
            self.idle.append((width, crew))
            _, extra = self.idle.pop(0) if len(self.idle) > MOST_IDLE else (0, None)
        if extra is not None:
            extra.shutdown(wait=False)


crews = _Crews()


@contextmanager
def crew_of(width: int) -> Generator[ThreadPoolExecutor]:
    """A crew of so many threads, for as long as the block lasts. It must be done with its work by then."""
    global crews  # noqa: PLW0603 - what a fork leaves behind is of no use
    if crews.pid != os.getpid():
        crews = _Crews()
    crew = crews.take(width)
    try:
        yield crew
    except BaseException:  # somebody broke off, and the threads may still be at work
        crew.shutdown(wait=False)
        raise
    crews.give(width, crew)
