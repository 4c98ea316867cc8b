"""Many gets, puts and deletes in few requests, across entities and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import RequestError
from tablewright.expr.render import Placeholders
from tablewright.runtime.flow import Flow, Together
from tablewright.runtime.operations.delete import Delete
from tablewright.runtime.operations.get import Get
from tablewright.runtime.operations.put import Put
from tablewright.runtime.options import DEFAULT, Options, batches_at_once
from tablewright.runtime.requests.batch_retry import chunks
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
    from collections.abc import Iterable

    from tablewright.runtime.items.layout import Layout


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
