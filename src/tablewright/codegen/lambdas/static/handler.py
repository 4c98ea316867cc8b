"""Follows the table's stream: deletes the children of what was deleted, and what belonged to what expired.

Every record may come again: a delete of what is gone does nothing, and a total is corrected together with a marker that
is written once. The first record that fails is reported, so that Lambda goes on from there, in order.
"""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any
from zlib import crc32

import boto3
from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from botocore.exceptions import ClientError

from model import KINDS, STYLE, TTL_ATTRIBUTE, TYPE_FIELD

Item = dict[str, Any]
NAME = re.compile(r"\{([^{}]+)\}")
BATCH = 25
TIME_LEFT_MS = 15_000
MARKER_SECONDS = 2 * 86_400  # a stream keeps records for one day
read_value = TypeDeserializer().deserialize
write_value = TypeSerializer().serialize
client: Any = boto3.client("dynamodb", endpoint_url=os.environ.get("DYNAMODB_ENDPOINT"))


class OutOfTimeError(Exception):
    """The rest is done when the record comes again."""


def handler(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
    for record in event["Records"]:
        try:
            follow(record, context)
        except Exception as error:  # noqa: BLE001 - whatever it is, this record has to come again
            print(f"{record['eventID']}: {type(error).__name__}: {error}")
            return {"batchItemFailures": [{"itemIdentifier": record["dynamodb"]["SequenceNumber"]}]}
    return {"batchItemFailures": []}


def follow(record: Mapping[str, Any], context: Any) -> None:
    if record["eventName"] != "REMOVE":
        return
    image = plain(record["dynamodb"].get("OldImage", {}))
    kind = KINDS.get(str(image.get(TYPE_FIELD)))
    if kind is None:
        return
    is_back = exists(kind, image)  # put again in the meantime: what belongs to it is the new one's
    if has_expired(record):
        put_right(kind, image, record["eventID"], is_back)
    if not is_back:
        for child in kind["children"]:
            delete_children(child, image, context)


def has_expired(record: Mapping[str, Any]) -> bool:
    """DynamoDB signs what it deletes itself."""
    identity = record.get("userIdentity") or {}
    return identity.get("type") == "Service" and identity.get("principalId") == "dynamodb.amazonaws.com"


def exists(kind: Mapping[str, Any], image: Item) -> bool:
    reply = client.get_item(TableName=table_name(kind["table"]), Key=key_of(kind, image), ConsistentRead=True)
    return "Item" in reply


def key_of(kind: Mapping[str, Any], image: Item) -> Item:
    return {field: write_value(image[field]) for field in kind["key"]}


# ---- what is written along ------------------------------------------------------------------------------------------


def put_right(kind: Mapping[str, Any], image: Item, event: str, is_back: bool) -> None:
    totals = [each for each in companion_writes(kind, image) if "Update" in each]
    if totals:
        correct_once(kind, totals, event)
    if is_back:
        return
    for each in companion_writes(kind, image):
        if "Delete" in each:
            delete_own(each["Delete"])


def correct_once(kind: Mapping[str, Any], totals: list[Item], event: str) -> None:
    """The marker is in the way when the same record comes again."""
    marker = {field: {"S": f"stream#{event}"} for field in kind["key"]}
    if TTL_ATTRIBUTE:
        marker[TTL_ATTRIBUTE] = {"N": str(int(time.time()) + MARKER_SECONDS)}
    put = {
        "TableName": table_name(kind["table"]),
        "Item": marker,
        "ConditionExpression": "attribute_not_exists(#key)",
        "ExpressionAttributeNames": {"#key": kind["key"][0]},
    }
    transact([{"Put": put}, *totals])


def delete_own(request: Item) -> None:
    try:
        client.delete_item(**request)
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise


def companion_writes(kind: Mapping[str, Any], image: Item) -> Iterator[Item]:
    """Deletes of copies, details and sentinels; a total loses what the item added to it."""
    for each in kind["companions"]:
        key = companion_key(each, image)
        if key is None:
            continue
        request: Item = {"TableName": table_name(each["table"]), "Key": key}
        if each["kind"] == "total":
            yield {"Update": {**request, **total_update(each["totals"], image)}}
        else:
            yield {"Delete": {**request, **owner_condition(each, image)}}


def companion_key(companion: Mapping[str, Any], image: Item) -> Item | None:
    values = with_derived(companion, image)
    templates = companion["fields"].values()
    if any(values.get(name) is None for template in templates for name in NAME.findall(template)):
        return None
    return {field: write_value(filled(template, values)) for field, template in companion["fields"].items()}


def owner_condition(companion: Mapping[str, Any], image: Item) -> Item:
    """A sentinel is only taken away from the item that it names."""
    owner: list[str] = companion["owner"]
    if not owner:
        return {}
    said = " AND ".join(f"#o{at} = :o{at}" for at in range(len(owner)))
    return {
        "ConditionExpression": f"attribute_not_exists(#o0) OR ({said})",
        "ExpressionAttributeNames": {f"#o{at}": name for at, name in enumerate(owner)},
        "ExpressionAttributeValues": {f":o{at}": write_value(image[name]) for at, name in enumerate(owner)},
    }


def total_update(totals: Mapping[str, str], image: Item) -> Item:
    amounts = {name: 1 if said == "count" else image.get(said.partition(" ")[2]) or 0 for name, said in totals.items()}
    changes = ", ".join(f"#t{at} :t{at}" for at in range(len(amounts)))
    return {
        "UpdateExpression": f"ADD {changes}",
        "ExpressionAttributeNames": {f"#t{at}": name for at, name in enumerate(amounts)},
        "ExpressionAttributeValues": {f":t{at}": write_value(-each) for at, each in enumerate(amounts.values())},
    }


# ---- children -------------------------------------------------------------------------------------------------------


def delete_children(child: Mapping[str, Any], parent: Item, context: Any) -> None:
    kind = KINDS[child["label"]]
    waiting: list[Item] = []
    for key in child_keys(child, kind, parent):
        if context is not None and context.get_remaining_time_in_millis() < TIME_LEFT_MS:
            raise OutOfTimeError(f"{kind['name']} items are left")
        if kind["companions"]:
            delete_with_companions(kind, key)
            continue
        waiting.append({"DeleteRequest": {"Key": key}})
        if len(waiting) == BATCH:
            delete_batch(kind, waiting)
            waiting = []
    delete_batch(kind, waiting)


def child_keys(child: Mapping[str, Any], kind: Mapping[str, Any], parent: Item) -> Iterator[Item]:
    """The table keys of all children, page after page."""
    values = {ours: parent.get(theirs) for ours, theirs in child["references"].items()}
    for shard in range(child["shards"]):
        query = child_query(child, kind, {**values, "_shard": str(shard)})
        while True:
            reply = client.query(**query)
            yield from ({field: item[field] for field in kind["key"]} for item in reply["Items"])
            if "LastEvaluatedKey" not in reply:
                break
            query["ExclusiveStartKey"] = reply["LastEvaluatedKey"]


def child_query(child: Mapping[str, Any], kind: Mapping[str, Any], values: Item) -> Item:
    names: dict[str, str] = {}
    filled_in: Item = {}
    conditions: list[str] = []
    for field, template in child["partition"].items():
        conditions.append(f"#p{len(names)} = :p{len(names)}")
        filled_in[f":p{len(names)}"] = write_value(filled(template, values))
        names[f"#p{len(names)}"] = field
    for field, prefix in child["sort"].items():
        conditions.append("begins_with(#sort, :sort)")
        names["#sort"], filled_in[":sort"] = field, {"S": prefix}
    keys = {f"#k{at}": field for at, field in enumerate(kind["key"])}
    return {
        "TableName": table_name(child["table"]),
        **({"IndexName": child["index"]} if child["index"] else {"ConsistentRead": True}),
        "KeyConditionExpression": " AND ".join(conditions),
        "ProjectionExpression": ", ".join(keys),
        "ExpressionAttributeNames": {**names, **keys},
        "ExpressionAttributeValues": filled_in,
    }


def delete_with_companions(kind: Mapping[str, Any], key: Item) -> None:
    """In one transaction; one that found the item gone has been done before."""
    reply = client.get_item(TableName=table_name(kind["table"]), Key=key, ConsistentRead=True)
    if "Item" not in reply:
        return
    delete = {
        "TableName": table_name(kind["table"]),
        "Key": key,
        "ConditionExpression": "attribute_exists(#key)",
        "ExpressionAttributeNames": {"#key": kind["key"][0]},
    }
    transact([{"Delete": delete}, *companion_writes(kind, plain(reply["Item"]))])


def transact(items: list[Item]) -> None:
    """The first item says whether it was done before: then its condition fails, and nothing is done again."""
    try:
        client.transact_write_items(TransactItems=items)
    except ClientError as error:
        reasons = error.response.get("CancellationReasons") or [{}]
        if reasons[0].get("Code") != "ConditionalCheckFailed":
            raise


def delete_batch(kind: Mapping[str, Any], requests: list[Item]) -> None:
    """What was not processed is sent again, after a while."""
    pending, attempt = requests, 0
    while pending:
        name = table_name(kind["table"])
        reply = client.batch_write_item(RequestItems={name: pending})
        pending = reply.get("UnprocessedItems", {}).get(name, [])
        if pending:
            attempt += 1
            time.sleep(random.uniform(0, min(1.0, 0.05 * 2**attempt)))


# ---- keys -----------------------------------------------------------------------------------------------------------


def plain(image: Mapping[str, Any]) -> Item:
    return {name: read_value(value) for name, value in image.items()}


def table_name(name: str) -> str:
    """As it is called where this runs: TABLE_<NAME>, or else as the design calls it."""
    return os.environ.get("TABLE_" + re.sub(r"\W", "_", name).upper(), name)


def with_derived(companion: Mapping[str, Any], values: Item) -> Item:
    """The same values with the bucket and the shard that follow from them."""
    found = dict(values)
    attribute, _, length = companion["bucket"].partition(":")
    if length and values.get(attribute) is not None:
        found["_bucket"] = str(values[attribute])[: int(length)]
    if companion["shards"] > 1 and all(values.get(name) is not None for name in companion["id"]):
        text = "#".join(key_text(values[name]) for name in companion["id"])
        found["_shard"] = str(crc32(text.encode()) % companion["shards"])
    return found


def filled(template: str, values: Item) -> Any:
    """A template of nothing but a name is the value as it is."""
    only = NAME.fullmatch(template)
    if only:
        return values[only.group(1)]
    return NAME.sub(lambda match: written(match.group(1), values), template)


def written(name: str, values: Item) -> str:
    return str(values[name]) if name == "_shard" else key_text(values[name])


def key_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal | int):
        return number_text(Decimal(value)) if STYLE == "plain" else padded_text(Decimal(value))
    return escaped(str(value)) if STYLE == "plain" else str(value)


def escaped(text: str) -> str:
    """Every character up to $ is written as $ and the character 64 code points further on."""
    return "".join(each if each > "$" else "$" + chr(ord(each) + 64) for each in text)


def number_text(value: Decimal) -> str:
    """A sign digit, then 26 digits: the number times a million; below zero 10^26 is added."""
    scaled = int(value.scaleb(6))
    return f"{'1' if scaled >= 0 else '0'}{scaled if scaled >= 0 else 10**26 + scaled:026d}"


def padded_text(value: Decimal) -> str:
    """As JavaScript prints it, with zeros in front."""
    whole = value == value.to_integral_value()
    return (str(int(value)) if whole else repr(float(value)).replace("e-0", "e-")).rjust(16, "0")
