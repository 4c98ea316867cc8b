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


class _Raw(msgspec.Struct, frozen=True):
    """An expression, such as a reference."""

    text: str


class _Block(msgspec.Struct, frozen=True):
    """`type "label" { ... }`: arguments first, then blocks."""

    type: str
    labels: tuple[str, ...] = ()
    arguments: dict[str, Any] = {}
    blocks: tuple[_Block, ...] = ()


def terraform(given: Infrastructure) -> dict[str, str]:
    tables = [block for table in given.tables for block in _table_blocks(table)]
    alarms = [_alarm_block(given, each) for each in given.alarms]
    policies = [block for each in given.policies for block in _policy_blocks(each)]
    outputs = [output for table in given.tables for output in _output_blocks(table)]
    files = {
        "terraform/versions.tf": VERSIONS,
        "terraform/main.tf": _print_blocks(tables),
        "terraform/policies.tf": _print_blocks(policies),
        "terraform/outputs.tf": _print_blocks(outputs),
    }
    if alarms:
        files |= {"terraform/variables.tf": VARIABLES, "terraform/alarms.tf": _print_blocks(alarms)}
    return files


# ---- tables ---------------------------------------------------------------------------------------------------------


def _table_blocks(table: TableResource) -> Iterator[_Block]:
    name = snake(table.name)
    yield _Block("resource", ("aws_dynamodb_table", name), _table_arguments(table), tuple(_inner_blocks(table)))
    if table.contributor_insights:
        for index in (None, *(each.name for each in table.gsis)):
            arguments = {"table_name": _Raw(f"aws_dynamodb_table.{name}.name")}
            label = name if index is None else f"{name}_{snake(index)}"
            own = arguments if index is None else arguments | {"index_name": index}
            yield _Block("resource", ("aws_dynamodb_contributor_insights", label), own)
    if table.kinesis:
        yield from _kinesis_blocks(name)
    yield from _scaling_blocks(table)


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


def _inner_blocks(table: TableResource) -> Iterator[_Block]:
    for field in table.key_fields:
        yield _Block("attribute", arguments={"name": field.name, "type": field.type})
    for index in table.gsis:
        yield _gsi_block(index)
    for index in table.lsis:
        arguments = {"name": index.name, "range_key": index.sk[0].name, **_projection(index)}
        yield _Block("local_secondary_index", arguments=arguments)
    if table.ttl_attribute is not None:
        yield _Block("ttl", arguments={"attribute_name": table.ttl_attribute, "enabled": True})
    yield _Block("point_in_time_recovery", arguments={"enabled": table.pitr})
    yield _Block("server_side_encryption", arguments={"enabled": table.encryption != "AWS_OWNED"})
    yield from _warm_blocks(table.warm)
    ignored = _ignored_arguments(table)
    yield _Block("lifecycle", arguments={"prevent_destroy": True, **({"ignore_changes": ignored} if ignored else {})})


def _ignored_arguments(table: TableResource) -> list[_Raw]:
    """What autoscaling changes behind Terraform's back."""
    return [_Raw("read_capacity"), _Raw("write_capacity")] if table.capacity is not None else []


def _gsi_block(index: IndexResource) -> _Block:
    arguments: dict[str, Any] = {"name": index.name, **_projection(index)}
    if index.capacity is not None:
        arguments |= {"read_capacity": index.capacity.min_rcu, "write_capacity": index.capacity.min_wcu}
    keys = (
        _Block("key_schema", arguments={"attribute_name": name, "key_type": kind})
        for name, kind in key_schema(index.pk, index.sk)
    )
    return _Block("global_secondary_index", arguments=arguments, blocks=(*keys, *_warm_blocks(index.warm)))


def _projection(index: IndexResource) -> dict[str, Any]:
    found: dict[str, Any] = {"projection_type": index.projection.type}
    return found | {"non_key_attributes": list(index.projection.attributes)} if index.projection.attributes else found


