"""The front door: a request that fits passes in microseconds, any other gets all its faults in one message.

Two of its rules are the service's own oddities. Operations on tables check the length of the name by hand, before
anything else, unless a CreateTable is complete. And operations on single items that are complete but for an empty name
hear of nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import serialization, validation
from tablewright.engine.requests.expressions import MIXES, check_mix
from tablewright.engine.requests.operations import REQUESTS
from tablewright.wire.limits import MAX_TABLE_NAME_LENGTH, MIN_TABLE_NAME_LENGTH

if TYPE_CHECKING:
    from tablewright.engine.requests.compounds import Structure

Params = dict[str, Any]

FITS = {action: shape.fits for action, shape in REQUESTS.items()}
CONTROL = frozenset(
    "CreateTable UpdateTable DeleteTable DescribeTable UpdateTimeToLive DescribeTimeToLive"
    " UpdateContinuousBackups DescribeContinuousBackups".split()
)
SUBJECTS = {"PutItem": "Item", "GetItem": "Key", "UpdateItem": "Key", "DeleteItem": "Key"}


def check_request(action: str, params: Params) -> Params:
    """The request as handlers may trust it; refused, with all that is wrong in one message, if it cannot be right."""
    fits = FITS.get(action)
    if fits is not None and not fits(params):
        params = corrected(action, REQUESTS[action], params)
    if action in MIXES:
        check_mix(action, params)
    elif action == "BatchGetItem":
        for each in params["RequestItems"].values():
            check_mix("GetItem", each)
    elif action in ("TransactWriteItems", "TransactGetItems"):
        for each in params["TransactItems"]:
            for kind, inner in each.items():
                check_mix(kind, inner)
    return params


def corrected(action: str, shape: Structure, given: Any) -> Params:
    """The request without nulls and unknown fields, words turned into booleans; a fault is raised."""
    if not isinstance(given, dict):
        raise serialization("Start of structure or map found where not expected")
    params = shape.cast(given)
    if action in CONTROL:
        check_control_name(action, params)
    if params.get("TableName") == "" and SUBJECTS.get(action) in params:
        raise validation(told([f"Value '' at 'tableName' failed to satisfy constraint: {at_least(1)}"]))
    found: list[str] = []
    shape.faults(params, "", found)
    if found:
        raise validation(told(trimmed(action, params, found)))
    return params


def at_least(length: int) -> str:
    return f"Member must have length greater than or equal to {length}"


def check_control_name(action: str, params: Params) -> None:
    name = params.get("TableName")
    if name is None:
        raise validation("The parameter 'TableName' is required but was not present in the request")
    if name.startswith("arn:") or (action == "CreateTable" and {"KeySchema", "AttributeDefinitions"} <= params.keys()):
        return
    low, high = MIN_TABLE_NAME_LENGTH, MAX_TABLE_NAME_LENGTH
    if not low <= len(name) <= high:
        raise validation(f"TableName must be at least {low} characters long and at most {high} characters long")


def trimmed(action: str, params: Params, found: list[str]) -> list[str]:
    """Where the service tells less: one fault of a complete UpdateItem, and a Query's limit without its value."""
    if action == "UpdateItem" and "Key" in params:
        return sorted(found, key=lambda fault: "'returnValues'" not in fault)[:1]
    if action == "Query" and len(found) == 1 and "at 'limit'" in found[0]:
        return [found[0].replace(f"Value '{params['Limit']}' at 'limit'", "Value at 'Limit'")]
    return found


def told(found: list[str]) -> str:
    return f"{len(found)} validation error{'s' if len(found) > 1 else ''} detected: {'; '.join(found)}"
