"""A client that knows a design and nothing else: writes items by its key templates, reads by its request templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.design.encoding import key_text
from tablewright.architect.design.naming import SHARD, TYPE_FIELD, Names, View, shard_of
from tablewright.wire.values import marshal, marshal_item, unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.architect.design.requests import Filter, Request
    from tablewright.architect.spec.model import EntitySpec
    from tablewright.engine import Engine

Item = dict[str, Any]
COMPARISONS = {
    "=": "{name} = {0}",
    "gt": "{name} > {0}",
    "gte": "{name} >= {0}",
    "lt": "{name} < {0}",
    "lte": "{name} <= {0}",
    "between": "{name} BETWEEN {0} AND {1}",
    "begins_with": "begins_with({name}, {0})",
}


class Answer(msgspec.Struct, frozen=True):
    """What a request gave: items in order, and the read units it took."""

    items: list[Item]
    units: float


def stored_items(item: Item, entity: EntitySpec, names: Names) -> list[Item]:
    """The items an entity's item becomes: itself with all its index keys, and its copies."""
    own: Item = {**item, TYPE_FIELD: entity.name}
    copies: list[Item] = []
    for view in names.keys:
        if view.entity != entity.name or not has_partition(view, item):
            continue
        if view.is_copy:
            copies.append({**item, TYPE_FIELD: entity.name, **key_values(view, item, entity, names)})
        else:
            own.update(key_values(view, item, entity, names))
    return [own, *copies]


def key_values(view: View, item: Item, entity: EntitySpec, names: Names) -> dict[str, str]:
    texts = {name: key_text(value) for name, value in item.items()}
    texts[SHARD] = shard_of((texts[name] for name in entity.id), names.shards[view])
    keys = names.keys[view]
    return {keys.pk.field: keys.pk.fill(texts), keys.sk.field: keys.sk.fill(texts)}


def has_partition(view: View, item: Item) -> bool:
    """An item without a partition or lead attribute is not in that index."""
    return view.slot is None or all(name in item for name in (*view.shape.partition, *view.shape.lead))


def run(engine: Engine, table: str, request: Request, inputs: Mapping[str, Any]) -> Answer:
    texts = {name: key_text(value) for name, value in inputs.items()}
    if request.operation == "GetItem" and request.shards > 1:
        texts[SHARD] = shard_of((texts[name] for name in request.id), request.shards)
    if request.operation == "GetItem":
        return get(engine, table, request, texts, inputs)
    return query(engine, table, request, texts, inputs)


def filled(template: str, texts: Mapping[str, str]) -> str:
    for name, text in texts.items():
        template = template.replace(f"{{{name}}}", text)
    return template


def get(engine: Engine, table: str, request: Request, texts: Mapping[str, str], inputs: Mapping[str, Any]) -> Answer:
    assert request.sk is not None
    key = {request.pk_field: filled(request.pk, texts), request.sk_field: filled(request.sk.low, texts)}
    reply = engine.call(
        "GetItem",
        {
            "TableName": table,
            "Key": marshal_item(key),
            "ConsistentRead": request.consistent,
            "ReturnConsumedCapacity": "TOTAL",
        },
    )
    found = [unmarshal_item(reply["Item"])] if "Item" in reply else []
    kept = [
        item
        for item in found
        if all(item.get(each.attribute) == inputs.get(each.attribute) for each in request.filters)
    ]
    return Answer(kept, reply["ConsumedCapacity"]["CapacityUnits"])


def query(engine: Engine, table: str, request: Request, texts: Mapping[str, str], inputs: Mapping[str, Any]) -> Answer:
    """All shards, merged in the order of the sort key."""
    answers = [
        query_shard(engine, table, request, {**texts, SHARD: str(shard)}, inputs) for shard in range(request.shards)
    ]
    items = [item for each in answers for item in each.items]
    if request.shards > 1:
        items.sort(key=lambda item: item[request.sk_field], reverse=request.backwards)
    return Answer(items[: request.limit], sum(each.units for each in answers))


def query_shard(
    engine: Engine, table: str, request: Request, texts: Mapping[str, str], inputs: Mapping[str, Any]
) -> Answer:
    params = query_params(table, request, texts, inputs)
    items: list[Item] = []
    units = 0.0
    while True:
        reply = engine.call("Query", params)
        items += [unmarshal_item(each) for each in reply["Items"]]
        units += reply["ConsumedCapacity"]["CapacityUnits"]
        if "LastEvaluatedKey" not in reply or (request.limit is not None and len(items) >= request.limit):
            return Answer(items[: request.limit], units)
        params = {**params, "ExclusiveStartKey": reply["LastEvaluatedKey"]}


def query_params(table: str, request: Request, texts: Mapping[str, str], inputs: Mapping[str, Any]) -> dict[str, Any]:
    names = {"#pk": request.pk_field}
    values: dict[str, Any] = {":pk": marshal(filled(request.pk, texts))}
    condition = "#pk = :pk"
    if request.sk is not None:
        names["#sk"] = request.sk_field
        values[":low"] = marshal(filled(request.sk.low, texts))
        if request.sk.operator == "between":
            values[":high"] = marshal(filled(request.sk.high, texts))
        condition += {"=": " AND #sk = :low", "begins_with": " AND begins_with(#sk, :low)"}.get(
            request.sk.operator, " AND #sk BETWEEN :low AND :high"
        )
    params: dict[str, Any] = {
        "TableName": table,
        "KeyConditionExpression": condition,
        "ScanIndexForward": not request.backwards,
        "ConsistentRead": request.consistent,
        "ReturnConsumedCapacity": "TOTAL",
    }
    if request.index is not None:
        params["IndexName"] = request.index
    if request.limit is not None and not request.filters:
        params["Limit"] = request.limit
    if request.filters:
        params["FilterExpression"] = filter_text(request.filters, names, values, inputs)
    return {**params, "ExpressionAttributeNames": names, "ExpressionAttributeValues": values}


def filter_text(
    filters: tuple[Filter, ...], names: dict[str, str], values: dict[str, Any], inputs: Mapping[str, Any]
) -> str:
    texts: list[str] = []
    for at, each in enumerate(filters):
        names[f"#f{at}"] = each.attribute
        marks: list[str] = []
        for value in each.values:
            mark = f":f{len(values)}"
            name = value[1:-1] if value.startswith("{") else None
            values[mark] = marshal(inputs[name] if name is not None else value)
            marks.append(mark)
        if each.operator == "in":
            texts.append(f"#f{at} IN ({', '.join(marks)})")
        else:
            texts.append(COMPARISONS[each.operator].format(*marks, name=f"#f{at}"))
    return " AND ".join(texts)
