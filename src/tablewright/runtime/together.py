"""Several operations at once: transactions, batches, and deleting whatever a query finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

import msgspec

from tablewright.errors import CancellationReason, RequestError, ServiceError, TransactionCancelled
from tablewright.runtime.collection import Gather
from tablewright.runtime.operations.batch import BatchGet, BatchWrite, send_until_done
from tablewright.runtime.operations.delete import Delete
from tablewright.runtime.operations.get import Get
from tablewright.runtime.operations.put import Put
from tablewright.runtime.operations.scan import Scan
from tablewright.runtime.operations.transact import TransactGet, TransactWrite, Write
from tablewright.runtime.options import DEFAULT, Options, batches_at_once
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.request import Params, call, read_item, read_own, table_of
from tablewright.wire.limits import MAX_BATCH_WRITE_ITEMS, MAX_TRANSACTION_ACTIONS
from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.runtime.flow import Flow
    from tablewright.runtime.operations.query import Query

A = TypeVar("A")
B = TypeVar("B")
D = TypeVar("D")
F = TypeVar("F")
R = TypeVar("R")


# ---- transactions ------------------------------------------------------------------------------------------------


class Transaction(Tunable, msgspec.Struct, frozen=True):
    """`tw.transact(...)`: all of the writes, or none."""

    writes: tuple[Write, ...]
    options: Options = DEFAULT

    def token(self, token: str) -> Transaction:
        """Make it safe to send twice: DynamoDB remembers the token for ten minutes."""
        return self.with_options(token=token)

    def _plain(self) -> TransactWrite:
        return TransactWrite(self.writes, self.options)

    def params(self) -> Params:
        return self._plain().params()

    def flow(self) -> Flow[None]:
        try:
            yield from self._plain().flow()
        except TransactionCancelled as error:
            error.reasons = reasons_of(self.writes, error)
            raise


class Snapshot(Tunable, msgspec.Struct, Generic[R], frozen=True):
    """`tw.transact_get(...)`: several items as they are at one moment, in order, None for missing ones."""

    gets: tuple[Get[Any], ...]
    options: Options = DEFAULT

    def params(self) -> Params:
        return TransactGet(self.gets, self.options).params()

    def flow(self) -> Flow[R]:
        reply = yield from TransactGet(self.gets, self.options).flow()
        answers = reply.get("Responses", ())
        return cast("R", tuple(get.read(answer) for get, answer in zip(self.gets, answers, strict=False)))


def transact(*writes: Write) -> Transaction:
    """Puts, updates, deletes and checks that happen together or not at all."""
    check_size(len(writes))
    for write in writes:
        if not hasattr(write, "clause"):
            raise RequestError(f"{type(write).__name__} cannot stand in a write transaction", code=5002)
        if write.options.response not in ("default", "none", "all_old"):
            wanted = write.options.response
            raise RequestError(
                f"a transaction returns no {wanted}; all_old gives the item when a condition fails", code=1010
            )
    return Transaction(writes)


@overload
def transact_get(first: Get[A], /) -> Snapshot[tuple[A | None]]: ...
@overload
def transact_get(first: Get[A], second: Get[B], /) -> Snapshot[tuple[A | None, B | None]]: ...
@overload
def transact_get(first: Get[A], second: Get[B], third: Get[D], /) -> Snapshot[tuple[A | None, B | None, D | None]]: ...
@overload
def transact_get(
    first: Get[A], second: Get[B], third: Get[D], fourth: Get[F], /
) -> Snapshot[tuple[A | None, B | None, D | None, F | None]]: ...
@overload
def transact_get(*gets: Get[A]) -> Snapshot[tuple[A | None, ...]]: ...
def transact_get(*gets: Get[Any]) -> Snapshot[Any]:
    """Several items as they are at one moment."""
    check_size(len(gets))
    return Snapshot(gets)


def check_size(count: int) -> None:
    if count > MAX_TRANSACTION_ACTIONS:
        raise RequestError(
            f"a transaction has at most {MAX_TRANSACTION_ACTIONS} members, not {count}; split it", code=2002
        )


def reasons_of(writes: tuple[Write, ...], error: TransactionCancelled) -> tuple[CancellationReason, ...]:
    """DynamoDB's reasons, with items as their entities know them."""
    reasons: list[CancellationReason] = []
    for write, reason in zip(writes, error.details.get("CancellationReasons", ()), strict=False):
        stored = reason.get("Item")
        item = read_own(write.layout, unmarshal_item(stored), DEFAULT) if stored else None
        reasons.append(CancellationReason(reason.get("Code", "None"), reason.get("Message"), item))
    return tuple(reasons)


