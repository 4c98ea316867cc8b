"""Attributes of entities and maps: `status: Attr[Status] = attr(default="open")`.

On a class an attribute is a path (`Task.status == "open"`), on an item it is the value. `Attr` is no data descriptor at
run time, so reading a value of an item costs what reading any attribute costs.
"""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    Self,
    TypeVar,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    overload,
)

import msgspec

from tablewright.errors import SchemaError
from tablewright.runtime import clock
from tablewright.runtime.declare import callbacks
from tablewright.runtime.declare.access import Pattern
from tablewright.runtime.requests.ownership import own_name
from tablewright.runtime.requests.path import Path
from tablewright.runtime.types.annotations import codec_for, is_optional
from tablewright.runtime.types.codec import EncodingError
from tablewright.runtime.types.renaming import Renaming, unchanged
from tablewright.runtime.types.structures import AnyMap, Field, resolved_hints
from tablewright.runtime.types.ttl import ttl_codec
from tablewright.schema.ordered import is_numeric
from tablewright.schema.types import PLAIN_OPTIONS, Attribute, Constant, Digits, Padding, SetOf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from tablewright.expr.nodes import Condition
    from tablewright.runtime.declare.callbacks import Sibling
    from tablewright.runtime.requests.changes import Change
    from tablewright.runtime.types.codec import Codec

    Accessor: TypeAlias = Callable[[Any, Any], Any] | Callable[[Any], Any]  # so that checkers know what lambdas take

T = TypeVar("T")
V = TypeVar("V")
M = TypeVar("M", bound="Map")


class Nothing:
    """Stands for what was not given, where None would mean something."""

    def __repr__(self) -> str:
        return "NOTHING"


NOTHING = Nothing()


class Attr(Generic[T]):
    """Declares an attribute: the value on an item, a path on the class."""

    __slots__ = ("_paths", "options", "owner", "python_name")

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        self.options: Mapping[str, Any] = options or {}
        self.python_name = ""
        self.owner: type[Any] | None = None
        self._paths: dict[type[Any], Any] = {}  # by owner: a class and those derived from it share the declaration

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self.owner, self.python_name = owner, name

    @overload
    def __get__(self: Attr[V | None], item: None, owner: type[Any]) -> Path[V]: ...
    @overload
    def __get__(self: Attr[M], item: None, owner: type[Any]) -> type[M]: ...
    @overload
    def __get__(self, item: None, owner: type[Any]) -> Path[T]: ...
    @overload
    def __get__(self, item: object, owner: type[Any]) -> T: ...
    def __get__(self, item: object | None, owner: type[Any]) -> Any:
        if item is None:
            path = self._paths.get(owner)
            if path is None:
                path = self._paths[owner] = owner.__tablewright_path__(self.python_name)
            return path
        raise AttributeError(
            f"{owner.__name__}.{self.python_name} has no value on this item: "
            "it was not read (see only(...), or the projection of the index), or it is not stored"
        )

    if TYPE_CHECKING:  # a real __set__ would make reading slow, and assignment works without it

        def __set__(self, item: object, value: T) -> None: ...

    # ---- what the declaration says -------------------------------------------------------------------------------

    def name(self, rename: Renaming) -> str:
        """The attribute's name in keys and in the schema: what it says itself, or what the rule makes of Python's."""
        return self.options.get("name") or self.options.get("alias") or rename(self.python_name)

    @property
    def has_default(self) -> bool:
        return "default" in self.options or "default_factory" in self.options or self.lifetime is not None

    @property
    def lifetime(self) -> timedelta | None:
        """How long an item lives that says nothing of it."""
        lifetime = self.options.get("ttl")
        return lifetime if isinstance(lifetime, timedelta) else None

    def default(self) -> Any:
        if "ttl" in self.options and self.lifetime is not None:
            return clock.now().replace(microsecond=0) + self.lifetime
        factory = self.options.get("default_factory")
        return factory() if factory is not None else self.options.get("default")

    def attribute(
        self, codec: Codec, *, optional: bool, where: str, siblings: Mapping[str, Sibling], rename: Renaming
    ) -> Attribute:
        """The attribute as the schema knows it; `siblings` are those that its callbacks can see."""
        options, name = self.options, self.name(rename)
        default = self._schema_default(codec, where)
        return Attribute(
            name=name,
            type=codec.type,
            field=options.get("field") or name,
            required=not optional and default is None and not isinstance(codec.type, SetOf),
            default=default,
            validate=callbacks.validator(options.get("validate"), codec, where),
            get=callbacks.accessor(options.get("get"), codec, siblings),
            set=callbacks.accessor(options.get("set"), codec, siblings),
            watch=_watched(options.get("watch")),
            **_plain_options(options),
            padding=_padding(options.get("padding"), where),
            digits=_digits(options, codec, where),
            doc=options.get("doc", ""),
        )

    def _schema_default(self, codec: Codec, where: str) -> Any:
        if "default_factory" in self.options:
            return callbacks.factory(self.options["default_factory"], codec)
        default = self.options.get("default")
        if default is None:
            return None
        try:
            return Constant(codec.encode(default))
        except EncodingError as error:
            raise SchemaError(f"{where}: its default {error.reason}", code=1009) from error


