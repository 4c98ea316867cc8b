"""A scan in segments that are read at the same time.

A page holds what one round of requests gave, a page of every segment that has more; its cursor holds the place in each.
So a parallel scan is gone through like any other, and can be resumed, with the same number of segments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.flow import Together
from tablewright.runtime.items.cursor import key_fields, read_segments, write_segments
from tablewright.runtime.operations.query import Page, check_abort, hydrated, page_reader
from tablewright.runtime.operations.scan import Scan
from tablewright.runtime.options import pages_allowed
from tablewright.wire.call import Call
from tablewright.wire.document import to_wire
from tablewright.wire.limits import MAX_SCAN_SEGMENTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.runtime.flow import Flow, Outcome
    from tablewright.runtime.items.cursor import Places
    from tablewright.runtime.requests.request import Params

E_co = TypeVar("E_co", covariant=True)


class ParallelScan(Scan[E_co], Generic[E_co], frozen=True):
    """`Task.scan().parallel(8)`."""

    segments: int = 1

    def requests(self) -> list[Params]:
        """The next request of every segment that has more to give."""
        options = self.options
        plain = msgspec.structs.replace(self, options=msgspec.structs.replace(options, cursor=None))
        request = plain.request(sending=True)
        places = self.places()
        return [self.of_segment(request, segment, place) for segment, place in places.items()]

    def places(self) -> Places:
        """By segment: where to go on, empty for its beginning."""
        if self.options.cursor is None:
            return {segment: {} for segment in range(self.segments)}
        return read_segments(
            self.options.cursor, self.segments, key_fields(self.layout, self.keys), f"{self.layout.name}.scan"
        )

    def of_segment(self, request: Params, segment: int, place: Params) -> Params:
        own = {**request, "Segment": segment, "TotalSegments": self.segments}
        return {**own, "ExclusiveStartKey": place} if place else own

    def params(self) -> Any:
        return self.requests()

    def flow(self) -> Flow[Page[E_co]]:
        options = self.options
        if options.count is not None or options.data == "raw":
            raise RequestError("a parallel scan takes no count and no raw data; limit(...) sizes its pages", code=2002)
        allowed = pages_allowed(options)
        read = page_reader(self.layout, self.keys, options)
        requests: list[Params] = self.requests()
        items: list[Any] = []
        places: Places = {}
        done = 0
        while requests and done < allowed:
            check_abort(options)
            calls = tuple(Call("Scan", to_wire(request)) for request in requests)
            pages = [read(reply) for reply in _replies((yield Together(calls, len(calls))))]
            for page in pages:
                found = Page(page.items)
                if options.hydrate:
                    found = yield from hydrated(self.layout, found, options)
                items += found.items
            going = [(request, page.last) for request, page in zip(requests, pages, strict=True) if page.last]
            places = {request["Segment"]: last for request, last in going}
            requests = [{**request, "ExclusiveStartKey": last} for request, last in going]
            done += 1
        return Page(items, write_segments(places, self.segments) if places else None)


def _replies(outcomes: Iterable[Outcome]) -> Iterable[bytes]:
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome
        yield outcome


def in_parallel(scan: Scan[E_co], segments: int) -> ParallelScan[E_co]:
    if isinstance(segments, bool) or not 1 <= segments <= MAX_SCAN_SEGMENTS:
        raise RequestError(f"a scan has 1 to {MAX_SCAN_SEGMENTS} segments, not {segments!r}", code=2002)
    return ParallelScan(scan.layout, scan.pattern, scan.condition, scan.options, segments)
