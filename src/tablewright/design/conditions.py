"""Conditions of writes as people write them: plain names, `{name}` or `:name` for a parameter, numbers and 'texts'.

Names and values become placeholders, because half of all good attribute names are reserved words of DynamoDB.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import DesignError
from tablewright.expr.parse import ExpressionError, parse_condition
from tablewright.wire.numbers import parse_number

if TYPE_CHECKING:
    from collections.abc import Collection

WORDS = frozenset({"and", "or", "not", "between", "in"})
FUNCTIONS = frozenset({"attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains", "size"})
CONSTANTS: Mapping[str, bool] = {"true": True, "false": False}
TOKEN = re.compile(
    r"\{(?P<braced>[^{}]+)\}|:(?P<colon>\w+)|'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\""
    r"|(?P<number>-?\d+(?:\.\d+)?)|(?P<word>[A-Za-z_]\w*)"
)
EXISTENCE = re.compile(r"\bnot\s+exist(s|ing)?\b|\bdoes not exist\b|\bis free\b", re.IGNORECASE)


class Expression(msgspec.Struct, frozen=True):
    """A condition with placeholders, and what these stand for."""

    text: str
    names: Mapping[str, str]
    parameters: Mapping[str, str]  # by placeholder: the parameter's name
    literals: Mapping[str, Any]  # by placeholder: the value


def read_expression(text: str) -> Expression:
    names: dict[str, str] = {}
    parameters: dict[str, str] = {}
    literals: dict[str, Any] = {}

    def placeholder(match: re.Match[str]) -> str:
        found = match.groupdict()
        word = found["word"]
        if word is not None and word.lower() not in CONSTANTS:
            if word.lower() in WORDS or word in FUNCTIONS:
                return word
            names[f"#{word}"] = word
            return f"#{word}"
        mark = f":c{len(parameters) + len(literals)}"
        parameter = found["braced"] or found["colon"]
        if parameter is not None:
            parameters[mark] = parameter
        else:
            literals[mark] = literal(found)
        return mark

    return Expression(TOKEN.sub(placeholder, text), names, parameters, literals)


def literal(found: Mapping[str, str | None]) -> Any:
    word, number = found["word"], found["number"]
    if word is not None:
        return CONSTANTS[word.lower()]
    if number is not None:
        return parse_number(number)
    return found["single"] if found["single"] is not None else found["double"]


def check_condition(place: str, text: str, attributes: Collection[str]) -> Expression:
    """The condition, if it can be sent as it stands; else an error that names its place in the spec."""
    found = read_expression(text)
    values = {**dict.fromkeys(found.parameters, "text"), **found.literals}
    try:
        parse_condition(found.text, found.names, values)
    except ExpressionError as fault:
        raise DesignError(
            f'{place}: "{text}" is no DynamoDB condition: {fault} Write it like'
            " `people < 50 AND attribute_exists(openTimestamp)`, with {name} for what the caller gives."
        ) from None
    unknown = sorted(set(found.names.values()) - set(attributes))
    if unknown:
        known = ", ".join(attributes)
        raise DesignError(
            f'{place}: "{text}" speaks of {", ".join(unknown)}; there are the attributes {known}. A text is quoted'
            f" ('{unknown[0]}'), and what the caller gives stands in braces ({{{unknown[0]}}})."
        )
    return found


def creates(condition: str, description: str) -> bool:
    """Whether a put must find nothing in its place."""
    return bool(EXISTENCE.search(condition)) or description.lower().startswith("create ")


def both(*conditions: str) -> str:
    """All of them; one with an OR inside keeps to itself."""
    given = [each for each in conditions if each]
    if len(given) < 2:
        return "".join(given)
    return " AND ".join(f"({each})" if re.search(r"\bor\b", each, re.IGNORECASE) else each for each in given)
