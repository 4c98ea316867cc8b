"""The loaded style on an engine with troubles: as with ElectroDB, leftovers are returned and never sent again."""

from __future__ import annotations

from typing import Any

import pytest

import tablewright as tw
from tablewright.engine import Engine
from tablewright.engine.simulation import Instruments
from tablewright.engine.simulation.failures import Failure
from tablewright.runtime.backoff import Retry
from tablewright.runtime.transports.embedded import Embedded

SCHEMA = {
    "model": {"entity": "cup", "service": "shelf", "version": "1"},
    "attributes": {"cup": {"type": "string", "required": True}, "size": {"type": "number"}},
    "indexes": {"primary": {"pk": {"field": "pk", "composite": ["cup"]}, "sk": {"field": "sk", "composite": []}}},
}


def shelf(**instruments: Any) -> tuple[Any, Engine]:
    engine = Engine()
    db = tw.Database(Embedded(engine, retry=Retry(attempts=1)))
    loaded = tw.Service.load({"cups": SCHEMA}, table="shelf", client=db)
    db.create(loaded)
    cups = loaded.entities["cups"]
    cups.put([{"cup": f"c{number:02}", "size": number} for number in range(40)]).go()
    engine.instruments = Instruments(account=100, **instruments)
    return cups, engine


def third(_table: str, item: Any) -> bool:
    return item["pk"]["S"].endswith("03")


@pytest.mark.parametrize("concurrent", [1, 3])
def test_what_is_left_over_is_returned(concurrent: int) -> None:
    cups, engine = shelf(unprocessed=third)
    keys = [{"cup": f"c{number:02}"} for number in range(40)]
    found = cups.get(keys).go(concurrent=concurrent)
    assert found["unprocessed"] == [{"cup": "c03"}]
    assert len(found["data"]) == 39
    assert cups.put([{**key, "size": 1} for key in keys]).go(concurrent=concurrent) == {
        "unprocessed": [{"cup": "c03", "size": 1}]
    }
    assert cups.delete(keys).go(unprocessed="raw", concurrent=concurrent) == {
        "unprocessed": [{"pk": "$shelf#cup_c03", "sk": "$cup_1"}]
    }
    assert engine.account is not None
    assert [call.action for call in engine.account] == ["BatchGetItem"] + ["BatchWriteItem"] * 4


def test_a_request_that_fails_is_raised() -> None:
    cups, _ = shelf(
        failures=lambda action, _params: Failure("ThrottlingException") if action == "BatchWriteItem" else None
    )
    with pytest.raises(tw.Throttled):
        cups.put([{"cup": f"c{number:02}"} for number in range(40)]).go(concurrent=2)


def test_a_cancelled_transaction_is_returned_with_its_item() -> None:
    engine = Engine()
    db = tw.Database(Embedded(engine))
    loaded = tw.Service.load({"cups": SCHEMA}, table="shelf", client=db)
    db.create(loaded)
    loaded.entities["cups"].put({"cup": "a", "size": 1}).go()
    answer = loaded.transaction.write(
        lambda cups: [cups.put({"cup": "b"}).commit(), cups.create({"cup": "a"}).commit(response="all_old")]
    ).go()
    assert answer["canceled"] is True
    assert [each["code"] for each in answer["data"]] == ["None", "ConditionalCheckFailed"]
    assert answer["data"][1]["item"] == {"cup": "a", "size": 1}
