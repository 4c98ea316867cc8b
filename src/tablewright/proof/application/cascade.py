"""What goes with an item that is deleted: its children, theirs, and the edges that name it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.expr.compare import is_equal
from tablewright.proof.application.state import Changed, pair_names, with_changes
from tablewright.spec.facts import reference_attributes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.proof.application.state import Item, State
    from tablewright.spec.model import RelationshipSpec, Spec


def gone_with(spec: Spec, state: State, changed: Iterable[Changed]) -> Iterator[Changed]:
    """`state` is that without the items that were deleted themselves."""
    waiting = [each for each in changed if each.after is None]
    while waiting:
        parent = waiting.pop(0)
        found = [Changed(child, item, None) for child, item in _children(spec, state, parent)]
        state = with_changes(spec, state, found)
        waiting += found
        yield from found


def _children(spec: Spec, state: State, parent: Changed) -> Iterator[tuple[str, Item]]:
    assert parent.before is not None
    seen: set[int] = set()
    for each in spec.relationships:
        child = each.via or each.target
        named = _naming(spec, each, parent.entity) if each.cascade and child in spec.entities else {}
        for item in state.of(child) if named else ():
            if id(item) not in seen and all(
                is_equal(item.get(ours), parent.before[theirs]) for theirs, ours in named.items()
            ):
                seen.add(id(item))
                yield child, item


def _naming(spec: Spec, each: RelationshipSpec, parent: str) -> dict[str, str]:
    """By attribute of the parent's id: the child's that holds it. Edges name both of their ends."""
    if parent != each.source and not (each.via and parent == each.target):
        return {}
    child, found = spec.entities[each.via or each.target], spec.entities[parent]
    if each.via and each.by:  # of an edge `by` says where the source is
        ours = each.by if parent == each.source else found.id
        return pair_names(found.id, ours) if set(ours) <= set(child.attributes) else {}
    return pair_names(found.id, reference_attributes(spec, child, found, each))
