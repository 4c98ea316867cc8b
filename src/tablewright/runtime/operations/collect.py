"""Find the items of several entities with one query: collections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.expr.render import Placeholders, render_condition
from tablewright.runtime.items.cursor import write_cursor
from tablewright.runtime.items.layout import Layout, Values, incomplete
from tablewright.runtime.items.reading import owns
from tablewright.runtime.operations.query import Page, check_abort, hydrated
from tablewright.runtime.options import DEFAULT, Options, pages_allowed
from tablewright.runtime.requests.chaining import Paged
from tablewright.runtime.requests.composite import composite_condition
from tablewright.runtime.requests.conditions import compare_filters, key_condition
from tablewright.runtime.requests.ranges import Sort
from tablewright.runtime.requests.request import (
    PAGE_PARAMS,
    Params,
    add_condition,
    add_options,
    add_start_key,
    call,
    finish,
    held_by,
    ignores_ownership,
    owner_filter,
    read_own,
    table_of,
)
from tablewright.schema.keys import ComposedKey, PatternKeys
from tablewright.schema.model import Collection

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow


class Gathered(msgspec.Struct, frozen=True):
    """The items of a collection by alias, and where to go on (None at the end)."""

    items: dict[str, list[Any]]
    cursor: Any = None
    unprocessed: tuple[Any, ...] = ()  # with hydrate: keys whose items could not be read


class Collect(Paged, msgspec.Struct, frozen=True):
    """`Workload.of("e1")`: everything the members keep under one partition key."""

    collection: Collection
    members: Mapping[str, Layout]  # by alias, in the service's order
    given: Values
    sort: Sort | None = None
    condition: nodes.Condition | None = None
    options: Options = DEFAULT

    method = "query"

    @property
    def keys(self) -> PatternKeys:
        """The access pattern of the first member; all members agree on what matters."""
        first = self.collection.members[0]
        return self.members[first.alias].pattern(first.pattern)

    @property
    def layout(self) -> Layout:
        return self.members[self.collection.members[0].alias]

    def request(self, *, sending: bool) -> Params:
        options, keys = self.options, self.keys
        params: Params = {"TableName": table_of(self.layout, options)}
        placeholders = Placeholders()
        filters = self.key_condition(params, placeholders)
        if keys.pattern.index is not None:
            params["IndexName"] = keys.pattern.index
        owners = None if self.ignores_ownership() else self.owners()
        add_condition(params, "FilterExpression", nodes.all_of(owners, self.condition, *filters), placeholders)
        add_options(params, self.layout, options, PAGE_PARAMS)
        if sending and options.cursor is not None:
            add_start_key(params, self.layout, keys, options)
        if options.attributes and not options.hydrate:
            self.project(params, placeholders, identified=owners is not None)
        return finish(params, placeholders, options)

    def key_condition(self, params: Params, placeholders: Placeholders) -> tuple[nodes.Condition, ...]:
        layout, keys = self.layout, self.keys
        compare = self.options.compare or ("exact" if layout.strict else "keys")
        if keys.pattern.kind == "composite":
            conditions = composite_condition(layout, self.shared_keys(), self.given, self.sort)
            params["KeyConditionExpression"] = render_condition(nodes.And(tuple(conditions)), placeholders)
            return compare_filters(layout, self.shared_keys(), self.given, self.sort, compare)
        shared = self.shared_keys()
        if keys.pattern.kind == "isolated":
            missing = keys.pk.missing(self.given)
            if missing:
                raise incomplete(layout, keys.pattern, missing)
        if self.sort is not None and compare == "exact" and not (shared.sk and shared.sk.pieces):
            raise RequestError(f"collection {self.collection.name} has no sort composites to compare", code=2002)
        found = key_condition(layout, shared, self.given, self.sort, compare, tail=False)
        params["KeyConditionExpression"] = found.text
        placeholders.names["#pk"] = keys.pk.field
        if keys.sk is not None and ":sk1" in found.values:
            placeholders.names["#sk1"] = keys.sk.field
        placeholders.values.update(found.values)
        return found.filters

    def shared_keys(self) -> PatternKeys:
        """The keys with only those sort composites that all members have, behind the collection's own prefix."""
        keys = self.keys
        if keys.sk is None:
            return keys
        if keys.pattern.kind == "isolated":
            names = keys.pattern.collection
            outer = names[: names.index(self.collection.name) + 1]
            stem = "" if keys.sk.templated else "$" + "#".join(outer)
            sk = ComposedKey(keys.sk.field, stem, (), "", keys.sk.casing)
            return PatternKeys(keys.pattern, keys.pk, sk)
        count = len(self.shared_composites())
        return PatternKeys(
            keys.pattern, keys.pk, msgspec.structs.replace(keys.sk, pieces=keys.sk.pieces[:count], postfix="")
        )

    def shared_composites(self) -> list[str]:
        sorts = [self.members[each.alias].pattern(each.pattern).pattern.sk for each in self.collection.members]
        composites = [sort.composite if sort else () for sort in sorts]
        shared: list[str] = []
        for names in zip(*composites, strict=False):
            if len(set(names)) > 1:
                break
            shared.append(names[0])
        return shared

    def ignores_ownership(self) -> bool:
        return ignores_ownership(self.layout, self.keys, self.options)

    def owners(self) -> nodes.Condition:
        """That an item belongs to one of the members."""
        each = tuple(owner_filter(self.members[member.alias]) for member in self.collection.members)
        return each[0] if len(each) == 1 else nodes.Or(each)

    def project(self, params: Params, placeholders: Placeholders, *, identified: bool) -> None:
        """Ask for the wanted attributes of all members, the keys and (where they tell owners) the identifiers."""
        layouts = [self.members[member.alias] for member in self.collection.members]
        wanted = self.options.attributes or ()
        for layout in layouts:
            sides = (layout.primary.pk, layout.primary.sk)
            attributes = (layout.attributes[name].field for name in wanted if name in layout.attributes)
            identity = layout.identity if identified else ()
            for field in (*(side.field for side in sides if side is not None), *attributes, *identity):
                placeholders.field(field)
        params["ProjectionExpression"] = ", ".join(placeholders.names)

    def params(self) -> Params:
        return self.request(sending=self.layout.strict)

    def flow(self) -> Flow[Gathered]:
        options = self.options
        allowed = pages_allowed(options)
        request = self.request(sending=True)
        gathered: dict[str, list[Any]] = {alias: [] for alias in self.aliases()}
        unprocessed: list[Any] = []
        last: Params | None = None
        pages = 0
        while pages < allowed:
            check_abort(options)
            reply = yield from call("Query", request)
            if options.data == "raw":
                return Gathered({"raw": [reply]}, reply.get("LastEvaluatedKey"))
            for alias, items in self.by_owner(reply.get("Items", ())).items():
                found = yield from hydrated(self.members[alias], Page(items), options)
                gathered[alias] += found.items
                unprocessed += found.unprocessed
            pages += 1
            last = reply.get("LastEvaluatedKey")
            if not last:
                break
            request = {**request, "ExclusiveStartKey": last}
        return Gathered(gathered, write_cursor(last) if last else None, tuple(unprocessed))

    def aliases(self) -> list[str]:
        return [member.alias for member in self.collection.members]

    def read(self, alias: str, item: Params) -> Any:
        member = next(each for each in self.collection.members if each.alias == alias)
        layout = self.members[alias]
        held = held_by(layout.pattern(member.pattern), self.options)
        return read_own(layout, item, self.options, held=held)

    def by_owner(self, items: Iterable[Params]) -> dict[str, list[Any]]:
        """Items by the alias of the member they belong to, read unless they are yet to be hydrated."""
        ignore = self.ignores_ownership() or self.options.hydrate
        found: dict[str, list[Any]] = {}
        for item in items:
            alias = next((each for each in self.aliases() if owns(self.members[each], item, by_key=ignore)), None)
            if alias is not None:
                read = item if self.options.hydrate else self.read(alias, item)
                found.setdefault(alias, []).append(read)
        return found
