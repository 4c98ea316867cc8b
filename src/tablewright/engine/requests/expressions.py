"""What the service checks right behind the shapes: expressions and their forerunners do not mix."""

from __future__ import annotations

from typing import Any

from tablewright.engine.faults import validation

Params = dict[str, Any]

MIXES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "PutItem": (("ConditionExpression",), ("Expected", "ConditionalOperator")),
    "DeleteItem": (("ConditionExpression",), ("Expected", "ConditionalOperator")),
    "UpdateItem": (
        ("UpdateExpression", "ConditionExpression"),
        ("AttributeUpdates", "Expected", "ConditionalOperator"),
    ),
    "GetItem": (("ProjectionExpression",), ("AttributesToGet",)),
    "Query": (
        ("ProjectionExpression", "FilterExpression", "KeyConditionExpression"),
        ("AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"),
    ),
    "Scan": (
        ("ProjectionExpression", "FilterExpression"),
        ("AttributesToGet", "ScanFilter", "ConditionalOperator"),
    ),
    "Get": (("ProjectionExpression",), ()),
    "Put": (("ConditionExpression",), ()),
    "Delete": (("ConditionExpression",), ()),
    "Update": (("UpdateExpression", "ConditionExpression"), ()),
    "ConditionCheck": (("ConditionExpression",), ()),
}
"""By operation or action in a transaction: expressions, and what must not stand next to them."""

PLACEHOLDERS = ("ExpressionAttributeNames", "ExpressionAttributeValues")
UNMIXED = {kind: frozenset((*old, *PLACEHOLDERS, "ConditionalOperator")) for kind, (_, old) in MIXES.items()}
"""A request without any of these has nothing to mix."""


def check_mix(kind: str, params: Params) -> None:
    """Refuse expressions next to their forerunners, and placeholders without expressions."""
    expressions, forerunners = MIXES[kind]
    if UNMIXED[kind].isdisjoint(params):
        return
    used = [name for name in expressions if name in params]
    if used:
        _refuse_forerunners(params, used, forerunners)
    elif "ExpressionAttributeNames" in params:
        raise validation("ExpressionAttributeNames can only be specified when using expressions")
    if "ExpressionAttributeValues" in params:
        readers = [name for name in expressions if name != "ProjectionExpression"]
        if not any(name in params for name in readers):
            verb = "are" if len(readers) > 1 else "is"
            missing = f"{' and '.join(readers)} {verb} null"
            raise validation(f"ExpressionAttributeValues can only be specified when using expressions: {missing}")
    if "ConditionalOperator" in params:
        _check_conditional_operator(params)


def _check_conditional_operator(params: Params) -> None:
    """It joins conditions, so there must be some."""
    joined = next((params[name] for name in ("Expected", "QueryFilter", "ScanFilter") if params.get(name)), ())
    if not joined:
        raise validation("ConditionalOperator cannot be used without Filter or Expected")
    if len(joined) == 1:
        raise validation("ConditionalOperator can only be used when Filter or Expected has two or more elements")


def _refuse_forerunners(params: Params, used: list[str], forerunners: tuple[str, ...]) -> None:
    old = [name for name in forerunners if name in params]
    if "KeyConditions" in old and "KeyConditionExpression" not in params:
        old.remove("KeyConditions")
    if old:
        raise validation(
            "Can not use both expression and non-expression parameters in the same request:"
            f" Non-expression parameters: {{{', '.join(old)}}} Expression parameters: {{{', '.join(used)}}}"
        )
