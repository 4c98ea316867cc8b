"""A CloudFormation template as plain data; YAML and JSON print the same. Only long-form functions, so both can."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tablewright.codegen.infrastructure import global_table
from tablewright.codegen.infrastructure.resources import Infrastructure, TableResource, key_schema
from tablewright.codegen.names import pascal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.codegen.infrastructure.policies import Policy, Statement
    from tablewright.codegen.infrastructure.resources import IndexResource
    from tablewright.design.advice import Alarm
    from tablewright.design.model import KeyField, Projection, Provisioned

Json = dict[str, Any]
TOPIC = "AlarmTopicArn"


def template_of(given: Infrastructure) -> Json:
    resources: Json = {}
    for table in given.tables:
        resources |= _table_resources(table)
    for alarm in given.alarms:
        resources[f"{pascal(alarm.name)}Alarm"] = _alarm_resource(given, alarm)
    for policy in given.policies:
        resources[f"{pascal(policy.name)}Policy"] = _policy_resource(policy)
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": f"{given.title}: tables, alarms and policies, designed by Tablewright"[:1024],
        **_topic_parameter(given),
        "Resources": resources,
        **({"Outputs": dict(_outputs_of(given))} if given.tables else {}),
    }


def _topic_parameter(given: Infrastructure) -> Json:
    if not given.alarms:
        return {}
    words = "ARN of an SNS topic that alarms are sent to; empty for none."
    return {
        "Parameters": {TOPIC: {"Type": "String", "Default": "", "Description": words}},
        "Conditions": {"HasAlarmTopic": {"Fn::Not": [{"Fn::Equals": [{"Ref": TOPIC}, ""]}]}},
    }


def _outputs_of(given: Infrastructure) -> Iterator[tuple[str, Json]]:
    for table in given.tables:
        id_ = _table_id(table)
        yield f"{id_}Name", {"Value": {"Ref": id_}}
        yield f"{id_}Arn", {"Value": {"Fn::GetAtt": [id_, "Arn"]}}
        if table.stream is not None:
            yield f"{id_}StreamArn", {"Value": {"Fn::GetAtt": [id_, "StreamArn"]}}


def as_json(given: Infrastructure) -> str:
    return json.dumps(template_of(given), indent=2) + "\n"


def as_yaml(given: Infrastructure) -> str:
    return yaml_text(template_of(given))


# ---- texts: everything that becomes YAML or a substitution goes through one of these --------------------------------


def yaml_text(template: Json) -> str:
    import yaml

    text = json.dumps(template)
    plain = json.loads(text)  # what occurs twice would become an alias, which CloudFormation refuses
    readable = not re.search("[\x85\u2028\u2029]", json.dumps(template, ensure_ascii=False))  # PyYAML misreads these
    return yaml.safe_dump(plain, sort_keys=False, width=120, allow_unicode=readable)


def substitute(*parts: str | Json) -> Json:
    """A text with values of the template in it, as `{"Ref": name}` and the like; `${` of a text stays what it is."""
    said = (each.replace("${", "${!") if isinstance(each, str) else f"${{{_reference_name(each)}}}" for each in parts)
    return {"Fn::Sub": "".join(said)}


def _reference_name(value: Json) -> str:
    """What `Fn::Sub` calls a value."""
    return value["Ref"] if "Ref" in value else ".".join(value["Fn::GetAtt"])


# ---- tables ---------------------------------------------------------------------------------------------------------


def _table_id(table: TableResource) -> str:
    return f"{pascal(table.name)}Table"


def _table_resources(table: TableResource) -> Json:
    id_ = _table_id(table)
    properties = _table_properties(table)
    found: Json = {
        id_: {
            "Type": global_table.TYPE if table.regions else "AWS::DynamoDB::Table",
            "DeletionPolicy": "Retain",
            "UpdateReplacePolicy": "Retain",
            "Properties": global_table.global_properties(properties, table) if table.regions else properties,
        }
    }
    if table.kinesis:
        found[f"{id_}Changes"] = {
            "Type": "AWS::Kinesis::Stream",
            "Properties": {
                "StreamModeDetails": {"StreamMode": "ON_DEMAND"},
                "StreamEncryption": {"EncryptionType": "KMS", "KeyId": "alias/aws/kinesis"},
            },
        }
    return found if table.regions else found | dict(_scaling(table))


def _table_properties(table: TableResource) -> Json:
    properties: Json = {
        "TableName": table.name,
        "AttributeDefinitions": [{"AttributeName": each.name, "AttributeType": each.type} for each in table.key_fields],
        "KeySchema": _schema((table.pk,), (table.sk,)),
        "BillingMode": "PAY_PER_REQUEST" if table.capacity is None else "PROVISIONED",
        "TableClass": table.table_class,
        "DeletionProtectionEnabled": table.deletion_protection,
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": table.pitr},
        "SSESpecification": _encryption(table.encryption),
        "ContributorInsightsSpecification": {"Enabled": table.contributor_insights},
        "Tags": [{"Key": key, "Value": value} for key, value in table.tags.items()],
    }
    if table.capacity is not None:
        properties["ProvisionedThroughput"] = _throughput(table.capacity)
    if table.warm is not None:
        properties["WarmThroughput"] = {
            "ReadUnitsPerSecond": table.warm.read,
            "WriteUnitsPerSecond": table.warm.write,
        }
    if table.gsis:
        properties["GlobalSecondaryIndexes"] = [_gsi(each, table) for each in table.gsis]
    if table.lsis:
        properties["LocalSecondaryIndexes"] = [_index(each) for each in table.lsis]
    if table.ttl_attribute is not None:
        properties["TimeToLiveSpecification"] = {"AttributeName": table.ttl_attribute, "Enabled": True}
    if table.stream is not None:
        properties["StreamSpecification"] = {"StreamViewType": table.stream}
    if table.kinesis:
        properties["KinesisStreamSpecification"] = {"StreamArn": {"Fn::GetAtt": [f"{_table_id(table)}Changes", "Arn"]}}
    return properties


def _schema(pk: tuple[KeyField, ...], sk: tuple[KeyField, ...]) -> list[Json]:
    return [{"AttributeName": name, "KeyType": kind} for name, kind in key_schema(pk, sk)]


def _index(given: IndexResource) -> Json:
    return {
        "IndexName": given.name,
        "KeySchema": _schema(given.pk, given.sk),
        "Projection": _projection(given.projection),
    }


def _gsi(given: IndexResource, table: TableResource) -> Json:
    found = _index(given) | {"ContributorInsightsSpecification": {"Enabled": table.contributor_insights}}
    if given.capacity is not None:
        found["ProvisionedThroughput"] = _throughput(given.capacity)
    if given.warm is not None:
        found["WarmThroughput"] = {"ReadUnitsPerSecond": given.warm.read, "WriteUnitsPerSecond": given.warm.write}
    return found


def _projection(given: Projection) -> Json:
    found: Json = {"ProjectionType": given.type}
    return found | {"NonKeyAttributes": list(given.attributes)} if given.attributes else found


def _throughput(capacity: Provisioned) -> Json:
    return {"ReadCapacityUnits": capacity.min_rcu, "WriteCapacityUnits": capacity.min_wcu}


def _encryption(kind: str) -> Json:
    return {"SSEEnabled": False} if kind == "AWS_OWNED" else {"SSEEnabled": True, "SSEType": "KMS"}


# ---- scaling --------------------------------------------------------------------------------------------------------


def _scaling(table: TableResource) -> Iterator[tuple[str, Json]]:
    """A target and a policy for reads and writes of the table and of every index, where capacity is provisioned."""
    places: list[tuple[str, str, Provisioned | None]] = [("table", "", table.capacity)]
    places += [("index", each.name, each.capacity) for each in table.gsis]
    for kind, name, capacity in places:
        if capacity is None:
            continue
        yield from _scaling_of(table, kind, name, "Read", (capacity.min_rcu, capacity.max_rcu), capacity)
        yield from _scaling_of(table, kind, name, "Write", (capacity.min_wcu, capacity.max_wcu), capacity)


def _scaling_of(
    table: TableResource, kind: str, name: str, what: str, bounds: tuple[int, int], capacity: Provisioned
) -> Iterator[tuple[str, Json]]:
    id_ = f"{_table_id(table)}{pascal(name) if name else ''}{what}"
    resource = substitute("table/", {"Ref": _table_id(table)}, f"/index/{name}" if name else "")
    yield (
        f"{id_}Target",
        {
            "Type": "AWS::ApplicationAutoScaling::ScalableTarget",
            "Properties": {
                "ServiceNamespace": "dynamodb",
                "ResourceId": resource,
                "ScalableDimension": f"dynamodb:{kind}:{what}CapacityUnits",
                "MinCapacity": bounds[0],
                "MaxCapacity": bounds[1],
            },
        },
    )
    yield (
        f"{id_}Scaling",
        {
            "Type": "AWS::ApplicationAutoScaling::ScalingPolicy",
            "Properties": {
                "PolicyName": id_,
                "PolicyType": "TargetTrackingScaling",
                "ScalingTargetId": {"Ref": f"{id_}Target"},
                "TargetTrackingScalingPolicyConfiguration": {
                    "PredefinedMetricSpecification": {"PredefinedMetricType": f"DynamoDB{what}CapacityUtilization"},
                    "TargetValue": round(capacity.target_utilisation * 100),
                },
            },
        },
    )


# ---- alarms and policies --------------------------------------------------------------------------------------------


def _alarm_resource(given: Infrastructure, alarm: Alarm) -> Json:
    topic: Json = {"Fn::If": ["HasAlarmTopic", [{"Ref": TOPIC}], {"Ref": "AWS::NoValue"}]}
    properties: Json = {
        "AlarmName": alarm.name,
        "AlarmDescription": alarm.why[:1024] or alarm.name,
        "Namespace": alarm.namespace,
        "MetricName": alarm.metric,
        "Dimensions": [
            {"Name": name, "Value": _dimension(given, name, value)} for name, value in alarm.dimensions.items()
        ],
        **_statistic(alarm.statistic),
        "Period": alarm.period_seconds,
        "EvaluationPeriods": alarm.evaluation_periods,
        "Threshold": alarm.threshold,
        "ComparisonOperator": alarm.comparison,
        "TreatMissingData": "notBreaching",
        "AlarmActions": topic,
        "OKActions": topic,
    }
    return {"Type": "AWS::CloudWatch::Alarm", "Properties": properties}


def _statistic(text: str) -> Json:
    """Percentiles have a property of their own."""
    return {"ExtendedStatistic": text} if text.startswith("p") else {"Statistic": text}


def _dimension(given: Infrastructure, name: str, value: str) -> Any:
    tables = {table.name: _table_id(table) for table in given.tables}
    return {"Ref": tables[value]} if name == "TableName" and value in tables else value


def _policy_resource(policy: Policy) -> Json:
    return {
        "Type": "AWS::IAM::ManagedPolicy",
        "Properties": {
            "Description": policy.description,
            "PolicyDocument": {
                "Version": "2012-10-17",
                "Statement": [_statement(each) for each in policy.statements],
            },
        },
    }


def _statement(given: Statement) -> Json:
    id_ = f"{pascal(given.table)}Table"
    arn: Json = {"Fn::GetAtt": [id_, "Arn"]}
    index = "" if given.index is None else f"/index/{given.index}"
    own = substitute(arn, index) if index else arn
    found: Json = {
        "Effect": "Allow",
        "Action": list(given.actions),
        "Resource": [own, *(_replica_arn(id_, each, index) for each in given.replicas)] if given.replicas else own,
    }
    if given.leading_keys:
        found["Condition"] = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": list(given.leading_keys)}}
    return found


def _replica_arn(table: str, region: str, index: str) -> Json:
    account: tuple[Json, Json] = ({"Ref": "AWS::Partition"}, {"Ref": "AWS::AccountId"})
    return substitute("arn:", account[0], f":dynamodb:{region}:", account[1], ":table/", {"Ref": table}, index)


def cloudformation(given: Infrastructure) -> Mapping[str, str]:
    """The template of the home region; for every other one, whose replica that makes, one with its alarms."""
    found = {
        "cloudformation/template.yaml": as_yaml(given),
        "cloudformation/template.json": as_json(given),
    }
    if given.regions and given.alarms:
        alone = given.alarms_alone
        found |= {
            "cloudformation/replica-alarms.yaml": as_yaml(alone),
            "cloudformation/replica-alarms.json": as_json(alone),
        }
    return found
