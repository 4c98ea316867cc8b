"""The callback of `data`: `data(lambda a, op: [op.add(a.visits, 1), op.remove(a.note)])`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.runtime.electrodb.where import Attributes, Context, Operations, Text, as_text, path_of
from tablewright.runtime.requests.changes import Change, is_empty_set, is_nothing
from tablewright.runtime.types.values import ABSENT
from tablewright.schema.functions import call
from tablewright.schema.types import Scalar

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.runtime.items.layout import Layout


class DataOperations(Operations):
    """The second argument of a data callback: each call is one change, in order."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.changes: list[Change] = []

    def _add(self, verb: Any, ref: Any, value: Any = ABSENT, default: Any = ABSENT) -> Change:
        if value is ABSENT:
            value, default = default, ABSENT
        if verb in ("set", "if_not_exists"):
            value = as_text(self._target(ref).attribute, value, (Scalar,))
        plain = value.node if isinstance(value, Text) else value
        change = Change(verb, path_of(ref), plain, default)
        if not (is_nothing(change) or is_empty_set(self._target(ref), plain)):
            self.changes.append(change)
        return change

    def name(self, ref: Any) -> Text:
        self._mention(ref)
        return super().name(ref)

    def value(self, ref: Any, value: Any) -> Text:
        self._mention(ref)
        return self._context.text(self._operand(ref, value, lambda _key, plain: plain))  # a change gives it its form

    def _mention(self, ref: Any) -> None:
        """What is read-only (table composites are) cannot even be mentioned: ElectroDB takes that for a change."""
        self.changes.append(Change("mention", path_of(ref)))

    def set(self, ref: Any, value: Any) -> Change:
        return self._add("set", ref, value)

    def remove(self, ref: Any) -> Change:
        return self._add("remove", ref)

    def add(self, ref: Any, value: Any, default: Any = ABSENT) -> Change:
        return self._add("add", ref, value, default)

    def subtract(self, ref: Any, value: Any, default: Any = ABSENT) -> Change:
        return self._add("subtract", ref, value, default)

    def append(self, ref: Any, value: Any) -> Change:
        return self._add("append", ref, value)

    def delete(self, ref: Any, value: Any) -> Change:
        return self._add("delete", ref, value)

    def if_not_exists(self, ref: Any, value: Any) -> Change:
        return self._add("if_not_exists", ref, value)


def read_data(layout: Layout, callback: Callable[..., Any]) -> tuple[Change, ...]:
    """The changes a data callback makes."""
    context = Context(layout.attributes, (layout,))
    operations = DataOperations(context)
    call(callback, Attributes(context), operations)
    return tuple(operations.changes)
