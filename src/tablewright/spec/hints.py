"""Rates and times to wait in words, as far as a number can be read from them; None for all other words.

rates       "2,000,000 a day", "556 per second", "about 5 writes per minute", "100/s, 300 at peak", "twice a day",
            "every 5 minutes", "hourly"
times       "10 ms", "under 50 ms", "p99 20 ms", "20 ms at p99", "single-digit milliseconds", "sub-millisecond", "2 s"
"""

from __future__ import annotations

import re

import msgspec

from tablewright.spec.amounts import SECONDS, parse_count
from tablewright.spec.model import Rate

_ABOUT = r"(?:(?:about|around|approximately|approx\.?|roughly|ca\.?|circa|some|on average|~)\s*)?"
_NUMBER = r"(\d[\d_,]*(?:\.\d+)?\s*(?:k|m|b|bn|million|billion|thousand)?|once|twice|one)"
_THINGS = "times|reads?|writes?|requests?|queries|calls?|updates?|puts?|inserts?|events?|items?|messages?"
_WHAT = rf"(?:\s+(?:{_THINGS})){{0,2}}"
_PERIOD = r"\s*(?:/|per\s+|an?\s+|each\s+|every\s+)\s*([a-z]+)"
_OFTEN = re.compile(f"{_ABOUT}{_NUMBER}{_WHAT}{_PERIOD}")
_EVERY = re.compile(rf"{_ABOUT}every\s+(\d+(?:\.\d+)?\s+)?([a-z]+)")
_PEAK = re.compile(
    rf"(?:with\s+)?(?:(?:peak(?:s|ing)?(?:\s+(?:of|at))?|at peak|up to)\s*{_NUMBER}{_WHAT}(?:{_PERIOD})?"
    rf"|{_NUMBER}{_WHAT}(?:{_PERIOD})?\s+(?:at|in the)\s+peak)"
)
_PARTS = re.compile(r"[;(]|,\s")
_WORDS = {"once": 1.0, "one": 1.0, "twice": 2.0}
_ADVERBS = {"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month"}
_LONG = {"thousand": "k", "million": "m", "billion": "b"}


def read_rate(words: str) -> Rate | None:
    """How often, on average and at peak if that is said too."""
    text = " ".join(words.lower().split()).rstrip(".")
    first, *rest = (part.strip(" )") for part in _PARTS.split(text, maxsplit=1))
    if first in _ADVERBS:
        average: float | None = 1 / SECONDS[_ADVERBS[first]]
    else:
        average = _read_often(first) or _read_every(first)
    if average is None or not rest:
        return None if average is None else Rate(avg=average)
    peak = _read_peak(rest[0], first)
    return None if peak is None else Rate(avg=average, peak=peak)


def _read_often(text: str) -> float | None:
    found = _OFTEN.fullmatch(text)
    return None if found is None else _per_second(found[1], found[2])


def _read_every(text: str) -> float | None:
    """`every minute`, `every 5 minutes`."""
    found = _EVERY.fullmatch(text)
    seconds = _seconds_of(found[2]) if found is not None else None
    if found is None or seconds is None:
        return None
    times = float(found[1] or 1)
    return 1 / (seconds * times) if times else None


def _read_peak(text: str, average: str) -> float | None:
    """A peak without a period has that of the average."""
    found, usual = _PEAK.fullmatch(text), _OFTEN.fullmatch(average)
    if found is None or usual is None:
        return None
    return _per_second(found[1] or found[3], found[2] or found[4] or usual[2])


def _per_second(number: str, period: str) -> float | None:
    for word, letter in _LONG.items():
        number = number.replace(word, letter)
    count = _WORDS[number] if number in _WORDS else parse_count(number)
    seconds = _seconds_of(period)
    return None if count is None or seconds is None else count / seconds


def _seconds_of(period: str) -> float | None:
    return SECONDS.get(period, SECONDS.get(period.removesuffix("s")))


# ---- times to wait --------------------------------------------------------------------------------------------------


class Latency(msgspec.Struct, frozen=True):
    """At most so many milliseconds: on average, or for so many of a hundred requests."""

    ms: float
    percentile: float | None = None


_SHARE = re.compile(r"\bat\s+p(\d{2}(?:\.\d+)?)\b|\bp(\d{2}(?:\.\d+)?)\b(?:\s*(?:of|:|is|at))?")
_TIME = re.compile(
    r"(?:(?:less than|below|under|within|at most|up to|max(?:imum)?|about|<=?|~|≤)\s*)?(\d+(?:\.\d+)?)\s*"
    r"(ms|msec|milliseconds?|millis|s|sec|seconds?|µs|us|microseconds?|m|min|minutes?)"
)
_IN_MS = {
    **dict.fromkeys(("µs", "us", "microsecond"), 0.001),
    **dict.fromkeys(("s", "sec", "second"), 1000.0),
    **dict.fromkeys(("m", "min", "minute"), 60_000.0),
}
_DIGITS = re.compile(r"(single|one|double|two)[- ]digit(?:\s+(?:ms|milliseconds?|millis))?(?:\s+latency)?")
_SUB = re.compile(r"sub[- ]?(?:ms|millisecond)s?|microseconds?")


def read_latency(words: str) -> Latency | None:
    text = " ".join(words.lower().split()).rstrip(".")
    share = _SHARE.search(text)
    rest = _SHARE.sub(" ", text, count=1).strip(" ,:()").removeprefix("average ").removesuffix(" on average").strip()
    percentile = None if share is None else float(share[1] or share[2])
    ms = _read_ms(rest)
    return None if ms is None else Latency(ms, percentile)


def _read_ms(text: str) -> float | None:
    if (digits := _DIGITS.fullmatch(text)) is not None:
        return 9.0 if digits[1] in ("single", "one") else 99.0
    if _SUB.fullmatch(text):
        return 1.0
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    unit = found[2] if found[2] in ("ms", "us", "µs", "s") else found[2].removesuffix("s")
    return float(found[1]) * _IN_MS.get(unit, 1.0)
