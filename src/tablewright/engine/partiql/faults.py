"""What DynamoDB says of statements it cannot take."""

from __future__ import annotations

import re

from tablewright.engine.faults import validation
from tablewright.errors import ServiceError, service_error

LEFTOVER = "Unexpected token after expression"
ALIASED = "Aliasing is not supported"
NO_KEY = "Where clause does not contain a mandatory equality on all key attributes"
WRONG_KEY_TYPE = "Key attribute's data type should match its data type in table's schema: Key {}"
OVERLAP = "Overlapping conditions with range keys are not supported in where clause"
DUPLICATE = "There is an item with this primary key already"

_EXPRESSION = re.compile(r"^Invalid (?:Condition|Filter|Update|KeyCondition|Projection)Expression: ")


def malformed(reason: str = "") -> ServiceError:
    """The statement could not be read; characters that make no token get no reason."""
    return validation(f"Statement wasn't well formed, can't be processed: {reason}")


def validation_at(message: str, place: str) -> ServiceError:
    """A refusal that says where in the statement its cause stands."""
    return validation(f"{message} at {place}")


def duplicate_item() -> ServiceError:
    return service_error("DuplicateItemException", DUPLICATE)


def without_expression(error: ServiceError) -> ServiceError:
    """The error as told of a statement, which has no expressions in the sense of other requests."""
    message = _EXPRESSION.sub("", error.service_message)
    return error if message == error.service_message else service_error(error.name, message, error.details)
