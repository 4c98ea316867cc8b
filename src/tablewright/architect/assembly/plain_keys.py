"""Plain keys: `ORDER#o1`, one label for each group of views in the partition key, the item's type in the sort key.

Views that one query reads together share a partition label; all others have one of their own, so that unrelated types
never meet in a partition and no query reads what it does not want.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.layout.names import index_fields, subject, word
from tablewright.design.layout.views import Keys, View
from tablewright.design.values.templates import BUCKET, COPY, DELIMITER, SHARD, KeyTemplate, Part, Template
from tablewright.expr.nodes import Slot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.architect.assembly.views import Edge, KeptKeys


def _label_of(group: tuple[View, ...]) -> str:
    partition = group[0].shape.partition
    return "+".join(subject(name) for name in partition) if partition else word(group[0].entity)


def labels_of(groups: list[tuple[View, ...]], kept: Mapping[View, KeptKeys]) -> dict[View, str]:
    """A label for every view; groups of one slot that would share theirs add the entity's name."""
    found: dict[View, str] = {}
    taken = {(view.slot, each.label) for view, each in kept.items()}
    for group in groups:
        if group[0].first in found:  # another copy of what has its label
            found[group[0]] = found[group[0].first]
            continue
        label = next((kept[view].label for view in group if view in kept), None) or _free_label(group, groups, taken)
        taken.add((group[0].slot, label))
        found.update(dict.fromkeys(group, label))
    return found


def _free_label(group: tuple[View, ...], groups: list[tuple[View, ...]], taken: set[tuple[int | None, str]]) -> str:
    place, label = group[0].slot, _label_of(group)
    if group[0].number:
        label = f"{label}.COPY"
    if (place, label) in taken or (len(group) == 1 and _needs_own_label(group[0], groups, label)):
        label = f"{label}.{word(group[0].entity)}"
    return f"{label}.COPY" if group[0].is_copy and (place, label) in taken else label


def _needs_own_label(view: View, groups: list[tuple[View, ...]], label: str) -> bool:
    """Whether another group of the same slot would have this label and has the better right to it."""
    rivals = [
        group for group in groups if group[0].slot == view.slot and view not in group and _label_of(group) == label
    ]
    own = label == word(view.entity)
    return bool(rivals) and not own


def words_of(views: Iterable[View], edges: Mapping[View, Edge], kept: Mapping[View, KeptKeys]) -> dict[View, str]:
    """What sort keys call a view: `SAMPLE`, or `SAMPLE+DEVICE` for a device behind its samples (`SAMPLE#...`).

    `!` sorts before the delimiter and `+` behind it, and no word has either: nothing lies between.
    """
    found = {view: (kept[view].word if view in kept else "") or word(view.entity) for view in views}
    for parent, edge in edges.items():
        found[parent] = f"{found[edge.children]}{'+' if edge.is_behind else '!'}{word(parent.entity)}"
    return found


def plain_keys(view: View, label: str, named: str, shards: int) -> Keys:
    shape, fields = view.shape, index_fields(view.index)
    pk = [label, *_delimited(shape.partition), *_delimited([BUCKET] if shape.bucket else [])]
    pk += [f"{DELIMITER}{view.number}"] if view.number else []
    lead = [*_delimited(shape.lead)][1:]
    tag = (DELIMITER if lead else "") + named
    return Keys(
        KeyTemplate(fields[0], Template(*pk, *_delimited([SHARD] if shards > 1 else []))),
        KeyTemplate(fields[1], Template(*lead, tag, *_delimited(shape.rest))),
    )


def any_copy(key: KeyTemplate, view: View) -> Template:
    """The partition key of a read copy in either style, with a slot for the number that it ends with."""
    *parts, last = key.template.parts
    assert isinstance(last, str)
    return Template(*parts, last.removesuffix(str(view.number)), Slot(COPY))


def _delimited(names: Iterable[str]) -> Iterator[Part]:
    for name in names:
        yield DELIMITER
        yield Slot(name)
