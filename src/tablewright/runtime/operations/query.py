"""Find items by an access pattern, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.errors import Aborted
from tablewright.expr import nodes
from tablewright.expr.render import Placeholders, render_condition
from tablewright.runtime.items.cursor import write_cursor
from tablewright.runtime.items.layout import Layout, Values, incomplete
from tablewright.runtime.items.reading import owns
from tablewright.runtime.options import DEFAULT, Options, pages_allowed
from tablewright.runtime.requests.chaining import Paged
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
    finish,
    held_by,
    ignores_ownership,
    owner_filter,
    read_item,
    table_of,
)
from tablewright.wire.limits import MAX_BATCH_GET_ITEMS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tablewright.runtime.flow import Flow
    from tablewright.schema.keys import PatternKeys

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


class Query(Paged, msgspec.Struct, Generic[E_co], frozen=True):
    """`Task.by_employee("e1", status="open")`."""

    layout: Layout
    pattern: str
    given: Values
    sort: Sort | None = None
    condition: nodes.Condition | None = None
    options: Options = DEFAULT
    is_guess: bool = False  # the index was chosen by match or find, which do not filter for the entity

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
            add_start_key(params, layout, keys, options)
        identified = sending and options.data != "raw" and not ignores_ownership(layout, keys, options)
        add_projection(layout, params, placeholders, options, identified=identified)
        return finish(params, placeholders, options)

    def plain_request(self, keys: PatternKeys) -> Params:
        """The same for most queries: no options, no comparison. It is worth its lines in microseconds."""
        layout, given, sk = self.layout, self.given, keys.sk
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
        if self.condition is not None:
            params["FilterExpression"] = render_condition(self.condition, Placeholders(names, values))
        params["ExpressionAttributeNames"] = names
        params["ExpressionAttributeValues"] = values
        return params

    def key_condition(self, params: Params, placeholders: Placeholders) -> nodes.Condition | None:
        """Add the key condition to the request; the answer is the filter that goes with it."""
        layout, keys = self.layout, self.keys
        checked = not ignores_ownership(layout, keys, self.options)
        compare = self.options.compare or ("exact" if layout.strict else "keys")
        if keys.pattern.kind == "composite":
            conditions = composite_condition(layout, keys, self.given, self.sort)
            params["KeyConditionExpression"] = render_condition(nodes.And(tuple(conditions)), placeholders)
            filters = compare_filters(layout, keys, self.given, self.sort, compare)
            return nodes.all_of(self.condition, *filters, owner_filter(layout) if checked else None)
        found = key_condition(layout, keys, self.given, self.sort, compare)
        params["KeyConditionExpression"] = found.text
        placeholders.names["#pk"] = keys.pk.field
        if keys.sk is not None and ":sk1" in found.values:
            placeholders.names["#sk1"] = keys.sk.field
        placeholders.values.update(found.values)
        owner = owner_filter(layout) if checked and self.needs_owner(keys, is_partial=found.is_partial) else None
        if not found.filters and owner is None:
            return self.condition
        return nodes.all_of(self.condition, *found.filters, owner)

    def needs_owner(self, keys: PatternKeys, *, is_partial: bool) -> bool:
        """Keys of clustered indexes mix the entities of a partition; a range may hold foreign items."""
        return keys.pattern.kind == "clustered" and is_partial and not self.is_guess

    def of_version(self, version: str) -> Query[E_co]:
        """The same question to items that an older version of the entity wrote, whose keys carry that version."""
        return msgspec.structs.replace(self, layout=self.layout.of_version(version))

    def params(self) -> Params:
        return self.request(sending=self.layout.strict)

    def flow(self) -> Flow[Page[E_co]]:
        return pages_flow("Query", self)


def pages_flow(action: str, query: Any) -> Flow[Any]:
    """Read pages until enough are read, enough items are found, or there is no more."""
    layout: Layout = query.layout
    options: Options = query.options
    allowed = float("inf") if options.count else pages_allowed(options)
    request: Params = query.request(sending=True)
    read = item_reader(layout, query.keys, options)
    items: list[Any] = []
    raw: list[Params] = []
    unprocessed: list[Any] = []
    last: Params | None = None
    read_pages = 0
    while read_pages < allowed:
        check_abort(options)
        reply = yield from call(action, request)
        if options.data == "raw":
            return Page([reply], reply.get("LastEvaluatedKey"))
        read_pages += 1
        last = reply.get("LastEvaluatedKey")
        owned = [(item, found) for item in reply.get("Items", ()) if (found := read(item)) is not None]
        owned = owned[: None if options.count is None else options.count - len(items)]
        page = yield from hydrated(layout, Page([found for _, found in owned]), options)
        items += page.items
        unprocessed += page.unprocessed
        raw += [item for item, _ in owned]
        if options.count is not None and len(raw) >= options.count:
            return Page(items, write_cursor(position_of(layout, query.keys, raw[-1])), tuple(unprocessed))
        if not last:
            break
        request = {**request, "ExclusiveStartKey": last}
    return Page(items, write_cursor(last) if last else None, tuple(unprocessed))


def item_reader(layout: Layout, keys: PatternKeys, options: Options) -> Callable[[Params], Any]:
    """Turns a found item into what the caller gets, None for foreign ones; items to be hydrated stay as they are."""
    if options.hydrate:
        return lambda item: item if owns(layout, item, by_key=True) else None
    ignore = ignores_ownership(layout, keys, options)
    held = held_by(keys, options)
    return lambda item: read_item(layout, item, options, ignore=ignore, held=held)


def hydrated(layout: Layout, page: Page[Any], options: Options) -> Flow[Page[Any]]:
    """With hydrate: the whole items behind the keys an index gave, in its order."""
    if not options.hydrate:
        return page
    table = table_of(layout, options)
    whole: dict[tuple[Any, ...], Params] = {}
    for at in range(0, len(page.items), MAX_BATCH_GET_ITEMS):
        keys = [
            {field: item[field] for field in layout.table_fields} for item in page.items[at : at + MAX_BATCH_GET_ITEMS]
        ]
        request: Params = {"Keys": keys}
        placeholders = Placeholders()
        add_projection(layout, request, placeholders, msgspec.structs.replace(options, hydrate=False), identified=True)
        if placeholders.names:
            request["ExpressionAttributeNames"] = placeholders.names
        add_options(request, layout, options, GET_PARAMS)
        reply = yield from call("BatchGetItem", {"RequestItems": {table: request}})
        for item in reply.get("Responses", {}).get(table, ()):
            whole[tuple(item.get(field) for field in layout.table_fields)] = item
    found = [(key, whole.get(tuple(key[field] for field in layout.table_fields))) for key in page.items]
    items = [read_item(layout, item, options, ignore=True) for _, item in found if item is not None]
    left = tuple(key for key, item in found if item is None)
    return Page([item for item in items if item is not None], page.cursor, left)


def check_abort(options: Options) -> None:
    if options.abort is not None and options.abort.is_set():
        raise Aborted("Aborted", "the operation was called off")


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
