"""From what an entity declares to what its features do: the values on a layout, see `items/hooks.py`.

A feature is imported by the first entity that declares it; most programs use few.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tablewright.runtime.items.hooks import Hooks
from tablewright.schema.features import NO_FEATURES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.runtime.features.companion import Companion
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.hooks import UpgradeAt, WritePlan
    from tablewright.runtime.items.layout import Layout, Values
    from tablewright.runtime.options import Options
    from tablewright.schema.keys import PatternKeys
    from tablewright.schema.model import Entity

HERE = "tablewright.runtime.features"

# By field of `Features`: the module and its function that makes the companion of an entity (None: no need for one).
COMPANIONS: dict[str, str] = {
    "unique": "unique.claims:unique_companion",
    "mirrors": "edges.mirrors:mirror_companion",
    "symmetric": "edges.symmetric:symmetric_companion",
    "aggregates": "aggregates.write_along:aggregate_companion",
    "aggregated": "aggregates.guard:guard_companion",
    "history": "history.write_along:history_companion",
}


def hooks_of(entity: Entity, primary: PatternKeys) -> Hooks:
    is_spread = any(each.is_spread for each in entity.patterns)
    features = entity.features
    if features == NO_FEATURES and not is_spread:
        return _NO_FEATURES
    return Hooks(
        derived=_named("sharding.derive:derivations_of")(entity) if is_spread else (),
        spread=_named("sharding.gather:SPREAD") if is_spread else None,
        large=_named("blobs.large_fields:kept_of")(entity, primary) if features.large else None,
        marking=_named("soft_delete:MARKING") if features.soft_delete is not None else None,
        plan=_plan_of(entity),
        upgrade_at=_upgrade_at,
    )


def _upgrade_at(layout: Layout, composites: Values, options: Options) -> Flow[bool]:
    upgrade_at: UpgradeAt = _named("upgrade:upgrade_at")
    return upgrade_at(layout, composites, options)


_NO_FEATURES = Hooks(upgrade_at=_upgrade_at)
"""Any entity may have items of an older version."""


def _plan_of(entity: Entity) -> WritePlan | None:
    """What is done besides when an item is written; None where it is simply written."""
    features = entity.features
    declared = [name for name in COMPANIONS if getattr(features, name) != getattr(NO_FEATURES, name)]
    makers: list[Callable[[Entity], Companion | None]] = [_named(COMPANIONS[name]) for name in declared]
    companions = tuple(made for make in makers if (made := make(entity)) is not None)
    if not companions and features.version is None:
        return None
    plan: WritePlan = _named("plan:Plan")(features.version, companions)
    return plan


def _named(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(import_module(f"{HERE}.{module}"), name)
