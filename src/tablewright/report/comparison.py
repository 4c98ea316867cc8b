"""The comparison of two designs: what differs between them, as data and as blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.wording import amount, money, percent, units
from tablewright.report.blocks import Grid, Heading, Text, code, column, number
from tablewright.report.patterns import request_lines, template_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, PatternDesign
    from tablewright.report.blocks import Block


class _Measure(msgspec.Struct, frozen=True, kw_only=True):
    """A number of both designs."""

    name: str
    one: float
    other: float
    unit: str = ""  # "usd" and "share" are shown as such


class _PartChange(msgspec.Struct, frozen=True, kw_only=True):
    """An index, key or finding that differs between the designs; empty where a design lacks it."""

    subject: str
    place: str = ""
    one: str = ""
    other: str = ""


class _PatternChange(msgspec.Struct, frozen=True, kw_only=True):
    pattern: str
    description: str = ""
    one: str = ""
    other: str = ""
    one_units: float = 0.0
    other_units: float = 0.0
    one_usd_per_month: float = 0.0
    other_usd_per_month: float = 0.0


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Where two designs differ."""

    one: str
    other: str
    measures: tuple[_Measure, ...]
    indexes: tuple[_PartChange, ...]
    keys: tuple[_PartChange, ...]
    patterns: tuple[_PatternChange, ...]
    findings: tuple[_PartChange, ...]

    @property
    def same(self) -> bool:
        return not (self.indexes or self.keys or self.patterns or self.findings)


def compare_designs(one: Design, other: Design) -> Comparison:
    return Comparison(
        one=one.title or one.name,
        other=other.title or other.name,
        measures=tuple(_compare_numbers(one, other)),
        indexes=_compare_texts(_index_texts(one), _index_texts(other)),
        keys=_compare_texts(_key_texts(one), _key_texts(other)),
        patterns=tuple(_compare_patterns(one, other)),
        findings=_compare_texts(_finding_texts(one), _finding_texts(other)),
    )


def _compare_numbers(one: Design, other: Design) -> Iterator[_Measure]:
    for (name, unit, first), (_, _, second) in zip(_numbers(one), _numbers(other), strict=True):
        yield _Measure(name=name, one=first, other=second, unit=unit)


def _numbers(design: Design) -> list[tuple[str, str, float]]:
    return [
        ("tables", "", len(design.tables)),
        ("GSIs", "", sum(len(each.gsis) for each in design.tables)),
        ("LSIs", "", sum(len(each.lsis) for each in design.tables)),
        ("item types", "", len(design.items)),
        ("access patterns", "", len(design.patterns)),
        ("requests of all patterns", "", sum(each.predicted.requests for each in design.patterns)),
        ("on demand, a month", "usd", design.cost.usd_per_month),
        ("recommended mode, a month", "usd", design.cost.recommended.usd_per_month),
        ("stored GB", "", design.cost.gb),
        ("hottest partition", "share", _hottest(design)),
        ("errors and warnings of heat", "", sum(each.severity != "note" for each in design.heat.findings)),
    ]


def _hottest(design: Design) -> float:
    """The share of what a partition can take that the hottest one takes at peak."""
    return max((1.0 - min(each.read_headroom, each.write_headroom) for each in design.heat.partitions), default=0.0)


def _index_texts(design: Design) -> dict[tuple[str, str], str]:
    return {
        (each.name, ""): f"{' + '.join(field.name for field in (*each.pk, *each.sk))}, {each.projection.type}"
        for table in design.tables
        for each in (*table.gsis, *table.lsis)
    }


def _key_texts(design: Design) -> dict[tuple[str, str], str]:
    return {
        (item.name, keys.index or "table"): f"{template_text(keys.pk)} | {template_text(keys.sk)}"
        for item in design.items
        for keys in item.keys
    }


def _finding_texts(design: Design) -> dict[tuple[str, str], str]:
    return {
        (f"{each.kind} {', '.join(each.patterns or each.entities)}", each.place): f"{each.severity}: {each.what}"
        for each in design.heat.findings
    }


