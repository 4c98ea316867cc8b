"""Filters and conditions on typed attributes: `Order.status == status`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tablewright.codegen.python.literals import Code, printed
from tablewright.design.templates import FIELD

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.architect.assembly.requests import Filter
    from tablewright.codegen.python.model import Named
    from tablewright.design.model import ItemType

OPERATORS = {
    "=": "==",
    "<>": "!=",
    "gt": ">",
    ">": ">",
    "gte": ">=",
    ">=": ">=",
    "lt": "<",
    "<": "<",
    "lte": "<=",
    "<=": "<=",
}
LONGEST = 72
"""What a line has room for."""
CLAUSE = re.compile(r"(\w+)\s*(=|<>|<=|>=|<|>)\s*(\{\w+\}|-?\d+(?:\.\d+)?|'[^']*')")
EXISTS = re.compile(r"attribute_exists\((\w+)\)")
NOT_EXISTS = re.compile(r"attribute_not_exists\((\w+)\)")


def filter_codes(
    named: Named, item: ItemType, filters: Iterable[Filter], variables: Mapping[str, str]
) -> list[Code] | None:
    """None where a filter is none of an attribute; that of the type itself goes without saying."""
    found: list[Code] = []
    for each in filters:
        if each.attribute == named.design.encoding.type_field:
            if each.values != (item.fixed.get(each.attribute),):
                return None
            continue
        path = path_of(named, item, each.attribute)
        if path is None:
            return None
        found.append(Code(filter_code(path, each.operator, [value_code(value, variables) for value in each.values])))
    return found if all(len(each.text) <= LONGEST for each in found) else None


def filter_code(path: str, operator: str, values: list[str]) -> str:
    if operator in OPERATORS:
        return f"{path} {OPERATORS[operator]} {values[0]}"
    method = {"in": "is_in"}.get(operator, operator)
    return f"{path}.{method}({', '.join(values)})"


def value_code(value: Any, variables: Mapping[str, str]) -> str:
    name = FIELD.fullmatch(value) if isinstance(value, str) else None
    return printed(value) if name is None else variables[name[1]]


def path_of(named: Named, item: ItemType, attribute: str) -> str | None:
    own = {each.name for each in item.attributes}
    return f"{named.classes[item.name]}.{named.attributes[item.name][attribute]}" if attribute in own else None


# ---- conditions of writes -------------------------------------------------------------------------------------------


def demanded(
    named: Named, item: ItemType, condition: str, variables: Mapping[str, str]
) -> tuple[bool | None, list[Code]] | None:
    """Whether the item must be there (True), must not (False) or may (None), and what else; None where unsayable."""
    exists: bool | None = None
    found: list[Code] = []
    key = item.keys[0].pk[0].field
    for clause in condition.split(" AND ") if condition else []:
        there, free, other = (each.fullmatch(clause.strip()) for each in (EXISTS, NOT_EXISTS, CLAUSE))
        if there is not None and there[1] == key:
            exists = True
        elif free is not None and free[1] == key:
            exists = False
        elif other is not None:
            code = clause_code(named, item, other, variables)
            if code is None or len(code.text) > LONGEST:
                return None
            found.append(code)
        else:
            return None
    return exists, found


def clause_code(named: Named, item: ItemType, clause: re.Match[str], variables: Mapping[str, str]) -> Code | None:
    path = path_of(named, item, clause[1])
    name = FIELD.fullmatch(clause[3])
    if path is None or (name is not None and name[1] not in variables):
        return None
    value = variables[name[1]] if name is not None else printed(literal(clause[3]))
    return Code(f"{path} {OPERATORS[clause[2]]} {value}")


def literal(word: str) -> str | int | float:
    if word.startswith("'"):
        return word[1:-1]
    return float(word) if "." in word else int(word)
