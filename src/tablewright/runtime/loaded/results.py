"""Running operations the way ElectroDB answers: `{data, cursor}`, cancelled transactions returned, events told."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Protocol

from tablewright.errors import Aborted, ConditionFailed, RequestError, ServiceError, TransactionCancelled
from tablewright.runtime.flow import Flow, Send, drive
from tablewright.runtime.items.reading import owns
from tablewright.runtime.operations.batch import BatchGet, BatchWrite
from tablewright.runtime.operations.collect import Collect
from tablewright.runtime.operations.query import Query
from tablewright.runtime.operations.scan import Scan
from tablewright.runtime.operations.transact import TransactGet, TransactWrite
from tablewright.runtime.requests.request import Operation, Params, ignores_ownership, read_item, read_own, table_of
from tablewright.wire.document import from_wire, read_reply
from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.options import Options
    from tablewright.wire.call import Call, Reply

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


def run(operation: Any, client: Any, options: Options, listeners: Iterable[Callable[..., Any]] = ()) -> Any:
    """Run an operation on a client and shape the answer as ElectroDB does."""
    told = (*listeners, *options.listeners, *([options.logger] if options.logger else []))
    send = announced(sender(client), operation, options, told)
    if options.abort is not None:
        send = abortable(send, options)
    try:
        return drive(answer(operation, options), send)
    except ServiceError as error:
        if options.original_err and error.__cause__ is not None:
            raise error.__cause__ from None
        raise


def sender(client: Any) -> Send:
    if client is None:
        raise RequestError(
            "nothing to run this on: give the entity a client, or bind its service to a database", code=1001
        )
    transport = getattr(check_client(client), "transport", client)
    return transport.call  # type: ignore[no-any-return]


def check_client(client: Any) -> Any:
    """A database, or a transport: something with a `call` method."""
    transport = getattr(client, "transport", client)
    if not callable(getattr(transport, "call", None)):
        raise RequestError(f"{client!r:.60} is no client: it has no call() method", code=1023)
    return client


def abortable(send: Send, options: Options) -> Send:
    def checked(call: Call) -> Reply:
        if options.abort.is_set():
            raise Aborted("Aborted", "the operation was called off")
        return send(call)

    return checked


def announced(send: Send, operation: Any, options: Options, listeners: tuple[Callable[..., Any], ...]) -> Send:
    """The same send, telling listeners of every request and its results once the answer is there."""
    if not listeners:
        return send

    def telling(call: Call) -> Reply:
        method = "upsert" if operation.method == "upsert" else METHODS[call.action]
        told = {"method": method, "config": options}
        asked = {**told, "type": "query", "params": from_wire(call.params)}
        try:
            reply = send(call)
        except ServiceError as error:
            tell(listeners, asked, {**told, "type": "results", "success": False, "results": error})
            raise
        tell(listeners, asked, {**told, "type": "results", "success": True, "results": read_reply(reply)})
        return reply

    return telling


def tell(listeners: tuple[Callable[..., Any], ...], *events: dict[str, Any]) -> None:
    for event in events:
        for listener in listeners:
            try:
                listener(event)
            except Exception:  # a listener must not break what it listens to
                log.exception("a listener failed on a %s event", event["type"])


# ---- answers -----------------------------------------------------------------------------------------------------


def answer(operation: Any, options: Options) -> Flow[Any]:
    """The flow of an operation, ending in ElectroDB's shape of result."""
    match operation:
        case Query() | Scan():
            return page_answer(operation, options)  # pyright: ignore[reportUnknownArgumentType]
        case Collect():
            return collection_answer(operation, options)
        case BatchGet():
            return batch_get_answer(operation, options)
        case BatchWrite():
            return batch_write_answer(operation, options)
        case TransactWrite():
            return transact_write_answer(operation, options)
        case TransactGet():
            return transact_get_answer(operation, options)
        case _:
            return item_answer(operation, options)


class OneItem(Operation[Any], Protocol):
    """An operation on one item of one entity."""

    @property
    def layout(self) -> Layout: ...


def item_answer(operation: OneItem, options: Options) -> Flow[Any]:
    wanted = options.return_on_condition_check_failure
    try:
        data = yield from operation.flow()
    except ConditionFailed as error:
        if not wanted:
            raise
        return rejected(operation.layout, error, options)
    return {"rejected": False, "data": data} if wanted else {"data": data}


def rejected(layout: Layout, error: ConditionFailed, options: Options) -> dict[str, Any]:
    if options.return_on_condition_check_failure != "all_old":
        return {"rejected": True}
    item = error.details.get("Item")
    if not item:
        return {"rejected": True, "data": None}
    if options.data == "raw":
        return {"rejected": True, "data": {"Item": unmarshal_item(item)}}
    return {"rejected": True, "data": member_item(layout, unmarshal_item(item), options)}


def page_answer(operation: Query[Any] | Scan[Any], options: Options) -> Flow[Any]:
    page = yield from operation.flow()
    if options.data == "raw":
        return {"data": page.items[0], "cursor": page.cursor}
    found = {"data": page.items, "cursor": page.cursor}
    return {**found, "unprocessed": list(page.unprocessed)} if options.hydrate else found


