"""Deleting a subtree, top down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.runtime.features.hierarchy.subtree import composites_of, count_items, first_items
from tablewright.runtime.features.jobs.progress import Progress, State, Stride
from tablewright.runtime.features.jobs.writes import deleted
from tablewright.runtime.features.tenant.guard import check_said
from tablewright.runtime.items.layout import Layout, Values

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.runtime.features.jobs.checkpoint import Noted
    from tablewright.runtime.features.tenant.scope import Tenant
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.requests.request import Params

STEP_ITEMS = 100


class Removal(msgspec.Struct, frozen=True):
    """The work of `tw.tree(key).delete()`."""

    layout: Layout
    composites: Values
    attribute: str

    @property
    def job(self) -> str:
        return f"delete#{'#'.join(map(str, self.layout.key(self.composites).values()))}"

    @property
    def about(self) -> str:
        return f"delete {self.layout.name} {self.composites[self.attribute]} and what is below"

    def begin(self) -> Flow[State]:
        yield from ()
        return {}

    def step(self, state: State, _: Callable[[Stride], Noted]) -> Flow[Stride]:
        layout = self.layout
        found = yield from first_items(layout, self.composites, self.attribute, STEP_ITEMS, self.is_left)
        if not found:
            return Stride(None)
        units = yield from deleted([(layout, composites_of(layout, item)) for item in found])
        return Stride(state, {layout.name: len(found)}, units)

    def is_left(self, item: Params) -> bool:
        """Of entities that are only marked when they are deleted, those without the mark."""
        return self.layout.marked_by is None or self.layout.marked_by not in item

    def survey(self) -> Flow[Progress]:
        count = yield from count_items(self.layout, self.composites, self.attribute)
        return Progress(self.job, {self.layout.name: count}, is_done=True)

    def check_tenant(self, tenant: Tenant) -> None:
        check_said(tenant, self.layout, self.composites)