@overload
def attr(
    *,
    version: Literal[True],
    init: Literal[False] = False,
    name: str | None = None,
    field: str | None = None,
    hidden: bool = False,
    doc: str = "",
) -> Attr[int]: ...
@overload
def attr(
    *,
    default: T | Nothing = NOTHING,
    default_factory: Callable[[], T] | None = None,
    init: bool = True,
    alias: str | None = None,
    name: str | None = None,
    field: str | None = None,
    label: str | None = None,
    padding: tuple[int, str] | None = None,
    digits: int | tuple[int, int] | None = None,
    signed: bool = False,
    escaped: bool = False,
    read_only: bool = False,
    hidden: bool = False,
    validate: Callable[[Any], Any] | str | None = None,
    get: Accessor | None = None,
    set: Accessor | None = None,
    watch: Sequence[str] | str | None = None,
    unique: bool = False,
    aggregate: bool = False,
    offload: int | None = None,
    compress: Literal["zlib", "zstd"] | None = None,
    ttl: bool | timedelta = False,
    hide_expired: bool = False,
    doc: str = "",
) -> Attr[T]: ...
def attr(
    *,
    default: T | Nothing = NOTHING,
    default_factory: Callable[[], T] | None = None,
    init: bool = True,
    alias: str | None = None,
    name: str | None = None,
    field: str | None = None,
    label: str | None = None,
    padding: tuple[int, str] | None = None,
    digits: int | tuple[int, int] | None = None,
    signed: bool = False,
    escaped: bool = False,
    read_only: bool = False,
    hidden: bool = False,
    validate: Callable[[Any], Any] | str | None = None,
    get: Accessor | None = None,
    set: Accessor | None = None,  # noqa: A002 - ElectroDB's word, and get's counterpart
    watch: Sequence[str] | str | None = None,
    version: bool = False,
    unique: bool = False,
    aggregate: bool = False,
    offload: int | None = None,
    compress: Literal["zlib", "zstd"] | None = None,
    ttl: bool | timedelta = False,
    hide_expired: bool = False,
    doc: str = "",
) -> Attr[T]:
    """What an attribute is beside its type.

    `name` is its name in keys (as a table shared with TypeScript has it), `field` its stored name, `label` a shorter
    name inside keys. `alias` is `name` and the constructor's parameter as well. `padding` fills up whole numbers inside
    keys (with `signed` any number, in a form of our own), `digits` writes any number there with so many digits before
    and behind the point; either way they sort.
    `escaped` text may hold anything: inside keys, which have to keep its letter case, no value is taken for another.
    `validate` is a function that raises or answers False, or a regular expression. `get` and `set` change values on
    their way out and in; with `watch` they also run when the named attributes (or any, "*") change.

    Features: a `version` counts the item's writes, for optimistic locking; no two items share a `unique` value.
    An `aggregate` is what the items of other entities add up to; they declare it.
    DynamoDB deletes the item after its `ttl`, a datetime (or int of seconds); a timedelta is the lifetime of an item
    that says nothing. With `hide_expired` readers leave out what has expired and is yet to be deleted.
    Values above `offload` bytes go to the database's object storage; `compress` them where that pays.
    """
    given = {name: value for name, value in locals().items() if value is not NOTHING and value is not None}
    if ttl is False:
        del given["ttl"]
    if default is None:  # unlike elsewhere, None means something here: the attribute may be left out
        given["default"] = None
    if version:  # 0 until it is stored; only writes count it up
        given.setdefault("default", 0)
    if aggregate:  # others add to it, see declare/links.py
        given["read_only"] = True
    return Attr({**given, "init": init})


