"""An entity class, checked and made ready: slots, paths, the layout of its items, and items to values and back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import FieldFault, RequestError, SchemaError, ValidationError
from tablewright.runtime.codecs.entity_codec import EntityCodec
from tablewright.runtime.declare import callbacks
from tablewright.runtime.declare.access import TABLE, Index, Pattern, Primary
from tablewright.runtime.declare.attr import Slot, declared_attributes, slots_of
from tablewright.runtime.declare.features import features_of
from tablewright.runtime.declare.links import with_names_of
from tablewright.runtime.declare.patterns import check_view, to_schema, with_added_names
from tablewright.runtime.declare.queues import mark_attributes, queue_attributes
from tablewright.runtime.declare.range_checks import check_ranges
from tablewright.runtime.declare.sharding import added_attributes
from tablewright.runtime.declare.versions import check_versions
from tablewright.runtime.features.hooks import hooks_of
from tablewright.runtime.features.tenant.values import guard_tenant
from tablewright.runtime.items.checks import inspect
from tablewright.runtime.items.derive import derived, keyed, sources_of
from tablewright.runtime.items.layout import Layout, lay_out
from tablewright.runtime.operations.delete import Delete
from tablewright.runtime.operations.update import Update
from tablewright.runtime.types.codec import EncodingError
from tablewright.runtime.types.renaming import Rename, Renaming, renaming
from tablewright.runtime.types.values import ABSENT
from tablewright.schema import model

if TYPE_CHECKING:
    from tablewright.runtime.declare.membership import Membership
    from tablewright.runtime.items.item import StoredItem
    from tablewright.runtime.requests.changes import Change
    from tablewright.schema.check.confusion import Marks
    from tablewright.schema.model import Identifiers
    from tablewright.schema.types import Attribute

Upgrade = Callable[[dict[str, Any]], dict[str, Any]]


class About:
    """What the class statement says of an entity."""

    __slots__ = ("identifiers", "key_version", "name", "rename", "said", "service", "upgrades", "version")

    def __init__(
        self,
        service: Membership | None,
        name: str,
        version: str,
        identifiers: Identifiers | None,
        upgrades: Mapping[str, Upgrade],
        said: Mapping[str, Any],
        rename: Rename | None,
        key_version: str | None = None,
    ) -> None:
        self.key_version = key_version
        self.service = service
        self.name = name
        self.version = version
        self.identifiers = identifiers
        self.upgrades = upgrades
        self.said = said  # the keywords that declare features, see declare/features.py
        renaming(rename, name)  # refuses what is no rule
        self.rename: Rename | None = rename

    def renaming(self, where: str) -> Renaming:
        """The rule for stored names: the entity's own, or that of its service."""
        return renaming(self.rename or (self.service and self.service.rename), where)


