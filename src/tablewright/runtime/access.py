"""Access patterns as documented functions: before `*` the partition key, after it the sort key.

    @tw.index("gsi1", collection="workload")
    def by_employee(self, employee: str, *, status: Status = ANY, created_at: Range[datetime] = ANY) -> None:
        "What an employee has to do, by status and age."

The function is never called; its signature is the key. Calling the pattern on the class gives a key or a query.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Concatenate, Generic, Literal, ParamSpec, TypeAlias, TypeVar, Union, overload

import msgspec

from tablewright.errors import FieldFault, RequestError, SchemaError, ValidationError
from tablewright.runtime.codec import EncodingError
from tablewright.runtime.items.layout import Layout
from tablewright.runtime.operations.conditions import Operator, Sort
from tablewright.runtime.operations.query import Query
from tablewright.schema.model import AccessPattern, Casing, IndexKind, KeySide, Projection

if TYPE_CHECKING:
    from tablewright.runtime.attr import Slot
    from tablewright.runtime.collection import Collection, Gather
    from tablewright.runtime.entity import Entity
    from tablewright.runtime.key import Key

T = TypeVar("T")
E = TypeVar("E", bound="Entity")
C = TypeVar("C", bound="Collection")
P = ParamSpec("P")

PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
TABLE = "table"


class _Any:
    def __repr__(self) -> str:
        return "ANY"


ANY: Any = _Any()
"""The default of a sort composite that a caller may leave out."""


class Bound(msgspec.Struct, Generic[T], frozen=True):
    """A comparison in place of a value: `created_at=tw.lt(today)`."""

    operator: Operator
    low: T
    high: T | None = None


Range: TypeAlias = Union[T, Bound[T]]  # noqa: UP007 - an alias with a type variable must be a Union in 3.11


def lt(value: T) -> Bound[T]:
    return Bound("lt", value)


def lte(value: T) -> Bound[T]:
    return Bound("lte", value)


def gt(value: T) -> Bound[T]:
    return Bound("gt", value)


def gte(value: T) -> Bound[T]:
    return Bound("gte", value)


def between(low: T, high: T) -> Bound[T]:
    """From `low` to `high`, both included."""
    return Bound("between", low, high)


def begins_with(prefix: str) -> Bound[str]:
    return Bound("begins", prefix)


# ---- declaring ---------------------------------------------------------------------------------------------------


class Signature(msgspec.Struct, frozen=True):
    """The composites of an access pattern, read off its function."""

    name: str
    pk: tuple[str, ...]
    sk: tuple[str, ...]
    optional: frozenset[str]
    has_star: bool
    doc: str


def signature_of(function: Callable[..., Any]) -> Signature:
    code = function.__code__
    names = code.co_varnames
    pk = names[1 : code.co_argcount]
    sk = names[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    defaults: Mapping[str, Any] = function.__kwdefaults__ or {}
    doc = (function.__doc__ or "").strip()
    return Signature(function.__name__, pk, sk, frozenset(defaults), bool(sk), doc)


class PatternOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a decorator says beside the signature; names are Python names until the entity is compiled."""

    index: str | None = None
    collection: tuple[str, ...] = ()
    kind: IndexKind = "isolated"
    scope: str = ""
    condition: Callable[[Any], Any] | None = None
    depends_on: tuple[str, ...] | None = None
    projection: Projection = "all"
    pk: str | None = None
    sk: str | None = None
    fields: tuple[str, ...] | None = None
    casing: Casing | None = None
    cast: Mapping[str, Literal["string", "number"]] = msgspec.field(default_factory=dict[str, Any])
    sort: bool = True


class Pattern(Generic[P]):
    """An access pattern of an entity or collection."""

    def __init__(self, function: Callable[Concatenate[Any, P], None], options: PatternOptions) -> None:
        self.signature = signature_of(function)
        self.options = options
        self.__doc__ = self.signature.doc
        self._bound: dict[type[Any], Any] = {}

    def bound(self, owner: type[Any], make: Callable[[type[Any]], Any]) -> Any:
        found = self._bound.get(owner)
        if found is None:
            found = self._bound[owner] = make(owner)
        return found


