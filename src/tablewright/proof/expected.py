"""The items that the tables must hold, as they follow from the application's state.

The engine is not involved, nor anything that writes: this is what the stored items are compared with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.proof.items import Key, image, key_in, types_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.model import Design, ItemType, WriteStep
    from tablewright.proof.application.state import Changed, State

Item = dict[str, Any]
StoredItems: TypeAlias = dict[Key, Item]


def instances_of(state: State) -> dict[str, list[Item]]:
    return {name: list(items.values()) for name, items in state.items.items()}


def expected_items(design: Design, instances: Mapping[str, Iterable[Item]]) -> StoredItems:
    """All items that the instances are stored as."""
    found: StoredItems = {}
    for item in design.items:
        if item.kind == "packed":
            found.update(_packed_items(design, item, instances))
            continue
        for instance in instances[item.entity]:
            key = key_in(design, item, instance)
            if key is not None and key not in found:
                stored = image(design, item, instance, instances)
                found.update({} if stored is None else {key: stored})
    return found


def _packed_items(design: Design, item: ItemType, instances: Mapping[str, Iterable[Item]]) -> StoredItems:
    """The same of items that hold several instances: only those under one key are looked at for each."""
    groups: dict[Key, list[Item]] = {}
    for instance in instances[item.entity]:
        key = key_in(design, item, instance)
        if key is not None:
            groups.setdefault(key, []).append(instance)
    return {
        key: stored
        for key, members in groups.items()
        if (stored := image(design, item, members[0], {item.entity: members})) is not None
    }


class Images(msgspec.Struct, frozen=True):
    """Stored items of the changed instances before and after a write, and the keys of those it wrote."""

    before: Mapping[Key, Item]
    after: Mapping[Key, Item]
    written: tuple[Key, ...]


def images_of(
    design: Design,
    stored: StoredItems,
    changes: Iterable[Changed],
    instances: Mapping[str, Iterable[Item]],
    steps: tuple[WriteStep, ...] = (),
) -> Images:
    """`instances` are those after the changes; `steps` tell which items are not written because nothing changes."""
    before: dict[Key, Item] = {}
    after: dict[Key, Item] = {}
    written: list[Key] = []
    for change in changes:
        for item in types_of(design, change.entity):
            for instance in (change.before, change.after):
                key = None if instance is None else key_in(design, item, instance)
                if instance is None or key is None:
                    continue
                if key in stored:
                    before[key] = stored[key]
                if item.kind in ("total", "trailing", "latest", "embedded", "packed") or instance is change.after:
                    found = image(design, item, instance, instances)
                    after.update({} if found is None else {key: found})
                is_kept = item.kind == "latest" and after.get(key) == stored.get(key)
                if not is_kept and _is_written(item, change, steps):
                    written.append(key)
        for item, instance in keepers_of(design, change, instances):
            key = key_in(design, item, instance)
            found = None if key is None else image(design, item, instance, instances)
            if key is not None and found is not None:
                before.update({key: stored[key]} if key in stored else {})
                after[key] = found
    return Images(before, after, tuple(dict.fromkeys(written)))


def keepers_of(
    design: Design, change: Changed, instances: Mapping[str, Iterable[Item]]
) -> Iterator[tuple[ItemType, Item]]:
    """The instances that keep copies of what has another value now, with the types they are stored as."""
    was, is_now = change.before or {}, change.after or {}
    for item in design.items:
        copies = [each.copy_of for each in item.attributes if each.copy_of and each.copy_of.entity == change.entity]
        changed = [each for each in copies if was.get(each.attribute) != is_now.get(each.attribute)]
        known = {**was, **is_now}
        for instance in instances[item.entity] if changed else ():
            if any(all(instance.get(o) == known.get(t) for t, o in each.by.items()) for each in changed):
                yield item, instance


def with_images(stored: StoredItems, images: Images) -> StoredItems:
    """What is stored afterwards."""
    return {**{key: item for key, item in stored.items() if key not in images.before}, **images.after}


def _is_written(item: ItemType, change: Changed, steps: tuple[WriteStep, ...]) -> bool:
    return any(
        _is_done(step, change)
        for step in steps
        if step.item == item.name and step.operation != "ConditionCheck" and not step.names_of
    )


def _is_done(step: WriteStep, change: Changed) -> bool:
    """Not where it is only for what changes and nothing does, or only for what stays and something does not."""
    was, is_now = change.before or {}, change.after or {}

    def stays(names: tuple[str, ...]) -> bool:
        return change.before is not None and all(was.get(name) == is_now.get(name) for name in names)

    return not (step.unless_same and stays(step.unless_same)) and (not step.if_same or stays(step.if_same))
