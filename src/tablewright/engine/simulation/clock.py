"""A clock that stands still until it is told to move. Time to live, tokens, streams and throttling all follow it."""

from __future__ import annotations

from tablewright.errors import TablewrightError

START = 1_767_225_600.0  # the first second of 2026, UTC


class Clock:
    """`Engine(clock=Clock())`, then `clock.step(hours=25)`."""

    def __init__(self, now: float = START) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def step(self, seconds: float = 0, *, minutes: float = 0, hours: float = 0, days: float = 0) -> float:
        """Let time pass; the answer is the time now."""
        passed = seconds + 60 * minutes + 3600 * hours + 86_400 * days
        if passed < 0:
            raise TablewrightError(f"the clock cannot be stepped by {passed} seconds; time only moves forward")
        self.now += passed
        return self.now
