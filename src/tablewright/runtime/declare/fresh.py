"""Fresh values for defaults: identifiers and the time."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4


def new_id() -> str:
    """A new random identifier."""
    return str(uuid4())


def now() -> datetime:
    """The time in UTC, to the millisecond, which is what is stored."""
    moment = datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
