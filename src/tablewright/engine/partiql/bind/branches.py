"""Which key conditions a WHERE comes down to: one branch for every read it takes.

ORs and INs about key attributes are multiplied out. When each branch names one value of the partition key, the
statement is that many queries; otherwise it is a scan. Branches of one partition must be apart in their sort keys.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.faults import validation
from tablewright.engine.partiql.bind.conditions import names_in, parts_of
from tablewright.engine.partiql.faults import OVERLAP, WRONG_KEY_TYPE
from tablewright.engine.store.keys import after_prefix, partition_bytes
from tablewright.engine.store.table import Index, Table
from tablewright.expr.compare import is_equal
from tablewright.expr.nodes import And, Between, Compare, Condition, Function, In, Name, Not, Or, Value
from tablewright.wire.keys import key_bytes
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.engine.store.table import Keys

MOST_READS = 50
TURNED: dict[str, Any] = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Access(msgspec.Struct, frozen=True):
    """A table, or one of its indexes."""

    table: Table
    index: Index | None = None

    @property
    def keys(self) -> Keys:
        return self.table.keys if self.index is None else self.index.keys

    @property
    def pk(self) -> str:
        return self.keys.pk[0]

    @property
    def sk(self) -> str | None:
        return self.keys.sk[0] if self.keys.sk else None


class Branch(msgspec.Struct, frozen=True):
    """One read: the value of the partition key, and everything else the items must fulfil."""

    value: Any
    leaves: tuple[Condition, ...]
    sort: tuple[Condition, ...]
    low: bytes
    high: bytes | None

    @property
    def partition(self) -> bytes:
        return partition_bytes([self.value])


def find_branches(where: Condition | None, access: Access) -> list[Branch] | None:
    """The branches of a WHERE; None when only a scan can answer it."""
    if where is None or not _is_keyed(where, access.pk):
        return None
    if _count_branches(where, access) > MOST_READS:
        raise validation("Too many decomposed read operations for a given query.")
    expanded = [[put_name_first(leaf) for leaf in leaves] for leaves in _expand(where, access)]
    for leaves in expanded:
        _check_types(leaves, access)
    branches = [_to_branch(leaves, access) for leaves in expanded]
    known = [branch for branch in branches if branch is not None]
    if len(known) < len(branches) or (len(known) > 1 and any(_negates_sort(each, access) for each in known)):
        return None
    _check_apart(known)
    return known


def _is_keyed(node: Condition, pk: str) -> bool:
    """Whether each way to fulfil the condition names a value of the partition key."""
    if isinstance(node, And):
        return any(_is_keyed(part, pk) for part in node.parts)
    if isinstance(node, Or):
        return all(_is_keyed(part, pk) for part in node.parts)
    if isinstance(node, In):
        return node.operand == Name((pk,)) and all(isinstance(choice, Value) for choice in node.choices)
    return equality(put_name_first(node), pk) is not None


def _about_keys(node: Condition, access: Access) -> bool:
    return any(len(name.parts) == 1 and name.parts[0] in (access.pk, access.sk) for name in names_in(node))


def _count_branches(node: Condition, access: Access) -> int:
    if not _about_keys(node, access):
        return 1
    if isinstance(node, And):
        total = 1
        for part in node.parts:
            total = min(total * _count_branches(part, access), MOST_READS + 1)
        return total
    if isinstance(node, Or):
        return sum(_count_branches(part, access) for part in node.parts)
    return len(node.choices) if isinstance(node, In) and _is_key_choice(node, access) else 1


def _is_key_choice(node: In, access: Access) -> bool:
    named = isinstance(node.operand, Name) and node.operand.parts in ((access.pk,), (access.sk,))
    return named and all(isinstance(choice, Value) for choice in node.choices)


def _expand(node: Condition, access: Access) -> list[list[Condition]]:
    """The condition as alternatives, each a list of conditions that must hold together."""
    if _about_keys(node, access):
        if isinstance(node, And):
            ways = product(*(_expand(part, access) for part in node.parts))
            return [[leaf for leaves in way for leaf in leaves] for way in ways]
        if isinstance(node, Or):
            return [leaves for part in node.parts for leaves in _expand(part, access)]
        if isinstance(node, In) and _is_key_choice(node, access):
            return [[Compare("=", node.operand, choice)] for choice in node.choices]
    return [[node]]


def put_name_first(node: Condition) -> Condition:
    """`'x' = pk` as `pk = 'x'`."""
    if isinstance(node, Compare) and isinstance(node.left, Value) and isinstance(node.right, Name):
        return Compare(TURNED[node.operator], node.right, node.left)
    return node


def equality(node: Condition, name: str) -> Value | None:
    """The value a condition wants this attribute to have."""
    if isinstance(node, Compare) and node.operator == "=" and node.left == Name((name,)):
        return node.right if isinstance(node.right, Value) else None
    return None


def _to_branch(leaves: Sequence[Condition], access: Access) -> Branch | None:
    """None when the branch wants two values of the partition key."""
    values = [found.value for leaf in leaves if (found := equality(leaf, access.pk)) is not None]
    if any(not is_equal(values[0], value) for value in values[1:]):
        return None
    low: bytes = b""
    high: bytes | None = None
    sort: list[Condition] = []
    for leaf in leaves:
        bounds = None if access.sk is None else _bounds_of(leaf, access.sk)
        if bounds is not None:
            sort.append(leaf)
            low = max(low, bounds[0])
            high = bounds[1] if high is None or (bounds[1] is not None and bounds[1] < high) else high
    rest = tuple(leaf for leaf in leaves if equality(leaf, access.pk) is None)
    return Branch(values[0], rest, tuple(sort), low, high)


def _bounds_of(leaf: Condition, sk: str) -> tuple[bytes, bytes | None] | None:
    """The sort keys a condition allows, as bytes, the second excluded; None if it is about something else."""
    values = [key_bytes(value) for value in _key_values(leaf, sk)]
    if isinstance(leaf, Compare) and len(values) == 1:
        value, behind = values[0], values[0] + b"\0"
        limits = {
            "=": (value, behind),
            "<": (b"", value),
            "<=": (b"", behind),
            ">": (behind, None),
            ">=": (value, None),
        }
        return limits.get(leaf.operator)
    if isinstance(leaf, Between) and len(values) == 2:
        return values[0], values[1] + b"\0"
    if isinstance(leaf, Function) and len(values) == 1:
        return values[0], after_prefix(values[0])
    return None


def _check_types(leaves: Sequence[Condition], access: Access) -> None:
    """Values that keys are compared with must be of the keys' types."""
    types = access.table.types
    for leaf in leaves:
        value = equality(leaf, access.pk)
        if value is not None and type_code(value.value) != types[access.pk]:
            raise validation(WRONG_KEY_TYPE.format(access.pk))
    for leaf in leaves if access.sk is not None else ():
        for value in _key_values(leaf, str(access.sk)):
            if type_code(value) != types[str(access.sk)]:
                raise validation(WRONG_KEY_TYPE.format(access.sk))


def _key_values(leaf: Condition, name: str) -> list[Any]:
    """The values a condition that could be a key condition holds against this attribute."""
    if not isinstance(leaf, Compare | Between | Function):
        return []
    if (isinstance(leaf, Compare) and leaf.operator == "<>") or (
        isinstance(leaf, Function) and leaf.name != "begins_with"
    ):
        return []
    first, *others = parts_of(leaf)
    return [other.value for other in others if isinstance(other, Value)] if first == Name((name,)) else []


def _negates_sort(branch: Branch, access: Access) -> bool:
    """Whether a branch says what the sort key is not; such branches are read by a scan."""
    return any(
        (isinstance(leaf, Not) or (isinstance(leaf, Compare) and leaf.operator == "<>"))
        and any(name.parts == (access.sk,) for name in names_in(leaf))
        for leaf in branch.leaves
    )


def _check_apart(branches: Sequence[Branch]) -> None:
    for one, other in combinations(branches, 2):
        if is_equal(one.value, other.value) and _overlap(one, other):
            raise validation(OVERLAP)


def _overlap(one: Branch, other: Branch) -> bool:
    low = max(one.low, other.low)
    return all(branch.high is None or low < branch.high for branch in (one, other))
