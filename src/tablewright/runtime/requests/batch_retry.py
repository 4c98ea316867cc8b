"""Batches sent until nothing is left over, with books kept of what was done, what was not, and what nobody knows.

DynamoDB may do part of a batch and hand back the rest. The rest is sent again after a pause with full jitter, as long
as something moves; patience is counted in rounds that got nothing done. A request that fails ends the batch: of its
members none was done when DynamoDB refused it, and nobody knows when the answer was lost.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec

from tablewright.errors import Aborted, OutcomeUnknown, RequestError, ServiceError, TransportError
from tablewright.runtime.flow import Flow, Pause, Together
from tablewright.runtime.options import DEFAULT, Options, batches_at_once
from tablewright.wire.call import Call, Params, Written, encode
from tablewright.wire.document import Text, read_reply, to_wire
from tablewright.wire.limits import MAX_BATCH_BYTES, MAX_BATCH_GET_ITEMS, MAX_BATCH_WRITE_ITEMS
from tablewright.wire.numbers import to_decimal
from tablewright.wire.sizes import item_size_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tablewright.runtime.flow import Outcome

T = TypeVar("T")
Member: TypeAlias = tuple[str, Params, Params]  # a table, a key or write, and what the table's keys share
Place: TypeAlias = tuple[Any, ...]  # a table and the key of an item in it, to compare and look up by

PATIENCE = 8  # rounds without progress

LEFT_OVER = {"BatchGetItem": "UnprocessedKeys", "BatchWriteItem": "UnprocessedItems"}
MOST = {"BatchGetItem": MAX_BATCH_GET_ITEMS, "BatchWriteItem": MAX_BATCH_WRITE_ITEMS}
CALLS = {"BatchGetItem": Call, "BatchWriteItem": Written}
MOST_TEXT_FOR_A_BYTE = 8  # `{"BOOL":false},` stands for two bytes, `\\u0001` for one


class BatchProgress(msgspec.Struct):
    """What became of a batch: the replies, requests surely not done, requests without answer, and what ended it."""

    replies: list[Params] = []
    undone: list[Params] = []
    unknown: list[Params] = []
    error: Exception | None = None
    requests: int = 0  # how many were sent
    resent: int = 0  # how many members had to be sent again

    @property
    def is_complete(self) -> bool:
        return not (self.undone or self.unknown)


def rounds(action: str, requests: Sequence[Params], options: Options = DEFAULT) -> Flow[BatchProgress]:
    """Send the requests, several at a time, and what was left over again, until all is done or patience ends."""
    books = BatchProgress()
    idle = 0
    while requests:
        asked = members_in(requests)
        requests = yield from _one_round(action, requests, options, books)
        left = members_in(requests)
        idle = idle + 1 if left == asked else 0
        if not requests or books.error is not None or idle >= PATIENCE:
            break
        books.resent += left
        yield Pause(_pause_seconds(idle))
    books.undone += requests
    return books


def _one_round(action: str, requests: Sequence[Params], options: Options, books: BatchProgress) -> Flow[list[Params]]:
    """Send every request once; the answer is what has to be sent again."""
    width = batches_at_once(options)
    left: list[Params] = []
    for group in chunks(requests, width):
        if books.error is None and _is_called_off(options):
            books.error = Aborted("Aborted", "the operation was called off")
        if books.error is not None:
            left += group
            continue
        books.requests += len(group)
        outcomes = yield Together(tuple(CALLS[action](action, to_wire(request)) for request in group), width)
        for request, outcome in zip(group, outcomes, strict=True):
            left += _settled(action, request, outcome, books)
    return list(repacked(left, MOST[action]))


def _settled(action: str, request: Params, outcome: Outcome, books: BatchProgress) -> list[Params]:
    """Enter one outcome into the books; the answer is what is surely not done."""
    if isinstance(outcome, Exception):
        books.error = books.error or outcome
        if _is_refusal(outcome):
            return [request]
        books.unknown.append(request)
        return []
    reply = read_reply(outcome)
    books.replies.append(reply)
    left = reply.get(LEFT_OVER[action])
    return [{"RequestItems": left}] if left else []


def _is_refusal(error: Exception) -> bool:
    """Whether nothing of the request was done: DynamoDB said so, or it never got there."""
    from tablewright.runtime.backoff import KINDS  # only failures pay for the import

    if isinstance(error, ServiceError):
        return KINDS.get(error.name) != "lost"
    return isinstance(error, RequestError | TransportError) and not isinstance(error, OutcomeUnknown)


def _is_called_off(options: Options) -> bool:
    return options.abort is not None and bool(options.abort.is_set())


def _pause_seconds(idle: int) -> float:
    """Anything up to a bound that doubles with every round that got nothing done."""
    from tablewright.runtime.backoff import DEFAULT as POLICY  # only those who wait pay for the import
    from tablewright.runtime.backoff import system_random

    return system_random()() * POLICY.longest_pause(idle + 1)


# ---- requests as lists of members ------------------------------------------------------------------------------------


def chunks(members: Sequence[T], size: int) -> list[Sequence[T]]:
    return [members[at : at + size] for at in range(0, len(members), size)]


def _members_of(request: Params) -> Iterator[Member]:
    for table, held in request["RequestItems"].items():
        if isinstance(held, list):
            yield from ((table, each, {}) for each in held)  # pyright: ignore[reportUnknownVariableType]
        else:
            shared = {name: value for name, value in held.items() if name != "Keys"}
            yield from ((table, key, shared) for key in held["Keys"])


def members_in(requests: Iterable[Params]) -> int:
    tables = (held for request in requests for held in request["RequestItems"].values())
    return sum(len(held if isinstance(held, list) else held["Keys"]) for held in tables)  # pyright: ignore[reportUnknownArgumentType]


def repacked(requests: Iterable[Params], most: int) -> Iterator[Params]:
    """The same members in as few requests as can be."""
    members = [member for request in requests for member in _members_of(request)]
    for group in chunks(members, most):
        yield from fitted(group, sum(most_bytes(key_or_item(member)) for _, member, _ in group))


def fitted(members: Sequence[Member], stored_bytes: int) -> Iterator[Params]:
    """The members in one request, or in halves where its text is more than DynamoDB takes.

    The text is looked at only where what will be stored comes near the limit.
    """
    request = _packed(members)
    near = stored_bytes * MOST_TEXT_FOR_A_BYTE > MAX_BATCH_BYTES
    if near and len(members) > 1 and len(encode(to_wire(request))) > MAX_BATCH_BYTES:
        middle = len(members) // 2
        yield from fitted(members[:middle], stored_bytes)
        yield from fitted(members[middle:], stored_bytes)
    else:
        yield request


def _packed(members: Iterable[Member]) -> Params:
    tables: dict[str, Any] = {}
    for table, member, shared in members:
        if "PutRequest" in member or "DeleteRequest" in member:
            tables.setdefault(table, []).append(member)
        else:
            tables.setdefault(table, {**shared, "Keys": []})["Keys"].append(member)
    return {"RequestItems": tables}


def merged(requests: Iterable[Params]) -> Params:
    """What several requests hold, by table."""
    members = (member for request in requests for member in _members_of(request))
    return _packed((table, _plain_member(member), shared) for table, member, shared in members)["RequestItems"]  # type: ignore[no-any-return]


def _plain_member(member: Params) -> Params:
    """A member with plain values, whichever way its item was written."""
    item = key_or_item(member)
    return {"PutRequest": {"Item": item.plain()}} if isinstance(item, Text) else member


# ---- members and the operations they came from -----------------------------------------------------------------------


def place_of(table: str, item: Mapping[str, Any] | Text, fields: frozenset[str]) -> Place:
    """What tells items apart: the table and its key fields, which all entities of a table share."""
    values: list[Any] = [item.get(field) for field in _in_order(fields)]
    # A float and the Decimal it is stored as are the same key.
    return (table, *[to_decimal(value) if value.__class__ is float else value for value in values])


@lru_cache(1024)
def _in_order(fields: frozenset[str]) -> list[str]:
    return sorted(fields)


def most_bytes(item: Params | Text) -> int:
    """How large an item can be: its size, or the length of its text, which is never less and takes no time to know."""
    return len(item.text) if isinstance(item, Text) else item_size_bytes(item)


def key_or_item(member: Params) -> Params | Text:
    """What of a member holds the key fields."""
    if "PutRequest" in member:
        return member["PutRequest"]["Item"]  # type: ignore[no-any-return]
    return member["DeleteRequest"]["Key"] if "DeleteRequest" in member else member


def operations_in(
    requests: Iterable[Params], by_place: Mapping[Place, T], fields: Mapping[str, frozenset[str]]
) -> list[T]:
    """The operations whose members these requests hold."""
    members = [member for request in requests for member in _members_of(request)]
    places = (place_of(table, key_or_item(member), fields[table]) for table, member, _ in members)
    return [by_place[place] for place in places if place in by_place]
