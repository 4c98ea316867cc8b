"""The same resources as Terraform. Index keys are `key_schema` blocks, which the AWS provider has since 6.30."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.codegen.infrastructure.resources import Infrastructure, TableResource, key_schema
from tablewright.codegen.names import snake

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.codegen.infrastructure.policies import Policy, Statement
    from tablewright.codegen.infrastructure.resources import IndexResource, WarmThroughput
    from tablewright.design.advice import Alarm
    from tablewright.design.model import Provisioned

INDENT = "  "
VARIABLES = """variable "alarm_topic_arn" {
  description = "ARN of an SNS topic that alarms are sent to; null for none."
  type        = string
  default     = null
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


class Raw(msgspec.Struct, frozen=True):
    """An expression, such as a reference."""

    text: str


class Block(msgspec.Struct, frozen=True):
    """`type "label" { ... }`: arguments first, then blocks."""

    type: str
    labels: tuple[str, ...] = ()
    arguments: dict[str, Any] = {}
    blocks: tuple[Block, ...] = ()


def terraform(given: Infrastructure) -> dict[str, str]:
    tables = [block for table in given.tables for block in table_blocks(table)]
    alarms = [alarm_block(given, each) for each in given.alarms]
    policies = [block for each in given.policies for block in policy_blocks(each)]
    outputs = [output for table in given.tables for output in output_blocks(table)]
    files = {
        "terraform/versions.tf": VERSIONS,
        "terraform/main.tf": print_blocks(tables),
        "terraform/policies.tf": print_blocks(policies),
        "terraform/outputs.tf": print_blocks(outputs),
    }
    if alarms:
        files |= {"terraform/variables.tf": VARIABLES, "terraform/alarms.tf": print_blocks(alarms)}
    return files


# ---- tables ---------------------------------------------------------------------------------------------------------


def table_blocks(table: TableResource) -> Iterator[Block]:
    name = snake(table.name)
    yield Block("resource", ("aws_dynamodb_table", name), table_arguments(table), tuple(inner_blocks(table)))
    if table.contributor_insights:
        for index in (None, *(each.name for each in table.gsis)):
            arguments = {"table_name": Raw(f"aws_dynamodb_table.{name}.name")}
            label = name if index is None else f"{name}_{snake(index)}"
            own = arguments if index is None else arguments | {"index_name": index}
            yield Block("resource", ("aws_dynamodb_contributor_insights", label), own)
    if table.kinesis:
        yield from kinesis_blocks(name)
    yield from scaling_blocks(table)


def table_arguments(table: TableResource) -> dict[str, Any]:
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


def inner_blocks(table: TableResource) -> Iterator[Block]:
    for field in table.key_fields:
        yield Block("attribute", arguments={"name": field.name, "type": field.type})
    for index in table.gsis:
        yield gsi_block(index)
    for index in table.lsis:
        arguments = {"name": index.name, "range_key": index.sk[0].name, **projection(index)}
        yield Block("local_secondary_index", arguments=arguments)
    if table.ttl_attribute is not None:
        yield Block("ttl", arguments={"attribute_name": table.ttl_attribute, "enabled": True})
    yield Block("point_in_time_recovery", arguments={"enabled": table.pitr})
    yield Block("server_side_encryption", arguments={"enabled": table.encryption != "AWS_OWNED"})
    yield from warm_blocks(table.warm)
    ignored = ignored_arguments(table)
    yield Block("lifecycle", arguments={"prevent_destroy": True, **({"ignore_changes": ignored} if ignored else {})})


def ignored_arguments(table: TableResource) -> list[Raw]:
    """What autoscaling changes behind Terraform's back."""
    return [Raw("read_capacity"), Raw("write_capacity")] if table.capacity is not None else []


def gsi_block(index: IndexResource) -> Block:
    arguments: dict[str, Any] = {"name": index.name, **projection(index)}
    if index.capacity is not None:
        arguments |= {"read_capacity": index.capacity.min_rcu, "write_capacity": index.capacity.min_wcu}
    keys = (
        Block("key_schema", arguments={"attribute_name": name, "key_type": kind})
        for name, kind in key_schema(index.pk, index.sk)
    )
    return Block("global_secondary_index", arguments=arguments, blocks=(*keys, *warm_blocks(index.warm)))


def projection(index: IndexResource) -> dict[str, Any]:
    found: dict[str, Any] = {"projection_type": index.projection.type}
    return found | {"non_key_attributes": list(index.projection.attributes)} if index.projection.attributes else found


def warm_blocks(given: WarmThroughput | None) -> Iterator[Block]:
    if given is not None:
        arguments = {"read_units_per_second": given.read, "write_units_per_second": given.write}
        yield Block("warm_throughput", arguments=arguments)


def kinesis_blocks(name: str) -> Iterator[Block]:
    label = f"{name}_changes"
    mode = Block("stream_mode_details", arguments={"stream_mode": "ON_DEMAND"})
    arguments = {"name": label.replace("_", "-"), "encryption_type": "KMS", "kms_key_id": "alias/aws/kinesis"}
    yield Block("resource", ("aws_kinesis_stream", label), arguments, (mode,))
    yield Block(
        "resource",
        ("aws_dynamodb_kinesis_streaming_destination", name),
        {"table_name": Raw(f"aws_dynamodb_table.{name}.name"), "stream_arn": Raw(f"aws_kinesis_stream.{label}.arn")},
    )


def output_blocks(table: TableResource) -> Iterator[Block]:
    name = snake(table.name)
    properties = ["name", "arn", *(["stream_arn"] if table.stream else [])]
    for each in properties:
        yield Block("output", (f"{name}_{each}",), {"value": Raw(f"aws_dynamodb_table.{name}.{each}")})


# ---- scaling --------------------------------------------------------------------------------------------------------


def scaling_blocks(table: TableResource) -> Iterator[Block]:
    places: list[tuple[str, str, Provisioned | None]] = [("table", "", table.capacity)]
    places += [("index", each.name, each.capacity) for each in table.gsis]
    for kind, index, capacity in places:
        if capacity is not None:
            yield from scaling_pair(table, kind, index, "Read", (capacity.min_rcu, capacity.max_rcu), capacity)
            yield from scaling_pair(table, kind, index, "Write", (capacity.min_wcu, capacity.max_wcu), capacity)


def scaling_pair(
    table: TableResource, kind: str, index: str, what: str, bounds: tuple[int, int], capacity: Provisioned
) -> Iterator[Block]:
    name = snake(table.name)
    label = "_".join(part for part in (name, snake(index) if index else "", what.lower()) if part)
    resource = interpolate("table/", Raw(f"aws_dynamodb_table.{name}.name"), f"/index/{index}" if index else "")
    yield Block(
        "resource",
        ("aws_appautoscaling_target", label),
        {
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


def alarm_block(given: Infrastructure, alarm: Alarm) -> Block:
    topic = Raw("var.alarm_topic_arn == null ? [] : [var.alarm_topic_arn]")
    known = {table.name: snake(table.name) for table in given.tables}
    dimensions: dict[str, Any] = {
        name: Raw(f"aws_dynamodb_table.{known[value]}.name") if name == "TableName" and value in known else value
        for name, value in alarm.dimensions.items()
    }
    statistic = "extended_statistic" if alarm.statistic.startswith("p") else "statistic"
    arguments: dict[str, Any] = {
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
    return Block("resource", ("aws_cloudwatch_metric_alarm", snake(alarm.name)), arguments)


def policy_blocks(policy: Policy) -> Iterator[Block]:
    name = snake(policy.name)
    statements = tuple(statement_block(each) for each in policy.statements)
    yield Block("data", ("aws_iam_policy_document", name), blocks=statements)
    document = Raw(f"data.aws_iam_policy_document.{name}.json")
    arguments = {"name": policy.name, "description": policy.description, "policy": document}
    yield Block("resource", ("aws_iam_policy", name), arguments)


def statement_block(given: Statement) -> Block:
    arn = f"aws_dynamodb_table.{snake(given.table)}.arn"
    resource = Raw(arn) if given.index is None else interpolate(Raw(arn), f"/index/{given.index}")
    arguments = {"effect": "Allow", "actions": list(given.actions), "resources": [resource]}
    conditions: tuple[Block, ...] = ()
    if given.leading_keys:
        test: dict[str, Any] = {
            "test": "ForAllValues:StringLike",
            "variable": "dynamodb:LeadingKeys",
            "values": list(given.leading_keys),
        }
        conditions = (Block("condition", arguments=test),)
    return Block("statement", arguments=arguments, blocks=conditions)


# ---- printing -------------------------------------------------------------------------------------------------------


def print_blocks(blocks: list[Block]) -> str:
    return "\n".join("\n".join(lines(block)) + "\n" for block in blocks)


def lines(block: Block) -> Iterator[str]:
    """Arguments with their equal signs in one column, as `terraform fmt` wants it; blocks behind an empty line."""
    yield " ".join([block.type, *(quote(label) for label in block.labels), "{"])
    yield from (INDENT + line for line in arguments_of(block.arguments))
    for at, inner in enumerate(block.blocks):
        if at or block.arguments:
            yield ""
        yield from (INDENT + line if line else line for line in lines(inner))
    yield "}"


def arguments_of(arguments: Mapping[str, Any]) -> Iterator[str]:
    for group in groups(arguments):
        width = max(len(name) for name in group)
        for name, value in group.items():
            first, *rest = value_text(value).split("\n")
            yield f"{name.ljust(width)} = {first}"
            yield from rest


def groups(arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A value of several lines stands for itself in the alignment."""
    group: dict[str, Any] = {}
    for name, value in arguments.items():
        if isinstance(value, dict):
            if group:
                yield group
            yield {name: value}
            group = {}
        else:
            group[name] = value
    if group:
        yield group


def value_text(value: Any) -> str:
    match value:
        case Raw(text):
            return text
        case dict():
            return map_text(cast("dict[str, Any]", value))
        case list():
            return list_text(cast("Any", value))
        case bool():
            return "true" if value else "false"
        case str():
            return quote(value)
        case _:
            return json.dumps(int(value) if value == int(value) else value)


def list_text(value: list[Any]) -> str:
    return f"[{', '.join(value_text(each) for each in value)}]"


def map_text(value: dict[str, Any]) -> str:
    width = max((len(name_text(each)) for each in value), default=0)
    pairs = (f"{INDENT}{name_text(name).ljust(width)} = {value_text(each)}\n" for name, each in value.items())
    return "{\n" + "".join(pairs) + "}"


def name_text(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", name) else quote(name)


# ---- texts: everything that becomes HCL goes through one of these ---------------------------------------------------

ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


def quote(text: str) -> str:
    return f'"{literal_text(text)}"'


def interpolate(*parts: str | Raw) -> Raw:
    """A template of texts and expressions."""
    return Raw(
        '"' + "".join(f"${{{each.text}}}" if isinstance(each, Raw) else literal_text(each) for each in parts) + '"'
    )


def literal_text(text: str) -> str:
    """Terraform would fill in `${` and `%{`; doubled, they stay what they are."""
    escaped = "".join(ESCAPES.get(each) or (each if each.isprintable() else unicode_escape(each)) for each in text)
    return re.sub(r"([$%])(?=\{)", r"\1\1", escaped)


def unicode_escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
