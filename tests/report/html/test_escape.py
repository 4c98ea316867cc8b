"""Whatever users write is text on the page, and nothing but text."""

from __future__ import annotations

import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.report.html.escape import UNPRINTABLE, anchors_of, id_pattern, key, plain, prose, split_marks
from tests.report.html.pages import page_design

ANCHORS = {"AP1": "pattern-AP1", "AP10": "pattern-AP10", "a": "pattern-a"}
TEXT = st.text(st.characters(exclude_characters="\x01\r\U0010ffff", exclude_categories=["Cs"]), max_size=60)
MARKUP = st.lists(
    st.sampled_from(["<b>", "</code>", "&amp;", "&#35;", '"', "`", "{x}", "#", " ", "https://a.b/c", "AP1", "$k#{i}"])
)


class Reader(HTMLParser):
    """The words of a piece of HTML, and the names of its elements."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.tags = "", set[str]()
        self.feed(html)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert {name for name, _ in attrs} <= {"class", "href"}
        self.tags.add(tag)


@given(TEXT | MARKUP.map("".join))
def test_a_text_is_read_as_it_was_written(text: str) -> None:
    expected = UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
    assert Reader(plain(text)).text == expected
    assert Reader(plain(text)).tags == set()
    assert Reader(key(text)).text == expected


@given(TEXT | MARKUP.map("".join))
def test_prose_keeps_its_words_and_adds_only_links_and_code(text: str) -> None:
    found = Reader(prose(text, ANCHORS))
    assert found.tags <= {"a", "code", "wbr"}
    expected = UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
    assert found.text.replace("`", "") == expected.replace("`", "")


def test_patterns_addresses_and_keys_are_marked() -> None:
    assert prose("serves AP1, AP10", ANCHORS) == (
        'serves <a class="to" href="#pattern-AP1">AP1</a>, <a class="to" href="#pattern-AP10">AP10</a>'
    )
    assert prose("a day of xAP1 in a-AP1", ANCHORS) == "a day of xAP1 in a-AP1"
    page = "https://docs.aws.amazon.com/z"
    assert prose(f"see {page}.", {}) == f'see <a href="{page}">{page}</a>.'
    assert prose("see https://x.y/z.", {}) == "see https://x.y/z."
    assert prose("see https://docs.aws.amazon.com.x.y/z", {}) == "see https://docs.aws.amazon.com.x.y/z"
    assert prose("under $app#id_{id}, `so`", {}) == ("under <code>$app#<wbr>id_<wbr>{id}</code>, <code>so</code>")
    assert prose("$12.50 a month", {}) == "$12.50 a month"


def test_every_pattern_has_an_anchor_of_its_own() -> None:
    found = anchors_of(page_design("nasty"))
    assert len(set(found.values())) == len(found)
    assert all(each.replace("-", "").isalnum() and each.isascii() for each in found.values())


@pytest.mark.parametrize(
    "text",
    [
        "a" * 200_000,
        "AP1 " * 50_000 + "a" * 200_000 + "{a}",
        "{" * 200_000,
        "{a" * 100_000,
        "`" + "a" * 200_000,
        "$" * 200_000,
    ],
)
def test_a_long_word_takes_no_longer_than_its_length(text: str) -> None:
    began = time.process_time()
    prose(text, ANCHORS)
    assert time.process_time() - began < 20, "by its square it would be minutes"


@given(
    st.lists(st.sampled_from(["a", "{", "}", "{a}", ".", "$", ",", " ", "`", "AP1", "-", '"', "https://"])).map("".join)
)
def test_keys_are_found_as_their_pattern_says(text: str) -> None:
    """The pattern as one would write it, which takes the square of a word's length."""
    slow = r"[^\s,;()`]*\{[\w.]+\}[^\s,;()`]*|\$[^\W\d_][^\s,;()`]*"
    expected = re.split(rf"(`[^`]+`|https://[^\s<>\"']+|{slow}{id_pattern(ANCHORS)})", text)
    assert split_marks(text, ANCHORS) == expected
