"""How many items a query, scan or collection finds, without reading them out: DynamoDB counts.

It costs the capacity of reading everything, and none of the transfer. What the reader of items would leave out as
somebody else's, the request filters, so that the number is that of the items.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import msgspec

from tablewright.expr.nodes import Condition, all_of
from tablewright.runtime.flow import Together
from tablewright.runtime.options import DEFAULT
from tablewright.runtime.requests.chaining import Paged, Tunable
from tablewright.runtime.requests.request import (
    Params,
    call,
    check_abort,
    ignores_ownership,
    owner_filter,
    partitions_of,
    stem_of,
)
from tablewright.wire.call import Call
from tablewright.wire.document import read_reply, to_wire

AT_ONCE = 32
"""So many partitions are counted at the same time."""

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.options import Options


class Total(Tunable, msgspec.Struct, frozen=True):
    """`Task.by_employee("e1").total()`: the number of items on all pages."""

    found: Any  # a Query, Scan or Collect

    @property
    def layout(self) -> Layout:
        return self.found.layout  # type: ignore[no-any-return]

    @property
    def options(self) -> Options:
        return self.found.options  # type: ignore[no-any-return]

    @property
    def method(self) -> str:
        return str(self.found.method)

    @property
    def pattern(self) -> Any:
        return self.found.pattern

    def with_options(self, **options: Any) -> Self:
        return msgspec.structs.replace(self, found=self.found.with_options(**options))

    def params(self) -> Any:
        if _must_be_read(self.found):
            return self.found.params()
        requests = [self.request(each) for each in partitions_of(self.found)]
        return requests if len(requests) > 1 else requests[0]

    def request(self, found: Any) -> Params:
        options = msgspec.structs.replace(found.options, attributes=None, hydrate=False, count=None, pages=1)
        if found.layout.folds:
            found = msgspec.structs.replace(found, condition=all_of(found.condition, _spelled(found)))
        if hasattr(found, "is_guess"):  # a query; scans and collections ask for owners by themselves
            found = msgspec.structs.replace(found, condition=all_of(found.condition, _owned(found)), is_guess=True)
        request: Params = msgspec.structs.replace(found, options=options).request(sending=True)
        return {**request, "Select": "COUNT"}

    def flow(self) -> Flow[int]:
        if _must_be_read(self.found):
            return (yield from self.read_and_count())
        requests = [self.request(each) for each in partitions_of(self.found)]
        action = "Scan" if self.found.method == "scan" else "Query"
        total: int = 0
        while requests:
            check_abort(self.options)
            now, requests = requests[:AT_ONCE], requests[AT_ONCE:]
            replies = yield from _together(action, now, self.options.width or len(now))
            total += sum(int(reply["Count"]) for reply in replies)
            lasts = [(request, reply.get("LastEvaluatedKey")) for request, reply in zip(now, replies, strict=True)]
            requests = [*({**request, "ExclusiveStartKey": last} for request, last in lasts if last), *requests]
        return total

    def read_and_count(self) -> Flow[int]:
        """Count items that only tell in the table whether they are meant."""
        options = msgspec.structs.replace(self.options, attributes=None, count=None, pages=1, data=DEFAULT.data)
        total = 0
        while True:
            asking: Flow[Any] = msgspec.structs.replace(self.found, options=options).flow()
            page: Any = yield from asking
            total += sum(map(len, page.items.values())) if _is_collection(self.found) else len(page.items)
            if page.cursor is None:
                return total
            options = msgspec.structs.replace(options, cursor=page.cursor)


class Countable(Paged):
    """What can be counted: a query, a scan, a collection."""

    __slots__ = ()

    def total(self) -> Total:
        """How many items there are on all pages, after filters: DynamoDB counts, and nothing is read out."""
        operation: Any = self
        return Total(getattr(operation, "collect", operation))


def _is_collection(found: Any) -> bool:
    return hasattr(found, "members")


def _must_be_read(found: Any) -> bool:
    """Whether keys fold letter case in an index that does not hold the texts, and `hydrate()` is to look behind it."""
    if not found.options.hydrate:
        return False
    if _is_collection(found):
        spellings = [found.spelling(alias) for alias in found.aliases()]
    else:
        spellings = [found.spelling(found.keys)]
    return any(spelling is not None and spelling.lacking for spelling in spellings)


def _together(action: str, requests: list[Params], width: int) -> Flow[list[Params]]:
    """The replies to one request, or to several sent at the same time."""
    if len(requests) == 1:
        return [(yield from call(action, requests[0]))]
    outcomes = yield Together(tuple(Call(action, to_wire(request)) for request in requests), width)
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome
    return [read_reply(outcome) for outcome in outcomes]


def _spelled(found: Any) -> Condition | None:
    """That an item is spelled as it was asked for, where keys find other spellings too."""
    spelling = found.spelling_in(found.layout) if _is_collection(found) else found.spelling(found.keys)
    return None if spelling is None else spelling.condition()


def _owned(query: Any) -> Condition | None:
    """That an item is the entity's: by its identifiers, or by the table key where an index holds no identifiers."""
    layout, keys = query.layout, query.keys
    if not ignores_ownership(layout, keys, query.options):
        return owner_filter(layout)
    if keys.pattern.index is None or query.options.ignore_ownership:
        return None
    of_index = {side.field for side in (keys.pk, keys.sk) if side is not None}  # DynamoDB filters no keys of the index
    sides = (layout.primary.pk, layout.primary.sk)
    others = (side for side in sides if side is not None and not side.numeric and side.field not in of_index)
    return all_of(*(stem for side in others if (stem := stem_of(side)) is not None))
