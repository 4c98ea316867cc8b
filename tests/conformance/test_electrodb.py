"""Recorded requests of ElectroDB, replayed file by file.

`vectors` are those the project began with, `more` a selection of many more that were recorded to learn the rules.
Where the loaded style differs by choice, `chosen.txt` names the case and the section that explains it, and `ours.json`
says what comes out instead. Every request is tried on the engine: one that DynamoDB refuses is of no use to anybody.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tablewright.engine import Engine
from tests.conformance.electrodb.__main__ import judge
from tests.conformance.electrodb.run import outcome_of
from tests.conformance.electrodb.sendable import Tables, requests_of
from tests.conformance.ours import CHOSEN, OURS, ours

HERE = Path(__file__).parent
FILES = sorted([*HERE.glob("vectors/*.json"), *HERE.glob("more/*.json")])
EXPLAINED = HERE.parent.parent / "docs" / "why" / "differences-from-electrodb.md"
# What a request is refused for because of what is stored, or of what the caller asked for and ElectroDB sends as well.
STORED = (
    "document path provided in the update expression is invalid",
    "attribute that does not exist in the item",
    "operand in the update expression has an incorrect data type",
)
ASKED_FOR = {
    "vectors/attributes.json attributes-004": "an empty set in a put",
    "vectors/keys.json keys-047": "a filter on a key",
    "vectors/where.json where-041": "a condition on a get",
    "more/execution.json execution-079": "all_new of a put",
    "more/execution.json execution-295": "all_new of a delete",
    "more/where.json where-484": "a field without a name",
    "more/where.json where-520": "a condition on a get",
    "more/where.json where-522": "a condition on a get",
    "more/where.json where-553": "a filter on a key",
}


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_recorded_cases_come_out_the_same(path: Path) -> None:
    recorded = json.loads(path.read_text(encoding="utf-8"))
    different = {case["id"]: (case, found) for case in recorded["cases"] if (found := judge(recorded["models"], case))}
    failed = {name: found for name, (case, found) in different.items() if "quirk" not in case}
    assert failed == {}
    assert set(different) == {case for file, case, _ in CHOSEN if file == name_of(path)}


def test_chosen_differences_come_out_as_they_were_chosen() -> None:
    assert json.loads(json.dumps(ours())) == json.loads(OURS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_dynamodb_takes_our_requests(path: Path) -> None:
    recorded = json.loads(path.read_text(encoding="utf-8"))
    refused: dict[str, str] = {}
    with Engine() as engine:
        tables = Tables(engine)
        for case in recorded["cases"]:
            for action, params in requests_of(case, outcome_of(recorded["models"], case)):
                said = tables.refusal(case["model"], recorded["models"][case["model"]], action, params)
                if said is not None and not any(text in said for text in STORED):
                    refused[f"{name_of(path)} {case['id']}"] = said
    assert {case: said for case, said in refused.items() if case not in ASKED_FOR} == {}


def test_every_chosen_difference_is_explained() -> None:
    sections = set(re.findall(r'^### <a id="([^"]+)">', EXPLAINED.read_text(encoding="utf-8"), re.MULTILINE))
    assert {section for _, _, section in CHOSEN} <= sections


def test_files_stay_small_enough_to_read() -> None:
    assert [path.name for path in FILES if path.stat().st_size > 300_000] == []
