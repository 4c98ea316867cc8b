"""Expressions of requests: names and values become placeholders, because many good names are reserved words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tablewright.codegen.functions import Placeholder, parts_of
from tablewright.design.conditions import read_expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.assembly.requests import Filter
    from tablewright.codegen.examples.values import Values

COMPARISONS = {"=": "=", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}


class Marks:
    """Names and values of one request."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, Any] = {}

    def name(self, attribute: str) -> str:
        """`#status` for status; a number is added where two attributes would look alike."""
        plain = "#" + re.sub(r"[^A-Za-z0-9_]", "_", attribute)
        mark, number = plain, 1
        while self.names.get(mark, attribute) != attribute:
            number += 1
            mark = f"{plain}_{number}"
        self.names[mark] = attribute
        return mark

    def value(self, value: Any) -> str:
        mark = f":v{len(self.values)}"
        self.values[mark] = value
        return mark

    def params(self) -> dict[str, Any]:
        found = {"ExpressionAttributeNames": self.names, "ExpressionAttributeValues": self.values}
        return {name: each for name, each in found.items() if each}


def filter_texts(filters: tuple[Filter, ...], values: Values, marks: Marks) -> Iterator[str]:
    for each in filters:
        name = marks.name(each.attribute)
        used = [marks.value(filter_value(value, values)) for value in each.values]
        match each.operator:
            case "in":
                yield f"{name} IN ({', '.join(used)})"
            case "between":
                yield f"{name} BETWEEN {used[0]} AND {used[1]}"
            case "begins_with":
                yield f"begins_with({name}, {used[0]})"
            case _:
                yield f"{name} {COMPARISONS[each.operator]} {used[0]}"


def filter_value(value: Any, values: Values) -> Any:
    parts = list(parts_of(value)) if isinstance(value, str) else []
    return values.get(parts[0].name) if len(parts) == 1 and isinstance(parts[0], Placeholder) else value


def condition_text(text: str, values: Values, marks: Marks) -> str:
    """A condition of the design with its names and values put in."""
    found = read_expression(text)
    shown = {mark: marks.value(values.get(name)) for mark, name in found.parameters.items()}
    shown |= {mark: marks.value(value) for mark, value in found.literals.items()}
    shown |= {mark: marks.name(name) for mark, name in found.names.items()}
    return re.sub(r"[#:]\w+", lambda match: shown[match.group()], found.text)


def all_of(conditions: list[str]) -> str:
    """Joined by AND; one with an OR inside keeps to itself."""
    if len(conditions) < 2:
        return "".join(conditions)
    return " AND ".join(f"({each})" if re.search(r"\bor\b", each, re.IGNORECASE) else each for each in conditions)