# ---- batches -----------------------------------------------------------------------------------------------------


class GetMany(Tunable, msgspec.Struct, Generic[R], frozen=True):
    """`tw.batch_get(...)`: many items in the order asked for, None for missing ones; leftovers are retried."""

    gets: tuple[Get[Any], ...]
    options: Options = DEFAULT

    def params(self) -> list[Params]:
        return BatchGet(self.gets, self.options).params()

    def flow(self) -> Flow[list[R | None]]:
        requests = BatchGet(unrepeated(self.gets, self.options), self.options).requests(sending=True)
        replies, left = yield from send_until_done("BatchGetItem", requests, batches_at_once(self.options))
        if left:
            raise ServiceError("UnprocessedKeys", f"DynamoDB did not answer all gets: {left}", details=left)
        fields = {table_of(get.layout, self.options): get.layout.table_fields for get in self.gets}
        found: dict[Any, Params] = {}
        for reply in replies:
            for table, items in reply.get("Responses", {}).items():
                found.update({identity(table, item, fields[table]): item for item in items})
        return [self._read(get, found) for get in self.gets]

    def _read(self, get: Get[Any], found: dict[Any, Params]) -> Any:
        item = found.get(key_of(get, self.options))
        return read_item(get.layout, item, self.options, ignore=False)


def identity(table: str, item: Params, fields: Iterable[str]) -> Any:
    """What tells items of one table apart: its key fields, which all entities of a table share."""
    return (table, *(item.get(field) for field in sorted(fields)))


def key_of(get: Get[Any], options: Options) -> Any:
    layout = get.layout
    return identity(table_of(layout, options), layout.key(get.composites), layout.table_fields)


def unrepeated(gets: Iterable[Get[Any]], options: Options) -> tuple[Get[Any], ...]:
    """DynamoDB refuses the same key twice in one batch."""
    return tuple({key_of(get, options): get for get in gets}.values())


class WriteMany(Tunable, msgspec.Struct, frozen=True):
    """`tw.batch_write(...)`: puts and deletes of any entities; what DynamoDB leaves over is sent again."""

    writes: tuple[Put[Any] | Delete[Any], ...]
    options: Options = DEFAULT

    def params(self) -> list[Params]:
        return BatchWrite(self.writes, self.options).params()

    def flow(self) -> Flow[None]:
        requests = BatchWrite(self.writes, self.options).requests()
        _, left = yield from send_until_done("BatchWriteItem", requests, batches_at_once(self.options))
        if left:
            raise ServiceError("UnprocessedItems", f"DynamoDB did not take all writes: {left}", details=left)


@overload
def batch_get(*gets: Get[A]) -> GetMany[A]: ...
@overload
def batch_get(*gets: Get[Any]) -> GetMany[Any]: ...
def batch_get(*gets: Get[Any]) -> GetMany[Any]:
    """Many gets, of any entities, in few requests. They share their options: `batch_get(...).with_options(...)`."""
    for get in gets:
        if not isinstance(get, Get):  # pyright: ignore[reportUnnecessaryIsInstance] - not everybody checks types
            raise RequestError(f"{type(get).__name__} cannot stand in a batch of gets", code=5002)
        if get.options is not DEFAULT:
            remedy = "say it once for all of them: batch_get(...).with_options(...)"
            raise RequestError(f"the gets of a batch have no options of their own; {remedy}", code=5002)
    return GetMany(gets)


