"""A batch while it is handled: whose turn it is, what failed, and what has to be delivered again.

The deliverer goes on from one place: everything from the first record that is not done comes again. Therefore nothing
behind a failure is begun, unless somebody remembers what is done; then only the failed item waits, and others go on.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.runtime.streams.changes.record import StreamRecord

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tablewright.runtime.streams.changes.sources import Delivery


class Failure(msgspec.Struct, frozen=True):
    """A record that was not handled, and why; `record` is None when it could not be read."""

    sequence: str
    error: Exception
    record: StreamRecord | None = None


class Handled(msgspec.Struct, frozen=True):
    """What became of a batch: how many records are done, in order; the first that is not; and all that failed."""

    count: int
    again_from: str | None = None
    failures: tuple[Failure, ...] = ()

    def report(self) -> dict[str, list[dict[str, str]]]:
        """What Lambda wants to be told: where to go on from."""
        failed = [] if self.again_from is None else [{"itemIdentifier": self.again_from}]
        return {"batchItemFailures": failed}

    def raise_failed(self) -> None:
        """Raise the first failure, for whoever has no use for a report."""
        if self.failures:
            raise self.failures[0].error


class Batch:
    """The state of one batch; `stops` ends it at the first failure."""

    def __init__(self, given: Sequence[Delivery], *, stops: bool) -> None:
        self.given = given
        self.stops = stops
        self.order = _order_of(given)
        self.items = [f"?{at}" if each.record is None else each.record.item for at, each in enumerate(given)]
        self._done: set[int] = set()
        self._ids: set[str] = set()
        self._waiting: set[str] = set()
        self._failures: dict[int, Failure] = {}

    def may_run(self, at: int) -> bool:
        if self._failures and self.stops:
            return False
        return self.items[at] not in self._waiting

    def is_repeated(self, at: int) -> bool:
        """Whether the same change was handled earlier in the batch."""
        record = self.given[at].record
        return record is not None and bool(record.id) and record.id in self._ids

    @contextmanager
    def noting(self, at: int) -> Generator[None]:
        """Notes how a record fared; a failure goes no further."""
        delivery = self.given[at]
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever it was, the record has to come again
            self._failures[at] = Failure(delivery.sequence, error, delivery.record)
            self._waiting.add(self.items[at])
        else:
            self._done.add(at)
            if delivery.record is not None:
                self._ids.add(delivery.record.id)

    def result(self) -> Handled:
        first = next((at for at in range(len(self.given)) if at not in self._done), None)
        failures = tuple(self._failures[at] for at in sorted(self._failures))
        if first is None:
            return Handled(len(self.given), None, failures)
        return Handled(first, self.given[first].sequence, failures)


def _order_of(given: Sequence[Delivery]) -> list[int]:
    """The order to handle them in: as they came, or by their time where that means nothing."""
    places = list(range(len(given)))
    if all(each.record is None or each.record.is_ordered for each in given):
        return places
    times: list[Any] = [None if each.record is None else each.record.microseconds for each in given]
    latest = 0
    for at, made in enumerate(times):  # what has no time keeps its place
        times[at] = latest if made is None else made
        latest = times[at]
    return sorted(places, key=times.__getitem__)
