"""Typed paths: `Task.status == "open"`, `Task.views.add(1)`, `Task.lines[0].sku`.

A path on a class knows the stored name, the type checker knows the value's type. Comparisons give conditions, verbs
give changes; both are plain values for an operation to take.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Concatenate, Generic, Literal, ParamSpec, TypeAlias, TypeVar, cast, overload

from tablewright.errors import FieldFault, RequestError, ValidationError
from tablewright.expr import nodes
from tablewright.runtime.items.intake import store_nested
from tablewright.runtime.items.reading import show_nested
from tablewright.runtime.requests.changes import Change, PathParts, Verb, path_text
from tablewright.runtime.requests.ownership import own_name, owner_of
from tablewright.runtime.types.codec import ABSENT, Codec, EncodingError
from tablewright.schema.types import Attribute, Scalar

if TYPE_CHECKING:
    import builtins
    from collections.abc import Callable
    from decimal import Decimal

    from tablewright.expr.nodes import Condition
    from tablewright.runtime.types.structures import AnyMap

T = TypeVar("T")
V = TypeVar("V")
S = TypeVar("S", bound=str)
M = TypeVar("M", bound="AnyMap")
P = ParamSpec("P")
R = TypeVar("R")

TypeCode: TypeAlias = Literal["S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"]


if TYPE_CHECKING:
    # Methods with `self: Path[S]` would do, but mypy looks at bounds in arguments only, and here the path is one.
    class _OnText(Generic[P, R]):
        def __get__(self, path: Path[S], owner: type[Any]) -> Callable[P, R]: ...

    class _OnHolder(Generic[R]):
        @overload
        def __get__(self, path: Path[S], owner: type[Any]) -> Callable[[str], R]: ...
        @overload
        def __get__(self, path: Path[list[V]], owner: type[Any]) -> Callable[[V], R]: ...
        @overload
        def __get__(self, path: Path[set[V]], owner: type[Any]) -> Callable[[V], R]: ...
        @overload
        def __get__(self, path: Path[frozenset[V]], owner: type[Any]) -> Callable[[V], R]: ...
        def __get__(self, path: Path[Any], owner: type[Any]) -> Callable[[Any], R]: ...

    class _OnMap:
        def __get__(self, path: Path[M], owner: type[Any]) -> type[M]: ...

    def _on_text(method: Callable[Concatenate[Any, P], R]) -> _OnText[P, R]: ...

    def _on_holder(method: Callable[[Any, Any], R]) -> _OnHolder[R]: ...

    def on_map(method: Callable[[Any], Any]) -> _OnMap: ...

else:

    def _on_text(method):
        """Makes a method of paths to text alone; only type checkers care."""
        return method

    def _on_holder(method):
        """Makes a method of paths to text, lists and sets alone; only type checkers care."""
        return method

    on_map = property


class Path(Generic[T]):
    """A place in an item. `parts` are attribute names, `stored` is what DynamoDB calls the same place."""

    __slots__ = ("_codec", "_encode", "_members", "_said", "parts", "stored")

    def __init__(self, parts: PathParts, stored: nodes.Name, codec: Codec, said: str) -> None:
        self.parts = parts
        self.stored = stored
        self._codec = codec
        self._encode = codec.encode_quickly
        self._said = said  # the path as the caller writes it, for messages
        self._members: dict[str, Path[Any]] = {}  # places inside that were asked for

    @property
    def root_name(self) -> str:
        return str(self.parts[0])

    def __repr__(self) -> str:
        return f"Path({self._said})"

    def __hash__(self) -> int:
        return hash(self.parts)

    # ---- conditions ----------------------------------------------------------------------------------------------

    def __eq__(self, other: T | Path[T]) -> Condition:  # type: ignore[override]
        return nodes.Compare("=", self.stored, self._operand(other))

    def __ne__(self, other: T | Path[T]) -> Condition:  # type: ignore[override]
        return nodes.Compare("<>", self.stored, self._operand(other))

    def __lt__(self, other: T | Path[T]) -> Condition:
        return nodes.Compare("<", self.stored, self._operand(other))

    def __le__(self, other: T | Path[T]) -> Condition:
        return nodes.Compare("<=", self.stored, self._operand(other))

    def __gt__(self, other: T | Path[T]) -> Condition:
        return nodes.Compare(">", self.stored, self._operand(other))

    def __ge__(self, other: T | Path[T]) -> Condition:
        return nodes.Compare(">=", self.stored, self._operand(other))

    def between(self, low: T | Path[T], high: T | Path[T]) -> Condition:
        return nodes.Between(self.stored, self._operand(low), self._operand(high))

    def is_in(self, *values: T | Path[T]) -> Condition:
        if not values:
            raise RequestError(f"{self._said}.is_in() needs at least one value to compare with", code=2002)
        return nodes.In(self.stored, tuple(self._operand(value) for value in values))

    def exists(self) -> Condition:
        return nodes.Function("attribute_exists", (self.stored,))

    def not_exists(self) -> Condition:
        return nodes.Function("attribute_not_exists", (self.stored,))

    def is_type(self, code: TypeCode) -> Condition:
        """Of DynamoDB's type `code`: S, N, B, BOOL, NULL, L, M, SS, NS, BS."""
        return nodes.Function("attribute_type", (self.stored, nodes.Value(code)))

    @_on_text
    def begins_with(self, prefix: str) -> Condition:
        self._need(("string", "constant"), "begins_with")
        return nodes.Function("begins_with", (self.stored, nodes.Value(prefix)))

    @_on_holder
    def contains(self, part: Any) -> Condition:
        """Text that holds a text, or a list or set that holds an element."""
        element = self._codec.items
        place: Path[Any] = self if element is None else Path(self.parts, self.stored, element, f"{self._said}[*]")
        return nodes.Function("contains", (self.stored, place._operand(part)))

    def size(self) -> _Measure:
        """The length of text, bytes, lists, sets and maps, to be compared with a number."""
        return _Measure(nodes.Size(self.stored))

    # ---- places inside -------------------------------------------------------------------------------------------

    # Maps come first: the first overload that fits is taken, which is what the checkers warn of.
    @overload
    def __getitem__(self: Path[list[M]], key: int) -> type[M]: ...  # type: ignore[overload-overlap]  # pyright: ignore[reportOverlappingOverload]
    @overload
    def __getitem__(self: Path[dict[str, M]], key: str) -> type[M]: ...  # type: ignore[overload-overlap]  # pyright: ignore[reportOverlappingOverload]
    @overload
    def __getitem__(self: Path[list[V]], key: int) -> Path[V]: ...
    @overload
    def __getitem__(self: Path[dict[str, V]], key: str) -> Path[V]: ...
    def __getitem__(self, key: Any) -> Any:
        inner = self._codec.element(key)
        if inner is None:
            raise RequestError(f"{self._said} has no place [{key!r}]", code=1012)
        place: Path[Any] = Path((*self.parts, key), self._stored_inside(key), inner, self._said + path_text(("", key)))
        return place

    def at(self, pick: Callable[[T], V]) -> Path[V]:
        """A place inside a dataclass, model or list: `User.address.at(lambda a: a.city)`."""
        picked: Any = pick(cast("T", _Picker(self)))
        if type(picked) is not _Picker:
            remedy = "give a place inside it, such as lambda value: value.city"
            raise RequestError(f"{self._said}.at(...) got {picked!r:.60} from its function; {remedy}", code=1012)
        return cast("Path[V]", object.__getattribute__(picked, "path"))

    @on_map
    def inside(self) -> Any:
        """The attributes of an optional map: `User.home.inside.city`. (A map that is always there needs none.)"""
        return self

    if not TYPE_CHECKING:  # to the type checker `User.address` is the class of the map, which knows its attributes

        def __getattr__(self, name: str) -> Path[Any]:
            return self.member(name)

    def member(self, name: str) -> Path[Any]:
        """The place of a nested attribute."""
        known = self._members.get(name)
        if known is None:
            known = self._members[name] = self._find(name)
        return known

    def _find(self, name: str) -> Path[Any]:
        found = self._codec.members.get(name)
        if found is None:
            known = ", ".join(self._codec.members) or "nothing"
            raise AttributeError(f"{self._said} has no {name!r}; inside it there is {known}")
        stored = self._stored_inside(found.attribute.field)
        return Path((*self.parts, found.attribute.name), stored, found.codec, f"{self._said}.{name}")

    def _stored_inside(self, part: str | int) -> nodes.Name:
        return own_name((*self.stored.parts, part), owner_of(self.stored))

    # ---- changes -------------------------------------------------------------------------------------------------

    def set(self, value: T | Path[T]) -> Change:
        return Change("set", self.parts, self._changed(value))

    def if_not_exists(self, value: T) -> Change:
        """Set it only when it has no value yet."""
        return Change("if_not_exists", self.parts, self._changed(value))

    def remove(self) -> Change:
        return Change("remove", self.parts)

    @overload
    def add(self: Path[int], value: int | Path[int], *, default: int = ...) -> Change: ...
    @overload
    def add(self: Path[float], value: float | Path[float], *, default: float = ...) -> Change: ...
    @overload
    def add(self: Path[Decimal], value: Decimal | int | Path[Decimal], *, default: Decimal | int = ...) -> Change: ...
    @overload
    def add(self: Path[builtins.set[V]], value: builtins.set[V] | frozenset[V]) -> Change: ...
    @overload
    def add(self: Path[frozenset[V]], value: builtins.set[V] | frozenset[V]) -> Change: ...
    def add(self, value: Any, *, default: Any = ABSENT) -> Change:
        """Count up (or down), or put members into a set; from nothing (or `default`) when there is nothing."""
        return Change("add", self.parts, self._changed(value), default)

    @overload
    def subtract(self: Path[int], value: int | Path[int], *, default: int = ...) -> Change: ...
    @overload
    def subtract(self: Path[float], value: float | Path[float], *, default: float = ...) -> Change: ...
    @overload
    def subtract(self: Path[Decimal], value: Decimal | int, *, default: Decimal | int = ...) -> Change: ...
    def subtract(self, value: Any, *, default: Any = ABSENT) -> Change:
        return Change("subtract", self.parts, self._changed(value), default)

    def append(self: Path[list[V]], *values: V) -> Change:
        """Put elements at the end of a list, which is made when there is none."""
        return self._list_change("append", list(values))

    @overload
    def delete(self: Path[builtins.set[V]], values: builtins.set[V] | frozenset[V]) -> Change: ...
    @overload
    def delete(self: Path[frozenset[V]], values: builtins.set[V] | frozenset[V]) -> Change: ...
    def delete(self, values: Any) -> Change:
        """Take members out of a set."""
        return Change("delete", self.parts, self._changed(values))

    # ---- values --------------------------------------------------------------------------------------------------

    def _list_change(self, verb: Verb, values: list[Any]) -> Change:
        return Change(verb, self.parts, self._changed(values))

    def _operand(self, value: Any) -> nodes.Operand:
        if value.__class__ is Path:
            return value.stored
        if self._encode is None:
            return nodes.Value(value)
        if value is None:
            remedy = "ask whether it exists with exists() or not_exists()"
            raise RequestError(f"{self._said} cannot be compared with None, which is never stored; {remedy}", code=2002)
        try:
            return nodes.Value(_as_stored(self._codec, self._encode(value)))
        except EncodingError as error:
            raise self._misfit(error) from error

    def _changed(self, value: Any) -> Any:
        if value is None or value.__class__ is Path:
            return ABSENT if value is None else value.stored
        if self._encode is None:
            return value
        try:
            return self._encode(value)
        except EncodingError as error:
            raise self._misfit(error) from error

    def __tablewright_read__(self, stored: Any) -> Any:
        """A stored value at this place as it stands on an item."""
        codec = self._codec
        return codec.decode(show_nested(Attribute(name="*", type=codec.type, field="*"), stored))

    def _misfit(self, error: EncodingError) -> ValidationError:
        fault = FieldFault(self._said + error.path, error.reason)
        return ValidationError([fault], message="this value does not fit")

    def _need(self, kinds: tuple[str, ...], operation: str) -> None:
        kind = self._codec.kind
        if kind not in kinds:
            raise RequestError(f"{operation} works on text, but {self._said} is a {kind}", code=1012)


