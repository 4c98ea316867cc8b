"""The same blocks as Markdown and as plain text."""

from __future__ import annotations

from tablewright.report.blocks import Column, Grid, Heading, Picture, Text, bullets, code, column, number
from tablewright.report.markdown import markdown
from tablewright.report.text import fit_grid, plain_text

GRID = Grid(
    (column("id"), Column(name="what", request=True), code("key"), number("n")),
    (("a", "words\nQuery x | y", "K#{k}", "7"), ("bb", "more", "", "1,000")),
)


def test_plain_columns_stand_below_each_other() -> None:
    assert plain_text([Heading("Title", 1), GRID]) == (
        "Title\n=====\n\n"
        "id  what         key        n\n"
        "--  -----------  -----  -----\n"
        "a   words        K#{k}      7\n"
        "    Query x | y\n"
        "bb  more                1,000\n"
    )


def test_plain_text_is_wrapped_between_words_only() -> None:
    key = "K#" + "x" * 120
    shown = plain_text([Text(f"{'word ' * 30}{key}"), bullets("one " * 40)])
    assert key in shown
    assert shown.splitlines()[0] == ("word " * 20).strip()
    assert "\n  one" in shown


def test_keys_of_a_wide_table_go_below_each_other() -> None:
    wide = Grid((column("item"), code("partition key"), code("sort key")), (("A", "P" * 70, "S" * 70),))
    assert fit_grid(wide, 200) is wide
    assert fit_grid(wide, 120).rows == (("A", f"{'P' * 70}\n  {'S' * 70}"),)
    assert max(map(len, plain_text([wide]).splitlines())) <= 120
    words = Grid((column("a"), column("b")), (("x" * 90, "y" * 90),))
    assert fit_grid(words, 120) is words


def test_markdown_escapes_what_would_be_markup() -> None:
    assert markdown([Heading("A_b", 3), Text("1 * 2 < 3"), bullets("x"), Picture(("a_b", "└─ c"))]) == (
        "### A\\_b\n\n1 \\* 2 &lt; 3\n\n- x\n\n```text\na_b\n└─ c\n```\n"
    )
    assert markdown([GRID]).splitlines() == [
        "| id | what | key | n |",
        "| --- | --- | --- | ---: |",
        "| a | words<br>`Query x \\| y` | `K#{k}` | 7 |",
        "| bb | more |  | 1,000 |",
    ]