def batch_write(*writes: Put[Any] | Delete[Any]) -> WriteMany:
    """Many puts and deletes, of any entities, in few requests. Batches take no conditions."""
    for write in writes:
        if not isinstance(write, Put | Delete):  # pyright: ignore[reportUnnecessaryIsInstance] - not everybody checks types
            raise RequestError(
                f"{type(write).__name__} cannot stand in a batch; batches take put and delete", code=5002
            )
        conditional = (
            write.condition is not None or getattr(write, "only_new", False) or getattr(write, "must_exist", False)
        )
        if conditional:
            raise RequestError(
                "batches take no conditions; use transact(...), or put() and delete() without where", code=5002
            )
    refuse_repeated(writes)
    return WriteMany(writes)


def refuse_repeated(writes: Iterable[Put[Any] | Delete[Any]]) -> None:
    """DynamoDB refuses two writes of one item in one batch, and their order would mean nothing."""
    seen: set[Any] = set()
    for write in writes:
        key = write.layout.key(write.values if isinstance(write, Put) else write.composites)
        place = (write.options.table or write.layout.home.table, *key.items())
        if place in seen:
            raise RequestError(f"a batch writes {key} twice; keep one of the writes, or use two batches", code=2002)
        seen.add(place)


# ---- deleting what is found ----------------------------------------------------------------------------------------


class DeleteFound(Tunable, msgspec.Struct, frozen=True):
    """`tw.delete_all(...)`: deletes every item that a query, scan or collection finds; the answer is how many."""

    found: Any
    options: Options = DEFAULT

    @property
    def layout(self) -> Any:
        return self.found.layout

    def params(self) -> Any:
        """The request that looks for the items."""
        return self._search().params()

    def _search(self) -> Any:
        found: Any = self.found
        return found.collect if isinstance(found, Gather) else found

    def _request(self, search: Any) -> Params:
        request: Params = search.request(sending=True)
        return request

    def flow(self) -> Flow[int]:
        search = self._search()
        action = "Scan" if isinstance(search, Scan) else "Query"
        request: Params = self._request(search)
        layout = search.layout
        deleted = 0
        while True:
            reply = yield from call(action, request)
            keys = [
                {field: item[field] for field in layout.table_fields}
                for item in reply.get("Items", ())
                if self._mine(item)
            ]
            deleted += yield from self._delete(request["TableName"], keys)
            last = reply.get("LastEvaluatedKey")
            if not last:
                return deleted
            request = {**request, "ExclusiveStartKey": last}

    def _mine(self, item: Params) -> bool:
        from tablewright.runtime.items.reading import owns

        search = self._search()
        layouts = search.members.values() if isinstance(self.found, Gather) else (search.layout,)
        return any(owns(layout, item, by_key=True) for layout in layouts)

    def _delete(self, table: str, keys: list[Params]) -> Flow[int]:
        requests = [
            {
                "RequestItems": {
                    table: [{"DeleteRequest": {"Key": key}} for key in keys[at : at + MAX_BATCH_WRITE_ITEMS]]
                }
            }
            for at in range(0, len(keys), MAX_BATCH_WRITE_ITEMS)
        ]
        _, left = yield from send_until_done("BatchWriteItem", requests, batches_at_once(self.options))
        if left:
            raise ServiceError("UnprocessedItems", f"DynamoDB did not take all deletes: {left}", details=left)
        return len(keys)


def delete_all(found: Query[Any] | Scan[Any] | Gather[Any]) -> DeleteFound:
    """Delete every item that a query, a scan or a collection finds."""
    return DeleteFound(found)
