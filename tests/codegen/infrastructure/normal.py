"""What a template, a synthesised stack or a Terraform file says about a table, in one form that can be compared."""

from __future__ import annotations

import re
from typing import Any

Json = dict[str, Any]


def tables_of(template: Json) -> dict[str, Json]:
    """By name: the settings of every table in a CloudFormation template, as Table or as GlobalTable."""
    resources = template["Resources"]
    found: dict[str, Json] = {}
    for id_, resource in resources.items():
        if resource["Type"] == "AWS::DynamoDB::Table":
            found[resource["Properties"]["TableName"]] = from_table(resource["Properties"], scaling_of(resources, id_))
        if resource["Type"] == "AWS::DynamoDB::GlobalTable":
            found[resource["Properties"]["TableName"]] = from_global(resource["Properties"])
    return found


def keys(schema: list[Json]) -> list[tuple[str, str]]:
    return [(each["AttributeName"], each["KeyType"]) for each in schema]


def projection(given: Json) -> tuple[str, tuple[str, ...]]:
    return given["ProjectionType"], tuple(given.get("NonKeyAttributes", ()))


def warm(given: Json | None) -> tuple[int, int] | None:
    return None if not given else (given["ReadUnitsPerSecond"], given["WriteUnitsPerSecond"])


def common(given: Json) -> Json:
    return {
        "attributes": sorted((each["AttributeName"], each["AttributeType"]) for each in given["AttributeDefinitions"]),
        "keys": keys(given["KeySchema"]),
        "billing": given["BillingMode"],
        "ttl": given.get("TimeToLiveSpecification", {}).get("AttributeName"),
        "stream": given.get("StreamSpecification", {}).get("StreamViewType"),
        "encryption": given.get("SSESpecification", {}).get("SSEEnabled", False),
        "warm": warm(given.get("WarmThroughput")),
        "lsis": {
            each["IndexName"]: (keys(each["KeySchema"]), projection(each["Projection"]))
            for each in given.get("LocalSecondaryIndexes", ())
        },
    }


def from_table(given: Json, scaling: dict[str, Json]) -> Json:
    return {
        **common(given),
        "class": given["TableClass"],
        "protected": given["DeletionProtectionEnabled"],
        "pitr": given["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"],
        "insights": given["ContributorInsightsSpecification"]["Enabled"],
        "tags": {each["Key"]: each["Value"] for each in given["Tags"]},
        "kinesis": "KinesisStreamSpecification" in given,
        "capacity": scaling.get(""),
        "gsis": {
            each["IndexName"]: {
                "keys": keys(each["KeySchema"]),
                "projection": projection(each["Projection"]),
                "warm": warm(each.get("WarmThroughput")),
                "insights": each["ContributorInsightsSpecification"]["Enabled"],
                "capacity": scaling.get(each["IndexName"]),
            }
            for each in given.get("GlobalSecondaryIndexes", ())
        },
    }


def scaling_of(resources: Json, table: str) -> dict[str, Json]:
    """By index ("" for the table): bounds and targets of reads and writes."""
    found: dict[str, Json] = {}
    for id_, each in resources.items():
        if each["Type"] != "AWS::ApplicationAutoScaling::ScalableTarget":
            continue
        text = each["Properties"]["ResourceId"]["Fn::Sub"]
        own, _, index = text.removeprefix("table/").partition("/index/")
        if own != f"${{{table}}}":
            continue
        policy = next(
            other["Properties"]
            for other in resources.values()
            if other["Type"] == "AWS::ApplicationAutoScaling::ScalingPolicy"
            and other["Properties"]["ScalingTargetId"] == {"Ref": id_}
        )
        what = "read" if "Read" in each["Properties"]["ScalableDimension"] else "write"
        target = policy["TargetTrackingScalingPolicyConfiguration"]["TargetValue"]
        found.setdefault(index, {})[what] = (
            each["Properties"]["MinCapacity"],
            each["Properties"]["MaxCapacity"],
            target,
        )
    return found


def from_global(given: Json) -> Json:
    """Of several replicas those settings by region."""
    found = {str(each["Region"]): from_replica(given, each) for each in given["Replicas"]}
    return next(iter(found.values())) if len(found) == 1 else found


def from_replica(given: Json, replica: Json) -> Json:
    options = {each["IndexName"]: each for each in replica.get("GlobalSecondaryIndexes", ())}
    return {
        **common(given),
        "class": replica["TableClass"],
        "protected": replica["DeletionProtectionEnabled"],
        "pitr": replica["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"],
        "insights": replica["ContributorInsightsSpecification"]["Enabled"],
        "tags": {each["Key"]: each["Value"] for each in replica["Tags"]},
        "kinesis": "KinesisStreamSpecification" in replica,
        "capacity": global_capacity(given, replica),
        "gsis": {
            each["IndexName"]: {
                "keys": keys(each["KeySchema"]),
                "projection": projection(each["Projection"]),
                "warm": warm(each.get("WarmThroughput")),
                "insights": options[each["IndexName"]]["ContributorInsightsSpecification"]["Enabled"],
                "capacity": global_capacity(each, options[each["IndexName"]]),
            }
            for each in given.get("GlobalSecondaryIndexes", ())
        },
    }


def global_capacity(writes: Json, reads: Json) -> Json | None:
    if "WriteProvisionedThroughputSettings" not in writes:
        return None
    return {
        "read": autoscaled(reads["ReadProvisionedThroughputSettings"]["ReadCapacityAutoScalingSettings"]),
        "write": autoscaled(writes["WriteProvisionedThroughputSettings"]["WriteCapacityAutoScalingSettings"]),
    }


