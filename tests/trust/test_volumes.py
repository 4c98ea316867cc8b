"""What the tool says in numbers, against what an expert worked out by hand: `volumes/README.md`.

Everything goes through the command line, as a stranger would use it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

VOLUMES = Path(__file__).parent / "volumes"
APPLICATIONS = [
    pytest.param(name, marks=[pytest.mark.slow] if name in {"archive", "auction", "clicks"} else [])
    for name in sorted(path.name.removesuffix(".expected.yaml") for path in VOLUMES.glob("*.expected.yaml"))
]


class Outcome(NamedTuple):
    """How a command ended, and what it printed."""

    exit: int
    stdout: str
    stderr: str

    @property
    def design(self) -> dict[str, Any]:
        return json.loads(self.stdout)


@cache
def run(command: str, spec: str, *options: str) -> Outcome:
    """Runs a command of the tool on one of the specs."""
    words = [sys.executable, "-m", "tablewright.cli", command, str(VOLUMES / f"{spec}.yaml"), *options]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return Outcome(done.returncode, done.stdout, done.stderr)


def designed(spec: str) -> dict[str, Any]:
    """The design of a spec that needs no advice."""
    return run("design", spec, "--quick", "--json").design


@pytest.mark.parametrize("name", APPLICATIONS)
def test_an_application_costs_and_bears_what_an_expert_expects(name: str) -> None:
    expected = yaml.safe_load((VOLUMES / f"{name}.expected.yaml").read_text())
    outcome = run("design", name, "--quick", "--json", "--prove")
    assert outcome.exit == expected["exit"], outcome.stderr
    design = outcome.design
    assert design["proof"]["passed"]
    assert design["proof"]["estimates"]["passed"]
    differences = [
        *_units(expected, design),
        *_bill(expected, design),
        *_heat(expected, design),
        *_assumptions(expected, design),
        *_influence(design),
    ]
    assert differences == []


def _units(expected: Mapping[str, Any], design: Mapping[str, Any]) -> Iterator[str]:
    predicted = {pattern["id"]: pattern["predicted"] for pattern in design["patterns"]}
    for pattern, ranges in expected["patterns"].items():
        for what, bounds in ranges.items():
            yield from _outside(f"{pattern} {what}", predicted[pattern][what], bounds)


def _bill(expected: Mapping[str, Any], design: Mapping[str, Any]) -> Iterator[str]:
    yield from _outside("usd_per_month", design["cost"]["usd_per_month"], expected["usd_per_month"])
    indexes = sum(len(table["gsis"]) for table in design["tables"])
    yield from _outside("gsis", indexes, [0, expected["gsis_at_most"]])
    for item in design["items"]:
        keys = [json.dumps([key[part] for part in ("partition", "lead", "rest")]) for key in item["keys"]]
        yield from (f"{item['name']} has the key {key} twice" for key in sorted({*keys}) if keys.count(key) > 1)


def _heat(expected: Mapping[str, Any], design: Mapping[str, Any]) -> Iterator[str]:
    hot = {pattern for finding in _hot_findings(design) for pattern in finding["patterns"]}
    for pattern in expected["hot"]:
        if pattern not in hot:
            yield f"{pattern} is not said to be hot"
    if hot and not expected["hot"]:
        yield f"said to be hot: {sorted(hot)}"
    if "hot_wcu" in expected:
        hottest = max(each["wcu_per_second"] for each in design["heat"]["partitions"])
        yield from _outside("wcu of the hottest partition", hottest, expected["hot_wcu"])
    for attributes, loads in expected.get("partitions", {}).items():
        yield from _loads(attributes, loads, design)
    for pattern, bounds in expected.get("shards", {}).items():
        steps = next(each["reads"] for each in design["patterns"] if each["id"] == pattern)
        yield from _outside(f"shards of {pattern}", max(step["shards"] for step in steps), bounds)


def _loads(attribute: str, loads: Mapping[str, Any], design: Mapping[str, Any]) -> Iterator[str]:
    """What lies outside of the load that the table's partitions by this one attribute should bear."""
    keys = [
        each
        for each in design["heat"]["partitions"]
        if each["place"] == "table" and each["partition_key"].endswith(f"#{attribute}_{{{attribute}}}")
    ]
    if len(keys) != 1:
        yield f"{len(keys)} partition keys of the table are {attribute}"
    for key in keys:
        for what, bounds in loads.items():
            yield from _outside(f"{what} of {attribute}", key[f"{what}_per_second"], bounds)


def _assumptions(expected: Mapping[str, Any], design: Mapping[str, Any]) -> Iterator[str]:
    taken = [*design["assumptions"], *design["cost"]["assumptions"]]
    said = [f"{each['place']}: {each['taken']}" for each in taken]
    for words in expected["assumed"]:
        if not any(all(word in text for word in words) for text in said):
            yield f"not among the assumptions: {words}"
    for attribute in expected["not_assumed"]:
        guessed = [text for text in said if f".{attribute}.cardinality" in text or f".{attribute}.values" in text]
        yield from (f"assumed, but it follows from the spec: {text}" for text in guessed)


def _influence(design: Mapping[str, Any]) -> Iterator[str]:
    """What a bill on demand does not rest on leaves it as it is: influence is measured from the bill that is shown."""
    usd = design["cost"]["usd_per_month"]
    for each in (*design["assumptions"], *design["cost"]["assumptions"]):
        if each["place"] == "billing.utilisation":
            yield from _outside("the bill with other provisioned units", each["usd_at_tenth"], [usd, usd])


def _hot_findings(design: Mapping[str, Any]) -> list[dict[str, Any]]:
    findings = design["heat"]["findings"]
    return [each for each in findings if each["severity"] == "error" and each["kind"].startswith("hot-")]


