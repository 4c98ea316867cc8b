"""What an entity class says of its counters, aggregates and second items.

views = tw.counter(shards=16)
class Task(tw.Entity, ..., aggregates=[tw.count_into("project", "open_tasks", by="project")])
@tw.mirror("FollowedBy", pk="USER#{target}", sk="FOLLOWED_BY#USER#{source}")
def followers(self, target: str, *, source: Range[str] = ANY) -> None: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeAlias, TypeVar, cast, overload

import msgspec

from tablewright.errors import SchemaError
from tablewright.runtime.declare.access import Pattern, PatternOptions
from tablewright.runtime.declare.patterns import PLACEHOLDER, refuse_repeated
from tablewright.schema.features import Aggregate, Counter, Keeping, Mirror

if TYPE_CHECKING:
    from tablewright.runtime.declare.attr import Slot
    from tablewright.runtime.features.counters import CounterOf, Counters
    from tablewright.runtime.items.item import StoredItem
    from tablewright.runtime.operations.query import Query

E = TypeVar("E", bound="StoredItem")
P = ParamSpec("P")


# ---- counters ----------------------------------------------------------------------------------------------------


class _Counting:
    """Declares a counter: on an item the item's own, on the class those of all items."""

    def __init__(self, shards: int, earlier: int) -> None:
        self.shards = shards
        self.earlier = earlier
        self.name = ""

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, item: None, owner: type[E]) -> Counters[E]: ...
    @overload
    def __get__(self, item: StoredItem, owner: type[Any]) -> CounterOf: ...
    def __get__(self, item: Any, owner: type[Any]) -> Any:
        from tablewright.runtime.features.counters import Counters  # only those who count pay for the import

        declared = Counter(self.name, self.shards, self.earlier)
        counters: Counters[Any] = Counters(owner.__tablewright_layout__(), declared)
        return counters if item is None else counters.of(item.__tablewright_key__())


def counter(*, shards: int = 1, earlier: int = 0) -> _Counting:
    """A number beside every item that many writers can count up at once: `views = tw.counter(shards=16)`.

    It is kept in `shards` items of its own. Where there once were more of them, `earlier` says how many.
    """
    return _Counting(shards, earlier)


# ---- aggregates --------------------------------------------------------------------------------------------------

Where: TypeAlias = Mapping[str, Any]
By: TypeAlias = str | Mapping[str, str]


class Into(msgspec.Struct, frozen=True):
    """An aggregate as a class statement says it: Python names, values as the attributes' types have them."""

    aggregate: Aggregate
    by: By
    where: Mapping[str, Any]


def _into(
    kind: Any, entity: Any, attribute: str, by: Any, where: Any, kept: Keeping, of: str | None = None, at: Any = None
) -> Into:
    name = entity if isinstance(entity, str) else entity.__tablewright_about__.name
    found = Aggregate(kind=kind, into=name, attribute=attribute, by=(), of=of, at=at, kept=kept)
    return Into(found, by, where or {})


def count_into(
    entity: str | type[StoredItem],
    attribute: str,
    *,
    by: By,
    where: Where | None = None,
    kept: Keeping = "together",
) -> Into:
    """How many items there are, kept in an attribute of another entity.

    `by` is the attribute here that holds the other's key (where that has several: a mapping from them to ours). `where`
    says which items count: attributes with a value, or with a list of values (None: absent).
    """
    return _into("count", entity, attribute, by, where, kept)


def sum_into(
    entity: str | type[StoredItem],
    attribute: str,
    *,
    of: str,
    by: By,
    where: Where | None = None,
    kept: Keeping = "together",
) -> Into:
    """The sum of an attribute. See `count_into`."""
    return _into("sum", entity, attribute, by, where, kept, of)


def min_into(
    entity: str | type[StoredItem],
    attribute: str,
    *,
    of: str,
    by: By,
    where: Where | None = None,
    kept: Keeping = "together",
) -> Into:
    """The lowest value of an attribute. See `count_into`."""
    return _into("min", entity, attribute, by, where, kept, of)


def max_into(
    entity: str | type[StoredItem],
    attribute: str,
    *,
    of: str,
    by: By,
    where: Where | None = None,
    kept: Keeping = "together",
) -> Into:
    """The highest value of an attribute. See `count_into`."""
    return _into("max", entity, attribute, by, where, kept, of)


def latest_into(
    entity: str | type[StoredItem],
    attribute: str,
    *,
    of: str,
    at: str,
    by: By,
    where: Where | None = None,
    kept: Keeping = "together",
) -> Into:
    """The value that an attribute has in the item with the highest `at`. See `count_into`."""
    return _into("latest", entity, attribute, by, where, kept, of, at)


# ---- second items ------------------------------------------------------------------------------------------------


class Mirrored(Pattern[P]):
    """A way to find items by their second item: calling it with its composites gives a query."""

    def __init__(self, function: Callable[..., None], options: PatternOptions, name: str) -> None:
        super().__init__(function, options)
        self.mirror_name = name

    def __get__(self, item: None, owner: type[E]) -> Callable[P, Query[E]]:
        found: Callable[P, Query[E]] | None = self._bound.get(owner)
        return found if found is not None else self.bound(owner, self._query_maker)

    def _query_maker(self, owner: type[Any]) -> Callable[..., Any]:
        return owner.__tablewright_mirror__(self)  # type: ignore[no-any-return]