def _compare_texts(one: dict[tuple[str, str], str], other: dict[tuple[str, str], str]) -> tuple[_PartChange, ...]:
    return tuple(
        _PartChange(subject=key[0], place=key[1], one=one.get(key, ""), other=other.get(key, ""))
        for key in dict.fromkeys([*one, *other])
        if one.get(key) != other.get(key)
    )


def _compare_patterns(one: Design, other: Design) -> Iterator[_PatternChange]:
    before, after = ({each.id: each for each in design.patterns} for design in (one, other))
    for name in dict.fromkeys([*before, *after]):
        first, second = before.get(name), after.get(name)
        one_served, other_served = _request_summary(first), _request_summary(second)
        if one_served != other_served:
            known = first or second
            yield _PatternChange(
                pattern=name,
                description=known.description if known else "",
                one=one_served[0],
                other=other_served[0],
                one_units=one_served[1],
                other_units=other_served[1],
                one_usd_per_month=one_served[2],
                other_usd_per_month=other_served[2],
            )


def _request_summary(pattern: PatternDesign | None) -> tuple[str, float, float]:
    if pattern is None:
        return "", 0.0, 0.0
    found = pattern.predicted
    return "\n".join(request_lines(pattern)), round(found.rcu + found.wcu, 6), round(found.usd_per_month, 6)


# ---- for readers ----------------------------------------------------------------------------------------------------

SHOWN = {"usd": money, "share": percent, "": amount}


def comparison_blocks(found: Comparison) -> tuple[Block, ...]:
    return tuple(block for section in SECTIONS for block in section(found))


def _total_blocks(found: Comparison) -> Iterator[Block]:
    yield Heading(f"{found.one} against {found.other}", 1)
    if found.same:
        yield Text("Same keys, same indexes, same requests, same findings.", "good")
    yield Grid(
        (column(""), number("A"), number("B"), number("B - A")),
        tuple(
            (each.name, _measure_text(each, each.one), _measure_text(each, each.other), _difference_text(each))
            for each in found.measures
        ),
    )


def _measure_text(measure: _Measure, value: float) -> str:
    return SHOWN[measure.unit](value)


def _difference_text(measure: _Measure) -> str:
    changed = measure.other - measure.one
    if abs(changed) < 1e-9:
        return ""
    sign = "+" if changed > 0 else "-"
    return f"{sign}{SHOWN[measure.unit](abs(changed))}"


def _key_blocks(found: Comparison) -> Iterator[Block]:
    for title, listed in (("Indexes that differ", found.indexes), ("Keys that differ", found.keys)):
        if listed:
            yield Heading(title)
            yield Grid(
                (column("of"), column("place"), code("A and B")),
                tuple(
                    (each.subject, each.place, f"{each.one or '(none)'}\n{each.other or '(none)'}") for each in listed
                ),
            )


def _pattern_blocks(found: Comparison) -> Iterator[Block]:
    if found.patterns:
        yield Heading("Patterns that differ")
        yield Grid(
            (column("id"), column("A and B"), number("units"), number("a month")),
            tuple(
                (
                    each.pattern,
                    f"{each.description}\nA: {each.one or '(none)'}\nB: {each.other or '(none)'}",
                    f"\n{units(each.one_units)}\n{units(each.other_units)}",
                    f"\n{money(each.one_usd_per_month)}\n{money(each.other_usd_per_month)}",
                )
                for each in found.patterns
            ),
        )


def _finding_blocks(found: Comparison) -> Iterator[Block]:
    if found.findings:
        yield Heading("Heat that differs")
        yield Grid(
            (column("finding"), column("place"), column("A and B")),
            tuple(
                (each.subject, each.place, f"{each.one or '(none)'}\n{each.other or '(none)'}")
                for each in found.findings
            ),
        )


SECTIONS = (_total_blocks, _key_blocks, _pattern_blocks, _finding_blocks)
