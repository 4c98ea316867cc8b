"""The heat of several tables: every place under its own name, the hottest and the worst first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.heat.report import SEVERITIES, HeatReport
from tablewright.design.multi_table.places import located

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.design.heat.load import PartitionHeat

JOINED = ("patterns", "peaks", "shards", "collections", "items")


def merged_heat(given: Mapping[str, HeatReport]) -> HeatReport:
    reports = [located(each, table) for table, each in given.items()]
    findings = [
        msgspec.structs.replace(found, what=f"{table}: {found.what}")
        for table, report in zip(given, reports, strict=True)
        for found in report.findings
    ]
    return msgspec.structs.replace(
        reports[0],
        partitions=tuple(sorted((line for each in reports for line in each.partitions), key=_headroom)),
        findings=tuple(sorted(findings, key=lambda each: SEVERITIES.index(each.severity))),
        **{name: tuple(line for each in reports for line in getattr(each, name)) for name in JOINED},
    )


def _headroom(heat: PartitionHeat) -> float:
    return min(heat.read_headroom, heat.write_headroom)
