"""What it costs that somebody reads the changes of a table, and how that comes about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.prices import SECONDS_PER_MONTH, price_text
from tablewright.design.cost.units.entries import TABLE
from tablewright.design.cost.units.following import stream_shards
from tablewright.design.wording import concat, money, number, plural, tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.design.cost.prices import Prices
    from tablewright.design.cost.storage import StoredEntry
    from tablewright.design.cost.traffic import Load
    from tablewright.design.cost.units.prediction import Prediction
    from tablewright.spec.model import EntitySpec, Rate

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


def following_lines(
    kept: Iterable[EntitySpec],
    found: Iterable[Prediction],
    rates: Mapping[str, Rate],
    stored: Iterable[StoredEntry],
    prices: Prices,
) -> Iterator[str]:
    """Of the lines of writes: what they do not do themselves."""
    every, runs = list(kept), [(each, rates[each.pattern].avg * SECONDS_PER_MONTH) for each in found]
    written = sum(each.followed_wcu * times for each, times in runs)
    read = sum(each.followed_rcu * times for each, times in runs)
    if not written and not read:
        return
    totals, lists = ([each.name for each in every if (each.top is None) == is_total] for is_total in (True, False))
    called = [*(["totals"] if totals else []), *(["lists"] if lists else [])]
    marks = sum(each.gb for each in stored if each.kind == "mark")
    usd = (written * prices.write_per_million + read * prices.read_per_million) / 1e6
    asked = f" and {number(round(read / 1e6, 1))} million read units" if read else ""
    why = [
        *(["a mark of every change and the totals of many changes together"] if totals else []),
        *(["lists that are read for every batch of changes, and written where their places change"] if lists else []),
    ]
    marked = f", and {marks:,.2f} GB of marks" if totals else ""
    yield (
        f"{concat(called)} kept by the stream ({concat([*totals, *lists])}), in the lines of the writes that change"
        f" them: {number(round(written / 1e6, 1))} million write units{asked} a month ({money(usd)}) for"
        f" {concat(why)}{marked}; Lambda reads the stream free, and its runs are on its own bill"
    )
