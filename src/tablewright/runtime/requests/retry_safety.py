"""May a request be sent again when nobody knows whether DynamoDB carried it out?

Yes, if a second time changes nothing and is answered as the first would have been:

- reads; table operations, which name what they make; batches of puts and deletes;
- transactions with a token;
- puts and deletes; updates that assign given values, add to sets or take from them, or remove attributes. Not those
  that count, append, copy from other attributes or address places in lists (`list[9]` beyond the end appends). Nor what
  is to return the old item: the second answer would be another one.

And if the condition of a write cannot hold a second time, because the first time breaks it: creating what must not
exist, removing what must, `version = 5` on an update that moves the version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec

from tablewright.expr.nodes import And, Compare, Condition, Function, IfNotExists, Minus, Name, Plus, Value
from tablewright.expr.parse import parse_condition, parse_update
from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from tablewright.expr.nodes import Action, Add, Set, Update
    from tablewright.wire.call import Call

READS = ("Get", "BatchGet", "TransactGet", "Query", "Scan", "Describe", "List")
TABLE_OPERATIONS = frozenset(
    {
        "CreateTable",
        "DeleteTable",
        "TagResource",
        "UntagResource",
        "UpdateContinuousBackups",
        "UpdateTable",
        "UpdateTimeToLive",
    }
)
LEGACY = ("AttributeUpdates", "Expected", "ConditionalOperator")


def is_read(call: Call) -> bool:
    return call.action.startswith(READS) or all(
        text.lstrip()[:6].upper() == "SELECT" for text in _statements(call) or ("none",)
    )


def _statements(call: Call) -> list[str]:
    """The PartiQL in a call."""
    if call.action == "ExecuteStatement":
        return [call.params["Statement"]]
    if call.action == "BatchExecuteStatement":
        return [each["Statement"] for each in call.params["Statements"]]
    return []


def is_harmless(call: Call) -> bool:
    """Whether the call may be sent again although it may have been carried out."""
    if call.once:
        return False
    if is_read(call) or call.action in TABLE_OPERATIONS or call.action == "BatchWriteItem":
        return True
    if "ClientRequestToken" in call.params:
        return True
    effect_of = EFFECTS.get(call.action)
    if effect_of is None or any(name in call.params for name in LEGACY):
        return False
    try:
        effect = effect_of(call.params)
        answers_alike = not call.params.get("ReturnValues", "NONE").endswith("_OLD")
        return (effect.repeatable and answers_alike) or _breaks_its_condition(call.params, effect)
    except (KeyError, ValueError):  # DynamoDB cannot read it either
        return False


# ---- what a write leaves behind --------------------------------------------------------------------------------------

GONE: Final = Name(("gone",))
MOVED: Final = Name(("moved",))
"""Something else than before, whatever that was."""


class Effect(msgspec.Struct, frozen=True):
    """Top-level attributes as they are afterwards: a value, GONE or MOVED; `others` of those not named, if known."""

    repeatable: bool
    attributes: Mapping[str, Value | Name]
    others: Name | None = None


def _effect_of_put(params: Mapping[str, Any]) -> Effect:
    values = {name: Value(value) for name, value in unmarshal_item(params["Item"]).items()}
    return Effect(repeatable=True, attributes=values, others=GONE)


def _effect_of_delete(_: Mapping[str, Any]) -> Effect:
    return Effect(repeatable=True, attributes={}, others=GONE)


def _effect_of_update(params: Mapping[str, Any]) -> Effect:
    key = {name: Value(value) for name, value in unmarshal_item(params["Key"]).items()}
    text = params.get("UpdateExpression")
    if text is None:  # makes sure that the item exists
        return Effect(repeatable=True, attributes=key)
    update = parse_update(text, params.get("ExpressionAttributeNames"), _values_of(params))
    return Effect(repeatable=_is_repeatable(update), attributes={**key, **_after(update)})


EFFECTS: Mapping[str, Callable[[Mapping[str, Any]], Effect]] = {
    "PutItem": _effect_of_put,
    "DeleteItem": _effect_of_delete,
    "UpdateItem": _effect_of_update,
}


def _values_of(params: Mapping[str, Any]) -> dict[str, Any]:
    return unmarshal_item(params.get("ExpressionAttributeValues") or {})


def _is_repeatable(update: Update) -> bool:
    actions: tuple[Action, ...] = (*update.set, *update.remove, *update.add, *update.delete)
    if any(isinstance(part, int) for action in actions for part in action.path.parts):
        return False
    return all(_assigns_alike(each) for each in update.set) and not any(_counts(each) for each in update.add)


def _assigns_alike(action: Set) -> bool:
    """A given value, or one that the first time leaves in place."""
    given = action.value
    if isinstance(given, IfNotExists):
        return given.path == action.path and isinstance(given.otherwise, Value)
    return isinstance(given, Value)


def _counts(action: Add) -> bool:
    return not isinstance(action.value.value, (set, frozenset))


def _after(update: Update) -> dict[str, Value | Name]:
    """What is certain of the top-level attributes that an update writes."""
    known: dict[str, Value | Name] = {str(each.path.parts[0]): GONE for each in update.remove if _is_plain(each.path)}
    for each in update.set:
        if _is_plain(each.path) and isinstance(each.value, Value):
            known[str(each.path.parts[0])] = each.value
        elif _is_plain(each.path) and isinstance(each.value, (Plus, Minus)) and each.value.left == each.path:
            step = each.value.right
            if isinstance(step, Value) and step.value != 0:
                known[str(each.path.parts[0])] = MOVED
    for add in update.add:
        if _is_plain(add.path) and _counts(add) and add.value.value != 0:
            known[str(add.path.parts[0])] = MOVED
    return known


def _is_plain(path: Name) -> bool:
    return len(path.parts) == 1


# ---- conditions that cannot hold twice -------------------------------------------------------------------------------


def _breaks_its_condition(params: Mapping[str, Any], effect: Effect) -> bool:
    text = params.get("ConditionExpression")
    if text is None:
        return False
    condition = parse_condition(text, params.get("ExpressionAttributeNames"), _values_of(params))
    parts = condition.parts if isinstance(condition, And) else (condition,)
    return any(_is_broken(part, effect) for part in parts)


def _is_broken(part: Condition, effect: Effect) -> bool:
    """Whether one of the joined conditions is certainly false afterwards."""
    match part:
        case Function(name="attribute_not_exists", args=(Name(parts=(str(name),)),)):
            found = effect.attributes.get(name, effect.others)
            return isinstance(found, Value) or found is MOVED
        case Function(name="attribute_exists", args=(Name(parts=(str(name),)),)):
            return effect.attributes.get(name, effect.others) is GONE
        case Compare(operator="=", left=Name(parts=(str(name),)), right=Value() as wanted):
            found = effect.attributes.get(name, effect.others)
            return found is not None and found != wanted
        case _:
            return False
