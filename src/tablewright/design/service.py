"""A design as a service that the runtime loads: entities, access patterns, collections, expiry and second items.

Composed keys where ElectroDB composes the same text, templates everywhere else. What a service cannot hold is told by
`service_notes`, so that nobody finds out by its answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, get_args

import msgspec

from tablewright.design.encoding import DECIMALS, DIGITS, PADDED_LENGTH
from tablewright.design.layout.names import BUCKET_LABEL, MODEL_VERSION, SHARD_LABEL, TYPE_FIELDS, VERSION_FIELD
from tablewright.design.values.buckets import PERIODS
from tablewright.design.values.buckets import Bucket as TimeBucket
from tablewright.design.values.templates import BUCKET, SHARD
from tablewright.errors import SchemaError
from tablewright.schema.dump import dump
from tablewright.schema.features import Bucket, Features, Mirror, Shards, TimeToLive
from tablewright.schema.functions import having
from tablewright.schema.model import AccessPattern, Entity, Identifiers, KeySide, Projection, Service
from tablewright.schema.ordered import is_text
from tablewright.schema.service import build_service
from tablewright.schema.types import (
    ANY,
    BINARY,
    BOOLEAN,
    NUMBER,
    STRING,
    Attribute,
    Constant,
    Digits,
    Enum,
    ListOf,
    Padding,
    Pattern,
    SetOf,
    Type,
)
from tablewright.spec.model import NOW, StoredKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, ItemAttribute, ItemKeys, ItemType

TYPES: dict[str, Type] = {
    "string": STRING,
    "timestamp": STRING,
    "number": NUMBER,
    "boolean": BOOLEAN,
    "binary": BINARY,
    "map": ANY,
    "list": ListOf(),
    "set": SetOf(STRING),
    "any": ANY,
}
Derived: TypeAlias = dict[int | TimeBucket, str]
PADDING = Padding(PADDED_LENGTH, "0")
OWN_KINDS: tuple[str, ...] = get_args(StoredKind)
SECONDS_PER_DAY = 86_400


def with_service(made: Design) -> Design:
    """The design with its service, or with a note of why there is none."""
    try:
        _check_collections(made)
        return msgspec.structs.replace(made, service=dump(service_of(made)))
    except SchemaError as error:
        note = f"The runtime's services cannot hold this design: {error.message}"
        return msgspec.structs.replace(made, notes=(*made.notes, note))


def _check_collections(made: Design) -> None:
    """A service reads a collection from one table; keys of several tables may have the same name for theirs."""
    tables: dict[str, set[str]] = {}
    for item in made.items:
        for name in (name for keys in item.keys for name in keys.collections):
            tables.setdefault(name, set()).add(item.table)
    apart = sorted(name for name, found in tables.items() if len(found) > 1)
    if apart:
        raise SchemaError(f"the collection {apart[0]} would be in several tables")


def service_of(design: Design, *, mirrors: bool = True) -> Service:
    """The service that reads and writes the design's items.

    Without `mirrors` for whoever writes second items by the design's own steps: these may have keys that no mirror can.
    """
    own = [item for item in design.items if item.kind in OWN_KINDS and item.keys]
    entities = {item.name: _entity_of(design, item, mirrors=mirrors) for item in own}
    return build_service(entities, name=design.name, table=design.tables[0].name, doc=design.title)


def _entity_of(design: Design, item: ItemType, *, mirrors: bool) -> Entity:
    is_electro = design.key_style == "electrodb"
    derived = _derived_attributes(item)
    named = pattern_names(item)
    return Entity(
        name=str(item.fixed[TYPE_FIELDS[design.key_style]]),
        service=design.name,
        version=MODEL_VERSION,
        attributes=tuple(_attributes_of(design, item, derived)),
        patterns=tuple(
            _pattern_of(design, item, keys, named[at], derived)
            for at, keys in enumerate(item.keys)
            if not is_typed(design, keys)
        ),
        table=item.table,
        identifiers=Identifiers(entity=TYPE_FIELDS[design.key_style], version=VERSION_FIELD if is_electro else None),
        features=_features_of(design, item, mirrors=mirrors),
        doc=item.notes,
    )


# ---- attributes -----------------------------------------------------------------------------------------------------


def _attributes_of(design: Design, item: ItemType, derived: Derived) -> Iterator[Attribute]:
    in_keys = {name for keys in _keys_with_copies(design, item) for name in _attributes_in(keys)}
    for each in item.attributes:
        is_ordered = each.type == "number" and each.name in in_keys
        kind = STRING if each.type == "any" and each.name in in_keys else _type_of(each)
        yield Attribute(
            name=each.name,
            type=kind,
            field=each.name,
            required=each.required,
            default=None if each.default in (None, NOW) else Constant(each.default),
            validate=Pattern(each.validate.pattern) if each.validate is not None and each.validate.pattern else None,
            read_only=each.immutable,
            hidden=each.copy_of is not None,
            escaped=each.name in in_keys and design.key_style == "plain" and is_text(kind),
            padding=PADDING if is_ordered and design.key_style == "electrodb" else None,
            signed=is_ordered and design.key_style == "electrodb",
            digits=Digits(DIGITS, DECIMALS) if is_ordered and design.key_style == "plain" else None,
        )
    known = {each.name for each in item.attributes}
    for name in (name for name, value in item.fixed.items() if isinstance(value, dict) and name not in known):
        yield Attribute(name=name, type=ANY, field=name)
    for rule, name in derived.items():
        kind, label = (NUMBER, SHARD_LABEL) if isinstance(rule, int) else (STRING, BUCKET_LABEL)
        yield Attribute(name=name, type=kind, field=name, hidden=True, label=label)
    expiry = _expiry_of(design, item)
    if expiry is not None and all(each.name != expiry.attribute for each in item.attributes):
        yield Attribute(name=expiry.attribute, type=NUMBER, field=expiry.attribute)


def _type_of(attribute: ItemAttribute) -> Type:
    return Enum(attribute.values) if attribute.values and attribute.type == "string" else TYPES[attribute.type]


def _keys_with_copies(design: Design, item: ItemType) -> Iterator[ItemKeys]:
    yield from item.keys
    for other in design.items:
        if other.is_second_item and other.entity == item.entity:
            yield from other.keys


def _attributes_in(keys: ItemKeys) -> tuple[str, ...]:
    return (*keys.partition, *keys.lead, *keys.rest)


def _derived_attributes(item: ItemType) -> Derived:
    """By number of shards, and by bucket: the attribute that holds an item's shard or period."""
    taken = {each.name for each in item.attributes}
    found: Derived = {}
    rules: list[tuple[int | TimeBucket, str]] = []
    for keys in item.keys:
        rules += [(keys.shards, SHARD_LABEL)] if keys.shards > 1 else []
        rules += [(keys.bucket, BUCKET_LABEL)] if keys.bucket else []
    for rule, label in dict.fromkeys(rules):
        names = (label, *(f"{label}{number}" for number in range(2, len(taken) + 3)))
        found[rule] = next(name for name in names if name not in taken)
        taken.add(found[rule])
    return found


