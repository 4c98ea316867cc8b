"""From a declared access pattern to the schema's: names, templates, fields and their checks."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from tablewright.errors import SchemaError
from tablewright.runtime.declare.access import TABLE, Pattern, PatternOptions
from tablewright.runtime.declare.queues import queue_of
from tablewright.runtime.declare.sharding import spread_of
from tablewright.schema.model import AccessPattern, KeySide

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tablewright.runtime.declare.attr import Slot, Slots
    from tablewright.schema.model import Casing
    from tablewright.schema.types import Attribute

NOTHING: Mapping[str, str] = MappingProxyType({})
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def to_schema(
    pattern: Pattern[Any],
    key: Pattern[Any],
    slots: Slots,
    table_fields: tuple[str, str],
    where: str,
    casing: Casing = "none",
) -> AccessPattern:
    """The access pattern as the schema knows it; `key` is the entity's own, `casing` that of its service."""
    signature, options = pattern.signature, pattern.options
    casing = options.casing or casing
    fields = options.fields or table_fields
    spread = spread_of(pattern, key, slots, where)
    of_pk, of_sk = options.casings or (casing, casing)
    pk = _to_side(fields[0], signature.pk, options.pk, pattern, slots, where, of_pk, spread.added)
    sort = _sort_names(pattern, where)
    sk = _to_side(fields[-1], sort, options.sk, pattern, slots, where, of_sk) if options.sort else None
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
        depends_on=None if depends is None else tuple(_schema_name(name, slots, where) for name in depends),
        projection=projection if isinstance(projection, str) else tuple(_schema_names(projection, slots)),
        across_tenants=options.across_tenants,
        shards=spread.shards,
        bucket=spread.bucket,
        queue=None if options.queue is None else queue_of(pattern, slots, where),
        doc=signature.doc,
    )


def _sort_names(pattern: Pattern[Any], where: str) -> tuple[str, ...]:
    """The sort composites: those behind `*`, or what `sort=` or the template repeats of the partition key."""
    signature, options = pattern.signature, pattern.options
    if options.sort is False or isinstance(options.sort, str):
        if signature.sk:
            problem = f"has sort composites, but sort={options.sort!r}"
            raise SchemaError(f"{where} {problem}; drop one of them", code=1009 if options.sort is False else 1015)
        repeated: tuple[str, ...] = (options.sort,) if options.sort else ()
        if repeated and options.sort not in signature.pk:
            remedy = f"name one of ({', '.join(signature.pk)}), or put it behind * in the signature"
            raise SchemaError(f"{where}: sort={options.sort!r} is not in the partition key; {remedy}", code=1009)
        return repeated
    named = tuple(PLACEHOLDER.findall(options.sk or ""))
    refuse_repeated(where, options.sk, signature.pk, signature.sk)
    return named if named and not signature.sk and {*named} <= {*signature.pk} else signature.sk


def refuse_repeated(where: str, template: str | None, pk: Sequence[str], sk: Sequence[str]) -> None:
    """A sort key's template with attributes of the partition key beside its own composites."""
    named = PLACEHOLDER.findall(template or "")
    repeated = [name for name in dict.fromkeys(named) if name in pk]
    if repeated and sk:
        braces = " and ".join(f"{{{name}}}" for name in repeated)
        problem = f"the sort key {template!r} repeats {', '.join(repeated)} of the partition key beside {', '.join(sk)}"
        remedy = f"leave {braces} out of it; only a sort key of that one alone may repeat an attribute"
        raise SchemaError(f"{where}: {problem}; {remedy}", code=1015)


def _to_side(
    field: str,
    names: tuple[str, ...],
    template: str | None,
    pattern: Pattern[Any],
    slots: Mapping[str, Slot],
    where: str,
    casing: Casing,
    added: Mapping[str, str] = NOTHING,
) -> KeySide:
    """`added` are attributes that stand behind those of the signature, or in the template."""
    options = pattern.options
    composite = (*(_schema_name(name, slots, where) for name in names), *added.values())
    if options.kind == "composite":
        return KeySide(field="", composite=composite)
    cast_to: Literal["string", "number"] | None = next(
        (options.cast[name] for name in names if name in options.cast), None
    )
    if template is None:
        return KeySide(field=field, composite=composite, casing=casing, cast=cast_to)
    named = PLACEHOLDER.findall(template)
    if tuple(name for name in named if name not in added) != names or not set(added) <= set(named):
        names = (*names, *added)
        listed = ", ".join(names) or "none"
        raise SchemaError(
            f"{where}: the template {template!r} names {named}, the signature {listed}; let them agree", code=1017
        )
    stored = {name: added.get(name) or _schema_name(name, slots, where) for name in named}
    text = PLACEHOLDER.sub(lambda found: "${" + stored[found[1]] + "}", template)
    composite = tuple(stored[name] for name in named)
    return KeySide(field=field, composite=composite, template=text, casing=casing, cast=cast_to)


def _schema_name(name: str, slots: Mapping[str, Slot], where: str) -> str:
    slot = slots.get(name)
    if slot is None:
        import difflib

        near = difflib.get_close_matches(name, slots, 1)
        hint = f"did you mean {near[0]}?" if near else f"attributes: {', '.join(slots)}"
        raise SchemaError(f"{where}: {name} is no attribute; {hint}", code=1003)
    return slot.name


def _schema_names(names: Sequence[str], slots: Mapping[str, Slot]) -> list[str]:
    """Attribute names for a projection, in which stored identifier fields may stand as well."""
    return [slots[name].name if name in slots else name for name in names]


def with_added_names(pattern: AccessPattern, added: Sequence[Attribute], slots: Slots) -> AccessPattern:
    """The pattern, whose projection may name what features add as Python would: `deleted_at` for `deletedAt`."""
    if isinstance(pattern.projection, str):
        return pattern
    stored = {each.name for each in added}
    # Other names stay as they are: a stored identifier, the schema's own name, or what the checks will refuse.
    named = (slots.rename(name) for name in pattern.projection)
    projection = tuple(new if new in stored else name for name, new in zip(pattern.projection, named, strict=True))
    return msgspec.structs.replace(pattern, projection=projection)


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
