"""The older form of `where`, in which operations hang on the attribute: `filter(lambda a: a.status.eq("open"))`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.runtime.electrodb.where import Context, Operations, Ref, Text, to_condition
from tablewright.schema.functions import call

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.expr import nodes
    from tablewright.runtime.items.layout import Layout


class _FilterAttribute:
    """`attributes.status.eq("open")`: the deprecated form, where operations hang on the attribute."""

    def __init__(self, operations: Operations, ref: Ref) -> None:
        self._operations = operations
        self._ref = ref

    def __getattr__(self, name: str) -> Callable[..., Text]:
        operation = getattr(self._operations, name)
        return lambda *values: operation(self._ref, *values)


class _FilterAttributes:
    """The first argument of a filter."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._operations = Operations(context)

    def __getattr__(self, name: str) -> _FilterAttribute:
        return _FilterAttribute(self._operations, Ref(self._context, (name,)))

    __getitem__ = __getattr__


def read_filter(layout: Layout, callback: Callable[..., Any], *args: Any) -> nodes.Condition | None:
    context = Context(layout.attributes, (layout,))
    return to_condition(context, call(callback, _FilterAttributes(context), *args))
