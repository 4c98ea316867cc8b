from __future__ import annotations

import pytest

from tablewright.errors import ServiceError, Throttled
from tablewright.runtime.transports.aws.answer import reply_of
from tablewright.runtime.transports.http import Parser, Response
from tablewright.runtime.transports.retry import Failed
from tests.runtime.transports.scripted import answer, refusal


def parsed(data: bytes) -> Response:
    response = Parser().feed(data)
    assert response is not None
    return response


def failure(data: bytes, now: float = 0.0) -> Failed:
    with pytest.raises(Failed) as failed:
        reply_of(parsed(data), lambda: now)
    return failed.value


def test_the_type_has_no_namespace() -> None:
    failed = failure(refusal("ThrottlingException", "slow down"))
    assert isinstance(failed.error, Throttled)
    assert (failed.error.name, failed.error.service_message) == ("ThrottlingException", "slow down")
    assert (failed.status, failed.sent) == (400, True)


@pytest.mark.parametrize("spelled", ["message", "Message"])
def test_the_message_is_found_however_it_is_spelled(spelled: str) -> None:
    failed = failure(answer(b'{"__type":"a#B","%s":"why","ThrottlingReasons":[1]}' % spelled.encode(), status=400))
    assert isinstance(failed.error, ServiceError)
    assert failed.error.service_message == "why"
    assert failed.error.details == {"ThrottlingReasons": [1]}


def test_a_refusal_may_be_silent() -> None:
    error = failure(answer(b'{"__type":"a#B","message":null}', status=400)).error
    assert isinstance(error, ServiceError)
    assert (error.name, error.service_message) == ("B", "")


def test_the_request_is_named() -> None:
    error = failure(refusal("X", headers="x-amzn-RequestId: ABC\r\n")).error
    assert isinstance(error, ServiceError)
    assert error.request_id == "ABC"


def test_the_skew_is_against_the_clock_that_signs() -> None:
    date = "Date: Thu, 01 Jan 1970 01:00:00 GMT\r\n"
    assert failure(refusal("X", headers=date), now=600.0).skew_seconds == 3000.0
    assert failure(refusal("X", headers="Date: yesterday\r\n")).skew_seconds is None
    assert failure(refusal("X")).skew_seconds is None


def test_a_pause_may_be_asked_for() -> None:
    assert failure(refusal("X", headers="Retry-After: 7\r\n")).retry_after_seconds == 7.0
    assert failure(refusal("X", headers="Retry-After: Thu, 01 Jan 1970 01:00:00 GMT\r\n")).retry_after_seconds is None


def test_a_body_without_type_is_named_by_its_status() -> None:
    for body in (b'{"message":"who?"}', b"[]", b"", b"\xff"):
        error = failure(answer(body, status=500)).error
        assert isinstance(error, ServiceError)
        assert error.name == "InternalServerError"
