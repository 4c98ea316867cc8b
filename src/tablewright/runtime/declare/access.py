"""Access patterns as documented functions: before `*` the partition key, after it the sort key.

    @tw.index("gsi1", collection="workload")
    def by_employee(self, employee: str, *, status: Status = ANY, created_at: Range[datetime] = ANY) -> None:
        "What an employee has to do, by status and age."

The function is never called; its signature is the key. Calling the pattern on the class gives a key or a query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    Literal,
    ParamSpec,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
    overload,
)

import msgspec

from tablewright.errors import SchemaError
from tablewright.schema.features import Bucket, Lease, Period, Shards
from tablewright.schema.model import Casing, IndexKind, Projection

if TYPE_CHECKING:
    from tablewright.runtime.items.item import StoredCollection, StoredItem
    from tablewright.runtime.key import Key
    from tablewright.runtime.operations.gather import Gather
    from tablewright.runtime.operations.query import Query

T = TypeVar("T")
E = TypeVar("E", bound="StoredItem")
C = TypeVar("C", bound="StoredCollection")
P = ParamSpec("P")

TABLE = "table"
Casings: TypeAlias = Casing | tuple[Casing, Casing]
"""The letter case of both keys, or that of the partition key and that of the sort key."""


class Signature(msgspec.Struct, frozen=True):
    """The composites of an access pattern, read off its function."""

    name: str
    pk: tuple[str, ...]
    sk: tuple[str, ...]
    optional: frozenset[str]
    has_star: bool
    doc: str


def _signature_of(function: Callable[..., Any]) -> Signature:
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
    casings: tuple[Casing, Casing] | None = None  # where the keys differ, that of each
    cast: Mapping[str, Literal["string", "number"]] = msgspec.field(default_factory=dict[str, Any])
    sort: bool | str = True
    shards: int | Shards | None = None
    bucket: Period | Bucket | None = None
    queue: bool | Lease | None = None
    across_tenants: bool = False


class Pattern(Generic[P]):
    """An access pattern of an entity or collection."""

    def __init__(self, function: Callable[Concatenate[Any, P], None], options: PatternOptions) -> None:
        self.function = function
        self.signature = _signature_of(function)
        self.options = options
        self.__doc__ = self.signature.doc
        self._bound: dict[type[Any], Any] = {}

    def bound(self, owner: type[Any], make: Callable[[type[Any]], Any]) -> Any:
        found = self._bound.get(owner)
        if found is None:
            found = self._bound[owner] = make(owner)
        return found


class _KeyFunction(Protocol[P, E]):
    """What `Task.key` is: a function that gives the key of one item, with another one that queries the table's key."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Key[E]: ...

    def query(self, *args: P.args, **kwargs: P.kwargs) -> Query[E]:
        """The items of a partition, or those whose sort key begins with or compares to what is given.

        Sort composites may be left out from the right, where they are declared `= ANY`, or given as `tw.ANY`.
        """
        ...


class Primary(Pattern[P]):
    """The table's own key: calling it with all composites gives the key of one item."""

    @overload
    def __get__(self, item: None, owner: type[E]) -> _KeyFunction[P, E]: ...
    @overload
    def __get__(self, item: E, owner: type[E]) -> Key[E]: ...
    def __get__(self, item: Any, owner: type[Any]) -> Any:
        if item is not None:
            return item.__tablewright_key__()
        found = self._bound.get(owner)
        return found if found is not None else self.bound(owner, self._key_maker)

    def _key_maker(self, owner: type[Any]) -> Callable[..., Any]:
        return owner.__tablewright_keys__(self)  # type: ignore[no-any-return]


class Index(Pattern[P]):
    """A way to find items: calling it with its composites gives a query."""

    @overload
    def __get__(self, item: None, owner: type[C]) -> Callable[P, Gather[C]]: ...
    @overload
    def __get__(self, item: None, owner: type[E]) -> Callable[P, Query[E]]: ...
    def __get__(self, item: None, owner: type[Any]) -> Any:
        found = self._bound.get(owner)
        return found if found is not None else self.bound(owner, lambda cls: cls.__tablewright_query__(self))


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
    casing: Casings | None = None,
    cast: Mapping[str, Literal["string", "number"]] | None = None,
    sort: bool | str = True,
    shards: int | Shards | None = None,
    bucket: Period | Bucket | None = None,
) -> Callable[[Callable[Concatenate[Any, P], None]], Primary[P]]: ...
def primary(function: Any = None, /, **options: Any) -> Any:
    """The table's own key. Options as for `index`."""
    read = _read_options(None, options)

    def decorate(each: Callable[..., None]) -> Primary[Any]:
        return Primary(each, read)

    return decorate if function is None else decorate(function)


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
    casing: Casings | None = None,
    cast: Mapping[str, Literal["string", "number"]] | None = None,
    sort: bool | str = True,
    shards: int | Shards | None = None,
    bucket: Period | Bucket | None = None,
    queue: bool | Lease = False,
    across_tenants: bool = False,
) -> Callable[[Callable[Concatenate[Any, P], None]], Index[P]]:
    """A secondary index (on a collection: the index its members share), or "table" for a query on the table's own key.

    `pk` and `sk` are templates such as `"CUSTOMER#{customer}"`; without them keys are composed as ElectroDB does.
    `fields` names the stored key fields, `casing` is their letter case (a word, or a pair for both keys), `kind` is
    isolated, clustered or composite (multi-attribute), `sort=False` declares an index without sort key, `sort="user"`
    one whose sort key repeats that attribute of the partition key. `condition` says which items are in the index; it
    may read only the attributes named in `depends_on`. `across_tenants` says that it is meant to find items of all
    tenants.

    `shards=16` spreads the items of a partition over so many, `bucket="month"` gives every period its own partition;
    questions are asked as before and gather what they find in order.

    `queue=True` (or `queue=tw.Lease(seconds=60, attempts=5)`) makes it a queue of what is due by its first sort
    composite: `tw.claim` takes items from it.
    """
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance] - the decorator without a call
        called = getattr(name, "__name__", "pattern")
        raise SchemaError(f'{called}: say which index it is: @tw.index("gsi1"), or @tw.index("table")', code=1009)
    read = _read_options(
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
            "across_tenants": across_tenants,
            "shards": shards,
            "bucket": bucket,
            "queue": queue or None,
        },
    )
    return lambda function: Index(function, read)


def _pair(casing: Any) -> Any:
    if isinstance(casing, tuple) and len(cast("Sequence[Any]", casing)) == 2:
        return cast("Sequence[Any]", casing)
    remedy = 'write a word such as "none", or a pair such as ("default", "none")'
    raise SchemaError(f"casing is the letter case of both keys, or of each, not {casing!r:.40}; {remedy}", code=1009)


def _read_options(name: str | None, options: dict[str, Any]) -> PatternOptions:
    given = {key: value for key, value in options.items() if value is not None}
    collection = given.get("collection", ())
    given["collection"] = (collection,) if isinstance(collection, str) else tuple(collection)
    if not isinstance(given.get("casing", ""), str):
        given["casings"] = _pair(given.pop("casing"))
    for key in ("depends_on", "projection"):
        if key in given and not isinstance(given[key], str):
            given[key] = tuple(given[key])
    return PatternOptions(index=name, **given)
