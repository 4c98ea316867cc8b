"""Find items without a key: scan, and the two that look for an index first, match and find."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.expr.render import Placeholders
from tablewright.runtime.flow import Together
from tablewright.runtime.items.cursor import key_fields, read_segments, write_segments
from tablewright.runtime.items.derive import derived
from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.items.visibility import alive
from tablewright.runtime.operations.query import Page, Query, hydrated, page_reader, pages_flow
from tablewright.runtime.operations.total import Countable
from tablewright.runtime.options import DEFAULT, Options, pages_allowed
from tablewright.runtime.requests.request import (
    PAGE_PARAMS,
    Params,
    add_condition,
    add_options,
    add_projection,
    add_start_key,
    check_abort,
    finish,
    ignores_ownership,
    owner_filter,
    stem_of,
    table_of,
)
from tablewright.runtime.types.values import ABSENT
from tablewright.wire.call import Call
from tablewright.wire.document import to_wire
from tablewright.wire.limits import MAX_SCAN_SEGMENTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.runtime.flow import Flow, Outcome
    from tablewright.runtime.items.cursor import Places
    from tablewright.schema.keys import PatternKeys

E_co = TypeVar("E_co", covariant=True)


class Scan(Countable, msgspec.Struct, Generic[E_co], frozen=True):
    """Every item of an entity, read from the table or an index. It reads everything else in there, too."""

    layout: Layout
    pattern: str | None = None
    condition: nodes.Condition | None = None
    options: Options = DEFAULT

    method = "scan"

    @property
    def keys(self) -> PatternKeys:
        return self.layout.primary if self.pattern is None else self.layout.pattern(self.pattern)

    def request(self, *, sending: bool) -> Params:
        layout, options, keys = self.layout, self.options, self.keys
        if layout.entity.features.tenant is not None and not options.across_tenants:
            raise _reads_all_tenants(layout)
        params: Params = {"TableName": table_of(layout, options)}
        placeholders = Placeholders()
        checked = not ignores_ownership(layout, keys, options)
        owner = owner_filter(layout) if checked else None
        condition = nodes.all_of(*_stems(keys), self.condition, owner, alive(layout, options))
        add_condition(params, "FilterExpression", condition, placeholders)
        if keys.pattern.index is not None:
            params["IndexName"] = keys.pattern.index
        add_options(params, layout, options, PAGE_PARAMS)
        if sending and options.cursor is not None:
            add_start_key(params, layout, keys, options, placeholders)
        identified = sending and options.data != "raw" and checked
        add_projection(layout, params, placeholders, options, identified=identified, keys=keys)
        return finish(params, placeholders, options)

    def spelling(self, _: PatternKeys) -> None:
        """A scan asks for no composites."""

    def params(self) -> Params:
        return self.request(sending=self.layout.strict)

    def flow(self) -> Flow[Page[E_co]]:
        return pages_flow("Scan", self)

    def parallel(self, segments: int) -> ParallelScan[E_co]:
        """The same scan in so many segments, read at the same time; items come in no order."""
        return _in_parallel(self, segments)


def _stems(keys: PatternKeys) -> list[nodes.Condition]:
    """What all keys of this entity begin with."""
    if keys.pattern.kind == "composite":
        return []
    sides = [side for side in (keys.pk, keys.sk) if side is not None and not side.numeric]
    return [stem for side in sides if (stem := stem_of(side)) is not None]


# ---- segments that are read at the same time -------------------------------------------------------------------------


class ParallelScan(Scan[E_co], Generic[E_co], frozen=True):
    """`Task.scan().parallel(8)`: a scan in segments that are read at the same time.

    A page holds what one round of requests gave, a page of every segment that has more; its cursor holds the place in
    each. So it is gone through like any other scan, and can be resumed, with the same number of segments.
    """

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


def _in_parallel(scan: Scan[E_co], segments: int) -> ParallelScan[E_co]:
    if isinstance(segments, bool) or not 1 <= segments <= MAX_SCAN_SEGMENTS:
        raise RequestError(f"a scan has 1 to {MAX_SCAN_SEGMENTS} segments, not {segments!r}", code=2002)
    return ParallelScan(scan.layout, scan.pattern, scan.condition, scan.options, segments)


# ---- match and find ----------------------------------------------------------------------------------------------


def find(layout: Layout, given: Values) -> Query[Any] | Scan[Any]:
    """The query on the index that fits the attributes best, or a scan when none does."""
    keys = _best_index(layout, given)
    return Scan(layout) if keys is None else Query(layout, keys.pattern.name, given, is_guess=not layout.strict)


def find_by_all(layout: Layout, given: Values, said: str) -> Query[Any] | Scan[Any]:
    """The same where every attribute counts: what the index does not use would be left out without a word."""
    remedy = f"use {said}.match(...), which compares them all"
    absent = [name for name, value in given.items() if value is ABSENT]
    if absent:
        asked = ", ".join(f"{layout.called(name)}=None" for name in absent)
        raise RequestError(f"{said}.find({asked}): no key holds what is absent; {remedy}", code=2002)
    found = find(layout, given)
    used = _used_by(found) if isinstance(found, Query) else frozenset[str]()
    unused = [name for name in given if name not in used]
    if unused and not isinstance(found, Query):
        raise RequestError(f"{said}.find(...): no index serves {layout.listed(unused)}; {remedy}", code=2002)
    if unused:
        problem = f"the index it would use, {found.keys.pattern.name}, has no use for {layout.listed(unused)}"
        raise RequestError(f"{said}.find(...): {problem}; {remedy}", code=2002)
    return found


def _used_by(query: Query[Any]) -> frozenset[str]:
    """The composites by which a query goes."""
    layout, keys = query.layout, query.keys
    given = _findable(layout, query.given) if layout.derived else query.given
    sides = [side for side in (keys.pk, keys.sk) if side is not None]
    return frozenset(piece.name for side in sides for piece in side.pieces[: side.given(given)])


def match(layout: Layout, given: Values) -> Query[Any] | Scan[Any]:
    """As find, and every attribute given is compared as well."""
    there = {name: value for name, value in given.items() if value is not ABSENT}
    found = find(layout, there)
    keys = _own_keys(found) if isinstance(found, Query) else frozenset[str]()
    known = [(name, value) for name, value in given.items() if name in layout.attributes and name not in keys]
    equal = (
        _is_so(nodes.Name((layout.attributes[name].field,)), layout.as_stored(name, value)) for name, value in known
    )
    return msgspec.structs.replace(found, condition=nodes.all_of(*equal))


def _own_keys(query: Query[Any]) -> frozenset[str]:
    """Attributes that are the very keys a query goes by: compared there, and DynamoDB refuses to filter by them."""
    sides = [side for side in (query.keys.pk, query.keys.sk) if side is not None]
    if query.keys.pattern.kind == "composite":
        return frozenset(piece.name for side in sides for piece in side.pieces[: side.given(query.given)])
    return frozenset(side.attribute for side in sides if side.attribute is not None)


def _reads_all_tenants(layout: Layout) -> RequestError:
    remedy = f"query it by {layout.called(layout.entity.features.tenant or '')}, or say tw.across_tenants(...)"
    return RequestError(f"a scan of {layout.name} reads the items of all tenants; {remedy}", code=2002)


def _is_so(path: nodes.Name, value: Any) -> nodes.Condition:
    if value is ABSENT:
        return nodes.Function("attribute_not_exists", (path,))
    return nodes.Compare("=", path, nodes.Value(value))


def _best_index(layout: Layout, given: Values) -> PatternKeys | None:
    """The table when it is fully or best served; else an index fully given; else the index with the most matches."""
    if layout.derived:
        given = _findable(layout, given)
    usable = [keys for keys in layout.keys.values() if not keys.pk.missing(given)]
    if not usable:
        return None
    scores = {id(keys): _score(keys, given) for keys in usable}
    most = max(scores.values())
    primary = layout.primary if layout.primary in usable else None
    if primary is not None and (_is_complete(primary, given) or scores[id(primary)] == most):
        return primary
    complete = [keys for keys in usable if keys is not primary and _is_complete(keys, given)]
    return complete[-1] if complete else [keys for keys in usable if scores[id(keys)] == most][-1]


def _findable(layout: Layout, given: Values) -> Values:
    """With what follows from the attributes given; a shard is always found, a period where there is a time or since."""
    found = derived(layout.derived, given)
    for each in layout.derived:
        if each.name not in found and each.is_found_without:
            found[each.name] = None
    return found


def _is_complete(keys: PatternKeys, given: Values) -> bool:
    return all(name in given for name in keys.pattern.composites)


def _score(keys: PatternKeys, given: Values) -> int:
    """How many composites can be used, from the left."""
    return keys.pk.given(given) + (keys.sk.given(given) if keys.sk else 0)
