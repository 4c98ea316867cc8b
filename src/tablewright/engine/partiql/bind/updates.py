"""SET and REMOVE as the updates of `expr.nodes`: set_add and set_delete become ADD and DELETE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import validation
from tablewright.engine.partiql.bind.literals import literal
from tablewright.engine.partiql.bind.paths import is_path, to_path
from tablewright.engine.partiql.faults import validation_at
from tablewright.engine.partiql.syntax.tree import Assign, Insert, Unset
from tablewright.expr.faults import ExpressionError
from tablewright.expr.nodes import Add, Delete, IfNotExists, ListAppend, Minus, Name, Plus, Remove, Set, Update, Value
from tablewright.expr.parse import parse_update
from tablewright.expr.render import Placeholders, render_update
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.engine.partiql.syntax.tree import Tree

    Given = Sequence[Any]

SET_FUNCTIONS: dict[str, type[Add | Delete]] = {"set_add": Add, "set_delete": Delete}
SETS = frozenset({"SS", "NS", "BS"})
UNARY = {"negative": "-", "positive": "+"}


def to_update(actions: Sequence[Assign | Unset | Insert], given: Given) -> Update:
    """The update, its operands checked."""
    made = [_to_action(action, given) for action in actions]
    update = Update(
        set=tuple(each for each in made if isinstance(each, Set)),
        remove=tuple(each for each in made if isinstance(each, Remove)),
        add=tuple(each for each in made if isinstance(each, Add)),
        delete=tuple(each for each in made if isinstance(each, Delete)),
    )
    _check_update(update)
    return update


def _check_update(update: Update) -> None:
    placeholders = Placeholders()
    text = render_update(update, placeholders)
    try:
        parse_update(text, placeholders.names, placeholders.values)
    except ExpressionError as error:
        raise validation(str(error).removeprefix("Invalid UpdateExpression: ")) from None


def _to_action(action: Assign | Unset | Insert, given: Given) -> Set | Remove | Add | Delete:
    if isinstance(action, Insert):
        raise validation("An UPDATE changes an item with SET and REMOVE")
    path = to_path(action.path)
    if isinstance(action, Unset):
        return Remove(path)
    if action.value.kind == "call" and action.value.token.text.lower() in SET_FUNCTIONS:
        return _set_change(path, action.value, given)
    return Set(path, _to_assigned(action.value, given))


def _set_change(path: Name, call: Tree, given: Given) -> Add | Delete:
    name = call.token.text.lower()
    shown = name.upper()
    if len(call.parts) != 2:
        raise validation_at(f"{shown} must have exactly two arguments", call.token.place)
    target, members = call.parts
    if not is_path(target) or to_path(target) != path:
        raise validation_at(f"The first argument to {shown} must equal the assignment value", call.token.place)
    value = None if is_path(members) or members.kind == "call" else literal(members, given)
    if type_code(value) not in SETS:
        raise validation_at(f"The second argument to {shown} must be a value with type SET", target.token.place)
    return SET_FUNCTIONS[name](path, Value(value))


def _to_assigned(tree: Tree, given: Given) -> Any:
    """A term, or the sum or difference of two."""
    if tree.kind in ("+", "-"):
        left, right = (_to_term(part, given) for part in tree.parts)
        return Plus(left, right) if tree.kind == "+" else Minus(left, right)
    return _to_term(tree, given)


def _to_term(tree: Tree, given: Given) -> Any:
    if is_path(tree):
        return to_path(tree)
    if tree.kind == "call":
        return _to_call(tree, given)
    if tree.kind in ("is", "is_not"):
        raise validation("SET takes a value, not a condition; leave IS out")
    operator = UNARY.get(tree.kind, tree.token.text if tree.token.kind == "operator" else "")
    if operator:
        raise validation(f"An update cannot use the operator {operator}")
    return Value(literal(tree, given))


def _to_call(tree: Tree, given: Given) -> Any:
    name = tree.token.text.lower()
    if name not in ("list_append", "if_not_exists"):
        raise validation_at(f"Unrecognized function: {name}", tree.token.place)
    if len(tree.parts) != 2:
        reason = "Incorrect number of operands for operator or function"
        raise validation(f"{reason}; operator or function: {name}, number of operands: {len(tree.parts)}")
    first, second = (_to_term(part, given) for part in tree.parts)
    if name == "list_append":
        return ListAppend(first, second)
    if not isinstance(first, Name):
        raise validation(f"Operator or function requires a document path; operator or function: {name}")
    return IfNotExists(first, second)
