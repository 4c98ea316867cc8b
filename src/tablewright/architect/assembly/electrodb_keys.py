"""ElectroDB's keys: `$shop#orderId_o1` and `$order#OrderLine_1#productId_p1`, as its composed keys are written.

Views that one query reads together form a collection, whose name begins their sort keys; narrower collections nest
inside wider ones. A shape with a lead has no composed form and is written as a custom template in the same spelling.
Letter case is kept. The sort key alone keeps types apart that have the same partition attributes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.layout.names import BUCKET_LABEL, COPY_LABEL, MODEL_VERSION, SHARD_LABEL, index_fields, subject
from tablewright.design.layout.views import Keys, View
from tablewright.design.values.templates import BUCKET, DELIMITER, SHARD, KeyTemplate, Part, Template
from tablewright.expr.nodes import Slot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.architect.assembly.views import Edge, KeptKeys
    from tablewright.architect.plans.values import Choice


def electro_keys(view: View, tag: str, service: str, collection: tuple[str, ...], shards: int) -> Keys:
    fields = index_fields(view.index)
    return Keys(
        KeyTemplate(fields[0], Template(*_partition_parts(view, tag, service, collection, shards))),
        KeyTemplate(fields[1], Template(*_sort_parts(view, tag, collection))),
    )


def _labelled(names: Iterable[str]) -> Iterator[Part]:
    for name in names:
        yield from (f"{DELIMITER}{name}_", Slot(name))


def _scope_of(view: View, tag: str, collection: tuple[str, ...]) -> str:
    """Where no attribute tells partitions apart, each group has one of its own."""
    return "" if view.shape.partition else (collection or (tag,))[0]


def _partition_parts(view: View, tag: str, service: str, collection: tuple[str, ...], shards: int) -> Iterator[Part]:
    scope = _scope_of(view, tag, collection)
    yield f"${service}_{scope}" if scope else f"${service}"
    yield from _labelled(view.shape.partition)
    if view.shape.bucket:
        yield from (f"{DELIMITER}{BUCKET_LABEL}_", Slot(BUCKET))
    if shards > 1:
        yield from (f"{DELIMITER}{SHARD_LABEL}_", Slot(SHARD))
    if view.number:
        yield f"{DELIMITER}{COPY_LABEL}_{view.number}"


def _sort_parts(view: View, tag: str, collection: tuple[str, ...]) -> Iterator[Part]:
    shape = view.shape
    model = f"{tag}_{MODEL_VERSION}"
    if shape.lead:
        yield f"${_lead_label(tag, collection)}"
        yield from _labelled(shape.lead)
        yield DELIMITER + model
    else:
        yield "$" + DELIMITER.join((*collection, model))
    yield from _labelled(shape.rest)


def _lead_label(tag: str, collection: tuple[str, ...]) -> str:
    return collection[0] if collection else tag


# ---- collections ----------------------------------------------------------------------------------------------------


def collections_of(
    groups: Iterable[tuple[View, ...]], choice: Choice, kept: Mapping[View, KeptKeys]
) -> dict[View, tuple[str, ...]]:
    """By view: the names of the collections it is in, the widest first. A name lives in one index only.

    A key that is kept stays in the collections it was in, and in no others: their names are part of it.
    """
    found = {view: each.collections for view, each in kept.items() if each.collections}
    taken = {name.lower() for names in found.values() for name in names}
    for group in groups:
        if len(group) > 1 and group[0].lsi is None and not all(view in found for view in group):
            found.update(_named_together(group, choice, kept, taken))
    return found


def with_edges(
    collections: Mapping[View, tuple[str, ...]], edges: Mapping[View, Edge], tags: Mapping[View, str]
) -> dict[View, tuple[str, ...]]:
    """The same with one more collection around every parent at an edge, whose name puts it there.

    `$device#Sample_1_Device#Device_1` sorts behind `$device#Sample_1#at_...`, `$device#Sample_0_Device#...` before it.
    """
    found = dict(collections)
    for parent, edge in edges.items():
        place = f"{tags[edge.children]}_{MODEL_VERSION if edge.is_behind else 0}_{tags[parent]}"
        named = f"{place}_{parent.index}" if parent.index else place  # a name lives in one index only
        found[parent] = (*collections.get(edge.children, ()), named)
    return found


def _named_together(
    group: tuple[View, ...], choice: Choice, kept: Mapping[View, KeptKeys], taken: set[str]
) -> Iterator[tuple[View, tuple[str, ...]]]:
    """The collections of one group. Where they name a lead or a partition, all members must have the same."""
    whole = frozenset(view.entity for view in group)
    is_shared = bool(group[0].shape.lead) or not group[0].shape.partition
    nested = [whole] if group[0].shape.lead else [whole, *_inner_sets(group, choice, whole)]
    known = next((each.collections[0] for view in group if (each := kept.get(view)) and each.collections), None)
    earlier = known or next((kept[view].tag for view in group if is_shared and view in kept), None)
    names = {
        members: earlier if earlier and members == whole else _free_name(group, members, taken) for members in nested
    }
    for view in group:
        if is_shared or view not in kept:
            yield view, tuple(names[members] for members in nested if view.entity in members)


def _inner_sets(group: tuple[View, ...], choice: Choice, whole: frozenset[str]) -> list[frozenset[str]]:
    """What single patterns read of a group, as far as it nests: each pair is one inside the other, or apart."""
    asked = {
        frozenset(gathering.parts)
        for gathering, slot in choice.collections.values()
        if slot == group[0].slot and gathering.signature == group[0].shape.signature
    }
    kept: list[frozenset[str]] = []
    for members in sorted(asked, key=lambda each: (-len(each), sorted(each))):
        apart = all(members < other or not members & other for other in kept)
        if members < whole and apart:
            kept.append(members)
    return kept


def _free_name(group: tuple[View, ...], members: frozenset[str], taken: set[str]) -> str:
    """After what its partition is about, its index, and only then its members."""
    view = group[0]
    about = [subject(name) for name in view.shape.partition] or ["ALL"]
    place = [view.index.upper()] if view.index else []
    inner = sorted(members) if len(members) < len(group) else []
    options = [[*about, *place, *inner], [*about, *place, *sorted(members)]]
    name = next(
        (text for text in map(_camel, options) if text.lower() not in taken), f"{_camel(options[-1])}{len(taken)}"
    )
    taken.add(name.lower())
    return name


def _camel(words: Iterable[str]) -> str:
    """`ORDER_ITEM`, `GSI1` as `orderItemGsi1`; names in mixed case keep theirs."""
    parts = [part for word in words for part in (word.split("_") if word.isupper() else [word]) if part]
    capitals = [part.capitalize() if part.isupper() else part[0].upper() + part[1:] for part in parts]
    joined = "".join(capitals)
    return joined[0].lower() + joined[1:]


def tags_of(views: Iterable[View], entities: Mapping[str, object], kept: Mapping[View, KeptKeys]) -> dict[View, str]:
    """What an item is called in its keys: its entity, or for second items a name of their own."""
    found = {view: each.tag for view, each in kept.items()}
    taken = {*entities, *found.values()}
    for view in views:
        if view in found:
            continue
        names = (f"{view.entity}Copy{number or ''}" for number in (0, *range(2, len(taken) + 3)))
        found[view] = next(name for name in names if name not in taken) if view.is_copy else view.entity
        taken.add(found[view])
    return found