def collection_answer(operation: Collect, options: Options) -> Flow[Any]:
    gathered = yield from operation.flow()
    data = gathered.items["raw"][0] if options.data == "raw" else gathered.items
    found = {"data": data, "cursor": gathered.cursor}
    return {**found, "unprocessed": list(gathered.unprocessed)} if options.hydrate else found


# ---- batches -----------------------------------------------------------------------------------------------------


def batch_get_answer(operation: BatchGet, options: Options) -> Flow[Any]:
    replies = yield from operation.flow()
    if not operation.gets:
        return {"data": [], "unprocessed": []}
    layout = operation.gets[0].layout
    table = table_of(layout, options)
    items = [item for reply in replies for item in reply.get("Responses", {}).get(table, ())]
    keys = [key for reply in replies for key in reply.get("UnprocessedKeys", {}).get(table, {}).get("Keys", ())]
    unprocessed = [left_over(layout, key, options) for key in keys]
    if options.preserve_batch_order:
        return {
            "data": [batch_item(layout, item, options) for item in in_order(operation, items)],
            "unprocessed": unprocessed,
        }
    read = [batch_item(layout, item, options) for item in items]
    return {"data": [item for item in read if item is not None], "unprocessed": unprocessed}


def batch_item(layout: Layout, item: Params | None, options: Options) -> Any:
    if options.data == "raw":
        return None if item is None else {"Item": item}
    return read_item(layout, item, options, ignore=ignores_ownership(layout, None, options))


def in_order(operation: BatchGet, items: list[Params]) -> list[Params | None]:
    """Items in the order they were asked for, None for those that are missing."""
    fields = operation.gets[0].layout.table_fields
    by_key = {tuple(item.get(field) for field in fields): item for item in items}
    asked = [get.layout.key(get.composites) for get in operation.gets]
    return [by_key.get(tuple(key[field] for field in fields)) for key in asked]


def batch_write_answer(operation: BatchWrite, options: Options) -> Flow[Any]:
    replies = yield from operation.flow()
    if not operation.writes:
        return {"unprocessed": []}
    layout = operation.writes[0].layout
    held = [each for reply in replies for table in reply.get("UnprocessedItems", {}).values() for each in table]
    return {"unprocessed": [left_over_write(layout, each, options) for each in held]}


def left_over_write(layout: Layout, request: Params, options: Options) -> Any:
    """A put that DynamoDB left over as the item it was, a delete as its key."""
    if "DeleteRequest" in request:
        return left_over(layout, request["DeleteRequest"]["Key"], options)
    item = request["PutRequest"]["Item"]
    if options.unprocessed == "raw":
        return {field: item[field] for field in layout.table_fields if field in item}
    return batch_item(layout, item, options)


def left_over(layout: Layout, key: Params, options: Options) -> Any:
    """A key that DynamoDB left over: as it is, or taken apart into composites."""
    if options.unprocessed == "raw":
        return key
    composites: dict[str, Any] = {}
    for side in (layout.primary.pk, layout.primary.sk):
        found = {} if side is None else side.split(key.get(side.field))
        if found is None:
            return None
        composites.update(found)
    return composites


# ---- transactions ------------------------------------------------------------------------------------------------


def transact_write_answer(operation: TransactWrite, options: Options) -> Flow[Any]:
    try:
        reply = yield from operation.flow()
    except TransactionCancelled as error:
        return cancelled([write.layout for write in operation.writes], error, options)
    if options.data == "raw":
        return {"canceled": False, "data": reply}
    fine = {"rejected": False, "code": "None", "item": None}
    return {"canceled": False, "data": [dict(fine) for _ in operation.writes]}


def transact_get_answer(operation: TransactGet, options: Options) -> Flow[Any]:
    layouts = [get.layout for get in operation.gets]
    try:
        reply = yield from operation.flow()
    except TransactionCancelled as error:
        return cancelled(layouts, error, options)
    if options.data == "raw":
        return {"canceled": False, "data": reply}
    items = [each.get("Item") for each in reply.get("Responses", ())]
    read = [member_item(layout, item, options) for layout, item in zip(layouts, items, strict=False)]
    return {"canceled": False, "data": [{"rejected": False, "item": item} for item in read]}


def member_item(layout: Layout, item: Params | None, options: Options) -> Any:
    if not item or not owns(layout, item, by_key=ignores_ownership(layout, None, options)):
        return None
    return read_own(layout, item, options)


def cancelled(layouts: list[Layout], error: TransactionCancelled, options: Options) -> dict[str, Any]:
    reasons = error.details.get("CancellationReasons")
    if not reasons:
        raise error
    return {
        "canceled": True,
        "data": [reason_of(layout, reason, options) for layout, reason in zip(layouts, reasons, strict=False)],
    }


def reason_of(layout: Layout, reason: Params, options: Options) -> dict[str, Any]:
    item = reason.get("Item")
    told = {"rejected": reason.get("Code") != "None", "code": reason.get("Code"), "message": reason.get("Message")}
    read = member_item(layout, unmarshal_item(item), options) if item else None
    return {**{name: value for name, value in told.items() if value is not None}, "item": read}
