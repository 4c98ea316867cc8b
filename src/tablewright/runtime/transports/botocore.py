"""A botocore client as a transport: whatever it was told about sessions, endpoints, hooks and mocks holds.

Requests and replies go through the client's public methods, so botocore retries by its own rule and its own settings:
it repeats every write (see `retry.py` for ours), and nothing it retried is retried here. The one exception is what it
gives up at once: conflicts between transactions, which are tried again by our policy.

Most of what botocore costs is taking replies apart. We read them ourselves, so a hook takes the text of a successful
reply out of its hands before it does; others that listen on the client see such a reply without its content. Where no
such hook exists (stubs, older versions of botocore) its parsed reply is written out as JSON again.
"""

from __future__ import annotations

import copy
import os
import threading
from base64 import b64decode
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

import msgspec
from botocore import exceptions as of_botocore  # pyright: ignore[reportMissingTypeStubs]
from botocore.parsers import ResponseParserError  # pyright: ignore[reportMissingTypeStubs]

from tablewright.errors import (
    BadAnswer,
    ConnectionFailed,
    CredentialsMissing,
    RequestError,
    ServiceError,
    TimedOut,
    TransportError,
    service_error,
)
from tablewright.runtime.backoff import DEFAULT, Retry
from tablewright.runtime.transports.aws.answer import NAME, without_token
from tablewright.runtime.transports.aws.session import botocore_session
from tablewright.runtime.transports.forks import Forks
from tablewright.runtime.transports.retry import Budget, Failed, carry_out, kind_of, recover, verdict
from tablewright.wire.answers import members_fault

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import ThreadPoolExecutor

    from tablewright.runtime.transports.trace import Trace
    from tablewright.wire.call import Call, Params, Reply

encode = msgspec.json.Encoder().encode

LEFT_TO_US = frozenset({"TransactionConflictException", "TransactionCanceledException"})
TIMED_ACTIONS = ("Create", "Delete", "Describe", "Update", "Restore", "Export", "Import", "List")
"""Actions whose replies may hold points in time."""


class Botocore:
    """Calls DynamoDB through a client, which stays the caller's to close unless it is `owned`."""

    def __init__(self, client: Any, *, retry: Retry | None = None, owned: bool = False) -> None:
        self.client = self.checked(client)
        self.retry = retry or DEFAULT
        self.budget = Budget(self.retry)
        self.owned = owned
        self._forks = Forks.count
        self._actions: dict[str, tuple[Callable[..., Params], frozenset[str]]] = {}

    @staticmethod
    def checked(client: Any) -> Any:
        """The client that does the work, or a refusal of what is none."""
        return _plain_client(client)

    def call(self, call: Call, trace: Trace | None = None) -> Reply:
        try:
            return self._attempt(call, trace)
        except Failed as failed:
            recovery = recover(call, failed, self.retry, self.budget, trace=trace)
        return carry_out(recovery, lambda _fresh: self._attempt(call, None))

    def close(self) -> None:
        if self.owned:
            self.client.close()

    def _attempt(self, call: Call, trace: Trace | None) -> Reply:
        """One call of the client. `Failed` only for what may be tried again here."""
        if self._forks != Forks.count:
            self._leave_parent()
        method, known = self._actions.get(call.action) or self._learn(call.action)
        given = with_bytes(call.params)
        HERE.wanted, HERE.text = True, None
        try:
            reply = method(
                **(given if known.issuperset(given) else {name: given[name] for name in given if name in known})
            )
        except (of_botocore.BotoCoreError, of_botocore.ClientError) as error:
            raise self._failure(call, error, trace) from error
        except Exception as error:
            if not _stumbled(error):
                raise
            raise BadAnswer(
                f"botocore cannot read the answer ({type(error).__name__}); it is not DynamoDB's"
            ) from error
        finally:
            HERE.wanted = False
        told: Params = reply.pop("ResponseMetadata", {})
        if trace is not None:
            trace.attempts += 1 + told.get("RetryAttempts", 0)
        return _taken() or encode(_timeless(reply) if call.action.startswith(TIMED_ACTIONS) else reply)

    def _leave_parent(self) -> None:
        """In a forked child: idle connections are the parent's too. The client opens others when it needs them."""
        self._forks = Forks.count
        self.client.close()

    def _learn(self, action: str) -> tuple[Callable[..., Params], frozenset[str]]:
        """The client's method for an action and the parameters it knows; others would be refused."""
        model = self.client.meta.service_model
        if action not in model.operation_names:
            raise service_error("UnknownOperationException", f"this version of botocore does not know {action}")
        shape = model.operation_model(action).input_shape
        names: dict[str, str] = self.client.meta.method_to_api_mapping
        method = next(name for name, known in names.items() if known == action)
        found = getattr(self.client, method), frozenset(() if shape is None else shape.members)
        self._actions[action] = found
        return found

    def _failure(self, call: Call, error: Exception, trace: Trace | None) -> Exception:
        """What to raise for an error of botocore's, which has been retried as far as it ever will be."""
        from tablewright.runtime.requests.retry_safety import is_read

        failed = _failed_by(error)
        if trace is not None:
            trace.attempts += 1 + _retries_before(error)
        kind = kind_of(failed)
        if failed.name in LEFT_TO_US and kind == "conflict":
            return failed
        if trace is not None:
            trace.faults.append(failed.name)
        found = verdict(call, failed, kind, in_doubt=kind == "lost" and not is_read(call))
        if found.__cause__ is None:
            found.__cause__ = error
        return found


