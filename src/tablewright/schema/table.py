"""The physical table behind entities: whose key fields, of which DynamoDB types, under which indexes.

A secondary index whose partition key field is the table's own is a local one (LSI). A composite (multi-attribute)
index is declared on the stored fields of its attributes. Where entities project differently, an index projects what
any of them needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from tablewright.errors import SchemaError
from tablewright.schema.model import AccessPattern, Entity, Index, KeyAttribute, KeySide, Projection, Table
from tablewright.schema.templates import template_parts
from tablewright.schema.types import Attribute, Enum, Scalar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

KeyType: TypeAlias = Literal["S", "N", "B"]
SCALAR_TYPES: dict[str, KeyType] = {"string": "S", "number": "N", "binary": "B", "boolean": "S"}


def derive_table(entities: Iterable[Entity], *, name: str | None = None) -> Table:
    """The table that all these entities can live in; the first to describe an index decides its key."""
    indexes: dict[str | None, Index] = {}
    for entity in entities:
        for pattern in entity.patterns:
            new = _index(entity, pattern)
            old = indexes.get(pattern.index)
            indexes[pattern.index] = new if old is None else _merge(old, new)
    return Table(name=name, primary=indexes.pop(None), indexes=tuple(indexes.values()))


def check_one_table(entities: Mapping[str, Entity], *, multi_attribute: bool = True) -> None:
    """Refuse entities of one table that give it, or one of its indexes, different key attributes.

    Without `multi_attribute` composite indexes are left alone: in ElectroDB their members share the first attributes.
    """
    seen: dict[tuple[str | None, str | None], tuple[str, Index]] = {}
    for alias, entity in entities.items():
        for pattern in entity.patterns:
            if pattern.kind == "composite" and not multi_attribute:
                continue
            index = _index(entity, pattern)
            first, other = seen.setdefault((entity.table, pattern.index), (alias, index))
            if (index.pk, index.sk) != (other.pk, other.sk):
                where = f'index "{pattern.index}"' if pattern.index else "the table's own key"
                raise SchemaError(
                    f'Entity "{alias}", access pattern "{pattern.name}": {where} has the key {_show(index)}, '
                    f'but "{first}" gives it {_show(other)}. Use the same fields and types in all entities of a table '
                    "(a sort key may have an empty list of composites).",
                    code=1009,
                )


def _show(index: Index) -> str:
    keys = (", ".join(f"{each.field} ({each.type})" for each in side) for side in (index.pk, index.sk))
    return " and ".join(key for key in keys if key)


def _key_type(entity: Entity, side: KeySide) -> KeyType:
    """Keys are text, unless cast to numbers or made of nothing but one numeric attribute."""
    if side.cast is not None:
        return "N" if side.cast == "number" else "S"
    return _attribute_type(entity, side.composite[0]) if _is_bare(entity, side) else "S"


def _is_bare(entity: Entity, side: KeySide) -> bool:
    """Whether the key is one attribute's value and nothing else."""
    if len(side.composite) != 1:
        return False
    if side.template is not None:
        return template_parts(side.template) == ((side.composite[0], ""),)
    attribute = entity.attribute(side.composite[0])
    return attribute is not None and attribute.field == side.field


def _attribute_type(entity: Entity, name: str) -> KeyType:
    attribute = entity.attribute(name)
    kind = attribute.type if attribute else None
    if isinstance(kind, Enum):
        return "N" if all(isinstance(each, (int, float)) for each in kind.choices) and kind.choices else "S"
    return SCALAR_TYPES[kind.name] if isinstance(kind, Scalar) else "S"


def _index(entity: Entity, pattern: AccessPattern) -> Index:
    local = pattern.kind != "composite" and pattern.pk.field == entity.primary.pk.field
    return Index(
        name=pattern.index,
        pk=tuple(_key_attributes(entity, pattern, pattern.pk)),
        sk=tuple(_key_attributes(entity, pattern, pattern.sk)) if pattern.sk else (),
        kind="table" if pattern.index is None else "lsi" if local else "gsi",
        projection=_stored_projection(entity, pattern.projection) if pattern.index else "all",
    )


def _key_attributes(entity: Entity, pattern: AccessPattern, side: KeySide) -> Iterator[KeyAttribute]:
    if pattern.kind != "composite":
        yield KeyAttribute(field=side.field, type=_key_type(entity, side))
        return
    for name in side.composite:
        yield KeyAttribute(field=_field(entity.attribute(name), name), type=_attribute_type(entity, name))


def _field(attribute: Attribute | None, name: str) -> str:
    return attribute.field if attribute else name


def _stored_projection(entity: Entity, projection: Projection) -> Projection:
    if not isinstance(projection, tuple):
        return projection
    return tuple(_field(entity.attribute(name), name) for name in projection)


def _merge(old: Index, new: Index) -> Index:
    """One index as both need it; key attributes are checked elsewhere, the projection grows."""
    projection = _union(old.projection, new.projection)
    return Index(name=old.name, pk=old.pk, sk=old.sk or new.sk, kind=old.kind, projection=projection)


def _union(one: Projection, other: Projection) -> Projection:
    if one == "all" or other == "all":
        return "all"
    listed = tuple(dict.fromkeys((*_listed(one), *_listed(other))))
    return listed or "keys_only"


def _listed(projection: Projection) -> tuple[str, ...]:
    return projection if isinstance(projection, tuple) else ()
