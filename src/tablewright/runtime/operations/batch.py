"""Many gets, puts and deletes in few requests, across entities and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec

from tablewright.expr.render import Placeholders
from tablewright.runtime.flow import Flow, Pause, Together
from tablewright.runtime.operations.delete import Delete
from tablewright.runtime.operations.get import Get
from tablewright.runtime.operations.put import Put
from tablewright.runtime.options import DEFAULT, Options, batches_at_once
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.request import (
    GET_PARAMS,
    Params,
    add_options,
    add_projection,
    ignores_ownership,
    table_of,
)
from tablewright.wire.call import Call
from tablewright.wire.document import read_reply, to_wire
from tablewright.wire.limits import MAX_BATCH_GET_ITEMS, MAX_BATCH_WRITE_ITEMS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

T = TypeVar("T")
Unprocessed: TypeAlias = tuple[str, Params]  # a table, and what it did not take

ATTEMPTS = 8
FIRST_PAUSE_SECONDS = 0.05


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
        tables: dict[str, Params] = {}
        for get in gets:
            table = table_of(get.layout, self.options)
            if table not in tables:
                tables[table] = self.table_options(get, sending=sending)
            tables[table]["Keys"].append(get.layout.key(get.composites))
        return tables

    def table_options(self, get: Get[Any], *, sending: bool) -> Params:
        options, layout = self.options, get.layout
        params: Params = {"Keys": []}
        add_options(params, layout, options, GET_PARAMS)
        placeholders = Placeholders()
        identified = sending and options.data != "raw" and not ignores_ownership(layout, None, options)
        add_projection(layout, params, placeholders, options, identified=identified)
        if placeholders.names:
            params["ExpressionAttributeNames"] = placeholders.names
        return {**params, **options.params} if options.params else params

    def params(self) -> list[Params]:
        return self.requests(sending=any(get.layout.strict for get in self.gets))

    def flow(self) -> Flow[list[Params]]:
        """The replies, one for each request."""
        return send_all("BatchGetItem", self.requests(sending=True), batches_at_once(self.options))


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
            tables.setdefault(table_of(write.layout, self.options), []).append(write_request(write))
        return tables

    def params(self) -> list[Params]:
        return self.requests()

    def flow(self) -> Flow[list[Params]]:
        """The replies, one for each request."""
        return send_all("BatchWriteItem", self.requests(), batches_at_once(self.options))


def write_request(write: Put[Any] | Delete[Any]) -> Params:
    if isinstance(write, Put):
        return {"PutRequest": {"Item": write.item()}}
    return {"DeleteRequest": {"Key": write.layout.key(write.composites)}}


def chunks(members: Sequence[T], size: int) -> list[Sequence[T]]:
    return [members[at : at + size] for at in range(0, len(members), size)]


def send_all(action: str, requests: list[Params], width: int) -> Flow[list[Params]]:
    """Send the requests, `width` at a time."""
    replies: list[Params] = []
    for group in chunks(requests, width):
        calls = tuple(Call(action, to_wire(params)) for params in group)
        answers = yield Together(calls, width)
        replies += [read_reply(answer) for answer in answers]
    return replies


def send_until_done(action: str, requests: list[Params], width: int) -> Flow[tuple[list[Params], Params]]:
    """Send the requests, and what DynamoDB left over again and again with growing pauses.

    The answer is all replies, and what was still left over when patience ran out (empty when all was done).
    """
    left_over = "UnprocessedKeys" if action == "BatchGetItem" else "UnprocessedItems"
    replies: list[Params] = []
    pause = FIRST_PAUSE_SECONDS
    for _ in range(ATTEMPTS):
        answers = yield from send_all(action, requests, width)
        replies += answers
        requests = [{"RequestItems": answer[left_over]} for answer in answers if answer.get(left_over)]
        if not requests:
            return replies, {}
        yield Pause(pause)
        pause *= 2
    return replies, merged(requests)


def merged(requests: Iterable[Params]) -> Params:
    """What several requests hold, by table."""
    tables: dict[str, Any] = {}
    for request in requests:
        for table, held in request["RequestItems"].items():
            if isinstance(held, list):
                tables.setdefault(table, []).extend(held)
            else:
                tables.setdefault(table, {**held, "Keys": []})["Keys"].extend(held["Keys"])
    return tables
