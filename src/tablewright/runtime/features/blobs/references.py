"""What a request has done to references, from its writes and what was stored before: pure answers for `exchange.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.expr import nodes
from tablewright.expr.apply import apply
from tablewright.expr.evaluate import project
from tablewright.expr.parse import parse_update
from tablewright.expr.render import Placeholders, render_condition
from tablewright.runtime.features.blobs.request_parts import with_bodies
from tablewright.runtime.features.blobs.stored_form import KEY, blob_key
from tablewright.wire.call import Call
from tablewright.wire.values import marshal, marshal_item, unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tablewright.errors import TransactionCancelled
    from tablewright.expr.functions import FunctionName
    from tablewright.runtime.features.blobs.outgoing import Passage, Write

Params: TypeAlias = dict[str, Any]

_decode = msgspec.json.Decoder(dict[str, Any]).decode


def look_at(write: Write) -> Call:
    """The request for the large fields of the item that is about to be written."""
    names = {f"#l{at}": field for at, field in enumerate(write.touches)}
    return Call(
        "GetItem",
        {
            "TableName": write.part.table,
            "Key": write.key,
            "ConsistentRead": True,
            "ProjectionExpression": ", ".join(names),
            "ExpressionAttributeNames": names,
        },
    )


# ---- transactions ----------------------------------------------------------------------------------------------------


def demanding(passage: Passage) -> Call:
    """The transaction, on condition that the references which were looked up still hold."""
    bodies = [write.part.body for write in passage.writes]
    for at, write in passage.touching():
        demands = nodes.all_of(*_demands_of(write, passage.old[at]))
        if demands is not None:
            bodies[at] = _with_demands(bodies[at], demands)
    return with_bodies(passage.sent, bodies, once=False)


def _demands_of(write: Write, old: Params) -> Iterator[nodes.Condition]:
    for field, touch in write.touches.items():
        key = blob_key(old.get(field))
        path = nodes.Name((field, KEY))
        if key is None:
            yield nodes.Function("attribute_not_exists", (path,))
        else:
            yield nodes.Compare("=", path, nodes.Value(key))
        if touch.how == "if absent":
            there: FunctionName = "attribute_exists" if field in old else "attribute_not_exists"
            yield nodes.Function(there, (nodes.Name((field,)),))


def _with_demands(body: Params, demands: nodes.Condition) -> Params:
    names: dict[str, str] = dict(body.get("ExpressionAttributeNames", {}))
    values: Params = dict(body.get("ExpressionAttributeValues", {}))
    placeholders = Placeholders(names, {})
    placeholders.values.update(dict.fromkeys(values))  # so that no name is used twice
    text = render_condition(demands, placeholders)
    values.update({name: marshal(value) for name, value in placeholders.values.items() if name not in values})
    own = body.get("ConditionExpression")
    return {
        **body,
        "ConditionExpression": f"({own}) AND {text}" if own else text,
        "ExpressionAttributeNames": placeholders.names,
        **({"ExpressionAttributeValues": values} if values else {}),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }


def is_outdated(passage: Passage, error: TransactionCancelled) -> bool:
    """Whether a transaction was cancelled by nothing but references that are others by now."""
    reasons = error.details.get("CancellationReasons", ())
    failed = [at for at, reason in enumerate(reasons) if reason.get("Code", "None") != "None"]
    return bool(failed) and all(
        reasons[at]["Code"] == "ConditionalCheckFailed"
        and at in passage.old
        and _has_changed(passage.writes[at], passage.old[at], reasons[at].get("Item") or {})
        for at in failed
    )


def _has_changed(write: Write, old: Params, now: Params) -> bool:
    return any(
        blob_key(old.get(field)) != blob_key(now.get(field))
        or (touch.how == "if absent" and (field in old) != (field in now))
        for field, touch in write.touches.items()
    )


# ---- what is left over -----------------------------------------------------------------------------------------------


def taken_out(passage: Passage, left: Collection[int]) -> list[str]:
    """The blobs that nobody refers to any more, now that the writes were made (but for those `left` over)."""
    keys: list[str] = []
    for at, write in passage.touching():
        old = passage.old.get(at, {})
        if at in left:
            continue
        for field, touch in write.touches.items():
            if touch.how == "if absent" and field in old:  # it stayed as it was
                keys += [write.fresh[field]] if field in write.fresh else []
            elif (key := blob_key(old.get(field))) is not None and key != write.fresh.get(field):
                keys.append(key)
    return keys


def unused(write: Write, now: Params) -> list[str]:
    """The new blobs of a write that failed, which the item does not refer to."""
    return [key for field, key in write.fresh.items() if blob_key(now.get(field)) != key]


def unprocessed(passage: Passage, reply: bytes) -> set[int]:
    """The members of a batch that DynamoDB handed back."""
    if passage.asked.action != "BatchWriteItem":
        return set()
    handed_back: Params = _decode(reply).get("UnprocessedItems") or {}
    held: list[tuple[str, Params]] = [
        (table, body.get("Item") or body["Key"])
        for table, requests in handed_back.items()
        for request in requests
        for body in request.values()
    ]
    return {
        at
        for at, write in enumerate(passage.writes)
        if write.kept is not None
        and any(table == write.part.table and write.kept.key_of(item) == write.key for table, item in held)
    }


# ---- answers ---------------------------------------------------------------------------------------------------------


def wants_reply(passage: Passage) -> bool:
    """Whether the caller asked to be told of the item."""
    wanted: str = passage.asked.params.get("ReturnValues", "NONE")
    return wanted != "NONE"


def answered(passage: Passage, document: Params) -> Params:
    """The reply that the caller asked for, from the one that was asked for in its place."""
    wanted = passage.asked.params.get("ReturnValues", "NONE")
    if wanted == passage.sent.params.get("ReturnValues"):
        return document
    body = passage.sent.params
    old = unmarshal_item(document.get("Attributes", {}))
    values = unmarshal_item(body.get("ExpressionAttributeValues") or {})
    update = parse_update(body["UpdateExpression"], body.get("ExpressionAttributeNames"), values)
    new = apply(update, old or unmarshal_item(body["Key"]), exists=bool(old))
    if wanted == "UPDATED_NEW":
        actions: tuple[nodes.Action, ...] = (*update.set, *update.remove, *update.add, *update.delete)
        new = project([action.path for action in actions], new)
    return {**document, "Attributes": marshal_item(new)}
