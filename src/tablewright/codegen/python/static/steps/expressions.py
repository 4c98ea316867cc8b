"""Filters and conditions as DynamoDB takes them; names and values are placeholders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any

from .model import Filter, Inputs, Item
from .templates import only_name

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
WORDS = frozenset(("and", "or", "not", "between", "in"))
FUNCTIONS = frozenset(
    (
        "attribute_exists",
        "attribute_not_exists",
        "attribute_type",
        "begins_with",
        "contains",
        "size",
    )
)
TOKEN = re.compile(
    r"\{(?P<braced>[^{}]+)\}|:(?P<colon>\w+)|'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\""
    r"|(?P<number>-?\d+(?:\.\d+)?)|(?P<word>[A-Za-z_]\w*)"
)


class Placeholders:
    """Names and values of one request, collected while its expressions are written."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, Any] = {}

    def name(self, attribute: str) -> str:
        return self.names.setdefault(attribute, f"#n{len(self.names)}")

    def value(self, value: Any) -> str:
        mark = f":v{len(self.values)}"
        self.values[mark] = value
        return mark

    def params(self) -> dict[str, Any]:
        names = {mark: attribute for attribute, mark in self.names.items()}
        found: dict[str, dict[str, Any]] = {
            "ExpressionAttributeNames": names,
            "ExpressionAttributeValues": self.values,
        }
        return {name: each for name, each in found.items() if each}


def filter_values(each: Filter, inputs: Inputs) -> list[Any]:
    """`{name}` is an input, everything else stands for itself."""
    names = [only_name(value) for value in each.values]
    pairs = zip(names, each.values, strict=True)
    return [value if name is None else inputs[name] for name, value in pairs]


def filter_text(filters: Iterable[Filter], inputs: Inputs, used: Placeholders) -> str:
    texts: list[str] = []
    for each in filters:
        name = used.name(each.attribute)
        marks = [used.value(value) for value in filter_values(each, inputs)]
        known = COMPARISONS.get(each.operator, f"{{name}} IN ({', '.join(marks)})")
        texts.append(known.format(*marks, name=name))
    return " AND ".join(texts)


def passes(filters: Iterable[Filter], item: Item, inputs: Inputs) -> bool:
    """The same on an item at hand, where the request has no filter."""
    return all(
        each.attribute in item
        and TESTS[each.operator](item[each.attribute], filter_values(each, inputs))
        for each in filters
    )


def condition_text(text: str, values: Inputs, used: Placeholders) -> str:
    """A condition over plain names, with `{name}`, numbers and 'texts' for values."""

    def placeholder(match: re.Match[str]) -> str:
        found = match.groupdict()
        word, number = found["word"], found["number"]
        if word is not None:
            return word_text(word, used)
        if number is not None:
            return used.value(Decimal(number) if "." in number else int(number))
        given = found["braced"] or found["colon"]
        if given is not None:
            return used.value(values.get(given))
        single = found["single"]
        return used.value(found["double"] if single is None else single)

    return TOKEN.sub(placeholder, text)


def word_text(word: str, used: Placeholders) -> str:
    if word.lower() in ("true", "false"):
        return used.value(word.lower() == "true")
    is_syntax = word.lower() in WORDS or word in FUNCTIONS
    return word if is_syntax else used.name(word)


def unchanged_texts(
    names: Iterable[str], old: Item, used: Placeholders
) -> Iterator[str]:
    """Conditions that attributes are still what they were when they were read."""
    for name in names:
        mark = used.name(name)
        absent = old.get(name) is None
        yield (
            f"attribute_not_exists({mark})"
            if absent
            else f"{mark} = {used.value(old[name])}"
        )