# ---- from declaration to schema ----------------------------------------------------------------------------------


def _plain_options(options: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: options.get(name) if each.default is None else bool(options.get(name))
        for name, each in PLAIN_OPTIONS.items()
    }


def _watched(watch: Any) -> Any:
    if watch is None or watch == "*":
        return watch
    return (watch,) if isinstance(watch, str) else tuple(watch)


def _padding(padding: Any, where: str) -> Padding | None:
    if padding is None:
        return None
    length, char = padding
    if not isinstance(length, int) or not isinstance(char, str) or not char:
        raise SchemaError(f'{where}: padding is a length and what to fill with, such as (5, "0")', code=1009)
    return Padding(length, char)


def _digits(options: Mapping[str, Any], codec: Codec, where: str) -> Digits | None:
    given: Any = options.get("digits")
    if given is None:
        return None
    counts = cast("tuple[Any, ...]", given if hasattr(given, "__len__") else (given, 0))
    counted = len(counts) == 2 and all(isinstance(each, int) and not isinstance(each, bool) for each in counts)
    if not counted or counts[0] < 1 or counts[1] < 0 or "padding" in options:
        remedy = "say how many digits stand before and behind the point, such as digits=(12, 2), and no padding"
        raise SchemaError(f"{where}: digits={given!r}; {remedy}", code=1009)
    if not is_numeric(codec.type):
        raise SchemaError(f"{where}: digits are for numbers; text in keys sorts as it is", code=1009)
    return Digits(*counts)


# ---- classes with attributes --------------------------------------------------------------------------------------


class Slot:
    """One attribute of a class, ready for use: declaration, codec and schema attribute."""

    __slots__ = ("attr", "attribute", "codec", "encode", "name", "optional", "python_name", "reads_as")

    def __init__(
        self, declared: Attr[Any], annotation: Any, where: str, siblings: Mapping[str, Sibling], rename: Renaming
    ) -> None:
        self.attr = declared
        self.python_name = declared.python_name
        self.codec = codec_for(annotation, where, rename)
        if declared.options.get("ttl"):
            self.codec = ttl_codec(self.codec, where)
        self.optional = is_optional(annotation)
        self.attribute = declared.attribute(
            self.codec, optional=self.optional, where=where, siblings=siblings, rename=rename
        )
        self.name = self.attribute.name
        self.encode = self.codec.encode_quickly
        self.reads_as = self._reads_as()

    def _reads_as(self) -> Callable[[], Any] | None:
        """What an absent value reads as: None, the constant default, or an empty collection."""
        default = self.attr.options.get("default")
        if default is not None:
            return lambda: default
        if self.optional:
            return lambda: None
        return self.codec.empty

    def path(self, owner: type[Any]) -> Path[Any]:
        return Path((self.name,), own_name((self.attribute.field,), owner), self.codec, self.python_name)


class Slots(dict[str, Slot]):
    """The attributes of a class by Python name, and the rule that made stored names of these."""

    __slots__ = ("rename",)

    def __init__(self, rename: Renaming) -> None:
        super().__init__()
        self.rename = rename

    def named(self, name: str) -> str:
        """The schema's name for one of them, or for an attribute that a feature adds."""
        return self[name].name if name in self else self.rename(name)


