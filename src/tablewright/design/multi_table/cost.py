"""The bill of several tables: lines side by side, sums added up, and each table paid for in its own way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from tablewright.design.cost.breakeven import Recommendation, break_evens
from tablewright.design.cost.lines import together
from tablewright.design.cost.report import CostReport, Scenario
from tablewright.design.cost.traffic import quota_notes
from tablewright.design.multi_table.places import located
from tablewright.design.serving.cascades import cascade_steps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tablewright.design.cost.dax import CacheAdvice
    from tablewright.design.cost.lines import PatternCost
    from tablewright.design.cost.modes import ModeCost
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

S = TypeVar("S", bound=msgspec.Struct)
SUMS = (
    "gb",
    "read_usd_per_month",
    "write_usd_per_month",
    "storage_usd_per_month",
    "pitr_usd_per_month",
    "streams_usd_per_month",
    "expiry_usd_per_month",
    "usd_per_month",
)


def merged_cost(facts: Facts, given: Mapping[str, CostReport]) -> CostReport:
    """`given` by table; `facts` are those of the whole spec, for the order of its patterns and the budget."""
    reports = [located(each, table) for table, each in given.items()]
    modes = _merged_modes([each.modes for each in reports])
    advised = _merged_recommendation({table: each.recommended for table, each in given.items()})
    budget = facts.spec.constraints.budget
    return msgspec.structs.replace(
        reports[0],
        patterns=_merged_patterns(facts, reports),
        entities=tuple(line for each in reports for line in each.entities),
        places=tuple(line for each in reports for line in each.places),
        regions=tuple(_add_up(alike) for alike in zip(*(each.regions for each in reports), strict=True)),
        one_off=_add_up([each.one_off for each in reports]),
        modes=modes,
        recommended=advised,
        break_evens=break_evens(modes, reports[0].prices),
        cache=_merged_cache([each.cache for each in reports]),
        scenarios=_merged_scenarios(given),
        over_budget_usd_per_month=None if budget is None else max(0.0, advised.usd_per_month - budget),
        explained=tuple(f"{table}: {line}" for table, each in given.items() for line in each.explained),
        assumptions=tuple(sorted({line for each in reports for line in each.assumptions})),
        **{name: sum(getattr(each, name) for each in reports) for name in SUMS},
    )


def _add_up(values: Sequence[S]) -> S:
    """Numbers are added up, all else is the first's."""
    first = values[0]
    sums: dict[str, Any] = {
        name: sum(getattr(each, name) for each in values)
        for name in first.__struct_fields__
        if isinstance(getattr(first, name), int | float)
    }
    return msgspec.structs.replace(first, **sums)


# ---- patterns -------------------------------------------------------------------------------------------------------


def _merged_patterns(facts: Facts, reports: Sequence[CostReport]) -> tuple[PatternCost, ...]:
    """In the order of the spec; a write over several tables is one line."""
    lines: dict[str, list[PatternCost]] = {}
    for line in (line for each in reports for line in each.patterns):
        lines.setdefault(line.pattern, []).append(line)
    return tuple(_whole_line(facts, lines, each) for each in (*facts.spec.patterns, *facts.implied))


def _whole_line(facts: Facts, lines: Mapping[str, list[PatternCost]], pattern: PatternSpec) -> PatternCost:
    """With what a delete goes on to, each in its own table."""
    more = (id_ for each in cascade_steps(facts, pattern) for id_ in (each.read_id, each.delete_id))
    return together([_one_line(lines[pattern.id]), *(line for id_ in more for line in lines[id_])])


def _one_line(lines: list[PatternCost]) -> PatternCost:
    """One transaction, whatever each table has to look up before it."""
    if len(lines) == 1:
        return lines[0]
    found = together(lines)
    one = msgspec.structs.replace(
        found.prediction,
        items=sum(each.prediction.items for each in lines),
        requests=found.prediction.requests - (len(lines) - 1),
    )
    return msgspec.structs.replace(
        found, prediction=one, write_amplification=one.wcu / one.item_wcu if one.item_wcu else None
    )


