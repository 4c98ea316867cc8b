"""Entities: classes whose attributes are stored and whose access patterns are documented functions.

A class is checked once, on first use, not when it is defined: by then everything it refers to exists, and errors can
name class, attribute and remedy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, TypeAlias, dataclass_transform

import msgspec

from tablewright.errors import RequestError, SchemaError
from tablewright.runtime.compiled import About, Upgrade, compiled_of, stored_pattern
from tablewright.runtime.declare.access import TABLE, Pattern
from tablewright.runtime.declare.attr import Declared, adopt_annotations, attr
from tablewright.runtime.declare.binding import bound_function
from tablewright.runtime.declare.links import Into, links_of
from tablewright.runtime.declare.mirrors import mirror_function
from tablewright.runtime.items.derive import keyed
from tablewright.runtime.items.reading import owns, present
from tablewright.runtime.key import Key
from tablewright.runtime.operations.put import Put
from tablewright.runtime.operations.query import Query
from tablewright.runtime.operations.scan import Scan, find_by_all, match
from tablewright.runtime.operations.upsert import Upsert

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tablewright.runtime.declare.access import Signature
    from tablewright.runtime.declare.membership import Membership
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.operations.delete import Delete
    from tablewright.runtime.operations.update import Update
    from tablewright.runtime.requests.changes import Change
    from tablewright.runtime.requests.ranges import Sort
    from tablewright.runtime.types.renaming import Rename
    from tablewright.schema import model
    from tablewright.schema.features import History, SoftDelete
    from tablewright.schema.model import Identifiers

Parents: TypeAlias = "type[Entity] | str | tuple[type[Entity] | str, ...]"  # a class cannot name itself but by text


@dataclass_transform(kw_only_default=True, field_specifiers=(attr,))
class Entity(Declared):
    """The base of all entities: `class Task(tw.Entity, service=taskapp, name="task", version="1")`."""

    def __init_subclass__(
        cls,
        *,
        service: Membership | None = None,
        name: str | None = None,
        version: str = "1",
        key_version: str | None = None,
        identifiers: Identifiers | None = None,
        upgrades: Mapping[str, Upgrade] | None = None,
        unique: Sequence[str | tuple[str, ...]] = (),
        tenant: str | None = None,
        belongs_to: Mapping[str, Parents] | None = None,
        aggregates: Sequence[Into] = (),
        symmetric: tuple[str, str] | None = None,
        history: bool | History = False,
        soft_delete: bool | SoftDelete = False,
        rename: Rename | None = None,
    ) -> None:
        super().__init_subclass__()
        adopt_annotations(cls)
        _refuse_hidden_methods(cls)
        said: dict[str, Any] = {
            "unique": unique,
            "tenant": tenant,
            "belongs_to": {stored_pattern(cls, name): to for name, to in (belongs_to or {}).items()},
        }
        said.update(links_of(cls), aggregates=aggregates, symmetric=symmetric)
        said.update(history=history, soft_delete=soft_delete)
        above: About | None = getattr(cls, "__tablewright_about__", None)
        if rename is None and above is not None:
            rename = above.rename
        cls.__tablewright_about__ = About(
            service, name or cls.__name__, version, identifiers, upgrades or {}, said, rename, key_version
        )
        if service is not None:
            service.add(cls)

    # ---- writing this item ---------------------------------------------------------------------------------------

    def put(self) -> Put[Self]:
        """Write the item, in place of whatever has its key."""
        compiled = compiled_of(type(self))
        return Put(compiled.layout, compiled.encode(self))

    def create(self) -> Put[Self]:
        """Write the item, which must be new."""
        compiled = compiled_of(type(self))
        return Put(compiled.layout, compiled.encode(self), only_new=True)

    def upsert(self, *changes: Change) -> Upsert[Self]:
        """Write what this item says and leave the rest of what is stored; `changes` are made besides."""
        compiled = compiled_of(type(self))
        return Upsert(compiled.layout, compiled.encode(self), changes)

    def update(self, *changes: Change) -> Update[Self]:
        """Change the stored item, completing index keys from this one as long as it still holds."""
        return compiled_of(type(self)).change(self, changes, must_exist=False)

    def patch(self, *changes: Change) -> Update[Self]:
        """As update, and the item must exist."""
        return compiled_of(type(self)).change(self, changes, must_exist=True)

    def delete(self) -> Delete[Self]:
        """Delete the stored item, if it is there."""
        compiled = compiled_of(type(self))
        return compiled.deletion(self, must_exist=False)

    def remove(self) -> Delete[Self]:
        """Delete the stored item, which must exist."""
        compiled = compiled_of(type(self))
        return compiled.deletion(self, must_exist=True)

    # ---- finding items -------------------------------------------------------------------------------------------

    @classmethod
    def scan(cls) -> Scan[Self]:
        """Every item of this entity. It reads the whole table to find them."""
        return Scan(cls.__tablewright_layout__())

    @classmethod
    def find(cls, **attributes: Any) -> Query[Self] | Scan[Self]:
        """The query on the index that fits these attributes best and uses them all; without any, a scan."""
        compiled = compiled_of(cls)
        return find_by_all(compiled.layout, compiled.encode_named(attributes), cls.__name__)

    @classmethod
    def match(cls, **attributes: Any) -> Query[Self] | Scan[Self]:
        """As find, and every attribute given must be equal (None: absent)."""
        compiled = compiled_of(cls)
        return match(compiled.layout, compiled.encode_named(attributes))

    @classmethod
    def parse(cls, item: Mapping[str, Any]) -> Self | None:
        """A stored item (with plain values) as an object; None when it is not this entity's."""
        layout = cls.__tablewright_layout__()
        if not owns(layout, item, by_key=False):
            return None
        made: Self = layout.make(present(layout, item))
        return made

    @classmethod
    def schema(cls) -> model.Entity:
        """The entity as data."""
        return compiled_of(cls).layout.entity

    # ---- for the rest of the package -----------------------------------------------------------------------------

    if TYPE_CHECKING:
        __tablewright_about__: About

    @classmethod
    def __tablewright_layout__(cls) -> Layout:
        return compiled_of(cls).layout

    @classmethod
    def __tablewright_keys__(cls, pattern: Pattern[Any]) -> Callable[..., Any]:
        """What `Task.key` is: a function from composites to the key of one item, with a query of all keys beside it."""
        compiled, where = compiled_of(cls), f"{cls.__name__}.{pattern.signature.name}"
        layout = compiled.layout

        def make(given: dict[str, Any], sort: Sort | None) -> Key[Any]:
            if sort is not None:
                remedy = f"comparisons belong into {where}.query(...)"
                raise RequestError(f"{where} is a key of one item; {remedy}", code=2002)
            if len(given) < composites:
                raise _no_key(pattern.signature, {compiled.layout.called(name) for name in given}, where)
            return Key(layout, keyed(layout.derived, given) if layout.derived else given)

        def make_query(given: dict[str, Any], sort: Sort | None) -> Query[Any]:
            return Query(layout, layout.primary.pattern.name, given, sort)

        composites = len({*pattern.signature.pk, *pattern.signature.sk})
        function = bound_function(pattern.signature, compiled.slots, where, make)
        function.query = bound_function(  # type: ignore[attr-defined]
            _all_optional(pattern.signature), compiled.slots, f"{where}.query", make_query
        )
        return function

    @classmethod
    def __tablewright_query__(cls, pattern: Pattern[Any]) -> Callable[..., Any]:
        """What `Task.by_employee` is: a function from composites to a query."""
        layout, where = cls.__tablewright_layout__(), f"{cls.__name__}.{pattern.signature.name}"
        name = layout.primary.pattern.name if pattern.options.index == TABLE else pattern.signature.name
        asked_as = pattern.signature.name if pattern.options.index == TABLE else ""

        def make(given: dict[str, Any], sort: Sort | None) -> Query[Any]:
            return Query(layout, name, given, sort, asked_as=asked_as)

        return bound_function(pattern.signature, compiled_of(cls).slots, where, make)

    @classmethod
    def __tablewright_mirror__(cls, pattern: Pattern[Any]) -> Callable[..., Any]:
        """What `Follows.followers` is: a function from composites to a query of second items."""
        compiled = compiled_of(cls)
        return mirror_function(cls, compiled.layout, compiled.slots, pattern)

    @classmethod
    def __tablewright_path__(cls, name: str) -> Any:
        return compiled_of(cls).paths[name]

    def __tablewright_key__(self) -> Key[Self]:
        compiled = compiled_of(type(self))
        return Key(compiled.layout, compiled.composites(self))


def _all_optional(signature: Signature) -> Signature:
    """The signature of a query on the table's own key: every sort composite may be left out."""
    return msgspec.structs.replace(signature, name="query", optional=frozenset(signature.sk))


def _no_key(signature: Signature, given: set[str], where: str) -> RequestError:
    """Sort composites were declared `= ANY` for queries, and one item was asked for without them."""
    missing = ", ".join(name for name in signature.sk if name not in given)
    return RequestError(
        f"{where} is the key of one item and needs {missing} as well; {where}.query(...) finds all that have the rest",
        code=2002,
    )


def _refuse_hidden_methods(cls: type[Entity]) -> None:
    """An access pattern must not take the name of a method, which could no longer be reached."""
    for name, each in vars(cls).items():
        if isinstance(each, Pattern) and hasattr(Entity, name):
            raise SchemaError(f"{cls.__name__}.{name} would hide a method of that name; call it by_{name}", code=1009)