def mirror(
    name: str, /, *, pk: str | None = None, sk: str | None = None
) -> Callable[[Callable[Concatenate[Any, P], None]], Mirrored[P]]:
    """A second item for every item, with the same attributes under this key; both are written in one transaction.

    `name` is what the second item's identifier says it is. `pk` and `sk` are templates such as `"USER#{target}"`.
    """
    return lambda function: Mirrored(function, PatternOptions(pk=pk, sk=sk), name)


# ---- from class to schema ----------------------------------------------------------------------------------------


def links_of(cls: type[Any]) -> dict[str, Any]:
    """The counters and second items that a class and its bases declare, by name."""
    declared = [(name, each) for base in reversed(cls.__mro__) for name, each in vars(base).items()]
    return {
        "counters": {name: each for name, each in declared if isinstance(each, _Counting)},
        "mirrors": {name: each for name, each in declared if isinstance(each, Mirrored)},
    }


def _read_counters(_where: str, _slots: Any, said: Mapping[str, Any]) -> tuple[Counter, ...]:
    return tuple(Counter(name, each.shards, each.earlier) for name, each in said.get("counters", {}).items())


def _read_aggregated(_where: str, slots: Mapping[str, Slot], _said: Any) -> tuple[str, ...]:
    return tuple(slot.name for slot in slots.values() if slot.attr.options.get("aggregate"))


def _read_aggregates(where: str, slots: Mapping[str, Slot], said: Mapping[str, Any]) -> tuple[Aggregate, ...]:
    return tuple(_read_aggregate(where, slots, each) for each in said.get("aggregates", ()))


def with_names_of(into: Into, names: Mapping[str, str]) -> Into:
    """The same with the other entity's attributes as the schema calls them, where `names` knows what Python does."""
    found = msgspec.structs.replace(
        into.aggregate, attribute=names.get(into.aggregate.attribute, into.aggregate.attribute)
    )
    by: By = into.by if isinstance(into.by, str) else {names.get(name, name): ours for name, ours in into.by.items()}
    return Into(found, by, into.where)


def _read_aggregate(where: str, slots: Mapping[str, Slot], into: Into) -> Aggregate:
    by: Mapping[str, str] = {"": into.by} if isinstance(into.by, str) else into.by
    found = into.aggregate
    return msgspec.structs.replace(
        found,
        by=tuple((theirs, _slot_of(where, slots, ours).name) for theirs, ours in by.items()),
        of=None if found.of is None else _slot_of(where, slots, found.of).name,
        at=None if found.at is None else _slot_of(where, slots, found.at).name,
        where=tuple(_read_where(where, slots, into.where)),
    )


def _read_where(
    where: str, slots: Mapping[str, Slot], conditions: Mapping[str, Any]
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for name, given in conditions.items():
        slot = _slot_of(where, slots, name)
        many = isinstance(given, list | tuple | set | frozenset)
        values = tuple(cast("Iterable[Any]", given)) if many else (given,)
        yield slot.name, tuple(None if each is None else slot.codec.encode(each) for each in values)


def _slot_of(where: str, slots: Mapping[str, Slot], name: str) -> Slot:
    if name not in slots:
        raise SchemaError(f"{where}: aggregates name {name!r}; its attributes are {', '.join(slots)}", code=1009)
    return slots[name]


def _read_mirrors(where: str, slots: Mapping[str, Slot], said: Mapping[str, Any]) -> tuple[Mirror, ...]:
    return tuple(_read_mirror(f"{where}.{name}", slots, each) for name, each in said.get("mirrors", {}).items())


def _read_mirror(where: str, slots: Mapping[str, Slot], each: Mirrored[Any]) -> Mirror:
    signature, options = each.signature, each.options
    refuse_repeated(where, options.sk, signature.pk, signature.sk)
    return Mirror(
        name=each.mirror_name,
        pattern=signature.name,
        pk=tuple(_slot_of(where, slots, name).name for name in signature.pk),
        sk=tuple(_slot_of(where, slots, name).name for name in signature.sk),
        pk_template=_read_template(where, slots, options.pk, signature.pk),
        sk_template=_read_template(where, slots, options.sk, signature.sk),
        doc=signature.doc,
    )


def _read_template(where: str, slots: Mapping[str, Slot], template: str | None, names: Sequence[str]) -> str | None:
    if template is None:
        return None
    named = PLACEHOLDER.findall(template)
    if tuple(named) != tuple(names):
        listed = ", ".join(names) or "none"
        raise SchemaError(
            f"{where}: the template {template!r} names {named}, the signature {listed}; let them agree", code=1017
        )
    return PLACEHOLDER.sub(lambda found: "${" + _slot_of(where, slots, found[1]).name + "}", template)


def _read_symmetric(where: str, slots: Mapping[str, Slot], said: Mapping[str, Any]) -> tuple[str, str] | None:
    pair = said.get("symmetric")
    if pair is None:
        return None
    if not isinstance(pair, tuple) or len(pair) != 2:  # pyright: ignore[reportUnknownArgumentType]
        raise SchemaError(f"{where}: symmetric={pair!r} does not name two attributes", code=1009)
    one, other = pair  # pyright: ignore[reportUnknownVariableType]
    return _slot_of(where, slots, one).name, _slot_of(where, slots, other).name  # pyright: ignore[reportUnknownArgumentType]


LINKS: dict[str, Callable[[str, Any, Any], Any]] = {
    "counters": _read_counters,
    "aggregated": _read_aggregated,
    "aggregates": _read_aggregates,
    "mirrors": _read_mirrors,
    "symmetric": _read_symmetric,
}
