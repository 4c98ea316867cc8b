"""What goes with an item that is deleted: its children, theirs, and the edges that name it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.expr.compare import is_equal
from tablewright.proof.application.state import Changed, with_changes
from tablewright.spec.links import cascading_links

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.proof.application.state import Named, State
    from tablewright.spec.model import Spec


def gone_with(spec: Spec, state: State, deleted: Iterable[Named]) -> Iterator[Changed]:
    """`state` is that without the items that were deleted themselves."""
    waiting = list(deleted)
    while waiting:
        found = [Changed(child, item, None) for child, item in _children(spec, state, waiting.pop(0))]
        state = with_changes(spec, state, found)
        waiting += [(each.entity, each.before) for each in found if each.before is not None]
        yield from found


def _children(spec: Spec, state: State, parent: Named) -> Iterator[Named]:
    seen: set[int] = set()
    for link in cascading_links(spec):
        for item in state.of(link.child) if link.parent == parent[0] and link.by else ():
            if id(item) not in seen and all(is_equal(item.get(ours), parent[1][theirs]) for ours, theirs in link.by):
                seen.add(id(item))
                yield link.child, item
