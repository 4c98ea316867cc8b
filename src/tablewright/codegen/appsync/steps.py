"""Steps of a design as values for `support.js`: templates in parts, expressions rendered, nothing left to parse."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from tablewright.design.conditions import join
from tablewright.design.templates import BUCKET, SHARD, Template
from tablewright.expr.nodes import Slot
from tablewright.expr.render import Placeholders, render_condition

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tablewright.design.amounts import Amount
    from tablewright.design.buckets import Bucket
    from tablewright.design.conditions import Predicate
    from tablewright.design.model import Design, ItemKeys, ItemType, PatternDesign, ReadStep, WriteStep

Values = dict[str, Any]
_SECONDS_PER_DAY = 86_400


def _parts(template: Template | None) -> list[Any]:
    return [{"name": part.name} if isinstance(part, Slot) else part for part in template.parts] if template else []


def _bucket(bucket: Bucket | None) -> Values | None:
    return {"attribute": bucket.attribute, "length": bucket.length} if bucket else None


def _source(value: Any) -> Values:
    return {"name": value.name} if isinstance(value, Slot) else {"value": value}


class _Numbered(Placeholders):
    """`#n0` and `:v0`, which `support.js` counts on where it adds names and values of its own."""

    __slots__ = ()
    is_plain = False

    def name(self, parts: Sequence[str | int]) -> str:
        marks = {name: mark for mark, name in self.names.items()}
        for part in map(str, parts):
            self.names[marks.setdefault(part, f"#n{len(marks)}")] = part
        return ".".join(marks[str(part)] for part in parts)

    def value(self, value: Any, hint: str = "") -> str:
        del hint
        mark = f":v{len(self.values)}"
        self.values[mark] = _source(value)
        return mark


def _expression(condition: Predicate | None) -> Values | None:
    """Its text, and what the placeholders in it stand for."""
    if condition is None:
        return None
    used = _Numbered()
    return {"text": render_condition(condition.tree, used), "names": used.names, "values": used.values}


# ---- reads ----------------------------------------------------------------------------------------------------------


def read_values(step: ReadStep) -> Values:
    pk = {each.field: _parts(each.template) for each in step.pk}
    found: Values = {"operation": step.operation, "table": step.table, "consistent": step.consistent}
    found["bucket"] = _bucket(step.bucket)
    if step.operation != "Query":
        return {**found, "key": pk | {each.field: _parts(each.low) for each in step.sk}}
    return {
        **found,
        "index": step.index or "",
        "pk": pk,
        "sk": [
            {"field": each.field, "operator": each.operator, "low": _parts(each.low), "high": _parts(each.high)}
            for each in step.sk
        ],
        "filter": _expression(join(*step.filters)),
        "backwards": step.backwards,
        "limit": step.limit,
    }


def requests_of(step: ReadStep) -> list[dict[str, str]]:
    """What each request of a step adds to the arguments: one for every shard and every value gone through."""
    if step.operation != "Query":
        return [{}]
    shards: list[dict[str, str]] = [{SHARD: str(number)} for number in range(step.shards)] if step.shards > 1 else [{}]
    chosen = [dict(zip(step.for_each, values, strict=True)) for values in product(*step.for_each.values())]
    return [{**values, **shard} for values in chosen for shard in shards]


# ---- writes ---------------------------------------------------------------------------------------------------------


def write_values(design: Design, pattern: PatternDesign, step: WriteStep) -> Values:
    item = design.item(step.item)
    return {
        "operation": step.operation,
        "table": step.table,
        "key": {each.field: _parts(each.template) for each in step.key},
        "bucket": _bucket(item.table_keys.bucket),
        "given": [
            {"name": each.name, "attribute": each.attribute or each.name}
            for each in pattern.parameters
            if each.entity in (None, item.entity)
        ],
        "all": step.all_attributes,
        "attributes": [each.name for each in item.attributes],
        "fixed": dict(item.fixed),
        "expires": _expiry(item),
        "places": [_place(each) for each in item.keys if not each.native],
        "set": {path.name: _parts(template) for path, template in step.set.items()},
        "add": {name: _terms(amount) for name, amount in step.add.items()},
        "remove": [path.name for path in step.remove],
        "condition": _expression(step.condition),
        "unchanged": list(step.unchanged),
        "unlessSame": list(step.unless_same),
    }


def _expiry(item: ItemType) -> Values | None:
    if item.ttl_attribute is None or item.ttl_days is None:
        return None
    return {"attribute": item.ttl_attribute, "seconds": round(item.ttl_days * _SECONDS_PER_DAY)}


def _place(keys: ItemKeys) -> Values:
    return {
        "needs": list(keys.leading) if keys.index is not None else [],
        "bucket": _bucket(keys.bucket),
        "fields": {each.field: _parts(each.template) for each in (*keys.pk, *keys.sk)},
    }


def _terms(amount: Amount) -> list[Values]:
    return [{**_source(each.value), "minus": each.sign < 0} for each in amount.terms]


# ---- what cannot be said --------------------------------------------------------------------------------------------


def inexpressible(design: Design, pattern: PatternDesign) -> str | None:
    """Why a pattern has no resolver, if it has none."""
    return next(iter((*_read_hindrances(pattern), *_write_hindrances(design, pattern))), None)


def _read_hindrances(pattern: PatternDesign) -> Iterator[str]:
    for step in pattern.reads:
        if BUCKET in step.for_each:
            yield "it asks a number of buckets that only the caller knows"
        if step.operation != "Query" and step.shards > 1:
            yield "its shard is a checksum, which AppSync's runtime cannot make"
        if step.keys_from is not None and step.operation != "BatchGetItem":
            yield "it asks once for every item of an earlier answer"
        if step.unfold is not None:
            yield "its answer lies inside other items"
        if step.filters and step.operation != "Query":
            yield "it sifts items after it got them"
        if step.joins and step.keys_from is not None:
            yield "it completes several items from others"


def _write_hindrances(design: Design, pattern: PatternDesign) -> Iterator[str]:
    for step in pattern.writes:
        item = design.item(step.item)
        if step.each:
            yield f"it writes one item for every element of {step.each}"
        if any(keys.shards > 1 for keys in item.keys):
            yield "its shard is a checksum, which AppSync's runtime cannot make"
        if any(len(path.parts) > 1 for path in (*step.set, *step.remove)) or _holds_item(step):
            yield "it writes an entry of a map inside another item"
    if len(pattern.writes) > 1 and not pattern.transaction:
        yield "it sends several writes that are no transaction"


def _holds_item(step: WriteStep) -> bool:
    """Whether an attribute is set to a whole item."""
    return any(template.only_name == "*" for template in step.set.values())
