"""What the runtime derives once from a schema entity: names, fields, composed keys, watchers.

Two manners share it. `strict` is the typed style: an update is either right or refused. Without it everything is done
as ElectroDB does it, which is what the loaded style promises.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.items.derive import keyed
from tablewright.runtime.items.hooks import (
    Derivation,
    HooksOf,
    LargeFields,
    Marking,
    Spread,
    UpgradeAt,
    WritePlan,
    no_hooks,
)
from tablewright.runtime.items.key_clashes import Rivals, check_rivals
from tablewright.runtime.items.page_items import ItemCodec
from tablewright.runtime.items.plain import is_plain
from tablewright.schema.guards import guarded
from tablewright.schema.keys import ComposedKey, PatternKeys, compile_keys, in_order
from tablewright.schema.ordered import forms_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.schema.model import AccessPattern
from tablewright.schema.features import TimeToLive
from tablewright.schema.model import Entity
from tablewright.schema.types import Attribute
from tablewright.schema.writers import Whole, Writer, writer_of

Values: TypeAlias = Mapping[str, Any]
Make: TypeAlias = Callable[..., Any]  # from attributes by name, and the names that were asked for (None: all)
Take: TypeAlias = Callable[[Mapping[str, Any]], dict[str, Any]]
Upgrade: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]


class Home:
    """Where an entity lives at the moment: the table it is in and the database its service is bound to."""

    __slots__ = ("database", "large", "members", "rivals", "table")

    def __init__(self, table: str | None = None) -> None:
        self.table = table
        self.database: Any = None
        self.large: tuple[LargeFields, ...] = ()  # the large attributes of all entities that live here
        self.members: Mapping[str, Any] = {}  # the entities that live here, by name
        self.rivals: dict[str, Rivals] = {}  # by entity: whose keys its own could be mistaken for

    def layout(self, name: str) -> Layout | None:
        """The layout of another entity that lives here."""
        found = self.members.get(name)
        if found is None:
            return None
        return found.__tablewright_layout__() if isinstance(found, type) else found.layout  # type: ignore[attr-defined, no-any-return]


def _as_it_is(values: dict[str, Any], only: Collection[str] | None = None) -> Any:  # noqa: ARG001 - a Make
    """The loaded style hands items out as plain dicts."""
    return values


class Layout(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """An entity, ready to be written, read and queried."""

    entity: Entity
    strict: bool
    home: Home
    attributes: Mapping[str, Attribute]
    by_field: Mapping[str, Attribute]
    keys: Mapping[str, PatternKeys]
    primary: PatternKeys
    table_key: tuple[tuple[str, Whole], ...]  # the fields of the table key and the functions that write them
    table_composites: tuple[str, ...]
    writers: Mapping[str, Writer]  # by field: the functions that write index keys
    secondary: tuple[PatternKeys, ...]  # access patterns with keys of their own, in order of definition
    index_composites: frozenset[str]
    composed: frozenset[str]  # attributes that some composed key of a secondary index is made of, or depends on
    required: tuple[str, ...]
    mindful: tuple[
        Attribute, ...
    ]  # attributes that do more than hold their value: validators, setters, renaming inside
    attribute_keys: Mapping[str, ComposedKey]  # attributes that are themselves a key field
    has_template: bool  # whether its table key could be another entity's, see items/key_clashes.py (typed style)
    folds: bool  # whether keys leave open how a text is spelled, see items/letter_case.py (typed style)
    mixes: bool  # whether some index tells spellings that the table key does not
    key_fields: frozenset[str]
    table_fields: frozenset[str]
    identity: Mapping[str, str]  # the identifier fields with this entity's values
    ignore_ownership: bool = False
    make: Make = _as_it_is  # an item for the caller from attributes by name
    codec: ItemCodec | None = None  # what makes items straight from replies, in the typed style
    take: Take = dict  # attributes by name from values as the caller names and types them
    widths: Mapping[str, int]  # of attributes whose texts are all of one length and form: times, UUIDs
    said: Mapping[str, str]  # by name: what the caller calls an attribute, where that is something else
    upgrades: Mapping[str, Upgrade]  # by older version: turns an item as it was stored then into one of today
    shapes: dict[Any, Any]  # texts of updates seen before, see requests/shapes.py
    older: Mapping[str, Layout]  # by older version: the same entity with that version in its keys
    ttl: TimeToLive | None = None  # when items expire
    hidden_by: str | None = None  # the stored field by which expired items are hidden
    marked_by: str | None = None  # the stored field that says when an item was deleted, of those that are only marked
    first: Layout | None = None  # of second items: the layout of those they are second to, see features/edges
    derived: tuple[Derivation, ...] = ()  # attributes that follow from others; this and all below: see items/hooks.py
    large: LargeFields | None = None  # attributes that are stored compressed or outside the table
    spread: Spread | None = None  # how access patterns that are spread over partitions are read
    plan: WritePlan | None = None  # what is done besides when an item is written
    marking: Marking | None = None  # how items are deleted that are only marked
    upgrade_at: UpgradeAt | None = None  # how an item of an older version is brought up to today

    def __repr__(self) -> str:
        return f"<layout of {self.entity.service}.{self.entity.name}>"

    @property
    def name(self) -> str:
        return self.entity.name

    def pattern(self, name: str) -> PatternKeys:
        found = self.keys.get(name)
        if found is None:
            known = ", ".join(self.keys)
            raise RequestError(f"{self.name} has no access pattern {name!r}; it has {known}", code=1026)
        return found

    def key(self, composites: Values) -> dict[str, Any]:
        """The table key of an item, from all its composites."""
        try:
            if len(self.table_key) == 1:
                key = {field: whole(composites) for field, whole in self.table_key}
            else:
                (pk_field, pk), (sk_field, sk) = self.table_key
                key = {pk_field: pk(composites), sk_field: sk(composites)}
        except KeyError:
            if self.derived and len(composites) < len(whole_key := keyed(self.derived, composites)):
                return self.key(whole_key)
            sides = (self.primary.pk, self.primary.sk)
            missing = [name for side in sides if side is not None for name in side.missing(composites)]
            raise incomplete(self, self.primary.pattern, missing) from None
        if self.has_template:
            check_rivals(self, key)
        return key

    def of_version(self, version: str) -> Layout:
        """The entity as an older version of it was keyed; its items are still upgraded to today."""
        if version not in self.older:
            known = ", ".join(self.older) or "none"
            raise RequestError(f"{self.name} has no upgrade from version {version!r}; known: {known}", code=2002)
        return msgspec.structs.replace(self.older[version], upgrades={version: self.upgrades[version]})

    def as_stored(self, name: str, value: Any) -> Any:
        """A value as it stands in the table: an attribute that is itself a key field is stored as that key."""
        key = self.attribute_keys.get(name)
        return value if key is None else key.wrap(value)

    def called(self, name: str) -> str:
        """What the caller calls an attribute."""
        return self.said.get(name, name)

    def listed(self, names: Iterable[str]) -> str:
        """Attributes for a message, as the caller calls them."""
        return ", ".join(self.said.get(name, name) for name in dict.fromkeys(names))

    def composites_of(self, values: Values) -> dict[str, Any]:
        """The table composites among the values given."""
        if self.derived:
            values = keyed(self.derived, values)
        return {name: values[name] for name in self.table_composites if name in values}


def incomplete(layout: Layout, pattern: AccessPattern, missing: list[str], code: int = 2002) -> RequestError:
    wanted = layout.listed(missing)
    where = f"{layout.name}.{pattern.name}"
    return RequestError(f"{where} needs all of its composites; missing: {wanted}", code=code)


def _mixes(primary: PatternKeys, index: PatternKeys) -> bool:
    """Whether a text is in both in different letter case: two spellings of it are one item with two index keys."""

    def free(keys: PatternKeys) -> set[tuple[str, str]]:
        sides = [side for side in (keys.pk, keys.sk) if side is not None and not side.numeric]
        cased = ((side, "lower" if side.casing == "default" else side.casing) for side in sides)
        return {(piece.name, casing) for side, casing in cased for piece in side.pieces if piece.is_free}

    folded = {each for each in free(primary) if each[1] != "none"}
    return any(name == other and casing != kept for name, casing in folded for other, kept in free(index))


def identity_of(entity: Entity) -> dict[str, str]:
    """What every item of the entity carries to say whose it is."""
    fields = entity.identifiers
    named = {fields.entity: entity.name}
    return named if fields.version is None else {**named, fields.version: entity.version}


def _hidden_by(entity: Entity) -> str | None:
    """The stored field by which expired items are hidden; None when they are not."""
    ttl = entity.features.ttl
    attribute = None if ttl is None or not ttl.hidden else entity.attribute(ttl.attribute)
    return None if attribute is None else attribute.field


def _marked_by(entity: Entity) -> str | None:
    """The stored field that marks deleted items; None where deleting deletes."""
    soft = entity.features.soft_delete
    attribute = None if soft is None else entity.attribute(soft.attribute)
    return None if attribute is None else attribute.field


def _older_keys(entity: Entity) -> str | None:
    """The version in the keys of older items: the one that all share, or (where keys moved) their own."""
    return None if entity.key_version == entity.version else entity.key_version


def lay_out(
    entity: Entity,
    *,
    strict: bool = False,
    home: Home | None = None,
    make: Make = _as_it_is,
    codec: ItemCodec | None = None,
    take: Take = dict,
    said: Mapping[str, str] | None = None,
    ignore_ownership: bool = False,
    upgrades: Mapping[str, Upgrade] | None = None,
    widths: Mapping[str, int] | None = None,
    hooks_of: HooksOf = no_hooks,
) -> Layout:
    keys = compile_keys(entity)
    if strict:
        keys = guarded(entity, in_order(keys, forms_in(entity, said or {})), said, widths)
    primary = keys[entity.primary.name]
    home = home or Home(entity.table)
    hooks = hooks_of(entity, primary)
    if hooks.large is not None:
        home.large = (hooks.large, *home.large)
    composed = [each for each in keys.values() if each.pattern.kind != "composite"]
    sides = [side for each in composed for side in (each.pk, each.sk) if side is not None]
    writers = {side.field: writer_of(side) for side in sides}
    return Layout(
        entity=entity,
        strict=strict,
        home=home,
        attributes={each.name: each for each in entity.attributes},
        by_field={each.field: each for each in entity.attributes},
        keys=keys,
        primary=primary,
        table_key=tuple(
            (side.field, writers[side.field].whole) for side in (primary.pk, primary.sk) if side is not None
        ),
        table_composites=entity.primary.composites,
        writers=writers,
        secondary=tuple(each for each in composed if each is not primary),
        index_composites=frozenset(name for each in entity.patterns for name in each.composites),
        composed=frozenset(
            name
            for each in composed
            if each is not primary
            for name in (*each.pattern.composites, *(each.pattern.depends_on or ()))
        ),
        required=tuple(each.name for each in entity.attributes if each.required),
        mindful=tuple(each for each in entity.attributes if not is_plain(each)),
        attribute_keys={side.attribute: side for side in sides if side.attribute is not None},
        has_template=strict and any(side.templated for side in (primary.pk, primary.sk) if side is not None),
        folds=any(side.casing != "none" and any(piece.is_free for piece in side.pieces) for side in sides),
        mixes=any(_mixes(primary, each) for each in composed if each is not primary),
        key_fields=frozenset(side.field for side in sides),
        table_fields=frozenset(side.field for side in (primary.pk, primary.sk) if side is not None),
        identity=identity_of(entity),
        ignore_ownership=ignore_ownership,
        make=make,
        codec=codec,
        take=take,
        widths=widths or {},
        said=said or {},
        upgrades=upgrades or {},
        shapes={},
        ttl=entity.features.ttl,
        hidden_by=_hidden_by(entity),
        marked_by=_marked_by(entity),
        derived=hooks.derived,
        large=hooks.large,
        spread=hooks.spread,
        plan=hooks.plan,
        marking=hooks.marking,
        upgrade_at=hooks.upgrade_at,
        older={
            version: lay_out(
                msgspec.structs.replace(entity, version=version, key_version=_older_keys(entity)),
                strict=strict,
                home=home,
                make=make,
                take=take,
                said=said,
                upgrades=None,
                widths=widths,
                hooks_of=hooks_of,
            )
            for version in upgrades or {}
        },
    )
