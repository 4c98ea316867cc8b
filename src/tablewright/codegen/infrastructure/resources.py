"""What has to be created, in nobody's syntax: one value that every infrastructure language is printed from.

CloudFormation, CDK and Terraform differ in spelling alone, so the tests can compare them setting by setting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from tablewright.codegen.infrastructure.policies import Policy, policies_of
from tablewright.codegen.names import physical_name
from tablewright.design.advice import Alarm
from tablewright.design.model import KeyField, Projection, Provisioned
from tablewright.design.multi_table.places import place_name

if TYPE_CHECKING:
    from tablewright.design.model import Design, Index, TableDesign

ON_DEMAND_READY_RCU = 12_000
ON_DEMAND_READY_WCU = 4_000
"""What a new table on demand serves at once; a higher expected peak is asked for as warm throughput."""


class WarmThroughput(msgspec.Struct, frozen=True):
    """Units a second that must be there from the first request on."""

    read: int
    write: int


class IndexResource(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    pk: tuple[KeyField, ...]
    sk: tuple[KeyField, ...]
    projection: Projection
    capacity: Provisioned | None = None
    warm: WarmThroughput | None = None


class TableResource(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    pk: KeyField
    sk: KeyField
    gsis: tuple[IndexResource, ...]
    lsis: tuple[IndexResource, ...]
    capacity: Provisioned | None  # None: on demand
    table_class: str
    ttl_attribute: str | None
    stream: str | None
    kinesis: bool
    pitr: bool
    deletion_protection: bool
    encryption: str
    contributor_insights: bool  # of the table and all its indexes: TableV2 has one switch for them
    warm: WarmThroughput | None
    tags: Mapping[str, str]
    regions: tuple[str, ...] = ()  # home first; empty where there is one

    @property
    def key_fields(self) -> tuple[KeyField, ...]:
        """Every attribute that stands in a key, once, in order of name: what CreateTable wants defined."""
        found = {each.name: each for each in (self.pk, self.sk)}
        for index in (*self.gsis, *self.lsis):
            found |= {each.name: each for each in (*index.pk, *index.sk)}
        return tuple(found[name] for name in sorted(found))


class Infrastructure(msgspec.Struct, frozen=True, kw_only=True):
    """Everything for one design."""

    name: str
    title: str
    tables: tuple[TableResource, ...]
    alarms: tuple[Alarm, ...]
    policies: tuple[Policy, ...]
    regions: tuple[str, ...] = ()  # home first; empty where there is one

    @property
    def alarms_alone(self) -> Infrastructure:
        """What a further region gets besides its replica, which the home region makes: alarms watch their own."""
        return msgspec.structs.replace(self, title=f"{self.title}, a replica", tables=(), policies=(), regions=())


def infrastructure_of(design: Design) -> Infrastructure:
    watched = set(design.advice.monitoring.contributor_insights)
    return Infrastructure(
        name=physical_name(design.name),
        title=prose(design.title or design.name),
        tables=tuple(_table_resource(design, table, watched) for table in design.tables),
        alarms=tuple(_rename_alarm(alarm) for alarm in design.advice.monitoring.alarms),
        policies=policies_of(design),
        regions=_regions_of(design),
    )


def _regions_of(design: Design) -> tuple[str, ...]:
    return tuple(each.region for each in design.cost.regions)


def _rename_alarm(alarm: Alarm) -> Alarm:
    """An alarm whose dimensions name the physical table."""
    dimensions = dict(alarm.dimensions)
    if "TableName" in dimensions:
        dimensions["TableName"] = physical_name(dimensions["TableName"])
    return msgspec.structs.replace(
        alarm, name=physical_name(alarm.name), dimensions=dimensions, why=prose(alarm.why), metric=prose(alarm.metric)
    )


def prose(text: str) -> str:
    """A text on one line. CloudFormation, and the CDK through it, would look up what `{{resolve:...}}` names."""
    said = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return said.replace("{{", "{ {")


def _table_resource(design: Design, table: TableDesign, watched: set[str]) -> TableResource:
    regions = _regions_of(design)
    ready: Mapping[str, Provisioned] = table.provisioned if table.billing_mode == "PROVISIONED" else {}
    provisioned = {place: _of_a_replica(each, len(regions) or 1) for place, each in ready.items()}
    places = (None, *(each.name for each in table.gsis))
    return TableResource(
        name=physical_name(table.name),
        pk=table.pk,
        sk=table.sk,
        gsis=tuple(_index_resource(design, table, each, provisioned) for each in table.gsis),
        lsis=tuple(
            IndexResource(name=each.name, pk=each.pk, sk=each.sk, projection=each.projection) for each in table.lsis
        ),
        capacity=provisioned.get("table"),
        table_class=table.table_class,
        ttl_attribute=table.ttl_attribute,
        stream=table.stream,
        kinesis=table.kinesis,
        pitr=table.pitr,
        deletion_protection=table.deletion_protection,
        encryption=table.encryption,
        contributor_insights=bool(watched & {place_name(design, table.name, each) for each in places}),
        warm=_warm_throughput(design, place_name(design, table.name, None)) if not provisioned else None,
        tags={"application": _tag_text(design.name), "managed-by": "tablewright"},
        regions=regions,
    )


def _of_a_replica(given: Provisioned, regions: int) -> Provisioned:
    """Every region takes all writes and its share of the reads; if others fail, all of them."""
    return msgspec.structs.replace(given, min_rcu=-(-given.min_rcu // regions))


def _index_resource(
    design: Design, table: TableDesign, index: Index, provisioned: Mapping[str, Provisioned]
) -> IndexResource:
    return IndexResource(
        name=index.name,
        pk=index.pk,
        sk=index.sk,
        projection=index.projection,
        capacity=provisioned.get(index.name),
        warm=_warm_throughput(design, place_name(design, table.name, index.name))
        if table.billing_mode == "PAY_PER_REQUEST"
        else None,
    )


def _warm_throughput(design: Design, place: str) -> WarmThroughput | None:
    for peak in design.heat.peaks:
        if peak.place == place and (
            peak.rcu_per_second > ON_DEMAND_READY_RCU or peak.wcu_per_second > ON_DEMAND_READY_WCU
        ):
            read = max(ON_DEMAND_READY_RCU, _round_up(peak.rcu_per_second))
            return WarmThroughput(read, max(ON_DEMAND_READY_WCU, _round_up(peak.wcu_per_second)))
    return None


def _round_up(units: float) -> int:
    return int(-(-units // 1000) * 1000)


def _tag_text(text: str) -> str:
    """Tags take letters, digits, spaces and a few signs."""
    return "".join(each if each.isalnum() or each in " _.:/=+-@" else "-" for each in text)[:256]


def key_schema(pk: tuple[KeyField, ...], sk: tuple[KeyField, ...]) -> Iterator[tuple[str, str]]:
    """Name and HASH or RANGE, as every language of infrastructure wants it."""
    yield from ((each.name, "HASH") for each in pk)
    yield from ((each.name, "RANGE") for each in sk)
