"""What a plan sees of a write: its subject, the keys of an item type, and what is written along with an item."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.model import ItemKind, ItemType, ReadStep, WriteStep
from tablewright.design.serving.writes import certain, may_be_gone, operation_on, replaces
from tablewright.design.values.templates import KeyTemplate
from tablewright.spec.facts import Facts
from tablewright.spec.model import PatternSpec
from tablewright.spec.writes import effect_on, is_list

if TYPE_CHECKING:
    from tablewright.spec.facts import Operation
    from tablewright.spec.writes import Effect


class WriteSteps(msgspec.Struct, frozen=True):
    """What a write pattern reads first, then writes, and whether in a transaction."""

    reads: tuple[ReadStep, ...]
    writes: tuple[WriteStep, ...]
    transaction: bool


class WriteSubject(msgspec.Struct, frozen=True, kw_only=True):
    """One entity of a write pattern: its item types, what the caller gives and what may change."""

    facts: Facts
    pattern: PatternSpec
    entity: str
    own: ItemType
    others: tuple[ItemType, ...]  # second items and details, which have the same attributes
    located: ReadStep | None
    names: Mapping[str, str]  # what new values are called that are not named like their attribute
    written: tuple[str, ...]  # attributes that have new values
    holds: bool  # things of other entities lie in it, which stay when it is replaced
    pointer: ItemType | None = None  # says by the id where the item is, whose table key may change

    @property
    def operation(self) -> Operation:
        return operation_on(self.facts, self.pattern, self.entity)

    @property
    def effect(self) -> Effect:
        return effect_on(self.facts, self.pattern, self.entity)

    @property
    def replaces(self) -> bool:
        """Whether a put may find an item in its place, of which nothing must be left."""
        return replaces(self.facts, self.pattern, self.entity)

    @property
    def may_make(self) -> bool:
        """Whether an update may find nothing, and then makes the item."""
        return self.effect.upsert

    @property
    def may_be_gone(self) -> bool:
        """Whether a transaction happens also where the item that it deletes is not there."""
        return may_be_gone(self.facts, self.pattern, self.entity)

    @property
    def fixed(self) -> frozenset[str]:
        """What an item that is replaced has in common with the new one."""
        shared = () if self.pointer else key_attributes(self.own)
        return frozenset((*self.facts.fixed[self.entity], *shared))

    @property
    def types(self) -> tuple[ItemType, ...]:
        return (self.own, *self.others)

    @property
    def known(self) -> set[str]:
        return certain(self.facts, self.pattern, self.entity)

    @property
    def changeable(self) -> tuple[str, ...]:
        return tuple(sorted(self.facts.changing[self.entity]))

    @property
    def list_name(self) -> str:
        """The parameter that brings any number of these; empty where there is one."""
        return self.entity if is_list(self.facts, self.pattern, self.entity) else ""

    @property
    def old_names(self) -> dict[str, str]:
        """What the caller does not know comes from the item as it was read; all of it, where that may be gone."""
        names = self.facts.spec.entities[self.entity].attributes
        known = set[str]() if self.may_be_gone else self.known
        return {name: f"old.{name}" for name in names if name not in known}

    def changed_keys(self, item: ItemType) -> tuple[str, ...]:
        """The key attributes that may stay the same after all, when nothing is to be done.

        Where the item may be new the id as well: it stays the same where an item was there, and only there.
        """
        if self.replaces or self.may_make:
            return tuple(dict.fromkeys((*self.own.id, *key_attributes(item))))
        if self.operation != "update":
            return ()
        return tuple(name for name in key_attributes(item) if name in self.written)


class Companion(msgspec.Struct, frozen=True, kw_only=True):
    """An item type that is written along with the items of an entity.

    known     what must be known of an item as it is, before it is changed or deleted
    follows   the attributes that it follows without being another item then
    put       with an item that comes
    remove    with an item that goes, whose attributes have these names
    update    with an item that changes what it follows
    renew     with an item that was replaced or changed, and has the same key attributes after all
    is_blind  whether it is written without a look at the item that is replaced
    """

    kind: ItemKind
    known: Callable[[ItemType], set[str]]
    follows: Callable[[ItemType], set[str]]
    put: Callable[[WriteSubject, ItemType], WriteStep]
    remove: Callable[[WriteSubject, ItemType, Mapping[str, str]], WriteStep]
    update: Callable[[WriteSubject, ItemType], WriteStep]
    renew: Callable[[WriteSubject, ItemType], WriteStep | None]
    is_blind: bool = False


def key_attributes(item: ItemType) -> tuple[str, ...]:
    keys = item.table_keys
    return (*keys.partition, *keys.lead, *keys.rest)


def key_templates(item: ItemType, names: Mapping[str, str]) -> tuple[KeyTemplate, ...]:
    keys = item.table_keys
    return tuple(KeyTemplate(each.field, each.template.rename(names)) for each in (*keys.pk, *keys.sk))


def pk_field(item: ItemType) -> str:
    return item.table_keys.pk[0].field
