"""The page: a summary, then section after section, each with its picture before its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import resources
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tablewright.report import advice, document, keys, patterns
from tablewright.report.blocks import Block, Heading, Text
from tablewright.report.html.calculator import calculator
from tablewright.report.html.charts import capacity_by_place, cost_by_entity, cost_by_pattern, heat_bars
from tablewright.report.html.escape import anchors_of, plain
from tablewright.report.html.relations import diagram
from tablewright.report.html.render import rendered
from tablewright.report.html.requests import requests
from tablewright.report.html.tradeoff_chart import front
from tablewright.report.html.views import views
from tablewright.report.words import money

if TYPE_CHECKING:
    from tablewright.design.model import Design
    from tablewright.report.html.escape import Anchors

Draw: TypeAlias = Callable[["Design"], str]
Say: TypeAlias = Callable[["Design"], Iterable[Block]]


class Section(msgspec.Struct, frozen=True):
    """An anchor, a title, pictures, and the words of the document under it."""

    id: str
    title: str
    pictures: tuple[Draw, ...] = ()
    words: tuple[Say, ...] = ()


SECTIONS = (
    Section("change", "Change", words=(advice.change,)),
    Section("patterns", "Access patterns", words=(patterns.patterns,)),
    Section("entities", "Entities and relationships", (diagram,), (advice.relationships,)),
    Section("tables", "Tables and indexes", words=(keys.tables, keys.items, advice.notes)),
    Section("collections", "Item collections", (views,)),
    Section("requests", "Requests", (requests,)),
    Section(
        "cost",
        "Capacity and cost",
        (calculator, cost_by_pattern, cost_by_entity, capacity_by_place),
        (document.whole_bill,),
    ),
    Section("heat", "Heat", (heat_bars,), (document.all_warmth,)),
    Section("decisions", "Decisions", words=(advice.decisions,)),
    Section("alternatives", "Alternatives and trade-offs", (front,), (advice.alternatives, advice.one_or_several)),
    Section("questions", "Questions and assumptions", words=(advice.questions, advice.assumptions)),
    Section("integrity", "Integrity", words=(advice.writes,)),
    Section("evolution", "Evolution", words=(advice.evolution, advice.savings)),
    Section("operations", "Monitoring and testing", words=(advice.monitoring, advice.testing)),
    Section("proof", "Proof", words=(patterns.proof, advice.critique)),
    Section("references", "Conventions and references", words=(advice.naming, advice.sources)),
)


def html_page(design: Design) -> str:
    anchors = anchors_of(design)
    shown = [(section, text) for section in SECTIONS if (text := body(design, section, anchors))]
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
<style>{static("page.css")}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the design</a>
<header><div class="bar"><p class="kicker">DynamoDB design</p>
<button type="button" class="script-only" data-theme-switch aria-pressed="false">Dark</button></div>
<h1>{title}</h1>
{lead(design)}
{tiles(design)}</header>
<div class="layout">
<nav aria-label="Sections"><details open><summary>Sections</summary><ol>{links}</ol></details>
<button type="button" class="script-only" data-open-all aria-pressed="false">Open all details</button></nav>
<main id="main" tabindex="-1">{main}</main>
</div>
<footer>Designed and written by Tablewright. This page needs no network.</footer>
<script>{static("page.js")}</script>
</body>
</html>
"""


def static(name: str) -> str:
    return (resources.files("tablewright.report.html") / "static" / name).read_text("utf-8")


# ---- summary --------------------------------------------------------------------------------------------------------


def lead(design: Design) -> str:
    said = [block.text for block in document.title(design) if isinstance(block, Text)]
    return "".join(f'<p class="lead">{plain(each)}</p>' for each in said)


def tiles(design: Design) -> str:
    indexes = sum(len(each.gsis) + len(each.lsis) for each in design.tables)
    cost = design.cost
    found = (
        tile("tables", str(len(design.tables))),
        tile("indexes", str(indexes)),
        tile("access patterns", str(len(design.patterns))),
        tile("on demand", money(cost.usd_per_month), "a month"),
        tile("recommended", money(cost.recommended.usd_per_month), "a month"),
        tile("hottest partition", hottest(design)),
        proof_tile(design),
    )
    return f'<dl class="tiles">{"".join(found)}</dl>'


def tile(name: str, value: str, unit: str = "", tone: str = "") -> str:
    small = f" <small>{unit}</small>" if unit else ""
    kind = f' class="{tone}"' if tone else ""
    return f"<div><dt>{plain(name)}</dt><dd{kind}>{plain(value)}{small}</dd></div>"


def hottest(design: Design) -> str:
    verdicts = {each.verdict for each in design.heat.partitions}
    return next((each for each in ("hot", "warm", "cool") if each in verdicts), "idle")


def proof_tile(design: Design) -> str:
    if design.proof is None:
        return tile("proof", "not run")
    runs = f"{sum(each.runs for each in design.proof.patterns):,} runs"
    return tile("proof", "passed", runs, "good") if design.proof.passed else tile("proof", "failed", runs, "bad")


# ---- sections -------------------------------------------------------------------------------------------------------


def body(design: Design, section: Section, anchors: Anchors) -> str:
    pictures = "".join(draw(design) for draw in section.pictures)
    return pictures + "".join(words(design, section, say, anchors) for say in section.words)


def words(design: Design, section: Section, say: Say, anchors: Anchors) -> str:
    """A heading that only repeats the section's own title is left out, and what is below it moves up."""
    blocks = list(say(design))
    if not blocks:
        return ""
    first = blocks[0]
    repeated = isinstance(first, Heading) and (section.title.startswith(first.text) or len(section.words) == 1)
    kept = [told(design, block) for block in (blocks[1:] if repeated else blocks)]
    return rendered(kept, anchors, level=2 if repeated else 3, label=section.title)


def told(design: Design, block: Block) -> Block:
    """A heading that is only the id of a pattern says what the pattern is as well."""
    if not isinstance(block, Heading):
        return block
    names = [f"{each.id}: {patterns.described(each)}" for each in design.patterns if each.id == block.text]
    return Heading(names[0], block.level) if names else block
