from __future__ import annotations

import pytest

from tablewright.errors import ServiceError, Throttled
from tablewright.runtime.transports.aws.answer import reply_of
from tablewright.runtime.transports.http import Parser, Response
from tablewright.runtime.transports.retry import Failed
from tablewright.runtime.transports.sigv4 import Destination, Keys, Signer
from tests.runtime.transports.scripted import answer, refusal


def parsed(data: bytes) -> Response:
    response = Parser().feed(data)
    assert response is not None
    return response


def failure(data: bytes, signed: int = 0, now: float = 0.0) -> Failed:
    """What is made of an answer to a request that was signed at one time and answered at another, by our clock."""
    request = Signer(Keys("id", "secret"), Destination("h", "us-east-1")).request("GetItem", b"{}", signed)
    with pytest.raises(Failed) as failed:
        reply_of(parsed(data), request, lambda: now)
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


def test_the_skew_is_against_what_the_request_was_signed_with() -> None:
    failed = failure(refusal("X", headers="Date: Thu, 01 Jan 1970 01:00:00 GMT\r\n"), signed=600, now=900.0)
    assert (failed.skew_seconds, failed.offset_seconds, failed.access_key) == (3000.0, 2700.0, "id")
    assert failure(refusal("X")).skew_seconds is None


@pytest.mark.parametrize(
    "date",
    [
        *("yesterday", "", "0", "Thu", "Thu, 99 Foo 1970 01:00:00 GMT", "Thu, 01 Jan 99999 01:00:00 GMT", "9" * 5000),
        *(
            "Thu, 01 Jan 1970 01:00:00 +999999999999999",
            "Thu, 31 Feb 2020 99:99:99 GMT",
            "Thu, 01 Jan 0001 00:00:00 GMT",
        ),
        *(
            "Thu, 00 Jan 2020 00:00:00 GMT",
            "-1 -1 -1 -1:-1:-1 -1",
            "Sat, 01 Jan 2500 00:00:00 GMT",
            "\xff\xfe",
            ", , , ,",
        ),
        *("Thu, 01 Jan 2020 1e9:00:00 GMT", "Thu, 01 Jan 2020 00:00:00 (((((", "Thu, ١ Jan 2020 00:00:00 GMT"),
    ],
)
def test_odd_dates_say_nothing(date: str) -> None:
    failed = failure(refusal("X").replace(b"Said\r\n", b"Said\r\nDate: %s\r\n" % date.encode("utf-8"), 1))
    assert isinstance(failed.error, ServiceError)
    assert failed.skew_seconds is None or abs(failed.skew_seconds) < 10**10


def test_a_pause_may_be_asked_for() -> None:
    assert failure(refusal("X", headers="Retry-After: 7\r\n")).retry_after_seconds == 7.0
    assert failure(refusal("X", headers="Retry-After: Thu, 01 Jan 1970 01:00:00 GMT\r\n")).retry_after_seconds is None


def test_a_body_without_type_is_named_by_its_status() -> None:
    for body in (b'{"message":"who?"}', b"[]", b"", b"\xff"):
        error = failure(answer(body, status=500)).error
        assert isinstance(error, ServiceError)
        assert error.name == "InternalServerError"
