"""Global secondary indexes of a table that exists: made (and filled from its items), changed, taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tablewright.engine.faults import invalid_parameters, no_such_resource, validation
from tablewright.engine.item_checks import is_too_long
from tablewright.engine.store.rows import entry_of
from tablewright.engine.store.values import from_text
from tablewright.engine.tables.checks import (
    MAX_UNITS,
    check_defined,
    check_distinct,
    check_gsi_key_schema,
    check_projection,
    names_of,
    too_many_projected,
)
from tablewright.engine.tables.create import new_index, read_throughput
from tablewright.engine.tables.describe import index_description, table_arn
from tablewright.engine.tables.options import check_limits, check_more_warm, warm_units
from tablewright.errors import service_error
from tablewright.wire.limits import MAX_GSIS, MAX_PARTITION_KEY_BYTES, MAX_PROJECTED_ATTRIBUTES, MAX_SORT_KEY_BYTES

if TYPE_CHECKING:
    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.table import Index, Table, Throughput
    from tablewright.engine.tables.change import Change
    from tablewright.errors import ServiceError

Params = dict[str, Any]
ACTIONS = ("Update", "Create", "Delete")


def check_gsi_updates(updates: list[Params]) -> None:
    """What can be said about the updates before the table is known."""
    seen: set[str] = set()
    for update in updates:
        if not update:
            named = ", ".join(f"GlobalSecondaryIndexUpdate.{action}" for action in ACTIONS)
            raise invalid_parameters(f"One of {named} must not be null")
        if len(update) > 1:
            told = "is allowed per GlobalSecondaryIndexUpdate object"
            raise invalid_parameters(f"Only one global secondary index action {told}")
        name = next(iter(update.values()))["IndexName"]
        if name in seen:
            told = f"Only one global secondary index update per index is allowed simultaneously. Index: {name}"
            raise invalid_parameters(told)
        seen.add(name)


def apply_gsi_updates(engine: EngineContext, change: Change, params: Params) -> None:
    updates = params["GlobalSecondaryIndexUpdates"]
    if sum("Update" not in each for each in updates) > 1:
        told = "Only 1 online index can be created or deleted simultaneously per table"
        raise service_error("LimitExceededException", f"Subscriber limit exceeded: {told}")
    _check_possible_units(updates)
    for update in updates:
        ((action, asked),) = update.items()
        APPLY[action](engine, change, asked, params)


def _check_possible_units(updates: list[Params]) -> None:
    for update in updates:
        units = update.get("Update", {}).get("ProvisionedThroughput")
        if units is not None and max(units.values()) > MAX_UNITS:
            told = "Please contact DynamoDB service team for more info: Action Blocked: IndexUpdate"
            raise validation(f"This operation cannot be performed with given input values. {told}")


# ---- Create ----------------------------------------------------------------------------------------------------------


def _create_gsi(engine: EngineContext, change: Change, asked: Params, params: Params) -> None:
    table = change.table
    _check_new_gsi(table, asked, params)
    types = {each["AttributeName"]: each["AttributeType"] for each in params["AttributeDefinitions"]}
    index = new_index(asked, "gsi", table.next_slot)
    change.table = replace(
        table,
        indexes=(*table.indexes, index),
        types={**table.types, **{name: types[name] for name in index.keys.names}},
        next_slot=table.next_slot + 1,
    )
    change.indexes[index.name] = "CREATING"
    engine.storage.add_index(change.table, index)
    _fill(engine, change.table, index)


def _check_new_gsi(table: Table, asked: Params, params: Params) -> None:
    name, defined = asked["IndexName"], params.get("AttributeDefinitions")
    if defined is None:
        raise invalid_parameters(f"AttributeDefinitions is not specified for index: {name}")
    definitions = names_of(defined)
    check_distinct(definitions)
    check_defined(names_of(asked["KeySchema"]), definitions)
    check_gsi_key_schema(asked["KeySchema"], definitions)
    check_projection(asked["Projection"])
    _check_new_units(table, asked)
    check_limits(asked.get("OnDemandThroughput"), name, on_demand=table.billing == "PAY_PER_REQUEST")
    if table.index(name) is not None:
        raise validation("Attempting to create an index which already exists")
    _check_same_types(table, asked, {each["AttributeName"]: each["AttributeType"] for each in defined})
    _check_room(table, asked)


def _check_new_units(table: Table, asked: Params) -> None:
    name, given = asked["IndexName"], "ProvisionedThroughput" in asked
    if table.billing == "PAY_PER_REQUEST" and given:
        when = f"for index: {name} when BillingMode is PAY_PER_REQUEST"
        raise invalid_parameters(f"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified {when}")
    if table.billing == "PROVISIONED" and not given:
        raise invalid_parameters(f"Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: {name}")


def _check_same_types(table: Table, asked: Params, types: dict[str, str]) -> None:
    for key in asked["KeySchema"]:
        name, kind = key["AttributeName"], key["KeyType"]
        known = table.types.get(name)
        if known is not None and known != types[name]:
            raise invalid_parameters(
                "Attributes cannot be redefined. Please check that your attribute has the same type as previously"
                f" defined. Existing schema: Schema:[SchemaElement: key{{{name}:{known}:{kind}}}]"
                f" New schema: Schema:[SchemaElement: key{{{name}:{types[name]}:{kind}}}]"
            )


def _check_room(table: Table, asked: Params) -> None:
    gsis = [each for each in table.indexes if each.kind == "gsi"]
    if len(gsis) >= MAX_GSIS:
        told = f"GlobalSecondaryIndex count exceeds the per-table limit of {MAX_GSIS}"
        raise service_error("LimitExceededException", f"One or more parameter values were invalid: {told}")
    total = sum(len(each.included) for each in table.indexes) + len(asked["Projection"].get("NonKeyAttributes", ()))
    if total > MAX_PROJECTED_ATTRIBUTES:
        raise too_many_projected(total)


def _fill(engine: EngineContext, table: Table, index: Index) -> None:
    """Enter every item that has the index's keys; one that has them wrong is passed over."""
    rows = engine.storage.connection.execute(f"select id, h, r, item, size, crc from t{table.id}")
    for row, *kept in rows:
        engine.storage.check(table, *kept)
        item = from_text(kept[2])
        entry = entry_of(table, index, item)
        if entry is None or is_too_long(index.keys.pk, item, MAX_PARTITION_KEY_BYTES):
            continue
        if not is_too_long(index.keys.sk, item, MAX_SORT_KEY_BYTES):
            engine.storage.add_entry(table, index, entry.key, row, entry.size)


