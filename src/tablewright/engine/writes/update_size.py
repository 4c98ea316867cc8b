"""What an update is taken to weigh, apart from the item it makes: UpdateItem refuses more than 400 KB of it.

Every clause has a fixed weight and that of its path; literals weigh what they are at every use, paths weigh what it
takes to name them, and what they lead to is free.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tablewright.expr.nodes import IfNotExists, ListAppend, Minus, Name, Plus, Size, Value
from tablewright.wire.sizes import name_size_bytes, value_size_bytes

if TYPE_CHECKING:
    from tablewright.expr.nodes import Add, Delete, Remove, Set, Update

UPDATE_BYTES = 3
WRITE_BYTES = 19
REMOVE_BYTES = 1
TARGET_STEP_BYTES = 4
OPERAND_BYTES = 1
OPERAND_STEP_BYTES = 14
COMBINED_BYTES: dict[type, int] = {Plus: 34, Minus: 37, ListAppend: 37, IfNotExists: 39}


def update_charge_bytes(update: Update) -> int:
    writes: tuple[Set | Add, ...] = (*update.set, *update.add)
    removals: tuple[Remove | Delete, ...] = (*update.remove, *update.delete)
    total = UPDATE_BYTES
    for write in writes:
        total += WRITE_BYTES + _target_bytes(write.path.parts) + _operand_bytes(write.value)
    for removal in removals:
        total += REMOVE_BYTES + _target_bytes(removal.path.parts)
    return total


@lru_cache(1024)
def _target_bytes(parts: tuple[str | int, ...]) -> int:
    return sum(map(_step_bytes, parts)) + TARGET_STEP_BYTES * (len(parts) - 1)


def _step_bytes(part: str | int) -> int:
    return len(str(part)) if isinstance(part, int) else name_size_bytes(part)


def _operand_bytes(operand: Any) -> int:
    """The weight of a right-hand side, with all that is combined in it."""
    if operand.__class__ is Value:  # as a rule nothing is combined
        return value_size_bytes(operand.value)
    total, waiting = 0, [operand]
    while waiting:
        node: object = waiting.pop()
        total += COMBINED_BYTES.get(type(node), 0)
        if isinstance(node, Value):
            total += value_size_bytes(node.value)
        elif isinstance(node, Name):
            total += OPERAND_BYTES + OPERAND_STEP_BYTES * len(node.parts) + sum(map(_step_bytes, node.parts))
        elif isinstance(node, Plus | Minus):
            waiting += (node.left, node.right)
        elif isinstance(node, ListAppend):
            waiting += (node.first, node.second)
        elif isinstance(node, IfNotExists):
            waiting += (node.path, node.otherwise)
        elif isinstance(node, Size):
            waiting.append(node.path)
    return total
