"""Names for what was chosen: tags, partition labels, key fields, and the templates made of them.

Views that one query reads together share a partition label; all others have one of their own, so that unrelated types
never meet in a partition and no query reads what it does not want.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING
from zlib import crc32

import msgspec

from tablewright.architect.candidates.shapes import Shape
from tablewright.architect.design.templates import DELIMITER, Part, Template
from tablewright.architect.heat.partition import shards_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.architect.search.choose import Choice
    from tablewright.architect.spec.assume import Facts
    from tablewright.architect.spec.model import KeyStyle, Spec


class View(msgspec.Struct, frozen=True):
    """An entity in one place: the table (slot None), an index slot, or a copy in the table."""

    entity: str
    slot: int | None
    shape: Shape
    is_copy: bool = False


def views_of(choice: Choice) -> Iterator[View]:
    for entity, shape in sorted(choice.base.items()):
        yield View(entity, None, shape)
    for entity, shapes in sorted(choice.copies.items()):
        for shape in shapes:
            yield View(entity, None, shape, is_copy=True)
    for slot, members in enumerate(choice.slots):
        for entity, shape in sorted(members.items()):
            yield View(entity, slot, shape)


# ---- groups -------------------------------------------------------------------------------------------------------


def groups_of(views: Iterable[View], choice: Choice, spec: Spec) -> list[tuple[View, ...]]:
    """Views joined by a query that reads several of them; each of the others alone."""
    groups = [{view} for view in views]
    for id_, (gathering, slot) in sorted(choice.gatherings.items()):
        pattern = spec.pattern(id_)
        assert pattern is not None
        wanted = {
            view
            for group in groups
            for view in group
            if view.slot == slot and not view.is_copy and view.entity in pattern.entities
            if view.shape.signature == gathering.signature
        }
        touched = [group for group in groups if group & wanted]
        groups = [group for group in groups if not group & wanted] + [set[View]().union(*touched)]
    ordered = [tuple(sorted(group, key=view_key)) for group in groups if group]
    return sorted(ordered, key=lambda group: [view_key(view) for view in group])


def view_key(view: View) -> tuple[int, str, bool, Shape]:
    return (-1 if view.slot is None else view.slot, view.entity, view.is_copy, view.shape)


def word(text: str) -> str:
    """`orderItem` or `OrderItem` as `ORDER_ITEM`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text).replace("-", "_").upper()


def subject(attribute: str) -> str:
    """What an attribute names: `orderId` is about ORDER."""
    return word(re.sub(r"(?<=.)_?(id|Id|ID)$", "", attribute)) or word(attribute)


def label_of(group: tuple[View, ...]) -> str:
    partition = group[0].shape.partition
    return "+".join(subject(name) for name in partition) if partition else word(group[0].entity)


def labels_of(groups: list[tuple[View, ...]]) -> dict[View, str]:
    """A label for every view; groups of one slot that would share theirs add the entity's name."""
    found: dict[View, str] = {}
    taken: dict[tuple[int | None, str], int] = {}
    for group in groups:
        place = group[0].slot
        label = label_of(group)
        if (place, label) in taken or (len(group) == 1 and needs_own_label(group[0], groups, label)):
            label = f"{label}.{word(group[0].entity)}"
        if group[0].is_copy and (place, label) in taken:
            label = f"{label}.COPY"
        taken[place, label] = 1
        found.update(dict.fromkeys(group, label))
    return found


def needs_own_label(view: View, groups: list[tuple[View, ...]], label: str) -> bool:
    """Whether another group of the same slot would have this label and has the better right to it."""
    rivals = [
        group for group in groups if group[0].slot == view.slot and view not in group and label_of(group) == label
    ]
    own = label == word(view.entity)
    return bool(rivals) and not own


# ---- templates ----------------------------------------------------------------------------------------------------


TYPE_FIELD = "_type"
"""Every item says what it is, for those who read several types and for people."""


SHARD = "_shard"
"""Stands in keys for a number that follows from the item's id: see `shard_of`."""


def shard_of(ids: Iterable[str], shards: int) -> str:
    """CRC-32 of the id's parts joined by the delimiter, modulo the number of shards: any language has it."""
    return str(crc32(DELIMITER.join(ids).encode()) % shards)


class Keys(msgspec.Struct, frozen=True):
    """The templates of a view: its partition key and its sort key."""

    pk: Template
    sk: Template


def plain_keys(view: View, label: str, shards: int) -> Keys:
    shape, fields = view.shape, key_fields(view.slot)
    shard = (Part(DELIMITER, SHARD),) if shards > 1 else ()
    pk = (Part(label), *(Part(DELIMITER, name) for name in shape.partition), *shard)
    lead = tuple(Part(DELIMITER if at else "", name) for at, name in enumerate(shape.lead))
    tag = Part((DELIMITER if lead else "") + word(view.entity))
    sk = (*lead, tag, *(Part(DELIMITER, name) for name in shape.rest))
    return Keys(Template(fields[0], pk), Template(fields[1], sk))


def key_fields(slot: int | None) -> tuple[str, str]:
    return ("pk", "sk") if slot is None else (f"gsi{slot + 1}pk", f"gsi{slot + 1}sk")


class Names(msgspec.Struct, frozen=True):
    """What everything is called: templates by view, the views that share its partitions, and their shards."""

    keys: Mapping[View, Keys]
    groups: Mapping[View, tuple[View, ...]]
    shards: Mapping[View, int]


def name_keys(facts: Facts, choice: Choice) -> Names:
    views = list(views_of(choice))
    groups = groups_of(views, choice, facts.spec)
    labels = labels_of(groups)
    shards = {view: max(shards_for(facts, each.shape) for each in group) for group in groups for view in group}
    return Names(
        {view: plain_keys(view, labels[view], shards[view]) for view in views},
        {view: group for group in groups for view in group},
        shards,
    )


def style_of(spec: Spec) -> KeyStyle:
    return spec.constraints.key_style
