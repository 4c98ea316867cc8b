"""The front door: a request that fits passes in microseconds, any other gets all its faults in one message.

Two of its rules are the service's own oddities. Operations on tables check the length of the name by hand, before
anything else, unless a CreateTable is complete. And operations on single items that are complete but for an empty name
hear of nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import serialization, validation
from tablewright.engine.requests import envelope
from tablewright.engine.requests.messages import at_least, is_newer, list_faults, number_faults
from tablewright.engine.requests.operations import REQUESTS
from tablewright.engine.requests.text import check_text, find_bad_text
from tablewright.errors import ServiceError
from tablewright.wire.limits import MAX_TABLE_NAME_LENGTH, MIN_TABLE_NAME_LENGTH

if TYPE_CHECKING:
    from tablewright.engine.requests.compounds import Structure
    from tablewright.engine.store.values import Words

Params = dict[str, Any]

FITS = {action: shape.fits for action, shape in REQUESTS.items()}
CONTROL = frozenset(
    "CreateTable UpdateTable DeleteTable DescribeTable UpdateTimeToLive DescribeTimeToLive"
    " UpdateContinuousBackups DescribeContinuousBackups".split()
)
SUBJECTS = {"PutItem": "Item", "GetItem": "Key", "UpdateItem": "Key", "DeleteItem": "Key"}


def check_request(action: str, params: Params, words: Words = "current") -> Params:
    """The request as handlers may trust it; refused, with all that is wrong in one message, if it cannot be right."""
    fits = FITS.get(action)
    if fits is not None and not fits(params):
        find_bad_text(params)
        params = _correct(action, REQUESTS[action], params, words)
    else:
        check_text(params)
    if action in MIXES:
        try:
            _check_mix(action, params)
        except ServiceError as fault:
            raise envelope.word_fault(action, words, fault) from None
    elif action == "BatchGetItem":
        for each in params["RequestItems"].values():
            _check_mix("GetItem", each)
    elif action in ("TransactWriteItems", "TransactGetItems"):
        for each in params["TransactItems"]:
            for kind, inner in each.items():
                _check_mix(kind, inner)
    return params


def _correct(action: str, shape: Structure, given: Any, words: Words) -> Params:
    """The request without nulls and unknown fields, words turned into booleans; a fault is raised."""
    if not isinstance(given, dict):
        raise serialization("Start of structure or map found where not expected")
    params = shape.cast(given)
    if action in CONTROL:
        _check_control_name(action, params)
    if params.get("TableName") == "" and SUBJECTS.get(action) in params:
        shown = "Value at 'TableName'" if is_newer(action, params, words) else "Value '' at 'tableName'"
        raise validation(number_faults([f"{shown} failed to satisfy constraint: {at_least(1)}"]))
    found: list[str] = []
    shape.faults(params, "", found)
    if found:
        raise validation(list_faults(action, params, found, words))
    return params


def _check_control_name(action: str, params: Params) -> None:
    name = params.get("TableName")
    if name is None:
        raise validation("The parameter 'TableName' is required but was not present in the request")
    if name.startswith("arn:") or (action == "CreateTable" and {"KeySchema", "AttributeDefinitions"} <= params.keys()):
        return
    low, high = MIN_TABLE_NAME_LENGTH, MAX_TABLE_NAME_LENGTH
    if not low <= len(name) <= high:
        raise validation(f"TableName must be at least {low} characters long and at most {high} characters long")


# ---- right behind the shapes: expressions and their forerunners do not mix -------------------------------------------

MIXES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "PutItem": (("ConditionExpression",), ("Expected", "ConditionalOperator")),
    "DeleteItem": (("ConditionExpression",), ("Expected", "ConditionalOperator")),
    "UpdateItem": (
        ("UpdateExpression", "ConditionExpression"),
        ("AttributeUpdates", "Expected", "ConditionalOperator"),
    ),
    "GetItem": (("ProjectionExpression",), ("AttributesToGet",)),
    "Query": (
        ("ProjectionExpression", "FilterExpression", "KeyConditionExpression"),
        ("AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"),
    ),
    "Scan": (
        ("ProjectionExpression", "FilterExpression"),
        ("AttributesToGet", "ScanFilter", "ConditionalOperator"),
    ),
    "Get": (("ProjectionExpression",), ()),
    "Put": (("ConditionExpression",), ()),
    "Delete": (("ConditionExpression",), ()),
    "Update": (("UpdateExpression", "ConditionExpression"), ()),
    "ConditionCheck": (("ConditionExpression",), ()),
}
"""By operation or action in a transaction: expressions, and what must not stand next to them."""

PLACEHOLDERS = ("ExpressionAttributeNames", "ExpressionAttributeValues")
UNMIXED = {kind: frozenset((*old, *PLACEHOLDERS, "ConditionalOperator")) for kind, (_, old) in MIXES.items()}
"""A request without any of these has nothing to mix."""


def _check_mix(kind: str, params: Params) -> None:
    """Refuse expressions next to their forerunners, and placeholders without expressions."""
    expressions, forerunners = MIXES[kind]
    if UNMIXED[kind].isdisjoint(params):
        return
    used = [name for name in expressions if name in params]
    if used:
        _refuse_forerunners(params, used, forerunners)
    elif "ExpressionAttributeNames" in params:
        raise validation("ExpressionAttributeNames can only be specified when using expressions")
    if "ExpressionAttributeValues" in params:
        readers = [name for name in expressions if name != "ProjectionExpression"]
        if not any(name in params for name in readers):
            verb = "are" if len(readers) > 1 else "is"
            missing = f"{' and '.join(readers)} {verb} null"
            raise validation(f"ExpressionAttributeValues can only be specified when using expressions: {missing}")
    if "ConditionalOperator" in params:
        _check_conditional_operator(params)


def _check_conditional_operator(params: Params) -> None:
    """It joins conditions, so there must be some."""
    joined = next((params[name] for name in ("Expected", "QueryFilter", "ScanFilter") if params.get(name)), ())
    if not joined:
        raise validation("ConditionalOperator cannot be used without Filter or Expected")
    if len(joined) == 1:
        raise validation("ConditionalOperator can only be used when Filter or Expected has two or more elements")


def _refuse_forerunners(params: Params, used: list[str], forerunners: tuple[str, ...]) -> None:
    old = [name for name in forerunners if name in params]
    if "KeyConditions" in old and "KeyConditionExpression" not in params:
        old.remove("KeyConditions")
    if old:
        raise validation(
            "Can not use both expression and non-expression parameters in the same request:"
            f" Non-expression parameters: {{{', '.join(old)}}} Expression parameters: {{{', '.join(used)}}}"
        )
