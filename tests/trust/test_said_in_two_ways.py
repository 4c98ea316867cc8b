"""One number said in two ways is one number: the same keys, the same units, the same bill, the same heat."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest

from tablewright import tasks
from tablewright.spec.read import read_spec

SHOP = """
name: shop
entities:
  Customer: {{id: customerId, attributes: {{name: {{required: true}}}}, count: 10k}}
  Order:
    id: orderId
    attributes:
      {buyer}: {buyer_is}
      state: {state}
      placedOn: {{type: date, required: true, immutable: true}}
      note: {note}
    {count}
    {growth}
    {ttl}
relationships: {relationships}
access_patterns:
  - {{id: AP1, kind: query, entity: Order, by: {buyer}, rate: {rate}, skew: {skew}}}
  - {{id: AP2, kind: query, entity: Order, by: [{buyer}, state], sort: placedOn, rate: 5}}
  - {{id: AP3, kind: query, entity: Order, by: placedOn, rate: 0.01}}
  - {{id: AP4, kind: write, op: put, entity: Order, by: orderId, condition: not exists, rate: {{avg: 2, peak: 10}}}}
  - {{id: AP5, kind: get, entity: Customer, by: customerId, rate: 1}}
  - {{id: AP6, kind: write, op: put, entity: Customer, by: customerId, rate: 100/day}}
"""
SAID = {
    "buyer": "customerId",
    "buyer_is": "{required: true, immutable: true}",
    "state": "{values: [new, old], required: true}",
    "note": "{size_bytes: 100, required: true}",
    "count": "count: 1M",
    "growth": "growth: 30k/month",
    "ttl": "",
    "relationships": "[]",
    "rate": "60/min",
    "skew": "hottest 5%",
}
CHILD = '[{from: Customer, to: Order, kind: "1:n", by: %s, avg: 100}]'
OTHER_WORDS: dict[str, dict[str, str]] = {
    "how many values the parent has": {"buyer_is": "{required: true, immutable: true, cardinality: 10k}"},
    "whose id it is": {"buyer_is": "{required: true, immutable: true, references: Customer}"},
    "what a parent has": {"relationships": CHILD % "customerId"},
    "the count by what a parent has": {"relationships": CHILD % "customerId", "count": ""},
    "that all have it": {"note": "{size_bytes: 100, presence: 100%}"},
    "growth in a day": {"growth": "growth: 986.3013698630137/day"},
    "growth by its other name": {"growth": "growth_per_month: 30k"},
    "growth as a share": {"growth": "growth: 3%"},
    "a rate in a second": {"rate": "{avg: 1, peak: 3}"},
    "skew as a number": {"skew": "{hottest: 0.05}"},
    "skew of the attribute": {"skew": "{customerId: hottest 5%}"},
    "skew of the attribute as a number": {"skew": "{customerId: {hottest: 0.05}}"},
}
# The parent's id under another name of the same length, so that sizes stay.
NAMED_OTHERWISE: dict[str, dict[str, str]] = {
    "by references": {"buyer_is": "{required: true, immutable: true, references: Customer}"},
    "by a relationship": {"relationships": CHILD % "boughtById"},
}


def test_the_numbers_are_those_by_hand() -> None:
    """100 orders of a customer, half of them in a state; 30,000 a month are 986 a day."""
    units = _units(SAID)
    assert [units[each]["items"] for each in ("AP1", "AP2")] == [100, 50]
    assert units["AP3"]["items"] == pytest.approx(30_000 * 12 / 365, rel=0.01)


@pytest.mark.parametrize("words", OTHER_WORDS.values(), ids=OTHER_WORDS)
def test_other_words_give_the_same_numbers(words: dict[str, str]) -> None:
    assert _numbers(SAID | words) == _numbers(SAID)


@pytest.mark.parametrize("words", NAMED_OTHERWISE.values(), ids=NAMED_OTHERWISE)
def test_a_foreign_key_needs_no_certain_name(words: dict[str, str]) -> None:
    assert _units(SAID | words | {"buyer": "boughtById"}) == _units(SAID)


def test_what_expires_is_as_many_days_as_it_lives() -> None:
    """1M items at 1M a 365 days are those of a year, whether they expire then or began then."""
    grown = _units(SAID | {"growth": "growth: 83333.33333333333/month"})
    expiring = _units(SAID | {"growth": "", "ttl": "ttl: 365d"})
    assert grown["AP3"]["items"] == pytest.approx(1_000_000 / 365, rel=0.01)
    assert expiring["AP3"]["items"] == pytest.approx(1_000_000 / 365, rel=0.01)


def test_twice_the_traffic_is_twice_the_requests() -> None:
    once = tasks.design(read_spec(SHOP.format(**SAID)), quick=True).cost
    rates = {"rate: 60/min": "rate: 120/min", "rate: 5}": "rate: 10}", "rate: 0.01}": "rate: 0.02}"}
    text = SHOP.format(**SAID)
    for rate, twice in rates.items():
        assert rate.removesuffix("}") in text
        text = text.replace(rate, twice)
    doubled = tasks.design(read_spec(text), quick=True).cost
    reads = {"AP1", "AP2", "AP3"}
    before = {each.pattern: each.read_usd_per_month for each in once.patterns if each.pattern in reads}
    after = {each.pattern: each.read_usd_per_month for each in doubled.patterns if each.pattern in reads}
    assert after == pytest.approx({pattern: 2 * usd for pattern, usd in before.items()})


def _numbers(words: Mapping[str, str]) -> object:
    """Everything about a design that a number of the spec decides."""
    design = tasks.design(read_spec(SHOP.format(**words)), quick=True)
    keys = sorted(  # which of two indexes has the lower number is no matter of numbers
        (item.name, *(str(part.template) for part in (*key.pk, *key.sk))) for item in design.items for key in item.keys
    )
    heat = sorted((each.partition_key, each.rcu_per_second, each.wcu_per_second) for each in design.heat.partitions)
    return _rounded([keys, _predicted(design.patterns), design.cost.usd_per_month, heat])


def _units(words: Mapping[str, str]) -> dict[str, dict[str, float]]:
    return _predicted(tasks.design(read_spec(SHOP.format(**words)), quick=True).patterns)


def _predicted(patterns: tuple) -> dict[str, dict[str, float]]:
    return {each.id: msgspec.to_builtins(each.predicted) for each in patterns}


def _rounded(value: object) -> object:
    """The same with numbers of nine digits, as two ways of saying a number may differ in the last bit."""
    plain = msgspec.to_builtins(value)
    if isinstance(plain, float):
        return float(f"{plain:.9g}")
    if isinstance(plain, dict):
        return {name: _rounded(each) for name, each in plain.items()}
    if isinstance(plain, list | tuple):
        return [_rounded(each) for each in plain]
    return plain
