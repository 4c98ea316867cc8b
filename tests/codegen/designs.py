"""Designs to generate from: the published applications, and one with every setting a table can have."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from tablewright.architect.designer import design
from tablewright.design.advice import Alarm, Monitoring
from tablewright.design.cost.replication import RegionCost
from tablewright.design.model import Design, Index, KeyField, Projection, Provisioned
from tests.golden.designs import golden

CASES = sorted((Path(__file__).parents[1] / "architect" / "cases").glob("*.yaml"))
NAMES = [each.stem for each in CASES]


def case(name: str) -> Design:
    return golden(name)


@cache
def with_everything() -> Design:
    """The online shop with provisioned capacity, streams, expiry, local and multi-attribute indexes, alarms."""
    shop = case("online-shop")
    (table,) = shop.tables
    units = Provisioned(min_rcu=5, max_rcu=500, min_wcu=4, max_wcu=400, target_utilisation=0.7)
    narrow = Index(
        name="by-region",
        pk=(KeyField("country"), KeyField("city")),
        sk=(KeyField("amount", "N"), KeyField("orderId")),
        projection=Projection("INCLUDE", ("status", "total")),
    )
    local = Index(name="lsi1", pk=(table.pk,), sk=(KeyField("lsi1sk"),), projection=Projection("KEYS_ONLY"))
    gsis = (*table.gsis, narrow)
    rich = msgspec.structs.replace(
        table,
        gsis=gsis,
        lsis=(local,),
        billing_mode="PROVISIONED",
        provisioned={"table": units, **{each.name: units for each in gsis}},
        table_class="STANDARD_INFREQUENT_ACCESS",
        ttl_attribute="expires",
        stream="NEW_AND_OLD_IMAGES",
        kinesis=True,
        encryption="AWS_MANAGED",
    )
    alarms = (
        Alarm(
            name=f"{shop.name} write throttles",
            metric="WriteThrottleEvents",
            dimensions={"TableName": table.name},
            threshold=0,
            why='Writes are refused: "hot" key, or ${too} little %{capacity}.',
        ),
        Alarm(name="slow reads", metric="SuccessfulRequestLatency", statistic="p99", threshold=12.5, why="Slow."),
    )
    monitoring = Monitoring(alarms=alarms, contributor_insights=("gsi1",))
    advice = msgspec.structs.replace(shop.advice, monitoring=monitoring)
    return msgspec.structs.replace(shop, tables=(rich,), advice=advice, title='A "shop" with */ everything')


@cache
def with_replicas() -> Design:
    """The same in three regions."""
    shop = with_everything()
    shares = msgspec.structs.fields(RegionCost)[1:]
    regions = tuple(
        RegionCost(region=name, **{each.name: 0.0 for each in shares})
        for name in ("eu-west-1", "us-east-1", "ap-northeast-1")
    )
    return msgspec.structs.replace(shop, cost=msgspec.structs.replace(shop.cost, regions=regions))


@cache
def styled_case(name: str, style: Any) -> Design:
    """A published application with its keys in one of the two styles."""
    return design(next(each for each in CASES if each.stem == name), key_style=style)
