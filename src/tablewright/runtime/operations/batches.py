"""Batches: many gets, or many puts and deletes, in few requests.

What DynamoDB leaves over is sent again. A batch that cannot be finished raises `Incomplete`, with the very operations
that were not done; it raises the plain error when nothing at all was done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import msgspec

from tablewright.errors import Incomplete, RequestError
from tablewright.expr.render import Placeholders
from tablewright.runtime.flow import Together
from tablewright.runtime.operations.delete import Delete
from tablewright.runtime.operations.get import Get
from tablewright.runtime.operations.members import in_words, item_bytes, place_in, refuse_doubles
from tablewright.runtime.operations.put import Put
from tablewright.runtime.options import DEFAULT, Options, batches_at_once
from tablewright.runtime.requests.batch_retry import (
    BatchProgress,
    Member,
    Place,
    chunks,
    fitted,
    key_or_item,
    merged,
    operations_in,
    place_of,
    rounds,
)
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.request import (
    GET_PARAMS,
    Params,
    add_options,
    add_projection,
    ignores_ownership,
    table_of,
)
from tablewright.wire.call import Call, encode
from tablewright.wire.document import Ready, Text, read_reply, to_wire
from tablewright.wire.limits import MAX_BATCH_GET_ITEMS, MAX_BATCH_WRITE_ITEMS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.layout import Layout

A = TypeVar("A")
R = TypeVar("R")


# ---- what is sent, as ElectroDB's users have it: once, with the bare replies -----------------------------------------


class BatchGet(Tunable, msgspec.Struct, frozen=True):
    """Many gets. The gets of one table share their projection and consistency."""

    gets: tuple[Get[Any], ...]
    options: Options = DEFAULT

    method = "batch_get"

    def requests(self, *, sending: bool) -> list[Params]:
        return [
            {"RequestItems": self.by_table(chunk, sending=sending)} for chunk in chunks(self.gets, MAX_BATCH_GET_ITEMS)
        ]

    def by_table(self, gets: Iterable[Get[Any]], *, sending: bool) -> Params:
        tables: dict[str, list[Get[Any]]] = {}
        for get in gets:
            tables.setdefault(table_of(get.layout, self.options), []).append(get)
        return {
            table: {
                "Keys": [get.layout.key(get.composites) for get in members],
                **self.table_options({id(get.layout): get.layout for get in members}.values(), sending=sending),
            }
            for table, members in tables.items()
        }

    def table_options(self, layouts: Iterable[Layout], *, sending: bool) -> Params:
        """What the gets of one table share. A projection names the fields of all entities that are read."""
        options = self.options
        params: Params = {}
        placeholders = Placeholders()
        for layout in layouts:
            add_options(params, layout, options, GET_PARAMS)
            identified = sending and options.data != "raw" and not ignores_ownership(layout, None, options)
            add_projection(layout, params, placeholders, options, identified=identified)
        if placeholders.names:
            params["ExpressionAttributeNames"] = placeholders.names
        return {**params, **options.params} if options.params else params

    def params(self) -> list[Params]:
        return self.requests(sending=any(get.layout.strict for get in self.gets))

    def flow(self) -> Flow[list[Params]]:
        """The replies, one for each request."""
        return _send_all("BatchGetItem", self.requests(sending=True), batches_at_once(self.options))


class BatchWrite(Tunable, msgspec.Struct, frozen=True):
    """Many puts and deletes. DynamoDB takes no conditions here, so only plain ones may be members."""

    writes: tuple[Put[Any] | Delete[Any], ...]
    options: Options = DEFAULT

    method = "batch_write"

    def requests(self) -> list[Params]:
        return [{"RequestItems": self.by_table(chunk)} for chunk in chunks(self.writes, MAX_BATCH_WRITE_ITEMS)]

    def by_table(self, writes: Iterable[Put[Any] | Delete[Any]]) -> Params:
        tables: dict[str, list[Params]] = {}
        for write in writes:
            tables.setdefault(table_of_write(write, self.options), []).append(_write_request(write))
        return tables

    def params(self) -> list[Params]:
        return self.requests()

    def flow(self) -> Flow[list[Params]]:
        """The replies, one for each request."""
        for write in self.writes:
            refuse_planned(write)
        return _send_all("BatchWriteItem", self.requests(), batches_at_once(self.options))


def refuse_planned(write: Put[Any] | Delete[Any]) -> None:
    """Batches know neither conditions nor transactions, which such entities need for every write."""
    if write.layout.plan is not None:
        reason = "counts versions or writes other items along, and cannot be written in a batch"
        raise RequestError(f"{write.layout.name} {reason}; run it alone, or in a transaction", code=5002)
    if isinstance(write, Delete) and write.marking is not None:
        remedy = "run it alone, in a transaction or with delete_all, or purge it"
        raise RequestError(
            f"{write.layout.name} is only marked when deleted, which batches cannot; {remedy}", code=5002
        )


def table_of_write(write: Put[Any] | Delete[Any], options: Options) -> str:
    """A write may name a table of its own."""
    return table_of(write.layout, write.options if write.options.table else options)


def _write_request(write: Put[Any] | Delete[Any]) -> Params:
    if isinstance(write, Put):
        return {"PutRequest": {"Item": write.item()}}
    return {"DeleteRequest": {"Key": write.layout.key(write.composites)}}


def ready_request(write: Put[Any] | Delete[Any]) -> Params:
    """The same with the item as text, where compiled code can write it."""
    if not isinstance(write, Put):
        return _write_request(write)
    item = write.ready_item()
    return {"PutRequest": {"Item": Text(encode(item.typed)) if isinstance(item, Ready) else item}}


def _send_all(action: str, requests: list[Params], width: int) -> Flow[list[Params]]:
    """Send the requests, `width` at a time; the first that fails ends it, and nothing is sent again."""
    replies: list[Params] = []
    for group in chunks(requests, width):
        outcomes = yield Together(tuple(Call(action, to_wire(params)) for params in group), width)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome
        replies += [read_reply(outcome) for outcome in outcomes]
    return replies


# ---- sent until nothing is left over ---------------------------------------------------------------------------------


class GetMany(Tunable, msgspec.Struct, Generic[R], frozen=True):
    """`tw.batch_get(...)`: many items in the order asked for, None for missing ones; leftovers are retried."""

    gets: tuple[Get[Any], ...]
    options: Options = DEFAULT

    def params(self) -> list[Params]:
        return BatchGet(self.gets, self.options).params()

    def flow(self) -> Flow[list[R | None]]:
        asked = [_place_of_get(get, self.options) for get in self.gets]
        once = dict(zip(asked, self.gets, strict=True))  # DynamoDB refuses the same key twice in one batch
        requests = BatchGet(tuple(once.values()), self.options).requests(sending=True)
        books = yield from rounds("BatchGetItem", requests, self.options)
        fields = {table_of(get.layout, self.options): get.layout.table_fields for get in self.gets}
        stored: dict[Place, Params] = {}
        for reply in books.replies:
            for table, items in reply.get("Responses", {}).items():
                stored.update({place_of(table, item, fields[table]): item for item in items})
        found = [get.read_stored(stored.get(place), self.options) for get, place in zip(self.gets, asked, strict=True)]
        _check_complete("UnprocessedKeys", books, once, fields, found=found)
        return found


class WriteMany(Tunable, msgspec.Struct, frozen=True):
    """`tw.batch_write(...)`: puts and deletes of any entities; what DynamoDB leaves over is sent again."""

    writes: tuple[Put[Any] | Delete[Any], ...]
    options: Options = DEFAULT

    def params(self) -> list[Params]:
        return BatchWrite(self.writes, self.options).params()

    def flow(self) -> Flow[None]:
        yield from write_out(self.writes, self.options)


def write_out(
    writes: Sequence[Put[Any] | Delete[Any]], options: Options, known: Sequence[Place] = ()
) -> Flow[BatchProgress]:
    """Write all of them, or raise; the answer tells what it took. `known` are their places by `place_of_write`."""
    members: list[Member] = [(table_of_write(write, options), ready_request(write), {}) for write in writes]
    sizes = [item_bytes(key_or_item(member), at, writes) for at, (_, member, _) in enumerate(members)]
    places = [
        known[at] if known and isinstance(key_or_item(member), Text) else place_in(table, member, writes[at])
        for at, (table, member, _) in enumerate(members)
    ]
    refuse_doubles(writes, places, "a batch")
    groups = zip(chunks(members, MAX_BATCH_WRITE_ITEMS), chunks(sizes, MAX_BATCH_WRITE_ITEMS), strict=True)
    requests = [each for group, stored in groups for each in fitted(group, sum(stored))]
    books = yield from rounds("BatchWriteItem", requests, options)
    fields = {table: write.layout.table_fields for (table, _, _), write in zip(members, writes, strict=True)}
    _check_complete("UnprocessedItems", books, dict(zip(places, writes, strict=True)), fields)
    return books


@overload
def batch_get(*gets: Get[A]) -> GetMany[A]: ...
@overload
def batch_get(*gets: Get[Any]) -> GetMany[Any]: ...
def batch_get(*gets: Get[Any]) -> GetMany[Any]:
    """Many gets, of any entities, in few requests. They share their options: `batch_get(...).with_options(...)`."""
    for get in gets:
        check_get(get)
    return GetMany(gets)


def batch_write(*writes: Put[Any] | Delete[Any]) -> WriteMany:
    """Many puts and deletes, of any entities, in few requests. Batches take no conditions."""
    for write in writes:
        check_write(write)
    places = [place_of_write(write, DEFAULT) for write in writes]
    refuse_doubles(writes, places, "a batch")
    return WriteMany(writes)


# ---- who may be a member ---------------------------------------------------------------------------------------------


def check_get(get: Get[Any]) -> None:
    if not isinstance(get, Get):  # pyright: ignore[reportUnnecessaryIsInstance] - not everybody checks types
        raise RequestError(f"{type(get).__name__} cannot stand in a batch of gets", code=5002)
    if get.options is not DEFAULT:
        remedy = "say it once for all of them: batch_get(...).with_options(...)"
        raise RequestError(f"the gets of a batch have no options of their own; {remedy}", code=5002)


def check_write(write: Put[Any] | Delete[Any]) -> None:
    if not isinstance(write, Put | Delete):  # pyright: ignore[reportUnnecessaryIsInstance] - not everybody checks types
        raise RequestError(f"{type(write).__name__} cannot stand in a batch; batches take put and delete", code=5002)
    refuse_planned(write)
    insisting = getattr(write, "only_new", False) or getattr(write, "must_exist", False)
    if insisting or write.condition is not None:
        raise RequestError(
            "batches take no conditions; use transact(...), or put() and delete() without where", code=5002
        )
    if write.options is not DEFAULT and write.options != Options(table=write.options.table):
        raise RequestError(f"{in_words(write)}: the writes of a batch answer nothing; no option but table", code=5002)


# ---- where members belong, and what became of them -------------------------------------------------------------------


def _place_of_get(get: Get[Any], options: Options) -> Place:
    layout = get.layout
    return place_of(table_of(layout, options), layout.key(get.composites), layout.table_fields)


def place_of_write(write: Put[Any] | Delete[Any], options: Options) -> Place:
    layout = write.layout
    key = layout.key(write.values if isinstance(write, Put) else write.composites)
    return place_of(table_of_write(write, options), key, layout.table_fields)


def _check_complete(
    name: str,
    books: BatchProgress,
    by_place: Mapping[Place, Any],
    fields: Mapping[str, frozenset[str]],
    found: Sequence[Any] = (),
) -> None:
    """Raise for what was not done: the plain error when that is all, else an account of it."""
    if books.is_complete:
        return
    undone = operations_in(books.undone, by_place, fields)
    unknown = operations_in(books.unknown, by_place, fields)
    done = len(by_place) - len(undone) - len(unknown)
    if books.error is not None and not done and not unknown:
        raise books.error
    raise Incomplete(
        name,
        _account(done, undone, unknown, books.error),
        done=done,
        undone=undone,
        unknown=unknown,
        found=found,
        details=merged([*books.undone, *books.unknown]),
    ) from books.error


def _account(done: int, undone: Sequence[Any], unknown: Sequence[Any], error: Exception | None) -> str:
    """What a caller should know first, and what to do."""
    parts = [f"{done} of {done + len(undone) + len(unknown)} members of a batch were done"]
    if undone:
        parts.append(f"{len(undone)} were not ({in_words(undone[0])} first)")
    if unknown:
        parts.append(f"of {len(unknown)} nobody knows ({in_words(unknown[0])} first)")
    why = f" because of {error}" if error is not None else ": DynamoDB kept handing them back"
    return f"{', '.join(parts)}{why}; run what is in `undone` and `unknown` again"