def _as_stored(codec: Codec, value: Any) -> Any:
    """A value to compare with, under the names that nested attributes are stored by."""
    if isinstance(codec.type, Scalar):
        return value
    return store_nested(Attribute(name="*", type=codec.type, field="*"), value)


class _Measure:
    """The size of a value: `Task.tags.size() > 3`."""

    __slots__ = ("node",)

    def __init__(self, node: nodes.Size) -> None:
        self.node = node

    def __hash__(self) -> int:
        return hash(self.node)

    def __eq__(self, other: int | _Measure) -> Condition:  # type: ignore[override]
        return nodes.Compare("=", self.node, _measured(other))

    def __ne__(self, other: int | _Measure) -> Condition:  # type: ignore[override]
        return nodes.Compare("<>", self.node, _measured(other))

    def __lt__(self, other: int | _Measure) -> Condition:
        return nodes.Compare("<", self.node, _measured(other))

    def __le__(self, other: int | _Measure) -> Condition:
        return nodes.Compare("<=", self.node, _measured(other))

    def __gt__(self, other: int | _Measure) -> Condition:
        return nodes.Compare(">", self.node, _measured(other))

    def __ge__(self, other: int | _Measure) -> Condition:
        return nodes.Compare(">=", self.node, _measured(other))


def _measured(other: int | _Measure) -> nodes.Operand:
    return other.node if isinstance(other, _Measure) else nodes.Value(other, "size")


class _Picker:
    """Stands in for a value inside `at(lambda a: a.city)` and remembers the way that was taken."""

    __slots__ = ("path",)

    def __init__(self, path: Path[Any]) -> None:
        object.__setattr__(self, "path", path)

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return _Picker
        path: Path[Any] = object.__getattribute__(self, "path")
        return _Picker(path.member(name))

    def __getitem__(self, key: Any) -> _Picker:
        path: Path[Any] = object.__getattribute__(self, "path")
        return _Picker(cast("Any", path)[key])
