"""The naming conventions a design follows, each with an example from the design itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.cost.units.entries import TABLE, place_of_view
from tablewright.design.values.buckets import Bucket
from tablewright.design.wording import concat

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.layout.layout import Layout
    from tablewright.spec.model import KeyStyle

STYLES: Mapping[KeyStyle, str] = {
    "plain": "Keys are plain: what it is about in capitals, then values, with # between them",
    "electrodb": "Keys are ElectroDB's: $service, then attribute_value, with # between them",
}
TAGS: Mapping[KeyStyle, str] = {
    "plain": "Sort keys name the item type in capitals, behind what several types are sorted by together",
    "electrodb": "Sort keys begin with $collection and entity_version, so that types never mix",
}


def naming_conventions(layout: Layout) -> Iterator[str]:
    view, keys = next((each, keys) for each, keys in layout.keys.items() if not each.is_copy)
    yield f"The table is called {layout.spec.name}; its keys are {keys.pk.field} and {keys.sk.field}."
    yield f"{STYLES[layout.style]}: {view.entity} has {keys.pk.text}."
    yield f"{TAGS[layout.style]}: {view.entity} has {keys.sk.text}."
    yield from _index_names(layout)
    yield f"{layout.type_field} says of every item what it is."
    yield from _shards_and_copies(layout)
    yield "Attributes keep the names of the spec; key fields hold nothing that is not in an attribute as well."


def _index_names(layout: Layout) -> Iterator[str]:
    """Indexes carry numbers, because what they hold changes and their names cannot."""
    fields = {
        place_of_view(view): (keys.pk.field, keys.sk.field)
        for view, keys in layout.keys.items()
        if place_of_view(view) != TABLE
    }
    if fields:
        first = min(fields)
        yield (
            f"Indexes are numbered, as several entities share them ({concat(sorted(fields))}); the keys of {first} are"
            f" {concat(fields[first])}."
        )


def _shards_and_copies(layout: Layout) -> Iterator[str]:
    spread = {view: count for view, count in layout.shards.items() if count > 1}
    if spread:
        view, count = next(iter(spread.items()))
        key = layout.keys[view].pk.text
        yield f"{{_shard}} in a partition key is a number from 0 to {count - 1} that follows from the id: {key}."
    bucketed = [view for view in layout.keys if view.shape.bucket]
    if bucketed:
        bucket = Bucket.parse(bucketed[0].shape.bucket)
        key = layout.keys[bucketed[0]].pk.text
        yield (
            f"{{_bucket}} in a partition key is what {bucket.attribute} begins with, {bucket.length} characters of it:"
            f" {key}."
        )
    alike = next((view for view in layout.keys if view.shape.copies), None)
    if alike is not None:
        key = layout.keys[alike].pk.text
        yield f"A read copy has its number, from 1 to {alike.shape.copies}, at the end of its partition key: {key}."
    copies = [view for view in layout.keys if view.is_copy]
    if copies:
        key = layout.keys[copies[0]].pk.text
        yield f"Copies carry no index keys, so that they are in no index: {copies[0].entity} also lies under {key}."
