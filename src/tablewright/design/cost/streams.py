"""What it costs that somebody reads the changes of a table, and how that comes about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.prices import SECONDS_PER_MONTH, price_text
from tablewright.design.cost.units.entries import TABLE
from tablewright.design.cost.units.following import stream_shards
from tablewright.design.wording import number, plural, tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.design.cost.prices import Prices
    from tablewright.design.cost.storage import StoredEntry
    from tablewright.design.cost.traffic import Load
    from tablewright.design.cost.units.prediction import Prediction
    from tablewright.spec.model import Rate

POLLS_PER_SECOND = 1.0
POLLS_PLACE = "billing.streams"


class StreamCost(msgspec.Struct, frozen=True):
    """A month of one way to read the changes; `how` is empty where nobody does."""

    usd: float = 0.0
    how: str = ""


LAMBDA = StreamCost(0.0, "a Lambda function reads the stream, which is free; its runs are on the bill of Lambda")


def polled_stream(
    loads: Iterable[Load], stored: Iterable[StoredEntry], prices: Prices, *, polls: float, free_tier: bool
) -> StreamCost:
    """An application asks every shard so many times a second."""
    shards = _stream_shards(loads, stored)
    asked = shards * polls * SECONDS_PER_MONTH
    free = prices.free_stream_reads if free_tier else 0.0
    usd = max(0.0, asked - free) / 100_000 * prices.stream_reads_per_100_000
    less = f", less {number(free)} free" if free else ""
    how = (
        f"an application asks {plural(shards, 'shard')}, each {tally(polls, 'time')} a second:"
        f" {number(asked)} requests{less} at {price_text(prices, 'stream_reads_per_100_000')} for 100,000"
    )
    return StreamCost(usd, how)


def _stream_shards(loads: Iterable[Load], stored: Iterable[StoredEntry]) -> int:
    busiest = max((max(each.wcu) for each in loads if each.place == TABLE), default=0.0)
    size = sum(each.bytes for each in stored if each.place == TABLE)
    return stream_shards(busiest, size)


def captured_changes(
    found: Iterable[Prediction], rates: Mapping[str, Rate], prices: Prices, *, traffic: float
) -> StreamCost:
    """Kinesis is paid by the kilobytes of every change."""
    units = sum(_changed_units(each) * rates[each.pattern].avg for each in found) * traffic * SECONDS_PER_MONTH
    how = (
        f"Kinesis gets {number(round(units))} changes of 1 KB at {price_text(prices, 'kinesis_per_million')} a million;"
        " its shards are on the bill of Kinesis, and what expires is not counted"
    )
    return StreamCost(units * prices.kinesis_per_million / 1e6, how)


def _changed_units(found: Prediction) -> float:
    """Kilobytes that changed in the table: its write units, once, without what was refused."""
    return (found.item_wcu + found.copy_wcu - found.failed_wcu) / (2.0 if found.transactional else 1.0)
