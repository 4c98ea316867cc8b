"""Errors as the service writes them into its answers: the type's namespace, and how `message` is spelled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.errors import service_error

if TYPE_CHECKING:
    from tablewright.errors import ServiceError

DYNAMODB = "com.amazonaws.dynamodb.v20120810#"
SERVICE = "com.amazon.coral.service#"

# Errors of the web framework around DynamoDB; all others are DynamoDB's own.
NAMESPACES = {
    "ValidationException": "com.amazon.coral.validate#",
    "ThrottlingException": "com.amazon.coral.availability#",
    "AccessDeniedException": SERVICE,
    "IncompleteSignatureException": SERVICE,
    "InvalidSignatureException": SERVICE,
    "MissingAuthenticationTokenException": SERVICE,
    "SerializationException": SERVICE,
    "UnknownOperationException": SERVICE,
    "UnrecognizedClientException": SERVICE,
}

CAPITAL_MESSAGE = frozenset(
    {
        "AccessDeniedException",
        "IdempotentParameterMismatchException",
        "SerializationException",
        "TransactionCanceledException",
        "TransactionInProgressException",
    }
)
SERVER_SIDE = frozenset({"InternalServerError"})


def error_status(error: ServiceError) -> int:
    return 500 if error.name in SERVER_SIDE else 400


def error_body(error: ServiceError) -> dict[str, Any]:
    body: dict[str, Any] = {"__type": NAMESPACES.get(error.name, DYNAMODB) + error.name}
    if error.service_message:
        body["Message" if error.name in CAPITAL_MESSAGE else "message"] = error.service_message
    body.update(error.details)
    return body


def internal_error(message: str = "Internal server error") -> ServiceError:
    return service_error("InternalServerError", message)
