"""A CDK stack as a tree that TypeScript and Python are printed from: the same constructs, the same properties.

Names are camelCase here; the Python printer turns them into its own. A `Struct` is an object in TypeScript and a typed
constructor in Python; plain dicts keep their keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.codegen.names import camel, pascal

if TYPE_CHECKING:
    from tablewright.codegen.infrastructure.policies import Policy, Statement
    from tablewright.codegen.infrastructure.resources import (
        IndexResource,
        Infrastructure,
        TableResource,
        WarmThroughput,
    )
    from tablewright.design.advice import Alarm
    from tablewright.design.model import KeyField, Provisioned

Node = Any
TYPES = {"S": "STRING", "N": "NUMBER", "B": "BINARY"}
STREAMS = {"KEYS_ONLY": "KEYS_ONLY", "NEW_IMAGE": "NEW_IMAGE", "OLD_IMAGE": "OLD_IMAGE"}
ENCRYPTIONS = {"AWS_OWNED": "dynamoOwnedKey", "AWS_MANAGED": "awsManagedKey"}
COMPARISONS = {
    "GreaterThanThreshold": "GREATER_THAN_THRESHOLD",
    "GreaterThanOrEqualToThreshold": "GREATER_THAN_OR_EQUAL_TO_THRESHOLD",
    "LessThanThreshold": "LESS_THAN_THRESHOLD",
}


class Struct(msgspec.Struct, frozen=True):
    """Properties of a named type."""

    type: str
    fields: Mapping[str, Node]


class Constant(msgspec.Struct, frozen=True):
    """A member of an enumeration: `dynamodb.AttributeType.STRING`."""

    path: str


class FactoryCall(msgspec.Struct, frozen=True):
    """What a static method gives: `dynamodb.Billing.onDemand()`; positional values, then properties."""

    path: str
    fields: Mapping[str, Node] = {}
    values: tuple[Node, ...] = ()


class NewObject(msgspec.Struct, frozen=True):
    """An object that is no construct: `new cloudwatch.Metric({...})`."""

    type: str
    fields: Mapping[str, Node]


class Property(msgspec.Struct, frozen=True):
    """A property of an earlier construct."""

    variable: str
    name: str


class JoinedText(msgspec.Struct, frozen=True):
    """Text made of texts and properties."""

    parts: tuple[str | Property | Constant, ...]


class Construct(msgspec.Struct, frozen=True, kw_only=True):
    """`const variable = new type(this, id, {...})`."""

    variable: str
    type: str
    id: str
    fields: Mapping[str, Node]
    is_alarm: bool = False


def constructs_of(given: Infrastructure) -> Iterator[Construct]:
    for table in given.tables:
        yield from _table_constructs(table)
    for alarm in given.alarms:
        yield _alarm_construct(given, alarm)
    for policy in given.policies:
        yield _policy_construct(policy)


# ---- tables ---------------------------------------------------------------------------------------------------------


def _variable_of(table: str) -> str:
    return f"{camel(table)}Table"


def _table_constructs(table: TableResource) -> Iterator[Construct]:
    variable = _variable_of(table.name)
    if table.kinesis:
        stream = {
            "streamMode": Constant("kinesis.StreamMode.ON_DEMAND"),
            "encryption": Constant("kinesis.StreamEncryption.MANAGED"),
        }
        yield Construct(
            variable=f"{variable}Changes", type="kinesis.Stream", id=f"{pascal(table.name)}TableChanges", fields=stream
        )
    fields: dict[str, Node] = {
        "tableName": table.name,
        "partitionKey": _attribute(table.pk),
        "sortKey": _attribute(table.sk),
        "billing": _billing(table.capacity),
        "tableClass": Constant(f"dynamodb.TableClass.{table.table_class}"),
        "encryption": _encryption(table.encryption),
        "pointInTimeRecoverySpecification": Struct(
            "dynamodb.PointInTimeRecoverySpecification", {"pointInTimeRecoveryEnabled": table.pitr}
        ),
        "deletionProtection": table.deletion_protection,
        "contributorInsightsSpecification": Struct(
            "dynamodb.ContributorInsightsSpecification", {"enabled": table.contributor_insights}
        ),
        "removalPolicy": Constant("cdk.RemovalPolicy.RETAIN"),
        "tags": [Struct("cdk.CfnTag", {"key": key, "value": value}) for key, value in table.tags.items()],
        **_warm(table.warm),
        "globalSecondaryIndexes": [_gsi(each) for each in table.gsis],
        "localSecondaryIndexes": [_lsi(each) for each in table.lsis],
        "timeToLiveAttribute": table.ttl_attribute,
        "dynamoStream": Constant(f"dynamodb.StreamViewType.{table.stream}") if table.stream else None,
        "kinesisStream": Property(f"{variable}Changes", "") if table.kinesis else None,
        "replicas": [_replica(table, each) for each in table.regions[1:]],
    }
    kept = {name: value for name, value in fields.items() if value not in (None, [])}
    yield Construct(variable=variable, type="dynamodb.TableV2", id=f"{pascal(table.name)}Table", fields=kept)


def _replica(table: TableResource, region: str) -> Struct:
    """The other settings are those of the table."""
    tags = [Struct("cdk.CfnTag", {"key": key, "value": value}) for key, value in table.tags.items()]
    return Struct("dynamodb.ReplicaTableProps", {"region": region, "tags": tags})


def _attribute(field: KeyField) -> Struct:
    return Struct(
        "dynamodb.Attribute", {"name": field.name, "type": Constant(f"dynamodb.AttributeType.{TYPES[field.type]}")}
    )


def _billing(capacity: Provisioned | None) -> FactoryCall:
    if capacity is None:
        return FactoryCall("dynamodb.Billing.onDemand")
    return FactoryCall("dynamodb.Billing.provisioned", _capacities(capacity))


def _capacities(capacity: Provisioned) -> dict[str, Node]:
    percent = round(capacity.target_utilisation * 100)
    return {
        "readCapacity": _autoscale(capacity.min_rcu, capacity.max_rcu, percent),
        "writeCapacity": _autoscale(capacity.min_wcu, capacity.max_wcu, percent),
    }


def _autoscale(least: int, most: int, percent: int) -> FactoryCall:
    return FactoryCall(
        "dynamodb.Capacity.autoscaled",
        {"minCapacity": least, "maxCapacity": most, "targetUtilizationPercent": percent},
    )


def _encryption(kind: str) -> FactoryCall:
    if kind == "CUSTOMER_MANAGED":
        return FactoryCall("dynamodb.TableEncryptionV2.awsManagedKey")
    return FactoryCall(f"dynamodb.TableEncryptionV2.{ENCRYPTIONS[kind]}")


def _warm(given: WarmThroughput | None) -> dict[str, Node]:
    if given is None:
        return {}
    units = {"readUnitsPerSecond": given.read, "writeUnitsPerSecond": given.write}
    return {"warmThroughput": Struct("dynamodb.WarmThroughput", units)}


def _keys(fields: tuple[KeyField, ...], name: str) -> dict[str, Node]:
    """One attribute, or the several of a multi-attribute key."""
    if not fields:
        return {}
    return {name: _attribute(fields[0])} if len(fields) == 1 else {f"{name}s": [_attribute(each) for each in fields]}


def _projection(index: IndexResource) -> dict[str, Node]:
    found: dict[str, Node] = {"projectionType": Constant(f"dynamodb.ProjectionType.{index.projection.type}")}
    return found | {"nonKeyAttributes": list(index.projection.attributes)} if index.projection.attributes else found


def _gsi(index: IndexResource) -> Struct:
    return Struct(
        "dynamodb.GlobalSecondaryIndexPropsV2",
        {
            "indexName": index.name,
            **_keys(index.pk, "partitionKey"),
            **_keys(index.sk, "sortKey"),
            **_projection(index),
            **(_capacities(index.capacity) if index.capacity else {}),
            **_warm(index.warm),
        },
    )


def _lsi(index: IndexResource) -> Struct:
    fields = {"indexName": index.name, "sortKey": _attribute(index.sk[0]), **_projection(index)}
    return Struct("dynamodb.LocalSecondaryIndexProps", fields)


# ---- alarms and policies --------------------------------------------------------------------------------------------


def _alarm_construct(given: Infrastructure, alarm: Alarm) -> Construct:
    metric = NewObject(
        "cloudwatch.Metric",
        {
            "namespace": alarm.namespace,
            "metricName": alarm.metric,
            "dimensionsMap": {name: _dimension(given, name, value) for name, value in alarm.dimensions.items()},
            "statistic": alarm.statistic,
            "period": FactoryCall("cdk.Duration.seconds", values=(alarm.period_seconds,)),
        },
    )
    return Construct(
        variable=f"{camel(alarm.name)}Alarm",
        type="cloudwatch.Alarm",
        id=f"{pascal(alarm.name)}Alarm",
        fields={
            "alarmName": alarm.name,
            "alarmDescription": alarm.why[:1024] or alarm.name,
            "metric": metric,
            "threshold": _as_integer(alarm.threshold),
            "evaluationPeriods": alarm.evaluation_periods,
            "comparisonOperator": Constant(f"cloudwatch.ComparisonOperator.{COMPARISONS[alarm.comparison]}"),
            "treatMissingData": Constant("cloudwatch.TreatMissingData.NOT_BREACHING"),
        },
        is_alarm=True,
    )


def _as_integer(number: float) -> float:
    return int(number) if number == int(number) else number


def _dimension(given: Infrastructure, name: str, value: str) -> str | Property:
    known = {table.name for table in given.tables}
    return Property(_variable_of(value), "tableName") if name == "TableName" and value in known else value


def _policy_construct(policy: Policy) -> Construct:
    return Construct(
        variable=f"{camel(policy.name)}Policy",
        type="iam.ManagedPolicy",
        id=f"{pascal(policy.name)}Policy",
        fields={
            "description": policy.description,
            "statements": [_statement(each) for each in policy.statements],
        },
    )


def _statement(given: Statement) -> NewObject:
    arn = Property(_variable_of(given.table), "tableArn")
    index = "" if given.index is None else f"/index/{given.index}"
    others = (_replica_arn(given.table, each, index) for each in given.replicas)
    fields: dict[str, Node] = {
        "actions": list(given.actions),
        "resources": [JoinedText((arn, index)) if index else arn, *others],
    }
    if given.leading_keys:
        fields["conditions"] = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": list(given.leading_keys)}}
    return NewObject("iam.PolicyStatement", fields)


def _replica_arn(table: str, region: str, index: str) -> JoinedText:
    partition, account = Constant("cdk.Aws.PARTITION"), Constant("cdk.Aws.ACCOUNT_ID")
    name = Property(_variable_of(table), "tableName")
    ends = (index,) if index else ()
    return JoinedText(("arn:", partition, f":dynamodb:{region}:", account, ":table/", name, *ends))
