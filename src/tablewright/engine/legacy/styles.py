"""Expressions or the parameters from before them: a request uses one style, never both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tablewright.engine.faults import validation

if TYPE_CHECKING:
    from collections.abc import Mapping


class Styles(NamedTuple):
    """The parameters of an operation in either style, in the order DynamoDB lists them."""

    expressions: tuple[str, ...]
    legacy: tuple[str, ...]

    @property
    def with_values(self) -> tuple[str, ...]:
        return tuple(name for name in self.expressions if name != "ProjectionExpression")


GET = Styles(("ProjectionExpression",), ("AttributesToGet",))
WRITE = Styles(("ConditionExpression",), ("Expected", "ConditionalOperator"))
STYLES: dict[str, Styles] = {
    "GetItem": GET,
    "BatchGetItem": GET,
    "PutItem": WRITE,
    "DeleteItem": WRITE,
    "UpdateItem": Styles(
        ("UpdateExpression", "ConditionExpression"), ("AttributeUpdates", "Expected", "ConditionalOperator")
    ),
    "Query": Styles(
        ("ProjectionExpression", "FilterExpression", "KeyConditionExpression"),
        ("AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"),
    ),
    "Scan": Styles(
        ("ProjectionExpression", "FilterExpression"), ("AttributesToGet", "ScanFilter", "ConditionalOperator")
    ),
}
CONDITIONS = ("Expected", "QueryFilter", "ScanFilter")


def check_one_style(params: Mapping[str, Any], styles: Styles) -> None:
    """Refuse a request that mixes the styles, or has placeholders or a ConditionalOperator for nothing."""
    expressions = given(params, styles.expressions)
    check_mixture(params, expressions, given(params, styles.legacy))
    if params.get("ExpressionAttributeNames") is not None and not expressions:
        raise validation("ExpressionAttributeNames can only be specified when using expressions")
    check_values_have_use(params, styles)
    if params.get("ConditionalOperator") is not None:
        check_conditional_operator(params)


def given(params: Mapping[str, Any], names: tuple[str, ...]) -> list[str]:
    return [name for name in names if params.get(name) is not None]


def check_mixture(params: Mapping[str, Any], expressions: list[str], legacy: list[str]) -> None:
    if params.get("KeyConditionExpression") is None:  # the one that may stand beside expressions
        legacy = [name for name in legacy if name != "KeyConditions"]
    if expressions and legacy:
        both = f"Non-expression parameters: {{{', '.join(legacy)}}} Expression parameters: {{{', '.join(expressions)}}}"
        raise validation(f"Can not use both expression and non-expression parameters in the same request: {both}")


def check_values_have_use(params: Mapping[str, Any], styles: Styles) -> None:
    names = styles.with_values
    if not names or params.get("ExpressionAttributeValues") is None or given(params, names):
        return
    verb = "are" if len(names) > 1 else "is"
    reason = "ExpressionAttributeValues can only be specified when using expressions"
    raise validation(f"{reason}: {' and '.join(names)} {verb} null")


def check_conditional_operator(params: Mapping[str, Any]) -> None:
    counts = [len(params[name]) for name in CONDITIONS if params.get(name)]
    if not counts:
        raise validation("ConditionalOperator cannot be used without Filter or Expected")
    if counts[0] < 2:
        raise validation(
            "ConditionalOperator can only be used when Filter or Expected has two or more elements"
        )
