"""Amounts as people write them: `1M`, `2 KB`, `100/s`, `30d`, `5%`. Each kind also takes the bare number.

counts      1000, 1_000, "10k", "1.5M", "2B"
sizes       bytes, or "300 B", "2 KB", "1.5 MB" (1 KB is 1,024 bytes, as DynamoDB counts)
growth      items a month, or "10k/month", "200/day"
rates       a second, or "100/s", "6000/min", "1M/day", "5 per hour"
durations   days, or "30d", "12 hours", "2 weeks", "1 year"
delays      seconds, or "10s", "1 min", "2 hours"
shares      0.05, or "5%"
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tablewright.schema.form.kinds import Kind, Reading, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

COUNT_UNITS: Mapping[str, float] = {"": 1.0, "k": 1e3, "m": 1e6, "b": 1e9, "bn": 1e9, "t": 1e12}
SIZE_UNITS: Mapping[str, float] = {
    "": 1.0,
    "b": 1.0,
    "byte": 1.0,
    "bytes": 1.0,
    "kb": 2.0**10,
    "kib": 2.0**10,
    "mb": 2.0**20,
    "mib": 2.0**20,
}
SECONDS: Mapping[str, float] = {
    "s": 1.0,
    "sec": 1.0,
    "second": 1.0,
    "min": 60.0,
    "minute": 60.0,
    "h": 3600.0,
    "hour": 3600.0,
    "d": 86_400.0,
    "day": 86_400.0,
    "week": 604_800.0,
    "month": 2_628_000.0,
}
DAYS: Mapping[str, float] = {
    "": 1.0,
    "m": 1 / 1440,
    "min": 1 / 1440,
    "minute": 1 / 1440,
    "h": 1 / 24,
    "hour": 1 / 24,
    "d": 1.0,
    "day": 1.0,
    "w": 7.0,
    "week": 7.0,
    "month": 30.0,
    "y": 365.0,
    "year": 365.0,
}
NUMBER = re.compile(r"(\d[\d_,]*(?:\.\d+)?)\s*([a-zA-Z]*)")
RATE = re.compile(r"(.+?)\s*(?:/|per\b|an?\b)\s*([a-zA-Z]+)")


MOST = 10**15
"""The largest amount accepted, so that products of amounts stay in the range of floats."""


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_amount(value: Any) -> bool:
    """Whether it is a number between 0 and MOST (NaN is not)."""
    return is_number(value) and 0 <= value <= MOST


def _parse_with_unit(text: str, units: Mapping[str, float]) -> float | None:
    """A number followed by a unit; None where the text is something else."""
    found = NUMBER.fullmatch(text.strip())
    if found is None:
        return None
    unit = found[2].lower()
    factor = units.get(unit, units.get(unit.removesuffix("s")))
    return None if factor is None else float(found[1].replace("_", "").replace(",", "")) * factor


def parse_count(text: str) -> float | None:
    return _parse_with_unit(text, COUNT_UNITS)


def _parse_size(text: str) -> float | None:
    return _parse_with_unit(text, SIZE_UNITS)


def _parse_days(text: str) -> float | None:
    return _parse_with_unit(text, DAYS)


def _parse_delay(text: str) -> float | None:
    return _parse_with_unit(text, {"": 1.0, **SECONDS})


def parse_seconds(text: str) -> float | None:
    """A time with its unit, in seconds."""
    found = _parse_with_unit(text, {**SECONDS, **{unit: days * SECONDS["d"] for unit, days in DAYS.items() if unit}})
    return found if text.strip()[-1:].isalpha() else None


def _parse_per_second(text: str) -> float | None:
    """A rate as a number a second."""
    found = RATE.fullmatch(text.strip())
    if found is None:
        return parse_count(text)
    count, unit = parse_count(found[1]), found[2].lower()
    seconds = SECONDS.get(unit, SECONDS.get(unit.removesuffix("s")))
    return None if count is None or seconds is None else count / seconds


def _parse_per_month(text: str) -> float | None:
    """A growth as a number of items a month."""
    found = _parse_per_second(text)
    return found if found is None or RATE.fullmatch(text.strip()) is None else found * SECONDS["month"]


def parse_share(text: str) -> float | None:
    number = text.strip()
    found = _parse_with_unit(number.removesuffix("%"), {"": 1.0})
    if found is None:
        return None
    return found / 100 if number.endswith("%") else found


def amount_kind(words: str, read_text: Any, *, most: float = MOST, whole: bool = False) -> Kind:
    """A kind of amount: a number of at least 0, or a text that `read_text` parses."""
    numbers: dict[str, Any] = {"type": "integer" if whole else "number", "minimum": 0, "maximum": most}

    def read(value: Any, at: Reading) -> Any:
        found = read_text(value) if isinstance(value, str) else value
        if is_number(found) and found > MOST:
            at.refuse(f"{quoted(value)} is more than {MOST:,}, which is not {words} that anybody has.")
        if not is_amount(found) or found > most:
            at.refuse(f"{quoted(value)} is not {words}.")
        if whole and found != int(found):
            at.refuse(f"{quoted(value)} is not {words}: it is no whole number.")
        return int(found) if whole else found

    return Kind(read, {"anyOf": [numbers, {"type": "string", "pattern": "^[0-9]"}]})


MANY = amount_kind("a number of at least 0, such as 1000, 10k or 1M", parse_count)
BYTES = amount_kind("a size such as 300 (bytes), 2 KB or 1.5 MB", _parse_size, whole=True)
PER_SECOND = amount_kind("a rate such as 100 (a second), 100/s, 6000/min or 1M/day", _parse_per_second)
PER_MONTH = amount_kind("a number of items a month such as 5000, 10k/month or 200/day", _parse_per_month)
DELAY = amount_kind("a time such as 10 (seconds), 10s or 1 min", _parse_delay)
LIFETIME = amount_kind("a time such as 30 (days), 30d or 12h", _parse_days)
SHARE = amount_kind("a share between 0 and 1, or up to 100%", parse_share, most=1)
