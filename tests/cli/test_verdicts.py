"""What a design fails at: said first, in the JSON document too, and status 3 in the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tablewright.cli.main import main
from tablewright.design.model import Design, EstimateReport
from tablewright.design.read import read_design
from tablewright.proof.checks import estimates
from tablewright.report.verdict import failed_verdicts, verdict
from tests.golden.designs import EVERY, golden

SHOP: dict[str, Any] = {
    "name": "shop",
    "entities": {
        "Order": {
            "id": "orderId",
            "attributes": {"customerId": {"required": True, "cardinality": 1000}, "note": "string", "at": "timestamp"},
            "count": 10_000,
        }
    },
    "access_patterns": [
        {"id": "AP1", "kind": "get", "entity": "Order", "by": "orderId", "rate": 10},
        {"id": "AP2", "kind": "query", "entity": "Order", "by": "customerId", "rate": 1},
        {"id": "AP3", "kind": "write", "op": "put", "entity": "Order", "by": "orderId", "rate": 1},
    ],
}


def shop(*, patterns: dict[str, dict[str, Any]] | None = None, **said: Any) -> dict[str, Any]:
    changed = [{**each, **(patterns or {}).get(each["id"], {})} for each in SHOP["access_patterns"]]
    return {**SHOP, "access_patterns": changed, **said}


HOT = {"AP3": {"rate": 5000, "skew": "hottest 90%", "op": "update", "changes": ["note"]}}
FULL = {**SHOP["entities"]["Order"], "attributes": {"customerId": {"required": True}, "note": {"max": "400 KB"}}}
"""Its keys and the other attributes are too much beside such a note."""
WORDED = {"AP3": {"condition": "if the moon is full"}}
FAILING = [
    ("budget", shop(constraints={"budget": 1}), "OVER BUDGET: "),
    ("heat", shop(patterns=HOT), "TOO HOT: "),
    ("size", shop(entities={"Order": FULL}), "TOO LARGE: Order has up to"),
    ("latency", shop(patterns={"AP1": {"latency": "2 ms"}}), "TOO SLOW: AP1: one request takes about 5 ms"),
    ("unproven", shop(patterns=WORDED), 'UNPROVEN: AP3: "if the moon is full" is in words'),
]
EACH = pytest.mark.parametrize(("kind", "spec", "told"), FAILING, ids=[each[0] for each in FAILING])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "spec.json"


def written(path: Path, spec: dict[str, Any]) -> str:
    path.write_text(json.dumps(spec))
    return str(path)


@EACH
def test_it_stands_before_all_else(
    kind: str, spec: dict[str, Any], told: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(("design", written(path, spec), "--quick")) == 3
    _, first, *rest = capsys.readouterr().out.split("\n\n")
    assert " ".join(first.split()).startswith(told), kind
    assert any("and no Scan" in " ".join(each.split()) for each in rest)


@EACH
def test_json_has_it_and_is_alone_on_stdout(
    kind: str, spec: dict[str, Any], told: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(("design", written(path, spec), "--quick", "--json")) == 3
    said = capsys.readouterr()
    assert [each["kind"] for each in json.loads(said.out)["verdicts"]] == [kind]
    assert said.err.startswith(told)
    assert failed_verdicts(read_design(said.out)) == read_design(said.out).verdicts


@EACH
def test_files_are_written_all_the_same(
    kind: str, spec: dict[str, Any], told: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(("design", written(path, spec), "--quick", "-o", str(path.parent / "made"))) == 3, kind
    assert told in capsys.readouterr().err
    assert main(("design", str(path.parent / "made" / "design.json"), "--quick")) == 3


def test_a_design_without_faults_has_status_0(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    patterns = {"AP1": {"latency": "single-digit milliseconds"}}
    assert main(("design", written(path, shop(patterns=patterns, constraints={"budget": 100})), "--quick")) == 0
    assert capsys.readouterr().err == ""


def test_heat_can_be_accepted_and_nothing_else(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = written(path, shop(patterns=HOT))
    assert main(("design", name, "--quick", "--allow-hot")) == 0
    assert "TOO HOT" in capsys.readouterr().out
    assert main(("design", written(path, shop(patterns=HOT, constraints={"budget": 1})), "--quick", "--allow-hot")) == 3


@pytest.mark.parametrize(
    ("command", "fails"), [("cost", ["budget"]), ("heat", ["heat", "size"]), ("prove", ["unproven"])], ids=str
)
def test_other_commands_judge_what_they_show(
    command: str, fails: list[str], path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for kind, spec, told in FAILING:
        status = main((command, written(path, spec)))
        assert (status, told in " ".join(capsys.readouterr().out.split())) == (3 if kind in fails else 0, kind in fails)


def test_heat_accepts_what_it_is_told_to(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("heat", written(path, shop(patterns=HOT)), "--allow-hot", "--json")) == 0
    assert json.loads(capsys.readouterr().out)["findings"]


# ---- latency --------------------------------------------------------------------------------------------------------


def latency_of(spec: dict[str, Any], path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    main(("design", written(path, spec), "--quick", "--json"))
    return [each["text"] for each in json.loads(capsys.readouterr().out)["verdicts"] if each["kind"] == "latency"]


def test_a_high_percentile_is_slower_than_the_average(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, fails in (("6 ms", False), ("p50 6 ms", False), ("p99 6 ms", True), ("p99 10 ms", False)):
        assert bool(latency_of(shop(patterns={"AP1": {"latency": words}}), path, capsys)) is fails, words


def test_pages_are_asked_one_after_the_other(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """1,000 orders of 4 KB each are four pages of 1 MB."""
    order = {
        "id": ["customerId", "orderId"],
        "attributes": {"customerId": {"cardinality": 10}},
        "count": 10_000,
        "size_bytes": "4 KB",
    }
    whole = {"by": ["customerId", "orderId"]}
    for words, fails in (("20 ms", False), ("19 ms", True)):
        spec = shop(entities={"Order": order}, patterns={"AP1": whole, "AP2": {"latency": words}, "AP3": whole})
        assert [each.split(" take")[0] for each in latency_of(spec, path, capsys)] == (
            ["AP2: 4 requests one after the other"] if fails else []
        )


def test_a_write_waits_for_what_it_looks_up(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    user = {"id": "userId", "attributes": {"email": {"required": True}}, "unique": "email", "count": 1000}
    change = {"kind": "write", "op": "update", "entity": "User", "by": "userId", "changes": ["email"], "rate": 1}
    for words, fails in (("10 ms", False), ("9 ms", True)):
        spec = {
            "name": "people",
            "entities": {"User": user},
            "access_patterns": [{"id": "AP1", "latency": words, **change}],
        }
        assert bool(latency_of(spec, path, capsys)) is fails, words


# ---- designs that are kept ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.name)
def test_published_designs_are_neither_hot_nor_too_large(each: Any) -> None:
    """What an application is published with may be unproven: its conditions are in words."""
    assert {found.kind for found in failed_verdicts(golden(each.name))} <= {"unproven"}


# ---- estimates that runs found to be wrong --------------------------------------------------------------------------


def test_a_wrong_estimate_is_a_failed_verdict(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the runs had taken a hundred times as much."""
    check = estimates.check_estimates

    def find_more(design: Design) -> EstimateReport:
        report = check(design)
        first = msgspec.structs.replace(report.patterns[0], measured_rcu=50.0, passed=False)
        return msgspec.structs.replace(report, patterns=(first, *report.patterns[1:]), passed=False)

    monkeypatch.setattr(estimates, "check_estimates", find_more)
    path.write_text(json.dumps(SHOP))
    assert main(("prove", str(path))) == 3
    assert "WRONG ESTIMATE: AP1: runs took 50 units, and 0.5 are estimated." in capsys.readouterr().out
    assert main(("design", "--quick", "--prove", "--json", str(path))) == 3
    said = capsys.readouterr()
    found = read_design(said.out)
    assert {each.kind for each in found.verdicts} == {"estimates"}
    assert "WRONG ESTIMATE: AP1" in said.err
    assert verdict(found) == "its estimates FAILED when it was run"
