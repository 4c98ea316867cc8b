"""A table with replicas, as CloudFormation has it: another kind of resource, with some settings in each replica.

CloudFormation keeps the capacity of such a table by itself, so that scaling is part of it. A Kinesis stream is in one
region, and so is its destination: every replica has all changes, and the home region's are sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.codegen.infrastructure.resources import TableResource
    from tablewright.design.model import Provisioned

Json = dict[str, Any]
TYPE = "AWS::DynamoDB::GlobalTable"
OF_A_REPLICA = (
    "TableClass",
    "DeletionProtectionEnabled",
    "PointInTimeRecoverySpecification",
    "ContributorInsightsSpecification",
    "Tags",
)
CAPACITY = "ProvisionedThroughput"
DESTINATION = "KinesisStreamSpecification"
INDEXES = "GlobalSecondaryIndexes"


def global_properties(properties: Mapping[str, Any], table: TableResource) -> Json:
    """The properties of a table, each where a global table has it."""
    inside = (*OF_A_REPLICA, CAPACITY, DESTINATION, INDEXES)
    whole = {name: value for name, value in properties.items() if name not in inside}
    capacities = {each.name: each.capacity for each in table.gsis}
    indexes = [_index(each, capacities[each["IndexName"]]) for each in properties.get(INDEXES, ())]
    return {
        **whole,
        **_write_settings(table.capacity),
        **({INDEXES: indexes} if indexes else {}),
        "Replicas": [_replica(properties, table, region) for region in table.regions],
    }


def _index(given: Mapping[str, Any], capacity: Provisioned | None) -> Json:
    inside = ("ContributorInsightsSpecification", CAPACITY)
    return {name: value for name, value in given.items() if name not in inside} | _write_settings(capacity)


def _replica(properties: Mapping[str, Any], table: TableResource, region: str) -> Json:
    found: Json = {"Region": region, **{name: properties[name] for name in OF_A_REPLICA}}
    found |= _read_settings(table.capacity)
    if table.gsis:
        watched = {"Enabled": table.contributor_insights}
        found[INDEXES] = [
            {
                "IndexName": each.name,
                "ContributorInsightsSpecification": watched,
                **_read_settings(each.capacity),
            }
            for each in table.gsis
        ]
    if DESTINATION in properties and region == table.regions[0]:
        found[DESTINATION] = properties[DESTINATION]
    return found


def _write_settings(capacity: Provisioned | None) -> Json:
    if capacity is None:
        return {}
    scaling = _scaling(capacity.min_wcu, capacity.max_wcu, capacity)
    return {"WriteProvisionedThroughputSettings": {"WriteCapacityAutoScalingSettings": scaling}}


def _read_settings(capacity: Provisioned | None) -> Json:
    if capacity is None:
        return {}
    scaling = _scaling(capacity.min_rcu, capacity.max_rcu, capacity)
    return {"ReadProvisionedThroughputSettings": {"ReadCapacityAutoScalingSettings": scaling}}


def _scaling(least: int, most: int, capacity: Provisioned) -> Json:
    return {
        "MinCapacity": least,
        "MaxCapacity": most,
        "TargetTrackingScalingPolicyConfiguration": {"TargetValue": round(capacity.target_utilisation * 100)},
    }
