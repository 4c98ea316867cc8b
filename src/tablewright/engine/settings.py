"""Everything about tables that is not their keys: time to live, tags, limits, endpoints, backups."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tablewright.engine.faults import invalid_parameters, no_such_resource, no_such_table, validation
from tablewright.engine.tables.options import ACCOUNT, check_tag_key, check_tags
from tablewright.engine.tables.status import is_gone, known_table, pending
from tablewright.errors import service_error
from tablewright.wire.limits import TABLE_QUOTA_RCU, TABLE_QUOTA_WCU

if TYPE_CHECKING:
    from tablewright.engine.context import EngineContext, Handler
    from tablewright.engine.store.table import Table
    from tablewright.errors import ServiceError

Params = dict[str, Any]
ACCOUNT_QUOTA = 80_000
ENDPOINT_CACHE_MINUTES = 1440
PITR_DAYS = 35
DAY = 86_400

is_like_an_arn = re.compile(r".+:.+:.+:.+:.+:.+/.+", re.DOTALL).fullmatch
table_of_arn = re.compile(r"arn:aws:dynamodb:(?P<region>[^:]+):(?P<account>\d+):table/(?P<table>[^/]{3,})").fullmatch


def _missing(name: str) -> ServiceError:
    told = f"Value null at '{name}' failed to satisfy constraint: Member must not be null"
    return validation(f"1 validation error detected: {told}")


# ---- time to live ----------------------------------------------------------------------------------------------------


def _update_time_to_live(engine: EngineContext, params: Params) -> Params:
    spec = params.get("TimeToLiveSpecification")
    if spec is None:
        raise _missing("timeToLiveSpecification")
    enable, attribute = spec["Enabled"], spec["AttributeName"]
    with engine.storage.writing():
        table = known_table(engine, params["TableName"])
        if table.ttl is None and not enable:
            raise validation("TimeToLive is already disabled")
        if table.ttl is not None and table.ttl != attribute:
            told = f"current AttributeName is {table.ttl}"
            raise validation(f"TimeToLive is active on a different AttributeName: {told}")
        if table.ttl is not None and enable:
            raise validation("TimeToLive is already enabled")
        engine.storage.save_table(replace(table, ttl=attribute if enable else None))
    return {"TimeToLiveSpecification": {"AttributeName": attribute, "Enabled": True} if enable else {"Enabled": False}}


def _describe_time_to_live(engine: EngineContext, params: Params) -> Params:
    with engine.storage.reading():
        table = known_table(engine, params["TableName"])
        state = pending(engine, table).get("state", "ACTIVE")
    if state in ("CREATING", "DELETING"):
        told = f"Cannot describe time to live while table is in {state} state"
        raise validation(f"{told}: Current table state is {state}")
    if table.ttl is None:
        return {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}}
    return {"TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED", "AttributeName": table.ttl}}


# ---- tags ------------------------------------------------------------------------------------------------------------


def _tag_resource(engine: EngineContext, params: Params) -> Params:
    name = _resource_name(engine, "TagResource", params, "Tags")
    tags = params["Tags"]
    if not tags:
        raise validation("Atleast one Tag needs to be provided as Input.")
    with engine.storage.writing():
        table = _tagged_table(engine, name, _unnamed_arn(params))
        check_tags(tags, table.tags)
        engine.storage.save_table(replace(table, tags={**table.tags, **{tag["Key"]: tag["Value"] for tag in tags}}))
    return {}


def _untag_resource(engine: EngineContext, params: Params) -> Params:
    name = _resource_name(engine, "UntagResource", params, "TagKeys")
    keys = params["TagKeys"]
    if not keys:
        raise validation("Atleast one Tag Key needs to be provided as Input.")
    with engine.storage.writing():
        table = _tagged_table(engine, name, no_such_table())
        for key in keys:
            check_tag_key(key)
        kept = {key: value for key, value in table.tags.items() if key not in keys}
        engine.storage.save_table(replace(table, tags=kept))
    return {}


def _list_tags_of_resource(engine: EngineContext, params: Params) -> Params:
    name = _resource_name(engine, "ListTagsOfResource", params, None)
    with engine.storage.reading():
        table = _tagged_table(engine, name, _unnamed_arn(params))
    return {"Tags": [{"Key": key, "Value": value} for key, value in table.tags.items()]}


def _resource_name(engine: EngineContext, action: str, params: Params, subject: str | None) -> str:
    """The table an ARN names; what is not an ARN is not allowed, before it is wrong."""
    arn = params.get("ResourceArn")
    if arn is None:
        raise validation("Invalid TableArn")
    if is_like_an_arn(arn) is None:
        if subject is not None and subject in params:
            raise invalid_parameters(f"ARNs must start with 'arn:': {arn}")
        raise _denied(action, arn)
    if subject is not None and subject not in params:
        raise _missing(subject[:1].lower() + subject[1:])
    found = table_of_arn(arn)
    if found is None or found["region"] != engine.region:
        raise validation(f"Invalid TableArn: Invalid ResourceArn provided as input {arn}")
    if found["account"] != ACCOUNT:
        raise _denied(action, arn)
    return found["table"]


def _denied(action: str, arn: str) -> ServiceError:
    told = f"User: arn:aws:iam::{ACCOUNT}:user/tablewright is not authorized to perform: dynamodb:{action}"
    return service_error("AccessDeniedException", f"{told} on resource: {arn or '*'}")


def _unnamed_arn(params: Params) -> ServiceError:
    return no_such_resource(f"Requested resource not found: ResourcArn: {params['ResourceArn']} not found")


def _tagged_table(engine: EngineContext, name: str, otherwise: ServiceError) -> Table:
    found = engine.storage.tables.get(name)
    if found is None or is_gone(engine, found):
        raise otherwise
    return found


# ---- the account -----------------------------------------------------------------------------------------------------


def _describe_limits(_engine: EngineContext, _params: Params) -> Params:
    return {
        "AccountMaxReadCapacityUnits": ACCOUNT_QUOTA,
        "AccountMaxWriteCapacityUnits": ACCOUNT_QUOTA,
        "TableMaxReadCapacityUnits": TABLE_QUOTA_RCU,
        "TableMaxWriteCapacityUnits": TABLE_QUOTA_WCU,
    }


def _describe_endpoints(engine: EngineContext, _params: Params) -> Params:
    address = f"dynamodb.{engine.region}.amazonaws.com"  # a server that offers this engine tells its own
    return {"Endpoints": [{"Address": address, "CachePeriodInMinutes": ENDPOINT_CACHE_MINUTES}]}


# ---- backups ---------------------------------------------------------------------------------------------------------


def _update_continuous_backups(engine: EngineContext, params: Params) -> Params:
    spec = params.get("PointInTimeRecoverySpecification")
    if spec is None:
        raise _missing("pointInTimeRecoverySpecification")
    enable = spec["PointInTimeRecoveryEnabled"]
    if not enable and "RecoveryPeriodInDays" in spec:
        told = "Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery."
        raise validation(f"Invalid Request: {told}")
    with engine.storage.writing():
        table = _backed_up_table(engine, params["TableName"])
        settings = {name: value for name, value in table.settings.items() if name != "Recovery"}
        if enable:
            since = table.settings.get("Recovery", {}).get("since", round(engine.clock(), 3))
            settings["Recovery"] = {"since": since, "days": spec.get("RecoveryPeriodInDays", PITR_DAYS)}
        table = replace(table, settings=settings)
        engine.storage.save_table(table)
        return {"ContinuousBackupsDescription": _backups(engine, table)}


def _describe_continuous_backups(engine: EngineContext, params: Params) -> Params:
    with engine.storage.reading():
        table = _backed_up_table(engine, params["TableName"])
        return {"ContinuousBackupsDescription": _backups(engine, table)}


def _backed_up_table(engine: EngineContext, name: str) -> Table:
    plain = name.rpartition("table/")[2] if name.startswith("arn:") else name
    found = engine.storage.tables.get(plain)
    if found is None or is_gone(engine, found):
        raise service_error("TableNotFoundException", f"Table not found: {plain}")
    return found


def _backups(engine: EngineContext, table: Table) -> Params:
    """Continuous backups are always there; recovery to a point in time is there when it was asked for."""
    recovery = table.settings.get("Recovery")
    told: Params = {"PointInTimeRecoveryStatus": "DISABLED"}
    if recovery is not None:
        now = round(engine.clock(), 3)
        told = {
            "PointInTimeRecoveryStatus": "ENABLED",
            "RecoveryPeriodInDays": recovery["days"],
            "EarliestRestorableDateTime": max(recovery["since"], now - recovery["days"] * DAY),
            "LatestRestorableDateTime": now,
        }
    return {"ContinuousBackupsStatus": "ENABLED", "PointInTimeRecoveryDescription": told}


HANDLERS: dict[str, Handler] = {
    "UpdateTimeToLive": _update_time_to_live,
    "DescribeTimeToLive": _describe_time_to_live,
    "TagResource": _tag_resource,
    "UntagResource": _untag_resource,
    "ListTagsOfResource": _list_tags_of_resource,
    "DescribeLimits": _describe_limits,
    "DescribeEndpoints": _describe_endpoints,
    "UpdateContinuousBackups": _update_continuous_backups,
    "DescribeContinuousBackups": _describe_continuous_backups,
}