class Primary(Pattern[P]):
    """The table's own key: calling it with all composites gives the key of one item."""

    @overload
    def __get__(self, item: None, owner: type[E]) -> Callable[P, Key[E]]: ...
    @overload
    def __get__(self, item: E, owner: type[E]) -> Key[E]: ...
    def __get__(self, item: Any, owner: type[Any]) -> Any:
        if item is not None:
            return item.__tablewright_key__()
        found = self._bound.get(owner)
        return found if found is not None else self.bound(owner, self._key_maker)

    def _key_maker(self, owner: type[Any]) -> Callable[..., Any]:
        from tablewright.runtime.key import Key  # noqa: PLC0415 - keys know operations, which know patterns

        layout, binder = owner.__tablewright_layout__(), owner.__tablewright_binder__(self.signature)

        def key(*args: Any, **named: Any) -> Any:
            given, sort = binder(args, named)
            if sort is not None:
                raise RequestError(f"{binder.where} is a key of one item; comparisons belong into a query", code=2002)
            found: Key[Any] = Key(layout, given)
            return found

        return documented(key, self)


class Index(Pattern[P]):
    """A way to find items: calling it with its composites gives a query."""

    @overload
    def __get__(self, item: None, owner: type[C]) -> Callable[P, Gather[C]]: ...
    @overload
    def __get__(self, item: None, owner: type[E]) -> Callable[P, Query[E]]: ...
    def __get__(self, item: None, owner: type[Any]) -> Any:
        found = self._bound.get(owner)
        return found if found is not None else self.bound(owner, lambda cls: cls.__tablewright_query__(self))


def documented(function: Callable[..., Any], pattern: Pattern[...]) -> Callable[..., Any]:
    function.__name__ = pattern.signature.name
    function.__doc__ = pattern.signature.doc
    return function


@overload
def primary(function: Callable[Concatenate[Any, P], None], /) -> Primary[P]: ...
@overload
def primary(
    *,
    pk: str | None = None,
    sk: str | None = None,
    fields: tuple[str, ...] | None = None,
    collection: str | Sequence[str] = (),
    kind: IndexKind = "isolated",
    scope: str = "",
    casing: Casing | None = None,
    cast: Mapping[str, Literal["string", "number"]] | None = None,
    sort: bool = True,
) -> Callable[[Callable[Concatenate[Any, P], None]], Primary[P]]: ...
def primary(function: Any = None, /, **options: Any) -> Any:
    """The table's own key. Options as for `index`."""
    read = read_options(None, options)
    return Primary(function, read) if function is not None else lambda each: Primary(each, read)  # pyright: ignore


def index(
    name: str,
    /,
    *,
    collection: str | Sequence[str] = (),
    kind: IndexKind = "isolated",
    scope: str = "",
    condition: Callable[[Any], Any] | None = None,
    depends_on: Sequence[str] | None = None,
    projection: Literal["all", "keys_only"] | Sequence[str] = "all",
    pk: str | None = None,
    sk: str | None = None,
    fields: tuple[str, ...] | None = None,
    casing: Casing | None = None,
    cast: Mapping[str, Literal["string", "number"]] | None = None,
    sort: bool = True,
) -> Callable[[Callable[Concatenate[Any, P], None]], Index[P]]:
    """A secondary index (on a collection: the index its members share), or "table" for a query on the table's own key.

    `pk` and `sk` are templates such as `"CUSTOMER#{customer}"`; without them keys are composed as ElectroDB does.
    `fields` names the stored key fields, `kind` is isolated, clustered or composite (multi-attribute), `sort=False`
    declares an index without sort key. `condition` says which items are in the index; it may read only the attributes
    named in `depends_on`.
    """
    read = read_options(
        name,
        {
            "collection": collection,
            "kind": kind,
            "scope": scope,
            "condition": condition,
            "depends_on": depends_on,
            "projection": projection,
            "pk": pk,
            "sk": sk,
            "fields": fields,
            "casing": casing,
            "cast": cast,
            "sort": sort,
        },
    )
    return lambda function: Index(function, read)


