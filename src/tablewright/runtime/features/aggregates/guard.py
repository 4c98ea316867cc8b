"""An item that others add to is not written over as a whole: what they have added would be lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from tablewright.expr.nodes import Condition
    from tablewright.runtime.features.companion import Change, Clause, Kind
    from tablewright.schema.model import Entity


class _Guard(msgspec.Struct, frozen=True, eq=False):
    """Refuses a put over an item; create, patch, upsert and delete are as ever."""

    fields: tuple[str, ...]

    def needs(self, kind: Kind, fields: Collection[str]) -> Collection[str] | None:  # noqa: ARG002 - a Companion
        return self.fields if kind == "put" else None

    def holds(self, change: Change) -> Iterable[Condition]:  # noqa: ARG002
        return ()

    def clauses(self, changes: Sequence[Change]) -> Iterable[Clause]:
        for change in changes:
            if change.old is not None:
                layout = change.layout
                raise RequestError(
                    f"{layout.name}: a put would write over {layout.listed(layout.entity.features.aggregated)}, which "
                    "others add to; patch what is to change, upsert, or delete it first",
                    code=2002,
                )
        return ()


def guard_companion(entity: Entity) -> _Guard:
    named = {each.name: each.field for each in entity.attributes}
    return _Guard(tuple(named[name] for name in entity.features.aggregated))