# ---- ways of paying -------------------------------------------------------------------------------------------------


def _merged_modes(given: Sequence[tuple[ModeCost, ...]]) -> tuple[ModeCost, ...]:
    return tuple(_merged_mode(alike) for alike in zip(*given, strict=True))


def _merged_mode(alike: tuple[ModeCost, ...]) -> ModeCost:
    """Use is weighed by what is paid for."""
    paid = [each.read_usd_per_month + each.write_usd_per_month for each in alike]
    used = sum((each.utilisation or 0.0) * usd for each, usd in zip(alike, paid, strict=True))
    known = any(each.utilisation is not None for each in alike) and sum(paid) > 0
    whole = _add_up([msgspec.structs.replace(each, utilisation=None) for each in alike])
    return msgspec.structs.replace(whole, utilisation=used / sum(paid) if known else None)


def _merged_recommendation(given: Mapping[str, Recommendation]) -> Recommendation:
    """Each table has its own; where they differ, the mode and the class are those of the dearest."""
    dearest = max(given.values(), key=lambda each: each.usd_per_month)
    committed = [each for each in given.values() if each.committed_mode is not None]
    usd = sum(each.usd_per_month for each in given.values())
    saved = sum(each.usd_per_month - (each.committed_usd_per_month or 0.0) for each in committed)
    return Recommendation(
        mode=dearest.mode,
        table_class=dearest.table_class,
        usd_per_month=usd,
        because="; ".join(_said_of(table, each) for table, each in given.items()),
        committed_mode=committed[0].committed_mode if committed else None,
        committed_usd_per_month=usd - saved if committed else None,
        committed_upfront_usd=sum(each.committed_upfront_usd or 0.0 for each in committed) if committed else None,
        day_is_assumed=dearest.day_is_assumed,
    )


def _said_of(table: str, advised: Recommendation) -> str:
    return f"{table}: {advised.mode}, {advised.table_class}, ${advised.usd_per_month:,.2f} a month"


def _merged_scenarios(given: Mapping[str, CostReport]) -> tuple[Scenario, ...]:
    return tuple(
        Scenario(
            traffic=alike[0].traffic,
            months=alike[0].months,
            gb=sum(each.gb for each in alike),
            modes=_merged_modes([each.modes for each in alike]),
            recommended=_merged_recommendation(
                {table: each.recommended for table, each in zip(given, alike, strict=True)}
            ),
            busiest_hour=_add_up([each.busiest_hour for each in alike]),
            quotas=_merged_quotas(dict(zip(given, alike, strict=True))),
            too_hot=tuple(f"{table} {said}" for table, each in zip(given, alike, strict=True) for said in each.too_hot),
        )
        for alike in zip(*(each.scenarios for each in given.values()), strict=True)
    )


def _merged_quotas(given: Mapping[str, Scenario]) -> tuple[str, ...]:
    """Those of each table; what all of them provision counts for the account."""
    own = [f"{table}: {said}" for table, each in given.items() for said in each.quotas]
    ready = [each.busiest_hour for each in given.values() if each.recommended.mode != "on-demand"]
    account = quota_notes(_add_up(ready), is_provisioned=True, is_account=True) if len(ready) > 1 else ()
    return (*own, *(f"all tables: {said}" for said in account))


def _merged_cache(given: Sequence[CacheAdvice]) -> CacheAdvice:
    """One cluster serves all tables."""
    cost, saved = given[0].usd_per_month, sum(each.saved_usd_per_month for each in given)
    return msgspec.structs.replace(
        given[0],
        saved_usd_per_month=saved,
        pays=saved > cost,
        break_even_traffic=cost / saved if saved else None,
        patterns=tuple(line for each in given for line in each.patterns),
    )
