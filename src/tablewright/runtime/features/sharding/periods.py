"""Periods of time as texts that sort by time: `2026`, `2026-11`, `2026-W46`, `2026-11-15`, `2026-11-15T09`.

Times are what is stored: ISO text in UTC, so that a period is mostly the beginning of the time.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from tablewright.errors import FieldFault, ValidationError
from tablewright.runtime.clock import now

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tablewright.schema.features import Bucket, Period

LENGTHS: dict[str, int] = {"year": 4, "month": 7, "day": 10, "hour": 13}
TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d.*Z)?")


def period_of(bucket: Bucket, time: Any) -> str:
    """The period a stored time lies in."""
    if not isinstance(time, str) or TIME.fullmatch(time) is None or (bucket.every == "hour" and len(time) == 10):
        wanted = "an ISO time in UTC, such as 2026-11-15T09:00:00.000Z"
        raise ValidationError(
            [FieldFault(bucket.of, f"must be {wanted}, to know its {bucket.every}, not {time!r:.60}")]
        )
    if bucket.every == "week":
        return _week_of(time)
    return time[: LENGTHS[bucket.every]]


def _week_of(time: str) -> str:
    year, week, _ = date.fromisoformat(time[:10]).isocalendar()
    return f"{year:04d}-W{week:02d}"


def refuse_too_early(bucket: Bucket, time: str) -> None:
    """What lies before `since` would be missed by everyone who asks without a beginning."""
    if bucket.since is not None and period_of(bucket, time) < period_of(bucket, bucket.since):
        reason = f"is {time}, before {bucket.since}, from which on open questions look; declare an earlier since="
        raise ValidationError([FieldFault(bucket.of, reason)])


def horizon(bucket: Bucket) -> str:
    """Where a question with an open end stops looking."""
    return f"{now() + timedelta(days=bucket.ahead_days):%Y-%m-%dT%H:%M:%S.000Z}"


# ---- from one period to the next -----------------------------------------------------------------------------------


def periods(every: Period, first: str, last: str) -> Iterator[str]:
    """All periods from one to another, both included."""
    following = NEXT[every]
    while first <= last:
        yield first
        try:
            first = following(first)
        except (OverflowError, ValueError):  # the year 10000
            return


def _next_year(period: str) -> str:
    return f"{date(int(period) + 1, 1, 1).year:04d}"


def _next_month(period: str) -> str:
    years, months = divmod(int(period[:4]) * 12 + int(period[5:]), 12)
    return f"{date(years, months + 1, 1):%Y-%m}".rjust(7, "0")


def _next_week(period: str) -> str:
    monday = date.fromisocalendar(int(period[:4]), int(period[6:]), 1) + timedelta(days=7)
    return _week_of(monday.isoformat())


def _next_day(period: str) -> str:
    return (date.fromisoformat(period) + timedelta(days=1)).isoformat()


def _next_hour(period: str) -> str:
    moment = datetime.fromisoformat(f"{period}:00:00+00:00") + timedelta(hours=1)
    return moment.astimezone(UTC).isoformat()[:13]


NEXT: dict[str, Callable[[str], str]] = {
    "year": _next_year,
    "month": _next_month,
    "week": _next_week,
    "day": _next_day,
    "hour": _next_hour,
}
