"""From a declared access pattern to the schema's: names, templates, fields and their checks."""

from __future__ import annotations

import copy
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from tablewright.errors import SchemaError
from tablewright.runtime.declare.access import TABLE, Pattern, PatternOptions
from tablewright.runtime.declare.queues import queue_of
from tablewright.runtime.declare.spread import spread_of
from tablewright.schema.model import AccessPattern, KeySide

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tablewright.runtime.declare.attr import Slot

NOTHING: Mapping[str, str] = MappingProxyType({})
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def to_schema(
    pattern: Pattern[Any], key: Pattern[Any], slots: Mapping[str, Slot], table_fields: tuple[str, str], where: str
) -> AccessPattern:
    """The access pattern as the schema knows it; `key` is the entity's own."""
    signature, options = pattern.signature, pattern.options
    fields = options.fields or table_fields
    spread = spread_of(pattern, key, slots, where)
    of_pk, of_sk = by_side(pattern)
    pk = to_side(fields[0], signature.pk, options.pk, of_pk, slots, where, spread.added)
    sk = to_side(fields[-1], signature.sk, options.sk, of_sk, slots, where) if options.sort else None
    if not options.sort and signature.sk:
        raise SchemaError(f"{where} has sort composites, but sort=False; drop one of them", code=1009)
    depends = options.depends_on
    if options.condition is not None and depends is None:
        remedy = 'list the attributes it reads, such as depends_on=("status",)'
        raise SchemaError(f"{where} has a condition that does not say what it depends on; {remedy}", code=1009)
    projection = options.projection
    return AccessPattern(
        name=signature.name,
        index=options.index,
        pk=pk,
        sk=sk,
        collection=options.collection,
        kind=options.kind,
        scope=options.scope,
        condition=options.condition,
        depends_on=None if depends is None else tuple(schema_name(name, slots, where) for name in depends),
        projection=projection if isinstance(projection, str) else tuple(schema_names(projection, slots)),
        across_tenants=options.across_tenants,
        shards=spread.shards,
        bucket=spread.bucket,
        queue=None if options.queue is None else queue_of(pattern, slots, where),
        doc=signature.doc,
    )


def by_side(pattern: Pattern[Any]) -> tuple[Pattern[Any], Pattern[Any]]:
    """The pattern as its partition key and as its sort key see it: each with its own letter case."""
    casings = pattern.options.casings
    if casings is None:
        return pattern, pattern
    pair = copy.copy(pattern), copy.copy(pattern)
    for each, own in zip(pair, casings, strict=True):
        each.options = msgspec.structs.replace(pattern.options, casing=own)
    return pair


def to_side(
    field: str,
    names: tuple[str, ...],
    template: str | None,
    pattern: Pattern[Any],
    slots: Mapping[str, Slot],
    where: str,
    added: Mapping[str, str] = NOTHING,
) -> KeySide:
    """`added` are attributes that stand behind those of the signature, or in the template."""
    options = pattern.options
    composite = (*(schema_name(name, slots, where) for name in names), *added.values())
    if options.kind == "composite":
        return KeySide(field="", composite=composite)
    cast_to: Literal["string", "number"] | None = next(
        (options.cast[name] for name in names if name in options.cast), None
    )
    if template is None:
        return KeySide(field=field, composite=composite, casing=options.casing or "default", cast=cast_to)
    named = PLACEHOLDER.findall(template)
    if tuple(name for name in named if name not in added) != names or not set(added) <= set(named):
        names = (*names, *added)
        listed = ", ".join(names) or "none"
        raise SchemaError(
            f"{where}: the template {template!r} names {named}, the signature {listed}; let them agree", code=1017
        )
    stored = {name: added.get(name) or schema_name(name, slots, where) for name in named}
    text = PLACEHOLDER.sub(lambda found: "${" + stored[found[1]] + "}", template)
    composite = tuple(stored[name] for name in named)
    return KeySide(field=field, composite=composite, template=text, casing=options.casing or "none", cast=cast_to)


def schema_name(name: str, slots: Mapping[str, Slot], where: str) -> str:
    slot = slots.get(name)
    if slot is None:
        import difflib

        near = difflib.get_close_matches(name, slots, 1)
        hint = f"did you mean {near[0]}?" if near else f"attributes: {', '.join(slots)}"
        raise SchemaError(f"{where}: {name} is no attribute; {hint}", code=1003)
    return slot.name


def schema_names(names: Sequence[str], slots: Mapping[str, Slot]) -> list[str]:
    """Attribute names for a projection, in which stored identifier fields may stand as well."""
    return [slots[name].name if name in slots else name for name in names]


def check_view(view: Pattern[Any], key: Pattern[Any], where: str) -> None:
    """A query on the table's own key adds nothing to it: the same composites, or fewer of the sort key."""
    if view.options != PatternOptions(index=TABLE):
        raise SchemaError(
            f'{where}: the options of index("table") stand with @tw.primary; leave them out here', code=1009
        )
    same_sort = key.signature.sk[: len(view.signature.sk)] == view.signature.sk
    if view.signature.pk != key.signature.pk or not same_sort:
        wanted = f"({', '.join(key.signature.pk)}; {', '.join(key.signature.sk)})"
        raise SchemaError(
            f"{where} queries the table's own key, whose composites are {wanted}; let them agree", code=1024
        )
