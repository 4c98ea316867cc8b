"""A chart of the alternatives, number of indexes against cost, with a numbered list beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.advice import Alternative
from tablewright.design.wording import money, percent, plural, units
from tablewright.report.html.escape import plain

if TYPE_CHECKING:
    from tablewright.design.model import Design

WIDTH, HEIGHT = 460, 250
LEFT, RIGHT, TOP, BOTTOM = 64, 440, 26, 206
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
