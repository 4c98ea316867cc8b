"""Values in statements and their parameters, as plain values. What is wrong with one is told with its place inside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import invalid_parameters, validation
from tablewright.engine.partiql.faults import validation_at
from tablewright.engine.store.numerals import read_number
from tablewright.engine.store.values import EMPTY_NAME, NESTING, read_value
from tablewright.errors import ServiceError
from tablewright.wire.limits import MAX_NESTING
from tablewright.wire.numbers import Number, to_decimal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.engine.partiql.syntax.tree import Tree

MIXED_BAG = "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"

CONSTANTS = {"true": True, "false": False, "null": None}
NODE_NAMES = {
    "name": "Id",
    "quoted": "Id",
    "path": "Path",
    "missing": "Missing",
    "?": "Parameter",
    "is": "IsType",
    "is_not": "Not",
    "not": "Not",
    "=": "Eq",
    "<>": "Ne",
    "<": "Lt",
    "<=": "Lte",
    ">": "Gt",
    ">=": "Gte",
    "+": "Plus",
    "-": "Minus",
    "*": "Times",
    "/": "Divide",
    "%": "Modulo",
    "||": "Concat",
    "and": "And",
    "or": "Or",
    "in": "InCollection",
    "between": "Between",
    "like": "Like",
    "negative": "Neg",
    "positive": "Pos",
    "list": "List",
    "bag": "Bag",
    "struct": "Struct",
    "call": "Call",
}
"""What DynamoDB calls the parts of a statement when it has no use for them."""


def node_name(tree: Tree) -> str:
    return NODE_NAMES.get(tree.kind, "Lit")


def literal(tree: Tree, given: Sequence[Any], where: str = "root", level: int = 0) -> Any:
    """The value of a literal or parameter; parameters stand for whole values only."""
    if level >= MAX_NESTING:
        raise validation(f"{NESTING} under {where}")
    if tree.kind == "?" and level == 0:
        return given[int(tree.token.text)]
    if tree.kind == "string":
        return tree.token.text
    if tree.kind == "number":
        return _number(tree, where)
    if tree.kind in CONSTANTS:
        return CONSTANTS[tree.kind]
    if tree.kind == "list":
        return [literal(part, given, f"{where}[{n}]", level + 1) for n, part in enumerate(tree.parts)]
    if tree.kind == "struct":
        members = struct_members(tree, where)
        return {name: literal(part, given, f"{where}.{name}", level + 1) for name, part in members.items()}
    return _bag(tree, where) if tree.kind == "bag" else _unsupported(tree, where)


def _unsupported(tree: Tree, where: str) -> Any:
    if tree.kind == "ion":
        raise validation_at(
            f"DynamoDB does not read Ion; write {tree.token.text} as a PartiQL literal, under key {where}",
            tree.token.place,
        )
    name = tree.token.text.lower() if tree.kind == "call" else node_name(tree)
    raise validation_at(f"Unsupported data type: {name} under key {where}", tree.token.place)


def _number(tree: Tree, where: str) -> Number:
    try:
        return read_number(tree.token.text, older=True)
    except ServiceError as error:
        raise validation(f"{error.service_message} under {where}") from None


def struct_members(tree: Tree, where: str = "root") -> dict[str, Tree]:
    """The members of a tuple by their names, which are strings, not empty, and all different."""
    members: dict[str, Tree] = {}
    for key, value in zip(tree.parts[::2], tree.parts[1::2], strict=True):
        if key.kind != "string":
            raise validation(f"The names of a map are strings in single quotes, not {node_name(key)}, under {where}")
        if not key.token.text:
            raise validation(EMPTY_NAME)
        if key.token.text in members:
            raise validation(f"A map has each name once; {key.token.text} is there twice, under {where}")
        members[key.token.text] = value
    return members


def _bag(tree: Tree, where: str) -> set[Any]:
    """A set of numbers or of strings."""
    if not tree.parts:
        raise validation("Empty bags are not supported")
    kinds = {part.kind for part in tree.parts}
    if kinds not in ({"string"}, {"number"}):
        raise validation(MIXED_BAG)
    members: list[Any] = [literal(part, (), where) for part in tree.parts]
    numbers = kinds == {"number"}
    if len({to_decimal(each) if numbers else each for each in members}) < len(members):
        shown = ", ".join(part.token.text for part in tree.parts)
        end = f"! under {where}" if numbers else "."
        raise invalid_parameters(f"Input collection [{shown}] contains duplicates{end}")
    return set(members)


# ---- parameters ------------------------------------------------------------------------------------------------------


def read_parameters(parameters: Sequence[Any] | None) -> list[Any]:
    """The parameters as plain values. They are looked at before the statement is."""
    return [read_value(each, wording="older") for each in parameters or ()]
