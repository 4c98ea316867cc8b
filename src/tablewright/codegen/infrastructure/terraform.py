"""The same resources as Terraform. Index keys are `key_schema` blocks, which the AWS provider has since 6.30."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.codegen.infrastructure.hcl import Block, Raw, interpolate, print_blocks, quote
from tablewright.codegen.infrastructure.resources import Infrastructure, TableResource, key_schema
from tablewright.codegen.names import snake

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.codegen.infrastructure.policies import Policy, Statement
    from tablewright.codegen.infrastructure.resources import IndexResource, WarmThroughput
    from tablewright.design.advice import Alarm
    from tablewright.design.model import Provisioned

VARIABLES = """variable "alarm_topic_arn" {
  description = "ARN of an SNS topic that alarms are sent to; null for none."
  type        = string
  default     = null
}
"""
REPLICA_VARIABLES = """
variable "replica_alarm_topic_arns" {
  description = "By region of a replica: ARN of an SNS topic there that its alarms are sent to."
  type        = map(string)
  default     = {}
}
"""
VERSIONS = """terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 6.30"
    }
  }
}
"""


def terraform(given: Infrastructure) -> dict[str, str]:
    tables = [block for table in given.tables for block in _table_blocks(table)]
    alarms = [_alarm_block(given, each, region) for region in ("", *given.regions[1:]) for each in given.alarms]
    policies = [block for each in given.policies for block in _policy_blocks(each)]
    outputs = [output for table in given.tables for output in _output_blocks(table)]
    files = {
        "terraform/versions.tf": VERSIONS + "".join(_provider_text(each) for each in given.regions[:1]),
        "terraform/main.tf": print_blocks(tables),
        "terraform/policies.tf": print_blocks(policies),
        "terraform/outputs.tf": print_blocks(outputs),
    }
    if alarms:
        variables = VARIABLES + (REPLICA_VARIABLES if given.regions else "")
        files |= {"terraform/variables.tf": variables, "terraform/alarms.tf": print_blocks(alarms)}
    return files


def _provider_text(home: str) -> str:
    """Replicas are said in the region of the table, so that this one is no matter of taste."""
    return "\n" + print_blocks([Block("provider", ("aws",), {"region": home})])


def _in_region(region: str) -> dict[str, Any]:
    """Without one, a resource is where the provider is."""
    return {"region": region} if region else {}


def _label(name: str, region: str) -> str:
    return f"{name}_{snake(region)}" if region else name


# ---- tables ---------------------------------------------------------------------------------------------------------


def _table_blocks(table: TableResource) -> Iterator[Block]:
    name = snake(table.name)
    yield Block("resource", ("aws_dynamodb_table", name), _table_arguments(table), tuple(_inner_blocks(table)))
    for region in ("", *table.regions[1:]):
        yield from _insight_blocks(table, region)
    if table.kinesis:
        yield from _kinesis_blocks(name)
    for region in ("", *table.regions[1:]):
        yield from _scaling_blocks(table, region)


def _insight_blocks(table: TableResource, region: str) -> Iterator[Block]:
    if not table.contributor_insights:
        return
    name = snake(table.name)
    for index in (None, *(each.name for each in table.gsis)):
        arguments = {**_in_region(region), "table_name": Raw(f"aws_dynamodb_table.{name}.name")}
        label = name if index is None else f"{name}_{snake(index)}"
        own = arguments if index is None else arguments | {"index_name": index}
        yield Block("resource", ("aws_dynamodb_contributor_insights", _label(label, region)), own)


def _table_arguments(table: TableResource) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": table.name,
        "billing_mode": "PAY_PER_REQUEST" if table.capacity is None else "PROVISIONED",
        "hash_key": table.pk.name,
        "range_key": table.sk.name,
        "table_class": table.table_class,
        "deletion_protection_enabled": table.deletion_protection,
    }
    if table.capacity is not None:
        found |= {"read_capacity": table.capacity.min_rcu, "write_capacity": table.capacity.min_wcu}
    if table.stream is not None:
        found |= {"stream_enabled": True, "stream_view_type": table.stream}
    return found | {"tags": dict(table.tags)}


def _inner_blocks(table: TableResource) -> Iterator[Block]:
    for field in table.key_fields:
        yield Block("attribute", arguments={"name": field.name, "type": field.type})
    for index in table.gsis:
        yield _gsi_block(index)
    for index in table.lsis:
        arguments = {"name": index.name, "range_key": index.sk[0].name, **_projection(index)}
        yield Block("local_secondary_index", arguments=arguments)
    if table.ttl_attribute is not None:
        yield Block("ttl", arguments={"attribute_name": table.ttl_attribute, "enabled": True})
    yield Block("point_in_time_recovery", arguments={"enabled": table.pitr})
    yield Block("server_side_encryption", arguments={"enabled": table.encryption != "AWS_OWNED"})
    yield from _warm_blocks(table.warm)
    for region in table.regions[1:]:
        yield _replica_block(table, region)
    ignored = _ignored_arguments(table)
    yield Block("lifecycle", arguments={"prevent_destroy": True, **({"ignore_changes": ignored} if ignored else {})})


def _replica_block(table: TableResource, region: str) -> Block:
    arguments: dict[str, Any] = {
        "region_name": region,
        "point_in_time_recovery": table.pitr,
        "deletion_protection_enabled": table.deletion_protection,
        "propagate_tags": True,
    }
    return Block("replica", arguments=arguments)


def _ignored_arguments(table: TableResource) -> list[Raw]:
    """What autoscaling changes behind Terraform's back."""
    return [Raw("read_capacity"), Raw("write_capacity")] if table.capacity is not None else []


