"""Random schemas and calls, made on ElectroDB and on us: the same requests, the same errors, and DynamoDB takes ours.

A seed is a batch: all of it runs in one Node process. What may differ is told in `judging.py`.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tablewright.engine import Engine
from tests.conformance.electrodb.sendable import Tables
from tests.conformance.generated.calls import call
from tests.conformance.generated.judging import verdict
from tests.conformance.generated.schemas import schema
from tests.conftest import Node

SCHEMAS = 60
CALLS = 6
SEEDS = [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 12))]


@pytest.fixture
def tables() -> Iterator[Tables]:
    with Engine() as engine:
        yield Tables(engine)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Random calls do what one is warned of."""
    log = logging.getLogger("tablewright")
    level = log.level
    log.setLevel(logging.ERROR)
    yield
    log.setLevel(level)


def batch(seed: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    models: dict[str, Any] = {}
    cases: list[dict[str, Any]] = []
    for number in range(SCHEMAS):
        random, name = Random(f"{seed}-{number}"), f"schema{number}"
        models[name] = schema(random)
        cases += [
            {"id": f"{name}-{at}", "title": "", "model": name, **call(random, models[name])} for at in range(CALLS)
        ]
    return models, cases


@pytest.mark.parametrize("seed", SEEDS)
def test_random_calls_come_out_as_in_electrodb(seed: int, node: Node, tables: Tables) -> None:
    models, cases = batch(seed)
    expected = node.run("record.cjs", {"models": models, "cases": cases})
    recorded = [{**case, "expected": each} for case, each in zip(cases, expected, strict=True)]
    wrong = {
        case["id"]: (case, models[case["model"]], found)
        for case in recorded
        if (found := verdict(models, case, tables))
    }
    assert wrong == {}
    outcomes = Counter("error" if "error" in each else "request" for each in expected)
    assert outcomes["request"] > len(cases) // 3, "too many of the random calls are refused to tell anything"
    assert sum(name is not None for name in tables.names.values()) > SCHEMAS // 2, "too few tables could be made"
