"""Every link of every document leads somewhere: inside of a page, and from one generated file to another."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from markdown_it import MarkdownIt

from tablewright.architect.designer import design
from tablewright.codegen.targets import TARGETS, generate
from tests.codegen.designs import CASES, with_everything
from tests.codegen.hostile import words
from tests.codegen.specials import SPECIALS, special
from tests.golden.designs import golden

if TYPE_CHECKING:
    from tablewright.design.model import Design

SPECS = sorted((Path(__file__).parents[3] / "examples" / "specs").glob("*.yaml"))
REFERRING = ("aria-controls", "aria-labelledby", "aria-describedby", "for", "list", "headers", "form")
HOSTS = ("docs.aws.amazon.com", "electrodb.dev")


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.inside: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.ids += [found["id"]] if "id" in found else []
        self.inside += [each for name in REFERRING for each in found.get(name, "").split()]
        for name in ("href", "src", "action", "xlink:href"):
            if name in found:
                self.see(found[name])

    def see(self, target: str) -> None:
        if target.startswith("#"):
            self.inside.append(target[1:])
        elif not target.startswith("data:"):
            self.outside.append(target)


def page_faults(page: str) -> list[str]:
    found = Links()
    found.feed(page)
    found.close()
    assert found.ids
    twice = [f"{each} is there {times} times" for each, times in Counter(found.ids).items() if times > 1]
    lost = [f"nothing is called {each}" for each in sorted(set(found.inside) - set(found.ids))]
    strange = [each for each in found.outside if not is_known(each)]
    return [*twice, *lost, *strange]


def is_known(address: str) -> bool:
    """Whole, and of a place that is meant: a word cut off or taken too far would not be found there."""
    parts = urlsplit(address)
    return (
        parts.scheme == "https"
        and parts.hostname in HOSTS
        and not set(address) & set(" \"'<>`*\\|")
        and (not address.endswith((".", ",", ";", ":", ")")))
    )


def markdown_faults(path: str, files: dict[str, str]) -> list[str]:
    tokens = MarkdownIt("commonmark").enable("table").parse(files[path])
    inline = [child for each in tokens for child in each.children or []]
    targets = [str(each.attrs["href"]) for each in inline if each.type == "link_open"]
    return [each for each in targets if not is_known(each) and normpath(join(dirname(path), each)) not in files]


def check(made: Design) -> None:
    wanted = [
        name for name, each in TARGETS.items() if each.refuses(made) is None and name not in ("appsync", "amplify")
    ]
    files = generate(made, wanted)
    faults = {path: page_faults(text) for path, text in files.items() if path.endswith(".html")}
    assert faults
    faults |= {path: markdown_faults(path, files) for path in files if path.endswith(".md")}
    assert {path: found for path, found in faults.items() if found} == {}


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_links_of_example_specs_lead_somewhere(spec: Path) -> None:
    check(golden(spec.stem))


@pytest.mark.parametrize("style", ["plain", "electrodb"])
@pytest.mark.parametrize("seed", range(3))
def test_links_lead_somewhere_whatever_things_are_called(seed: int, style: str) -> None:
    check(words(seed, style))


def test_links_of_a_design_with_everything_lead_somewhere() -> None:
    check(with_everything())


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_links_of_published_applications_lead_somewhere(case: Path) -> None:
    check(golden(case.stem))


@pytest.mark.slow
@pytest.mark.parametrize("name", SPECIALS)
def test_links_of_special_designs_lead_somewhere(name: str) -> None:
    check(special(name, "plain"))


def test_addresses_in_a_spec_are_text() -> None:
    """Whoever writes a description does not decide where readers of the design are led."""
    entity = {"id": "url", "attributes": {"url": "string"}, "notes": "see https://n.example/a"}
    spec = {"title": "of https://t.example/b", "entities": {"Page": entity}, "name": "pages"}
    asked = {"id": "A", "kind": "get", "entity": "Page", "by": "url", "description": "go to https://d.example/c"}
    made = design({**spec, "access_patterns": [asked]})
    check(made)
    assert "go to https://d.example/c" in generate(made, ["document"])["document/design.html"]


def test_a_link_that_leads_nowhere_is_found() -> None:
    assert page_faults('<p id="a"><a href="#b">b</a></p><p id="a">') == ["a is there 2 times", "nothing is called b"]
    assert page_faults('<p id="a"><a href="https://docs.aws.amazon.com/a.">x</a>') == ["https://docs.aws.amazon.com/a."]
