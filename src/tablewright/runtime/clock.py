"""Fresh values for defaults: identifiers and the time, which tests can hold still."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Generator

_held: ContextVar[datetime | None] = ContextVar("tablewright_time", default=None)


def new_id() -> str:
    """A new random identifier."""
    return str(uuid4())


def now() -> datetime:
    """The time in UTC, to the millisecond, which is what is stored."""
    moment = _held.get() or datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def now_ms() -> int:
    """The time in milliseconds since 1970, as JavaScript's `Date.now()` gives it."""
    moment = now()
    return int(moment.timestamp()) * 1000 + moment.microsecond // 1000


@contextmanager
def time_held(moment: datetime) -> Generator[None, None, None]:
    """In here `tw.now()` is this moment, for tests: `with tw.time_held(datetime(2026, 11, 15, tzinfo=UTC)):`."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment} has no time zone; write datetime(..., tzinfo=timezone.utc)")
    token = _held.set(moment.astimezone(UTC))
    try:
        yield
    finally:
        _held.reset(token)
