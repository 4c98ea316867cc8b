"""Tables, indexes, key templates of every item type, and pictures of the item collections, as blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.wording import amount, size
from tablewright.report.blocks import Grid, Heading, Picture, Text, code, column, number
from tablewright.report.patterns import template_text
from tablewright.spec.conditions import describe_when

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, Index, ItemKeys, ItemType, KeyField, TableDesign
    from tablewright.report.blocks import Block


def tables(design: Design) -> Iterator[Block]:
    yield Heading("Tables" if len(design.tables) > 1 else "Table")
    for table in design.tables:
        yield Text(f"{table.name}: {_settings(table)}{_replicas(design)}")
        yield Grid(
            (column("place"), code("partition key"), code("sort key"), column("projection"), column("holds")),
            tuple(_place_rows(design, table)),
        )


def _settings(table: TableDesign) -> str:
    said = [
        "on demand" if table.billing_mode == "PAY_PER_REQUEST" else "provisioned with autoscaling",
        "class Standard" if table.table_class == "STANDARD" else "class Standard-IA",
        f"TTL on {table.ttl_attribute}" if table.ttl_attribute else "",
        f"stream {table.stream}" if table.stream else "",
        "point-in-time recovery" if table.pitr else "",
        "deletion protection" if table.deletion_protection else "",
    ]
    return ", ".join(each for each in said if each)


def _replicas(design: Design) -> str:
    regions = [each.region for each in design.cost.regions]
    return f", replicas in {', '.join(regions)} (home: {regions[0]})" if regions else ""


def _place_rows(design: Design, table: TableDesign) -> Iterator[tuple[str, ...]]:
    yield "table", field_text((table.pk,)), field_text((table.sk,)), "", _item_names(design, table, None)
    for kind, indexes in (("", table.gsis), (" (LSI)", table.lsis)):
        for index in indexes:
            yield (
                f"{index.name}{kind}",
                field_text(index.pk),
                field_text(index.sk),
                projection_text(index),
                _item_names(design, table, index.name),
            )


def field_text(fields: tuple[KeyField, ...]) -> str:
    return " + ".join(f"{each.name} {each.type}" for each in fields)


def projection_text(index: Index) -> str:
    chosen = index.projection
    return f"{chosen.type} {', '.join(chosen.attributes)}" if chosen.attributes else chosen.type


def _item_names(design: Design, table: TableDesign, index: str | None) -> str:
    return ", ".join(item.name for item, _ in items_in(design, table, index))


def items_in(design: Design, table: TableDesign, index: str | None) -> Iterator[tuple[ItemType, ItemKeys]]:
    for item in design.items:
        for keys in item.keys:
            if item.table == table.name and keys.index == index:
                yield item, keys


# ---- templates ------------------------------------------------------------------------------------------------------


def items(design: Design) -> Iterator[Block]:
    yield Heading("Items and their keys")
    yield Grid(
        (column("item"), column("place"), code("partition key"), code("sort key"), number("items"), number("size")),
        tuple(row for item in design.items for row in item_rows(item)),
    )


def item_rows(item: ItemType) -> Iterator[tuple[str, ...]]:
    name = item.name if item.kind == "entity" else f"{item.name} ({item.kind})"
    if not item.keys:
        yield name, "", "", "", amount(item.expected_count), size(item.expected_bytes)
    for at, keys in enumerate(item.keys):
        first = at == 0
        yield (
            name if first else "",
            keys.index or "table",
            template_text(keys.pk),
            template_text(keys.sk) + _when_text(keys),
            amount(item.expected_count) if first else "",
            size(item.expected_bytes) if first else "",
        )


def _when_text(keys: ItemKeys) -> str:
    """The condition of a sparse index."""
    return f" {describe_when(keys.when)}" if keys.when else ""


# ---- collections ----------------------------------------------------------------------------------------------------


def shared_collections(design: Design) -> Iterator[Block]:
    """Pictures of the item collections with items of several types."""
    yield from collections(design, least=2)


def collections(design: Design, least: int = 1) -> Iterator[Block]:
    """A picture for the table and each index: partition keys, and the sort keys under each."""
    pictures = list(_collection_pictures(design, least))
    if pictures:
        yield Heading("Item collections")
        yield from pictures


def _collection_pictures(design: Design, least: int) -> Iterator[Picture]:
    for table in design.tables:
        for index in (None, *(each.name for each in (*table.gsis, *table.lsis))):
            lines = tuple(_collection_lines(design, table, index))
            if len(tuple(items_in(design, table, index))) >= least:
                several = f"{table.name} " if len(design.tables) > 1 else ""
                yield Picture((f"{several}{index or 'table'}", *lines))


def _collection_lines(design: Design, table: TableDesign, index: str | None) -> Iterator[str]:
    partitions: dict[str, list[tuple[str, str]]] = {}
    for item, keys in items_in(design, table, index):
        partitions.setdefault(template_text(keys.pk), []).append((template_text(keys.sk), item.name))
    width = max((len(sort) for members in partitions.values() for sort, _ in members), default=0)
    for at, (partition, members) in enumerate(partitions.items()):
        last = at == len(partitions) - 1
        yield f"{'└' if last else '├'}─ {partition}"
        for place, (sort, name) in enumerate(sorted(members)):
            corner = "└" if place == len(members) - 1 else "├"
            yield f"{' ' if last else '│'}  {corner}─ {sort.ljust(width)}  {name}"


def samples(design: Design) -> Iterator[Block]:
    """An example of every item type, as it is stored."""
    shown = [item for item in design.items if item.sample]
    if shown:
        yield Heading("Sample items")
    for item in shown:
        yield Heading(item.name, 3)
        yield Grid((code("attribute"), code("value")), tuple((name, str(each)) for name, each in item.sample.items()))
