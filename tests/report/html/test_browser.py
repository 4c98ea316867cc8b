"""The pages in Chromium: they load in silence, say everything, can be used with every device, and read by everyone."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from tablewright.report.bill import mode_text
from tests.report.html.pages import ALL, html_page, page_design
from tests.report.html.specs import LONG, NASTY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Node

pytestmark = pytest.mark.xdist_group("document")
LOOKED_AT = ("task-management", "nasty")
NAMES = [pytest.param(each, marks=() if each in LOOKED_AT else pytest.mark.slow) for each in dict.fromkeys(ALL)]


class Browser:
    """A report about each page, made when it is first asked for."""

    def __init__(self, node: Node, chromium: str, folder: Path) -> None:
        self.node, self.chromium, self.folder = node, chromium, folder
        self.reports: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self.reports:
            self.reports[name] = self.node.run("document_page.cjs", self.asked(name))
        return self.reports[name]

    def asked(self, name: str) -> dict[str, Any]:
        found = page_design(name)
        path = self.folder / f"{name}.html"
        path.write_text(html_page(found), "utf-8")
        points = [[each.traffic, each.months] for each in found.cost.scenarios]
        return {"executable": self.chromium, "path": str(path), "points": points}


@pytest.fixture(scope="module")
def browser(node: Node, chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Browser:
    return Browser(node, chromium, tmp_path_factory.mktemp("pages"))


@pytest.mark.parametrize("name", NAMES)
def test_it_loads_without_errors_and_without_network(browser: Browser, name: str) -> None:
    found = browser[name]
    assert found["errors"] == []
    assert found["requests"] == []
    assert found["structure"]["scripts"] == 1
    assert found["structure"]["foreignElements"] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_chart_is_drawn(browser: Browser, name: str) -> None:
    found = browser[name]["charts"]
    assert {"relations", "plane", "dear", "cheap", "track"} <= {kind for kind, _, _ in found}
    assert [each for each in found if each[1] <= 0 or (each[2] <= 0 and each[0] not in ("dear", "cheap"))] == []


def test_alternatives_are_a_picture(browser: Browser) -> None:
    points = [each for each in browser["task-management"]["charts"] if each[0] == "circle"]
    assert len(points) == len(page_design("task-management").advice.alternatives) > 1


@pytest.mark.parametrize("name", NAMES)
def test_tabs_follow_mouse_and_keyboard(browser: Browser, name: str) -> None:
    found = browser[name]["tabs"]
    last = found["count"] - 1
    assert last == sum(len(each.gsis) + len(each.lsis) for each in page_design(name).tables)
    assert found["start"] == {"selected": 0, "focused": -1, "shown": [0]}
    assert found["clicked"] == {"selected": last, "focused": last, "shown": [last]}
    expected = [0, min(1, last), 0, last, last]
    assert [state for _, state in found["keys"]] == [{"selected": at, "focused": at, "shown": [at]} for at in expected]


@pytest.mark.parametrize("name", NAMES)
def test_sliders_agree_with_the_computed_scenarios(browser: Browser, name: str) -> None:
    scenarios = page_design(name).cost.scenarios
    found = browser[name]["sliders"]["points"]
    assert {(each.traffic, each.months) for each in scenarios} == {(t, m) for t in (1, 10, 100) for m in (0, 12, 36)}
    for scenario, shown in zip(scenarios, found, strict=True):
        assert shown["point"] == [scenario.traffic, scenario.months]
        assert shown["traffic"] == shown["spoken"] == f"{scenario.traffic:g}x"
        assert shown["months"] == (f"in {scenario.months} months" if scenario.months else "now")
        prices = {mode: float(re.sub(r"[$,]", "", text)) for mode, text in shown["modes"].items()}
        for mode in scenario.modes:
            price = prices[mode_text(mode.mode, mode.table_class)]
            assert price == pytest.approx(mode.usd_per_month, abs=0.51 if mode.usd_per_month >= 1000 else 0.011)
        recommended = mode_text(scenario.recommended.mode, scenario.recommended.table_class)
        hot = " Too hot for these keys." if scenario.too_hot else ""
        assert shown["basis"].endswith(f"Computed; recommended: {recommended}.{hot}")
        assert prices[shown["best"][0]] == min(prices.values())


@pytest.mark.parametrize("name", NAMES)
def test_sliders_move_everything(browser: Browser, name: str) -> None:
    found = browser[name]["sliders"]
    now, between = found["points"][0], found["between"]
    assert between["traffic"] == "1.1x"
    assert between["months"] == "in 1 month"
    assert "Between computed points" in between["basis"]
    assert between["modes"] != now["modes"]
    assert between["line"] != found["points"][-1]["line"]


@pytest.mark.parametrize("name", NAMES)
def test_light_and_dark(browser: Browser, name: str) -> None:
    light, dark, again = browser[name]["theme"]
    assert (light[1], dark[1]) == ("false", "true")
    assert light == again
    assert light[0] == "rgb(255, 255, 255)" != dark[0]


@pytest.mark.parametrize("name", NAMES)
def test_contrast_is_enough_in_both_themes(browser: Browser, name: str) -> None:
    assert browser[name]["contrast"] == {"light": [], "dark": []}


@pytest.mark.parametrize("name", NAMES)
def test_no_page_is_wider_than_its_window(browser: Browser, name: str) -> None:
    assert browser[name]["overflow"] == {str(width): width for width in (320, 375, 768, 1280)}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_too_wide_can_be_moved_with_the_keyboard(browser: Browser, name: str) -> None:
    assert browser[name]["unreachable"] == {str(width): [] for width in (320, 375, 768, 1280)}


@pytest.mark.parametrize("name", NAMES)
def test_those_who_hear_the_page_find_their_way(browser: Browser, name: str) -> None:
    found = browser[name]["structure"]
    assert found["lang"] == "en"
    problems = ("landmarks", "unlabelledInputs", "namelessButtons", "repeatedIds", "deadLinks", "brokenReferences")
    assert {each: found[each] for each in problems if found[each]} == {}
    assert found["namelessPictures"] == found["tablesWithoutCaption"] == 0
    levels = [level for level, _ in found["headings"]]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(text for _, text in found["headings"])


@pytest.mark.parametrize("name", NAMES)
def test_links_open_what_they_lead_to(browser: Browser, name: str) -> None:
    found = browser[name]["links"]
    assert found["tag"] == "DETAILS"
    assert found["open"]
    assert found["openAfterAll"] == found["closedAfterAll"] == 0
    assert found["outline"] == "solid"
    assert browser[name]["scrolling"] == "auto", "who asks for less motion gets less"


@pytest.mark.parametrize("name", NAMES)
def test_paper_is_white_and_shows_everything(browser: Browser, name: str) -> None:
    found = browser[name]["paper"]
    assert found["ground"] == "rgb(255, 255, 255)"
    assert found["hidden"] == []
    assert found["panels"] == 0
    assert found["bytes"] > 20_000


@pytest.mark.parametrize("name", NAMES)
def test_without_scripts_everything_is_there(browser: Browser, name: str) -> None:
    found = browser[name]["scriptless"]
    assert found["panels"] == found["names"] == browser[name]["tabs"]["count"]
    assert found["controls"] == 0
    assert found["chart"] == 2


def test_texts_appear_as_they_were_written(browser: Browser) -> None:
    found = browser["nasty"]["structure"]["text"]
    assert NASTY in found
    assert LONG in found
    assert "Größe漢字" in found
