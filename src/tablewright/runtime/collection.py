"""Collections: several entities that one query answers together.

class Workload(tw.Collection, service=taskapp, name="workload"):
employees: list[Employee]
tasks: list[Task]

@tw.index("gsi1")
def of(self, employee: str) -> None: ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args, get_origin

import msgspec

from tablewright.errors import SchemaError
from tablewright.runtime.compiled import compiled_of
from tablewright.runtime.declare.attr import Declared
from tablewright.runtime.declare.binding import bound_function
from tablewright.runtime.entity import Entity
from tablewright.runtime.operations.collect import Collect
from tablewright.runtime.operations.gather import Gather
from tablewright.runtime.options import DEFAULT
from tablewright.runtime.types.structures import resolved_hints
from tablewright.schema import model

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.runtime.declare.access import Pattern
    from tablewright.runtime.declare.attr import Slot
    from tablewright.runtime.declare.membership import Membership
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.requests.ranges import Sort

READ_ALL = msgspec.structs.replace(DEFAULT, pages="all")


class Collection(Declared):
    """The base of all collections. An item of it has a list for each member, and a cursor when there is more."""

    if TYPE_CHECKING:
        cursor: str | None

    def __init_subclass__(cls, *, service: Membership, name: str) -> None:
        super().__init_subclass__()
        cls.__tablewright_about__ = (service, name)
        service.add_collection(cls)

    if TYPE_CHECKING:
        __tablewright_about__: tuple[Membership, str]

    @classmethod
    def __tablewright_members__(cls) -> Mapping[str, Layout]:
        return compiled_collection(cls).members

    @classmethod
    def __tablewright_query__(cls, pattern: Pattern[Any]) -> Any:
        compiled = compiled_collection(cls)
        slots = compiled.checked_slots(pattern)

        def make(given: dict[str, Any], sort: Sort | None) -> Gather[Any]:
            return Gather(cls, Collect(compiled.collection, compiled.members, given, sort, None, READ_ALL))

        return bound_function(pattern.signature, slots, f"{cls.__name__}.{pattern.signature.name}", make)


class _CompiledCollection:
    """A collection class, checked against its members."""

    def __init__(self, cls: type[Collection]) -> None:
        service, name = cls.__tablewright_about__
        self.cls, self.service, self.name = cls, service, name
        self.entities = _member_classes(cls)
        self.members: Mapping[str, Layout] = {
            alias: entity.__tablewright_layout__() for alias, entity in self.entities.items()
        }
        self.collection = self._collection()

    def _collection(self) -> model.Collection:
        from tablewright.schema.check import check_members

        entities = {alias: layout.entity for alias, layout in self.members.items()}
        check_members(entities)
        members = [self._member(alias, entity) for alias, entity in entities.items()]
        first = next(iter(entities.values())).pattern(members[0].pattern)
        assert first is not None
        doc = (self.cls.__doc__ or "").strip()
        return model.Collection(name=self.name, index=first.index, kind=first.kind, members=tuple(members), doc=doc)

    def _member(self, alias: str, entity: model.Entity) -> model.Member:
        for pattern in entity.patterns:
            if self.name in pattern.collection:
                return model.Member(alias=alias, entity=entity.name, pattern=pattern.name)
        where = f"{self.cls.__name__}.{alias}"
        remedy = f'add collection="{self.name}" to the access pattern that belongs to it'
        raise SchemaError(f"{where}: {entity.name} has no part in the collection {self.name!r}; {remedy}", code=1013)

    def checked_slots(self, pattern: Pattern[Any]) -> Mapping[str, Slot]:
        """The attributes behind the collection's pattern, which must agree with what the members say."""
        where = f"{self.cls.__name__}.{pattern.signature.name}"
        alias = self.collection.members[0].alias
        slots = compiled_of(self.entities[alias]).slots
        first = self.members[alias].pattern(self.collection.members[0].pattern).pattern
        index = None if pattern.options.index == "table" else pattern.options.index
        if index != first.index:
            there = first.index or "table"
            raise SchemaError(f"{where} names index {index or 'table'!r}, but its members are in {there!r}", code=1013)
        unknown = [name for name in (*pattern.signature.pk, *pattern.signature.sk) if name not in slots]
        if unknown:
            raise SchemaError(f"{where}: {', '.join(unknown)} is no attribute of {first.name}'s entity", code=1003)
        declared = tuple(slots[name].name for name in pattern.signature.pk)
        if declared != first.pk.composite:
            wanted = self.members[alias].listed(first.pk.composite)
            raise SchemaError(f"{where}: the partition key of its members is ({wanted}); let them agree", code=1013)
        return slots


def _member_classes(cls: type[Any]) -> dict[str, type[Entity]]:
    """The entity of every `list[Entity]` annotation, by its name."""
    members: dict[str, type[Entity]] = {}
    for alias, annotation in resolved_hints(cls, cls.__name__).items():
        if alias.startswith("_") or alias == "cursor":
            continue
        args = get_args(annotation)
        if get_origin(annotation) is not list or not (isinstance(args[0], type) and issubclass(args[0], Entity)):
            raise SchemaError(
                f"{cls.__name__}.{alias}: members of a collection are written list[SomeEntity]", code=1013
            )
        members[alias] = args[0]
    if not members:
        raise SchemaError(f"{cls.__name__} has no members; write tasks: list[Task]", code=1013)
    return members


def compiled_collection(cls: type[Collection]) -> _CompiledCollection:
    """The class, checked; done on first use and kept."""
    compiled: _CompiledCollection | None = cls.__dict__.get("__tablewright_compiled__")
    if compiled is None:
        compiled = _CompiledCollection(cls)
        cls.__tablewright_compiled__ = compiled  # type: ignore[attr-defined]
    return compiled
