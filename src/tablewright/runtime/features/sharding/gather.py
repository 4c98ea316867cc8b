"""Reading a spread access pattern: one list in the order of sort keys, out of several partitions.

The lanes of a stage are read side by side, and their items merged. An item is handed out once every lane that could
hold an earlier one has been read so far: a lane that has more to give is known up to the key where its last reply
ended. What was read and not handed out when a page ends is read again for the next one, because a cursor remembers
places, not items. So lanes are asked for their share of what is wanted, and again when that was too little.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.features.sharding.cursors import read_places, write_places
from tablewright.runtime.features.sharding.lanes import Falling, Reading, Share
from tablewright.runtime.features.sharding.partitions import is_descending, lanes_of, stages_of, where
from tablewright.runtime.flow import Together
from tablewright.runtime.items.cursor import foreign
from tablewright.runtime.operations.query import Page, hydrated, page_reader
from tablewright.runtime.options import pages_allowed
from tablewright.runtime.requests.request import check_abort
from tablewright.wire.call import Call
from tablewright.wire.document import to_wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.runtime.features.sharding.partitions import Stage
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.page_items import Found
    from tablewright.runtime.operations.query import Query
    from tablewright.wire.call import Reply

MOST_STAGES = 25
"""So many periods are looked into for one page; a page of a long and empty time ends there, with a cursor."""


class _Spread:
    """How queries over several partitions are asked, see `items/hooks.py`."""

    def lanes(self, query: Query[Any]) -> list[Query[Any]]:
        return lanes_of(query)

    def gather(self, query: Query[Any]) -> Flow[Page[Any]]:
        return gather(query)


SPREAD = _Spread()


def gather(query: Query[Any]) -> Flow[Page[Any]]:
    options = query.options
    if options.data == "raw":
        remedy = "name the shard or period, or leave data as it is"
        raise RequestError(
            f"{where(query)} gathers from several partitions, which gives no raw reply; {remedy}", code=2002
        )
    page = yield from Gathering(query).flow()
    if not options.hydrate:
        return page
    spelling = query.spelling(query.keys)
    page = yield from hydrated(query.layout, page, options, spelling)
    if spelling is None or options.count is None:
        return page
    items = page.items  # of a count, other spellings took their part
    while page.cursor is not None and len(items) < options.count:
        going_on = msgspec.structs.replace(options, cursor=page.cursor, count=options.count - len(items))
        page = yield from Gathering(msgspec.structs.replace(query, options=going_on)).flow()
        page = yield from hydrated(query.layout, page, options, spelling)
        items += page.items
    return Page(items, page.cursor)


class Gathering:
    """One page in the making."""

    def __init__(self, query: Query[Any]) -> None:
        self.query = query
        self.options = query.options
        self.stages = stages_of(query)
        # With a count, keys are asked for and kept beside the items, whatever attributes are wanted.
        asking = msgspec.structs.replace(query.options, cursor=None, limit=None, count=query.options.count or 1)
        self.asking: Query[Any] = msgspec.structs.replace(query, options=asking)
        self.read: Callable[[Reply], Found] = page_reader(query.layout, query.keys, asking, query.spelling(query.keys))
        self.share = Share(query)
        self.allowed = float("inf") if query.options.count else pages_allowed(query.options)
        self.items: list[Any] = []
        self.last: tuple[Any, ...] = ()  # the sort key of the last item of this stage, here or on the page before

    def flow(self) -> Flow[Page[Any]]:
        first, places, self.last = read_places(self.query, self.stages)
        for at, stage in enumerate(self.stages[first:]):
            if at >= MOST_STAGES * self.allowed:
                return self.page(stage, {})
            lanes = [Reading(lane.name, lane.query(self.asking), places.get(lane.name, {})) for lane in stage]
            if places:
                lanes = [each for each in lanes if each.name in places]
            is_done = yield from self.merge(lanes)
            if not is_done and any(not each.is_done for each in lanes):
                return self.page(stage, {each.name: each.place for each in lanes if not each.is_done})
            if self.share.is_used_up(self.items) and first + at + 1 < len(self.stages):
                self.last = ()
                return self.page(self.stages[first + at + 1], {})
            places, self.last = {}, ()
        return Page(self.items)

    def page(self, stage: Stage, places: dict[str, Any]) -> Page[Any]:
        """The page, to be gone on with in this stage; without places from its beginning."""
        places = places or {lane.name: {} for lane in stage}
        return Page(self.items, write_places(self.query, places, self.last))

    def merge(self, lanes: list[Reading]) -> Flow[bool]:
        """Hand out items of one stage in order; whether there are no more."""
        is_falling = is_descending(self.query)
        waiting: list[tuple[Any, int]] = []
        while True:
            if not waiting:
                fetched = yield from self.fetch(lanes)
                waiting = [(each.front(is_falling), at) for at, each in enumerate(lanes) if not each.is_done]
                heapq.heapify(waiting)
                if not waiting:
                    return True
                if not fetched:
                    return False
            if self.share.is_used_up(self.items):
                return False
            at = waiting[0][1]
            lane = lanes[at]
            if not lane.has_items:
                waiting = []  # what comes next is not known before it is read
                continue
            self.hand_out(lane, is_falling)
            if lane.is_done:
                heapq.heappop(waiting)
            else:
                heapq.heapreplace(waiting, (lane.front(is_falling), at))

    def hand_out(self, lane: Reading, is_falling: bool) -> None:
        """The next item, unless it was written since the page before, in front of where that ended."""
        key, last = lane.front(is_falling), self.last
        item = lane.take(self.share)
        try:
            is_earlier = bool(last) and key < (Falling(last) if is_falling else last)
        except TypeError as error:  # a text where the sort keys are numbers, or the reverse
            raise foreign(where(self.query), "what it is behind is no sort key of this question") from error
        if not is_earlier:
            self.items.append(item)
            self.last = key.key if is_falling else key

    def fetch(self, lanes: list[Reading]) -> Flow[bool]:
        """Read on where nothing is left; False when a lane may not be read any further for this page."""
        dry = [each for each in lanes if not each.is_done and not each.has_items]
        if any(each.requests >= self.allowed for each in dry) and not self.share.is_counted:
            return False
        check_abort(self.options)
        requests = [each.request(self.share.of(each, len(lanes), self.items)) for each in dry]
        calls = tuple(Call("Query", to_wire(request)) for request in requests)
        outcomes = yield Together(calls, self.options.width or len(calls))
        for each, outcome in zip(dry, outcomes, strict=True):
            if isinstance(outcome, Exception):
                raise outcome
            each.receive(self.read(outcome), self.share)
        return True
