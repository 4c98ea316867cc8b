"""Every error Tablewright raises, in families named by whose fault it is.

    TablewrightError
    ├── SchemaError              the declaration cannot work            1001 to 1026
    ├── RequestError             the call cannot be made as asked       1010 to 2013
    │   └── ValidationError      values break the rules of attributes   3001
    ├── ServiceError             DynamoDB said no                       4001
    │   ├── ConditionFailed      a condition did not hold
    │   │   ├── Conflict         someone else wrote the item meanwhile
    │   │   ├── LeaseLost        someone else holds the item now
    │   │   └── NotUnique        another item has this value
    │   ├── TransactionCancelled some member of a transaction failed
    │   ├── Incomplete           part of a batch was not done, or nobody knows
    │   ├── Throttled            too much, too fast
    │   └── Aborted              the caller called it off               4002
    ├── TransportError           DynamoDB could not be asked            4001
    │   ├── ConnectionFailed     no connection, or it broke
    │   ├── TimedOut             no answer in time
    │   ├── BadAnswer            what came is not DynamoDB's answer
    │   ├── CredentialsMissing   nothing to sign requests with
    │   └── OutcomeUnknown       a write may or may not have been made
    ├── BlobError                what is kept outside the table failed  4001
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
        self.request_id: str | None = None
        self.details: Mapping[str, Any] = details or {}


class ConditionFailed(ServiceError):
    """The condition of a write did not hold. `item` is the item as it stood, when it was asked for."""

    def __init__(self, name: str, message: str = "", *, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(name, message, details=details)
        self.item: Any = None


class Conflict(ConditionFailed):
    """Someone else wrote the item since it was read. `item` is the item as it is now, None when it is gone."""


class LeaseLost(ConditionFailed):
    """The item of a queue is no longer the caller's. `item` is the item as it is now, None when it is gone."""


class NotUnique(ConditionFailed):
    """Another item has the value already.

    attributes   the attributes that must be unique, by name
    values       what the write would have given them
    owner        the composites of the item that has them, by name, for its key
    """

    def __init__(
        self,
        message: str,
        *,
        attributes: Sequence[str],
        values: Sequence[Any],
        owner: Mapping[str, Any],
    ) -> None:
        super().__init__("NotUnique", message)
        self.attributes = tuple(attributes)
        self.values = tuple(values)
        self.owner = dict(owner)


class CancellationReason(msgspec.Struct, frozen=True):
    """Why one member of a transaction failed; `code` is "None" for the members that were fine.

    `operation` is the member itself, `item` the item it met (as its entity reads it) where a condition failed.
    """

    code: str
    message: str | None = None
    item: Any = None
    operation: Any = None

    @property
    def entity(self) -> str | None:
        """The name of the entity that the member is about."""
        return None if self.operation is None else self.operation.layout.name


class TransactionCancelled(ServiceError):
    """Nothing was written (or read). `reasons` has one entry for each member, in order."""

    def __init__(self, name: str, message: str = "", *, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(name, message, details=details)
        self.reasons: tuple[CancellationReason, ...] = ()


class Incomplete(ServiceError):
    """Some members of a batch were done and others were not; `__cause__` is the error that ended it, if one did.

    done      how many members were done
    undone    the members that were not done, to be run again
    unknown   the members of requests whose answer was lost: they may have been done
    found     of a batch of gets, the answer as far as it is known: None for what is missing or was not read
    """

    def __init__(
        self,
        name: str,
        message: str = "",
        *,
        done: int = 0,
        undone: Sequence[Any] = (),
        unknown: Sequence[Any] = (),
        found: Sequence[Any] = (),
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(name, message, details=details)
        self.done = done
        self.undone = tuple(undone)
        self.unknown = tuple(unknown)
        self.found = list(found)


class Throttled(ServiceError):
    """DynamoDB asked us to slow down, and kept asking."""


class Aborted(ServiceError):
    """The caller called the operation off."""

    code = 4002


class TransportError(TablewrightError):
    """DynamoDB could not be asked, or its answer did not arrive whole."""

    code = 4001


class ConnectionFailed(TransportError):
    """There was no connection, or it broke."""


class TimedOut(TransportError):
    """No connection, or no answer, in the time given."""


class BadAnswer(TransportError):
    """What came back is not what DynamoDB sent: no HTTP, no JSON, or with another checksum."""


class CredentialsMissing(TransportError):
    """There are no credentials to sign requests with, or they could not be fetched."""


class OutcomeUnknown(TransportError):
    """A write was sent, and nobody can say whether DynamoDB made it; `__cause__` is what went wrong."""


class BlobError(TablewrightError):
    """A large value that is kept outside the table could not be stored or read; `key` is its name there."""

    code = 4001

    def __init__(self, message: str, *, key: str = "") -> None:
        super().__init__(message)
        self.key = key


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
