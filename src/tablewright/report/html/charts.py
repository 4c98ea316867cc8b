"""Bar charts as plain HTML lists, which wrap, print, and need no script."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.wording import money, percent, units
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