def read_options(name: str | None, options: dict[str, Any]) -> PatternOptions:
    given = {key: value for key, value in options.items() if value is not None}
    collection = given.get("collection", ())
    given["collection"] = (collection,) if isinstance(collection, str) else tuple(collection)
    for key in ("depends_on", "projection"):
        if key in given and not isinstance(given[key], str):
            given[key] = tuple(given[key])
    return PatternOptions(index=name, **given)


# ---- compiling ---------------------------------------------------------------------------------------------------


def to_schema(pattern: Pattern[Any], slots: Mapping[str, Slot], table_fields: tuple[str, str], where: str) -> AccessPattern:
    """The access pattern as the schema knows it."""
    signature, options = pattern.signature, pattern.options
    fields = options.fields or table_fields
    pk = to_side(fields[0], signature.pk, options.pk, pattern, slots, where)
    sk = to_side(fields[-1], signature.sk, options.sk, pattern, slots, where) if options.sort else None
    if not options.sort and signature.sk:
        raise SchemaError(f"{where} has sort composites, but sort=False; drop one of them", code=1009)
    depends = options.depends_on
    if options.condition is not None and depends is None:
        remedy = 'list the attributes it reads, such as depends_on=("status",)'
        raise SchemaError(f"{where} has a condition that does not say what it depends on; {remedy}", code=1009)
    projection = options.projection
    return AccessPattern(
        name=signature.name,
        index=options.index,
        pk=pk,
        sk=sk,
        collection=options.collection,
        kind=options.kind,
        scope=options.scope,
        condition=options.condition,
        depends_on=None if depends is None else tuple(schema_name(name, slots, where) for name in depends),
        projection=projection if isinstance(projection, str) else tuple(schema_names(projection, slots)),
        doc=signature.doc,
    )


def to_side(
    field: str, names: tuple[str, ...], template: str | None, pattern: Pattern[Any], slots: Mapping[str, Slot], where: str
) -> KeySide:
    options = pattern.options
    composite = tuple(schema_name(name, slots, where) for name in names)
    if options.kind == "composite":
        return KeySide(field="", composite=composite)
    cast_to: Literal["string", "number"] | None = next((options.cast[name] for name in names if name in options.cast), None)
    if template is None:
        return KeySide(field=field, composite=composite, casing=options.casing or "default", cast=cast_to)
    named = PLACEHOLDER.findall(template)
    if tuple(named) != names:
        listed = ", ".join(names) or "none"
        raise SchemaError(f"{where}: the template {template!r} names {named}, the signature {listed}; let them agree", code=1017)
    text = PLACEHOLDER.sub(lambda found: "${" + schema_name(found[1], slots, where) + "}", template)
    return KeySide(field=field, composite=composite, template=text, casing=options.casing or "none", cast=cast_to)


def schema_name(name: str, slots: Mapping[str, Slot], where: str) -> str:
    slot = slots.get(name)
    if slot is None:
        import difflib  # noqa: PLC0415

        near = difflib.get_close_matches(name, slots, 1)
        hint = f"did you mean {near[0]}?" if near else f"attributes: {', '.join(slots)}"
        raise SchemaError(f"{where}: {name} is no attribute; {hint}", code=1003)
    return slot.name


def schema_names(names: Sequence[str], slots: Mapping[str, Slot]) -> list[str]:
    """Attribute names for a projection, in which stored identifier fields may stand as well."""
    return [slots[name].name if name in slots else name for name in names]


# ---- binding arguments -------------------------------------------------------------------------------------------


