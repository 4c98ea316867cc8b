"""Every message about expressions and statements has a public source, or is told in words of our own."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import tablewright
from tests.engine.wording import texts, told_texts

HERE = Path(__file__).parent
SOURCE = Path(tablewright.__file__).parent
PACKAGES = ("expr", "engine/partiql")
FILE = re.compile(r"([a-z]+) ((?:[\w.-]+/)*[\w.-]+\.[a-z]+)")


@pytest.fixture(scope="module")
def known() -> dict[str, Any]:
    return tomllib.loads((HERE / "wording_sources.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def listed(known: dict[str, Any]) -> list[str]:
    return [text for entry in (*known["message"], known["grammar"]) for text in entry["texts"]]


def test_every_text_is_listed(listed: list[str]) -> None:
    told = {text: f"{name}/{place}" for name in PACKAGES for text, place in told_texts(SOURCE / name).items()}
    assert {text: place for text, place in told.items() if text not in listed} == {}
    assert sorted(set(listed) - told.keys()) == []


def test_every_text_is_listed_once(listed: list[str]) -> None:
    assert [text for text, count in Counter(listed).items() if count > 1] == []


def test_each_entry_has_sources_or_is_our_own(known: dict[str, Any]) -> None:
    for entry in known["message"]:
        sources = entry.get("sources", [])
        assert bool(sources) is not entry.get("own", False), entry["what"]
        for source in sources:
            match = FILE.fullmatch(source)
            assert match, source
            assert match[1] in known["sources"], source


def test_every_source_is_used(known: dict[str, Any]) -> None:
    used = {source.split()[0] for entry in known["message"] for source in entry.get("sources", [])}
    assert used == known["sources"].keys()
    assert all(address.startswith("https://") for address in known["sources"].values())


# ---- the reading itself ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('raise fault("Something is wrong")', ["Something is wrong"]),
        ('raise fault(f"Wrong {kind}: {what!r}")', ["Wrong {}: {}"]),
        ('faults.note(1, "Too " "long")', ["Too long"]),
        ('REASON = "not so"\nraise fault(f"{REASON}; it is {count}")', ["not so", "{}; it is {}"]),
        ('"""Says what this is."""', []),
        ('WORDS = "several words here".split()', []),
        ('Alias: TypeAlias = "int | list[str]"', []),
        ('kind = "name"', []),
        ('text = f"{left}.{right}"', []),
    ],
)
def test_what_counts_as_a_text(code: str, found: list[str]) -> None:
    assert sorted(text for _, text in texts(ast.parse(code))) == sorted(found)
