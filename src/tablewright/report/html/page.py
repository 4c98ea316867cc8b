"""The HTML page of a design: a summary, then the sections, each with its pictures and its blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.design.wording import money
from tablewright.report import advice, document, keys, patterns
from tablewright.report.blocks import Block, Heading, Text
from tablewright.report.html.calculator import calculator
from tablewright.report.html.charts import capacity_by_place, cost_by_entity, cost_by_pattern, heat_bars, tradeoff_chart
from tablewright.report.html.entity_diagram import entity_diagram
from tablewright.report.html.escape import anchors_of, json_text, plain, prose
from tablewright.report.html.item_collections import item_collections
from tablewright.report.html.render import fold, render_blocks
from tablewright.report.verdict import is_changed

if TYPE_CHECKING:
    from tablewright.design.model import Design, PatternDesign
    from tablewright.report.html.escape import Anchors

Draw: TypeAlias = Callable[["Design"], str]
Say: TypeAlias = Callable[["Design"], Iterable[Block]]
SampleRequests: TypeAlias = Callable[["Design", "PatternDesign"], Sequence[tuple[str, dict[str, Any], str]]]
"""Operation, parameters and note of each request of a pattern, with the keys of the sample items."""


class _Section(msgspec.Struct, frozen=True):
    """An anchor, a title, pictures, and the blocks of the document under it; one section has the sample requests."""

    id: str
    title: str
    pictures: tuple[Draw, ...] = ()
    words: tuple[Say, ...] = ()
    has_requests: bool = False


SECTIONS = (
    _Section("change", "Change", words=(advice.change,)),
    _Section("patterns", "Access patterns", words=(patterns.patterns,)),
    _Section("entities", "Entities and relationships", (entity_diagram,), (advice.relationships,)),
    _Section("tables", "Tables and indexes", words=(keys.tables, keys.items, advice.notes)),
    _Section("collections", "Item collections", (item_collections,)),
    _Section("requests", "Requests", has_requests=True),
    _Section(
        "cost",
        "Capacity and cost",
        (calculator, cost_by_pattern, cost_by_entity, capacity_by_place),
        (document.cost_details,),
    ),
    _Section("heat", "Heat", (heat_bars,), (document.heat_details, advice.hot_reads)),
    _Section("decisions", "Decisions", words=(advice.tradeoffs, advice.decisions)),
    _Section(
        "alternatives", "Alternatives and trade-offs", (tradeoff_chart,), (advice.alternatives, advice.table_counts)
    ),
    _Section("questions", "Questions and assumptions", words=(advice.questions, advice.assumptions)),
    _Section("integrity", "Integrity", words=(advice.writes,)),
    _Section("evolution", "Evolution", words=(advice.evolution, advice.savings)),
    _Section("operations", "Monitoring and testing", words=(advice.monitoring, advice.testing)),
    _Section("proof", "Proof", words=(patterns.proof, advice.critique)),
    _Section("references", "Conventions and references", words=(advice.naming, advice.sources)),
)


def html_page(design: Design, sample_requests: SampleRequests) -> str:
    anchors = anchors_of(design)
    shown = [
        (section, text) for section in SECTIONS if (text := _section_body(design, section, anchors, sample_requests))
    ]
    links = "".join(f'<li><a href="#{section.id}">{plain(section.title)}</a></li>' for section, _ in shown)
    main = "".join(
        f'<section id="{section.id}" aria-labelledby="{section.id}-title">'
        f'<h2 id="{section.id}-title">{plain(section.title)}</h2>{text}</section>\n'
        for section, text in shown
    )
    title = plain(design.title or design.name)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Tablewright">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>{title}: DynamoDB design</title>
<style>{_static("page.css")}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the design</a>
<header><div class="bar"><p class="kicker">DynamoDB design</p>
<button type="button" class="script-only" data-theme-switch aria-pressed="false">Dark</button></div>
<h1>{title}</h1>
{_lead_text(design)}
{_tiles(design)}</header>
<div class="layout">
<nav aria-label="Sections"><details open><summary>Sections</summary><ol>{links}</ol></details>
<button type="button" class="script-only" data-open-all aria-pressed="false">Open all details</button></nav>
<main id="main" tabindex="-1">{main}</main>
</div>
<footer>Designed and written by Tablewright. This page needs no network.</footer>
<script>{_static("page.js")}</script>
</body>
</html>
"""


