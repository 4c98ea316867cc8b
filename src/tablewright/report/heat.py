"""Heat and sizes of a design as blocks: findings first, then every partition with its headroom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.wording import percent, plural, size, times, units
from tablewright.report.blocks import Bullets, Grid, Heading, Text, bullets, code, column, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.heat.findings import Finding
    from tablewright.design.heat.load import PartitionHeat
    from tablewright.design.heat.report import HeatReport
    from tablewright.report.blocks import Block, Tone

TONES: dict[str, Tone] = {"error": "bad", "warning": "warning", "note": "", "hot": "bad", "warm": "warning", "cool": ""}


def heat_summary(report: HeatReport) -> Iterator[Block]:
    yield Heading("Heat")
    yield Text(_hottest_text(report))
    if report.findings:
        yield Bullets(tuple(Text(_finding_text(each), TONES[each.severity]) for each in report.findings))


def _hottest_text(report: HeatReport) -> str:
    """The hottest partition, and how far it is from its limits."""
    if not report.partitions:
        return "Nothing is asked of the table."
    hottest = report.partitions[0]
    bears = f", so it bears {times(hottest.bears_traffic)} this traffic" if hottest.bears_traffic else ""
    return (
        f"Hottest partition at peak: {hottest.partition_key} ({hottest.place}) with {units(hottest.rcu_per_second)} of"
        f" {report.partition_rcu:,} read and {units(hottest.wcu_per_second)} of {report.partition_wcu:,} write units a"
        f" second{bears}. {_verdicts(report)}"
    )


def _verdicts(report: HeatReport) -> str:
    hot = sum(each.verdict == "hot" for each in report.partitions)
    return f"{plural(hot, 'key is', 'keys are')} too hot." if hot else "No key is too hot."


def _finding_text(each: Finding) -> str:
    patterns = f" ({', '.join(each.patterns)})" if each.patterns else ""
    return f"{each.severity}, {each.kind}{patterns}: {each.what}. {each.remedy} [{each.arithmetic}]"


# ---- in detail ------------------------------------------------------------------------------------------------------


def heat_blocks(report: HeatReport) -> Iterator[Block]:
    yield from heat_summary(report)
    yield Heading("Partitions at peak", 3)
    yield Grid(
        (
            code("partition key"),
            column("place"),
            number("RCU/s"),
            number("WCU/s"),
            number("headroom"),
            number("bears"),
            column("verdict"),
        ),
        tuple(_partition_row(each) for each in report.partitions),
        tuple(TONES[each.verdict] for each in report.partitions),
    )
    if report.shards:
        yield Heading("Shards", 3)
        yield bullets(
            *(f"{each.partition_key} ({each.place}): {each.shards}, {each.arithmetic}" for each in report.shards)
        )
    yield from _sizes(report)
    yield bullets(*report.notes, tone="quiet")


def _partition_row(each: PartitionHeat) -> tuple[str, ...]:
    return (
        each.partition_key,
        each.place,
        units(each.rcu_per_second),
        units(each.wcu_per_second),
        percent(max(0.0, min(each.read_headroom, each.write_headroom))),
        times(each.bears_traffic) if each.bears_traffic else "",
        each.verdict,
    )


def _sizes(report: HeatReport) -> Iterator[Block]:
    yield Heading("Sizes", 3)
    yield Grid(
        (
            code("collection"),
            column("place"),
            number("largest now"),
            number("after 12 months"),
            number("after 36 months"),
        ),
        tuple(
            (
                each.partition_key,
                each.place,
                *(size(each.largest_bytes.get(months, 0.0)) for months in ("0", "12", "36")),
            )
            for each in report.collections
        ),
    )
    yield Grid(
        (column("item"), number("usual"), number("largest"), number("headroom to 400 KB")),
        tuple(
            (each.entity, size(each.usual_bytes), size(each.largest_bytes), percent(max(0.0, each.headroom)))
            for each in report.items
        ),
    )