def _outside(what: str, value: float, bounds: list[float]) -> Iterator[str]:
    low, high = bounds
    if not low * 0.9999 <= value <= high * 1.0001:
        yield f"{what}: {value:,.6g}, expected {low:,.6g} to {high:,.6g}"


def _predicted(design: Mapping[str, Any], pattern: str) -> dict[str, float]:
    return next(each["predicted"] for each in design["patterns"] if each["id"] == pattern)


def _count(design: Mapping[str, Any], entity: str) -> float:
    return next(each["counts"]["0"] for each in design["cost"]["entities"] if each["entity"] == entity)


def _assumed(design: Mapping[str, Any]) -> list[str]:
    return [each["place"] for each in design["assumptions"]]


def _keys(design: Mapping[str, Any]) -> list[list[Any]]:
    return [[item["name"], key["pk"], key["sk"]] for item in design["items"] for key in item["keys"]]


def test_what_lives_a_week_is_counted_by_its_puts() -> None:
    design = designed("small/ttl_count")
    assert 60e6 < _count(design, "Ping") < 78e6
    assert "entities.Ping.count" not in _assumed(design)
    assert 170 < design["cost"]["usd_per_month"] < 182


def test_what_grows_is_at_least_what_a_month_adds() -> None:
    design = designed("small/growth_alone")
    assert _count(design, "Sale") == pytest.approx(3e6)
    assert _predicted(design, "AP1")["items"] == pytest.approx(3e6 * 24 / 730, rel=0.01)


def test_only_what_has_a_coupon_is_listed_by_it() -> None:
    design = designed("small/rare_coupon")
    assert _predicted(design, "AP1")["items"] == pytest.approx(400, rel=0.01)
    assert 10 <= _predicted(design, "AP1")["rcu"] <= 18
    assert _predicted(design, "AP2")["wcu"] == pytest.approx(1.02, abs=0.001)


def test_days_that_exist_are_those_before_expiry() -> None:
    design = designed("small/days_with_ttl")
    assert 93_000 <= _predicted(design, "AP1")["items"] <= 100_001
    assert 2_400 <= _predicted(design, "AP1")["rcu"] <= 4_300


def test_an_unknown_number_is_said_and_asked_for_first() -> None:
    assert "entities.Bill.attributes.region.cardinality" in _assumed(designed("small/unknown_region"))
    questions = json.loads(run("ask", "small/unknown_region", "--json").stdout)
    assert "region" in json.dumps(questions[0])


def test_an_item_that_everybody_reads_lies_there_several_times() -> None:
    outcome = run("design", "small/hot_get", "--quick", "--json")
    assert outcome.exit == 0
    assert _hot_findings(outcome.design) == []
    (read,) = outcome.design["patterns"][0]["reads"]
    assert read["copies"] == 3, "4,500 units a second, at 70% of 3,000 each"
    assert max(each["rcu_per_second"] for each in outcome.design["heat"]["partitions"]) == pytest.approx(1500, rel=0.01)


def test_no_key_spreads_one_item() -> None:
    outcome = run("design", "small/hot_get_alone", "--quick", "--json")
    assert outcome.exit == 3
    assert [each["kind"] for each in _hot_findings(outcome.design)] == ["hot-item-read"]
    assert max(each["rcu_per_second"] for each in outcome.design["heat"]["partitions"]) == pytest.approx(4500, rel=0.01)


def test_skew_means_the_same_in_both_forms() -> None:
    plain, named = designed("small/skew_plain"), designed("small/skew_named")
    assert _keys(plain) == _keys(named)
    assert plain["cost"]["usd_per_month"] == named["cost"]["usd_per_month"]
    assert plain["heat"]["partitions"] == named["heat"]["partitions"]
    assert _hot_findings(named) == []
    assert max(each["wcu_per_second"] for each in named["heat"]["partitions"]) == pytest.approx(400, rel=0.01)


def test_a_boolean_has_two_values() -> None:
    assert _predicted(designed("small/yes_or_no"), "AP1")["items"] == pytest.approx(1000, rel=0.01)


def test_a_limit_that_is_never_reached_costs_nothing() -> None:
    design = designed("small/short_list")
    assert _count(design, "Chapter") == pytest.approx(1.2e6)
    assert [_predicted(design, each)["items"] for each in ("AP1", "AP2")] == [12, 12]
    assert [_predicted(design, each)["rcu"] for each in ("AP1", "AP2")] == [2, 4]


def test_a_budget_that_is_exceeded_fails() -> None:
    outcome = run("design", "small/over_budget", "--quick", "--json")
    assert outcome.exit == 3
    assert 80 < outcome.design["cost"]["over_budget_usd_per_month"] < 82


def test_an_item_that_dynamodb_does_not_take_is_refused() -> None:
    outcome = run("design", "small/too_large", "--quick", "--json")
    assert outcome.exit not in {0, 3}
    assert "400 KB" in outcome.stderr


def test_rates_in_words_are_read_or_listed() -> None:
    design = designed("small/rate_words")
    rates = {each["pattern"]: each["avg_per_second"] for each in design["cost"]["patterns"]}
    assert rates["AP1"] == pytest.approx(2_000_000 / 86_400)
    assert rates["AP2"] == pytest.approx(556)
    assert "access_patterns.AP3.rate" in _assumed(design)


def test_what_is_unique_together_is_one_item() -> None:
    design = designed("small/two_columns")
    assert _predicted(design, "AP1")["items"] <= 2
    assert _predicted(design, "AP1")["rcu"] <= 1
    assert _hot_findings(design) == []