class Binder:
    """Turns the arguments of a call into composites and a comparison.

    Which arguments may stand together depends on their names alone, so every combination is checked once.
    """

    __slots__ = ("_checked", "_pk", "_required", "_slots", "_sort", "where")

    def __init__(self, signature: Signature, slots: Mapping[str, Any], where: str) -> None:
        self.where = where
        self._pk = signature.pk
        self._slots = {name: (slots[name].name, slots[name].encode) for name in (*signature.pk, *signature.sk)}
        self._required = frozenset((*signature.pk, *(name for name in signature.sk if name not in signature.optional)))
        self._sort = signature.sk
        self._checked: dict[tuple[Any, ...], tuple[Any, ...]] = {}

    def __call__(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[dict[str, Any], Sort | None]:
        slots = self._checked.get((len(args), *named))
        if slots is None:
            return self.bind(args, named)
        given: dict[str, Any] = {}
        try:
            for (key, encode), value in zip(slots, (*args, *named.values()), strict=True):
                if value is ANY or value.__class__ is Bound:
                    return self.bind(args, named)
                given[key] = value if encode is None else encode(value)
        except EncodingError:
            return self.bind(args, named)  # which says what is wrong
        return given, None

    def bind(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[dict[str, Any], Sort | None]:
        """The same with every check."""
        if len(args) > len(self._pk):
            raise TypeError(f"{self.where} takes its sort composites by name: {', '.join(self._sort)}")
        given: dict[str, Any] = {}
        sort: Sort | None = None
        for name, value in (*zip(self._pk, args, strict=False), *named.items()):
            slot = self._slots.get(name)
            if slot is None or slot[0] in given:
                known = ", ".join(self._slots)
                raise TypeError(f"{self.where} has no composite {name!r} to give here; it has {known}")
            if value.__class__ is Bound:
                sort = self.bound(name, slot, value, sort)
            elif value is not ANY:
                given[slot[0]] = self.encoded(name, slot[1], value)
        self.check(given, sort)
        if sort is None and len(given) == len(args) + len(named):
            self._checked[len(args), *named] = tuple(self._slots[name] for name in (*self._pk[: len(args)], *named))
        return given, sort

    def encoded(self, name: str, encode: Callable[[Any], Any] | None, value: Any) -> Any:
        if encode is None:
            return value
        try:
            return encode(value)
        except EncodingError as error:
            raise ValidationError([FieldFault(name + error.path, error.reason)], message=f"{self.where}") from error

    def bound(self, name: str, slot: Any, value: Bound[Any], earlier: Sort | None) -> Sort:
        if earlier is not None or name not in self._sort:
            reason = "one comparison at most" if earlier is not None else "comparisons on sort composites only"
            raise RequestError(f"{self.where} takes {reason}; use where(...) for the rest", code=2002)
        key, encode = slot
        if value.operator == "begins":
            return Sort("begins", {key: value.low})
        low = {key: self.encoded(name, encode, value.low)}
        high = {key: self.encoded(name, encode, value.high)} if value.operator == "between" else {}
        return Sort(value.operator, low, high)

    def check(self, given: Mapping[str, Any], sort: Sort | None) -> None:
        """All that must be there is there, and sort composites were given from left to right."""
        compared: Mapping[str, Any] = sort.low if sort is not None else {}
        names = {name: self._slots[name][0] for name in self._slots}
        missing = [name for name in self._slots if name in self._required and names[name] not in given]
        missing = [name for name in missing if names[name] not in compared]
        if missing:
            raise RequestError(f"{self.where} needs {', '.join(missing)}", code=2002)
        gap = ""
        for name in self._sort:
            present = names[name] in given
            if (present or names[name] in compared) and gap:
                raise RequestError(f"{self.where}: {name} is given without {gap}, which comes before it in the key", code=2002)
            if not present:
                gap = gap or name


def check_view(view: Pattern[Any], key: Pattern[Any], where: str) -> None:
    """A query on the table's own key adds nothing to it: the same composites, or fewer of the sort key."""
    if view.options != PatternOptions(index=TABLE):
        raise SchemaError(f'{where}: the options of index("table") stand with @tw.primary; leave them out here', code=1009)
    same_sort = key.signature.sk[: len(view.signature.sk)] == view.signature.sk
    if view.signature.pk != key.signature.pk or not same_sort:
        wanted = f"({', '.join(key.signature.pk)}; {', '.join(key.signature.sk)})"
        raise SchemaError(f"{where} queries the table's own key, whose composites are {wanted}; let them agree", code=1024)


def query_maker(pattern: Pattern[Any], layout: Layout, binder: Binder) -> Callable[..., Query[Any]]:
    name = layout.primary.pattern.name if pattern.options.index == TABLE else pattern.signature.name

    def query(*args: Any, **named: Any) -> Query[Any]:
        given, sort = binder(args, named)
        return Query(layout, name, given, sort)

    return documented(query, pattern)
