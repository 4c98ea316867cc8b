"""A SAM template: the function, what it gets of the stream, a queue for what fails, and no more rights than needed."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tablewright.codegen.infrastructure.cloudformation import yaml_text
from tablewright.codegen.infrastructure.resources import prose
from tablewright.codegen.names import pascal, physical_name

if TYPE_CHECKING:
    from tablewright.codegen.lambdas.model import StreamModel
    from tablewright.design.model import Design, TableDesign

Json = dict[str, Any]
RUNTIMES: dict[str, Json] = {
    "python": {"Runtime": "python3.13", "Handler": "handler.handler"},
    "typescript": {"Runtime": "nodejs22.x", "Handler": "dist/handler.handler"},
}
_ARN = "_ARN of the table's stream, an output of the table's own stack."
_ACTIONS = ("GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "ConditionCheckItem")


def template_text(design: Design, found: StreamModel, language: str) -> str:
    return yaml_text(_template_of(design, found, language))


def _template_of(design: Design, found: StreamModel, language: str) -> Json:
    (table, *_) = [each for each in design.tables if each.stream is not None] or list(design.tables)
    about = f"{prose(design.title or design.name)}: follows the table's stream"
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Transform": "AWS::Serverless-2016-10-31",
        "Description": about[:1024],
        "Parameters": {"StreamArn": {"Type": "String", "Description": _ARN}},
        "Resources": {
            "FailedChanges": {
                "Type": "AWS::SQS::Queue",
                "Properties": {"MessageRetentionPeriod": 1209600, "SqsManagedSseEnabled": True},
            },
            "StreamHandler": {"Type": "AWS::Serverless::Function", "Properties": _function(table, found, language)},
        },
    }


def _function(table: TableDesign, found: StreamModel, language: str) -> Json:
    name = physical_name(table.name)
    return {
        **RUNTIMES[language],
        "CodeUri": "./",
        "Architectures": ["arm64"],
        "MemorySize": 256,
        "Timeout": 300,
        "Environment": {"Variables": {"TABLE_" + re.sub(r"\W", "_", table.name).upper(): name}},
        "Policies": [{"Version": "2012-10-17", "Statement": [_statement(name)]}],
        "Events": {f"{pascal(table.name)}Changes": {"Type": "DynamoDB", "Properties": _source(found)}},
    }


def _statement(name: str) -> Json:
    arn = f"arn:${{AWS::Partition}}:dynamodb:${{AWS::Region}}:${{AWS::AccountId}}:table/{name}"
    return {
        "Effect": "Allow",
        "Action": [f"dynamodb:{each}" for each in _ACTIONS],
        "Resource": [{"Fn::Sub": arn}, {"Fn::Sub": f"{arn}/index/*"}],
    }


def _source(found: StreamModel) -> Json:
    """Only deletes of what has something to follow; order and retries as the handler expects them."""
    wanted = [label for label, kind in found.kinds.items() if kind["children"] or kind["companions"]]
    pattern = {"eventName": ["REMOVE"], "dynamodb": {"OldImage": {found.type_field: {"S": wanted}}}}
    return {
        "Stream": {"Ref": "StreamArn"},
        "StartingPosition": "TRIM_HORIZON",
        "BatchSize": 100,
        "MaximumBatchingWindowInSeconds": 1,
        "BisectBatchOnFunctionError": True,
        "MaximumRetryAttempts": 20,
        "MaximumRecordAgeInSeconds": 86400,
        "FunctionResponseTypes": ["ReportBatchItemFailures"],
        "FilterCriteria": {"Filters": [{"Pattern": json.dumps(pattern)}]},
        "DestinationConfig": {"OnFailure": {"Type": "SQS", "Destination": {"Fn::GetAtt": ["FailedChanges", "Arn"]}}},
    }
