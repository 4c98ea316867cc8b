"""Buckets of capacity units that fill with time, and the peaks that on-demand tables grow by."""

from __future__ import annotations


class Bucket:
    """Filled at `rate` units a second, holding up to `seconds` of them; it begins with one second's worth."""

    __slots__ = ("level", "rate", "room", "seen")

    def __init__(self, rate: float, seconds: float, now: float) -> None:
        self.rate = rate
        self.room = rate * seconds
        self.level = rate
        self.seen = now

    def open(self, now: float) -> bool:
        """Whether anything is left."""
        self._fill(now)
        return self.level > 0

    def take(self, units: float, now: float) -> None:
        """More than there is leaves a debt that time pays off."""
        self._fill(now)
        self.level -= units

    def retune(self, rate: float, seconds: float, now: float) -> None:
        """Another rate; what was saved stays, as far as there is room."""
        self._fill(now)
        self.level = min(self.level + max(0.0, rate - self.rate), rate * seconds)
        self.rate, self.room = rate, rate * seconds

    def _fill(self, now: float) -> None:
        passed = now - self.seen
        if passed > 0:
            self.level = min(self.room, self.level + passed * self.rate)
            self.seen = now


HALF_HOUR = 1800


class Peak:
    """The most units in one second, as far as it counts for growth: half an hour after it was reached."""

    __slots__ = ("before", "now", "second", "since", "units")

    def __init__(self, now: float) -> None:
        self.since = now
        self.before = self.now = self.units = 0.0
        self.second = int(now)

    def add(self, units: float, now: float) -> None:
        self.known(now)
        if int(now) != self.second:
            self.second, self.units = int(now), 0.0
        self.units += units
        self.now = max(self.now, self.units)

    def known(self, now: float) -> float:
        """The peak of all half-hours before this one."""
        if now - self.since >= HALF_HOUR:
            self.before, self.now, self.since = max(self.before, self.now), 0.0, now
        return self.before