def _warm_blocks(given: WarmThroughput | None) -> Iterator[_Block]:
    if given is not None:
        arguments = {"read_units_per_second": given.read, "write_units_per_second": given.write}
        yield _Block("warm_throughput", arguments=arguments)


def _kinesis_blocks(name: str) -> Iterator[_Block]:
    label = f"{name}_changes"
    mode = _Block("stream_mode_details", arguments={"stream_mode": "ON_DEMAND"})
    arguments = {"name": label.replace("_", "-"), "encryption_type": "KMS", "kms_key_id": "alias/aws/kinesis"}
    yield _Block("resource", ("aws_kinesis_stream", label), arguments, (mode,))
    yield _Block(
        "resource",
        ("aws_dynamodb_kinesis_streaming_destination", name),
        {"table_name": _Raw(f"aws_dynamodb_table.{name}.name"), "stream_arn": _Raw(f"aws_kinesis_stream.{label}.arn")},
    )


def _output_blocks(table: TableResource) -> Iterator[_Block]:
    name = snake(table.name)
    properties = ["name", "arn", *(["stream_arn"] if table.stream else [])]
    for each in properties:
        yield _Block("output", (f"{name}_{each}",), {"value": _Raw(f"aws_dynamodb_table.{name}.{each}")})


# ---- scaling --------------------------------------------------------------------------------------------------------


def _scaling_blocks(table: TableResource) -> Iterator[_Block]:
    places: list[tuple[str, str, Provisioned | None]] = [("table", "", table.capacity)]
    places += [("index", each.name, each.capacity) for each in table.gsis]
    for kind, index, capacity in places:
        if capacity is not None:
            yield from _scaling_pair(table, kind, index, "Read", (capacity.min_rcu, capacity.max_rcu), capacity)
            yield from _scaling_pair(table, kind, index, "Write", (capacity.min_wcu, capacity.max_wcu), capacity)