class AsyncBotocore:
    """The same in threads, as many as the client keeps connections. A cancelled call goes on in its thread, unheard."""

    def __init__(self, client: Any, *, retry: Retry | None = None, owned: bool = False) -> None:
        self.blocking = Botocore(client, retry=retry, owned=owned)
        self._threads: ThreadPoolExecutor | None = None
        self._pid = 0

    async def call(self, call: Call, trace: Trace | None = None) -> Reply:
        import asyncio

        return await asyncio.get_running_loop().run_in_executor(self._executor(), self.blocking.call, call, trace)

    async def close(self) -> None:
        if self._threads is not None:
            self._threads.shutdown(wait=False)
            self._threads = None
        self.blocking.close()

    def _executor(self) -> ThreadPoolExecutor:
        if self._threads is None or self._pid != os.getpid():  # threads do not survive a fork
            from concurrent.futures import ThreadPoolExecutor

            self._pid = os.getpid()
            width = self.blocking.client.meta.config.max_pool_connections
            self._threads = ThreadPoolExecutor(width, thread_name_prefix="tablewright-botocore")
        return self._threads


class _Here(threading.local):
    """What this thread is at: whether the reply under way is for us, and its text."""

    wanted: bool = False
    text: bytes | None = None


HERE = _Here()


def _taken() -> bytes | None:
    return HERE.text


def take_text(response_dict: Params, **_: Any) -> None:
    """Botocore's event before it parses a reply."""
    if HERE.wanted and response_dict["status_code"] == 200:
        HERE.text, response_dict["body"] = response_dict["body"], b"{}"


# ---- clients ---------------------------------------------------------------------------------------------------------

FOR_TABLES = {
    "dynamodb-create-params-copy": "provide-client-params.dynamodb",
    "dynamodb-condition-expression": "before-parameter-build.dynamodb",
    "dynamodb-attr-value-input": "before-parameter-build.dynamodb",
    "dynamodb-attr-value-output": "after-call.dynamodb",
}
"""The hooks by which boto3's resources let their clients take plain Python values, and the events they hang on."""


def _plain_client(given: Any) -> Any:
    """A client that speaks typed JSON, for a client or a resource: those of resources would convert once more."""
    client: Any = getattr(getattr(given, "meta", None), "client", given)
    model = getattr(getattr(client, "meta", None), "service_model", None)
    if model is None or model.service_name != "dynamodb":
        raise RequestError(
            f"client={given!r} is no DynamoDB client; give what boto3.client('dynamodb') or "
            "boto3.resource('dynamodb') returns",
            code=1023,
        )
    client.meta.events.register("before-parse.dynamodb", take_text, unique_id="tablewright-take-text")
    if not _converts(client):
        return client
    twin: Any = object.__new__(cast("type[object]", type(client)))
    twin.__dict__.update(client.__dict__)  # it shares connections and credentials with the first
    twin.meta = copy.copy(client.meta)
    twin.meta.events = copy.copy(client.meta.events)
    for unique_id, event in FOR_TABLES.items():
        twin.meta.events.unregister(event, unique_id=unique_id)
    return twin


def _converts(client: Any) -> bool:
    emitter = getattr(client.meta.events, "_emitter", client.meta.events)
    return "dynamodb-attr-value-input" in getattr(emitter, "_unique_id_handlers", ())


def make_client(
    session: Any = None,
    profile_name: str | None = None,
    *,
    retry: Retry | None = None,
    config: Any = None,
    **options: Any,
) -> Any:
    """A client of our own; its retries follow our policy as far as botocore has such settings."""
    from botocore.config import Config  # pyright: ignore[reportMissingTypeStubs]

    if retry is not None:
        ours: Any = Config(retries={"mode": "standard", "total_max_attempts": retry.attempts})
        config = ours if config is None else config.merge(ours)
    given = {name: value for name, value in options.items() if value is not None}
    return botocore_session(session, profile_name).create_client("dynamodb", config=config, **given)