def _gsi_block(index: IndexResource) -> Block:
    arguments: dict[str, Any] = {"name": index.name, **_projection(index)}
    if index.capacity is not None:
        arguments |= {"read_capacity": index.capacity.min_rcu, "write_capacity": index.capacity.min_wcu}
    keys = (
        Block("key_schema", arguments={"attribute_name": name, "key_type": kind})
        for name, kind in key_schema(index.pk, index.sk)
    )
    return Block("global_secondary_index", arguments=arguments, blocks=(*keys, *_warm_blocks(index.warm)))


def _projection(index: IndexResource) -> dict[str, Any]:
    found: dict[str, Any] = {"projection_type": index.projection.type}
    return found | {"non_key_attributes": list(index.projection.attributes)} if index.projection.attributes else found


def _warm_blocks(given: WarmThroughput | None) -> Iterator[Block]:
    if given is not None:
        arguments = {"read_units_per_second": given.read, "write_units_per_second": given.write}
        yield Block("warm_throughput", arguments=arguments)


def _kinesis_blocks(name: str) -> Iterator[Block]:
    label = f"{name}_changes"
    mode = Block("stream_mode_details", arguments={"stream_mode": "ON_DEMAND"})
    arguments = {"name": label.replace("_", "-"), "encryption_type": "KMS", "kms_key_id": "alias/aws/kinesis"}
    yield Block("resource", ("aws_kinesis_stream", label), arguments, (mode,))
    yield Block(
        "resource",
        ("aws_dynamodb_kinesis_streaming_destination", name),
        {"table_name": Raw(f"aws_dynamodb_table.{name}.name"), "stream_arn": Raw(f"aws_kinesis_stream.{label}.arn")},
    )


def _output_blocks(table: TableResource) -> Iterator[Block]:
    name = snake(table.name)
    properties = ["name", "arn", *(["stream_arn"] if table.stream else [])]
    for each in properties:
        yield Block("output", (f"{name}_{each}",), {"value": Raw(f"aws_dynamodb_table.{name}.{each}")})


# ---- scaling --------------------------------------------------------------------------------------------------------


def _scaling_blocks(table: TableResource, region: str) -> Iterator[Block]:
    places: list[tuple[str, str, Provisioned | None]] = [("table", "", table.capacity)]
    places += [("index", each.name, each.capacity) for each in table.gsis]
    for kind, index, capacity in places:
        if capacity is not None:
            place = kind, index, region
            yield from _scaling_pair(table, place, "Read", (capacity.min_rcu, capacity.max_rcu), capacity)
            yield from _scaling_pair(table, place, "Write", (capacity.min_wcu, capacity.max_wcu), capacity)


