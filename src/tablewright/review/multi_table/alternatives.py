"""Other designs of several tables: one table at a time is made differently, the others stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.design.advice import Alternative

Given = dict[str, tuple["Alternative", ...]]
MOST = 4


def merged_alternatives(given: Mapping[str, tuple[Alternative, ...]]) -> tuple[Alternative, ...]:
    """The chosen design of all tables, then the cheapest of those that differ in one."""
    chosen = {table: next((each for each in found if each.chosen), None) for table, found in given.items()}
    known = {table: each for table, each in chosen.items() if each is not None}
    if len(known) < len(given):
        return ()
    others = [
        msgspec.structs.replace(
            whole({**known, table: each}), name=f"{table}: {each.name}", gains=each.gains, costs=each.costs
        )
        for table, found in given.items()
        for each in found
        if not each.chosen
    ]
    return (whole(known), *sorted(others, key=lambda each: (each.usd_per_month, each.gsis))[:MOST])


def whole(tables: Mapping[str, Alternative]) -> Alternative:
    """All tables together; requests on average over the tables."""
    first, found = next(iter(tables.values())), list(tables.values())
    return msgspec.structs.replace(
        first,
        gsis=sum(each.gsis for each in found),
        copies=sum(each.copies for each in found),
        tables=len(found),
        usd_per_month=sum(each.usd_per_month for each in found),
        requests_per_pattern=sum(each.requests_per_pattern for each in found) / len(found),
        hottest_share=max(each.hottest_share for each in found),
        keys={entity: key for each in found for entity, key in each.keys.items()},
        chosen=all(each.chosen for each in found),
    )
