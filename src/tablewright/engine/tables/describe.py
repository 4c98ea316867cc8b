"""What a table looks like from outside: DynamoDB's TableDescription."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import no_such_resource
from tablewright.wire.limits import ON_DEMAND_INITIAL_RCU, ON_DEMAND_INITIAL_WCU

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.engine import Engine
    from tablewright.engine.table import Index, Keys, Table, Throughput

ACCOUNT = "000000000000"


def describe_table(engine: Engine, params: dict[str, Any]) -> dict[str, Any]:
    with engine.storage.reading():
        return {"Table": description(engine, known_table(engine, params["TableName"]))}


def list_tables(engine: Engine, params: dict[str, Any]) -> dict[str, Any]:
    limit, start = params.get("Limit", 100), params.get("ExclusiveStartTableName", "")
    with engine.storage.reading():
        names = sorted(name for name in engine.storage.tables if name > start)
    reply: dict[str, Any] = {"TableNames": names[:limit]}
    return {**reply, "LastEvaluatedTableName": names[limit - 1]} if len(names) > limit else reply


def known_table(engine: Engine, name: str) -> Table:
    """The table of this name or ARN; the error names it, as the control plane's do."""
    plain = name.rpartition("table/")[2] if name.startswith("arn:") else name
    found = engine.storage.tables.get(plain)
    if found is None:
        raise no_such_resource(f"Requested resource not found: Table: {plain} not found")
    return found


def table_arn(engine: Engine, name: str) -> str:
    return f"arn:aws:dynamodb:{engine.region}:{ACCOUNT}:table/{name}"


def description(engine: Engine, table: Table, status: str = "ACTIVE") -> dict[str, Any]:
    """The whole TableDescription, with `status` for the table (its indexes are as ready as it is)."""
    count, size = engine.storage.connection.execute(
        f"select count(*), coalesce(sum(size), 0) from t{table.id}"
    ).fetchone()
    arn = table_arn(engine, table.name)
    told: dict[str, Any] = {
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in table.types.items()],
        "TableName": table.name,
        "KeySchema": key_schema(table.keys),
        "TableStatus": status,
        "CreationDateTime": table.created,
        "ProvisionedThroughput": throughput(table.throughput, table.settings),
        "TableSizeBytes": size,
        "ItemCount": count,
        "TableArn": arn,
        "TableId": table.uuid,
        **billing(table),
        **indexes(engine, table, arn, status),
        **stream(table, arn),
        **table_settings(table),
    }
    return told


def key_schema(keys: Keys) -> list[dict[str, str]]:
    parts = [(name, "HASH") for name in keys.pk] + [(name, "RANGE") for name in keys.sk]
    return [{"AttributeName": name, "KeyType": kind} for name, kind in parts]


def throughput(units: Throughput | None, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Provisioned units with the dates and number of their changes."""
    return {
        **settings.get("Changes", {}),
        "NumberOfDecreasesToday": settings.get("Decreases", 0),
        "ReadCapacityUnits": units.read if units else 0,
        "WriteCapacityUnits": units.write if units else 0,
    }


def billing(table: Table) -> dict[str, Any]:
    """Only told once a table is or was on demand, as the service does."""
    since = table.settings.get("OnDemandSince")
    if table.billing == "PROVISIONED" and since is None:
        return {}
    summary: dict[str, Any] = {"BillingMode": table.billing}
    return {"BillingModeSummary": summary if since is None else {**summary, "LastUpdateToPayPerRequestDateTime": since}}


def indexes(engine: Engine, table: Table, arn: str, status: str) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for index in table.indexes:
        kind = "GlobalSecondaryIndexes" if index.kind == "gsi" else "LocalSecondaryIndexes"
        told.setdefault(kind, []).append(index_description(engine, table, index, arn, status))
    return told


def index_description(engine: Engine, table: Table, index: Index, arn: str, status: str) -> dict[str, Any]:
    count, size = engine.storage.connection.execute(
        f"select count(*), coalesce(sum(size), 0) from t{table.id}_{index.slot}"
    ).fetchone()
    told: dict[str, Any] = {
        "IndexName": index.name,
        "KeySchema": key_schema(index.keys),
        "Projection": projection(index),
        "IndexSizeBytes": size,
        "ItemCount": count,
        "IndexArn": f"{arn}/index/{index.name}",
    }
    if index.kind == "lsi":
        return told
    given = {name: index.settings[name] for name in ("OnDemandThroughput",) if name in index.settings}
    return {
        **told,
        "IndexStatus": "ACTIVE" if status == "ACTIVE" else status,
        "ProvisionedThroughput": throughput(index.throughput, index.settings),
        "WarmThroughput": warm(table, index.throughput, index.settings),
        **given,
    }


def projection(index: Index) -> dict[str, Any]:
    told: dict[str, Any] = {"ProjectionType": index.projection}
    return {**told, "NonKeyAttributes": list(index.included)} if index.included else told


def warm(table: Table, units: Throughput | None, settings: Mapping[str, Any]) -> dict[str, Any]:
    """What is served at once: as asked for, or what the capacity mode starts with."""
    on_demand = table.billing == "PAY_PER_REQUEST"
    asked = settings.get("WarmThroughput", {})
    read = ON_DEMAND_INITIAL_RCU if on_demand or units is None else units.read
    write = ON_DEMAND_INITIAL_WCU if on_demand or units is None else units.write
    return {
        "ReadUnitsPerSecond": max(read, asked.get("ReadUnitsPerSecond", 0)),
        "WriteUnitsPerSecond": max(write, asked.get("WriteUnitsPerSecond", 0)),
        "Status": "ACTIVE",
    }


def stream(table: Table, arn: str) -> dict[str, Any]:
    """The stream's settings while it is enabled, and the last stream's name for good."""
    told: dict[str, Any] = {}
    if table.stream is not None:
        told["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": table.stream["StreamViewType"]}
    label = table.settings.get("LatestStreamLabel")
    if label is not None:
        told |= {"LatestStreamLabel": label, "LatestStreamArn": f"{arn}/stream/{label}"}
    return told


def table_settings(table: Table) -> dict[str, Any]:
    settings = table.settings
    told: dict[str, Any] = {"DeletionProtectionEnabled": settings.get("DeletionProtectionEnabled", False)}
    for name in ("SSEDescription", "TableClassSummary", "OnDemandThroughput"):
        if name in settings:
            told[name] = settings[name]
    told["WarmThroughput"] = warm(table, table.throughput, settings)
    return told
