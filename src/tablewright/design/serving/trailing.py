"""Numbers kept by a function that follows the stream: how far behind they may be, and how long changes are collected.

A record is in the stream within a moment, and Lambda asks for records four times a second. The function is called when
the window is over, so that half of what a read allows is collected and the other half is left for everything else.
"""

from __future__ import annotations

LEAST_STALE_SECONDS = 2.0
MOST_WINDOW_SECONDS = 60
"""Longer windows save next to nothing: a transaction takes a hundred actions at most."""


OTHERWISE_SECONDS = 1
"""From a write to its record, and from the end of a window until its changes are added, usually."""


def usual_delay(window: int) -> int:
    """Seconds that such a number is behind at most, while the function keeps up."""
    return window + OTHERWISE_SECONDS


def window_seconds(stale_seconds: float) -> int:
    """How long changes are collected for a read that allows the number to be so far behind."""
    return max(1, min(MOST_WINDOW_SECONDS, int(stale_seconds // 2)))
