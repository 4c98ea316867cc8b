"""Keeps every core from falling asleep, at the lowest priority: `python -m benchmarks.calls.busy`.

A client that waits for its answer alone on a machine lets a core fall asleep and pays for waking it, at every call. On
a machine that has other things to do, nobody does. Ends when its input does.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def busy_machine() -> Iterator[None]:
    """A process that computes for every core."""
    command = [sys.executable, "-m", "benchmarks.calls.busy"]
    with ExitStack() as stack:
        for _ in range(os.cpu_count() or 1):
            started = stack.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE))
            assert started.stdin is not None
            stack.callback(started.stdin.close)
        yield


def compute() -> None:
    waiting = threading.Thread(target=sys.stdin.read, daemon=True)
    waiting.start()
    os.nice(19)
    while waiting.is_alive():
        sum(range(10_000))


if __name__ == "__main__":
    compute()
