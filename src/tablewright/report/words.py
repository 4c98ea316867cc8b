"""Requests in words; numbers are worded as everywhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.wording import amount, money, percent, plural, shown, size, sort_text, times, units

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.model import KeyTemplate, PatternDesign, ReadStep, WriteStep

__all__ = [
    "amount",
    "money",
    "percent",
    "places_of",
    "plural",
    "read_text",
    "request_lines",
    "shown",
    "size",
    "sort_text",
    "template_text",
    "times",
    "units",
    "units_text",
    "write_text",
]


def template_text(templates: Iterable[KeyTemplate]) -> str:
    return " + ".join(shown(each.text) for each in templates)


def read_text(step: ReadStep) -> str:
    """A request in one line: what, where, which keys, in which order."""
    place = f" {step.index}" if step.index else ""
    keys = " | ".join([template_text(step.pk), *(sort_text(each) for each in step.sk)])
    return f"{step.operation}{place} {keys}{''.join(f', {each}' for each in details(step))}"


def details(step: ReadStep) -> Iterable[str]:
    if step.shards > 1 and not step.shard_of:
        yield f"on each of {step.shards} shards"
    for name, values in step.for_each.items():
        yield f"for each {name.lstrip('_')}{f' of {len(values)}' if values else ''}"
    if step.filters:
        yield f"filter {', '.join(name for each in step.filters for name in each.attributes)}"
    if step.backwards:
        yield "backwards"
    if step.limit:
        yield f"limit {step.limit}"
    if step.consistent:
        yield "consistent"
    if step.keys_from is not None:
        yield f"for what step {step.keys_from + 1} found"


def write_text(step: WriteStep) -> str:
    keys = " | ".join(shown(each.text) for each in step.key)
    changed = [
        *map(str, step.set),
        *(f"{each} (added)" for each in step.add),
        *(f"{each} (removed)" for each in step.remove),
    ]
    what = f", sets {', '.join(changed)}" if changed else ""
    return f"{step.operation} {step.item} {keys}{what}{f', if {step.condition}' if step.condition else ''}"


def request_lines(pattern: PatternDesign) -> list[str]:
    lines = [read_text(each) for each in pattern.reads]
    writes = [write_text(each) for each in pattern.writes]
    return [*lines, *(f"{'Transact ' if len(writes) > 1 else ''}{each}" for each in writes)]


def places_of(pattern: PatternDesign) -> str:
    """Where a pattern is answered."""
    read = [each.index or "table" for each in pattern.reads]
    return ", ".join(dict.fromkeys([*read, *("table" for _ in pattern.writes)])) or "table"


def units_text(pattern: PatternDesign) -> str:
    found = pattern.predicted
    parts = [f"{units(value)} {name}" for value, name in ((found.rcu, "RCU"), (found.wcu, "WCU")) if value]
    return "\n".join(parts) or "0"