def declared_attributes(cls: type[Any]) -> dict[str, Attr[Any]]:
    """The attributes a class and its bases declare, by Python name, in order."""
    found: dict[str, Attr[Any]] = {}
    for base in reversed(cls.__mro__):
        own: dict[str, Any] = {name: each for name, each in vars(base).items() if isinstance(each, Attr)}
        # Attributes without attr(...) got their descriptor late; the annotations stand in the order they were written.
        found.update({name: own[name] for name in own_annotations(base) if name in own})
        found.update(own)
    return found


def adopt_annotations(cls: type[Any]) -> None:
    """Give every annotated attribute its descriptor, whether or not it was assigned `attr(...)`."""
    for base in cast("tuple[type[Any], ...]", cls.__mro__[1:]):
        if not issubclass(base, Declared):  # a plain class that only lends its attributes
            adopt_annotations(base)
    for name, annotation in own_annotations(cls).items():
        if not is_attr(annotation):
            _refuse_unstored(cls, name, annotation)
            continue
        value = vars(cls).get(name, NOTHING)
        refuse_hiding(cls, name, value)
        if value is NOTHING:
            declared: Attr[Any] = Attr()
            setattr(cls, name, declared)
            declared.__set_name__(cls, name)
        elif not isinstance(value, Attr):
            default = _factory_of(value) or f"default={value!r}"
            remedy = f"write {name}: Attr[...] = attr({default})"
            raise SchemaError(f"{cls.__name__}.{name} is assigned {value!r}; {remedy}", code=1008)
        elif (factory := _factory_of(value.options.get("default"))) is not None:
            problem = f"{cls.__name__}.{name}: all items would share one default"
            raise SchemaError(f"{problem}; write {factory}", code=1009)


def _factory_of(default: Any) -> str | None:
    """What to write instead of a default that can change (as dataclasses tell them: by having no hash); else None."""
    if type(default).__hash__ is not None:
        return None
    is_empty = isinstance(default, list | dict | set) and not default
    return f"default_factory={type(default).__name__ if is_empty else f'lambda: {default!r}'}"  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def _refuse_unstored(cls: type[Any], name: str, annotation: Any) -> None:
    """What looks like an attribute and is none would be missing from every item, without a word."""
    said = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    kind = said.split("[", 1)[0].rsplit(".", 1)[-1].strip()
    if kind == "Attr":
        remedy = f"write {name}: Attr[str], with whatever type its values have"
        raise SchemaError(f"{cls.__name__}.{name}: Attr does not say what is stored; {remedy}", code=1008)
    if name.startswith("_") or kind in ("ClassVar", "Final") or not issubclass(cls, Declared):
        return
    remedy = f"write {name}: Attr[{said}], or {name}: ClassVar[{said}] for what all items share"
    raise SchemaError(f"{cls.__name__}.{name}: {said} is stored nowhere; {remedy}", code=1008)


def is_method(value: Any) -> bool:
    return callable(value) or isinstance(value, classmethod | staticmethod | property)


def refuse_hiding(cls: type[Any], name: str, value: Any) -> None:
    """An attribute must not take the name of a method or an access pattern, which could no longer be reached."""
    if name.startswith("__") and name.endswith("__"):
        remedy = f'call it otherwise and write attr(name="{name}") to keep its name in keys and items'
        raise SchemaError(f"{cls.__name__}.{name}: such names are Python's own; {remedy}", code=1009)
    inherited = next((vars(base)[name] for base in cls.__mro__[1:] if name in vars(base)), NOTHING)
    is_pattern = isinstance(value, Pattern) or isinstance(inherited, Pattern)
    reserved: frozenset[str] = getattr(cls, "__tablewright_reserved__", frozenset())
    if not is_pattern and not is_method(inherited) and name not in reserved:
        return
    what = "an access pattern" if is_pattern else "a method"
    remedy = f'call it {name}_ and write {name}_: Attr[...] = attr(name="{name}") to keep its name in keys and items'
    raise SchemaError(f"{cls.__name__}.{name} would hide {what} of that name; {remedy}", code=1009)


def own_annotations(cls: type[Any]) -> Mapping[str, Any]:
    """The annotations of this very class, unresolved."""
    if sys.version_info >= (3, 14):
        import annotationlib

        return annotationlib.get_annotations(cls, format=annotationlib.Format.FORWARDREF)
    return cast("Mapping[str, Any]", vars(cls).get("__annotations__", {}))


