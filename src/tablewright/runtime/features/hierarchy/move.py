"""Moving a subtree: every item changes its place in one transaction, parents first.

At each moment an item is at its old place or at its new one, never at both. While the job is under way a subtree is in
two parts; whoever reads both (two queries) may meet an item that moved in between twice or not at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.errors import RequestError, TransactionCancelled
from tablewright.runtime.features.hierarchy.rekey import Rekeyed, rekeyed
from tablewright.runtime.features.hierarchy.subtree import count_items, first_items
from tablewright.runtime.features.jobs.progress import Progress, State, Stride
from tablewright.runtime.features.jobs.writes import transacted
from tablewright.runtime.features.tenant.guard import check_said
from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.options import DEFAULT
from tablewright.runtime.requests.request import Params, call, table_of
from tablewright.runtime.types.tree_path import TreePath, decode, encode
from tablewright.wire.limits import MB
from tablewright.wire.sizes import item_size_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.runtime.features.jobs.checkpoint import Noted
    from tablewright.runtime.features.tenant.scope import Tenant
    from tablewright.runtime.flow import Flow

STEP_ITEMS = 24  # two writes each, and a check of the new parent: within the members of a transaction
STEP_BYTES = MB  # an item is sent once to be written and once to be compared


class Move(msgspec.Struct, frozen=True):
    """The work of `tw.tree(key).move(to)`."""

    layout: Layout
    composites: Values
    attribute: str
    to: TreePath

    @property
    def source(self) -> TreePath:
        return decode(self.composites[self.attribute])

    @property
    def job(self) -> str:
        return f"move#{'#'.join(map(str, self.layout.key(self.composites).values()))}"

    @property
    def about(self) -> str:
        return f"move {self.layout.name} {self.source} to {self.to}"

    def key_at(self, path: TreePath) -> Params:
        return self.layout.key({**self.composites, self.attribute: encode(path)})

    def begin(self) -> Flow[State]:
        """The item must be there and its new place free; the other way round, it has moved already."""
        source = yield from self.exists(self.source)
        target = yield from self.exists(self.to)
        if source and target:
            raise RequestError(f"cannot {self.about}: there is an item already; choose another path", code=2002)
        if not source and not target:
            raise RequestError(f"cannot {self.about}: there is no such item", code=2002)
        parent = self.to.parent
        if source and parent is not None and not (yield from self.exists(parent)):
            raise RequestError(f"cannot {self.about}: there is no {parent} to hold it; create it first", code=2002)
        return {}

    def exists(self, path: TreePath) -> Flow[bool]:
        table = table_of(self.layout, DEFAULT)
        reply = yield from call("GetItem", {"TableName": table, "Key": self.key_at(path), "ConsistentRead": True})
        return "Item" in reply

    def step(self, state: State, note: Callable[[Stride], Noted]) -> Flow[Stride | None]:
        found = yield from first_items(self.layout, self.composites, self.attribute, STEP_ITEMS)
        if not found:
            return Stride(None)
        members = self.members(_fitting(found))
        stride = Stride(state, {self.layout.name: sum(each.role == "put" for each in members)}, is_noted=True)
        estimated = msgspec.structs.replace(stride, write_units=2.0 * len(members))
        try:
            units = yield from transacted([*members, note(estimated)])
        except TransactionCancelled as error:
            self.judge(error)
            return None
        return msgspec.structs.replace(stride, write_units=units)

    def members(self, items: list[Params]) -> list[Rekeyed]:
        """Both writes of every item, and checks that their new parents are there, where this does not write them."""
        layout, field = self.layout, self.layout.attributes[self.attribute].field
        paths = {decode(item[field]).moved(self.source, self.to): item for item in items}
        table = table_of(layout, DEFAULT)
        members: list[Rekeyed] = []
        for path, item in paths.items():
            members += rekeyed(layout, table, item, self.attribute, encode(path))
        parents = dict.fromkeys(path.parent for path in paths if path.parent is not None)
        return [
            *members,
            *(Rekeyed.of_parent(layout, table, self.key_at(path)) for path in parents if path not in paths),
        ]

    def judge(self, error: TransactionCancelled) -> None:
        """Raise for what will not mend itself; return when others were merely in the way."""
        failed = [reason for reason in error.reasons if reason.code == "ConditionalCheckFailed"]
        for reason in failed:
            role = getattr(reason.operation, "role", "")
            if role == "put":
                raise RequestError(f"cannot {self.about}: {reason.operation.place} is taken; move that away", code=2002)
            if role == "parent":
                problem = f"{reason.operation.place} is gone, moved or deleted meanwhile"
                raise RequestError(f"cannot {self.about}: {problem}; create it, then run it again", code=2002)
        if not failed and any(reason.code not in ("None", "TransactionConflict") for reason in error.reasons):
            raise error

    def survey(self) -> Flow[Progress]:
        count = yield from count_items(self.layout, self.composites, self.attribute)
        return Progress(self.job, {self.layout.name: count}, is_done=True)

    def check_tenant(self, tenant: Tenant) -> None:
        check_said(tenant, self.layout, self.composites)


def _fitting(items: list[Params]) -> list[Params]:
    """As many items, from the first, as one transaction can carry."""
    taken: list[Params] = []
    size = 0
    for item in items:
        size += item_size_bytes(item)
        if taken and size > STEP_BYTES:
            break
        taken.append(item)
    return taken
