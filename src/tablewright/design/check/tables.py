"""Tables and indexes: names, keys, projections, capacity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.check.names import (
    attribute_faults,
    key_field_faults,
    repeated,
    resource_faults,
    unknown,
)
from tablewright.wire.limits import (
    MAX_HASH_ATTRIBUTES_OF_GSI,
    MAX_PROJECTED_ATTRIBUTES,
    MAX_RANGE_ATTRIBUTES_OF_GSI,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.check.names import Fault
    from tablewright.design.model import Design, Index, Provisioned, TableDesign

LOWEST_UTILISATION, HIGHEST_UTILISATION = 0.2, 0.9


def table_faults(design: Design) -> Iterator[Fault]:
    yield from repeated("tables", (each.name for each in design.tables))
    for at, table in enumerate(design.tables):
        yield from _faults_of(f"tables[{at}]", table)


def _faults_of(place: str, table: TableDesign) -> Iterator[Fault]:
    yield from resource_faults(f"{place}.name", "a table", table.name)
    for name in ("pk", "sk"):
        yield from key_field_faults(f"{place}.{name}.name", getattr(table, name).name)
    yield from repeated(f"{place}: indexes", (each.name for each in (*table.gsis, *table.lsis)))
    for kind in ("gsis", "lsis"):
        for at, index in enumerate(getattr(table, kind)):
            yield from _index_faults(f"{place}.{kind}[{at}]", index)
    for at, index in enumerate(table.lsis):
        if index.pk != (table.pk,) or len(index.sk) != 1:
            yield f"{place}.lsis[{at}]", "a local index has the table's partition key, and one sort key of its own"
    if table.ttl_attribute is not None:
        yield from attribute_faults(f"{place}.ttl_attribute", table.ttl_attribute)
    known = ["table", *(each.name for each in (*table.gsis, *table.lsis))]
    for name, units in table.provisioned.items():
        yield from unknown(f"{place}.provisioned", "index", name, known)
        yield from _capacity_faults(f"{place}.provisioned.{name}", units)


def _index_faults(place: str, index: Index) -> Iterator[Fault]:
    yield from resource_faults(f"{place}.name", "an index", index.name)
    if not 1 <= len(index.pk) <= MAX_HASH_ATTRIBUTES_OF_GSI or len(index.sk) > MAX_RANGE_ATTRIBUTES_OF_GSI:
        yield place, f"an index has 1 to {MAX_HASH_ATTRIBUTES_OF_GSI} attributes as pk and none to as many as sk"
    for name in ("pk", "sk"):
        for at, field in enumerate(getattr(index, name)):
            yield from key_field_faults(f"{place}.{name}[{at}].name", field.name)
    attributes = index.projection.attributes
    if (index.projection.type == "INCLUDE") != bool(attributes) or len(attributes) > MAX_PROJECTED_ATTRIBUTES:
        yield (
            f"{place}.projection",
            f"attributes (at most {MAX_PROJECTED_ATTRIBUTES}) are listed with INCLUDE, and only so",
        )
    for at, name in enumerate(attributes):
        yield from attribute_faults(f"{place}.projection.attributes[{at}]", name)


def _capacity_faults(place: str, units: Provisioned) -> Iterator[Fault]:
    if not 1 <= units.min_rcu <= units.max_rcu or not 1 <= units.min_wcu <= units.max_wcu:
        yield place, "capacity goes from a minimum of at least 1 to a maximum that is no smaller"
    if not LOWEST_UTILISATION <= units.target_utilisation <= HIGHEST_UTILISATION:
        yield f"{place}.target_utilisation", f"is from {LOWEST_UTILISATION} to {HIGHEST_UTILISATION}"
