"""What single writes tell in an envelope, "1 validation error detected: ".

The service is moving its checks to a newer layer, and what that layer refuses comes in this form. Here it does exactly
where the service was seen doing so, operation by operation; all else is told bare, as older clients expect it. An
engine with classic wording tells everything bare.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.engine.faults import validation
from tablewright.engine.store.numerals import NUMBER_FAULTS
from tablewright.engine.store.values import DUPLICATES, TOO_DEEP

if TYPE_CHECKING:
    from tablewright.engine.store.values import Words
    from tablewright.errors import ServiceError

ENVELOPE = "1 validation error detected: "
INVALID = "One or more parameter values were invalid: "
OF_VALUES = (TOO_DEEP, *NUMBER_FAULTS, f"{INVALID}{DUPLICATES}")
OF_PLACEHOLDERS = (
    "ExpressionAttributeNames can only be specified when using expressions",
    "ExpressionAttributeValues can only be specified when using expressions",
    "Invalid ConditionExpression: The expression can not be empty;",
)
OF_EXPECTED = (
    f"{INVALID}Value must be provided when Exists is true",
    f"{INVALID}Value or AttributeValueList must be used with ComparisonOperator",
)

ENVELOPED: dict[str, tuple[str, ...]] = {
    "PutItem": (*OF_VALUES, *OF_PLACEHOLDERS, *OF_EXPECTED),
    "UpdateItem": (*OF_VALUES, "Invalid ConditionExpression: An expression attribute value used in expression"),
    "DeleteItem": (
        *OF_VALUES,
        *OF_PLACEHOLDERS,
        *OF_EXPECTED,
        "ExpressionAttributeNames must not be empty",
        "ExpressionAttributeValues must not be empty",
        "ReturnValues can only be ALL_OLD or NONE",
        f"{INVALID}Value cannot be used when Exists is false",
        f"{INVALID}Value and AttributeValueList cannot be used together",
        f"{INVALID}Invalid number of argument(s) for the BETWEEN",
    ),
}
"""How the faults begin that were seen in an envelope."""


def told(action: str, words: Words, fault: ServiceError) -> ServiceError:
    """The fault in the form in which this operation tells it."""
    message = fault.service_message
    if words == "classic" or not message.startswith(ENVELOPED.get(action, ())):
        return fault
    return validation(ENVELOPE + message.removesuffix(": ConditionExpression is null"))
