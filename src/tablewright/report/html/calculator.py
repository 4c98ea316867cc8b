"""Sliders over the scenarios of the cost report, and the costs of three years as lines.

The lines are drawn here for the traffic of now; the script moves them along with the sliders. Both compute only
between points that the report has.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tablewright.design.wording import money
from tablewright.report.bill import mode_text
from tablewright.report.html.escape import plain

if TYPE_CHECKING:
    from tablewright.design.cost.report import Scenario
    from tablewright.design.model import Design

WIDTH, HEIGHT = 460, 230
LEFT, RIGHT, TOP, BOTTOM = 70, 446, 14, 190
STEPS = (1.0, 2.0, 4.0, 6.0, 8.0, 10.0)
YEAR = 12


def calculator(design: Design) -> str:
    found = design.cost.scenarios
    months = max((each.months for each in found), default=0)
    data = plain(json.dumps([_scenario(each) for each in found]))
    return f"""<div class="calculator" data-scenarios="{data}">
<form class="script-only" aria-label="Cost at another traffic and time">
<label for="traffic">Traffic: <output id="traffic-value" for="traffic">1x</output></label>
<input id="traffic" type="range" min="0" max="2" step="0.05" value="0" aria-valuetext="1x" list="traffics">
<datalist id="traffics"><option value="0">1x<option value="1">10x<option value="2">100x</datalist>
<label for="months">Time: <output id="months-value" for="months">now</output></label>
<input id="months" type="range" min="0" max="{months}" step="1" value="0" aria-valuetext="now">
<ul id="modes" class="bars modes" aria-label="Dollars a month in every way of paying"></ul>
<p id="basis" class="quiet" role="status"></p>
</form>
{_growth(found)}
</div>"""


def _scenario(each: Scenario) -> dict[str, Any]:
    return {
        "traffic": each.traffic,
        "months": each.months,
        "gb": round(each.gb, 4),
        "modes": {mode_text(mode.mode, mode.table_class): round(mode.usd_per_month, 2) for mode in each.modes},
        "recommended": mode_text(each.recommended.mode, each.recommended.table_class),
        "too_hot": bool(each.too_hot),
    }


# ---- three years ----------------------------------------------------------------------------------------------------


def _growth(found: tuple[Scenario, ...]) -> str:
    """Two lines: on demand, and whatever is cheapest."""
    now = [each for each in found if each.traffic == found[0].traffic] if found else []
    if len(now) < 2:
        return ""
    on_demand = [(each.months, each.modes[0].usd_per_month) for each in now]
    cheapest = [(each.months, min(mode.usd_per_month for mode in each.modes)) for each in now]
    last, top = now[-1].months, ceiling(max(usd for _, usd in (*on_demand, *cheapest)))
    cheap = "cheapest, by a day that is assumed" if now[0].recommended.day_is_assumed else "cheapest"
    title = f"Dollars a month over time, on demand and in the way of paying that is {cheap}"
    frame = f'data-left="{LEFT}" data-right="{RIGHT}" data-top="{TOP}" data-bottom="{BOTTOM}" data-months="{last}"'
    return (
        f'<figure class="growth"><figcaption>Dollars a month at <span id="growth-traffic">1x</span> the traffic'
        '<span class="legend"><span><i class="swatch dear"></i>on demand</span>'
        f'<span><i class="swatch cheap"></i>{cheap}</span></span></figcaption>'
        f'<svg class="plane" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" aria-label="{title}" {frame}>'
        f"<title>{title}</title>{_scale(top, last)}"
        f'<polyline class="dear" points="{_line(on_demand, last, top)}"/>'
        f'<polyline class="cheap" points="{_line(cheapest, last, top)}"/>'
        f'<path class="cursor" d="M{LEFT} {TOP}V{BOTTOM}"/></svg></figure>'
    )


def ceiling(value: float) -> float:
    """The next round number, so that the marks of the scale are readable."""
    unit = 0.01
    while value > 10 * unit:
        unit *= 10
    return next((step * unit for step in STEPS if value <= step * unit), 10 * unit)


def _line(points: list[tuple[int, float]], last: int, top: float) -> str:
    return " ".join(
        f"{LEFT + (RIGHT - LEFT) * months / last:.1f},{BOTTOM - (BOTTOM - TOP) * usd / top:.1f}"
        for months, usd in points
    )


def _scale(top: float, last: int) -> str:
    shown = ""
    for at in range(5):
        y = BOTTOM - (BOTTOM - TOP) * at / 4
        shown += f'<path class="grid" d="M{LEFT} {y:.1f}H{RIGHT}"/>'
        if at % 2 == 0:
            price = plain(money(top * at / 4))
            shown += f'<text class="label price" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{price}</text>'
    for months in range(0, last + 1, YEAR):
        x = LEFT + (RIGHT - LEFT) * months / last
        name = "now" if months == 0 else f"{months} months" if months == last else str(months)
        anchor = "end" if months == last else "middle"
        shown += f'<text class="label" x="{x:.1f}" y="{BOTTOM + 22}" text-anchor="{anchor}">{name}</text>'
    return shown