# ---- features -------------------------------------------------------------------------------------------------------


def _features_of(design: Design, item: ItemType, *, mirrors: bool) -> Features:
    copies = [other for other in design.items if other.is_second_item and other.entity == item.entity]
    made = tuple(_mirror_of(design, each) for each in copies) if mirrors and item.kind == "entity" else ()
    return Features(ttl=_expiry_of(design, item), mirrors=made)


def _expiry_of(design: Design, item: ItemType) -> TimeToLive | None:
    table = next(each for each in design.tables if each.name == item.table)
    if item.ttl_days is None or table.ttl_attribute is None:
        return None
    return TimeToLive(table.ttl_attribute, lifetime_seconds=round(item.ttl_days * SECONDS_PER_DAY))


def _mirror_of(design: Design, copy: ItemType) -> Mirror:
    keys = copy.keys[0]
    if keys.shards > 1 or keys.bucket:
        raise SchemaError(f"{copy.name} is a copy in shards or buckets, which no mirror of a service has.")
    if keys.copies > 1:
        raise SchemaError(f"{copy.name} is one of {keys.copies} read copies, which no mirror of a service is.")
    pk, sk = (_side_of(design, keys, which, {}) for which in ("pk", "sk"))
    return Mirror(
        name=copy.name,
        pattern=pattern_names(copy)[0],
        pk=pk.composite,
        sk=sk.composite,
        pk_template=pk.template,
        sk_template=sk.template,
    )


# ---- access patterns ------------------------------------------------------------------------------------------------


def pattern_names(item: ItemType) -> list[str]:
    """`byCustomerId`; the table's own key is called after its kind of item."""
    found: list[str] = []
    for keys in item.keys:
        about = "And".join(name[0].upper() + name[1:] for name in keys.partition)
        name = "primary" if keys.index is None and not item.is_second_item else f"by{about}" if about else "all"
        found.append(name if name not in found else f"{name}In{(keys.index or 'table').capitalize()}")
    return found


