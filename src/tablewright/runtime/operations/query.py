"""Find items by an access pattern, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import msgspec

from tablewright.errors import Incomplete
from tablewright.expr import nodes
from tablewright.expr.render import Placeholders, render_condition
from tablewright.runtime.codecs.choose_reader import reader_for
from tablewright.runtime.items.cursor import write_cursor
from tablewright.runtime.items.layout import Layout, Values, incomplete
from tablewright.runtime.items.letter_case import Spelling, check_comparable, spelling_of
from tablewright.runtime.items.page_items import Found
from tablewright.runtime.items.reading import owns
from tablewright.runtime.items.visibility import alive
from tablewright.runtime.operations.total import Countable
from tablewright.runtime.options import DEFAULT, Options, pages_allowed
from tablewright.runtime.requests.batch_retry import chunks, members_in, merged, place_of, rounds
from tablewright.runtime.requests.composite import composite_condition
from tablewright.runtime.requests.conditions import TEXTS, compare_filters, key_condition
from tablewright.runtime.requests.ranges import Sort
from tablewright.runtime.requests.request import (
    GET_PARAMS,
    PAGE_PARAMS,
    Params,
    add_condition,
    add_options,
    add_projection,
    add_start_key,
    call,
    check_abort,
    finish,
    held_by,
    ignores_ownership,
    owner_filter,
    partitions_of,
    read_item,
    table_of,
)
from tablewright.wire.call import Call
from tablewright.wire.document import read_reply, to_wire
from tablewright.wire.limits import MAX_BATCH_GET_ITEMS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tablewright.runtime.flow import Flow
    from tablewright.schema.keys import PatternKeys
    from tablewright.wire.call import Reply

E_co = TypeVar("E_co", covariant=True)


class Page(msgspec.Struct, Generic[E_co], frozen=True):
    """Some of the items that answer a query, and where to go on (None at the end)."""

    items: list[E_co]
    cursor: Any = None
    unprocessed: tuple[Any, ...] = ()  # with hydrate: keys whose items could not be read

    def __iter__(self) -> Iterator[E_co]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, at: int) -> E_co: ...
    @overload
    def __getitem__(self, at: slice) -> list[E_co]: ...
    def __getitem__(self, at: int | slice) -> E_co | list[E_co]:
        return self.items[at]


class Query(Countable, msgspec.Struct, Generic[E_co], frozen=True):
    """`Task.by_employee("e1", status="open")`."""

    layout: Layout
    pattern: str
    given: Values
    sort: Sort | None = None
    condition: nodes.Condition | None = None
    options: Options = DEFAULT
    is_guess: bool = False  # the index was chosen by match or find, which do not filter for the entity
    asked_as: str = ""  # the name it was declared under, where that is not the pattern's: views of the table key

    method = "query"

    @property
    def keys(self) -> PatternKeys:
        return self.layout.pattern(self.pattern)

    def request(self, *, sending: bool) -> Params:
        layout, options = self.layout, self.options
        keys = layout.keys.get(self.pattern) or layout.pattern(self.pattern)
        if options is DEFAULT and self.sort is None and layout.strict and keys.pattern.kind == "isolated":
            return self.plain_request(keys)
        params: Params = {"TableName": table_of(layout, options)}
        placeholders = Placeholders()
        condition = self.key_condition(params, placeholders)
        if keys.pattern.index is not None:
            params["IndexName"] = keys.pattern.index
        add_condition(params, "FilterExpression", condition, placeholders)
        add_options(params, layout, options, PAGE_PARAMS)
        if sending and options.cursor is not None:
            add_start_key(params, layout, keys, options, placeholders)
        identified = sending and options.data != "raw" and not ignores_ownership(layout, keys, options)
        add_projection(layout, params, placeholders, options, identified=identified, keys=keys)
        return finish(params, placeholders, options)

    def plain_request(self, keys: PatternKeys) -> Params:
        """The same for most queries: no options, no comparison. It is worth its lines in microseconds."""
        layout, given, sk = self.layout, self.given, keys.sk
        if layout.folds:
            self.spelling(keys)
        field = keys.pk.field
        try:
            values = {":pk": layout.writers[field].whole(given)}
        except KeyError:
            raise incomplete(layout, keys.pattern, keys.pk.missing(given)) from None
        names, text = {"#pk": field}, TEXTS["pk"]
        if sk is not None:
            key, is_complete = layout.writers[sk.field].cut(given)
            if key is not None:
                names["#sk1"], values[":sk1"] = sk.field, key
                text = TEXTS["eq" if is_complete else "begins"]
        params: Params = {"TableName": table_of(layout, DEFAULT), "KeyConditionExpression": text}
        if keys.pattern.index is not None:
            params["IndexName"] = keys.pattern.index
        condition = self.filter()
        if condition is not None:
            params["FilterExpression"] = render_condition(condition, Placeholders(names, values))
        params["ExpressionAttributeNames"] = names
        params["ExpressionAttributeValues"] = values
        return params

    def key_condition(self, params: Params, placeholders: Placeholders) -> nodes.Condition | None:
        """Add the key condition to the request; the answer is the filter that goes with it."""
        layout, keys = self.layout, self.keys
        if layout.folds:
            self.spelling(keys)
        checked = not ignores_ownership(layout, keys, self.options)
        compare = self.options.compare or ("exact" if layout.strict else "keys")
        if keys.pattern.kind == "composite":
            conditions = composite_condition(layout, keys, self.given, self.sort)
            params["KeyConditionExpression"] = render_condition(nodes.And(tuple(conditions)), placeholders)
            filters = compare_filters(layout, keys, self.given, self.sort, compare)
            return nodes.all_of(self.filter(), *filters, owner_filter(layout) if checked else None)
        found = key_condition(layout, keys, self.given, self.sort, compare)
        params["KeyConditionExpression"] = found.text
        placeholders.names["#pk"] = keys.pk.field
        if keys.sk is not None and ":sk1" in found.values:
            placeholders.names["#sk1"] = keys.sk.field
        placeholders.values.update(found.values)
        owner = owner_filter(layout) if checked and self.needs_owner(keys, is_partial=found.is_partial) else None
        if not found.filters and owner is None:
            return self.filter()
        return nodes.all_of(self.filter(), *found.filters, owner)

    def spelling(self, keys: PatternKeys) -> Spelling | None:
        """What is to be compared of the items found, because their keys leave it open."""
        spelling = spelling_of(self.layout, keys, self.given)
        if spelling is not None:
            check_comparable(spelling, hydrate=self.options.hydrate)
        return spelling

    def filter(self) -> nodes.Condition | None:
        """What was asked for besides the key, and that the item is not hidden where that matters."""
        if self.layout.hidden_by is None and self.layout.marked_by is None:
            return self.condition
        return nodes.all_of(self.condition, alive(self.layout, self.options))

    def needs_owner(self, keys: PatternKeys, *, is_partial: bool) -> bool:
        """Keys of clustered indexes mix the entities of a partition; a range may hold foreign items."""
        return keys.pattern.kind == "clustered" and is_partial and not self.is_guess

    def of_version(self, version: str) -> Query[E_co]:
        """The same question to items that an older version of the entity wrote, whose keys carry that version."""
        return msgspec.structs.replace(self, layout=self.layout.of_version(version))

    def params(self) -> Any:
        if self.keys.pattern.is_spread:
            return [lane.request(sending=self.layout.strict) for lane in partitions_of(self)]
        return self.request(sending=self.layout.strict)

    def flow(self) -> Flow[Page[E_co]]:
        spread = self.layout.spread
        if spread is not None and self.keys.pattern.is_spread:
            return spread.gather(self)
        return pages_flow("Query", self)


def pages_flow(action: str, query: Any) -> Flow[Any]:
    """Read pages until enough are read, enough items are found, or there is no more."""
    layout: Layout = query.layout
    options: Options = query.options
    allowed = float("inf") if options.count else pages_allowed(options)
    request: Params = query.request(sending=True)
    spelling: Spelling | None = query.spelling(query.keys) if layout.folds else None
    read = page_reader(layout, query.keys, options, spelling)
    items: list[Any] = []
    unprocessed: list[Any] = []
    last: Params | None = None
    counted = read_pages = 0
    while read_pages < allowed:
        check_abort(options)
        reply = yield Call(action, to_wire(request))
        if options.data == "raw":
            return _bare_page(reply)
        read_pages += 1
        found = read(reply)
        last = found.last
        room = None if options.count is None else options.count - counted
        wanted, used = Page(found.items[:room]), len(found.items[:room])
        if options.hydrate:
            wanted, used = yield from _hydrated_to_fill(layout, found.items, room, options, spelling)
        counted += used if spelling is None else len(wanted)
        unprocessed += wanted.unprocessed
        items += wanted.items
        if options.count is not None and counted >= options.count:
            if layout.strict and not last and used == len(found.items):
                return Page(items, None, tuple(unprocessed))  # that was the very last one
            position = position_of(layout, query.keys, found.stored_at(used - 1))
            return Page(items, write_cursor(position), tuple(unprocessed))
        if not last:
            break
        request = {**request, "ExclusiveStartKey": last}
    return Page(items, write_cursor(last) if last else None, tuple(unprocessed))


def _bare_page(reply: Reply) -> Page[Any]:
    document = read_reply(reply)
    return Page([document], document.get("LastEvaluatedKey"))


def page_reader(
    layout: Layout, keys: PatternKeys, options: Options, spelling: Spelling | None = None
) -> Callable[[Reply], Found]:
    """Turns the text of a reply into the items that the caller gets."""
    generic = _item_reader(layout, keys, options, spelling)
    reader = reader_for(layout, options, held_by(keys, options))
    if reader is None or (spelling is not None and not spelling.is_plain):
        return lambda reply: _generic_page(reply, generic)
    is_certain = not (layout.upgrades or ignores_ownership(layout, keys, options))
    read = reader.page if options.count is None else reader.one_by_one
    if spelling is None:
        return lambda reply: read(reply, generic, is_certain=is_certain)
    return lambda reply: spelling.of_page(read(reply, generic, is_certain=is_certain))


def _generic_page(reply: Reply, read: Callable[[Params], Any]) -> Found:
    document = read_reply(reply)
    owned = [(item, found) for item in document.get("Items", ()) if (found := read(item)) is not None]
    return Found([found for _, found in owned], document.get("LastEvaluatedKey"), [item for item, _ in owned])


def _item_reader(
    layout: Layout, keys: PatternKeys, options: Options, spelling: Spelling | None
) -> Callable[[Params], Any]:
    """Turns a found item into what the caller gets, None for foreign ones; items to be hydrated stay as they are."""
    if spelling is not None:
        read = _item_reader(layout, keys, options, None)
        return lambda item: read(item) if spelling.fits(item) else None
    if options.hydrate:
        return lambda item: item if owns(layout, item, by_key=True) else None
    ignore = ignores_ownership(layout, keys, options)
    held = held_by(keys, options)
    return lambda item: read_item(layout, item, options, ignore=ignore, held=held)


def hydrated(layout: Layout, page: Page[Any], options: Options, spelling: Spelling | None = None) -> Flow[Page[Any]]:
    """With hydrate: the whole items behind the keys an index gave, in its order."""
    stored = yield from stored_behind(layout, page.items, options, spelling)
    items = [read_item(layout, item, options, ignore=True) for item in stored if item is not None]
    left = () if layout.strict else tuple(key for key, item in zip(page.items, stored, strict=True) if item is None)
    return Page([item for item in items if item is not None], page.cursor, left)


def _hydrated_to_fill(
    layout: Layout, keys: list[Any], room: int | None, options: Options, spelling: Spelling | None
) -> Flow[tuple[Page[Any], int]]:
    """As many whole items as there is room for, and how many keys that took: other spellings need no room."""
    if spelling is None or room is None:
        page = yield from hydrated(layout, Page(keys[:room]), options, spelling)
        return page, len(keys[:room])
    items: list[Any] = []
    used = 0
    while used < len(keys) and len(items) < room:
        some = keys[used : used + (max(room, MAX_BATCH_GET_ITEMS) if used else room)]
        for item in (yield from stored_behind(layout, some, options, spelling)):
            if len(items) == room:
                break
            used += 1
            found = read_item(layout, item, options, ignore=True)
            items += [] if found is None else [found]
    return Page(items), used


def stored_behind(
    layout: Layout, found: list[Any], options: Options, spelling: Spelling | None = None
) -> Flow[list[Params | None]]:
    """The items of the table behind what an index gave, one for each; None for what is gone or spelled another way."""
    wanted = msgspec.structs.replace(options, hydrate=False)
    if spelling is not None and options.attributes:
        wanted = msgspec.structs.replace(wanted, attributes=(*options.attributes, *spelling.equal))
    table, fields = table_of(layout, options), sorted(layout.table_fields)
    shared: Params = {}
    placeholders = Placeholders()
    add_projection(layout, shared, placeholders, wanted, identified=True)
    if placeholders.names:
        shared["ExpressionAttributeNames"] = placeholders.names
    add_options(shared, layout, options, GET_PARAMS)
    keys = [{field: item[field] for field in fields} for item in found]
    groups = chunks(keys, MAX_BATCH_GET_ITEMS)
    requests: list[Params] = [{"RequestItems": {table: {"Keys": group, **shared}}} for group in groups]
    replies = yield from (read_whole(requests, options) if layout.strict else _read_once(requests))
    stored = [item for reply in replies for item in reply.get("Responses", {}).get(table, ())]
    if spelling is not None:
        stored = [item for item in stored if spelling.fits(item)]
    whole = {place_of(table, item, layout.table_fields): item for item in stored}
    return [whole.get(place_of(table, key, layout.table_fields)) for key in found]


def read_whole(requests: list[Params], options: Options) -> Flow[list[Params]]:
    """The replies to all of it, however often it takes."""
    books = yield from rounds("BatchGetItem", requests, options)
    if books.error is not None:
        raise books.error
    if books.undone:
        message = f"{members_in(books.undone)} whole items behind an index could not be read; run the query again"
        raise Incomplete("UnprocessedKeys", message, details=merged(books.undone))
    return books.replies


def _read_once(requests: list[Params]) -> Flow[list[Params]]:
    """The replies as they are; what DynamoDB left over counts as not found, as with ElectroDB."""
    replies: list[Params] = []
    for request in requests:
        reply = yield from call("BatchGetItem", request)
        replies.append(reply)
    return replies


def position_of(layout: Layout, keys: PatternKeys, item: Params) -> Params:
    """The key of an item as DynamoDB would give it as the last evaluated key."""
    sides = [keys.pk, keys.sk, layout.primary.pk, layout.primary.sk]
    position: Params = {}
    values = {layout.by_field[field].name: value for field, value in item.items() if field in layout.by_field}
    for side in sides:
        if side is not None and side.field and side.field not in position:
            position[side.field] = item[side.field] if side.field in item else side.compose(values)
    if keys.pattern.kind == "composite":
        fields = (layout.attributes[name].field for name in keys.pattern.composites)
        position = {**{field: item[field] for field in fields if field in item}, **position}
    return position
