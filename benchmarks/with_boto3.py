"""boto3's Table resource: its condition objects and its own transformation of parameters, without sending.

A call such as `table.query(...)` first emits two events, `provide-client-params` and `before-parameter-build`. boto3's
handlers for them copy the parameters, turn condition objects into expressions and Python values into attribute values.
We emit the same two events on the resource's own client and stop before botocore validates, serializes and signs.
So boto3 is charged for building parameters alone. Keys are composed by hand, as boto3 has no notion of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import boto3
from boto3.dynamodb.conditions import Attr, Key

from benchmarks.in_process import InProcess

if TYPE_CHECKING:
    from benchmarks.scenario import Case

# A resource wants a region and credentials before it can be made; nothing is sent.
TABLE = boto3.resource(
    "dynamodb",
    region_name="us-east-1",
    aws_access_key_id="none",
    aws_secret_access_key="none",
).Table("app")
CLIENT = TABLE.meta.client
MODELS = {name: CLIENT.meta.service_model.operation_model(name) for name in ("Query", "UpdateItem")}


def transformed(operation: str, params: dict[str, Any]) -> dict[str, Any]:
    context: dict[str, Any] = {}
    model = MODELS[operation]
    params["TableName"] = "app"
    emit = CLIENT.meta.events
    replies = emit.emit(f"provide-client-params.dynamodb.{operation}", params=params, model=model, context=context)
    for _, reply in replies:
        params = reply if reply is not None else params
    emit.emit(f"before-parameter-build.dynamodb.{operation}", params=params, model=model, context=context)
    return params


def query(case: Case) -> dict[str, Any]:
    partition = Key("gsi1pk").eq(f"$taskapp#employee_{case.employee}")
    params = {
        "IndexName": "gsi1",
        "KeyConditionExpression": partition & Key("gsi1sk").begins_with("$task_1#status_open#createdat_"),
        "FilterExpression": Attr("points").gte(case.points),
    }
    return transformed("Query", params)


def update(case: Case) -> dict[str, Any]:
    params = {
        "Key": {"pk": f"$taskapp#project_{case.project}", "sk": f"$task_1#taskid_{case.task_id}"},
        "UpdateExpression": (
            "SET #status = :status, #title = :title, #points = :points, #gsi1sk = :gsi1sk ADD #views :views"
        ),
        "ConditionExpression": Attr("employee").eq(case.employee),
        "ExpressionAttributeNames": {
            "#status": "status",
            "#title": "title",
            "#points": "points",
            "#gsi1sk": "gsi1sk",
            "#views": "views",
        },
        "ExpressionAttributeValues": {
            ":status": "completed",
            ":title": case.title,
            ":points": case.points,
            ":gsi1sk": f"$task_1#status_completed#createdat_{case.created_at.lower()}",
            ":views": 1,
        },
    }
    return transformed("UpdateItem", params)


CONTENDER = InProcess("boto3", {"query": query, "update": update})
