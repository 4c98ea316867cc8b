"""What counters, aggregates and second items need of an entity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.schema.check.faults import refuse
from tablewright.schema.types import NUMBER, Enum, Free, Scalar
from tablewright.wire.limits import MAX_TRANSACTION_ACTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tablewright.schema.features import Aggregate, Mirror
    from tablewright.schema.model import Entity
    from tablewright.schema.types import Attribute


def _named(entity: Entity, name: str, feature: str) -> Attribute:
    attribute = entity.attribute(name)
    if attribute is None:
        known = ", ".join(each.name for each in entity.attributes)
        refuse(entity, 1009, f'{feature} names "{name}", which is no attribute', f"Known are {known}")
    return attribute


def _check_text_key(entity: Entity, feature: str) -> None:
    """Second items and shards have keys of their own, in the fields of the table's key."""
    fields = {each.field for each in entity.attributes}
    for side in (entity.primary.pk, entity.primary.sk):
        if side is not None and side.cast == "number":
            refuse(entity, 1009, f"{feature} writes items of its own, but the table's key is a number", "Use text keys")
        if side is not None and side.field in fields:
            remedy = "Let the table's key have fields of its own, such as pk and sk"
            refuse(entity, 1009, f'{feature} writes items of its own, but "{side.field}" is an attribute', remedy)


def _check_counters(entity: Entity) -> None:
    for each in entity.features.counters:
        if not 1 <= each.read <= MAX_TRANSACTION_ACTIONS or each.shards < 1:
            problem = f'the counter "{each.name}" has {each.read} shards'
            refuse(entity, 1009, problem, f"Use 1 to {MAX_TRANSACTION_ACTIONS}; one transaction resets them all")
        if entity.attribute(each.name) is not None:
            refuse(entity, 1009, f'"{each.name}" is an attribute and a counter', "Rename one of them")
    if entity.features.counters:
        _check_text_key(entity, "a counter")


def _check_aggregates(entity: Entity) -> None:
    for each in entity.features.aggregates:
        for name in _names_in(each):
            attribute = _named(entity, name, f"the {each.kind} into {each.into}")
            if not isinstance(attribute.type, Scalar | Enum | Free) and name != each.of:
                refuse(entity, 1009, f'"{name}" is no scalar', "Aggregates go by texts, numbers and booleans")
        _check_kind(entity, each)


def _check_kind(entity: Entity, each: Aggregate) -> None:
    what = f"the {each.kind} into {each.into}.{each.attribute}"
    if (each.of is None) != (each.kind == "count"):
        refuse(entity, 1009, f"{what} {'lacks' if each.of is None else 'has'} `of`", "Only a count has none")
    if (each.at is None) == (each.kind == "latest"):
        refuse(entity, 1009, f"{what} {'lacks' if each.at is None else 'has'} `at`", "Only the latest has one")
    if each.kind == "sum" and each.of is not None and _named(entity, each.of, what).type != NUMBER:
        refuse(entity, 1009, f'{what} adds up "{each.of}", which is no number', "Add up numbers")
    compared = each.of if each.kind in ("min", "max") else each.at
    if compared is not None and not isinstance(_named(entity, compared, what).type, Scalar | Enum):
        refuse(entity, 1009, f'{what} compares "{compared}", which is no scalar', "Compare texts or numbers")


def _names_in(each: Aggregate) -> Iterable[str]:
    yield from (ours for _, ours in each.by)
    yield from (name for name, _ in each.where)
    yield from (name for name in (each.of, each.at) if name is not None)


def _check_aggregated(entity: Entity) -> None:
    for name in entity.features.aggregated:
        attribute = _named(entity, name, "aggregated")
        if any(name in (*pattern.composites, *(pattern.depends_on or ())) for pattern in entity.patterns):
            problem = f'"{name}" is an aggregate and stands in a key'
            refuse(entity, 1009, problem, "Others add to it without knowing the key; keep it out of keys")
        if attribute.required:
            refuse(entity, 1009, f'the aggregate "{name}" is required', "Give it a default, or let it be None")


def _check_mirrors(entity: Entity) -> None:
    for mirror in entity.features.mirrors:
        _check_mirror(entity, mirror)
    pair = entity.features.symmetric
    if pair is not None:
        _check_symmetric(entity, pair)
    if pair is not None or entity.features.mirrors:
        _check_text_key(entity, "a second item")
        if any(each.offload_bytes is not None for each in entity.features.large):
            refuse(entity, 1009, "second items cannot share an offloaded value", "Offload it in an entity of its own")


def _check_mirror(entity: Entity, mirror: Mirror) -> None:
    what = f'the mirror "{mirror.name}"'
    for name in (*mirror.pk, *mirror.sk):
        attribute = _named(entity, name, what)
        if not attribute.required and attribute.default is None:
            refuse(entity, 1009, f'{what} is keyed by "{name}", which can be absent', "Let it be required")
    if mirror.name == entity.name:
        refuse(entity, 1009, f"{what} is called like its entity", "Give second items a name of their own")
    if entity.primary.sk is None and (mirror.sk or mirror.sk_template is not None):
        refuse(entity, 1009, f"{what} has a sort key, but the table has none", "Let it have a partition key alone")
    missing = [name for name in entity.primary.composites if name not in (*mirror.pk, *mirror.sk)]
    if missing:
        remedy = "Else two items would share one second item"
        refuse(entity, 1009, f"{what} leaves out {', '.join(missing)}, which tell items apart", remedy)


def _check_symmetric(entity: Entity, pair: tuple[str, str]) -> None:
    one, other = (_named(entity, name, "symmetric") for name in pair)
    if one.type != other.type or one.name == other.name:
        refuse(entity, 1009, f"symmetric names {pair[0]} and {pair[1]}", "Name two attributes of one type")
    if entity.features.unique:
        remedy = "Both of a pair would claim the value; put it into an entity of its own"
        refuse(entity, 1009, "a symmetric entity has unique attributes", remedy)
    if any(name not in entity.primary.composites for name in pair):
        refuse(entity, 1009, f"symmetric names {pair[0]} and {pair[1]}", "Both must stand in the table's key")


LINK_RULES: tuple[Callable[[Entity], None], ...] = (
    _check_counters,
    _check_aggregates,
    _check_aggregated,
    _check_mirrors,
)