def is_attr(annotation: Any) -> bool:
    if isinstance(annotation, str):
        return annotation.split("[", 1)[0].rsplit(".", 1)[-1].strip() == "Attr" and "[" in annotation
    return get_origin(annotation) is Attr


def slots_of(cls: type[Any], rename: Renaming = unchanged) -> Slots:
    """Every attribute of a class with its codec, by Python name."""
    hints = resolved_hints(cls, cls.__name__)
    slots = Slots(rename)
    for name, declared in declared_attributes(cls).items():
        where = f"{cls.__name__}.{name}"
        if name not in hints:
            raise SchemaError(f"{where} has no annotation; write {name}: Attr[...] = attr(...)", code=1008)
        slots[name] = Slot(declared, get_args(hints[name])[0], where, slots, rename)
    refuse_same_names(slots)
    for slot in slots.values():
        slot.attribute = watching(slot.attribute, slots)
    return slots


def refuse_same_names(slots: Slots) -> None:
    """Keys and items would not tell such attributes apart."""
    first: dict[str, Slot] = {}
    for slot in slots.values():
        other = first.setdefault(slot.name, slot)
        if other is not slot:
            owner = slot.attr.owner.__name__ if slot.attr.owner is not None else ""
            both = f"{other.python_name} and {slot.python_name}"
            raise SchemaError(f"{owner}: {both} are both called {slot.name!r}; give one another name=", code=1008)


def watching(attribute: Attribute, slots: Mapping[str, Slot]) -> Attribute:
    """The attribute, watching others by the names the schema knows them by."""
    if not isinstance(attribute.watch, tuple):
        return attribute
    known = tuple(slots[name].name if name in slots else name for name in attribute.watch)
    return msgspec.structs.replace(attribute, watch=known)


def _late(module: str) -> Any:
    """A module that knows attributes, which need not know it, imported by those who use it."""
    from importlib import import_module

    return import_module(f"tablewright.runtime.declare.{module}")


class _DataclassFields:
    """What `dataclasses` asks of a class, made when it asks."""

    def __get__(self, item: object | None, owner: type[Any]) -> dict[str, Any]:
        found: dict[str, Any] | None = vars(owner).get("__tablewright_dataclass__")
        if found is None:
            made: dict[str, Any] = _late("dataclass_view").dataclass_fields(owner)
            owner.__tablewright_dataclass__ = made
            return made
        return found


class Declared:
    """What entities and maps share: a constructor by keyword, equality, and a readable repr."""

    def __init__(self, **values: Any) -> None:
        fill_in(self, values)

    __tablewright_init__ = __init__  # tells classes that have no constructor of their own

    if not TYPE_CHECKING:  # which would take any name then

        def __setattr__(self, name: str, value: Any) -> None:
            cls = type(self)
            if name not in attributes_of(cls) and not name.startswith("_") and not _is_declared(cls, name):
                raise _no_attribute(cls, name)
            object.__setattr__(self, name, value)

        __tablewright_setattr__ = __setattr__

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({shown})"

    # ---- at home in Python: what follows is imported by those who use it ------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The attributes as plain data by Python name, maps as dicts; hidden and unread ones are left out."""
        return _late("documents").to_dict(self)  # type: ignore[no-any-return]

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """An item from plain data, as `to_dict` or JSON has it; a `ValidationError` lists every fault."""
        return _late("documents").from_dict(cls, document)  # type: ignore[no-any-return]

    def to_json(self) -> str:
        """The same as JSON: times and decimals as text, bytes in base64, sets as sorted lists."""
        return _late("documents").to_json(self)  # type: ignore[no-any-return]

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """An item from JSON."""
        return _late("documents").from_json(cls, text)  # type: ignore[no-any-return]

    def __replace__(self, /, **changes: Any) -> Self:
        """`copy.replace(item, title="new")`, from Python 3.13 on; `tw.replace` does the same everywhere."""
        return _late("documents").replace(self, **changes)  # type: ignore[no-any-return]

    if not TYPE_CHECKING:  # checkers know that a class with attributes is like a dataclass
        __dataclass_fields__ = _DataclassFields()

        @classmethod
        def __get_pydantic_core_schema__(cls, _source: Any, handler: Any) -> Any:
            return _late("pydantic_schema").core_schema_of(cls, handler)

        @classmethod
        def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
            return _late("pydantic_schema").json_schema_of(cls, schema, handler)


