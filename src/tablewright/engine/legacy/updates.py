"""AttributeUpdates: PUT, ADD and DELETE for each attribute, as the update expression that does the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import invalid_parameters
from tablewright.engine.legacy.names import check_names
from tablewright.engine.store.values import read_value
from tablewright.expr.apply import WRONG_TYPE
from tablewright.expr.nodes import Add, Delete, IfNotExists, ListAppend, Name, Remove, Set, Update, Value
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.store.values import Wording
    from tablewright.expr.nodes import Action

SETS = frozenset({"SS", "NS", "BS"})
ADDABLE = SETS | {"N", "L"}


def legacy_update(params: Mapping[str, Any], wording: Wording = "current") -> Update | None:
    """The update that AttributeUpdates describe; None when there are none."""
    updates = params.get("AttributeUpdates")
    if updates is None:
        return None
    check_names(updates)
    actions = [_read_action(Name((name,)), each, wording) for name, each in updates.items()]
    return Update(
        set=tuple(each for each in actions if isinstance(each, Set)),
        remove=tuple(each for each in actions if isinstance(each, Remove)),
        add=tuple(each for each in actions if isinstance(each, Add)),
        delete=tuple(each for each in actions if isinstance(each, Delete)),
    )


def update_fault(message: str) -> str:
    """What DynamoDB says of a fault that applying an update of this kind met."""
    return "Type mismatch for attribute to update" if message == WRONG_TYPE else message


def _read_action(path: Name, update: Mapping[str, Any], wording: Wording) -> Action:
    action, given = update.get("Action") or "PUT", update.get("Value")
    if given is None:
        if action != "DELETE":
            raise invalid_parameters("Only DELETE action is allowed when no attribute value is specified")
        return Remove(path)
    value = Value(read_value(given, wording=wording))
    code = type_code(value.value)
    if action == "DELETE":
        if code not in SETS:
            raise invalid_parameters(f"DELETE action with value is not supported for the type {code}")
        return Delete(path, value)
    if action == "ADD":
        return _read_add(path, value, code)
    return Set(path, value)


def _read_add(path: Name, value: Value, code: str) -> Action:
    if code not in ADDABLE:
        raise invalid_parameters(f"ADD action is not supported for the type {code}")
    if code != "L":
        return Add(path, value)
    return Set(path, ListAppend(IfNotExists(path, Value([])), value))
