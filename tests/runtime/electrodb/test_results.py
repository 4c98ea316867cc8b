from __future__ import annotations

import logging
import threading
from typing import Any

import pytest

from tablewright.errors import Aborted, ConditionFailed, ServiceError, service_error
from tablewright.runtime.transports.recorded import Recorded
from tests.runtime.harbor import berth, harbor, stored


class TooBusyError(Exception):
    """What a client library would raise."""


def failing(name: str, **details: Any) -> ServiceError:
    error = service_error(name, "no", details)
    error.__cause__ = TooBusyError(name)
    return error


def test_a_page_has_data_and_cursor() -> None:
    client = Recorded([{"Items": [stored(vessel="V")], "LastEvaluatedKey": {"pk": "p", "sk": "s"}}])
    page = berth(client).query.main(harbor="H").go()
    assert [item["vessel"] for item in page["data"]] == ["V"]
    again = Recorded([{"Items": []}])
    assert berth(again).query.main(harbor="H").go(cursor=page["cursor"]) == {"data": [], "cursor": None}
    assert again.requests[0][1]["ExclusiveStartKey"] == {"pk": "p", "sk": "s"}


def test_items_of_others_are_left_out() -> None:
    foreign = {**stored(), "__edb_e__": "other"}
    assert berth(Recorded([{"Item": foreign}])).get(harbor="H", slot=7).go() == {"data": None}


def test_listeners_hear_of_the_request_and_its_result() -> None:
    heard: list[dict[str, Any]] = []
    entity = berth(Recorded([{}]), listeners=[heard.append])
    entity.delete(harbor="H", slot=7).go(logger=heard.append)
    assert [(event["type"], event["method"]) for event in heard] == [
        ("query", "delete"),
        ("query", "delete"),
        ("results", "delete"),
        ("results", "delete"),
    ]
    assert heard[-1]["success"] is True


def test_a_listener_that_fails_does_not_matter(caplog: pytest.LogCaptureFixture) -> None:
    def broken(event: dict[str, Any]) -> None:
        raise ValueError(event["type"])

    with caplog.at_level(logging.ERROR, "tablewright"):
        assert berth(Recorded([{}])).get(harbor="H", slot=7).go(listeners=[broken]) == {"data": None}
    assert "a listener failed on a query event" in caplog.text


def test_listeners_hear_of_failures() -> None:
    heard: list[dict[str, Any]] = []
    with pytest.raises(ServiceError):
        berth(Recorded([failing("ThrottlingException")])).get(harbor="H", slot=7).go(listeners=[heard.append])
    assert heard[-1]["success"] is False
    assert heard[-1]["results"].name == "ThrottlingException"


def test_an_operation_can_be_called_off_between_requests() -> None:
    stop = threading.Event()
    client = Recorded([{"Items": [], "LastEvaluatedKey": {"pk": "p", "sk": "s"}}, {"Items": []}])
    with pytest.raises(Aborted) as aborted:
        berth(client).query.main(harbor="H").go(pages="all", abort=stop, listeners=[lambda _: stop.set()])
    assert aborted.value.code == 4002
    assert len(client.requests) == 1


def test_the_original_error_is_raised_when_asked_for() -> None:
    with pytest.raises(TooBusyError):
        berth(Recorded([failing("ThrottlingException")])).get(harbor="H", slot=7).go(original_err=True)


def test_a_failed_condition_raises_or_is_an_answer() -> None:
    def run(**options: Any) -> Any:
        old = {"pk": {"S": "p"}, "__edb_e__": {"S": "berth"}, "__edb_v__": {"S": "1"}, "vessel": {"S": "V"}}
        client = Recorded([failing("ConditionalCheckFailedException", Item=old)])
        return berth(client).remove(harbor="H", slot=7).go(**options)

    with pytest.raises(ConditionFailed):
        run()
    assert run(return_on_condition_check_failure=True) == {"rejected": True}
    assert run(return_on_condition_check_failure="all_old") == {"rejected": True, "data": {"vessel": "V"}}


def test_count_goes_on_until_enough_are_found() -> None:
    pages = [
        {"Items": [stored(slot=1)], "LastEvaluatedKey": {"pk": "p", "sk": "s"}},
        {"Items": [stored(slot=2), stored(slot=3)]},
    ]
    page = berth(Recorded(pages)).query.main(harbor="H").go(count=2)
    assert [item["slot"] for item in page["data"]] == [1, 2]
    assert page["cursor"] is not None


def test_hydrate_reads_whole_items_page_by_page() -> None:
    keys = [{"pk": item["pk"], "sk": item["sk"]} for item in (stored(slot=1), stored(slot=2))]
    client = Recorded(
        [
            {"Items": keys[:1], "LastEvaluatedKey": keys[0]},
            {"Responses": {"port": [stored(slot=1)]}},
            {"Items": keys[1:]},
            {"Responses": {"port": []}},
        ]
    )
    found = berth(client).query.byVessel(vessel="V").go(hydrate=True, pages="all")
    assert [item["slot"] for item in found["data"]] == [1]
    assert found["unprocessed"] == keys[1:]
    assert [action for action, _ in client.requests] == ["Query", "BatchGetItem", "Query", "BatchGetItem"]


def test_batches_keep_the_order_when_asked_to() -> None:
    client = Recorded([{"Responses": {"port": [stored(slot=2), stored(slot=1)]}}])
    found = berth(client).get([{"harbor": "H", "slot": slot} for slot in (1, 2, 3)]).go(preserve_batch_order=True)
    assert [item and item["slot"] for item in found["data"]] == [1, 2, None]


def test_a_cancelled_transaction_is_an_answer() -> None:
    reasons = [{"Code": "None"}, {"Code": "ConditionalCheckFailed", "Message": "no"}]
    client = Recorded([failing("TransactionCanceledException", CancellationReasons=reasons)])
    service = harbor(client)
    answer = service.transaction.write(
        lambda berths, captains: [
            berths.delete(harbor="H", slot=1).commit(),
            captains.check(name="N").where(lambda a, op: op.exists(a.vessel)).commit(),
        ]
    ).go()
    assert answer["canceled"] is True
    assert [each["rejected"] for each in answer["data"]] == [False, True]


def test_a_cancelled_transaction_without_reasons_raises() -> None:
    service = harbor(Recorded([failing("TransactionCanceledException")]))
    with pytest.raises(ServiceError):
        service.transaction.write(lambda berths, captains: [berths.delete(harbor="H", slot=1).commit()]).go()
