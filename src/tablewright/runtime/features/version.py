"""Optimistic locking: every write counts a number up, and a write through an item insists that nobody else did.

Version 0 is that of an item which was never stored: there the attribute is missing (or 0, as ElectroDB's default has
it). Writes by key count up without insisting; create starts at 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.expr import nodes
from tablewright.runtime.requests.request import existence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.runtime.items.layout import Layout


def expected_version(write: Any) -> int | None:
    """The version a write insists on; None when any will do."""
    plan = write.layout.plan
    if plan is None or plan.lock is None or getattr(write, "only_new", False):
        return None
    if write.method in ("put", "upsert"):
        version = int(write.values.get(plan.lock, 0) or 0)
        return version or (0 if write.method == "put" else None)
    remembered: Any = getattr(write, "remembered", {}).get(plan.lock)
    return None if remembered is None else int(remembered or 0)


def insisted(write: Any) -> nodes.Condition | None:
    """The condition that the stored item is at the expected version. Deleting what is gone already is no conflict."""
    version = expected_version(write)
    if version is None:
        return None
    path = nodes.Name((field_of(write.layout),))
    if version:
        same: nodes.Condition = nodes.Compare("=", path, nodes.Value(version))
    else:
        zero = nodes.Compare("=", path, nodes.Value(0))
        same = nodes.Or((nodes.Function("attribute_not_exists", (path,)), zero))
    if write.method == "delete" and not write.must_exist and version:
        gone = existence(write.layout, exists=False)
        return same if gone is None else nodes.Or((gone, same))
    return same


def is_broken(write: Any, item: Mapping[str, Any] | None) -> bool:
    """Whether the item a write met is not at the version it insists on."""
    version = expected_version(write)
    if version is None:
        return False
    stored = None if item is None else item.get(field_of(write.layout), 0)
    return stored != version and not (stored is None and version == 0)


def counted(lock: str | None, values: dict[str, Any], *, only_new: bool) -> dict[str, Any]:
    """The values of a whole item with their next version."""
    if lock is None:
        return values
    version = 0 if only_new else int(values.get(lock, 0) or 0)
    return {**values, lock: version + 1}


def counting(layout: Layout) -> list[nodes.Action]:
    """What counts the version up in an update."""
    if layout.plan is None or layout.plan.lock is None:
        return []
    return [nodes.Add(nodes.Name((field_of(layout),)), nodes.Value(1))]


def field_of(layout: Layout) -> str:
    assert layout.plan is not None
    assert layout.plan.lock is not None
    return layout.attributes[layout.plan.lock].field
