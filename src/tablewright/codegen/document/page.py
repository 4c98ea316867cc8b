"""The page: a summary, then section after section, each with its picture before its words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.architect.document import advice, bill, heat, keys, patterns
from tablewright.architect.document.bill import mode_text
from tablewright.architect.document.blocks import Block, Heading
from tablewright.architect.document.words import money
from tablewright.codegen.document.charts import cost_by_entity, cost_by_pattern, front, heat_bars
from tablewright.codegen.document.relations import diagram
from tablewright.codegen.document.render import rendered
from tablewright.codegen.document.views import views

if TYPE_CHECKING:
    from tablewright.architect.design.model import Design

Draw: TypeAlias = Callable[["Design"], str]
Say: TypeAlias = Callable[["Design"], Iterable[Block]]


class Section(msgspec.Struct, frozen=True):
    """An anchor, a title, pictures, and the words of the document under it."""

    id: str
    title: str
    pictures: tuple[Draw, ...] = ()
    words: tuple[Say, ...] = ()
    folded: bool = False  # each third-level heading opens and closes


def calculator(design: Design) -> str:
    """Sliders over the scenarios of the cost report; between them the script interpolates, and says so."""
    data = escape(json.dumps(scenario_data(design)), quote=True)
    return f"""<form class="calculator" data-scenarios="{data}" aria-label="Cost calculator">
<label for="traffic">Traffic <output id="traffic-value" for="traffic">1x</output></label>
<input id="traffic" type="range" min="0" max="2" step="0.05" value="0" aria-describedby="calculated">
<label for="months">Months from now <output id="months-value" for="months">0</output></label>
<input id="months" type="range" min="0" max="36" step="1" value="0" aria-describedby="calculated">
<div id="calculated" class="calculated" aria-live="polite"></div>
<p class="quiet">At 1x, 10x and 100x, now and after 12 and 36 months as computed; in between interpolated.</p>
</form>"""


def scenario_data(design: Design) -> list[dict[str, Any]]:
    return [
        {
            "traffic": each.traffic,
            "months": each.months,
            "gb": round(each.gb, 4),
            "modes": {mode_text(mode.mode, mode.table_class): round(mode.usd_per_month, 2) for mode in each.modes},
        }
        for each in design.cost.scenarios
    ]


def cost_charts(design: Design) -> str:
    legend = (
        '<p class="legend"><span class="swatch reads"></span> reads <span class="swatch writes"></span> writes'
        ' <span class="swatch storage"></span> storage</p>'
    )
    return legend + cost_by_pattern(design) + cost_by_entity(design)


SECTIONS = (
    Section("patterns", "Access patterns", words=(patterns.patterns,)),
    Section("entities", "Entities and relationships", (diagram,), (advice.relationships,)),
    Section("tables", "Tables and indexes", (), (keys.tables, keys.items)),
    Section("collections", "Item collections", (views,)),
    Section("requests", "Requests", words=(patterns.pattern_details,), folded=True),
    Section("cost", "Cost", (calculator, cost_charts), (lambda design: bill.bill(design.cost),)),
    Section("heat", "Heat", (heat_bars,), (lambda design: heat.details(design.heat),)),
    Section("decisions", "Decisions", words=(advice.decisions,)),
    Section(
        "alternatives",
        "Alternatives",
        (lambda design: front(design.advice.alternatives),),
        (advice.alternatives, advice.one_or_several),
    ),
    Section("questions", "Questions and assumptions", words=(advice.questions, advice.assumptions)),
    Section("integrity", "Integrity", words=(advice.writes,)),
    Section("evolution", "Evolution", words=(advice.evolution, advice.savings)),
    Section("operations", "Monitoring and testing", words=(advice.monitoring, advice.testing)),
    Section("proof", "Proof", words=(patterns.proof, advice.critique)),
    Section("references", "References", words=(advice.naming, advice.sources)),
)


def html_page(design: Design) -> str:
    shown = [(section, text) for section in SECTIONS if (text := body(design, section))]
    links = "".join(f'<li><a href="#{section.id}">{escape(section.title)}</a></li>' for section, _ in shown)
    main = "".join(
        f'<section id="{section.id}" aria-labelledby="{section.id}-title">'
        f'<h2 id="{section.id}-title">{escape(section.title)}</h2>{text}</section>'
        for section, text in shown
    )
    title = escape(design.title or design.name)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Tablewright">
<link rel="icon" href="data:,">
<title>{title}: DynamoDB design</title>
<style>{static("page.css")}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the design</a>
<header><div><p class="kicker">DynamoDB design</p><h1>{title}</h1></div>
<button type="button" data-theme-switch>Dark or light</button></header>
{tiles(design)}
<div class="layout">
<nav aria-label="Sections"><details open><summary>Sections</summary><ol>{links}</ol></details></nav>
<main id="main">{main}</main>
</div>
<footer>Designed, proven and written by Tablewright. This page needs no network.</footer>
<script>{static("page.js")}</script>
</body>
</html>
"""


def static(name: str) -> str:
    return (resources.files("tablewright.codegen.document") / "static" / name).read_text("utf-8")


def tiles(design: Design) -> str:
    report = design.proof
    runs = sum(each.runs for each in report.patterns) if report is not None else 0
    proven = "not run" if report is None else f"{runs:,} runs, all right" if report.passed else "failed"
    found = {
        "tables": str(len(design.tables)),
        "GSIs": str(sum(len(each.gsis) for each in design.tables)),
        "access patterns": str(len([each for each in design.patterns if not each.implied])),
        "a month on demand": money(design.cost.usd_per_month),
        "proof": proven,
    }
    shown = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in found.items())
    return f'<dl class="tiles">{shown}</dl>'


def body(design: Design, section: Section) -> str:
    pictures = "".join(draw(design) for draw in section.pictures)
    blocks = [block for say in section.words for block in said(design, section, say)]
    words = folded(blocks) if section.folded else rendered(blocks, label=section.title)
    return pictures + words


def said(design: Design, section: Section, say: Say) -> Iterable[Block]:
    """The section's own title is not repeated; further headings move down by one."""
    for block in say(design):
        if isinstance(block, Heading):
            if block.text != section.title and not is_first_of(section, block):
                yield Heading(block.text, block.level + 1)
        else:
            yield block


def is_first_of(section: Section, heading: Heading) -> bool:
    return heading.level == 2 and len(section.words) == 1


def folded(blocks: list[Block]) -> str:
    """What follows a heading opens and closes with it."""
    parts: list[str] = []
    inside: list[Block] = []
    heading: Heading | None = None
    for block in [*blocks, Heading("", 0)]:
        if not isinstance(block, Heading):
            inside.append(block)
            continue
        content = rendered(inside, label=heading.text if heading else "")
        parts.append(
            content if heading is None else f"<details><summary>{escape(heading.text)}</summary>{content}</details>"
        )
        heading, inside = block, []
    return "".join(parts)