# ---- Delete ----------------------------------------------------------------------------------------------------------


def _known_gsi(table: Table, name: str, verb: str) -> Index:
    index = table.index(name)
    if index is None:
        raise no_such_resource(f"Requested resource not found: Index {name} for table {table.name}")
    if index.kind != "gsi":
        raise validation(f"Cannot {verb} an index that is not a GlobalSecondaryIndex: {name}")
    return index


def _delete_gsi(engine: EngineContext, change: Change, asked: Params, _params: Params) -> None:
    table = change.table
    index = _known_gsi(table, asked["IndexName"], "delete")
    leaving = index_description(engine, table, index, table_arn(engine, table.name), {})
    change.leaving = {**leaving, "IndexStatus": "DELETING"}
    engine.storage.drop_index(table, index)
    indexes = tuple(each for each in table.indexes if each is not index)
    used = {*table.keys.names, *(name for each in indexes for name in each.keys.names)}
    types = {name: kind for name, kind in table.types.items() if name in used}
    change.table = replace(table, indexes=indexes, types=types)


# ---- Update ----------------------------------------------------------------------------------------------------------


def _update_gsi(engine: EngineContext, change: Change, asked: Params, params: Params) -> None:
    units = asked.get("ProvisionedThroughput")
    table = change.table
    index = _known_gsi(table, asked["IndexName"], "update")
    mode = params.get("BillingMode", table.billing)
    if units is not None:
        index = _with_units(engine, change, index, asked, mode)
    index = _with_limits(index, asked, mode, given=units is not None)
    if asked.get("WarmThroughput") is not None:
        current = warm_units(mode == "PAY_PER_REQUEST", index.throughput, index.settings)
        check_more_warm(asked["WarmThroughput"], current, index.name)
        warmer = {**current, **asked["WarmThroughput"]}
        index = replace(index, settings={**index.settings, "WarmThroughput": warmer})
    change.table = replace(table, indexes=tuple(index if each.name == index.name else each for each in table.indexes))


def _with_units(engine: EngineContext, change: Change, index: Index, asked: Params, mode: str) -> Index:
    name, new = index.name, read_throughput(asked)
    assert new is not None
    if mode == "PAY_PER_REQUEST":
        when = f"for index: {name} when BillingMode is PAY_PER_REQUEST"
        raise invalid_parameters(f"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified {when}")
    if new == index.throughput:
        raise unchanged_units(f"the index {name}", new)
    change.indexes[name] = "UPDATING"
    settings = change.units_settings(engine, name, index.throughput, new, index.settings)
    return replace(index, throughput=new, settings=settings)


def _with_limits(index: Index, asked: Params, mode: str, *, given: bool) -> Index:
    """An on-demand index can only change its limits and its warm throughput."""
    on_demand, limits = mode == "PAY_PER_REQUEST", asked.get("OnDemandThroughput")
    if on_demand and not limits and "WarmThroughput" not in asked:
        told = "when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput"
        raise invalid_parameters(f"The only Updates for index: {index.name} {told}")
    if not on_demand and not given and "WarmThroughput" not in asked and limits is None:
        told = "Both ReadCapacityUnits and WriteCapacityUnits must be specified"
        raise invalid_parameters(f"{told} for index: {index.name}")
    if limits is None:
        return index
    check_limits(limits, index.name, on_demand=on_demand, clearing=True)
    known = index.settings.get("OnDemandThroughput", {})
    return replace(index, settings={**index.settings, "OnDemandThroughput": {**known, **limits}})


def unchanged_units(what: str, units: Throughput) -> ServiceError:
    """No change of units is an error; `what` is "the table" or "the index x"."""
    where = what.split()[1]
    return validation(
        f"The provisioned throughput for {what} will not change. The requested value equals the current value."
        f" Current ReadCapacityUnits provisioned for the {where}: {units.read}."
        f" Requested ReadCapacityUnits: {units.read}."
        f" Current WriteCapacityUnits provisioned for the {where}: {units.write}."
        f" Requested WriteCapacityUnits: {units.write}."
        " Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
    )


APPLY = {"Create": _create_gsi, "Update": _update_gsi, "Delete": _delete_gsi}