def _static(name: str) -> str:
    return (resources.files("tablewright.report.html") / "static" / name).read_text("utf-8")


# ---- summary --------------------------------------------------------------------------------------------------------


def _lead_text(design: Design) -> str:
    """What fails stands first, and in red."""
    said = [block for block in document.title(design) if isinstance(block, Text)]
    return "".join(f'<p class="{f"lead {each.tone}".strip()}">{plain(each.text)}</p>' for each in said)


def _tiles(design: Design) -> str:
    indexes = sum(len(each.gsis) + len(each.lsis) for each in design.tables)
    cost = design.cost
    found = (
        _tile("tables", str(len(design.tables))),
        _tile("indexes", str(indexes)),
        _tile("access patterns", str(len(design.patterns))),
        _tile("on demand", money(cost.usd_per_month), "a month"),
        _tile("recommended", money(cost.recommended.usd_per_month), "a month"),
        _tile("hottest partition", _hottest(design)),
        _proof_tile(design),
    )
    return f'<dl class="tiles">{"".join(found)}</dl>'


def _tile(name: str, value: str, unit: str = "", tone: str = "") -> str:
    small = f" <small>{unit}</small>" if unit else ""
    kind = f' class="{tone}"' if tone else ""
    return f"<div><dt>{plain(name)}</dt><dd{kind}>{plain(value)}{small}</dd></div>"


def _hottest(design: Design) -> str:
    verdicts = {each.verdict for each in design.heat.partitions}
    return next((each for each in ("hot", "warm", "cool") if each in verdicts), "idle")


def _proof_tile(design: Design) -> str:
    if design.proof is None:
        return _tile("proof", "not run")
    runs = f"{sum(each.runs for each in design.proof.patterns):,} runs"
    if not design.proof.passed or is_changed(design):
        return _tile("proof", "changed since" if design.proof.passed else "failed", runs, "bad")
    unproven = [each.id for each in design.patterns if each.unproven]
    said = f"{runs}, except {plain(', '.join(unproven))}" if unproven else runs
    return _tile("proof", "passed", said, "warning" if unproven else "good")


# ---- sections -------------------------------------------------------------------------------------------------------


def _section_body(design: Design, section: _Section, anchors: Anchors, sample_requests: SampleRequests) -> str:
    if section.has_requests:
        return "".join(_request(design, each, anchors, sample_requests) for each in design.patterns)
    pictures = "".join(draw(design) for draw in section.pictures)
    return pictures + "".join(_section_text(design, section, say, anchors) for say in section.words)


def _request(design: Design, pattern: PatternDesign, anchors: Anchors, sample_requests: SampleRequests) -> str:
    """An access pattern by itself: in words, its requests, and the same with the keys of the sample items."""
    title = f'<h3><span class="id">{plain(pattern.id)}</span> {prose(patterns.pattern_title(pattern), {})}</h3>'
    detail = render_blocks(patterns.pattern_detail(pattern), anchors, level=3, label=f"Requests of {pattern.id}")
    samples = "".join(
        f"<pre>{plain(f'{operation} {json_text(params)}')}</pre>"
        + (f'<p class="quiet">{plain(note)}</p>' if note else "")
        for operation, params, note in sample_requests(design, pattern)
    )
    example = f'<p class="quiet">With the keys of the sample items:</p>{samples}' if samples else ""
    return fold(title, detail + example, anchor=anchors[pattern.id])


def _section_text(design: Design, section: _Section, say: Say, anchors: Anchors) -> str:
    """A heading that only repeats the section's own title is left out, and what is below it moves up."""
    blocks = list(say(design))
    if not blocks:
        return ""
    first = blocks[0]
    repeated = isinstance(first, Heading) and (section.title.startswith(first.text) or len(section.words) == 1)
    kept = [_add_description(design, block) for block in (blocks[1:] if repeated else blocks)]
    return render_blocks(kept, anchors, level=2 if repeated else 3, label=section.title)


def _add_description(design: Design, block: Block) -> Block:
    """A heading that is only the id of a pattern says what the pattern is as well."""
    if not isinstance(block, Heading):
        return block
    names = [f"{each.id}: {patterns.pattern_title(each)}" for each in design.patterns if each.id == block.text]
    return Heading(names[0], block.level) if names else block
