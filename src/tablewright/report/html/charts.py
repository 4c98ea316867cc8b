"""Bar charts as plain HTML lists, which wrap, print, and need no script."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.advice import Alternative
from tablewright.design.wording import money, percent, plural, units
from tablewright.report.html.escape import plain, prose

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.model import Design

MOST_BARS = 15
VERDICTS = ("cool", "warm", "hot")


class _ChartBar(msgspec.Struct, frozen=True):
    """A labelled value; `parts` stand one after another, each in the colour of its kind."""

    label: str
    parts: tuple[tuple[float, str], ...]
    text: str
    about: str = ""

    @property
    def total(self) -> float:
        return sum(value for value, _ in self.parts)


def _bars(title: str, found: Iterable[_ChartBar], *, kinds: Iterable[str], full: float | None = None) -> str:
    """The longest first. With `full`, that value fills the line, and what is more is cut off there."""
    known = sorted((each for each in found if each.total > 0), key=lambda each: -each.total)
    if not known:
        return ""
    most = full or known[0].total
    rows = "".join(_bar_row(each, most) for each in known[:MOST_BARS])
    left = len(known) - MOST_BARS
    more = f'<p class="quiet">And {left} more, all of them smaller.</p>' if left > 0 else ""
    return (
        f'<figure class="chart"><figcaption>{plain(title)}{_legend(kinds)}</figcaption>'
        f'<ul class="bars">{rows}</ul>{more}</figure>'
    )


def _legend(kinds: Iterable[str]) -> str:
    named = "".join(f'<span><i class="swatch {each}"></i>{each}</span>' for each in kinds)
    return f' <span class="legend">{named}</span>'


def _bar_row(bar: _ChartBar, most: float) -> str:
    parts, room = "", 100.0
    for value, kind in bar.parts:
        width = min(100.0 * value / most, room)
        room -= width
        parts += f'<i class="{kind}" style="width:{width:.2f}%"></i>' if width > 0 else ""
    about = f"<small>{plain(bar.about)}</small>" if bar.about else ""
    return (
        f'<li><span class="label">{prose(bar.label, {})} {about}</span><span class="track" aria-hidden="true">{parts}'
        f'</span><span class="value">{plain(bar.text)}</span></li>'
    )


# ---- of a design ----------------------------------------------------------------------------------------------------


def cost_by_pattern(design: Design) -> str:
    about = {each.id: each.description for each in design.patterns}
    found = (
        _ChartBar(
            each.pattern,
            ((each.read_usd_per_month, "reads"), (each.write_usd_per_month, "writes")),
            money(each.usd_per_month),
            about.get(each.pattern, ""),
        )
        for each in design.cost.patterns
    )
    return _bars("Dollars a month by access pattern, on demand", found, kinds=("reads", "writes"))


def cost_by_entity(design: Design) -> str:
    found = (
        _ChartBar(
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
    return _bars("Dollars a month by entity, on demand", found, kinds=("reads", "writes", "storage"))


def capacity_by_place(design: Design) -> str:
    """Capacity of the table and of each index when every pattern is at its peak."""
    found = (
        _ChartBar(
            each.place,
            ((each.rcu_per_second, "reads"), (each.wcu_per_second, "writes")),
            f"{units(each.rcu_per_second)} RCU, {units(each.wcu_per_second)} WCU",
        )
        for each in design.heat.peaks
    )
    return _bars("Capacity units a second at peak", found, kinds=("reads", "writes"))


def heat_bars(design: Design) -> str:
    """The hottest partition of the table and of each index, as a share of its limit."""
    found: list[_ChartBar] = []
    for each in design.heat.partitions:
        share = max(1.0 - each.read_headroom, 1.0 - each.write_headroom)
        found.append(_ChartBar(each.partition_key, ((share, each.verdict),), percent(share), each.place))
    title = "The hottest partition of every key at peak; a full line is what one partition can take"
    return _bars(title, found, kinds=VERDICTS, full=1.0)


WIDTH, HEIGHT = 460, 250
LEFT, RIGHT, TOP, BOTTOM = 64, 440, 26, 206
# ---- alternatives ---------------------------------------------------------------------------------------------------
# The number of indexes against cost, with a numbered list beside it.

RADIUS = 11


class _Point(msgspec.Struct, frozen=True):
    number: int
    x: float
    y: float
    design: Alternative


def tradeoff_chart(design: Design) -> str:
    found = design.advice.alternatives
    if len(found) < 2:
        return ""
    title = "Alternatives: number of indexes against dollars a month"
    dots = points(found)
    width = max([WIDTH, *(round(each.x) + 2 * RADIUS for each in dots)])
    listed = "".join(f"<li>{_describe_alternative(each)}</li>" for each in found)
    return (
        f'<figure class="front"><svg class="plane" role="img" viewBox="0 0 {width} {HEIGHT}" aria-label="{title}">'
        f"<title>{title}</title>{_axes(found)}{''.join(_dot(each) for each in dots)}</svg>"
        f"<figcaption><ol>{listed}</ol></figcaption></figure>"
    )


def _describe_alternative(each: Alternative) -> str:
    facts = f"{money(each.usd_per_month)} a month, {units(each.requests_per_pattern)} requests a pattern"
    chosen = " (chosen)" if each.chosen else ""
    return f"<b>{plain(each.name)}</b>{chosen}: {facts}, hottest partition {percent(each.hottest_share)}"


# ---- where ----------------------------------------------------------------------------------------------------------


def points(found: tuple[Alternative, ...]) -> list[_Point]:
    """Those that would cover each other move to the right."""
    placed: list[_Point] = []
    for number, each in enumerate(found, 1):
        x, y = _column_x(each.gsis, found), _price_y(each.usd_per_month, found)
        while any(abs(other.x - x) < 2 * RADIUS and abs(other.y - y) < 2 * RADIUS for other in placed):
            x += 2 * RADIUS + 2
        placed.append(_Point(number, x, y, each))
    return placed


def _columns(found: tuple[Alternative, ...]) -> range:
    gsis = [each.gsis for each in found]
    return range(min(gsis), max(gsis) + 1)


def _column_x(gsis: int, found: tuple[Alternative, ...]) -> float:
    shown = _columns(found)
    return LEFT + (RIGHT - LEFT) * (gsis - shown.start + 0.4) / len(shown)


def _price_y(usd: float, found: tuple[Alternative, ...]) -> float:
    most = max(each.usd_per_month for each in found) * 1.1 or 1.0
    return BOTTOM - (BOTTOM - TOP) * usd / most


# ---- drawn ----------------------------------------------------------------------------------------------------------


def _dot(point: _Point) -> str:
    kind = "chosen" if point.design.chosen else "other"
    words = f"{point.number}. {point.design.name}: {money(point.design.usd_per_month)} a month"
    return (
        f'<g class="{kind}"><title>{plain(words)}</title><circle cx="{point.x:.1f}" cy="{point.y:.1f}" r="{RADIUS}"/>'
        f'<text x="{point.x:.1f}" y="{point.y + 4.5:.1f}" text-anchor="middle">{point.number}</text></g>'
    )


def _axes(found: tuple[Alternative, ...]) -> str:
    lines = (
        f'<path class="axis" d="M{LEFT} {TOP - 8}V{BOTTOM}H{RIGHT}"/>'
        f'<text class="label" x="{LEFT - 8}" y="{TOP - 12}">$ a month</text>'
    )
    names = "".join(
        f'<text class="label" x="{_column_x(at, found):.1f}" y="{BOTTOM + 22}" text-anchor="middle">'
        f"{plural(at, 'GSI')}</text>"
        for at in _columns(found)
    )
    prices = sorted({each.usd_per_month for each in found})
    ends = dict.fromkeys([prices[0], prices[-1]] if _are_far_apart(prices, found) else [prices[-1]])
    marks = "".join(
        f'<path class="grid" d="M{LEFT} {_price_y(usd, found):.1f}H{RIGHT}"/><text class="label"'
        f' x="{LEFT - 8}" y="{_price_y(usd, found) + 4:.1f}" text-anchor="end">{plain(money(usd))}</text>'
        for usd in ends
    )
    return lines + names + marks


def _are_far_apart(prices: list[float], found: tuple[Alternative, ...]) -> bool:
    return _price_y(prices[0], found) - _price_y(prices[-1], found) >= 18
