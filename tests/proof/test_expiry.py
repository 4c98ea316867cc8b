"""Times to live: puts write them, whatever is written along with an item goes with it, and callers may say them."""

from __future__ import annotations

import copy
from typing import Any

from tablewright.architect.designer import design
from tablewright.design.values.templates import Path, slot
from tablewright.proof.application.state import SECONDS_PER_DAY
from tablewright.proof.items import expiry, hidden_names, item_type
from tablewright.proof.run import prove
from tests.proof.library import LIBRARY


def library(**reader: Any) -> dict[str, Any]:
    spec = copy.deepcopy(LIBRARY)
    spec["entities"]["Reader"].update(reader)
    return spec


def saying_when(spec: dict[str, Any], *, required: bool) -> dict[str, Any]:
    spec["entities"]["Reader"]["attributes"]["gone"] = {"type": "number", "required": required}
    spec["entities"]["Reader"]["ttl"] = {"days": 30, "attribute": "gone"}
    return spec


def test_puts_say_when_an_item_and_all_that_belongs_to_it_goes() -> None:
    made = design(library(ttl="30d"))
    said = {each.name: each.ttl_attribute for each in made.items if each.entity == "Reader"}
    assert said == {"Reader": "expiresAt", "ReaderDetail": "expiresAt", "ReaderEmail": "expiresAt"}
    assert "expiresAt" in hidden_names(made)
    report = prove(made, rounds=12)
    assert report.passed, report.failure
    assert all(each.exact for each in report.patterns)


def test_where_callers_say_when_details_and_sentinels_follow() -> None:
    spec = saying_when(library(), required=True)
    rename = next(each for each in spec["access_patterns"] if each["id"] == "rename")
    rename["changes"] = ["name", "gone"]
    made = design(spec)
    assert made.tables[0].ttl_attribute == "gone"
    assert {each.ttl_attribute for each in made.items} == {None}
    assert "gone" in {each.name for each in item_type(made, "ReaderEmail").attributes}
    steps = next(each for each in made.patterns if each.id == "rename").writes
    assert [each.set[Path("gone")] for each in steps] == [slot("gone")] * 3
    report = prove(made, rounds=12)
    assert report.passed, report.failure
    assert all(each.exact for each in report.patterns)


def test_where_entities_do_not_agree_the_table_has_an_attribute_of_its_own() -> None:
    spec = saying_when(library(), required=False)
    spec["entities"]["Loan"]["ttl"] = "7d"
    made = design(spec)
    assert made.tables[0].ttl_attribute == "expiresAt"
    assert item_type(made, "Loan").ttl_attribute == item_type(made, "Reader").ttl_attribute == "expiresAt"
    report = prove(made, rounds=12)
    assert report.passed, report.failure


def test_an_item_that_moves_keeps_its_time() -> None:
    reader = item_type(design(library(ttl="1d")), "Reader")
    assert expiry(reader, {}, 1000) == {"expiresAt": 1000 + SECONDS_PER_DAY}
    assert expiry(reader, {"expiresAt": 7}, 1000) == {"expiresAt": 7}
