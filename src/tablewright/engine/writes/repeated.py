"""Writes whose expressions were read before: what the request says beside its values is known to be right.

The texts, the names and which values there are decide whether placeholders are spelled well, and all used. Where a
request with the same ones came before, only the values are looked at, and put into the trees (`expr/remembered.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.engine.expressions import NAMES, VALUES, read_named
from tablewright.expr.nodes import Condition, Name, Update
from tablewright.expr.remembered import Known, known_expression
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from tablewright.engine.store.values import Wording
    from tablewright.expr.nodes import Action

Params = dict[str, Any]

MOST_KNOWN = 1024
LONGEST = 4096  # characters of both texts; what is longer is rare, and would fill the memory
TEXT = "S"


class _Read(msgspec.Struct, frozen=True):
    """The trees of a request that wait for values, the types they are for, and where the update writes."""

    types: tuple[str, ...]
    update: Known | None
    condition: Known | None
    paths: list[Name]


class Repeated(msgspec.Struct, frozen=True):
    """The trees of a request."""

    update: Update | None
    condition: Condition | None
    paths: list[Name]


_known: dict[Any, _Read] = {}


def _key_of(params: Params) -> Any:
    names, values = params.get(NAMES), params.get(VALUES)
    return (
        params.get("UpdateExpression"),
        params.get("ConditionExpression"),
        None if names is None else tuple(names.items()),
        None if values is None else tuple(values),
    )


def repeated(params: Params, wording: Wording) -> Repeated | None:
    """The trees of a request that is like an earlier one; None where it has to be read."""
    known = _known.get(_key_of(params))
    if known is None:
        return None
    given: dict[str, dict[str, Any]] = params.get(VALUES) or {}
    values: Params = {}
    types: list[str] = []
    for name, typed in given.items():
        text = typed.get(TEXT)
        if text.__class__ is str and len(typed) == 1:  # most values are texts
            values[name] = text
            types.append(TEXT)
        else:
            values[name] = value = read_named(name, typed, wording)
            types.append(type_code(value))
    if tuple(types) != known.types:
        return None
    update, condition = known.update, known.condition
    if condition is not None and not condition.fits(values):
        return None
    return Repeated(
        None if update is None else update.filled(values),
        None if condition is None else condition.filled(values),
        known.paths,
    )


def paths_of(update: Update | None) -> list[Name]:
    """The places that an update writes to."""
    if update is None:
        return []
    sections: tuple[tuple[Action, ...], ...] = (update.set, update.remove, update.add, update.delete)
    return [each.path for section in sections for each in section]


def remember(params: Params, values: Params | None) -> None:
    """Keep the trees of a request that was just read, and was right."""
    update, condition = params.get("UpdateExpression"), params.get("ConditionExpression")
    if len(update or "") + len(condition or "") > LONGEST:
        return
    names = params.get(NAMES)
    first = None if update is None else known_expression("UpdateExpression", update, names, values)
    second = None if condition is None else known_expression("ConditionExpression", condition, names, values)
    if (update is not None and first is None) or (condition is not None and second is None):
        return
    if len(_known) >= MOST_KNOWN:
        _known.clear()
    types = tuple(type_code(value) for value in (values or {}).values())
    paths = paths_of(None if first is None else cast("Update", first.sample))
    _known[_key_of(params)] = _Read(types, first, second, paths)
