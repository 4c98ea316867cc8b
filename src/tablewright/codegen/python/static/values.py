"""Plain Python values, and DynamoDB's typed ones as boto3's client takes them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypeAlias, cast

Number: TypeAlias = int | float | Decimal
Typed: TypeAlias = dict[str, Any]


def marshal(value: Any) -> Typed:
    """`1` as `{"N": "1"}`."""
    match value:
        case None:
            return {"NULL": True}
        case bool():
            return {"BOOL": value}
        case str():
            return {"S": value}
        case int() | float() | Decimal():
            return {"N": number_text(value)}
        case bytes():
            return {"B": value}
        case list() | tuple():
            return {"L": [marshal(each) for each in cast("list[Any]", value)]}
        case set() | frozenset():
            return marshal_set(cast("set[Any]", value))
        case Mapping():
            return {"M": marshal_item(cast("Mapping[str, Any]", value))}
        case _:
            raise TypeError(f"{type(value).__name__} is not a type DynamoDB stores")


def marshal_item(item: Mapping[str, Any]) -> dict[str, Typed]:
    return {name: marshal(value) for name, value in item.items()}


def marshal_set(members: set[Any]) -> Typed:
    if all(isinstance(each, str) for each in members):
        return {"SS": sorted(members)}
    if all(isinstance(each, bytes) for each in members):
        return {"BS": sorted(members)}
    return {"NS": sorted(number_text(each) for each in members)}


def number_text(value: Number) -> str:
    return repr(value) if isinstance(value, float) else str(value)


def unmarshal(typed: Mapping[str, Any]) -> Any:
    """The inverse: whole numbers as int, others as Decimal."""
    ((kind, value),) = typed.items()
    match kind:
        case "NULL":
            return None
        case "N":
            return parse_number(value)
        case "NS":
            return {parse_number(each) for each in value}
        case "SS" | "BS":
            return set(value)
        case "L":
            return [unmarshal(each) for each in value]
        case "M":
            return unmarshal_item(value)
        case _:
            return value


def unmarshal_item(item: Mapping[str, Typed]) -> dict[str, Any]:
    return {name: unmarshal(typed) for name, typed in item.items()}


def parse_number(text: str) -> Number:
    number = Decimal(text)
    return int(number) if number == number.to_integral_value() else number