class _Compiled:
    """An entity class, checked: slots by Python name, paths, and the layout of its items."""

    __slots__ = ("_by_name", "_index_names", "_locked", "cls", "layout", "paths", "slots")

    def __init__(self, cls: type[StoredItem]) -> None:
        self.cls = cls
        self.slots = slots_of(cls, cls.__tablewright_about__.renaming(cls.__name__))
        self.paths = {name: slot.path(cls) for name, slot in self.slots.items()}
        self._by_name = {slot.name: slot for slot in self.slots.values()}
        self.layout = self._lay_out()
        check_ranges(cls, _patterns_of(cls), self.layout, self.slots)
        depended = [
            name
            for each in self.layout.secondary
            for name in (*each.pattern.composites, *(each.pattern.depends_on or ()))
        ]
        plan = self.layout.plan
        self._locked = (plan.lock,) if plan is not None and plan.lock is not None else ()
        if self.layout.derived:
            depended = [*depended, *sources_of(self.layout.derived, depended)]
        names = dict.fromkeys((*depended, *self._locked))
        self._index_names = tuple(name for name in names if name in self._by_name)

    def _lay_out(self) -> Layout:
        from tablewright.schema.check import check_entity
        from tablewright.schema.check.attributes import check_own_fields
        from tablewright.schema.check.confusion import check_marks, check_separators

        about = self.cls.__tablewright_about__
        service = about.service
        if service is None:
            raise SchemaError(f"{self.cls.__name__} belongs to no service; write service=... in its class statement")
        patterns = tuple(self._patterns(service))
        added = tuple(self._added(patterns, about.said))
        patterns = tuple(with_added_names(each, added, self.slots) for each in patterns)
        entity = model.Entity(
            name=about.name,
            service=service.name,
            version=about.version,
            key_version=about.key_version,
            attributes=(*(slot.attribute for slot in self.slots.values()), *added),
            patterns=patterns,
            table=service.table.name,
            identifiers=about.identifiers or service.identifiers,
            features=features_of(self.cls.__name__, self.slots, self._said(service, about.said)),
            doc=(self.cls.__doc__ or "").strip(),
        )
        check_entity(entity)
        check_separators(entity)
        check_versions(entity, about.upgrades)
        check_own_fields(entity)
        others = [each for name, each in service.entities.items() if name != about.name]
        check_marks(_marks_of(self.cls), [_marks_of(each) for each in others])
        if entity.features.tenant is not None:
            guard_tenant(self._by_name[entity.features.tenant], entity)
        return lay_out(
            entity,
            strict=True,
            home=service.home,
            make=self.make,
            codec=EntityCodec(self.cls, self.slots),
            take=self.encode_named,
            said={slot.name: name for name, slot in self.slots.items() if slot.name != name},
            upgrades=about.upgrades,
            widths=self._widths(),
            hooks_of=hooks_of,
        )

    def _widths(self) -> dict[str, int]:
        """The attributes whose stored texts all have one length; a setter could make anything of them."""
        named = ((slot.name, slot.codec.width) for slot in self.slots.values() if slot.attribute.set is None)
        return {name: width for name, width in named if width is not None}

    def _said(self, service: Membership, said: Mapping[str, Any]) -> Mapping[str, Any]:
        """The keywords of the class, with attributes of other entities as the schema calls them."""
        if not said["aggregates"]:
            return said
        others = {name: _schema_names_of(entity) for name, entity in service.entities.items()}
        return {
            **said,
            "aggregates": [with_names_of(each, others.get(each.aggregate.into, {})) for each in said["aggregates"]],
        }

    def _added(self, patterns: Sequence[model.AccessPattern], said: Mapping[str, Any]) -> Iterator[Attribute]:
        """Attributes that features need and the class does not declare."""
        yield from added_attributes(patterns, self.slots)
        yield from queue_attributes(patterns, self.slots)
        yield from mark_attributes(self.cls.__name__, self.slots, said)

    def _patterns(self, service: Membership) -> list[model.AccessPattern]:
        declared = _patterns_of(self.cls)
        key = next((each for each in declared.values() if isinstance(each, Primary)), None)
        if key is None:
            raise SchemaError(
                f"{self.cls.__name__} has no primary key; decorate one method with @tw.primary", code=1007
            )
        patterns: list[model.AccessPattern] = []
        for name, each in declared.items():
            if each.options.index == TABLE:
                check_view(each, key, f"{self.cls.__name__}.{name}")
                continue
            fields = service.table.fields_of(each.options.index)
            pattern = to_schema(each, key, self.slots, fields, f"{self.cls.__name__}.{name}", service.casing)
            condition = pattern.condition
            if condition is not None:
                seen = {*pattern.composites, *(pattern.depends_on or ())}  # all that an update will know
                siblings = {name: slot for name, slot in self.slots.items() if slot.name in seen}
                pattern = msgspec.structs.replace(pattern, condition=callbacks.condition(condition, siblings))
            patterns.append(pattern)
        return patterns

    # ---- items ---------------------------------------------------------------------------------------------------

    def encode(self, item: StoredItem) -> dict[str, Any]:
        """The stored values of an item by attribute name; every fault is told."""
        assert self.layout.codec is not None
        try:
            values = self.layout.codec.encode(item.__dict__)
        except (EncodingError, AttributeError, KeyError):  # something is wrong, or was not read
            values = self.encode_carefully(item)
        return derived(self.layout.derived, values) if self.layout.derived else values

    def encode_carefully(self, item: StoredItem) -> dict[str, Any]:
        """The same, attribute by attribute."""
        values: dict[str, Any] = {}
        faults: list[FieldFault] = []
        told: set[str] = set()
        own = item.__dict__
        for python_name, slot in self.slots.items():
            value = own.get(python_name)
            if value is None:
                if python_name not in own:
                    self._refuse_unread(item, slot)
                continue
            try:
                values[slot.name] = value if slot.encode is None else slot.encode(value)
            except EncodingError as error:
                told.add(slot.name)
                faults.append(FieldFault(python_name + error.path, error.reason))
        if faults:
            faults += self._other_faults(values, told)
            raise ValidationError(faults, message=f"{self.cls.__name__} cannot be written")
        return values

    def _refuse_unread(self, item: StoredItem, slot: Slot) -> None:
        """What was not read would be written as absent, or as its default, over what is stored."""
        if slot.reads_as is None or slot.attribute.hidden:  # absent in the table, or hidden from every reader
            return
        unread = [name for name in self.slots if name not in item.__dict__]
        why = "this item was read with only(...), or from an index that does not hold all of it"
        raise RequestError(
            f"{self.cls.__name__} cannot be written as a whole without {', '.join(unread)}: {why}; "
            "patch what is to change, or read the whole item first",
            code=2002,
        )

    def _other_faults(self, values: Mapping[str, Any], told: set[str]) -> list[FieldFault]:
        """What else is wrong, so that a caller hears of everything at once."""
        others = [(name, slot.attribute) for name, slot in self.slots.items() if slot.name not in told]
        return [
            fault for name, each in others for fault in inspect(each, values.get(each.name, ABSENT), name, quiet=True)
        ]

    def encode_named(self, given: Mapping[str, Any]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, value in given.items():
            slot = self.slots.get(name)
            if slot is None:
                raise TypeError(f"{self.cls.__name__} has no attribute {name!r}; it has {', '.join(self.slots)}")
            values[slot.name] = ABSENT if value is None else _encode_slot(slot, value)
        return values

    def composites(self, item: StoredItem) -> dict[str, Any]:
        """The table composites of an item."""
        composites = self.known(item, self.layout.table_composites)
        return keyed(self.layout.derived, composites) if self.layout.derived else composites

    def known(self, item: StoredItem, names: Any) -> dict[str, Any]:
        """The stored values of some attributes, as far as the item has them."""
        values: dict[str, Any] = {}
        for name in names:
            slot = self._by_name.get(name)
            if slot is None:  # it follows from others
                continue
            value = item.__dict__.get(slot.python_name)
            if value is not None:
                values[name] = _encode_slot(slot, value)
        return values

    def change(self, item: StoredItem, changes: tuple[Change, ...], *, must_exist: bool) -> Update[Any]:
        composites = self.composites(item)
        return Update(self.layout, composites, changes, must_exist, remembered=self.remembered(item))

    def deletion(self, item: StoredItem, *, must_exist: bool) -> Delete[Any]:
        composites = self.composites(item)
        if self.layout.marked_by is not None:
            return Delete(self.layout, composites, must_exist, remembered=self.remembered(item))
        if not self._locked:
            return Delete(self.layout, composites, must_exist)
        return Delete(self.layout, composites, must_exist, remembered=self.remembered(item, self._locked))

    def remembered(self, item: StoredItem, names: tuple[str, ...] | None = None) -> dict[str, Any]:
        """What the item says of everything that index keys depend on; a value it never had is absent."""
        names = self._index_names if names is None else names
        found = self.known(item, names)
        return {name: found.get(name, ABSENT) for name in names if self._by_name[name].python_name in item.__dict__}

    def make(self, values: dict[str, Any], only: Collection[str] | None = None) -> Any:
        """An item of the class from attributes by name; absent ones read as None, their default, or empty.

        What was not read (`only` names what was, None: all; the hidden never are) is not there at all.
        """
        item = object.__new__(self.cls)
        own = item.__dict__
        for python_name, slot in self.slots.items():
            value = values.get(slot.name)
            if value is not None:
                decode = slot.codec.decode_quickly
                own[python_name] = value if decode is None else decode(value)
            elif slot.reads_as is not None and (only is None or slot.name in only) and not slot.attribute.hidden:
                own[python_name] = slot.reads_as()
        return item


def _encode_slot(slot: Slot, value: Any) -> Any:
    try:
        return value if slot.encode is None else slot.encode(value)
    except EncodingError as error:
        raise ValidationError([FieldFault(slot.python_name + error.path, error.reason)]) from error


def _patterns_of(cls: type[Any]) -> dict[str, Pattern[Any]]:
    """The access patterns a class and its bases declare, in order."""
    found: dict[str, Pattern[Any]] = {}
    for base in reversed(cls.__mro__):
        found.update({name: each for name, each in vars(base).items() if isinstance(each, Primary | Index)})
    return found


def _marks_of(cls: type[Any]) -> Marks:
    """What an entity class puts into keys, as far as its declaration says without being compiled."""
    from tablewright.schema.check.confusion import Marks

    about: About = cls.__tablewright_about__
    options = [each.options for each in _patterns_of(cls).values()]
    casings = {about.service.casing if about.service is not None else "none", *(each.casing for each in options)}
    casings.update(own for each in options for own in each.casings or ())
    collections = frozenset(name for each in options for name in each.collection)
    return Marks(about.name, about.key_version or about.version, collections, not casings <= {None, "none"})


def _schema_names_of(cls: type[StoredItem]) -> dict[str, str]:
    """The schema's names for a class's attributes, by Python's; it need not be compiled for that."""
    rename = cls.__tablewright_about__.renaming(cls.__name__)
    return {name: declared.name(rename) for name, declared in declared_attributes(cls).items()}


def stored_pattern(cls: type[Any], name: str) -> str:
    """An access pattern's name in the schema, where queries on the table's own key are that key."""
    declared = _patterns_of(cls)
    if name not in declared or declared[name].options.index != TABLE:
        return name
    return next((key for key, each in declared.items() if isinstance(each, Primary)), name)


def compiled_of(cls: type[StoredItem]) -> _Compiled:
    """The class, checked; done on first use and kept."""
    compiled: _Compiled | None = cls.__dict__.get("__tablewright_compiled__")
    if compiled is None:
        compiled = _Compiled(cls)
        cls.__tablewright_compiled__ = compiled  # type: ignore[attr-defined]
    return compiled
