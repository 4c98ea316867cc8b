"""Charts as inline SVG, drawn here and not in the browser: they print, and they need no script.

Each has a title that says what it shows; the numbers stand in a table beside it for those who cannot see it.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.document.words import money, percent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.architect.design.model import Design
    from tablewright.architect.explain.advice import Alternative

ROW = 26
LABEL = 230
WIDTH = 720
VALUE = 90
MOST_BARS = 16


class Bar(msgspec.Struct, frozen=True):
    """A labelled value; `parts` lie on top of each other, each with the number of its colour."""

    label: str
    parts: tuple[tuple[float, str], ...]
    text: str

    @property
    def total(self) -> float:
        return sum(value for value, _ in self.parts)


def bars(title: str, found: Iterable[Bar], *, whole: float | None = None) -> str:
    """Horizontal bars, the largest first; with `whole` a line marks that value."""
    shown = sorted(found, key=lambda each: -each.total)[:MOST_BARS]
    most = max([each.total for each in shown] + ([whole] if whole else []), default=0.0) or 1.0
    room = WIDTH - LABEL - VALUE
    height = ROW * len(shown) + 8
    rows = "".join(bar_row(each, at, room / most) for at, each in enumerate(shown))
    mark = ""
    if whole is not None:
        at = LABEL + room * whole / most
        mark = f'<line class="limit" x1="{at:.1f}" x2="{at:.1f}" y1="0" y2="{height}"/>'
    return (
        f'<svg class="chart" role="img" viewBox="0 0 {WIDTH} {height}" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{rows}{mark}</svg>"
    )


def bar_row(bar: Bar, at: int, scale: float) -> str:
    y, x, parts = at * ROW + 4, float(LABEL), ""
    for value, colour in bar.parts:
        width = max(value * scale, 1.0 if value else 0.0)
        parts += f'<rect class="{colour}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW - 8}" rx="2"/>'
        x += width
    label = bar.label if len(bar.label) <= 34 else f"{bar.label[:33]}…"
    return (
        f"<g><title>{escape(bar.label)}: {escape(bar.text)}</title>"
        f'<text class="label" x="{LABEL - 8}" y="{y + 13}" text-anchor="end">{escape(label)}</text>{parts}'
        f'<text class="value" x="{x + 6:.1f}" y="{y + 13}">{escape(bar.text)}</text></g>'
    )


# ---- of a design ----------------------------------------------------------------------------------------------------


def cost_by_pattern(design: Design) -> str:
    found = (
        Bar(
            f"{each.pattern} {description_of(design, each.pattern)}".strip(),
            ((each.read_usd_per_month, "reads"), (each.write_usd_per_month, "writes")),
            money(each.usd_per_month),
        )
        for each in design.cost.patterns
    )
    return bars("Requests of a month by access pattern, on demand", (each for each in found if each.total))


def description_of(design: Design, pattern: str) -> str:
    return next((each.description for each in design.patterns if each.id == pattern), "")


def cost_by_entity(design: Design) -> str:
    found = (
        Bar(
            each.entity,
            (
                (each.read_usd_per_month, "reads"),
                (each.write_usd_per_month, "writes"),
                (each.storage_usd_per_month, "storage"),
            ),
            money(each.usd_per_month),
        )
        for each in design.cost.entities
    )
    return bars("A month by entity: reads, writes and storage", (each for each in found if each.total))


def heat_bars(design: Design) -> str:
    """The share of what a partition can take, for the hottest key of every place."""
    found: list[Bar] = []
    for each in design.heat.partitions:
        share = max(1.0 - each.read_headroom, 1.0 - each.write_headroom)
        colour = {"cool": "cool", "warm": "warm", "hot": "hot"}[each.verdict]
        found.append(Bar(f"{each.place} {each.partition_key}", ((share, colour),), percent(share)))
    return bars("The hottest partition of every place at peak, as a share of its limit", found, whole=1.0)


def front(alternatives: tuple[Alternative, ...]) -> str:
    """Alternatives as points: indexes against dollars."""
    if len(alternatives) < 2:
        return ""
    width, height, edge = 720, 260, 56
    most_usd = max(each.usd_per_month for each in alternatives) * 1.15 or 1.0
    most_gsis = max(each.gsis for each in alternatives) + 1
    points = ""
    for each in alternatives:
        x = edge + (width - 2 * edge) * each.gsis / most_gsis
        y = height - edge - (height - 2 * edge) * each.usd_per_month / most_usd
        kind = "chosen" if each.chosen else "other"
        points += (
            f'<g class="{kind}"><title>{escape(each.name)}: {each.gsis} GSIs, {money(each.usd_per_month)}</title>'
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{9 if each.chosen else 6}"/>'
            f'<text x="{x + 13:.1f}" y="{y + 4:.1f}">{escape(each.name)}, {money(each.usd_per_month)}</text></g>'
        )
    axes = (
        f'<line class="axis" x1="{edge}" x2="{width - edge}" y1="{height - edge}" y2="{height - edge}"/>'
        f'<line class="axis" x1="{edge}" x2="{edge}" y1="{edge / 2}" y2="{height - edge}"/>'
        f'<text class="label" x="{width - edge}" y="{height - edge + 34}" text-anchor="end">GSIs</text>'
        f'<text class="label" x="{edge - 40}" y="{edge / 2 - 8}">$ a month</text>'
    ) + "".join(
        f'<text class="label" x="{edge + (width - 2 * edge) * at / most_gsis:.1f}" y="{height - edge + 18}"'
        f' text-anchor="middle">{at}</text>'
        for at in range(most_gsis + 1)
    )
    title = "Alternatives: number of indexes against dollars a month"
    return (
        f'<svg class="chart front" role="img" viewBox="0 0 {width} {height}" aria-label="{title}">'
        f"<title>{title}</title>{axes}{points}</svg>"
    )
