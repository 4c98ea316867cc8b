"""Filters, conditions and updates of a design as the expressions DynamoDB takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.expr import render
from tablewright.expr.nodes import Slot
from tablewright.wire.values import marshal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tablewright.design.conditions import Predicate

TESTS: dict[str, Callable[[Any, list[Any]], bool]] = {
    "=": lambda value, given: value == given[0],
    ">": lambda value, given: value > given[0],
    ">=": lambda value, given: value >= given[0],
    "<": lambda value, given: value < given[0],
    "<=": lambda value, given: value <= given[0],
    "between": lambda value, given: given[0] <= value <= given[1],
    "begins_with": lambda value, given: str(value).startswith(given[0]),
    "in": lambda value, given: value in given,
}


class Placeholders:
    """Names and values of one request, collected while its expressions are written."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, Any] = {}

    def name(self, attribute: str) -> str:
        for mark, known in self.names.items():
            if known == attribute:
                return mark
        mark = f"#n{len(self.names)}"
        self.names[mark] = attribute
        return mark

    def value(self, value: Any) -> str:
        mark = f":v{len(self.values)}"
        self.values[mark] = marshal(value)
        return mark

    def params(self) -> dict[str, Any]:
        found = {"ExpressionAttributeNames": self.names, "ExpressionAttributeValues": self.values}
        return {name: each for name, each in found.items() if each}


# ---- conditions -----------------------------------------------------------------------------------------------------


class Filled(render.Placeholders):
    """Expressions written with the placeholders of a request, and with values in their slots."""

    __slots__ = ("given", "used")
    is_plain = False

    def __init__(self, used: Placeholders, given: Mapping[str, Any]) -> None:
        super().__init__()
        self.used, self.given = used, given

    def name(self, parts: Sequence[str | int]) -> str:
        return ".".join(self.used.name(str(part)) for part in parts)

    def value(self, value: Any, hint: str = "") -> str:
        del hint
        return self.used.value(self.given[value.name] if isinstance(value, Slot) else value)


def condition_text(condition: Predicate, values: Mapping[str, Any], used: Placeholders) -> str:
    """A condition of the design with its names and values put in."""
    return render.render_condition(condition.tree, Filled(used, values))


def filter_text(filters: Iterable[Predicate], inputs: Mapping[str, Any], used: Placeholders) -> str:
    return " AND ".join(condition_text(each, inputs, used) for each in filters)


def passes(filters: Iterable[Predicate], item: Mapping[str, Any], inputs: Mapping[str, Any]) -> bool:
    """The same on an item at hand, where the request has no filter."""
    for each in filters:
        attribute, operator, values = each.comparison
        given = [inputs[value.name] if isinstance(value, Slot) else value for value in values]
        if attribute not in item or not TESTS[operator](item[attribute], given):
            return False
    return True


def unchanged_text(names: Iterable[str], old: Mapping[str, Any], used: Placeholders) -> Iterable[str]:
    for name in names:
        mark = used.name(name)
        yield f"attribute_not_exists({mark})" if old.get(name) is None else f"{mark} = {used.value(old[name])}"
