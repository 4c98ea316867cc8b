"""Numbers and requests in words: one spelling for each, wherever they appear."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.architect.design.model import KeyTemplate, PatternDesign, ReadStep, SortCondition, WriteStep

FIRST, LAST = "\x01", "\U0010ffff"


def money(usd: float) -> str:
    """Dollars as precise as a decision needs."""
    if usd and abs(usd) < 0.01:
        return "<$0.01" if usd > 0 else ">-$0.01"
    sign, size = ("-" if usd < 0 else ""), abs(usd)
    return f"{sign}${size:,.0f}" if size >= 1_000 else f"{sign}${size:,.2f}"


def units(value: float) -> str:
    """Capacity units; halves matter, thousandths do not."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{round(value, 2):g}" if value >= 0.01 or not value else f"{value:.1g}"


def amount(value: float) -> str:
    """How many, to three digits: 950, 12.5k, 3M."""
    for divisor, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= divisor and value >= 1e4:
            return f"{value / divisor:.3g}{letter}"
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2g}"


def size(in_bytes: float) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if in_bytes < 1024 or unit == "GB":
            return f"{in_bytes:.0f} {unit}" if unit == "B" or in_bytes >= 100 else f"{in_bytes:.1f} {unit}"
        in_bytes /= 1024
    raise AssertionError


def percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 or not share else "<1%"


def times(factor: float) -> str:
    return f"{factor:,.0f}x" if factor >= 10 else f"{factor:.1f}x"


def plural(count: float, thing: str, things: str = "") -> str:
    return f"{amount(count)} {thing if count == 1 else things or thing + 's'}"


# ---- keys and requests ----------------------------------------------------------------------------------------------


def template_text(templates: Iterable[KeyTemplate]) -> str:
    return " + ".join(shown(each.template) for each in templates)


def shown(template: str) -> str:
    """The lowest and the highest character, which open and close a range, have no picture."""
    return template.replace(LAST, "…").replace(FIRST, "")


def sort_text(condition: SortCondition) -> str:
    low = shown(condition.low)
    if condition.operator == "between" and condition.high == condition.low.removesuffix(FIRST) + LAST:
        return f"begins_with {low}"
    if condition.operator == "between":
        return f"between {low} and {shown(condition.high or '')}"
    return low if condition.operator == "=" else f"{condition.operator} {low}"


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
        yield f"filter {', '.join(each.attribute for each in step.filters)}"
    if step.backwards:
        yield "backwards"
    if step.limit:
        yield f"limit {step.limit}"
    if step.consistent:
        yield "consistent"
    if step.keys_from is not None:
        yield f"for what step {step.keys_from + 1} found"


def write_text(step: WriteStep) -> str:
    keys = " | ".join(shown(each.template) for each in step.key)
    changed = [*step.set, *(f"{each} (added)" for each in step.add), *(f"{each} (removed)" for each in step.remove)]
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
