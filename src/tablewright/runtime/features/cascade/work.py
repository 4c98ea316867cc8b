"""Cascades: an item goes with everything that belongs to it, parents before children.

Parents first, because then nobody who insists on the parent can add to what was done already. What leads to the
children, the parent's key, is in the checkpoint before the parent goes: a stack of items, of each of which children are
looked for until there are none. Those of entities without children of their own are taken in one go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.runtime.features.cascade.archive import Archive, archived
from tablewright.runtime.features.cascade.relations import Relation
from tablewright.runtime.features.jobs.progress import Progress, State, Stride
from tablewright.runtime.features.jobs.writes import deleted
from tablewright.runtime.features.tenant.guard import check_said
from tablewright.runtime.items.layout import Layout, Values
from tablewright.wire.values import marshal_item, unmarshal_item

if TYPE_CHECKING:
    from tablewright.runtime.features.jobs.checkpoint import Noted
    from tablewright.runtime.features.tenant.scope import Tenant
    from tablewright.runtime.flow import Flow

STEP_ITEMS = 50
STEP_QUESTIONS = 100
NAME, GONE = 0, 2
Frame: TypeAlias = list[Any]  # an entity's name, its key composites in typed JSON, whether it was taken


class Cascade(msgspec.Struct, frozen=True):
    """The work of `tw.cascade(key)`."""

    layout: Layout
    composites: Values
    relations: Mapping[str, tuple[Relation, ...]]
    archive: Archive | None = None

    @property
    def job(self) -> str:
        return f"cascade#{'#'.join(map(str, self.layout.key(self.composites).values()))}"

    @property
    def about(self) -> str:
        key = ", ".join(f"{self.layout.called(name)}={value!r}" for name, value in self.composites.items())
        kind = "delete" if self.archive is None else "archive"
        where = f" in {self.archive}" if isinstance(self.archive, str) else ""
        return f"{kind} {self.layout.name} {key} and what belongs to it{where}"

    def begin(self) -> Flow[State]:
        yield from ()
        return {"stack": [_frame_of(self.layout, self.composites)]}

    def step(self, state: State, _: Callable[[Stride], Noted]) -> Flow[Stride]:
        tally = _Tally()
        stack: list[Frame] = [[*frame[:GONE], True] for frame in state["stack"]]
        yield from self.take([frame for frame in state["stack"] if not frame[GONE]], tally)
        for _question in range(STEP_QUESTIONS):
            if not stack or tally.items >= STEP_ITEMS:
                break
            found = yield from self.look(stack)
            if not found:
                stack = stack[:-1]
            elif self.relations[found[0][NAME]]:  # they are remembered first, because nothing else leads to their own
                stack = [*stack, *found]
                break
            else:
                yield from self.take(found, tally)
        return Stride({"stack": stack} if stack else None, tally.counts, tally.write_units)

    def look(self, stack: list[Frame]) -> Flow[list[Frame]]:
        """Some children of the item on top that are not on the way down to it."""
        name, typed, _ = stack[-1]
        on_the_way = [frame[:GONE] for frame in stack]
        for relation in self.relations[name]:
            found = yield from relation.find(unmarshal_item(typed), STEP_ITEMS)
            frames = [_frame_of(relation.child, each) for each in found]
            unseen = [frame for frame in frames if frame[:GONE] not in on_the_way]
            if unseen:
                return unseen
        return []

    @property
    def layouts(self) -> dict[str, Layout]:
        children = {each.child.name: each.child for group in self.relations.values() for each in group}
        return {self.layout.name: self.layout, **children}

    def take(self, frames: Sequence[Frame], tally: _Tally) -> Flow[None]:
        """Archive items, where that is asked for, and delete them."""
        by_entity: dict[str, list[Values]] = {}
        for name, typed, _ in frames:
            by_entity.setdefault(name, []).append(unmarshal_item(typed))
        for name, keys in by_entity.items():
            layout = self.layouts[name]
            if self.archive is not None:
                tally.write_units += yield from archived(self.archive, layout, keys)
            tally.write_units += yield from deleted([(layout, key) for key in keys])
            tally.counts[name] = tally.counts.get(name, 0) + len(keys)

    # ---- looking only --------------------------------------------------------------------------------------------

    def survey(self) -> Flow[Progress]:
        counts: dict[str, int] = {self.layout.name: 1}
        waiting = [_frame_of(self.layout, self.composites)]
        seen = list(waiting)
        while waiting:
            name, typed, _ = waiting.pop()
            for relation in self.relations[name]:
                query = relation.query(unmarshal_item(typed))
                child = relation.child
                if self.relations[child.name]:
                    page = yield from query.pages("all").flow()
                    frames = [_frame_of(child, item.__tablewright_key__().composites) for item in page.items]
                    fresh = [frame for frame in frames if frame not in seen]
                    waiting, seen, count = [*waiting, *fresh], [*seen, *fresh], len(fresh)
                else:
                    count = yield from query.total().flow()
                counts[child.name] = counts.get(child.name, 0) + count
        return Progress(self.job, counts, is_done=True)

    def check_tenant(self, tenant: Tenant) -> None:
        check_said(tenant, self.layout, self.composites)
        for relation in self.relations[self.layout.name]:
            check_said(tenant, relation.child, relation.given(self.composites))


class _Tally:
    """What one step took so far."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.write_units = 0.0

    @property
    def items(self) -> int:
        return sum(self.counts.values())


def _frame_of(layout: Layout, composites: Values) -> Frame:
    return [layout.name, marshal_item(composites), False]
