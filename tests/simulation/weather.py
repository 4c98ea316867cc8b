"""What can happen to a request, to a client and to its clock; and how often it does in one run.

Every run draws a weather of its own: some faults are off altogether, the others strike rarely or often. Runs with all
faults at once would hide what only two of them together bring to light.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from random import Random
from typing import Literal, get_args

Fate = Literal[
    "unsent",  # it never leaves, and the client knows
    "vanished",  # it is sent and never arrives; the client waits in vain
    "unheard",  # it is carried out, and the answer is lost
    "late",  # the client gives up waiting, and the request is carried out some time after that
    "failed before",  # DynamoDB answers with an internal error, and nothing was done
    "failed after",  # DynamoDB answers with an internal error, although it was done
    "throttled",  # DynamoDB refuses it
    "stall",  # the client hangs before it sends
    "jump",  # the client's clock is set, forward or back
    "crash before",  # the client's process ends before the request is sent
    "crash after",  # the client's process ends before the answer comes
]
FATES: tuple[Fate, ...] = get_args(Fate)
CRASHES: frozenset[Fate] = frozenset({"crash before", "crash after"})

RATES = (0.02, 0.08, 0.2)
SHARE_ON = 0.5
LAGS_SECONDS = (0.0, 0.0, 0.5, 3.0)


@dataclass
class Weather:
    """How likely each fault is for one request, and how far reads lag behind."""

    chances: dict[Fate, float]
    conflict: float = 0.0  # an item is busy with somebody else's transaction
    unprocessed: float = 0.0  # a member of a batch is handed back
    gsi_lag_seconds: float = 0.0
    stale_seconds: float = 0.0

    def calm_down(self) -> None:
        """From now on everything goes well."""
        self.chances, self.conflict, self.unprocessed = {}, 0.0, 0.0

    def fate(self, rng: Random) -> Fate | None:
        """What happens to the next request; None when nothing does."""
        if not self.chances:
            return None
        left = rng.random()
        for fate, chance in self.chances.items():
            left -= chance
            if left < 0:
                return fate
        return None


def draw_weather(rng: Random, never: Collection[str] = ()) -> Weather:
    rate = rng.choice(RATES)
    on: list[Fate] = [fate for fate in FATES if rng.random() < SHARE_ON and fate not in never]
    chances: dict[Fate, float] = {fate: rate / (4 if fate in CRASHES else 2) for fate in on}
    return Weather(
        chances=chances,
        conflict=rng.choice((0.0, rate / 2)),
        unprocessed=rng.choice((0.0, rate)),
        gsi_lag_seconds=0.0 if "lag" in never else rng.choice(LAGS_SECONDS),
        stale_seconds=0.0 if "lag" in never else rng.choice(LAGS_SECONDS),
    )
