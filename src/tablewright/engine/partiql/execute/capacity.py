"""Consumed capacity of several requests, added up as that of one."""

from __future__ import annotations

from typing import Any

Params = dict[str, Any]


def add_capacity(reply: Params, page: Params) -> None:
    """Add what a page consumed to what the reply says."""
    consumed = page.get("ConsumedCapacity")
    if consumed is not None:
        reply["ConsumedCapacity"] = _sum_reports(reply.get("ConsumedCapacity", {}), consumed)


def _sum_reports(total: Params, part: Params) -> Params:
    """Numbers are added, maps gone into, the rest is the same in both."""
    merged = dict(total)
    for name, value in part.items():
        if isinstance(value, dict):
            merged[name] = _sum_reports(merged.get(name, {}), value)  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(value, (int, float)):
            merged[name] = merged.get(name, 0.0) + value
        else:
            merged[name] = value
    return merged


def sum_by_table(replies: list[Params]) -> list[Params]:
    """One report for each table, in the order they are first mentioned."""
    totals: dict[str, Params] = {}
    for consumed in (reply["ConsumedCapacity"] for reply in replies if "ConsumedCapacity" in reply):
        table = consumed["TableName"]
        totals[table] = _sum_reports(totals.get(table, {}), consumed)
    return list(totals.values())
