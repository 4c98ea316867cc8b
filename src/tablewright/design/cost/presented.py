"""Costs told by the patterns as they were written: the steps of one are added up, here and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.design.cost.lines import PatternCost
    from tablewright.design.cost.units.prediction import Prediction
    from tablewright.design.layout.layout import Layout

SUMS = ("rcu_per_month", "wcu_per_month", "read_usd_per_month", "write_usd_per_month")
MORE_SUMS = ("index_usd_per_month", "failed_usd_per_month", "usd_per_month")
UNITS = ("requests", "bytes_read", "rcu", "wcu", "item_wcu", "index_wcu", "copy_wcu", "failed_wcu")
PLACES = ("rcu_by_place", "wcu_by_place", "rcu_by_entity", "wcu_by_entity")


def presented(layout: Layout, found: Iterable[PatternCost]) -> tuple[PatternCost, ...]:
    """A line for every pattern as written, in the order of the spec; what is implied comes last."""
    lines = {each.pattern: each for each in found}
    asked = layout.asked
    return tuple(
        together([lines[part.pattern] for part in layout.form.parts(each.id)])
        for each in (*asked.spec.patterns, *asked.implied)
    )


def together(lines: list[PatternCost]) -> PatternCost:
    first, *others = lines
    if not others:
        return first
    sums = {name: sum(getattr(each, name) for each in lines) for name in (*SUMS, *MORE_SUMS)}
    shares = [each.avg_per_second / first.avg_per_second if first.avg_per_second else 1.0 for each in lines]
    prediction = one_run([each.prediction for each in lines], shares)
    return msgspec.structs.replace(first, prediction=prediction, **sums)


def one_run(predictions: list[Prediction], shares: list[float]) -> Prediction:
    """A run of the first with so many runs of the others as it brings about."""
    pairs = list(zip(predictions, shares, strict=True))
    units = {name: sum(getattr(each, name) * share for each, share in pairs) for name in UNITS}
    places = {name: merged([(getattr(each, name), share) for each, share in pairs]) for name in PLACES}
    return msgspec.structs.replace(
        predictions[0],
        items=predictions[-1].items * shares[-1],
        **units,
        **places,
    )


def merged(found: list[tuple[Mapping[str, float], float]]) -> dict[str, float]:
    total: dict[str, float] = {}
    for units, share in found:
        for name, value in units.items():
            total[name] = total.get(name, 0.0) + value * share
    return total
