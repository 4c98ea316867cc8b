"""DynamoDB's answer out of an HTTP answer: the reply, or the failure that fits.

Nothing is trusted before its checksum was compared.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.errors import BadAnswer, service_error
from tablewright.runtime.transports.http import ProtocolFault, unpack
from tablewright.runtime.transports.retry import Failed
from tablewright.runtime.transports.sigv4 import signed_at, signed_with
from tablewright.wire.answers import members_fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.errors import ServiceError
    from tablewright.runtime.transports.http import Response

# An answer without DynamoDB's JSON comes from something in between; its status is all it says.
NAMES_BY_STATUS = {
    400: "BadRequest",
    403: "AccessDeniedException",
    404: "NotFound",
    413: "RequestEntityTooLarge",
    429: "ThrottlingException",
    500: "InternalServerError",
    502: "ServiceUnavailable",
    503: "ServiceUnavailable",
    504: "ServiceUnavailable",
}
MESSAGE = ("message", "Message")
SHOWN_CHARACTERS = 200
MESSAGE_CHARACTERS = 10_000
NAME = re.compile(r"[A-Za-z0-9._:-]{1,200}")
TOKEN = re.compile(r"(x-amz-security-token[\"']?\s*[:=]\s*[\"']?)[^\s\"',;]+", re.IGNORECASE)

CRC32 = b"\r\nx-amz-crc32:"
CONTENT_ENCODING = b"\r\ncontent-encoding:"
REQUEST_ID = b"\r\nx-amzn-requestid:"
RETRY_AFTER = b"\r\nretry-after:"
DATE = b"\r\ndate:"
DATE_CHARACTERS = 64
FIRST_SECOND, LAST_SECOND = 0.0, 7_258_118_400.0  # 1970 to 2200: no server's clock shows another time


def reply_of(response: Response, request: bytes, clock: Callable[[], float]) -> bytes:
    """The JSON text of a reply. `Failed` if DynamoDB said no, or if it was not DynamoDB who spoke.

    `clock` is ours, as it is before anything is corrected.
    """
    try:
        body = _checked(response)
    except ProtocolFault as fault:
        raise _bad_answer(str(fault), response) from fault
    if response.status != 200:
        raise _refused(response, body, request, clock)
    if body[:1] == b"{":
        return body
    if not body:
        return b"{}"
    raise _bad_answer(f"a success without JSON: {_shown(body)}; something in between may have answered", response)


def _checked(response: Response) -> bytes:
    """The content of an answer, if its checksum is right; it is that of the bytes as they were sent."""
    body, lower = response.body, response.lower
    at = lower.find(CRC32)
    told = lower[at + len(CRC32) : lower.find(b"\r", at + len(CRC32))].strip()
    intact = at < 0 or told == b"%d" % zlib.crc32(body)
    if CONTENT_ENCODING in lower and response.header(CONTENT_ENCODING) != b"identity":
        body = unpack(body)
        intact = intact or told == b"%d" % zlib.crc32(body)
    if not intact:
        raise ProtocolFault("the checksum of the answer (x-amz-crc32) is not that of its body")
    return body


def _bad_answer(message: str, response: Response) -> Failed:
    return Failed(BadAnswer(message), status=response.status)


def _refused(response: Response, body: bytes, request: bytes, clock: Callable[[], float]) -> Failed:
    """How wrong the clock was is told by what the request was signed with: others may have set it right meanwhile."""
    then = _server_time(response)
    error = _refusal(response, body)
    fault = members_fault(error.details)
    if fault is not None:
        raise _bad_answer(f"the details of {error.name} cannot be DynamoDB's: {fault}", response)
    return Failed(
        error,
        status=response.status,
        retry_after_seconds=_retry_after_seconds(response),
        skew_seconds=None if then is None else then - signed_at(request),
        offset_seconds=None if then is None else then - clock(),
        access_key=signed_with(request),
    )


def _refusal(response: Response, body: bytes) -> ServiceError:
    content = _json_object(body)
    typed = content.pop("__type", None) if content else None
    if content is None or not isinstance(typed, str) or not NAME.fullmatch(typed.rpartition("#")[2]):
        name = NAMES_BY_STATUS.get(response.status, f"Http{response.status}")
        error = service_error(name, f"HTTP status {response.status}: {without_token(_shown(body))}")
    else:
        messages = [content.pop(name) for name in MESSAGE if name in content]
        message = messages[0] if messages and isinstance(messages[0], str) else ""
        error = service_error(typed.rpartition("#")[2], without_token(message), content)
    request_id = response.header(REQUEST_ID)
    error.request_id = request_id.decode("latin-1") if request_id else None
    return error


def without_token(message: str) -> str:
    """A message without the session token: AWS quotes the headers it expected when a signature is wrong."""
    return TOKEN.sub(r"\1(hidden)", message[:MESSAGE_CHARACTERS])


def _json_object(body: bytes) -> dict[str, Any] | None:
    try:
        content = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return cast("dict[str, Any]", content) if isinstance(content, dict) else None


def _shown(body: bytes) -> str:
    text = body[: 2 * SHOWN_CHARACTERS].decode("utf-8", "replace").strip()
    return repr(text[:SHOWN_CHARACTERS]) if text else "no body"


def _retry_after_seconds(response: Response) -> float | None:
    """The pause that a server asked for; a date instead of a number is not worth a parser."""
    asked = response.header(RETRY_AFTER)
    return float(asked) if asked is not None and asked.isdigit() else None


def _server_time(response: Response) -> float | None:
    """What the server's clock showed, in seconds of the epoch."""
    from email.utils import mktime_tz, parsedate_tz  # only refusals pay for the import

    told = (response.header(DATE) or b"")[:DATE_CHARACTERS].decode("latin-1")
    try:
        date = parsedate_tz(told)
        then = None if date is None else float(mktime_tz(date))
    except (ValueError, OverflowError, TypeError, IndexError):  # some dates are too odd for the parser
        return None
    return then if then is not None and FIRST_SECOND <= then < LAST_SECOND else None
