"""What single writes tell in an envelope, "1 validation error detected: ".

The service is moving its checks to a newer layer, and what that layer finds in a request alone comes in this form: the
values, the expressions and their placeholders, Expected, ReturnValues. Here it does for every kind of fault that was
seen in it (`tests/engine/wording_sources.toml` says where); all else is told bare, as is whatever needs the table or
the item to be known, and everything by an engine with classic wording.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import validation
from tablewright.engine.store.numerals import NUMBER_FAULTS
from tablewright.engine.store.values import DUPLICATES, TOO_DEEP, depth_of

if TYPE_CHECKING:
    from tablewright.engine.store.values import Words
    from tablewright.errors import ServiceError

Params = dict[str, Any]

ENVELOPE = "1 validation error detected: "
INVALID = "One or more parameter values were invalid: "
NULL_IS_TRUE = f"{INVALID}Null attribute value types must have the value of true"
ONLY_OLD = "ReturnValues can only be ALL_OLD or NONE"
WRITES = ("PutItem", "UpdateItem", "DeleteItem")

OF_VALUES = (
    TOO_DEEP,
    *NUMBER_FAULTS,
    f"{INVALID}{DUPLICATES}",
    f"{INVALID}An string set  may not be empty",
    f"{INVALID}An number set  may not be empty",
    f"{INVALID}Binary sets should not be empty",
    NULL_IS_TRUE,
)
OF_EXPRESSIONS = (
    "Invalid ConditionExpression: ",
    "Invalid UpdateExpression: ",
    "ExpressionAttributeNames ",
    "ExpressionAttributeValues ",
    "Value provided in ExpressionAttribute",
    "Can not use both expression and non-expression parameters",
)
OF_EXPECTED = (
    f"{INVALID}Value must be provided when Exists is true",
    f"{INVALID}Value cannot be used when Exists is false",
    f"{INVALID}Value and AttributeValueList cannot be used together",
    f"{INVALID}Value or AttributeValueList must be used with ComparisonOperator",
    f"{INVALID}Invalid number of argument(s) for the ",
)
ENVELOPED = (*OF_VALUES, *OF_EXPRESSIONS, *OF_EXPECTED, ONLY_OLD)
"""How the faults begin that were seen in an envelope."""

_MISSING = (": ConditionExpression is null", ": UpdateExpression and ConditionExpression are null")
_DEEPEST = 62


def word_fault(action: str, words: Words, fault: ServiceError) -> ServiceError:
    """The fault in the form in which this operation tells it."""
    message = fault.service_message
    if words == "classic" or action not in WRITES or not message.startswith(ENVELOPED):
        return fault
    for missing in _MISSING:
        message = message.removesuffix(missing)
    return enclose(message)


def enclose(message: str) -> ServiceError:
    """A fault as the front door tells it, which counts its faults."""
    return validation(ENVELOPE + message)


def is_older_reading(params: Params) -> bool:
    """Whether the values of a write lie so deep inside each other that the older layer reads it."""
    return _deepest(params) > _DEEPEST


def _deepest(params: Params) -> int:
    values: list[Params] = [params.get(name) or {} for name in ("Item", "Key", "ExpressionAttributeValues")]
    for name in ("Expected", "AttributeUpdates"):
        parts: Params = params.get(name) or {}
        values += ({"Value": each.get("Value")} for each in parts.values())
        values += ({"List": {"L": each.get("AttributeValueList")}} for each in parts.values())
    return max(depth_of(each) for each in values)