def autoscaled(given: Json) -> tuple[int, int, float]:
    target = given["TargetTrackingScalingPolicyConfiguration"]["TargetValue"]
    return given["MinCapacity"], given["MaxCapacity"], target


# ---- alarms and policies --------------------------------------------------------------------------------------------


def alarms_of(template: Json) -> dict[str, Json]:
    wanted = (
        "Namespace MetricName Statistic ExtendedStatistic Period EvaluationPeriods Threshold ComparisonOperator"
        " TreatMissingData AlarmDescription"
    ).split()
    return {
        each["Properties"]["AlarmName"]: {name: each["Properties"].get(name) for name in wanted}
        | {"dimensions": sorted(one["Name"] for one in each["Properties"].get("Dimensions", ()))}
        for each in template["Resources"].values()
        if each["Type"] == "AWS::CloudWatch::Alarm"
    }


def policies_of(template: Json) -> list[Any]:
    """Description, actions, index and leading keys of every statement; ARNs differ in how they are said."""
    found: list[Any] = []
    for each in template["Resources"].values():
        if each["Type"] == "AWS::IAM::ManagedPolicy":
            found += [
                (each["Properties"]["Description"], *statement)
                for statement in map(statement_of, each["Properties"]["PolicyDocument"]["Statement"])
            ]
    return sorted(found)


def statement_of(given: Json) -> tuple[Any, ...]:
    actions = given["Action"]
    leading = given.get("Condition", {}).get("ForAllValues:StringLike", {}).get("dynamodb:LeadingKeys", [])
    resources = given["Resource"] if isinstance(given["Resource"], list) else [given["Resource"]]
    indexes = [repr(each).partition("/index/")[2].rstrip("'\"]}") for each in resources]
    regions = [found.group() for each in resources if (found := re.search(r"[a-z]+-[a-z]+-\d", repr(each)))]
    return (sorted(actions) if isinstance(actions, list) else [actions], indexes, regions, leading)


# ---- Terraform ------------------------------------------------------------------------------------------------------


def bare(value: Any) -> Any:
    """What the HCL parser gives, without its quotes."""
    if isinstance(value, str):
        return value[1:-1].replace("$${", "${") if value[:1] == value[-1:] == '"' else value
    if isinstance(value, list):
        return [bare(each) for each in value]
    if isinstance(value, dict):
        return {bare(name): bare(each) for name, each in value.items() if not str(name).startswith("__")}
    return value


def resources_of(parsed: Json, kind: str) -> dict[str, Json]:
    return {
        name: body
        for each in parsed.get("resource", ())
        for type_, found in each.items()
        if type_ == kind
        for name, body in found.items()
    }


def from_terraform(parsed: Json) -> dict[str, Json]:
    insights = resources_of(parsed, "aws_dynamodb_contributor_insights")
    destinations = resources_of(parsed, "aws_dynamodb_kinesis_streaming_destination")
    found: dict[str, Json] = {}
    for label, table in resources_of(parsed, "aws_dynamodb_table").items():
        scaling = terraform_scaling(parsed, label)
        watched = {each.get("index_name", "") for each in insights.values() if f".{label}.name" in each["table_name"]}
        found[table["name"]] = {
            "attributes": sorted((each["name"], each["type"]) for each in table["attribute"]),
            "keys": [(table["hash_key"], "HASH"), (table["range_key"], "RANGE")],
            "billing": table["billing_mode"],
            "ttl": table["ttl"][0]["attribute_name"] if "ttl" in table else None,
            "stream": table.get("stream_view_type"),
            "encryption": table["server_side_encryption"][0]["enabled"],
            "warm": terraform_warm(table),
            "lsis": {
                each["name"]: (
                    [(table["hash_key"], "HASH"), (each["range_key"], "RANGE")],
                    (each["projection_type"], tuple(each.get("non_key_attributes", ()))),
                )
                for each in table.get("local_secondary_index", ())
            },
            "class": table["table_class"],
            "protected": table["deletion_protection_enabled"],
            "pitr": table["point_in_time_recovery"][0]["enabled"],
            "insights": "" in watched,
            "tags": table["tags"],
            "kinesis": label in destinations,
            "capacity": scaling.get(""),
            "gsis": {
                each["name"]: {
                    "keys": [(key["attribute_name"], key["key_type"]) for key in each["key_schema"]],
                    "projection": (each["projection_type"], tuple(each.get("non_key_attributes", ()))),
                    "warm": terraform_warm(each),
                    "insights": each["name"] in watched,
                    "capacity": scaling.get(each["name"]),
                }
                for each in table.get("global_secondary_index", ())
            },
        }
    return found


def terraform_warm(given: Json) -> tuple[int, int] | None:
    if "warm_throughput" not in given:
        return None
    return given["warm_throughput"][0]["read_units_per_second"], given["warm_throughput"][0]["write_units_per_second"]


def terraform_scaling(parsed: Json, table: str) -> dict[str, Json]:
    found: dict[str, Json] = {}
    policies = resources_of(parsed, "aws_appautoscaling_policy")
    for label, target in resources_of(parsed, "aws_appautoscaling_target").items():
        own, _, index = target["resource_id"].removeprefix("table/").partition("/index/")
        if own != f"${{aws_dynamodb_table.{table}.name}}":
            continue
        what = "read" if "Read" in target["scalable_dimension"] else "write"
        value = policies[label]["target_tracking_scaling_policy_configuration"][0]["target_value"]
        found.setdefault(index, {})[what] = (target["min_capacity"], target["max_capacity"], value)
    return found
