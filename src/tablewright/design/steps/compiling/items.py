"""How items are stored: their keys, what is hidden, and the places they are in."""

from __future__ import annotations

from tablewright.design import model as designed
from tablewright.design.steps.compiling.expressions import compile_templates
from tablewright.design.steps.model import (
    Bucket,
    ItemKeys,
    ItemType,
    KeyFields,
    Stored,
)
from tablewright.design.values import buckets

SECONDS_PER_DAY = 86_400


def compile_stored(design: designed.Design) -> Stored:
    places = {
        table.name if index is None else f"{table.name}/{index}": place
        for table in design.tables
        for index, place in places_of(table).items()
    }
    return Stored(
        types={item.name: _compile_item_type(item) for item in design.items},
        places=places,
        type_field=design.encoding.type_field,
        hidden=frozenset(hidden_fields(design)),
        key_style=design.key_style,
    )


def _compile_item_type(item: designed.ItemType) -> ItemType:
    days = item.ttl_days if item.ttl_attribute else None
    return ItemType(
        entity=item.entity,
        table=item.table,
        id=item.id,
        attributes=tuple(each.name for each in item.attributes),
        fixed=dict(item.fixed),
        keys=tuple(_compile_keys(each) for each in composed_keys(item)),
        expires=item.ttl_attribute or "",
        packed_by=item.entry if item.kind == "packed" else "",
        lifetime_seconds=round((days or 0) * SECONDS_PER_DAY),
    )


def composed_keys(item: designed.ItemType) -> list[designed.ItemKeys]:
    return [each for each in item.keys if not each.native]


def _compile_keys(keys: designed.ItemKeys) -> ItemKeys:
    bucketed = (keys.bucket.attribute,) if keys.bucket else ()
    return ItemKeys(
        index=keys.index,
        needs=(*keys.partition, *keys.lead, *bucketed),
        fields=compile_templates((*keys.pk, *keys.sk)),
        shards=keys.shards,
        bucket=compile_bucket(keys.bucket),
        when={} if keys.when is None else keys.when.required,
    )


def hidden_fields(design: designed.Design) -> list[str]:
    """Composed keys, constants, times to live, maps of what lies inside, copies."""
    found: list[str] = []
    for item in design.items:
        found += [
            each.field for keys in composed_keys(item) for each in (*keys.pk, *keys.sk)
        ]
        found += [*item.fixed, item.inside, item.ttl_attribute or ""]
        found += [each.name for each in item.attributes if each.copy_of is not None]
    return list(dict.fromkeys(name for name in found if name))


def places_of(table: designed.TableDesign) -> dict[str | None, KeyFields]:
    own = (table.pk.name, table.sk.name)
    found: dict[str | None, KeyFields] = {
        None: KeyFields(sort=(table.sk.name,), all=own)
    }
    for index in (*table.gsis, *table.lsis):
        names = (each.name for each in (*index.pk, *index.sk))
        sort = tuple(each.name for each in index.sk)
        found[index.name] = KeyFields(
            sort=sort, all=tuple(dict.fromkeys((*own, *names)))
        )
    return found


def compile_bucket(bucket: buckets.Bucket | None) -> Bucket | None:
    return None if bucket is None else Bucket(bucket.attribute, bucket.length)
