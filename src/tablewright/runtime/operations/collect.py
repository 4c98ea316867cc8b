"""Find the items of several entities with one query: collections."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.expr.render import Placeholders, render_condition
from tablewright.runtime.codecs.choose_reader import asked_for, reader_for
from tablewright.runtime.items.cursor import write_cursor
from tablewright.runtime.items.layout import Layout, Values, incomplete
from tablewright.runtime.items.letter_case import Spelling, check_comparable, fields_to_compare, is_held, spelling_of
from tablewright.runtime.items.reading import owns
from tablewright.runtime.items.visibility import alive
from tablewright.runtime.operations.query import Page, hydrated
from tablewright.runtime.operations.total import Countable
from tablewright.runtime.options import DEFAULT, Options, pages_allowed
from tablewright.runtime.requests.composite import composite_condition
from tablewright.runtime.requests.conditions import (
    TEXTS,
    KeyCondition,
    compare_attribute,
    compare_filters,
    key_condition,
)
from tablewright.runtime.requests.ranges import UNKNOWN, Sort
from tablewright.runtime.requests.request import (
    PAGE_PARAMS,
    Params,
    add_condition,
    add_options,
    add_start_key,
    check_abort,
    finish,
    held_by,
    ignores_ownership,
    owner_filter,
    project,
    read_own,
    table_of,
)
from tablewright.schema import model
from tablewright.schema.keys import ComposedKey, PatternKeys
from tablewright.schema.types import STRING
from tablewright.wire.call import Call
from tablewright.wire.document import read_reply, to_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from tablewright.runtime.codecs.mixed_reader import Owner
    from tablewright.runtime.flow import Flow
    from tablewright.wire.call import Reply

    Sorter: TypeAlias = Callable[[Reply], tuple[dict[str, list[Any]], Params | None]]


class _Gathered(msgspec.Struct, frozen=True):
    """The items of a collection by alias, and where to go on (None at the end)."""

    items: dict[str, list[Any]]
    cursor: Any = None
    unprocessed: tuple[Any, ...] = ()  # with hydrate: keys whose items could not be read


class Collect(Countable, msgspec.Struct, frozen=True):
    """`Workload.of("e1")`: everything the members keep under one partition key."""

    collection: model.Collection
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
            add_start_key(params, self.layout, keys, options, placeholders)
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
        if compare == "exact" and self.sort is None and shared.sk is not None and shared.sk.given(self.given):
            found = self.exact_condition(shared, shared.sk)
        else:
            found = key_condition(layout, shared, self.given, self.sort, compare, tail=False)
        params["KeyConditionExpression"] = found.text
        placeholders.names["#pk"] = keys.pk.field
        if keys.sk is not None and ":sk1" in found.values:
            placeholders.names["#sk1"] = keys.sk.field
        placeholders.values.update(found.values)
        return found.filters

    def exact_condition(self, shared: PatternKeys, sk: ComposedKey) -> KeyCondition:
        """Sort composites in a clustered collection, of which members have more: a value ends before the next `#`.

        Whether it does not go on behind that (`x#y`) the last one's own attribute has to say.
        """
        layout = self.layout
        count = sk.given(self.given)
        if count < len(sk.pieces):  # cut behind the label of the next one, which all members have
            return key_condition(layout, shared, self.given, None, "exact")
        last = sk.pieces[-1]
        end = "" if sk.templated else "#"
        found = key_condition(
            layout,
            msgspec.structs.replace(shared, sk=msgspec.structs.replace(sk, postfix=end)),
            self.given,
            None,
            "exact",
        )
        is_certain = not sk.templated and last.type != STRING
        filters = () if is_certain else (self.holds(last.name),)
        return KeyCondition(TEXTS["begins"], found.values, filters, is_partial=True)

    def holds(self, name: str) -> nodes.Condition:
        """That an item has the value asked for; every member has to hold it where it is found."""
        for member in self.collection.members:
            layout = self.members[member.alias]
            if not is_held(layout.pattern(member.pattern), name):
                where, said = f"collection {self.collection.name}", layout.called(name)
                raise RequestError(
                    f"{where} cannot be asked for {said}: the index does not hold it, and keys of {layout.name} go on "
                    f"behind it; leave {said} out, or add it to the projection",
                    code=2002,
                )
        return compare_attribute(self.layout, "=", name, self.given[name])

    def keys_of(self, layout: Layout) -> PatternKeys:
        """The access pattern of the member that has this layout."""
        return next(
            layout.pattern(each.pattern) for each in self.collection.members if self.members[each.alias] is layout
        )

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
        postfix = self.following(count) if keys.sk.templated else ""
        return PatternKeys(
            keys.pattern, keys.pk, msgspec.structs.replace(keys.sk, pieces=keys.sk.pieces[:count], postfix=postfix)
        )

    def following(self, count: int) -> str:
        """What stands in the templates of all members behind so many composites."""
        sides = [self.members[each.alias].pattern(each.pattern).sk for each in self.collection.members]
        texts = [
            side.pieces[count].lead if count < len(side.pieces) else side.postfix for side in sides if side is not None
        ]
        alike = takewhile(lambda characters: len({*characters}) == 1, zip(*texts, strict=False))
        return "".join(each for each, *_ in alike) or (UNKNOWN if any(texts) else "")

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
        layouts = [self.members[member.alias] for member in self.collection.members]
        each = tuple(_owner_of(layout, self.options) for layout in layouts)
        return each[0] if len(each) == 1 else nodes.Or(each)

    def project(self, params: Params, placeholders: Placeholders, *, identified: bool) -> None:
        """Ask for the wanted attributes of all members, the keys and (where they tell owners) the identifiers."""
        layouts = [self.members[member.alias] for member in self.collection.members]
        wanted = self.options.attributes or ()
        fields: list[str] = []
        for layout in layouts:
            sides = (layout.primary.pk, layout.primary.sk)
            fields += [side.field for side in sides if side is not None]
            fields += [layout.attributes[name].field for name in wanted if name in layout.attributes]
            fields += fields_to_compare(layout, self.keys_of(layout)) if layout.folds else ()
            fields += layout.identity if identified else ()
        sides = (self.keys.pk, self.keys.sk)
        in_keys = {
            *(side.field for side in sides if side is not None),
            *(name for each in layouts for name in each.identity),
        }
        project(params, placeholders, fields, in_keys)

    def params(self) -> Params:
        return self.request(sending=self.layout.strict)

    def flow(self) -> Flow[_Gathered]:
        options = self.options
        allowed = pages_allowed(options)
        request = self.request(sending=True)
        gathered: dict[str, list[Any]] = {alias: [] for alias in self.aliases()}
        unprocessed: list[Any] = []
        last: Params | None = None
        pages = 0
        sort = self.sorter()
        spellings = {alias: self.spelling(alias) for alias in self.aliases()}
        while pages < allowed:
            check_abort(options)
            reply = yield Call("Query", to_wire(request))
            if options.data == "raw":
                document = read_reply(reply)
                return _Gathered({"raw": [document]}, document.get("LastEvaluatedKey"))
            sorted_items, last = sort(reply)
            for alias, items in sorted_items.items():
                found = Page(items)
                if options.hydrate:
                    found = yield from hydrated(self.members[alias], found, options, spellings[alias])
                gathered[alias] += found.items
                unprocessed += found.unprocessed
            pages += 1
            if not last:
                break
            request = {**request, "ExclusiveStartKey": last}
        return _Gathered(gathered, write_cursor(last) if last else None, tuple(unprocessed))

    def spelling(self, alias: str) -> Spelling | None:
        """What is to be compared of a member's items, because their keys leave it open."""
        layout = self.members[alias]
        if not layout.folds:
            return None
        member = next(each for each in self.collection.members if each.alias == alias)
        keys = layout.pattern(member.pattern)
        spelling = spelling_of(layout, keys, self.given)
        if spelling is not None:
            check_comparable(spelling, hydrate=self.options.hydrate)
        return spelling

    def spelling_in(self, layout: Layout) -> Spelling | None:
        """The same of the member that has this layout."""
        return next((self.spelling(alias) for alias in self.aliases() if self.members[alias] is layout), None)

    def aliases(self) -> list[str]:
        return [member.alias for member in self.collection.members]

    def sorter(self) -> Sorter:
        """Turns the text of a reply into items by alias and the key to go on from."""
        spellings = {alias: found for alias in self.aliases() if (found := self.spelling(alias)) is not None}
        is_plain = all(spelling.is_plain for spelling in spellings.values())
        if self.layout.codec is not None and asked_for(self.options) is None and is_plain:
            from tablewright.runtime.codecs.mixed_reader import sorting_of

            sorting = sorting_of([self.owner(alias) for alias in self.aliases()], self.read_by_owner)
            if sorting is not None:
                return partial(_sort_spelled, sorting.sort, spellings) if spellings else sorting.sort
        return self.sort_generic

    def owner(self, alias: str) -> Owner:
        from tablewright.runtime.codecs.mixed_reader import Owner

        layout = self.members[alias]
        reader = reader_for(layout, self.options, self.held(alias))
        return Owner(alias, layout, reader, lambda item: self.read(alias, item))

    def sort_generic(self, reply: Reply) -> tuple[dict[str, list[Any]], Params | None]:
        document = read_reply(reply)
        found: dict[str, list[Any]] = {}
        for item in document.get("Items", ()):
            alias_and_item = self.read_by_owner(item)
            if alias_and_item is not None:
                found.setdefault(alias_and_item[0], []).append(alias_and_item[1])
        return found, document.get("LastEvaluatedKey")

    def read_by_owner(self, item: Params) -> tuple[str, Any] | None:
        """An item and the alias of the member it belongs to; it is read unless it is yet to be hydrated."""
        ignore = self.ignores_ownership() or self.options.hydrate
        alias = next((each for each in self.aliases() if owns(self.members[each], item, by_key=ignore)), None)
        spelling = None if alias is None else self.spelling(alias)
        if alias is None or (spelling is not None and not spelling.fits(item)):
            return None
        return alias, item if self.options.hydrate else self.read(alias, item)

    def read(self, alias: str, item: Params) -> Any:
        return read_own(self.members[alias], item, self.options, held=self.held(alias))

    def held(self, alias: str) -> Collection[str] | None:
        """The attributes that items of a member can have where they are found; None for all."""
        member = next(each for each in self.collection.members if each.alias == alias)
        return held_by(self.members[alias].pattern(member.pattern), self.options)


def _sort_spelled(
    sort: Sorter, spellings: Mapping[str, Spelling], reply: Reply
) -> tuple[dict[str, list[Any]], Params | None]:
    """Items by alias without those that are spelled another way than it was asked for."""
    found, last = sort(reply)
    for alias, spelling in spellings.items():
        found[alias] = [item for item in found.get(alias, ()) if spelling.fits_made(item)]
    return found, last


def _owner_of(layout: Layout, options: Options) -> nodes.Condition:
    """That an item is this member's, and has not expired where that matters."""
    owner, living = owner_filter(layout), alive(layout, options)
    return owner if living is None else nodes.And((owner, living))
