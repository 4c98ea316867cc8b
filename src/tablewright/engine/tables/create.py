"""CreateTable and DeleteTable."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import in_use, validation
from tablewright.engine.store.table import Index, Keys, Table, Throughput
from tablewright.engine.tables.checks import check_new_table, is_on_demand
from tablewright.engine.tables.describe import describe
from tablewright.engine.tables.options import check_options, encryption
from tablewright.engine.tables.status import drop_gone_tables, settled_table, with_pending

if TYPE_CHECKING:
    from tablewright.engine.context import EngineContext

Params = dict[str, Any]
TOLD_OF_THE_DELETED = frozenset(
    "TableName TableStatus ProvisionedThroughput TableSizeBytes ItemCount TableArn TableId BillingModeSummary"
    " LatestStreamLabel LatestStreamArn StreamSpecification DeletionProtectionEnabled".split()
)


def create_table(engine: EngineContext, params: Params) -> Params:
    check_new_table(params)
    check_options(params, on_demand=is_on_demand(params))
    with engine.storage.writing():
        drop_gone_tables(engine)
        name = params["TableName"]
        if name in engine.storage.tables:
            raise in_use(f"Table already exists: {name}")
        table = with_pending(engine, _new_table(engine, params), "CREATING")
        table = engine.storage.add_table(table)
        told = describe(engine, table, "CREATING", {"state": "CREATING"})
    return {"TableDescription": {field: value for field, value in told.items() if _is_worth_telling(field, params)}}


def _is_worth_telling(field: str, params: Params) -> bool:
    """The answer to CreateTable leaves out what was not asked for; DescribeTable tells it."""
    return field not in ("DeletionProtectionEnabled", "WarmThroughput") or field in params


def delete_table(engine: EngineContext, params: Params) -> Params:
    with engine.storage.writing():
        drop_gone_tables(engine)
        table = settled_table(engine, params["TableName"])
        if table.settings.get("DeletionProtectionEnabled"):
            why = "Resource cannot be deleted as it is currently protected against deletion."
            raise validation(f"{why} Disable deletion protection first.")
        told = describe(engine, table, "DELETING", {"state": "DELETING"})
        if engine.table_delay_seconds > 0:
            engine.storage.save_table(with_pending(engine, table, "DELETING"))
        else:
            engine.storage.drop_table(table)
    return {"TableDescription": {field: value for field, value in told.items() if field in TOLD_OF_THE_DELETED}}


def _new_table(engine: EngineContext, params: Params) -> Table:
    """The table a checked request describes."""
    now = engine.clock()
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
        keys=_read_keys(params["KeySchema"]),
        indexes=tuple(indexes),
        billing=params.get("BillingMode", "PROVISIONED"),
        throughput=read_throughput(params) or Throughput(),
        stream=stream,
        tags={each["Key"]: each["Value"] for each in params.get("Tags", [])},
        settings=_new_settings(engine, params, now, stream),
        next_slot=len(indexes),
    )


def new_index(asked: Params, kind: Any, slot: int) -> Index:
    return Index(
        name=asked["IndexName"],
        slot=slot,
        kind=kind,
        keys=_read_keys(asked["KeySchema"]),
        projection=asked["Projection"]["ProjectionType"],
        included=tuple(asked["Projection"].get("NonKeyAttributes", ())),
        throughput=read_throughput(asked),
        settings={name: asked[name] for name in ("WarmThroughput", "OnDemandThroughput") if name in asked},
    )


def new_stream(view_type: str, now: float, last_label: str | None = None) -> Params:
    """A stream begins with its label: the moment it was switched on, unlike that of the stream before."""
    at = datetime.fromtimestamp(now, UTC)
    label = at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}"
    return (
        new_stream(view_type, now + 0.001, last_label)
        if label == last_label
        else {"StreamViewType": view_type, "label": label}
    )


def _new_settings(engine: EngineContext, params: Params, now: float, stream: Params | None) -> Params:
    settings: Params = {
        name: params[name]
        for name in ("DeletionProtectionEnabled", "WarmThroughput", "OnDemandThroughput")
        if name in params
    }
    settings |= encryption(engine, params.get("SSESpecification"))
    if is_on_demand(params):
        settings["OnDemandSince"] = round(now, 3)
    if stream is not None:
        settings["LatestStreamLabel"] = stream["label"]
    if "TableClass" in params:
        settings["TableClassSummary"] = {"TableClass": params["TableClass"]}
    return settings


def _read_keys(schema: list[Params]) -> Keys:
    names = {
        kind: tuple(each["AttributeName"] for each in schema if each["KeyType"] == kind) for kind in ("HASH", "RANGE")
    }
    return Keys(names["HASH"], names["RANGE"])


def read_throughput(asked: Params) -> Throughput | None:
    units = asked.get("ProvisionedThroughput")
    return None if units is None else Throughput(units["ReadCapacityUnits"], units["WriteCapacityUnits"])
