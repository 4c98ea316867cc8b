"""CreateTable and DeleteTable."""

from __future__ import annotations

import uuid
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import in_use, validation
from tablewright.engine.table import Index, Keys, Table, Throughput
from tablewright.engine.tables.describe import description, known_table

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine

Params = dict[str, Any]


def create_table(engine: Engine, params: Params) -> Params:
    with engine.storage.writing():
        name = params["TableName"]
        if name in engine.storage.tables:
            raise in_use(f"Table already exists: {name}")
        table = engine.storage.add_table(new_table(params, engine.clock()))
        return {"TableDescription": description(engine, table, "CREATING")}


def delete_table(engine: Engine, params: Params) -> Params:
    with engine.storage.writing():
        table = known_table(engine, params["TableName"])
        if table.settings.get("DeletionProtectionEnabled"):
            raise validation(
                "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first."
            )
        told = description(engine, table, "DELETING")
        engine.storage.drop_table(table)
        return {"TableDescription": told}


def new_table(params: Params, now: float) -> Table:
    """The table a checked request describes."""
    indexes = [
        new_index(asked, kind, slot)
        for slot, (kind, asked) in enumerate(
            [("lsi", each) for each in params.get("LocalSecondaryIndexes", [])]
            + [("gsi", each) for each in params.get("GlobalSecondaryIndexes", [])]
        )
    ]
    spec = params.get("StreamSpecification", {})
    stream = new_stream(spec["StreamViewType"], now) if spec.get("StreamEnabled") else None
    return Table(
        id=0,
        name=params["TableName"],
        uuid=str(uuid.uuid4()),
        created=round(now, 3),
        types={each["AttributeName"]: each["AttributeType"] for each in params["AttributeDefinitions"]},
        keys=read_keys(params["KeySchema"]),
        indexes=tuple(indexes),
        billing=params.get("BillingMode", "PROVISIONED"),
        throughput=read_throughput(params) or Throughput(),
        stream=stream,
        tags={each["Key"]: each["Value"] for each in params.get("Tags", [])},
        settings=new_settings(params, now, stream),
        next_slot=len(indexes),
    )


def new_index(asked: Params, kind: Any, slot: int) -> Index:
    return Index(
        name=asked["IndexName"],
        slot=slot,
        kind=kind,
        keys=read_keys(asked["KeySchema"]),
        projection=asked["Projection"]["ProjectionType"],
        included=tuple(asked["Projection"].get("NonKeyAttributes", ())),
        throughput=read_throughput(asked),
        settings={name: asked[name] for name in ("WarmThroughput", "OnDemandThroughput") if name in asked},
    )


def new_stream(view_type: str, now: float) -> Params:
    """A stream begins with its label: the moment it was switched on."""
    at = datetime.fromtimestamp(now, timezone.utc)
    return {"StreamViewType": view_type, "label": at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}"}


def new_settings(params: Params, now: float, stream: Params | None) -> Params:
    settings: Params = {
        name: params[name]
        for name in ("DeletionProtectionEnabled", "WarmThroughput", "OnDemandThroughput")
        if name in params
    }
    if params.get("BillingMode") == "PAY_PER_REQUEST":
        settings["OnDemandSince"] = round(now, 3)
    if stream is not None:
        settings["LatestStreamLabel"] = stream["label"]
    if "TableClass" in params:
        settings["TableClassSummary"] = {"TableClass": params["TableClass"]}
    return settings


def read_keys(schema: list[Params]) -> Keys:
    names = {kind: tuple(each["AttributeName"] for each in schema if each["KeyType"] == kind) for kind in ("HASH", "RANGE")}
    return Keys(names["HASH"], names["RANGE"])


def read_throughput(asked: Params) -> Throughput | None:
    units = asked.get("ProvisionedThroughput")
    return None if units is None else Throughput(units["ReadCapacityUnits"], units["WriteCapacityUnits"])