def _scaling_pair(
    table: TableResource, kind: str, index: str, what: str, bounds: tuple[int, int], capacity: Provisioned
) -> Iterator[_Block]:
    name = snake(table.name)
    label = "_".join(part for part in (name, snake(index) if index else "", what.lower()) if part)
    resource = interpolate("table/", _Raw(f"aws_dynamodb_table.{name}.name"), f"/index/{index}" if index else "")
    yield _Block(
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
    metric = _Block(
        "predefined_metric_specification",
        arguments={"predefined_metric_type": f"DynamoDB{what}CapacityUtilization"},
    )
    target = f"aws_appautoscaling_target.{label}"
    yield _Block(
        "resource",
        ("aws_appautoscaling_policy", label),
        {
            "name": label,
            "policy_type": "TargetTrackingScaling",
            "service_namespace": _Raw(f"{target}.service_namespace"),
            "resource_id": _Raw(f"{target}.resource_id"),
            "scalable_dimension": _Raw(f"{target}.scalable_dimension"),
        },
        (
            _Block(
                "target_tracking_scaling_policy_configuration",
                arguments={"target_value": round(capacity.target_utilisation * 100)},
                blocks=(metric,),
            ),
        ),
    )


# ---- alarms and policies --------------------------------------------------------------------------------------------


def _alarm_block(given: Infrastructure, alarm: Alarm) -> _Block:
    topic = _Raw("var.alarm_topic_arn == null ? [] : [var.alarm_topic_arn]")
    known = {table.name: snake(table.name) for table in given.tables}
    dimensions: dict[str, Any] = {
        name: _Raw(f"aws_dynamodb_table.{known[value]}.name") if name == "TableName" and value in known else value
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
    return _Block("resource", ("aws_cloudwatch_metric_alarm", snake(alarm.name)), arguments)


def _policy_blocks(policy: Policy) -> Iterator[_Block]:
    name = snake(policy.name)
    statements = tuple(_statement_block(each) for each in policy.statements)
    yield _Block("data", ("aws_iam_policy_document", name), blocks=statements)
    document = _Raw(f"data.aws_iam_policy_document.{name}.json")
    arguments = {"name": policy.name, "description": policy.description, "policy": document}
    yield _Block("resource", ("aws_iam_policy", name), arguments)


def _statement_block(given: Statement) -> _Block:
    arn = f"aws_dynamodb_table.{snake(given.table)}.arn"
    resource = _Raw(arn) if given.index is None else interpolate(_Raw(arn), f"/index/{given.index}")
    arguments = {"effect": "Allow", "actions": list(given.actions), "resources": [resource]}
    conditions: tuple[_Block, ...] = ()
    if given.leading_keys:
        test: dict[str, Any] = {
            "test": "ForAllValues:StringLike",
            "variable": "dynamodb:LeadingKeys",
            "values": list(given.leading_keys),
        }
        conditions = (_Block("condition", arguments=test),)
    return _Block("statement", arguments=arguments, blocks=conditions)


# ---- printing -------------------------------------------------------------------------------------------------------


def _print_blocks(blocks: list[_Block]) -> str:
    return "\n".join("\n".join(_lines(block)) + "\n" for block in blocks)


def _lines(block: _Block) -> Iterator[str]:
    """Arguments with their equal signs in one column, as `terraform fmt` wants it; blocks behind an empty line."""
    yield " ".join([block.type, *(quote(label) for label in block.labels), "{"])
    yield from (INDENT + line for line in _arguments_of(block.arguments))
    for at, inner in enumerate(block.blocks):
        if at or block.arguments:
            yield ""
        yield from (INDENT + line if line else line for line in _lines(inner))
    yield "}"


def _arguments_of(arguments: Mapping[str, Any]) -> Iterator[str]:
    for group in _groups(arguments):
        width = max(len(name) for name in group)
        for name, value in group.items():
            first, *rest = _value_text(value).split("\n")
            yield f"{name.ljust(width)} = {first}"
            yield from rest


def _groups(arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
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


def _value_text(value: Any) -> str:
    match value:
        case _Raw(text):
            return text
        case dict():
            return _map_text(cast("dict[str, Any]", value))
        case list():
            return _list_text(cast("Any", value))
        case bool():
            return "true" if value else "false"
        case str():
            return quote(value)
        case _:
            return json.dumps(int(value) if value == int(value) else value)


def _list_text(value: list[Any]) -> str:
    return f"[{', '.join(_value_text(each) for each in value)}]"


def _map_text(value: dict[str, Any]) -> str:
    width = max((len(_name_text(each)) for each in value), default=0)
    pairs = (f"{INDENT}{_name_text(name).ljust(width)} = {_value_text(each)}\n" for name, each in value.items())
    return "{\n" + "".join(pairs) + "}"


def _name_text(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", name) else quote(name)


# ---- texts: everything that becomes HCL goes through one of these ---------------------------------------------------

ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


def quote(text: str) -> str:
    return f'"{_literal_text(text)}"'


def interpolate(*parts: str | _Raw) -> _Raw:
    """A template of texts and expressions."""
    return _Raw(
        '"' + "".join(f"${{{each.text}}}" if isinstance(each, _Raw) else _literal_text(each) for each in parts) + '"'
    )


def _literal_text(text: str) -> str:
    """Terraform would fill in `${` and `%{`; doubled, they stay what they are, several as numbers."""
    escaped = "".join(ESCAPES.get(each) or (each if each.isprintable() else _unicode_escape(each)) for each in text)
    return re.sub(r"\$+(?=\{)|%+(?=\{)", _harmless_marks, escaped)


def _harmless_marks(found: re.Match[str]) -> str:
    marks = found[0]
    return marks * 2 if len(marks) == 1 else "".join(map(_unicode_escape, marks))


def _unicode_escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
