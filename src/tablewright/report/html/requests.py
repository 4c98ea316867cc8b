"""Every access pattern by itself: in words, its requests, and the same with the keys of the sample items."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from tablewright.codegen.examples.page import requests_of
from tablewright.design.templates import HIGHEST
from tablewright.report.html.escape import anchors_of, plain, prose
from tablewright.report.html.render import fold, rendered
from tablewright.report.patterns import described, pattern_detail

if TYPE_CHECKING:
    from tablewright.design.model import Design, PatternDesign
    from tablewright.report.html.escape import Anchors

HIGHEST_IN_JSON = r"\udbff\udfff"


def requests(design: Design) -> str:
    anchors = anchors_of(design)
    return "".join(request(design, each, anchors) for each in design.patterns)


def request(design: Design, pattern: PatternDesign, anchors: Anchors) -> str:
    title = f'<h3><span class="id">{plain(pattern.id)}</span> {prose(described(pattern), {})}</h3>'
    words = rendered(pattern_detail(pattern), anchors, level=3, label=f"Requests of {pattern.id}")
    return fold(title, words + example(design, pattern), anchor=anchors[pattern.id])


def example(design: Design, pattern: PatternDesign) -> str:
    shown = "".join(
        f"<pre>{plain(f'{operation} {written(params)}')}</pre>"
        + (f'<p class="quiet">{plain(note)}</p>' if note else "")
        for operation, params, note in requests_of(design, pattern)
    )
    return f'<p class="quiet">With the keys of the sample items:</p>{shown}' if shown else ""


def written(value: Any, *, indent: int | None = 2) -> str:
    """With the highest character, which has no picture, as JSON can spell it."""
    return json.dumps(value, ensure_ascii=False, indent=indent, default=unusual).replace(HIGHEST, HIGHEST_IN_JSON)


def unusual(value: Any) -> Any:
    """What JSON has no words for: sets in order, everything else as text."""
    if isinstance(value, (set, frozenset)):
        return sorted(cast("set[Any]", value), key=str)
    return str(value)