# ---- values ----------------------------------------------------------------------------------------------------------


def with_bytes(params: Params) -> Params:
    """Binary values as bytes, where typed JSON has base64 text. Looking for them in the JSON is the quickest way."""
    text = encode(params)
    if b'"B":"' not in text and b'"BS":[' not in text:
        return params
    return cast("Params", _decoded(params))


def _decoded(value: Any) -> Any:
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {name: _decoded_member(name, member) for name, member in fields.items()}
    if isinstance(value, list):
        return [_decoded(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def _decoded_member(name: str, value: Any) -> Any:
    """`{"B": text}` is a value; an attribute that is called B holds a dict."""
    if name == "B" and isinstance(value, str):
        return b64decode(value)
    if name == "BS" and isinstance(value, list):
        return [b64decode(each) for each in cast("list[str]", value)]
    return _decoded(value)


def _timeless(value: Any) -> Any:
    """Points in time as seconds of the epoch, as DynamoDB sends them."""
    if isinstance(value, dict):
        return {name: _timeless(member) for name, member in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_timeless(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
    return value.timestamp() if isinstance(value, datetime) else value


# ---- errors ----------------------------------------------------------------------------------------------------------

NO_KEYS = (
    of_botocore.NoCredentialsError,
    of_botocore.PartialCredentialsError,
    of_botocore.CredentialRetrievalError,
    of_botocore.TokenRetrievalError,
    of_botocore.NoAuthTokenError,
)
ERRORS: tuple[tuple[tuple[type[Exception], ...], type[TransportError], bool], ...] = (
    (NO_KEYS, CredentialsMissing, False),
    ((of_botocore.ConnectTimeoutError,), TimedOut, False),
    ((of_botocore.ReadTimeoutError,), TimedOut, True),
    ((of_botocore.SSLError,), ConnectionFailed, True),  # a kind of ConnectionError, but it may come with the answer
    ((of_botocore.ConnectionError,), ConnectionFailed, False),
    ((of_botocore.HTTPClientError,), ConnectionFailed, True),
    ((of_botocore.ChecksumError, of_botocore.IncompleteReadError, ResponseParserError), BadAnswer, True),
    ((of_botocore.BotoCoreError,), TransportError, False),
)
"""For botocore's errors ours, and whether the request may have been sent; the first line that fits counts."""


BAD_CERTIFICATE = "CERTIFICATE_VERIFY_FAILED"
"""In the text of a TLS fault that happens before anything is sent."""


def _failed_by(error: Exception) -> Failed:
    if isinstance(error, of_botocore.ClientError):
        response = cast("Params", error.response)  # pyright: ignore[reportUnknownMemberType]
        _hide_token(error, response.get("Error", {}))
        return Failed(_said_no(response), status=response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
    if isinstance(error, of_botocore.ParamValidationError):
        return Failed(service_error("ValidationException", str(error)), status=400)
    kind, sent = next((kind, sent) for theirs, kind, sent in ERRORS if isinstance(error, theirs))
    return Failed(kind(str(error)), sent=sent and BAD_CERTIFICATE not in str(error))


def _hide_token(error: Exception, told: Params) -> None:
    """Botocore's error stays behind ours and is printed with it, so it must not quote the token either."""
    told["Message"] = without_token(str(told.get("Message", "")))
    error.args = tuple(without_token(str(each)) for each in error.args)


def _said_no(response: Params) -> ServiceError | BadAnswer:
    """DynamoDB's error with all its details in typed JSON."""
    told, about = response.get("Error", {}), response.get("ResponseMetadata", {})
    given = {name: value for name, value in response.items() if name not in ("Error", "ResponseMetadata", "message")}
    details = msgspec.json.decode(encode(given))
    fault = members_fault(details)
    if fault is not None:
        return BadAnswer(f"the details of a refusal cannot be DynamoDB's: {fault}")
    name = told.get("Code", "")
    name = name if NAME.fullmatch(name) else f"Http{about.get('HTTPStatusCode', 0)}"
    error = service_error(name, told.get("Message", ""), details)
    error.request_id = about.get("RequestId")
    return error


def _stumbled(error: Exception) -> bool:
    """Whether botocore's parser tripped over an answer: it expects more of JSON than that it is JSON."""
    place = error.__traceback__
    while place is not None:
        if place.tb_frame.f_globals.get("__name__") == "botocore.parsers":
            return True
        place = place.tb_next
    return False


def _retries_before(error: Exception) -> int:
    response: Params = getattr(error, "response", None) or {}
    retries: int = response.get("ResponseMetadata", {}).get("RetryAttempts", 0)
    return retries
