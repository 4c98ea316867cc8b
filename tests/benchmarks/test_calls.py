from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from benchmarks.calls import bars
from benchmarks.calls.clients import lower_bound, ours
from benchmarks.calls.contenders import BOTOCORE, FAST, LOWER_BOUND, TABLE_RESOURCE, THROUGH_BOTOCORE, server
from benchmarks.calls.worker import check, close
from benchmarks.calls.workload import EXPECTED, OPERATIONS, PAGE, answers

if TYPE_CHECKING:
    from benchmarks.calls.client import Open

NAMES = (LOWER_BOUND, FAST, THROUGH_BOTOCORE, BOTOCORE, TABLE_RESOURCE)


def test_answers_have_the_sizes_that_are_told() -> None:
    found = answers()
    one = json.loads(found["GetItem"])["Item"]
    assert len(json.dumps(one, separators=(",", ":"))) == pytest.approx(860, abs=30)
    assert len(found["Query"]) == pytest.approx(86_000, abs=2_000)


@pytest.mark.parametrize(
    "opening",
    [lower_bound.open_client, ours.open_fast, ours.open_asyncio, ours.open_botocore, ours.open_embedded],
)
def test_clients_read_what_the_server_gives(opening: Open) -> None:
    expected = {"get": EXPECTED, "query": EXPECTED, "count": PAGE}
    with server() as endpoint:
        client = opening(endpoint)
        assert check(client) == expected
        close(client)


def test_bars_are_met_or_missed_by_the_figures() -> None:
    times = {operation: dict.fromkeys(NAMES, 100.0) for operation in OPERATIONS}
    times["get"] = {**times["get"], FAST: 10.0, LOWER_BOUND: 4.0}
    cold = {"empty interpreter": (20.0, 8.0), FAST: (120.0, 20.0), TABLE_RESOURCE: (398.0, 46.0)}
    verdicts = {goal.what: goal.met for goal in bars.goals({"alone": times, "busy": times}, cold)}
    assert verdicts["get, alone: less CPU than the botocore client"]
    assert not verdicts["get, busy: less CPU than the botocore client"]
    assert not verdicts["get: over the lower bound"]
    assert verdicts["query through botocore: against boto3 Table"]
    assert verdicts["import and first get: CPU"]
    assert not any("pydynox" in what for what in verdicts), "who is not there is not compared with"
