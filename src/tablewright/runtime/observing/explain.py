"""What running an operation took: `print(db.run(operation, explain=True))`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.runtime.features.blobs.saved import Saved
from tablewright.runtime.observing.observation import Observation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

R_co = TypeVar("R_co", covariant=True)

LABEL_WIDTH = 11
SHOWN_ROWS = 12
MOST_LINES = 3
WIDTH = 120


class Explained(msgspec.Struct, Generic[R_co], frozen=True):
    """An operation's result, and every call that was made for it; as text, what one wants to know of them."""

    result: R_co
    name: str
    calls: tuple[Observation, ...]
    saved: Saved | None = None  # by large attributes, where there are any

    @property
    def index(self) -> str | None:
        """The index that was read, None for the table itself."""
        return self.calls[0].index if self.calls else None

    @property
    def key_condition(self) -> str | None:
        return self._expression("KeyConditionExpression")

    @property
    def filter(self) -> str | None:
        return self._expression("FilterExpression")

    def _expression(self, name: str) -> str | None:
        from tablewright.runtime.observing.request_text import filled  # whoever looks pays

        params = self.calls[0].params if self.calls else {}
        return filled(params[name], params) if name in params else None

    @property
    def items_read(self) -> int:
        """Items that DynamoDB looked at, and charged for."""
        return sum(each.items_read or 0 for each in self.calls)

    @property
    def items_returned(self) -> int:
        """Items that were left after filters."""
        return sum(each.items_returned or 0 for each in self.calls)

    @property
    def rcu(self) -> float:
        return sum(each.capacity_units or 0.0 for each in self.calls if each.unit == "rcu")

    @property
    def wcu(self) -> float:
        return sum(each.capacity_units or 0.0 for each in self.calls if each.unit == "wcu")

    @property
    def pages(self) -> int:
        """Pages that a query or scan took."""
        return sum(each.action in ("Query", "Scan") for each in self.calls)

    @property
    def requests(self) -> int:
        """How often something was sent, retries included."""
        return sum(each.attempts for each in self.calls)

    @property
    def retries(self) -> int:
        return self.requests - len(self.calls)

    @property
    def duration_seconds(self) -> float:
        """The time spent in calls; they may have run side by side."""
        return sum(each.duration_seconds for each in self.calls)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        from tablewright.runtime.observing.request_text import request_rows

        yield self.name
        for group in _alike(self.calls):
            shown = list(request_rows(group[0].action, group[0].params))
            for label, text in shown[:SHOWN_ROWS]:
                yield _line(label, text)
            if len(shown) > SHOWN_ROWS:
                yield _line("", f"and {len(shown) - SHOWN_ROWS} more")
            if len(group) > 1:
                yield _line("again", f"{_counted(len(group) - 1, 'more call')} like this one")
        for label, text in self._totals():
            yield _line(label, text)

    def _totals(self) -> Iterator[tuple[str, str]]:
        if any(each.items_read is not None for each in self.calls):
            yield "items", f"{self.items_returned} returned of {self.items_read} read"
        yield "capacity", _capacity(self.calls)
        if self.saved is not None and self.saved.plain_bytes:
            yield "saved", str(self.saved)
        pages = f" for {_counted(self.pages, 'page')}" if self.pages else ""
        yield "requests", f"{self.requests}{pages}"
        if self.retries:
            faults = ", ".join(fault for each in self.calls for fault in each.faults)
            yield "retries", f"{self.retries} ({faults})"


def _alike(calls: Iterable[Observation]) -> list[list[Observation]]:
    """Calls of one kind to one place, in order of the first of each."""
    groups: dict[Any, list[Observation]] = {}
    for each in calls:
        groups.setdefault((each.action, each.tables, each.index), []).append(each)
    return list(groups.values())


def _capacity(calls: Iterable[Observation]) -> str:
    """Units in all, and where they went when that was not one place."""
    units: dict[str, dict[str, float]] = {}
    for call in calls:
        places = units.setdefault(call.unit, {}) if call.capacity else {}
        for each in call.capacity:
            for place, amount in ((each.table, each.table_units), *each.indexes.items()):
                places[place] = places.get(place, 0.0) + amount
    return ", ".join(_spelled(unit, places) for unit, places in units.items()) or "not told"


def _spelled(unit: str, places: dict[str, float]) -> str:
    used = {place: amount for place, amount in places.items() if amount}
    total = f"{sum(used.values()):g} {unit}"
    return f"{total} ({', '.join(f'{place} {amount:g}' for place, amount in used.items())})" if used else total


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _line(label: str, text: str) -> str:
    import textwrap

    indent = " " * (LABEL_WIDTH + 2)
    lines = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"  {label:<{LABEL_WIDTH}}",
        subsequent_indent=indent,
        max_lines=MOST_LINES,
        placeholder=" ...",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines)
