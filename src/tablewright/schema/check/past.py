"""Queues, kept versions and marks of deletion: what they rest on must be there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.schema.check.faults import refuse
from tablewright.schema.types import NUMBER, STRING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.schema.features import Lease
    from tablewright.schema.model import AccessPattern, Entity


def check_queues(entity: Entity) -> None:
    seen: dict[str, str] = {}
    for pattern in entity.patterns:
        if pattern.queue is not None:
            _check_place(entity, pattern, pattern.queue)
            _check_company(entity, pattern, pattern.queue)
            _check_attributes(entity, pattern, pattern.queue, seen)


def _check_place(entity: Entity, pattern: AccessPattern, lease: Lease) -> None:
    if pattern.index is None:
        remedy = "Give the queue a secondary index"
        refuse(entity, 1009, "it is the table's own key, which no claim can change", remedy, part=pattern)
    sort = pattern.sk.composite if pattern.sk is not None else ()
    if not sort or sort[0] != lease.due:
        problem = f'it is a queue by "{lease.due}", which is not the first of its sort key'
        refuse(entity, 1009, problem, "Sort a queue by the time its items are due", part=pattern)
    if lease.seconds < 1 or (lease.attempts is not None and lease.attempts < 1):
        refuse(entity, 1009, "its lease or its attempts are below 1", "Give whole numbers from 1 on", part=pattern)


def _check_company(entity: Entity, pattern: AccessPattern, lease: Lease) -> None:
    if pattern.bucket is not None:
        problem = "it has buckets, and a claim would move items between them"
        refuse(entity, 1009, problem, "A queue is short: leave the buckets out, or use shards", part=pattern)
    if pattern.shards is not None and lease.due in pattern.shards.of:
        problem = f'its shard follows from "{lease.due}", which every claim moves'
        refuse(entity, 1009, problem, "Let it follow from the table key", part=pattern)
    held = pattern.projection
    needed = {*entity.primary.composites, *pattern.composites}
    if held == "keys_only" or (not isinstance(held, str) and not needed.issubset(held)):
        problem = "its index does not hold what a claim must know"
        refuse(entity, 1009, problem, f"Project {', '.join(sorted(needed))}, or all", part=pattern)


def _check_attributes(entity: Entity, pattern: AccessPattern, lease: Lease, seen: dict[str, str]) -> None:
    wanted = {
        lease.due: STRING,
        lease.token: STRING,
        lease.worker: STRING,
        lease.counter: NUMBER,
        lease.dead: STRING,
    }
    if len(wanted) < 5:
        refuse(entity, 1009, "its lease names one attribute twice", "Give each its own", part=pattern)
    for name, kind in wanted.items():
        attribute = entity.attribute(name)
        if attribute is None or attribute.type != kind:
            what = "a number" if kind == NUMBER else "a text or a datetime"
            refuse(entity, 1009, f'its lease needs "{name}", {what}', "Declare it so, or name another", part=pattern)
        if attribute.required or attribute.read_only:
            remedy = "Declare it as optional, and not as read-only"
            refuse(entity, 1009, f'claims set and remove "{name}"', remedy, part=pattern)
        if name in seen:
            problem = f'its lease uses "{name}", as that of "{seen[name]}" does'
            refuse(entity, 1009, problem, "Name others: tw.Lease(token=..., worker=..., ...)", part=pattern)
        seen[name] = pattern.name


def _check_history(entity: Entity) -> None:
    history = entity.features.history
    if history is None:
        return
    if entity.features.version is None:
        remedy = "Add one: version: Attr[int] = attr(version=True)"
        refuse(entity, 1009, "it keeps its versions, but no attribute counts them", remedy)
    if history.by is not None and entity.attribute(history.by) is None:
        refuse(entity, 1009, f'history names "{history.by}", which is no attribute', "Name the one with the author")
    if history.keep is not None and (not isinstance(history.keep, int) or history.keep < 1):
        refuse(entity, 1009, f"history keeps {history.keep!r}", "Give a number of versions, or a timedelta")
    if any(each.offload_bytes is not None for each in entity.features.large):
        problem = "it keeps its versions, whose large attributes outside the table would be gone"
        refuse(entity, 1009, problem, "Compress them, or keep them in an entity of their own")
    sides = (entity.primary.pk, entity.primary.sk)
    if sides[1] is None:
        refuse(entity, 1009, "it keeps its versions, for which the table needs a sort key", "Leave out sort=False")
    if any(side is not None and side.cast == "number" for side in sides):
        refuse(entity, 1009, "history writes items of its own, but the table's key is a number", "Use text keys")


def _check_soft_delete(entity: Entity) -> None:
    soft = entity.features.soft_delete
    if soft is None:
        return
    attribute = entity.attribute(soft.attribute)
    if attribute is None or attribute.type != STRING:
        problem = f'deleted items are marked by "{soft.attribute}", which is no text'
        refuse(entity, 1009, problem, "Declare it as datetime | None")
    if attribute.required or attribute.read_only:
        problem = f'deleting and restoring set and remove "{soft.attribute}"'
        refuse(entity, 1009, problem, "Declare it as optional, and not as read-only")
    ttl = entity.features.ttl
    if soft.keep is not None and (ttl is None or ttl.lifetime_seconds is not None):
        problem = "what is deleted is to go by itself, for which an attribute must say when"
        refuse(entity, 1009, problem, "Declare expires: Attr[datetime | None] = attr(ttl=True), without a lifetime")
    for pattern in entity.patterns:
        held = pattern.projection
        if pattern.index is not None and held != "all" and (isinstance(held, str) or soft.attribute not in held):
            problem = f'its index does not hold "{soft.attribute}", by which deleted items would be hidden'
            refuse(entity, 1009, problem, "Add it to the projection", part=pattern)


PAST_RULES: tuple[Callable[[Entity], None], ...] = (_check_history, _check_soft_delete)
