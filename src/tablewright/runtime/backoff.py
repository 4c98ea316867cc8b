"""How patiently something is tried again, and what the names of DynamoDB's errors mean for that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from tablewright.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Callable


class Retry(msgspec.Struct, frozen=True, kw_only=True):
    """How often and how patiently a failed call is tried again. `attempts=1` never does; `budget=None` is no limit."""

    attempts: int = 8
    base_seconds: float = 0.05
    cap_seconds: float = 5.0
    budget: int | None = 500

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise RequestError(f"Retry(attempts={self.attempts}): the first one counts; give 1 or more", code=1010)
        for name, seconds in (("base_seconds", self.base_seconds), ("cap_seconds", self.cap_seconds)):
            if not 0 <= seconds < float("inf"):
                raise RequestError(f"Retry({name}={seconds}) is no time to wait; give 0 or more", code=1010)
        if self.budget is not None and self.budget < 0:
            raise RequestError(f"Retry(budget={self.budget}): give 0 or more, or None for no limit", code=1010)

    def longest_pause(self, attempt: int) -> float:
        """The pause behind failed attempt number `attempt`, before chance shortens it."""
        return min(self.cap_seconds, self.base_seconds * 2.0 ** min(attempt - 1, 64))


DEFAULT = Retry()

Kind: TypeAlias = Literal["throttled", "conflict", "unsent", "lost", "keys", "clock", "final"]

KINDS: dict[str, Kind] = {
    "BandwidthLimitExceeded": "throttled",
    "ProvisionedThroughputExceededException": "throttled",
    "RequestLimitExceeded": "throttled",
    "RequestThrottled": "throttled",
    "RequestThrottledException": "throttled",
    "SlowDown": "throttled",
    "ThrottledException": "throttled",
    "Throttling": "throttled",
    "ThrottlingException": "throttled",
    "TooManyRequestsException": "throttled",
    "ReplicatedWriteConflictException": "conflict",
    "TransactionConflictException": "conflict",
    "TransactionInProgressException": "conflict",
    "InternalFailure": "lost",
    "InternalServerError": "lost",
    "RequestTimeout": "lost",
    "RequestTimeoutException": "lost",
    "ServiceUnavailable": "lost",
    "ServiceUnavailableException": "lost",
    "ExpiredToken": "keys",
    "ExpiredTokenException": "keys",
    "UnrecognizedClientException": "keys",
    "InvalidSignatureException": "clock",
    "RequestExpired": "clock",
    "RequestInTheFuture": "clock",
    "RequestTimeTooSkewed": "clock",
    "SignatureDoesNotMatch": "clock",
}


def system_random() -> Callable[[], float]:
    from random import random  # only failures pay for the import

    return random
