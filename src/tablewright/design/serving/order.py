"""In which order attributes stand in a key where any order would do: as people would say them.

The tenant comes first, so that a policy can hold a caller to it; then every id in its own order (an owner before the
repository, the repository before its issues), and by name what no id orders. The same attributes have the same order
all over a design, whatever the order of its entities.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.spec.model import Spec


def spoken_order(spec: Spec) -> dict[str, tuple[bool, int]]:
    """By attribute: what to sort it by."""
    tenants = {each.tenant for each in spec.patterns}
    return {name: (name not in tenants, place) for place, name in enumerate(after_ids(spec))}


def after_ids(spec: Spec) -> list[str]:
    """All attributes, none before one that precedes it in an id; circles are cut at the first name."""
    before: dict[str, set[str]] = {name: set() for each in spec.entities.values() for name in each.attributes}
    for entity in spec.entities.values():
        for first, second in zip(entity.id, entity.id[1:], strict=False):
            before.setdefault(first, set())
            before.setdefault(second, set()).add(first)
    ready = [name for name, earlier in before.items() if not earlier]
    heapify(ready)
    found: dict[str, None] = {}
    while len(found) < len(before):
        name = heappop(ready) if ready else min(each for each in before if each not in found)
        if name not in found:
            found[name] = None
            release(name, before, found, ready)
    return list(found)


def release(name: str, before: Mapping[str, set[str]], found: Mapping[str, None], ready: list[str]) -> None:
    for other, earlier in before.items():
        if name in earlier and other not in found and earlier <= found.keys():
            heappush(ready, other)
