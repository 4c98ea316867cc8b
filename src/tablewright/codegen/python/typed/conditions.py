"""Filters and conditions on typed attributes: `Order.status == status`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.codegen.python.literals import Code, print_code
from tablewright.expr.nodes import Compare, Name, Slot, Value
from tablewright.spec.conditions import absent, exists

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.codegen.python.model import NamedDesign
    from tablewright.design.model import ItemType
    from tablewright.spec.conditions import Predicate

OPERATORS = {"=": "==", "<>": "!=", ">": ">", ">=": ">=", "<": "<", "<=": "<="}
LONGEST = 72
"""What a line has room for."""


def filter_codes(
    named: NamedDesign, item: ItemType, filters: Iterable[Predicate], variables: Mapping[str, str]
) -> list[Code] | None:
    """None where a filter is none of an attribute; that of the type itself goes without saying."""
    found: list[Code] = []
    for attribute, operator, values in (each.comparison for each in filters):
        if attribute == named.design.encoding.type_field:
            if values != (item.fixed.get(attribute),):
                return None
            continue
        path = path_of(named, item, attribute)
        if path is None:
            return None
        found.append(Code(_comparison_code(path, operator, [_value_code(value, variables) for value in values])))
    return found if all(len(each.text) <= LONGEST for each in found) else None


def _comparison_code(path: str, operator: str, values: list[str]) -> str:
    if operator in OPERATORS:
        return f"{path} {OPERATORS[operator]} {values[0]}"
    method = {"in": "is_in"}.get(operator, operator)
    return f"{path}.{method}({', '.join(values)})"


def _value_code(value: Any, variables: Mapping[str, str]) -> str:
    return variables[value.name] if isinstance(value, Slot) else print_code(value)


def path_of(named: NamedDesign, item: ItemType, attribute: str) -> str | None:
    own = {each.name for each in item.attributes}
    return f"{named.classes[item.name]}.{named.attributes[item.name][attribute]}" if attribute in own else None


# ---- conditions of writes -------------------------------------------------------------------------------------------


def condition_codes(
    named: NamedDesign, item: ItemType, condition: Predicate | None, variables: Mapping[str, str]
) -> tuple[bool | None, list[Code]] | None:
    """Whether the item must be there (True), must not (False) or may (None), and what else; None where unsayable."""
    is_there: bool | None = None
    found: list[Code] = []
    key = item.keys[0].pk[0].field
    for part in condition.parts if condition else ():
        if part in (exists(key), absent(key)):
            is_there = part == exists(key)
            continue
        code = _clause_code(named, item, part, variables)
        if code is None or len(code) > LONGEST:
            return None
        found.append(Code(code))
    return is_there, found


def _clause_code(named: NamedDesign, item: ItemType, part: Predicate, variables: Mapping[str, str]) -> str | None:
    match part.tree:
        case Compare(operator, Name((str(attribute),)), Value(value)):
            path = path_of(named, item, attribute)
            is_known = isinstance(value, str | int | float) or (isinstance(value, Slot) and value.name in variables)
            if path is None or isinstance(value, bool) or not is_known:
                return None
            return _comparison_code(path, operator, [_value_code(value, variables)])
        case _:
            return None
