"""What every page has, whatever the design."""

from __future__ import annotations

import re

import msgspec
import pytest

from tablewright.design.advice import Alternative
from tablewright.design.model import DesignChange, ProofReport
from tablewright.design.read import design_data, read_design
from tablewright.report.html.calculator import ceiling
from tablewright.report.html.charts import RADIUS, points, tradeoff_chart
from tablewright.report.html.page import SECTIONS
from tests.report.html.pages import ALL, SOME, html_page, page_design

pytestmark = pytest.mark.xdist_group("document")
MOST_BYTES = 1_000_000
NAMES = [*SOME, *(pytest.param(each, marks=pytest.mark.slow) for each in ALL if each not in SOME)]


@pytest.mark.parametrize("name", NAMES)
def test_same_design_same_bytes_and_not_too_many(name: str) -> None:
    found = page_design(name)
    page = html_page(found)
    again = read_design(design_data(found))
    assert html_page(again) == page
    assert len(page.encode()) < MOST_BYTES
    assert not re.search(r"(?:src|href)=\"(?!#|data:|https://docs\.aws\.amazon\.com/)", page)


@pytest.mark.parametrize("name", NAMES)
def test_the_summary_leads_to_every_pattern(name: str) -> None:
    page = html_page(page_design(name))
    summary = page[page.index('<section id="patterns"') : page.index('<section id="entities"')]
    linked = re.findall(r'<td role="cell" data-label="id"><a class="to" href="#([^"]+)"', summary)
    assert len(linked) == len(page_design(name).patterns)
    assert all(f'<details id="{each}">' in page for each in linked)


def test_a_design_with_everything_to_say_has_every_section() -> None:
    page = html_page(page_design("task-management"))
    shown = re.findall(r'<section id="([^"]+)"', page)
    assert shown == [each.id for each in SECTIONS if each.id != "change"]
    assert '<dd class="good">passed ' in page
    assert "https://docs.aws.amazon.com/" in page


def test_a_design_that_keeps_another_begins_with_what_changed() -> None:
    change = DesignChange(kept=("Task in the table",), added=("Task in gsi9",), steps=("Add gsi9.", "Fill it."))
    page = html_page(msgspec.structs.replace(page_design("large"), change=change))
    assert re.findall(r'<section id="([^"]+)"', page)[0] == "change"
    assert "Task in gsi9" in page


def test_a_failed_proof_is_no_secret() -> None:
    failed = ProofReport(seed=1, items={}, patterns=(), passed=False, failure="AP1 was wrong")
    page = html_page(msgspec.structs.replace(page_design("large"), proof=failed))
    assert '<dd class="bad">failed ' in page


def test_what_fails_stands_first_and_in_red() -> None:
    found = page_design("large")
    doubtful = tuple(msgspec.structs.replace(each, unproven="nobody can read it") for each in found.patterns[:1])
    page = html_page(msgspec.structs.replace(found, patterns=(*doubtful, *found.patterns[1:])))
    leads = re.findall(r'<p class="(lead[^"]*)">([^<]*)', page)
    assert leads[0] == ("lead bad", f"UNPROVEN: {doubtful[0].id}: nobody can read it.")
    assert leads[1][0] == "lead"


def test_users_cannot_break_out_of_a_text() -> None:
    page = html_page(page_design("nasty"))
    assert page.count("<script>") == page.count("</script>") == page.count("</style>") == 1
    assert "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;" in page


def test_an_index_shows_only_what_it_holds() -> None:
    page = html_page(page_design("saas"))
    panels = page.split('<div role="tabpanel"')[1:]
    design = page_design("saas")
    (table,) = design.tables
    narrow = next(at for at, each in enumerate(table.gsis, 1) if each.projection.type == "INCLUDE")
    held = set(table.gsis[narrow - 1].projection.attributes)
    shown = set(re.findall(r'<span class="attribute"><b>([^<]+)</b>', panels[narrow]))
    assert shown
    assert shown <= held
    assert not set(re.findall(r'<span class="attribute"><b>([^<]+)</b>', panels[0])) <= held


# ---- pictures -------------------------------------------------------------------------------------------------------


def alternative(name: str, gsis: int, usd: float, *, chosen: bool = False) -> Alternative:
    return Alternative(
        name=name,
        gsis=gsis,
        copies=0,
        tables=1,
        usd_per_month=usd,
        requests_per_pattern=1.0,
        hottest_share=0.1,
        gains="",
        costs="",
        chosen=chosen,
    )


def test_points_that_are_alike_stand_side_by_side() -> None:
    found = points(tuple(alternative(f"d{at}", 1, 10.0) for at in range(5)))
    places = {(round(each.x), round(each.y)) for each in found}
    assert len(places) == 5
    assert all(abs(one - two) >= 2 * RADIUS for one, _ in places for two, _ in places if one != two)


def test_all_points_are_inside_the_picture() -> None:
    design = page_design("task-management")
    many = tuple(alternative(f"d{at}", at % 2, 10.0 * (at + 1), chosen=at == 0) for at in range(12))
    advice = msgspec.structs.replace(design.advice, alternatives=many)
    picture = tradeoff_chart(msgspec.structs.replace(design, advice=advice))
    width, height = map(int, re.findall(r'viewBox="0 0 (\d+) (\d+)"', picture)[0])
    for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', picture):
        assert RADIUS <= float(x) <= width - RADIUS
        assert RADIUS <= float(y) <= height - RADIUS


def test_one_design_alone_is_no_picture() -> None:
    assert tradeoff_chart(page_design("large")) == ""


@pytest.mark.parametrize(
    ("value", "top"), [(0.0, 0.01), (0.013, 0.02), (139.1, 200.0), (261.0, 400.0), (1000.0, 1000.0)]
)
def test_scales_end_at_a_round_number(value: float, top: float) -> None:
    assert ceiling(value) == pytest.approx(top)
