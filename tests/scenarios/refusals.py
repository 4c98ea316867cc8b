"""What DynamoDB refuses, and how it is told."""

from __future__ import annotations

import pytest

import tablewright as tw
from tests.scenarios.museum import Exhibit, exhibit
from tests.scenarios.ways import Run

SEVEN = Exhibit.key("Uffizi", number=7)


def a_table_that_is_not_there(run: Run) -> None:
    for operation in (SEVEN.get(), exhibit(7).put(), SEVEN.delete(), Exhibit.in_house("Uffizi"), Exhibit.scan()):
        with pytest.raises(tw.ServiceError) as failed:
            run(operation.with_options(table="elsewhere"))
        assert failed.value.name == "ResourceNotFoundException"


def an_index_that_is_not_there(run: Run) -> None:
    with pytest.raises(tw.ServiceError) as failed:
        run(Exhibit.by_title("Uffizi").with_options(params={"IndexName": "gsi9"}))
    assert failed.value.name in ("ValidationException", "ResourceNotFoundException")


def an_item_that_is_too_large(run: Run) -> None:
    with pytest.raises(tw.ServiceError) as failed:
        run(exhibit(7, photo=bytes(400 * 1024)).put())
    assert failed.value.name == "ValidationException"
    assert "size" in failed.value.service_message
    assert run(SEVEN.get()) is None


def a_request_that_makes_no_sense(run: Run) -> None:
    with pytest.raises(tw.ServiceError) as failed:
        run(SEVEN.get().with_options(params={"ProjectionExpression": "select"}))
    assert failed.value.name == "ValidationException"
    assert "reserved keyword" in failed.value.service_message


def a_change_that_does_not_fit_what_is_stored(run: Run) -> None:
    run(exhibit(7, free="text").put())
    with pytest.raises(tw.ServiceError) as failed:
        run(SEVEN.patch(Exhibit.free.add(1)))
    assert failed.value.name == "ValidationException"
    found = run(SEVEN.get())
    assert found is not None
    assert found.free == "text"


def a_failed_condition_is_its_own_error(run: Run) -> None:
    with pytest.raises(tw.ConditionFailed) as failed:
        run(SEVEN.remove())
    assert failed.value.name == "ConditionalCheckFailedException"
    assert failed.value.service_message == "The conditional request failed"


def a_failure_leaves_the_way_open(run: Run) -> None:
    for _ in range(3):
        with pytest.raises(tw.ConditionFailed):
            run(SEVEN.remove())
        run(exhibit(7).create())
        run(SEVEN.remove())
