"""Failures that an engine's instruments cause are tried again; a clock that is stepped by hand is stepped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from tablewright.engine import Engine
from tablewright.engine.simulation import Clock, Failure, Instruments, every
from tablewright.errors import OutcomeUnknown, ServiceError, Throttled, TransactionCancelled
from tablewright.runtime.backoff import Retry
from tablewright.runtime.transports.embedded import AsyncEmbedded, Embedded
from tablewright.runtime.transports.trace import Trace
from tablewright.wire.call import Call

TABLE: dict[str, Any] = {
    "TableName": "things",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}
KEY: dict[str, Any] = {"pk": {"S": "a"}}
GET = Call("GetItem", {"TableName": "things", "Key": KEY})
PUT = Call("PutItem", {"TableName": "things", "Item": KEY})
CREATE = Call("PutItem", {**PUT.params, "ConditionExpression": "attribute_not_exists(pk)"})
ONE = {"ExpressionAttributeValues": {":one": {"N": "1"}}, "UpdateExpression": "ADD n :one"}
COUNT = Call("UpdateItem", {"TableName": "things", "Key": KEY, **ONE})
TRANSACT = Call("TransactWriteItems", {"TransactItems": [{"Update": COUNT.params}]})

Carry = Callable[..., bytes]


def carry_blocking(engine: Engine, call: Call, trace: Trace | None = None, **more: Any) -> bytes:
    return Embedded(engine, **more).call(call, trace)


def carry_awaited(engine: Engine, call: Call, trace: Trace | None = None, **more: Any) -> bytes:
    return asyncio.run(AsyncEmbedded(engine, **more).call(call, trace))


@pytest.fixture(params=[carry_blocking, carry_awaited])
def carry(request: pytest.FixtureRequest) -> Carry:
    found: Carry = request.param
    return found


def failing(*failures: Failure | None) -> Instruments:
    script: Iterator[Failure | None] = iter([None, *failures])  # the first call makes the table
    return Instruments(failures=lambda _action, _params: next(script, None))


def engine_with(instruments: Instruments) -> Engine:
    engine = Engine(clock=Clock(), instruments=instruments)
    engine.call("CreateTable", TABLE)
    return engine


def count_of(engine: Engine) -> str | None:
    found = engine.call("GetItem", GET.params).get("Item", {}).get("n")
    return None if found is None else found["N"]


def test_throttling_passes_and_nobody_waits(carry: Carry) -> None:
    throttling = Failure("ThrottlingException")
    trace = Trace()
    with engine_with(failing(throttling, throttling, throttling)) as engine:
        before = engine.clock()
        carry(engine, COUNT, trace)
        assert count_of(engine) == "1"
        assert trace.attempts == 4
        assert trace.faults == ["ThrottlingException"] * 3
        assert engine.clock() - before == pytest.approx(trace.waited_seconds, abs=1e-5)  # of seconds since 1970


def test_throttling_that_stays_is_raised(carry: Carry) -> None:
    always = every(1, "ProvisionedThroughputExceededException", actions=["PutItem"])
    with engine_with(Instruments(failures=always)) as engine, pytest.raises(Throttled):
        carry(engine, PUT, retry=Retry(attempts=3))


def test_a_lost_answer_to_a_counter_is_not_hidden(carry: Carry) -> None:
    with engine_with(failing(Failure(after=True))) as engine:
        with pytest.raises(OutcomeUnknown):
            carry(engine, COUNT)
        assert count_of(engine) == "1"


def test_a_lost_answer_to_a_transaction_counts_once(carry: Carry) -> None:
    with engine_with(failing(Failure(after=True), Failure())) as engine:
        carry(engine, TRANSACT)
        assert count_of(engine) == "1"


def test_a_lost_answer_to_a_put_is_found_again(carry: Carry) -> None:
    with engine_with(failing(Failure(after=True))) as engine:
        assert carry(engine, PUT) == b"{}"


def test_a_lost_answer_to_a_create_cannot_be_told(carry: Carry) -> None:
    with engine_with(failing(Failure(after=True))) as engine, pytest.raises(OutcomeUnknown) as caught:
        carry(engine, CREATE)
    assert isinstance(caught.value.__cause__, ServiceError)


def test_conflicts_pass(carry: Carry) -> None:
    asked: list[str] = []

    def busy(table: str, _item: Any) -> bool:
        asked.append(table)
        return len(asked) <= 2

    with engine_with(Instruments(conflicts=busy)) as engine:
        carry(engine, TRANSACT)
        assert count_of(engine) == "1"
    assert len(asked) > 2


def test_conflicts_that_stay_are_raised(carry: Carry) -> None:
    held = Instruments(conflicts=lambda _table, _item: True)
    with engine_with(held) as engine, pytest.raises(TransactionCancelled):
        carry(engine, TRANSACT, retry=Retry(attempts=2))


def test_without_instruments_the_request_goes_in_as_it_is(carry: Carry) -> None:
    with Engine() as engine:
        engine.call("CreateTable", TABLE)
        trace = Trace()
        carry(engine, TRANSACT, trace)
        assert trace == Trace(attempts=1)
        assert msgspec.json.decode(carry(engine, GET))["Item"]["n"] == {"N": "1"}
        with pytest.raises(ServiceError, match="ConditionalCheckFailed"):
            carry(engine, CREATE)
