"""Values that at most one item has: each attribute alone, several together, or one attribute over several entities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.expr.compare import is_equal
from tablewright.proof.application.state import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.proof.application.state import Changed, State
    from tablewright.spec.model import Spec

Group = tuple[tuple[str, tuple[str, ...]], ...]  # entities, each with the attributes that are unique among all of them


def check_unique(spec: Spec, after: State, changed: Iterable[Changed]) -> None:
    """Raises where what was written has a value that another item has."""
    groups = list(unique_groups(spec))
    for each in changed:
        if each.after is None:
            continue
        for group in groups:
            for entity, attributes in group:
                wanted = values_of(each.after, attributes) if entity == each.entity else None
                if wanted is not None and _count(after, group, wanted) > 1:
                    raise RefusedError(f"{each.entity}: {', '.join(attributes)} is taken")


def unique_groups(spec: Spec) -> Iterator[Group]:
    for entity in spec.entities.values():
        for attributes in entity.unique:
            yield ((entity.name, attributes),)
    for group in spec.unique:
        yield tuple((entity, (attribute,)) for entity, attribute in group)


def values_of(item: dict[str, Any], attributes: Iterable[str]) -> list[Any] | None:
    """None where the item lacks one of them, and so is in nobody's way."""
    found = [item.get(name) for name in attributes]
    return None if None in found else found


def _count(state: State, group: Group, wanted: list[Any]) -> int:
    found = 0
    for entity, attributes in group:
        for item in state.of(entity):
            values = values_of(item, attributes)
            found += values is not None and all(map(is_equal, values, wanted))
    return found