def _is_declared(cls: type[Any], name: str) -> bool:
    """Whether a class has something of that name, such as a property."""
    return any(name in vars(base) for base in cls.__mro__)


def _no_attribute(cls: type[Any], name: str) -> AttributeError:
    import difflib  # only to help someone who mistyped

    near = difflib.get_close_matches(name, attributes_of(cls), 1)
    return AttributeError(f"{cls.__name__} has no attribute {name}" + (f"; did you mean {near[0]}?" if near else ""))


def fill_in(item: Any, values: dict[str, Any]) -> None:
    """Set the attributes of a new item, with defaults; what is missing or unknown is told all at once."""
    missing: list[str] = []
    own = item.__dict__
    for name, declared in attributes_of(item.__class__).items():
        if name in values:
            own[name] = values.pop(name)
        elif declared.options.get("alias") in values:
            own[name] = values.pop(declared.options["alias"])
        elif declared.has_default:
            own[name] = declared.default()
        else:
            missing.append(name)
    if missing or values:
        parts = [f"missing: {', '.join(missing)}"] if missing else []
        parts += [f"unknown: {', '.join(values)}"] if values else []
        raise TypeError(f"{type(item).__name__}() does not fit its attributes; {'; '.join(parts)}")


def attributes_of(cls: type[Any]) -> dict[str, Attr[Any]]:
    cached: dict[str, Attr[Any]] | None = vars(cls).get("__tablewright_attributes__")
    if cached is None:
        cached = declared_attributes(cls)
        cls.__tablewright_attributes__ = cached
    return cached


class MapType(type):
    """What `User.address` is to a type checker: the map's own class, with what can be said of the map as a whole."""

    if TYPE_CHECKING:

        def exists(cls) -> Condition: ...
        def not_exists(cls) -> Condition: ...
        def set(cls: type[V], value: V) -> Change: ...
        def if_not_exists(cls: type[V], value: V) -> Change: ...
        def remove(cls) -> Change: ...


@dataclass_transform(kw_only_default=True, field_specifiers=(attr,))
class Map(Declared, AnyMap, metaclass=MapType):
    """A nested map with attributes of its own: `class Address(tw.Map): city: Attr[str]`."""

    # Inside an entity a map is a path, and `User.address.size` is the path's own.
    __tablewright_reserved__ = frozenset(name for name in dir(Path) if not name.startswith("_"))

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        adopt_annotations(cls)

    @classmethod
    def __tablewright_fields__(cls) -> Iterator[Field]:
        hints = resolved_hints(cls, cls.__name__)
        for name, declared in declared_attributes(cls).items():
            annotation = get_args(hints[name])[0]
            refuse_large(declared, cls.__name__)
            yield Field(name, annotation, declared.has_default, _attribute_maker(declared, annotation, cls.__name__))

    @classmethod
    def __tablewright_path__(cls, name: str) -> Any:
        raise AttributeError(f"{cls.__name__}.{name} is a place only inside an entity, such as Entity.attribute.{name}")


def refuse_large(declared: Attr[Any], owner: str) -> None:
    """Only whole attributes of an item are offloaded or compressed."""
    if "offload" in declared.options or "compress" in declared.options:
        what = f"{owner}.{declared.python_name}"
        raise SchemaError(
            f"{what} is part of a map; offload or compress the attribute that holds the map, as a whole", code=1009
        )


def _attribute_maker(
    declared: Attr[Any], annotation: Any, owner: str
) -> Callable[[Codec, Mapping[str, Sibling], Renaming], Attribute]:
    where = f"{owner}.{declared.python_name}"
    optional = is_optional(annotation)
    return lambda codec, siblings, rename: declared.attribute(
        codec, optional=optional, where=where, siblings=siblings, rename=rename
    )
