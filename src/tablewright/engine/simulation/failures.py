"""Trouble on request: failing calls, items held by another transaction, batches that come back half done."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import ServiceError, TablewrightError, service_error

if TYPE_CHECKING:
    from tablewright.engine.context import EngineContext

Params = dict[str, Any]

MESSAGES = {
    "InternalServerError": "The request processing has failed because of an unknown error, exception or failure.",
    "ServiceUnavailable": "The service is temporarily unavailable. Please retry the request.",
    "ThrottlingException": "Rate of requests exceeds the allowed throughput.",
    "ProvisionedThroughputExceededException": (
        "The level of configured provisioned throughput for the table was exceeded. "
        "Consider increasing your provisioning level with the UpdateTable API."
    ),
    "RequestLimitExceeded": (
        "Throughput exceeds the current throughput limit for your account. "
        "Please contact AWS Support at https://aws.amazon.com/support request a limit increase"
    ),
}


class Failure(msgspec.Struct, frozen=True):
    """A call that fails: before anything happened, or `after` it did, so that only the answer is lost."""

    name: str = "InternalServerError"
    after: bool = False

    def error(self) -> ServiceError:
        return service_error(self.name, MESSAGES.get(self.name, ""))


def fail(failure: Failure | None, *, after: bool) -> None:
    """Raise it if this is its moment."""
    if failure is not None and failure.after == after:
        raise failure.error()


Failures = Callable[[str, Params], Failure | None]


def every(nth: int, name: str = "InternalServerError", *, after: bool = False, actions: Iterable[str] = ()) -> Failures:
    """Let every nth call fail (of these actions, when some are named)."""
    if nth < 1:
        raise TablewrightError(f"every {nth}th call cannot fail; give 1 for all of them, 2 for every other, and so on")
    chosen, seen, failure = frozenset(actions), 0, Failure(name, after)

    def fails(action: str, _params: Params) -> Failure | None:
        nonlocal seen
        if chosen and action not in chosen:
            return None
        seen += 1
        return failure if seen % nth == 0 else None

    return fails


class Holds:
    """Items that another transaction is busy with."""

    def __init__(self, holds: Callable[[str, Params], bool] | None = None) -> None:
        self._asked = holds
        self._held: list[tuple[str, Params]] = []

    @contextmanager
    def hold(self, table: str, key: Params) -> Generator[None]:
        """While inside, writes and transactions that touch this item (its key in DynamoDB JSON) meet a conflict."""
        self._held.append((table, key))
        try:
            yield
        finally:
            self._held.remove((table, key))

    def __bool__(self) -> bool:
        return bool(self._held) or self._asked is not None

    def __call__(self, table: str, item: Params) -> bool:
        """Whether this item (or key) is held."""
        if self._asked is not None and self._asked(table, item):
            return True
        return any(
            table == held and all(item.get(name) == value for name, value in key.items()) for held, key in self._held
        )


def conflict() -> ServiceError:
    return service_error("TransactionConflictException", "Transaction is ongoing for the item")


Aside = Callable[[str, Params], bool]


def every_nth_member(nth: int) -> Aside:
    """Leave every nth member of batches undone."""
    seen = 0

    def left(_table: str, _member: Params) -> bool:
        nonlocal seen
        seen += 1
        return seen % nth == 0

    return left


def handle_batch(engine: EngineContext, action: str, params: Params, handler: Any, aside: Aside) -> Params:
    """A batch without the members that are to come back as unprocessed; when that is all of them, nothing is done."""
    done, left = BATCHES[action](params["RequestItems"], aside)
    field = "UnprocessedItems" if action == "BatchWriteItem" else "UnprocessedKeys"
    if done:
        reply: Params = handler(engine, {**params, "RequestItems": done})
    else:
        reply = {field: {}} if action == "BatchWriteItem" else {"Responses": {}, field: {}}
    return {**reply, field: _join(reply.get(field) or {}, left)} if left else reply


def _split_writes(asked: dict[str, list[Params]], aside: Aside) -> tuple[Params, Params]:
    done: Params = {}
    left: Params = {}
    for table, members in asked.items():
        for member in members:
            what: Params = member["PutRequest"]["Item"] if "PutRequest" in member else member["DeleteRequest"]["Key"]
            (left if aside(table, what) else done).setdefault(table, []).append(member)
    return done, left


def _split_reads(asked: dict[str, Params], aside: Aside) -> tuple[Params, Params]:
    done: Params = {}
    left: Params = {}
    for table, wanted in asked.items():
        for key in wanted["Keys"]:
            place = left if aside(table, key) else done
            place.setdefault(table, {**wanted, "Keys": []})["Keys"].append(key)
    return done, left


BATCHES: dict[str, Callable[[Params, Aside], tuple[Params, Params]]] = {
    "BatchWriteItem": _split_writes,
    "BatchGetItem": _split_reads,
}


def _join(found: Params, left: Params) -> Params:
    """What the handler left undone, and what was put aside before it."""
    result = dict(found)
    for table, more in left.items():
        have = result.get(table)
        if have is None:
            result[table] = more
        elif isinstance(more, list):
            result[table] = [*have, *more]
        else:
            result[table] = {**have, "Keys": [*have["Keys"], *more["Keys"]]}
    return result
