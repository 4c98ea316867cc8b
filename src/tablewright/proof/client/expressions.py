"""Filters, conditions and updates of a design as the expressions DynamoDB takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.design.conditions import read_expression
from tablewright.proof.client.texts import only_name
from tablewright.wire.values import marshal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tablewright.design.filters import Filter

COMPARISONS = {
    "=": "{name} = {0}",
    "gt": "{name} > {0}",
    "gte": "{name} >= {0}",
    "lt": "{name} < {0}",
    "lte": "{name} <= {0}",
    "between": "{name} BETWEEN {0} AND {1}",
    "begins_with": "begins_with({name}, {0})",
}
TESTS: dict[str, Callable[[Any, list[Any]], bool]] = {
    "=": lambda value, given: value == given[0],
    "gt": lambda value, given: value > given[0],
    "gte": lambda value, given: value >= given[0],
    "lt": lambda value, given: value < given[0],
    "lte": lambda value, given: value <= given[0],
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


# ---- filters --------------------------------------------------------------------------------------------------------


def filter_values(each: Filter, inputs: Mapping[str, Any]) -> list[Any]:
    """`{name}` is a parameter, everything else stands for itself."""
    names = [only_name(value) if isinstance(value, str) else None for value in each.values]
    return [value if name is None else inputs[name] for name, value in zip(names, each.values, strict=True)]


def filter_text(filters: Iterable[Filter], inputs: Mapping[str, Any], used: Placeholders) -> str:
    texts: list[str] = []
    for each in filters:
        name = used.name(each.attribute)
        marks = [used.value(value) for value in filter_values(each, inputs)]
        known = COMPARISONS.get(each.operator)
        texts.append(f"{name} IN ({', '.join(marks)})" if known is None else known.format(*marks, name=name))
    return " AND ".join(texts)


def passes(filters: Iterable[Filter], item: Mapping[str, Any], inputs: Mapping[str, Any]) -> bool:
    """The same on an item at hand, where the request has no filter."""
    return all(
        each.attribute in item and TESTS[each.operator](item[each.attribute], filter_values(each, inputs))
        for each in filters
    )


# ---- conditions -----------------------------------------------------------------------------------------------------


def condition_text(text: str, values: Mapping[str, Any], used: Placeholders) -> str:
    """A condition of the design with its names and values put in."""
    found = read_expression(text)
    marks = {mark: used.value(values[name]) for mark, name in found.parameters.items()}
    marks |= {mark: used.value(value) for mark, value in found.literals.items()}
    marks |= {mark: used.name(name) for mark, name in found.names.items()}
    written = found.text
    for mark in sorted(marks, key=len, reverse=True):
        written = written.replace(mark, f"\0{marks[mark]}\0")
    return written.replace("\0", "")


def unchanged_text(names: Iterable[str], old: Mapping[str, Any], used: Placeholders) -> Iterable[str]:
    for name in names:
        mark = used.name(name)
        yield f"attribute_not_exists({mark})" if old.get(name) is None else f"{mark} = {used.value(old[name])}"
