"""The connection: requests as boto3's client takes them, and what comes back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar, cast

from .keeping import KEEP
from .refusals import is_used_token, translated
from .steps.model import (
    PAUSE,
    REFUSED,
    Flow,
    Inputs,
    Item,
    Read,
    Request,
    Stored,
    Writing,
)
from .steps.reads import Number, parsed, read_number, read_page
from .steps.writes import write
from .values import marshal_item, unmarshal_item

R = TypeVar("R")
METHODS = {
    "GetItem": "get_item",
    "Query": "query",
    "BatchGetItem": "batch_get_item",
    "PutItem": "put_item",
    "UpdateItem": "update_item",
    "DeleteItem": "delete_item",
    "TransactWriteItems": "transact_write_items",
}
ITEMS = frozenset(
    (
        "Key",
        "Item",
        "ExpressionAttributeValues",
        "ExclusiveStartKey",
        "LastEvaluatedKey",
    )
)
AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Database:
    """A client (`boto3.client("dynamodb")`), and what tables are called there."""

    client: Any
    tables: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Page(Generic[R]):
    """Some items that answer a question, and where to go on (None at the end)."""

    items: list[R]
    cursor: str | None = None

    def __iter__(self) -> Iterator[R]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


# ---- questions and writes ------------------------------------------------------------


def find_page(
    db: Database,
    stored: Stored,
    steps: tuple[Read, ...],
    inputs: Inputs,
    kinds: Mapping[str, Callable[[Item], R]],
    limit: int | None = None,
    after: str | None = None,
) -> Page[R]:
    """The items that answer a question; `kinds` says what those of an entity become."""
    found = run(db, read_page(stored, steps, inputs, limit, after))
    return Page([parsed(stored, kinds, item) for item in found.items], found.cursor)


def find_first(
    db: Database,
    stored: Stored,
    steps: tuple[Read, ...],
    inputs: Inputs,
    kinds: Mapping[str, Callable[[Item], R]],
) -> R | None:
    """The one item that answers a question, if there is one."""
    items = run(db, read_page(stored, steps, inputs, 1)).items
    return parsed(stored, kinds, items[0]) if items else None


def find_number(
    db: Database,
    stored: Stored,
    steps: tuple[Read, ...],
    inputs: Inputs,
    what: Number,
    attribute: str = "",
) -> Any:
    return run(db, read_number(stored, steps, inputs, what, attribute))


def do_writing(
    db: Database, stored: Stored, what: str, pattern: Writing, inputs: Mapping[str, Any]
) -> None:
    """Nothing is done where it raises `ConditionFailed` or `NotFound`."""
    given = {name: each for name, each in inputs.items() if each is not KEEP}
    run(db, write(stored, what, pattern, given))


# ---- sending -------------------------------------------------------------------------


def run(db: Database, flow: Flow[R]) -> R:
    """Send what a flow asks for, until it has its answer."""
    try:
        requests = next(flow)
        while True:
            requests = flow.send(together(db, requests))
    except StopIteration as done:
        answer: R = done.value
        return answer


def together(db: Database, requests: tuple[Request, ...]) -> list[dict[str, Any]]:
    if len(requests) == 1:
        return [send(db, requests[0])]
    with ThreadPoolExecutor(min(AT_ONCE, len(requests))) as threads:
        return list(threads.map(partial(send, db), requests))


def send(db: Database, request: Request) -> dict[str, Any]:
    if request.action == PAUSE:
        time.sleep(request.params["seconds"])
        return {}
    method = getattr(db.client, METHODS[request.action])
    here = {name: table for table, name in db.tables.items()}
    try:
        reply = method(**converted(request.params, marshal_item, db.tables))
    except Exception as error:
        if "ClientRequestToken" in request.params and is_used_token(error):
            return {}  # what the reads found has changed since: it is done
        meant = translated(error)
        if meant is error:
            raise
        if request.may_fail:
            return REFUSED
        raise meant from error
    wanted = {name: each for name, each in reply.items() if name != "ResponseMetadata"}
    return converted(wanted, unmarshal_item, here)


def converted(
    params: Mapping[str, Any],
    convert: Callable[[Mapping[str, Any]], dict[str, Any]],
    tables: Mapping[str, str],
) -> dict[str, Any]:
    """A request or reply with its values and its tables as the other side has them."""

    def one(name: str, value: Any) -> Any:
        if name in ITEMS:
            return convert(value)
        if name in ("Items", "Keys"):
            return [convert(each) for each in value]
        if name == "TableName":
            return tables.get(value, value)
        if name == "Responses":
            return {
                tables.get(table, table): [convert(each) for each in items]
                for table, items in value.items()
            }
        if name in ("RequestItems", "UnprocessedKeys"):
            return {
                tables.get(table, table): many(each) for table, each in value.items()
            }
        if isinstance(value, list):
            return [many(each) for each in cast("list[dict[str, Any]]", value)]
        if name in ("Put", "Update", "Delete", "ConditionCheck"):
            return many(value)
        return value

    def many(values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: one(name, value) for name, value in values.items()}

    return many(params)
