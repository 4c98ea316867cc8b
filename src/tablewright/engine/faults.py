"""DynamoDB's no, in its own types and words. Everything the engine refuses is one of these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.errors import ServiceError, service_error

if TYPE_CHECKING:
    from collections.abc import Sequence


def validation(message: str) -> ServiceError:
    return service_error("ValidationException", message)


def invalid_parameters(message: str) -> ServiceError:
    """The most common prefix of the service's own checks."""
    return validation(f"One or more parameter values were invalid: {message}")


def not_valid(message: str) -> ServiceError:
    """The prefix of the newer checks."""
    return validation(f"One or more parameter values are not valid. {message}")


def serialization(message: str) -> ServiceError:
    return service_error("SerializationException", message)


def no_such_table() -> ServiceError:
    return service_error("ResourceNotFoundException", "Requested resource not found")


def no_such_resource(message: str) -> ServiceError:
    return service_error("ResourceNotFoundException", message)


def in_use(message: str) -> ServiceError:
    return service_error("ResourceInUseException", message)


def condition_failed(item: dict[str, Any] | None = None) -> ServiceError:
    details = {"Item": item} if item is not None else None
    return service_error("ConditionalCheckFailedException", "The conditional request failed", details)


def cancelled(reasons: list[dict[str, Any]]) -> ServiceError:
    codes = ", ".join(reason["Code"] for reason in reasons)
    message = f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]"
    return service_error("TransactionCanceledException", message, {"CancellationReasons": reasons})


def unknown_operation() -> ServiceError:
    return service_error("UnknownOperationException", "")


# ---- the order in which names are listed that the service kept in a hash set -----------------------------------------

FIRST_BUCKETS = 16
_32_BITS = 0xFFFFFFFF


def java_order(names: Sequence[str]) -> list[str]:
    """By the buckets of their hashes, of which there are twice as many whenever three quarters are exceeded."""
    buckets = FIRST_BUCKETS
    while len(names) * 4 > buckets * 3:
        buckets *= 2
    return sorted(names, key=lambda name: _spread(_java_hash(name)) % buckets)


def _java_hash(text: str) -> int:
    units = text.encode("utf-16-be", "surrogatepass")
    value = 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        value = (value * 31 + (high << 8 | low)) & _32_BITS
    return value


def _spread(value: int) -> int:
    return value ^ (value >> 16)
