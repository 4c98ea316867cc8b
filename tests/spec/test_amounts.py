"""Amounts in the forms people write them, each as the number the model has."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.schema.form.kinds import Kind, Misplaced, Reading
from tablewright.spec.amounts import BYTES, LIFETIME, MANY, PER_MONTH, PER_SECOND, SHARE
from tablewright.spec.kinds import AMOUNT, COUNT, LATENCY, MANY_WHOLE

FORMS: list[tuple[Kind, Any, float]] = [
    (MANY, 1000, 1000),
    (MANY, "1_000", 1000),
    (MANY, "1,000", 1000),
    (MANY, "10k", 10_000),
    (MANY, "1.5M", 1_500_000),
    (MANY, "2B", 2_000_000_000),
    (BYTES, 300, 300),
    (BYTES, "300 B", 300),
    (BYTES, "2 KB", 2048),
    (BYTES, "2kb", 2048),
    (BYTES, "1.5 MB", 1_572_864),
    (PER_SECOND, 100, 100),
    (PER_SECOND, 0.5, 0.5),
    (PER_SECOND, "100/s", 100),
    (PER_SECOND, "6000/min", 100),
    (PER_SECOND, "1k per second", 1000),
    (PER_SECOND, "7200 an hour", 2),
    (PER_SECOND, "864k/day", 10),
    (PER_MONTH, 5000, 5000),
    (PER_MONTH, "10k/month", 10_000),
    (LIFETIME, 30, 30),
    (LIFETIME, "30d", 30),
    (LIFETIME, "90 days", 90),
    (LIFETIME, "12h", 0.5),
    (LIFETIME, "2 weeks", 14),
    (LIFETIME, "1 year", 365),
    (SHARE, 0.05, 0.05),
    (SHARE, "5%", 0.05),
]


@pytest.mark.parametrize(("kind", "written", "meant"), FORMS)
def test_a_form_means_a_number(kind: Kind, written: Any, meant: float) -> None:
    assert kind.read(written, Reading()) == pytest.approx(meant)


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        (MANY, "many"),
        (MANY, -1),
        (MANY, True),
        (MANY, "10x"),
        (BYTES, "2 GB"),
        (BYTES, "0.3 B"),
        (PER_SECOND, "100/fortnight"),
        (PER_SECOND, "often"),
        (LIFETIME, "a while"),
        (SHARE, "120%"),
        (SHARE, 2),
    ],
)
def test_anything_else_is_refused_with_an_example(kind: Kind, written: Any) -> None:
    with pytest.raises(Misplaced, match=r"such as|between"):
        kind.read(written, Reading())


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), 10**400, 10**5000, 1e16, "9" * 5000, "9" * 400 + "/s"], ids=range(7)
)
@pytest.mark.parametrize(
    "kind", [MANY, BYTES, PER_SECOND, PER_MONTH, LIFETIME, SHARE, AMOUNT, COUNT, LATENCY, MANY_WHOLE], ids=range(10)
)
def test_an_amount_that_nobody_has_is_refused_in_few_words(kind: Kind, value: Any) -> None:
    if kind is LATENCY and isinstance(value, str):
        return  # words
    with pytest.raises(Misplaced, match=r"x: .+ is (not|more than)") as refused:
        kind.read(value, Reading() / "x")
    assert len(refused.value.problem) < 250
