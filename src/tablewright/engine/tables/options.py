"""The options of a table that change nothing about its items: stream, encryption, class, tags, throughput limits."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from tablewright.engine.faults import invalid_parameters, validation
from tablewright.wire.limits import MAX_TAGS, ON_DEMAND_INITIAL_RCU, ON_DEMAND_INITIAL_WCU

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.table import Throughput

Params = dict[str, Any]
ACCOUNT = "123456789012"
CLASSES = ("STANDARD", "STANDARD_INFREQUENT_ACCESS")
LIMITS = ("MaxReadRequestUnits", "MaxWriteRequestUnits")
WARM = ("ReadUnitsPerSecond", "WriteUnitsPerSecond")
INITIAL_UNITS_PAGE = (
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
    "on-demand-capacity-mode.html#on-demand-capacity-mode-initial"
)
fits_tag = re.compile(r"[\w\s.:/=+\-@]*").fullmatch


def check_options(params: Params, *, on_demand: bool) -> None:
    """The options of a CreateTable request."""
    _check_new_stream(params.get("StreamSpecification"))
    check_encryption(params.get("SSESpecification"))
    check_class(params.get("TableClass"))
    check_tags(params.get("Tags", ()), {})
    for asked, where in [
        (params, "table"),
        *((each, each["IndexName"]) for each in params.get("GlobalSecondaryIndexes", ())),
    ]:
        check_limits(asked.get("OnDemandThroughput"), where, on_demand=on_demand)
        _check_new_warm(asked, where, on_demand=on_demand)


def _check_new_stream(spec: Params | None) -> None:
    if spec is None:
        return
    if spec["StreamEnabled"] and "StreamViewType" not in spec:
        raise invalid_parameters("Table is being created with a stream enabled, UpdateViewType is required")
    if not spec["StreamEnabled"] and "StreamViewType" in spec:
        raise invalid_parameters(
            "Table is being created with a stream disabled, UpdateViewType should not be specified"
        )


def check_encryption(spec: Params | None) -> None:
    if spec is None:
        return
    for name in ("SSEType", "KMSMasterKeyId"):
        if name in spec and not spec.get("Enabled"):
            raise invalid_parameters(f"{name} can not be specified if Enabled is false")
    if spec.get("SSEType") == "AES256":
        raise invalid_parameters("SSEType AES256 is not supported")
    if "KMSMasterKeyId" in spec and "SSEType" not in spec:
        raise invalid_parameters("SSEType KMS is required if KMSMasterKeyId is specified")


def encryption(engine: EngineContext, spec: Params | None) -> Params:
    """The encryption a table tells about: none unless it has a key of its own."""
    if spec is None or not spec.get("Enabled"):
        return {}
    key = spec.get("KMSMasterKeyId", str(uuid4()))
    arn = key if key.startswith("arn:") else f"arn:aws:kms:{engine.region}:{ACCOUNT}:key/{key}"
    return {"SSEDescription": {"Status": "ENABLED", "SSEType": "KMS", "KMSMasterKeyArn": arn}}


def check_class(name: str | None) -> None:
    if name is not None and name not in CLASSES:
        told = f"Please try again with a valid table-class value: [{', '.join(CLASSES)}]."
        raise validation(f"Invalid table-class parameter provided. {told}")


def check_tags(tags: Sequence[Params], known: Mapping[str, str]) -> None:
    """New tags, and how many there are with those already there."""
    for tag in tags:
        check_tag_key(tag.get("Key"))
        value = tag.get("Value")
        if value is None or len(value) > 256 or fits_tag(value) is None:
            raise validation(f"The Tag Value provided is invalid, Value: {'null' if value is None else value}")
    for key, times in Counter(tag["Key"] for tag in tags).items():
        if times > 1:
            raise validation(f"Duplicate Tag Keys provided as input: Duplicate Tag Key found {key}")
    if len({*known, *(tag["Key"] for tag in tags)}) > MAX_TAGS:
        raise validation("Number of Tags exceed the current limit for the provided ResourceArn")


def check_tag_key(key: str | None) -> None:
    if key is None or not 1 <= len(key) <= 128 or fits_tag(key) is None:
        raise validation(f"The Tag Key provided is invalid, Key: {'null' if key is None else key}")
    if key.lower().startswith("aws:"):
        raise validation(f"Tag Key cannot be prefixed with aws:, Key: {key}")


def check_limits(limits: Params | None, where: str, *, on_demand: bool, clearing: bool = False) -> None:
    """On-demand limits are for on-demand tables; -1 takes one away again."""
    for name in LIMITS:
        value = (limits or {}).get(name)
        if value is None:
            continue
        place = "" if where == "table" else f" for index : {where}"
        if not on_demand:
            when = "when the table BillingMode is PROVISIONED"
            raise invalid_parameters(f"{name} for OnDemandThroughput cannot be specified{place} {when}")
        if value < 1 and not (clearing and value == -1):
            place = place or " for table"
            raise invalid_parameters(f"Requested {name} for OnDemandThroughput{place} is outside of valid range")


def _check_new_warm(asked: Params, where: str, *, on_demand: bool) -> None:
    """Warm throughput is more than what a table has anyway."""
    units = asked.get("ProvisionedThroughput", {})
    initial = dict(zip(WARM, (ON_DEMAND_INITIAL_RCU, ON_DEMAND_INITIAL_WCU), strict=True))
    for name, unit in zip(WARM, ("ReadCapacityUnits", "WriteCapacityUnits"), strict=True):
        value = asked.get("WarmThroughput", {}).get(name)
        if value is None or value >= (initial[name] if on_demand else units.get(unit, 0)):
            continue
        bar = (
            f"initial throughput for OnDemand. See: {INITIAL_UNITS_PAGE}"
            if on_demand
            else f"{unit} of ProvisionedThroughput"
        )
        raise invalid_parameters(f"Requested {name} for WarmThroughput for {_warm_place(where)} is lower than {bar}")


def _warm_place(where: str) -> str:
    return "table" if where == "table" else f"index {where}"


def check_more_warm(asked: Params, current: Mapping[str, int], where: str) -> None:
    """Warm throughput only ever grows."""
    if not any(name in asked for name in WARM):
        told = "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified"
        raise invalid_parameters(told if where == "table" else f"{told} for index: {where}")
    for name in WARM:
        if name in asked and asked[name] < current[name]:
            lower = "is lower than current WarmThroughput, decreasing WarmThroughput is not supported"
            raise invalid_parameters(f"Requested {name} for WarmThroughput for {_warm_place(where)} {lower}")


def warm_units(on_demand: bool, units: Throughput | None, settings: Mapping[str, Any]) -> dict[str, int]:
    """What is served at once: as asked for, or what the capacity mode starts with."""
    asked = settings.get("WarmThroughput", {})
    base = (ON_DEMAND_INITIAL_RCU, ON_DEMAND_INITIAL_WCU) if on_demand or units is None else (units.read, units.write)
    return {name: max(least, asked.get(name, 0)) for name, least in zip(WARM, base, strict=True)}
