"""Every error Tablewright raises, in families named by whose fault it is.

    TablewrightError
    ├── SchemaError              the declaration cannot work            1001 to 1026
    ├── RequestError             the call cannot be made as asked       1010 to 2013
    │   └── ValidationError      values break the rules of attributes   3001
    ├── ServiceError             DynamoDB said no                       4001
    │   ├── ConditionFailed      a condition did not hold
    │   ├── TransactionCancelled some member of a transaction failed
    │   ├── Throttled            too much, too fast
    │   └── Aborted              the caller called it off               4002
    └── DesignError              the access patterns cannot be met

Codes are ElectroDB's, so that a team which knows them can look them up; the remedy is in the message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DOCS = "docs/reference/errors.md"


class TablewrightError(Exception):
    """The root: `code` is ElectroDB's number, `anchor` the place in the documentation that explains it."""

    code: int = 5002

    def __init__(self, message: str, *, code: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code

    @property
    def anchor(self) -> str:
        return f"{DOCS}#{self.code}"

    def __str__(self) -> str:
        return f"{self.message} [{self.code}: {self.anchor}]"


class SchemaError(TablewrightError):
    """The declaration of a service, entity, attribute or access pattern cannot work."""

    code = 1009


class RequestError(TablewrightError):
    """The call cannot be turned into a request: something is missing, unknown or contradictory."""

    code = 2002


class FieldFault(msgspec.Struct, frozen=True):
    """One faulty value: where it stands (`dims.notes[*]`), what is wrong, and the exception behind it."""

    path: str
    reason: str
    cause: BaseException | None = None


class ValidationError(RequestError):
    """Values break the rules of their attributes; `fields` lists every one of them."""

    code = 3001

    def __init__(self, fields: Sequence[FieldFault], *, message: str = "", code: int | None = None) -> None:
        self.fields = tuple(fields)
        listed = "; ".join(f"{fault.path}: {fault.reason}" for fault in self.fields)
        super().__init__(f"{message}: {listed}" if message and listed else message or listed, code=code)


class ServiceError(TablewrightError):
    """DynamoDB's own answer was an error. `name` is its type, such as `ResourceNotFoundException`."""

    code = 4001

    def __init__(self, name: str, message: str = "", *, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(f"{name}: {message}" if message else name)
        self.name = name
        self.service_message = message
        self.details: Mapping[str, Any] = details or {}


class ConditionFailed(ServiceError):
    """The condition of a write did not hold. `item` is the item as it stood, when it was asked for."""

    def __init__(self, name: str, message: str = "", *, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(name, message, details=details)
        self.item: Any = None


class CancellationReason(msgspec.Struct, frozen=True):
    """Why one member of a transaction failed; `code` is "None" for the members that were fine."""

    code: str
    message: str | None = None
    item: Any = None


class TransactionCancelled(ServiceError):
    """Nothing was written (or read). `reasons` has one entry for each member, in order."""

    def __init__(self, name: str, message: str = "", *, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(name, message, details=details)
        self.reasons: tuple[CancellationReason, ...] = ()


class Throttled(ServiceError):
    """DynamoDB asked us to slow down, and kept asking."""


class Aborted(ServiceError):
    """The caller called the operation off."""

    code = 4002


class DesignError(TablewrightError):
    """No design can serve the access patterns as they are described."""

    code = 5001


FAILURES: dict[str, type[ServiceError]] = {
    "ConditionalCheckFailedException": ConditionFailed,
    "TransactionCanceledException": TransactionCancelled,
    "ProvisionedThroughputExceededException": Throttled,
    "RequestLimitExceeded": Throttled,
    "ThrottlingException": Throttled,
}


def service_error(name: str, message: str = "", details: Mapping[str, Any] | None = None) -> ServiceError:
    """DynamoDB's answer as the error that fits its type."""
    return FAILURES.get(name, ServiceError)(name, message, details=details)
