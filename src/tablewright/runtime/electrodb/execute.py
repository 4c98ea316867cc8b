"""Running chains: on whatever ElectroDB's users may call a client, telling listeners, until they are called off."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import msgspec

from tablewright.errors import RequestError, ServiceError
from tablewright.runtime.database import Database
from tablewright.runtime.electrodb.results import answer
from tablewright.runtime.options import Options
from tablewright.runtime.requests.request import check_abort
from tablewright.wire.call import Call
from tablewright.wire.document import from_wire, read_reply

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.runtime.flow import Effect, Flow, Outcome

Listener: TypeAlias = Callable[[dict[str, Any]], Any]

log = logging.getLogger("tablewright")

METHODS = {
    "PutItem": "put",
    "GetItem": "get",
    "UpdateItem": "update",
    "DeleteItem": "delete",
    "Query": "query",
    "Scan": "scan",
    "BatchGetItem": "batchGet",
    "BatchWriteItem": "batchWrite",
    "TransactWriteItems": "transactWrite",
    "TransactGetItems": "transactGet",
}


def run(operation: Any, client: Any, options: Options, listeners: Iterable[Listener] = ()) -> Any:
    """Run an operation on a client and shape the answer as ElectroDB does; on an `AsyncDatabase`, to be awaited."""
    if client is None:
        raise RequestError(
            "nothing to run this on: give the entity a client, or bind its service to a database", code=1001
        )
    return check_client(client).run(Answering(operation, options, tuple(listeners)))


def check_client(client: Any) -> Any:
    """The database behind what ElectroDB calls a client: a database, a transport, or a DynamoDB client of boto3."""
    if callable(getattr(client, "run", None)) and hasattr(client, "transport"):
        return client
    if callable(getattr(client, "call", None)):
        return Database(client)
    if _is_boto_client(client):
        return Database.aws(client=client)
    raise RequestError(
        f"{client!r:.60} is no client; give a Database, a boto3 client or a transport (which has a call() method)",
        code=1023,
    )


def _is_boto_client(client: Any) -> bool:
    """Whether it is `boto3.client("dynamodb")`, or the resource. botocore need not be imported to know."""
    meta = getattr(client, "meta", None)
    meta = getattr(getattr(meta, "client", None), "meta", meta)
    return getattr(getattr(meta, "service_model", None), "service_name", None) == "dynamodb"


class Answering(msgspec.Struct, frozen=True):
    """An operation that answers in ElectroDB's shapes and tells its listeners, for any database to run."""

    operation: Any
    options: Options
    listeners: tuple[Listener, ...] = ()

    def params(self) -> Any:
        return self.operation.params()

    def flow(self) -> Flow[Any]:
        options = self.options
        told = (*self.listeners, *options.listeners, *([options.logger] if options.logger else []))
        flow = answer(self.operation, options)
        if told or options.abort is not None:
            flow = _attended(flow, self.operation, options, told)
        return _original_errors(flow) if options.original_err else flow


def _original_errors(flow: Flow[Any]) -> Flow[Any]:
    """Let the client's own errors through, where there are any behind ours."""
    try:
        return (yield from flow)
    except ServiceError as error:
        if error.__cause__ is not None:
            raise error.__cause__ from None
        raise


def _attended(flow: Flow[Any], operation: Any, options: Options, listeners: tuple[Listener, ...]) -> Flow[Any]:
    """The same flow, given up when it is called off, and told of: each request with its results, after the answer."""
    received: Any = None
    failure: Exception | None = None
    while True:
        try:
            effect = flow.send(received) if failure is None else flow.throw(failure)
        except StopIteration as done:
            return done.value
        check_abort(options)
        received = failure = None
        try:
            received = yield effect
        except Exception as error:  # noqa: BLE001 - the flow decides what a failure means
            failure = error
        for call, outcome in _outcomes(effect, received if failure is None else failure):
            _tell(listeners, *_events(operation, options, call, outcome))


def _outcomes(effect: Effect, answer: Any) -> list[tuple[Call, Outcome]]:
    """The calls of an effect, each with what became of it."""
    if isinstance(effect, Call):
        return [(effect, answer)]
    calls: tuple[Call, ...] = getattr(effect, "calls", ())
    answers = cast("list[Outcome]", answer) if isinstance(answer, list) else [answer] * len(calls)
    return list(zip(calls, answers, strict=True))


def _events(operation: Any, options: Options, call: Call, outcome: Outcome) -> Iterator[dict[str, Any]]:
    method = "upsert" if operation.method == "upsert" else METHODS[call.action]
    told = {"method": method, "config": options}
    yield {**told, "type": "query", "params": from_wire(call.params)}
    results = outcome if isinstance(outcome, Exception) else read_reply(outcome)
    yield {**told, "type": "results", "success": not isinstance(outcome, Exception), "results": results}


def _tell(listeners: tuple[Listener, ...], *events: dict[str, Any]) -> None:
    for event in events:
        for listener in listeners:
            try:
                listener(event)
            except Exception:  # a listener must not break what it listens to
                log.exception("a listener failed on a %s event", event["type"])
