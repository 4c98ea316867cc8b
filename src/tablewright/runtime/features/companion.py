"""Companions: what is written along with an item, in the same transaction.

A companion says which writes concern it, what it rests on, and which further members the transaction gets. It reads
and sends nothing itself: `plan.py` reads the old item where that is needed, works out the new one, sends everything
together and tries again when what was rested on has changed meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import msgspec

if TYPE_CHECKING:
    from tablewright.expr.nodes import Condition
    from tablewright.runtime.flow import Flow  # noqa: TC004 - as below
    from tablewright.runtime.items.layout import Layout  # noqa: TC004 - which has a plan, and nobody decodes these

Item: TypeAlias = Mapping[str, Any]
Kind: TypeAlias = Literal["put", "update", "delete"]
Verdict: TypeAlias = "Exception | Clause | Renumber | Literal['again', 'leave out']"
Failed: TypeAlias = Callable[[Item | None], Verdict]
After: TypeAlias = "Callable[[], Flow[None]]"


class Change(msgspec.Struct, frozen=True):
    """One write as companions see it. Items are as stored: fields and plain values, keys and identifiers included.

    `old` is None when there is no item, `new` when it is deleted. Both are also None where nobody needed the old item
    (of an update only the old item tells the new one).
    """

    layout: Layout
    table: str
    kind: Kind
    key: Item
    old: Item | None = None
    new: Item | None = None


class Clause(msgspec.Struct, frozen=True):
    """A further member of the transaction.

    `action` is DynamoDB's word (Put, Update, Delete, ConditionCheck), `body` its parameters with plain values.
    `failed` says what it means that its condition did not hold, given the item it met: an error for the caller,
    "again" (something changed; read and try again), "leave out" (go on without this clause), or a clause for the same
    item to send instead, now that it is known.
    """

    layout: Layout
    method: str  # what messages call it
    action: Literal["Put", "Update", "Delete", "ConditionCheck"]
    body: dict[str, Any]
    failed: Failed
    after: After | None = None  # what is done once the transaction is through


class Renumber(msgspec.Struct, frozen=True):
    """A verdict: the write of this item has a version that is taken; `find` tells the next one to try with."""

    table: str
    key: Item
    find: Callable[[], Flow[int]]


class Companion(Protocol):
    """What one feature of an entity writes along."""

    def needs(self, kind: Kind, fields: Collection[str]) -> Collection[str] | None:
        """The fields of the old item it must know: None when this write is none of its business, empty for none.

        `fields` are the stored fields that an update writes; for put and delete all that the entity has.
        """
        ...

    def holds(self, change: Change) -> Iterable[Condition]:
        """What of the old item must still be true when the write happens (that it is there, or not, is demanded)."""
        ...

    def clauses(self, changes: Sequence[Change]) -> Iterable[Clause]:
        """The further members for all changes of this entity in one transaction, at most one for each item."""
        ...


def companion_key(layout: Layout, pk: str, sk: str) -> dict[str, str]:
    """A key in the entity's table for an item that a feature writes; a table without sort key gets both in one."""
    primary = layout.primary
    if primary.sk is None:
        return {primary.pk.field: f"{pk}{sk}"}
    return {primary.pk.field: pk, primary.sk.field: sk}


COMPANION = "tablewright:"
"""What the names of such items begin with, where an entity's name stands."""


def companion_identity(layout: Layout, name: str) -> dict[str, str]:
    """The identifiers of such an item: not the entity's, so that ElectroDB and our own reads pass it by."""
    fields = layout.entity.identifiers
    named = {fields.entity: f"{COMPANION}{name}"}
    return named if fields.version is None else {**named, fields.version: "1"}
