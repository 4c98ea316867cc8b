"""What a raised version means for what is stored already: said in the declaration, never found out by missing items.

Keys carry the entity's version unless they are templates. An item of version 1 lies where version 2 does not look, so
the class statement has to say which version its keys carry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.errors import SchemaError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.schema.model import Entity

FIRST = "1"


def check_versions(entity: Entity, upgrades: Mapping[str, Any]) -> None:
    """Refuse a version other than the first that leaves open where older items are."""
    if entity.version in upgrades:
        raise SchemaError(
            f"{entity.name}: version {entity.version!r} is that of today; upgrades are for others", code=1009
        )
    if entity.version == FIRST or entity.key_version is not None or (upgrades and not _is_in_keys(entity)):
        return
    older = next(iter(upgrades), FIRST)
    stays = f'key_version="{older}"' + ("" if upgrades else f' and upgrades={{"{older}": function}}')
    problem = f"items of version {older} would not be found by version {entity.version}"
    remedy = f"write {stays}, and all are found where they are; or key_version={entity.version!r} where there are none"
    raise SchemaError(f"{entity.name}: {problem}: {_reason(entity)}; {remedy} (or tw.upgrade moves them)", code=1009)


def _reason(entity: Entity) -> str:
    return "keys carry the version" if _is_in_keys(entity) else "items carry the version"


def _is_in_keys(entity: Entity) -> bool:
    """Whether the table key is composed, with the version in it, and not written as templates."""
    sides = [side for side in (entity.primary.pk, entity.primary.sk) if side is not None]
    return any(side.template is None for side in sides)
