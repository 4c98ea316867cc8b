"""UpdateTable: one kind of change at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tablewright.engine.faults import invalid_parameters, validation
from tablewright.engine.store.table import Throughput
from tablewright.engine.tables.change import Change
from tablewright.engine.tables.checks import check_units, neither_can_be_specified
from tablewright.engine.tables.create import new_stream, read_throughput
from tablewright.engine.tables.describe import describe
from tablewright.engine.tables.gsi_updates import apply_gsi_updates, check_gsi_updates, unchanged_units
from tablewright.engine.tables.options import (
    check_class,
    check_encryption,
    check_limits,
    check_more_warm,
    encryption,
    warm_units,
)
from tablewright.engine.tables.status import drop_gone_tables, pending_until, settled_table, with_pending

if TYPE_CHECKING:
    from tablewright.engine.context import EngineContext

Params = dict[str, Any]
CHANGES = (
    "ProvisionedThroughput",
    "BillingMode",
    "GlobalSecondaryIndexUpdates",
    "StreamSpecification",
    "SSESpecification",
    "TableClass",
    "DeletionProtectionEnabled",
    "WarmThroughput",
    "OnDemandThroughput",
)
ALONE = {
    "SSESpecification": "Server-Side Encryption modification",
    "TableClass": "TableClass modification",
    "DeletionProtectionEnabled": "DeletionProtection modification",
    "WarmThroughput": "WarmThroughput",
}
QUIET = frozenset(("DeletionProtectionEnabled", "WarmThroughput"))
"""Changes during which a table stays ACTIVE."""


def update_table(engine: EngineContext, params: Params) -> Params:
    asked = _check_update(params)
    with engine.storage.writing():
        drop_gone_tables(engine)
        before = settled_table(engine, params["TableName"])
        change = Change(before)
        for name in asked:
            APPLY[name](engine, change, params)
        after = change.table
        if asked[0] in QUIET:
            engine.storage.save_table(after)
            return {"TableDescription": describe(engine, after, "ACTIVE", {})}
        engine.storage.save_table(with_pending(engine, after, "UPDATING", **change.doing))
        return {"TableDescription": describe(engine, after, "UPDATING", {"state": "UPDATING", **change.doing})}


def _check_update(params: Params) -> list[str]:
    """The changes that are asked for, once they are known to go together."""
    asked = [name for name in CHANGES if params.get(name) not in (None, [])]
    if not asked:
        raise validation(
            "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or"
            " SSESpecification or ReplicaUpdates is required"
        )
    if params.get("BillingMode") == "PROVISIONED" and "ProvisionedThroughput" not in params:
        raise invalid_parameters("ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
    if "ProvisionedThroughput" in params:
        check_units(params["ProvisionedThroughput"])
    check_gsi_updates(params.get("GlobalSecondaryIndexUpdates", []))
    _check_together(asked, params)
    return asked


def _check_together(asked: list[str], params: Params) -> None:
    for name, what in ALONE.items():
        if name in asked and len(asked) > 1:
            raise invalid_parameters(f"{what} must be the only operation in the request")
    if "OnDemandThroughput" in asked and {*asked} - {"OnDemandThroughput", "BillingMode"}:
        raise invalid_parameters("OnDemandThroughput can only be combined with BillingMode in an UpdateTable request")
    online = any("Update" not in each for each in params.get("GlobalSecondaryIndexUpdates", []))
    if "ProvisionedThroughput" in asked and "StreamSpecification" in asked:
        raise invalid_parameters("You cannot modify stream status while updating table IOPS")
    if "ProvisionedThroughput" in asked and online:
        raise invalid_parameters("You cannot create or delete index while updating table IOPS")
    if "StreamSpecification" in asked and online:
        raise invalid_parameters("You cannot create or delete index while changing stream status")


# ---- one function for each kind of change ----------------------------------------------------------------------------


def _apply_units(engine: EngineContext, change: Change, params: Params) -> None:
    """New provisioned units, perhaps with a switch to them."""
    table = change.table
    if params.get("BillingMode", table.billing) == "PAY_PER_REQUEST":
        raise neither_can_be_specified()
    asked = read_throughput(params)
    assert asked is not None
    if table.billing == "PROVISIONED" and asked == table.throughput:
        raise unchanged_units("the table", asked)
    settings = change.units_settings(engine, "", table.throughput, asked, table.settings)
    change.table = replace(table, throughput=asked, settings=settings)


def _apply_billing(engine: EngineContext, change: Change, params: Params) -> None:
    """A switch of the capacity mode takes the indexes along."""
    table, mode = change.table, params["BillingMode"]
    if mode == table.billing:
        return
    if mode == "PROVISIONED":
        given = {
            each["Update"]["IndexName"] for each in params.get("GlobalSecondaryIndexUpdates", []) if "Update" in each
        }
        missing = [each.name for each in table.indexes if each.kind == "gsi" and each.name not in given]
        if missing:
            raise invalid_parameters(f"ProvisionedThroughput must be specified for index: {','.join(missing)}")
        change.table = replace(table, billing=mode)
        return
    indexes = tuple(replace(each, throughput=None) for each in table.indexes)
    settings = {**table.settings, "OnDemandSince": pending_until(engine)}
    change.table = replace(table, billing=mode, throughput=Throughput(), indexes=indexes, settings=settings)
    change.indexes.update({each.name: "UPDATING" for each in indexes if each.kind == "gsi"})


def _apply_stream(engine: EngineContext, change: Change, params: Params) -> None:
    table, spec = change.table, params["StreamSpecification"]
    if spec["StreamEnabled"]:
        if "StreamViewType" not in spec:
            raise invalid_parameters("If stream is being enabled then UpdateViewType is required")
        if table.stream is not None:
            raise validation(f"Table already has an enabled stream: TableName: {table.name}")
        stream = new_stream(spec["StreamViewType"], engine.clock(), table.settings.get("LatestStreamLabel"))
        settings = {**table.settings, "LatestStreamLabel": stream["label"]}
        change.table = replace(table, stream=stream, settings=settings)
        return
    if "StreamViewType" in spec:
        raise invalid_parameters("If stream is being disabled, then UpdateViewType must not be specified")
    if table.stream is None:
        raise validation(f"Table has no stream to disable: TableName: {table.name}")
    change.table = replace(table, stream=None)


def _apply_encryption(engine: EngineContext, change: Change, params: Params) -> None:
    spec, settings = params["SSESpecification"], change.table.settings
    check_encryption(spec)
    if not spec.get("Enabled") and "SSEDescription" not in settings:
        raise invalid_parameters("Table is already encrypted by default")
    kept = {name: value for name, value in settings.items() if name != "SSEDescription"}
    change.table = replace(change.table, settings={**kept, **encryption(engine, spec)})


def _apply_class(engine: EngineContext, change: Change, params: Params) -> None:
    check_class(params["TableClass"])
    summary = {"TableClass": params["TableClass"], "LastUpdateDateTime": pending_until(engine)}
    change.set("TableClassSummary", summary)


def _apply_protection(_engine: EngineContext, change: Change, params: Params) -> None:
    change.set("DeletionProtectionEnabled", params["DeletionProtectionEnabled"])


def _apply_warm(_engine: EngineContext, change: Change, params: Params) -> None:
    table, asked = change.table, params["WarmThroughput"]
    current = warm_units(table.billing == "PAY_PER_REQUEST", table.throughput, table.settings)
    check_more_warm(asked, current, "table")
    change.set("WarmThroughput", {**current, **asked})


def _apply_limits(_engine: EngineContext, change: Change, params: Params) -> None:
    mode = params.get("BillingMode", change.table.billing)
    check_limits(params["OnDemandThroughput"], "table", on_demand=mode == "PAY_PER_REQUEST", clearing=True)
    known = change.table.settings.get("OnDemandThroughput", {})
    change.set("OnDemandThroughput", {**known, **params["OnDemandThroughput"]})


APPLY = {
    "ProvisionedThroughput": _apply_units,
    "BillingMode": _apply_billing,
    "GlobalSecondaryIndexUpdates": apply_gsi_updates,
    "StreamSpecification": _apply_stream,
    "SSESpecification": _apply_encryption,
    "TableClass": _apply_class,
    "DeletionProtectionEnabled": _apply_protection,
    "WarmThroughput": _apply_warm,
    "OnDemandThroughput": _apply_limits,
}
