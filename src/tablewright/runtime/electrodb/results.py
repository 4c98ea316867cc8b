"""Answers in ElectroDB's shapes: `{data, cursor}`, cancelled transactions and unprocessed items returned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from tablewright.errors import ConditionFailed, TransactionCancelled
from tablewright.runtime.items.reading import owns
from tablewright.runtime.operations.batches import BatchGet, BatchWrite
from tablewright.runtime.operations.collect import Collect
from tablewright.runtime.operations.query import Query
from tablewright.runtime.operations.scan import Scan
from tablewright.runtime.operations.transactions import TransactGet, TransactWrite
from tablewright.runtime.requests.request import Operation, Params, ignores_ownership, read_item, read_own, table_of
from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.options import Options


def answer(operation: Any, options: Options) -> Flow[Any]:
    """The flow of an operation, ending in ElectroDB's shape of result."""
    match operation:
        case Query() | Scan():
            return _page_answer(operation, options)  # pyright: ignore[reportUnknownArgumentType]
        case Collect():
            return _collection_answer(operation, options)
        case BatchGet():
            return _batch_get_answer(operation, options)
        case BatchWrite():
            return _batch_write_answer(operation, options)
        case TransactWrite():
            return _transact_write_answer(operation, options)
        case TransactGet():
            return _transact_get_answer(operation, options)
        case _:
            return _item_answer(operation, options)


class OneItem(Operation[Any], Protocol):
    """An operation on one item of one entity."""

    @property
    def layout(self) -> Layout: ...


def _item_answer(operation: OneItem, options: Options) -> Flow[Any]:
    wanted = options.return_on_condition_check_failure
    try:
        data = yield from operation.flow()
    except ConditionFailed as error:
        if not wanted:
            raise
        return _rejected(operation.layout, error, options)
    return {"rejected": False, "data": data} if wanted else {"data": data}


def _rejected(layout: Layout, error: ConditionFailed, options: Options) -> dict[str, Any]:
    if options.return_on_condition_check_failure != "all_old":
        return {"rejected": True}
    item = error.details.get("Item")
    if not item:
        return {"rejected": True, "data": None}
    if options.data == "raw":
        return {"rejected": True, "data": {"Item": unmarshal_item(item)}}
    return {"rejected": True, "data": _member_item(layout, unmarshal_item(item), options)}


def _page_answer(operation: Query[Any] | Scan[Any], options: Options) -> Flow[Any]:
    page = yield from operation.flow()
    if options.data == "raw":
        return {"data": page.items[0], "cursor": page.cursor}
    found = {"data": page.items, "cursor": page.cursor}
    return {**found, "unprocessed": list(page.unprocessed)} if options.hydrate else found


def _collection_answer(operation: Collect, options: Options) -> Flow[Any]:
    gathered = yield from operation.flow()
    data = gathered.items["raw"][0] if options.data == "raw" else gathered.items
    found = {"data": data, "cursor": gathered.cursor}
    return {**found, "unprocessed": list(gathered.unprocessed)} if options.hydrate else found


# ---- batches -----------------------------------------------------------------------------------------------------


def _batch_get_answer(operation: BatchGet, options: Options) -> Flow[Any]:
    replies = yield from operation.flow()
    if not operation.gets:
        return {"data": [], "unprocessed": []}
    layout = operation.gets[0].layout
    table = table_of(layout, options)
    items = [item for reply in replies for item in reply.get("Responses", {}).get(table, ())]
    keys = [key for reply in replies for key in reply.get("UnprocessedKeys", {}).get(table, {}).get("Keys", ())]
    unprocessed = [_left_over(layout, key, options) for key in keys]
    if options.preserve_batch_order:
        return {
            "data": [_batch_item(layout, item, options) for item in _in_order(operation, items)],
            "unprocessed": unprocessed,
        }
    read = [_batch_item(layout, item, options) for item in items]
    return {"data": [item for item in read if item is not None], "unprocessed": unprocessed}


def _batch_item(layout: Layout, item: Params | None, options: Options) -> Any:
    if options.data == "raw":
        return None if item is None else {"Item": item}
    return read_item(layout, item, options, ignore=ignores_ownership(layout, None, options))


def _in_order(operation: BatchGet, items: list[Params]) -> list[Params | None]:
    """Items in the order they were asked for, None for those that are missing."""
    fields = operation.gets[0].layout.table_fields
    by_key = {tuple(item.get(field) for field in fields): item for item in items}
    asked = [get.layout.key(get.composites) for get in operation.gets]
    return [by_key.get(tuple(key[field] for field in fields)) for key in asked]


def _batch_write_answer(operation: BatchWrite, options: Options) -> Flow[Any]:
    replies = yield from operation.flow()
    if not operation.writes:
        return {"unprocessed": []}
    layout = operation.writes[0].layout
    held = [each for reply in replies for table in reply.get("UnprocessedItems", {}).values() for each in table]
    return {"unprocessed": [_left_over_write(layout, each, options) for each in held]}


def _left_over_write(layout: Layout, request: Params, options: Options) -> Any:
    """A put that DynamoDB left over as the item it was, a delete as its key."""
    if "DeleteRequest" in request:
        return _left_over(layout, request["DeleteRequest"]["Key"], options)
    item = request["PutRequest"]["Item"]
    if options.unprocessed == "raw":
        return {field: item[field] for field in layout.table_fields if field in item}
    return _batch_item(layout, item, options)


def _left_over(layout: Layout, key: Params, options: Options) -> Any:
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


def _transact_write_answer(operation: TransactWrite, options: Options) -> Flow[Any]:
    try:
        reply = yield from operation.flow()
    except TransactionCancelled as error:
        return _cancelled([write.layout for write in operation.writes], error, options)
    if options.data == "raw":
        return {"canceled": False, "data": reply}
    fine = {"rejected": False, "code": "None", "item": None}
    return {"canceled": False, "data": [dict(fine) for _ in operation.writes]}


def _transact_get_answer(operation: TransactGet, options: Options) -> Flow[Any]:
    layouts = [get.layout for get in operation.gets]
    try:
        reply = yield from operation.flow()
    except TransactionCancelled as error:
        return _cancelled(layouts, error, options)
    if options.data == "raw":
        return {"canceled": False, "data": reply}
    items = [each.get("Item") for each in reply.get("Responses", ())]
    read = [_member_item(layout, item, options) for layout, item in zip(layouts, items, strict=False)]
    return {"canceled": False, "data": [{"rejected": False, "item": item} for item in read]}


def _member_item(layout: Layout, item: Params | None, options: Options) -> Any:
    if not item or not owns(layout, item, by_key=ignores_ownership(layout, None, options)):
        return None
    return read_own(layout, item, options)


def _cancelled(layouts: list[Layout], error: TransactionCancelled, options: Options) -> dict[str, Any]:
    reasons = error.details.get("CancellationReasons")
    if not reasons:
        raise error
    return {
        "canceled": True,
        "data": [_reason_of(layout, reason, options) for layout, reason in zip(layouts, reasons, strict=False)],
    }


def _reason_of(layout: Layout, reason: Params, options: Options) -> dict[str, Any]:
    item = reason.get("Item")
    told = {"rejected": reason.get("Code") != "None", "code": reason.get("Code"), "message": reason.get("Message")}
    read = _member_item(layout, unmarshal_item(item), options) if item else None
    return {**{name: value for name, value in told.items() if value is not None}, "item": read}
