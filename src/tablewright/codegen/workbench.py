"""The design as a model of NoSQL Workbench: tables, indexes, one facet for every item type, sample items."""

from __future__ import annotations

import json
from base64 import b64decode
from typing import TYPE_CHECKING, Any, cast

from tablewright.codegen.names import physical_name
from tablewright.wire.values import marshal_item

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.model import Design, Index, ItemType, KeyField, TableDesign

Json = dict[str, Any]
MODEL_VERSION = "3.0"
TYPES = {
    "string": "S",
    "timestamp": "S",
    "number": "N",
    "boolean": "BOOL",
    "binary": "B",
    "map": "M",
    "list": "L",
    "set": "SS",
    "any": "S",
}


def workbench(design: Design) -> dict[str, str]:
    """No dates are written: the same design gives the same file."""
    model = {
        "ModelName": design.title or design.name,
        "ModelMetadata": {
            "Author": "Tablewright",
            "DateCreated": "",
            "DateLastModified": "",
            "Description": f"Single-table design of {design.title or design.name}",
            "AWSService": "Amazon DynamoDB",
            "Version": MODEL_VERSION,
        },
        "DataModel": [_table_model(design, table) for table in design.tables],
    }
    return {f"workbench/{physical_name(design.name)}.json": json.dumps(model, indent=2, ensure_ascii=False) + "\n"}


def _table_model(design: Design, table: TableDesign) -> Json:
    every = [each for each in design.items if each.table == table.name]
    items = [each for each in every if each.kind != "embedded"]
    keys = {field.name for field in _key_fields(table)}
    return {
        "TableName": physical_name(table.name),
        "KeyAttributes": {"PartitionKey": _key(table.pk), "SortKey": _key(table.sk)},
        "NonKeyAttributes": [
            {"AttributeName": name, "AttributeType": kind} for name, kind in _attributes_of(every, keys).items()
        ],
        "TableFacets": [_facet(each) for each in every],
        "GlobalSecondaryIndexes": [_index(each) for each in table.gsis],
        "LocalSecondaryIndexes": [_index(each) for each in table.lsis],
        "TableData": [_sample(each, design) for each in items if each.sample],
        "DataAccess": {"MySql": {}},
        "BillingMode": table.billing_mode,
        **_capacity(table),
    }


def _key_fields(table: TableDesign) -> list[KeyField]:
    """The table's own key; the keys of indexes are ordinary attributes to the Workbench."""
    return [table.pk, table.sk]


def _key(field: KeyField) -> Json:
    return {"AttributeName": field.name, "AttributeType": field.type}


def _attributes_of(items: list[ItemType], keys: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in items:
        index_fields = [each.field for own in item.keys for each in (*own.pk, *own.sk)]
        found |= {name: "S" for name in index_fields if name not in keys and name not in found}
        found |= {name: "S" for name in item.fixed if name not in found}
        found |= {
            each.name: TYPES[each.type] for each in item.attributes if each.name not in found | dict.fromkeys(keys)
        }
        if item.kind == "packed":  # an attribute for each sample, named by its time
            found |= {name: "M" for name, value in item.sample.items() if isinstance(value, dict)}
    return found


def _facet(item: ItemType) -> Json:
    own = item.table_keys
    entry = f" > {item.inside}.{{{item.entry}}}" if item.kind == "embedded" else ""
    names = [each.name for each in item.attributes if each.name not in {part.field for part in (*own.pk, *own.sk)}]
    return {
        "FacetName": item.name if item.kind in ("entity", "packed") else f"{item.entity}-{item.kind}-{item.name}",
        "KeyAttributeAlias": {"PartitionKeyAlias": own.pk[0].text, "SortKeyAlias": own.sk[0].text + entry},
        "TableData": [_sample(item)] if item.sample and item.kind != "embedded" else [],
        "NonKeyAttributes": [*item.fixed, *names],
        "DataAccess": {"MySql": {}},
    }


def _sample(item: ItemType, design: Design | None = None) -> Json:
    """As it is stored: sets and binary values too, and with the map of what lies in it."""
    types = {each.name: each.type for each in item.attributes}
    found = {name: _wire_value(value, types.get(name, "any")) for name, value in item.sample.items()}
    inside = [each for each in (design.items if design else ()) if each.kind == "embedded" and each.holder == item.name]
    maps = {each.inside: {str(each.sample[each.entry]): dict(each.sample)} for each in inside if each.sample}
    return marshal_item({**found, **maps})


def _wire_value(value: Any, kind: str) -> Any:
    if kind == "set" and not isinstance(value, str):
        return set(cast("Iterable[Any]", value))
    return b64decode(value) if kind == "binary" and isinstance(value, str) else value


def _index(given: Index) -> Json:
    """The Workbench knows one attribute a key; of a multi-attribute key it is shown the first."""
    attributes: Json = {"PartitionKey": _key(given.pk[0])}
    if given.sk:
        attributes["SortKey"] = _key(given.sk[0])
    projection: Json = {"ProjectionType": given.projection.type}
    if given.projection.attributes:
        projection["NonKeyAttributes"] = list(given.projection.attributes)
    return {"IndexName": given.name, "KeyAttributes": attributes, "Projection": projection}


def _capacity(table: TableDesign) -> Json:
    if table.billing_mode == "PAY_PER_REQUEST" or "table" not in table.provisioned:
        return {}
    units = table.provisioned["table"]
    return {
        "ProvisionedCapacitySettings": {
            "ProvisionedThroughput": {"ReadCapacityUnits": units.min_rcu, "WriteCapacityUnits": units.min_wcu},
            "AutoScalingRead": _scaling(units.min_rcu, units.max_rcu, units.target_utilisation),
            "AutoScalingWrite": _scaling(units.min_wcu, units.max_wcu, units.target_utilisation),
        }
    }


def _scaling(least: int, most: int, utilisation: float) -> Json:
    return {
        "ScalableTargetRequest": {
            "MinCapacity": least,
            "MaxCapacity": most,
            "ServiceRole": "AWSServiceRoleForApplicationAutoScaling_DynamoDBTable",
        },
        "ScalingPolicyRequest": {
            "TargetTrackingScalingPolicyConfiguration": {"TargetValue": round(utilisation * 100)},
        },
    }
