"""One HTTP request in, one HTTP answer out: DynamoDB's JSON protocol over whatever carries the bytes.

Who may ask is decided first. The order of the other checks is the service's: method and content type, JSON, target,
signature, and then the operation.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.engine import HANDLERS
from tablewright.engine.faults import serialization, unknown_operation, validation
from tablewright.engine.server.admission import WHOLE_URL, Admission, for_page, for_preflight
from tablewright.engine.server.authorization import check_authorization
from tablewright.engine.server.compression import WORTH_PACKING_BYTES, pack, takes_gzip, unpack
from tablewright.engine.server.http import RefusedError
from tablewright.errors import ServiceError, TablewrightError, service_error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.server.databases import Databases
    from tablewright.engine.server.http import Request

JSON = "application/json"
JSON_1_0 = "application/x-amz-json-1.0"
JSON_1_1 = "application/x-amz-json-1.1"

STREAM_ACTIONS = frozenset({"ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"})
ANSWERED_WITH_NOTHING = frozenset({"TagResource", "UntagResource"})
NOT_FOUND = b"<UnknownOperationException/>\n"
HEALTH = ("/", "/ping")

log = logging.getLogger("tablewright.engine.server")
encode = msgspec.json.encode
decode = msgspec.json.decode


@dataclass(slots=True)
class Answer:
    status: int
    body: bytes
    content_type: str | None = None
    extra: dict[str, str] | None = None


class Service:
    """Answers requests from the databases it is given; `address` is where those find it who do not say."""

    def __init__(self, databases: Databases, admission: Admission, *, region: str = "us-east-1") -> None:
        self.databases = databases
        self.admission = admission
        self.region = region
        self.address = f"dynamodb.{region}.amazonaws.com"
        self.actions = HANDLERS.keys()

    def answer(self, request: Request) -> Answer:
        """Whatever the request is, an answer; a 500 only for what is not the client's fault."""
        headers = request.headers
        try:
            origin = self.admission.check(headers, request.target)
        except ServiceError as error:
            return Answer(403, encode(_error_body(error)), JSON)
        if origin is not None and request.method == "OPTIONS":
            return Answer(200, b"", extra=for_preflight(origin, headers))
        plain_post = request.method == "POST" and request.target == "/"
        answer = self._answer_post(request, "") if plain_post else self._answer_other(request)
        extra = {} if origin is None else for_page(origin)
        if len(answer.body) >= WORTH_PACKING_BYTES and takes_gzip(headers.get("accept-encoding", "")):
            answer.body = pack(answer.body)
            extra["Content-Encoding"] = "gzip"
        answer.extra = extra
        return answer

    def _answer_other(self, request: Request) -> Answer:
        """Everything but a plain POST to the root."""
        path, query = _split_target(request.target)
        if request.method == "GET" and path in HEALTH:
            return Answer(200, f"healthy: dynamodb.{self.region}.amazonaws.com ".encode())
        if path != "/" or request.method != "POST":
            return Answer(404, NOT_FOUND)
        return self._answer_post(request, query)

    def _answer_post(self, request: Request, query: str) -> Answer:
        headers = request.headers
        content_type = headers.get("content-type", "").partition(";")[0].strip()
        reply_type = content_type if content_type in (JSON_1_0, JSON_1_1) else JSON
        try:
            encoding = headers.get("content-encoding")
            body = request.body if encoding is None else unpack(request.body, encoding)
            if body and not _is_readable(content_type, body):
                return Answer(404, NOT_FOUND)
            return Answer(200, self._run(headers, query, _read_json(body)), reply_type)
        except RefusedError as error:
            return Answer(error.status, f"{error.reason}\n".encode(), "text/plain")
        except ServiceError as error:
            return Answer(_error_status(error), encode(_error_body(error)), reply_type)

    def _run(self, headers: Mapping[str, str], query: str, params: Any) -> bytes:
        action = self._known_action(headers.get("x-amz-target", ""))
        caller = check_authorization(headers, query)
        if not isinstance(params, dict):
            raise serialization("")
        try:
            reply = self.databases.engine_for(caller).handle(action, params)  # pyright: ignore[reportUnknownArgumentType]
            if action == "DescribeEndpoints":  # who looks for endpoints stays here, and is not sent to AWS
                reply["Endpoints"][0]["Address"] = headers.get("host") or self.address
            return b"" if action in ANSWERED_WITH_NOTHING else encode(reply)
        except ServiceError:
            raise
        except RecursionError:
            raise validation("Nesting Levels have exceeded supported limits") from None
        except TablewrightError as error:
            log.error("%s: %s", action, error.message)
            raise _internal_error(error.message) from error
        except Exception as error:
            log.exception("%s failed; this is a defect of Tablewright", action)
            raise _internal_error() from error

    def _known_action(self, target: str) -> str:
        """The operation of an X-Amz-Target such as `DynamoDB_20120810.PutItem`."""
        version, _, action = target.partition(".")
        wanted = "DynamoDBStreams_20120810" if action in STREAM_ACTIONS else "DynamoDB_20120810"
        if version != wanted or action not in self.actions:
            raise unknown_operation()
        return action


def _is_readable(content_type: str, body: bytes) -> bool:
    """Whether the service would look into the body. It does not know JSON 1.1; we take it when it is an object."""
    if content_type == JSON_1_1:
        return body.lstrip()[:1] == b"{"
    return content_type in (JSON, JSON_1_0)


def _read_json(body: bytes) -> Any:
    """The JSON of a body; None for an empty one, which is complained about later."""
    if not body:
        return None
    try:
        return decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise serialization("") from None


def _split_target(target: str) -> tuple[str, str]:
    """Path and query of a request target, which may be a whole URL."""
    if not target.startswith("/"):
        found = WHOLE_URL.match(target)
        if found is None:
            return "", ""
        target = target[found.end() :]
        target = target if target.startswith("/") else f"/{target}"
    path, _, query = target.partition("#")[0].partition("?")
    return path, query


# ---- errors as the service writes them: the type's namespace, and how `message` is spelled ---------------------------

DYNAMODB = "com.amazonaws.dynamodb.v20120810#"
SERVICE = "com.amazon.coral.service#"

# Errors of the web framework around DynamoDB; all others are DynamoDB's own.
NAMESPACES = {
    "ValidationException": "com.amazon.coral.validate#",
    "ThrottlingException": "com.amazon.coral.availability#",
    "AccessDeniedException": SERVICE,
    "IncompleteSignatureException": SERVICE,
    "InvalidSignatureException": SERVICE,
    "MissingAuthenticationTokenException": SERVICE,
    "SerializationException": SERVICE,
    "UnknownOperationException": SERVICE,
    "UnrecognizedClientException": SERVICE,
}

CAPITAL_MESSAGE = frozenset(
    {
        "AccessDeniedException",
        "IdempotentParameterMismatchException",
        "SerializationException",
        "TransactionCanceledException",
        "TransactionInProgressException",
    }
)
SERVER_SIDE = frozenset({"InternalServerError"})


def _error_status(error: ServiceError) -> int:
    return 500 if error.name in SERVER_SIDE else 400


def _error_body(error: ServiceError) -> dict[str, Any]:
    body: dict[str, Any] = {"__type": NAMESPACES.get(error.name, DYNAMODB) + error.name}
    if error.service_message:
        body["Message" if error.name in CAPITAL_MESSAGE else "message"] = error.service_message
    body.update(error.details)
    return body


def _internal_error(message: str = "Internal server error") -> ServiceError:
    return service_error("InternalServerError", message)
