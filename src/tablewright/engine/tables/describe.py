"""What a table looks like from outside: DynamoDB's TableDescription."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.tables.options import ACCOUNT, warm_units
from tablewright.engine.tables.status import is_gone, known_table, pending, plain_name
from tablewright.engine.tables.totals import index_totals, keep_totals, table_totals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.table import Index, Keys, Table, Throughput


DAY = 86_400


def describe_table(engine: EngineContext, params: dict[str, Any]) -> dict[str, Any]:
    keep_totals(engine.storage, plain_name(params["TableName"]))
    with engine.storage.reading():
        return {"Table": _describe_now(engine, known_table(engine, params["TableName"]))}


def list_tables(engine: EngineContext, params: dict[str, Any]) -> dict[str, Any]:
    limit, start = params.get("Limit", 100), params.get("ExclusiveStartTableName", "")
    with engine.storage.reading():
        known = [name for name, table in engine.storage.tables.items() if not is_gone(engine, table)]
    names = sorted(name for name in known if name > start)
    reply: dict[str, Any] = {"TableNames": names[:limit]}
    return {**reply, "LastEvaluatedTableName": names[limit - 1]} if len(names) > limit else reply


def table_arn(engine: EngineContext, name: str) -> str:
    return f"arn:aws:dynamodb:{engine.region}:{ACCOUNT}:table/{name}"


def _describe_now(engine: EngineContext, table: Table) -> dict[str, Any]:
    """The whole TableDescription as DescribeTable gives it."""
    doing = pending(engine, table)
    return describe(engine, table, doing.get("state", "ACTIVE"), doing)


def describe(engine: EngineContext, table: Table, status: str, doing: Mapping[str, Any]) -> dict[str, Any]:
    """The table in a state; `doing` says what to show of the time before a change is done."""
    count, size = table_totals(engine.storage, table)
    arn = table_arn(engine, table.name)
    return {
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in table.types.items()],
        "TableName": table.name,
        "KeySchema": key_schema(table.keys),
        "TableStatus": status,
        "CreationDateTime": table.created,
        "ProvisionedThroughput": doing.get("units", {}).get("") or throughput(engine, table.throughput, table.settings),
        "TableSizeBytes": size,
        "ItemCount": count,
        "TableArn": arn,
        "TableId": table.uuid,
        **_billing(table),
        **_indexes(engine, table, arn, doing),
        **_stream(table, arn),
        **_table_settings(table),
    }


def key_schema(keys: Keys) -> list[dict[str, str]]:
    parts = [(name, "HASH") for name in keys.pk] + [(name, "RANGE") for name in keys.sk]
    return [{"AttributeName": name, "KeyType": kind} for name, kind in parts]


def throughput(engine: EngineContext, units: Throughput | None, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Provisioned units with the dates and number of their changes."""
    today = int(engine.clock() // DAY)
    day, decreases = settings.get("Decreases", (today, 0))
    return {
        **settings.get("Changes", {}),
        "NumberOfDecreasesToday": decreases if day == today else 0,
        "ReadCapacityUnits": units.read if units else 0,
        "WriteCapacityUnits": units.write if units else 0,
    }


def _billing(table: Table) -> dict[str, Any]:
    """Only told once a table is or was on demand, as the service does."""
    since = table.settings.get("OnDemandSince")
    if table.billing == "PROVISIONED" and since is None:
        return {}
    summary: dict[str, Any] = {"BillingMode": table.billing}
    return {"BillingModeSummary": summary if since is None else {**summary, "LastUpdateToPayPerRequestDateTime": since}}


def _indexes(engine: EngineContext, table: Table, arn: str, doing: Mapping[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for index in table.indexes:
        kind = "GlobalSecondaryIndexes" if index.kind == "gsi" else "LocalSecondaryIndexes"
        told.setdefault(kind, []).append(index_description(engine, table, index, arn, doing))
    if "leaving" in doing:
        told.setdefault("GlobalSecondaryIndexes", []).append(doing["leaving"])
    return told


def index_description(
    engine: EngineContext, table: Table, index: Index, arn: str, doing: Mapping[str, Any]
) -> dict[str, Any]:
    count, size = index_totals(engine.storage, table, index)
    told: dict[str, Any] = {
        "IndexName": index.name,
        "KeySchema": key_schema(index.keys),
        "Projection": _projection(index),
        "IndexSizeBytes": size,
        "ItemCount": count,
        "IndexArn": f"{arn}/index/{index.name}",
    }
    return told if index.kind == "lsi" else {**told, **_gsi_description(engine, table, index, doing)}


def _gsi_description(engine: EngineContext, table: Table, index: Index, doing: Mapping[str, Any]) -> dict[str, Any]:
    """What only a global index has: a state and units of its own."""
    status = doing.get("indexes", {}).get(index.name, "CREATING" if doing.get("state") == "CREATING" else "ACTIVE")
    units = doing.get("units", {}).get(index.name) or throughput(engine, index.throughput, index.settings)
    told: dict[str, Any] = {"IndexStatus": status, "ProvisionedThroughput": units}
    if status == "CREATING" and doing.get("state") == "UPDATING":
        told["Backfilling"] = True
    if table.billing == "PAY_PER_REQUEST" or "WarmThroughput" in index.settings:
        told["WarmThroughput"] = _warm(table, index.throughput, index.settings)
    if "OnDemandThroughput" in index.settings:
        told["OnDemandThroughput"] = index.settings["OnDemandThroughput"]
    return told


def _projection(index: Index) -> dict[str, Any]:
    told: dict[str, Any] = {"ProjectionType": index.projection}
    return {**told, "NonKeyAttributes": list(index.included)} if index.included else told


def _warm(table: Table, units: Throughput | None, settings: Mapping[str, Any]) -> dict[str, Any]:
    return {**warm_units(table.billing == "PAY_PER_REQUEST", units, settings), "Status": "ACTIVE"}


def _stream(table: Table, arn: str) -> dict[str, Any]:
    """The stream's settings while it is enabled, and the last stream's name for good."""
    told: dict[str, Any] = {}
    if table.stream is not None:
        told["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": table.stream["StreamViewType"]}
    label = table.settings.get("LatestStreamLabel")
    if label is not None:
        told |= {"LatestStreamLabel": label, "LatestStreamArn": f"{arn}/stream/{label}"}
    return told


def _table_settings(table: Table) -> dict[str, Any]:
    settings = table.settings
    told: dict[str, Any] = {"DeletionProtectionEnabled": settings.get("DeletionProtectionEnabled", False)}
    for name in ("SSEDescription", "TableClassSummary", "OnDemandThroughput"):
        if name in settings:
            told[name] = settings[name]
    told["WarmThroughput"] = _warm(table, table.throughput, settings)
    return told
