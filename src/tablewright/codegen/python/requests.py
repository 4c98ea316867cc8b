"""Steps of a design as code of the generated package's own classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.python.literals import Code, invoke, kept

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.codegen.python.literals import Invocation
    from tablewright.design.model import (
        Design,
        ItemKeys,
        ItemType,
        KeyTemplate,
        Parameter,
        PatternDesign,
        ReadStep,
        WriteStep,
    )

SECONDS_PER_DAY = 86_400


def templates(keys: Iterable[KeyTemplate]) -> dict[str, str]:
    return {each.field: each.template for each in keys}


def read(step: ReadStep) -> Invocation:
    sorts = tuple(
        invoke("Sort", each.field, each.operator, each.low, *([each.high] if each.high is not None else []))
        for each in step.sk
    )
    filters = tuple(invoke("Filter", each.attribute, each.operator, tuple(each.values)) for each in step.filters)
    return invoke(
        "Read",
        operation=step.operation,
        table=step.table,
        **kept(index=step.index),
        pk=templates(step.pk),
        **kept(
            sk=sorts,
            filters=filters,
            backwards=step.backwards,
            limit=step.limit,
            consistent=step.consistent,
            projection=step.projection,
        ),
        entities=step.entities,
        **kept(
            shards=step.shards if step.shards > 1 else None,
            shard_of=step.shard_of if step.shards > 1 else (),
            for_each={name: tuple(values) for name, values in step.for_each.items()},
            bucket=step.bucket,
        ),
        **({} if step.keys_from is None else {"keys_from": step.keys_from}),
        **kept(joins=step.joins, unfold=step.unfold),
    )


def reads(pattern: PatternDesign) -> tuple[Invocation, ...]:
    return tuple(read(each) for each in pattern.reads)


def writing(pattern: PatternDesign) -> Invocation:
    return invoke(
        "Writing",
        op=pattern.op or "put",
        entities=pattern.entities,
        **kept(inputs=tuple(given(each) for each in pattern.parameters), reads=reads(pattern)),
        writes=tuple(write(each) for each in pattern.writes),
        **kept(transaction=pattern.transaction),
    )


def given(parameter: Parameter) -> str | Invocation:
    """Just its name, where it is the attribute of that name."""
    if parameter.attribute == parameter.name and parameter.entity is None:
        return parameter.name
    return invoke("Given", name=parameter.name, **kept(attribute=parameter.attribute, entity=parameter.entity))


def write(step: WriteStep) -> Invocation:
    return invoke(
        "Write",
        operation=step.operation,
        item=step.item,
        table=step.table,
        key=templates(step.key),
        **kept(
            all_attributes=step.all_attributes,
            set=dict(step.set),
            add=dict(step.add),
            remove=step.remove,
            condition=step.condition,
            unchanged=step.unchanged,
            unless_same=step.unless_same,
            each=step.each,
        ),
    )


# ---- how items are stored -------------------------------------------------------------------------------------------


def stored(design: Design) -> Invocation:
    return invoke(
        "Stored",
        types={item.name: item_type(item) for item in design.items},
        places=places(design),
        type_field=design.encoding.type_field,
        hidden=invoke("frozenset", tuple(hidden_fields(design))),
        key_text=Code("key_text"),
    )


def item_type(item: ItemType) -> Invocation:
    lifetime = round((item.ttl_days or 0) * SECONDS_PER_DAY) if item.ttl_attribute else 0
    return invoke(
        "ItemType",
        entity=item.entity,
        table=item.table,
        id=item.id,
        attributes=tuple(each.name for each in item.attributes),
        **kept(
            fixed=dict(item.fixed),
            keys=tuple(item_keys(each) for each in item.keys if not each.native),
            inside=item.inside,
            holder=item.holder,
            expires=item.ttl_attribute,
            lifetime_seconds=lifetime or None,
        ),
    )


def item_keys(keys: ItemKeys) -> Invocation:
    bucketed = (keys.bucket.partition(":")[0],) if keys.bucket else ()
    return invoke(
        "ItemKeys",
        **kept(index=keys.index),
        needs=(*keys.partition, *keys.lead, *bucketed),
        fields=templates((*keys.pk, *keys.sk)),
        **kept(shards=keys.shards if keys.shards > 1 else None, bucket=keys.bucket, when=dict(keys.when)),
    )


def hidden_fields(design: Design) -> list[str]:
    found: dict[str, None] = {}
    for item in design.items:
        found |= dict.fromkeys(each.field for keys in item.keys if not keys.native for each in (*keys.pk, *keys.sk))
        found |= dict.fromkeys(item.fixed)
        found |= dict.fromkeys([item.inside] if item.inside else [])
        found |= dict.fromkeys([item.ttl_attribute] if item.ttl_attribute else [])
    return list(found)


def places(design: Design) -> dict[str, Invocation]:
    found: dict[str, Invocation] = {}
    for table in design.tables:
        own = (table.pk.name, table.sk.name)
        found[table.name] = invoke("Place", sort=(table.sk.name,), all=own)
        for index in (*table.gsis, *table.lsis):
            names = [each.name for each in (*index.pk, *index.sk)]
            sort = tuple(each.name for each in index.sk)
            found[f"{table.name}/{index.name}"] = invoke("Place", sort=sort, all=tuple(dict.fromkeys((*own, *names))))
    return found
