"""Expected, QueryFilter, ScanFilter and KeyConditions: comparison operators by name, with lists of values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import invalid_parameters, validation
from tablewright.engine.legacy.names import check_names
from tablewright.engine.store.values import read_value
from tablewright.expr.compare import is_less
from tablewright.expr.nodes import And, Between, Compare, Function, In, Name, Not, Or, Value
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tablewright.engine.store.values import Wording
    from tablewright.expr.functions import FunctionName
    from tablewright.expr.nodes import Comparator, Condition


def _compare(operator: Comparator) -> Callable[[Name, Sequence[Value]], Condition]:
    return lambda name, values: Compare(operator, name, values[0])


def _function(called: FunctionName) -> Callable[[Name, Sequence[Value]], Condition]:
    return lambda name, values: Function(called, (name, *values))


def _lacks(name: Name, values: Sequence[Value]) -> Condition:
    """What is not there contains nothing, but does not count as lacking anything either."""
    return And((Function("attribute_exists", (name,)), Not(Function("contains", (name, *values)))))


MAKERS: dict[str, Callable[[Name, Sequence[Value]], Condition]] = {
    "EQ": _compare("="),
    "NE": _compare("<>"),
    "LE": _compare("<="),
    "LT": _compare("<"),
    "GE": _compare(">="),
    "GT": _compare(">"),
    "NOT_NULL": _function("attribute_exists"),
    "NULL": _function("attribute_not_exists"),
    "CONTAINS": _function("contains"),
    "NOT_CONTAINS": _lacks,
    "BEGINS_WITH": _function("begins_with"),
    "IN": lambda name, values: In(name, tuple(values)),
    "BETWEEN": lambda name, values: Between(name, *values),
}
INDEXABLE = frozenset({"EQ", "LE", "LT", "GE", "GT", "BEGINS_WITH", "BETWEEN"})
COUNTS = {"NULL": 0, "NOT_NULL": 0, "BETWEEN": 2}
SCALARS = frozenset({"S", "N", "B"})
TYPES = {
    **dict.fromkeys(("LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "IN", "BETWEEN"), SCALARS),
    "BEGINS_WITH": frozenset({"S", "B"}),
}


def legacy_condition(params: Mapping[str, Any], parameter: str, wording: Wording = "current") -> Condition | None:
    """The conditions of Expected, QueryFilter or ScanFilter as one."""
    conditions = params.get(parameter)
    if not conditions:
        return None
    check_names(conditions)
    read = _read_expected if parameter == "Expected" else _read_condition
    parts = tuple(read(name, each, wording) for name, each in conditions.items())
    if len(parts) == 1:
        return parts[0]
    return Or(parts) if params.get("ConditionalOperator") == "OR" else And(parts)


def legacy_key_conditions(params: Mapping[str, Any], wording: Wording = "current") -> dict[str, Condition] | None:
    """The condition on each key attribute; one that no index can answer is an `In`, `Not` or the like."""
    conditions = params.get("KeyConditions")
    if conditions is None:
        return None
    check_names(conditions)
    return {name: _read_condition(name, each, wording) for name, each in conditions.items()}


def _read_condition(name: str, condition: Mapping[str, Any], wording: Wording = "current") -> Condition:
    """One operator with its values."""
    values = [Value(read_value(value, wording=wording)) for value in condition.get("AttributeValueList") or ()]
    return _make_condition(name, condition["ComparisonOperator"], values)


def _make_condition(name: str, operator: str, values: Sequence[Value]) -> Condition:
    wanted = COUNTS.get(operator, 1)
    if (not values) if operator == "IN" else len(values) != wanted:
        raise invalid_parameters(f"Invalid number of argument(s) for the {operator} ComparisonOperator")
    codes = [type_code(value.value) for value in values]
    if len(set(codes)) > 1:
        raise invalid_parameters("AttributeValues inside AttributeValueList must be of same type")
    if codes and codes[0] not in TYPES.get(operator, codes):
        raise invalid_parameters(f"ComparisonOperator {operator} is not valid for {codes[0]} AttributeValue type")
    if operator == "BETWEEN" and is_less(values[1].value, values[0].value):
        reason = "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"
        raise validation(reason)
    return MAKERS[operator](Name((name,)), values)


def _read_expected(name: str, expected: Mapping[str, Any], wording: Wording) -> Condition:
    """A condition as in the filters, or the oldest form: a value to be equal to, or nothing to be there."""
    operator, listed, value = (expected.get(each) for each in ("ComparisonOperator", "AttributeValueList", "Value"))
    where = f"for Attribute: {name}"
    if listed is not None and value is not None:
        raise invalid_parameters(f"Value and AttributeValueList cannot be used together {where}")
    if operator is None:
        if listed is not None:
            raise invalid_parameters(f"AttributeValueList can only be used with a ComparisonOperator {where}")
        return _read_existence(name, expected.get("Exists"), value, wording)
    if expected.get("Exists") is not None:
        raise invalid_parameters(f"Exists and ComparisonOperator cannot be used together {where}")
    if listed is None and value is None and operator not in ("NULL", "NOT_NULL"):
        reason = f"Value or AttributeValueList must be used with ComparisonOperator: {operator}"
        raise invalid_parameters(f"{reason} {where}")
    values = listed if listed is not None else [] if value is None else [value]
    return _make_condition(name, operator, [Value(read_value(each, wording=wording)) for each in values])


def _read_existence(name: str, exists: bool | None, value: Any, wording: Wording) -> Condition:
    if exists is False:
        if value is not None:
            raise invalid_parameters(f"Value cannot be used when Exists is false for Attribute: {name}")
        return Function("attribute_not_exists", (Name((name,)),))
    if value is None:
        said = "null" if exists is None else "true"
        raise invalid_parameters(f"Value must be provided when Exists is {said} for Attribute: {name}")
    return Compare("=", Name((name,)), Value(read_value(value, wording=wording)))