def _pattern_of(design: Design, item: ItemType, keys: ItemKeys, name: str, derived: Derived) -> AccessPattern:
    if keys.native:
        return _native_pattern(design, item, keys, name)
    collections = collections_in(design, keys)
    shared = has_shared_keys(design, item)
    required = keys.when.required if keys.when else {}
    decisive = {name: value for name, value in required.items() if value is not None}
    return AccessPattern(
        name=name,
        index=keys.index,
        pk=_side_of(design, keys, "pk", derived, is_shared=shared),
        sk=_side_of(design, keys, "sk", derived, is_shared=shared),
        collection=collections,
        kind="clustered" if collections and keys.lead else "isolated",
        scope=_scope_in(design, keys) if design.key_style == "electrodb" else "",
        projection=_projection_of(design, item, keys),
        condition=having(decisive) if decisive else None,
        depends_on=tuple(decisive) or None,
        shards=Shards(keys.shards, of=item.id, attribute=derived[keys.shards]) if keys.shards > 1 else None,
        bucket=_bucket_of(design, item, keys, derived) if keys.bucket else None,
    )


def is_typed(design: Design, keys: ItemKeys) -> bool:
    """Whether the type is one of the attributes of the key, which no access pattern can say."""
    return keys.native and any(each.field == design.encoding.type_field for each in keys.pk)


def _native_pattern(design: Design, item: ItemType, keys: ItemKeys, name: str) -> AccessPattern:
    """An index on the attributes themselves."""
    sort = tuple(each.field for each in keys.sk)
    return AccessPattern(
        name=name,
        index=keys.index,
        pk=KeySide(field="", composite=tuple(each.field for each in keys.pk)),
        sk=KeySide(field="", composite=sort) if sort else None,
        kind="composite",
        projection=_projection_of(design, item, keys),
    )


def _bucket_of(design: Design, item: ItemType, keys: ItemKeys, derived: Derived) -> Bucket | None:
    """A bucket as the runtime has it; what has a first time is looked for from there on."""
    bucket = keys.bucket
    if bucket is None:
        return None
    made = Bucket(PERIODS[bucket.length], of=bucket.attribute, attribute=derived[bucket])
    steps = (step for each in design.patterns for step in each.reads if item.name in step.items)
    since = next((step.since for step in steps if step.since is not None and step.index == keys.index), None)
    return made if since is None else msgspec.structs.replace(made, since=since)


def has_shared_keys(design: Design, item: ItemType) -> bool:
    """Whether its keys are those of another type, whose name and attributes are not its own."""
    texts = _texts_of(item)
    return item.kind == "sentinel" and any(
        other.kind == "sentinel" and other.name != item.name and _texts_of(other) == texts for other in design.items
    )


def _texts_of(item: ItemType) -> list[str]:
    keys = item.table_keys
    return [str(part) for each in (*keys.pk, *keys.sk) for part in each.template.parts if isinstance(part, str)]


def _side_of(design: Design, keys: ItemKeys, which: str, derived: Derived, *, is_shared: bool = False) -> KeySide:
    """One side of a key: composed where there is nothing but labelled attributes behind the prefix."""
    (written,) = keys.pk if which == "pk" else keys.sk
    stand_ins = {SHARD: derived.get(keys.shards, ""), BUCKET: derived.get(keys.bucket or 0, "")}
    template = written.template.rename(stand_ins)
    is_whole = not keys.lead and collections_in(design, keys) == keys.collections
    is_composed = design.key_style == "electrodb" and (which == "pk" or is_whole) and not is_shared
    if is_composed:
        return KeySide(field=written.field, composite=template.names, casing="none")
    spelt = "".join(part if isinstance(part, str) else f"${{{part.name}}}" for part in template.parts)
    return KeySide(field=written.field, composite=template.names, template=spelt, casing="none")


def collections_in(design: Design, keys: ItemKeys) -> tuple[str, ...]:
    """The collections that a service can have: not sharded, and of entities whose keys hold the same types."""
    if keys.shards > 1 or keys.bucket is not None:
        return ()
    kinds = {
        tuple(
            each.type == "number"
            for name in (*own.partition, *own.lead)
            for each in item.attributes
            if each.name == name
        )
        for item in design.items
        for own in item.keys
        if own.collections[:1] == keys.collections[:1]
    }
    return keys.collections if len(kinds) == 1 else ()


def _scope_in(design: Design, keys: ItemKeys) -> str:
    """What the partition key says between the service and its first attribute."""
    stem = keys.pk[0].template.stem.partition("#")[0]
    return stem.removeprefix(f"${design.name}").removeprefix("_")


def _projection_of(design: Design, item: ItemType, keys: ItemKeys) -> Projection:
    table = next(each for each in design.tables if each.name == item.table)
    index = next((each for each in (*table.gsis, *table.lsis) if each.name == keys.index), None)
    if index is None or index.projection.type == "ALL":
        return "all"
    if index.projection.type == "KEYS_ONLY":
        return "keys_only"
    known = {*(each.name for each in item.attributes), *item.fixed}
    return tuple(name for name in index.projection.attributes if name in known) or "keys_only"