def _scaling_pair(
    table: TableResource, place: tuple[str, str, str], what: str, bounds: tuple[int, int], capacity: Provisioned
) -> Iterator[Block]:
    kind, index, region = place
    name = snake(table.name)
    label = _label("_".join(part for part in (name, snake(index) if index else "", what.lower()) if part), region)
    resource = interpolate("table/", Raw(f"aws_dynamodb_table.{name}.name"), f"/index/{index}" if index else "")
    yield Block(
        "resource",
        ("aws_appautoscaling_target", label),
        {
            **_in_region(region),
            "service_namespace": "dynamodb",
            "resource_id": resource,
            "scalable_dimension": f"dynamodb:{kind}:{what}CapacityUnits",
            "min_capacity": bounds[0],
            "max_capacity": bounds[1],
        },
    )
    metric = Block(
        "predefined_metric_specification",
        arguments={"predefined_metric_type": f"DynamoDB{what}CapacityUtilization"},
    )
    target = f"aws_appautoscaling_target.{label}"
    yield Block(
        "resource",
        ("aws_appautoscaling_policy", label),
        {
            **_in_region(region),
            "name": label,
            "policy_type": "TargetTrackingScaling",
            "service_namespace": Raw(f"{target}.service_namespace"),
            "resource_id": Raw(f"{target}.resource_id"),
            "scalable_dimension": Raw(f"{target}.scalable_dimension"),
        },
        (
            Block(
                "target_tracking_scaling_policy_configuration",
                arguments={"target_value": round(capacity.target_utilisation * 100)},
                blocks=(metric,),
            ),
        ),
    )


# ---- alarms and policies --------------------------------------------------------------------------------------------


def _alarm_block(given: Infrastructure, alarm: Alarm, region: str) -> Block:
    topic = _topic(region)
    known = {table.name: snake(table.name) for table in given.tables}
    dimensions: dict[str, Any] = {
        name: Raw(f"aws_dynamodb_table.{known[value]}.name") if name == "TableName" and value in known else value
        for name, value in alarm.dimensions.items()
    }
    statistic = "extended_statistic" if alarm.statistic.startswith("p") else "statistic"
    arguments: dict[str, Any] = {
        **_in_region(region),
        "alarm_name": alarm.name,
        "alarm_description": alarm.why[:1024] or alarm.name,
        "namespace": alarm.namespace,
        "metric_name": alarm.metric,
        **({"dimensions": dimensions} if dimensions else {}),
        statistic: alarm.statistic,
        "period": alarm.period_seconds,
        "evaluation_periods": alarm.evaluation_periods,
        "threshold": alarm.threshold,
        "comparison_operator": alarm.comparison,
        "treat_missing_data": "notBreaching",
        "alarm_actions": topic,
        "ok_actions": topic,
    }
    return Block("resource", ("aws_cloudwatch_metric_alarm", _label(snake(alarm.name), region)), arguments)


def _topic(region: str) -> Raw:
    """An alarm can tell a topic of its own region alone."""
    if not region:
        return Raw("var.alarm_topic_arn == null ? [] : [var.alarm_topic_arn]")
    known, own = "var.replica_alarm_topic_arns", quote(region)
    return Raw(f"contains(keys({known}), {own}) ? [{known}[{own}]] : []")


def _policy_blocks(policy: Policy) -> Iterator[Block]:
    name = snake(policy.name)
    statements = tuple(_statement_block(each) for each in policy.statements)
    yield Block("data", ("aws_iam_policy_document", name), blocks=statements)
    document = Raw(f"data.aws_iam_policy_document.{name}.json")
    arguments = {"name": policy.name, "description": policy.description, "policy": document}
    yield Block("resource", ("aws_iam_policy", name), arguments)


def _statement_block(given: Statement) -> Block:
    arn = f"aws_dynamodb_table.{snake(given.table)}.arn"
    arns = [Raw(arn), *(_replica_arn(given.table, each) for each in given.replicas)]
    index = "" if given.index is None else f"/index/{given.index}"
    resources = [interpolate(each, index) if index else each for each in arns]
    arguments = {"effect": "Allow", "actions": list(given.actions), "resources": resources}
    conditions: tuple[Block, ...] = ()
    if given.leading_keys:
        test: dict[str, Any] = {
            "test": "ForAllValues:StringLike",
            "variable": "dynamodb:LeadingKeys",
            "values": list(given.leading_keys),
        }
        conditions = (Block("condition", arguments=test),)
    return Block("statement", arguments=arguments, blocks=conditions)


def _replica_arn(table: str, region: str) -> Raw:
    """The table knows the ARNs of its replicas."""
    table_ = f"aws_dynamodb_table.{snake(table)}"
    return Raw(f"one([for each in {table_}.replica : each.arn if each.region_name == {quote(region)}])")
