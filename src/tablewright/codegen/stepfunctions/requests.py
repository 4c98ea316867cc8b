"""The arguments of a compiled step, JSONata where the caller's values go; `$key_name` is a value as keys hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

from tablewright.codegen.stepfunctions.jsonata import escape, expression, input_path, merge_expression, variable_name
from tablewright.codegen.stepfunctions.jsonata import text as quoted
from tablewright.design.steps.model import Slot, Sum
from tablewright.wire.values import marshal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.design.model import PatternDesign
    from tablewright.design.steps.model import Expression, ItemType, Read, Value, Write, Writing

Json = dict[str, Any]
Parts: TypeAlias = tuple[str | Slot, ...]
_CODES = {"number": "N", "boolean": "BOOL", "set": "SS"}


# ---- values ---------------------------------------------------------------------------------------------------------


def _attribute(value: Value, types: Mapping[str, str]) -> Json:
    """The caller's value, text with such values in it, or a constant; numbers go as text, as DynamoDB takes them."""
    if isinstance(value, Slot):
        path = input_path(value.name)
        code = _CODES.get(types.get(value.name, "string"), "S")
        return {code: expression(f"$string({path})" if code == "N" else path)}
    return _key_text(cast("Parts", value)) if isinstance(value, tuple) else escape(marshal(value))


def _attributes(values: Mapping[str, Value], types: Mapping[str, str]) -> Json:
    return {name: _attribute(each, types) for name, each in values.items()}


def _key_text(parts: Parts) -> Json:
    texts = (f"${variable_name(part.name)}" if isinstance(part, Slot) else quoted(part) for part in parts)
    return {"S": expression(" & ".join(texts))}


def _key_field(value: Value) -> Json:
    """Text, also where it is nothing but one value."""
    return _key_text((value,)) if isinstance(value, Slot) else _attribute(value, {})


def _placeholders(expressions: Iterable[Expression | None], types: Mapping[str, str]) -> Json:
    """Names and values of a request; what the caller gives is an expression."""
    used = [each for each in expressions if each is not None]
    names = {mark: name for each in used for mark, name in each.names.items()}
    values = {mark: value for each in used for mark, value in each.values.items()}
    found = {"ExpressionAttributeNames": escape(names), "ExpressionAttributeValues": _attributes(values, types)}
    return {name: each for name, each in found.items() if each}


# ---- reads ----------------------------------------------------------------------------------------------------------


def read_arguments(step: Read, types: Mapping[str, str]) -> Json:
    if step.operation == "GetItem":
        key = _attributes(step.key, types)
        return {"TableName": step.table, "Key": key, **({"ConsistentRead": True} if step.consistent else {})}
    found: Json = {"TableName": step.table, "KeyConditionExpression": step.condition.text}
    if step.index is not None:
        found["IndexName"] = step.index
    if step.filter is not None:
        found["FilterExpression"] = step.filter.text
    elif step.limit is not None:
        found["Limit"] = step.limit
    if step.backwards:
        found["ScanIndexForward"] = False
    if step.consistent:
        found["ConsistentRead"] = True
    return found | _placeholders([step.condition, step.filter], types)


# ---- writes ---------------------------------------------------------------------------------------------------------


def write_arguments(pattern: PatternDesign, writing: Writing, step: Write, kind: ItemType) -> Json:
    types = {each.name: each.type for each in pattern.parameters}
    found: Json = {"TableName": step.table}
    if step.operation == "PutItem":
        needed = {each.name for each in pattern.parameters if each.required}
        found["Item"] = _whole_item(writing, kind, types, needed) if step.all_attributes else _item(step, kind, types)
    else:
        found["Key"] = _attributes(step.key, types)
    if step.operation == "UpdateItem":
        found["UpdateExpression"] = _update_text(step)
    if step.condition is not None:
        found["ConditionExpression"] = step.condition.text
    values = {each.placeholder: _new_value(each.value) for each in step.changes}
    placeholders = _placeholders([*(each.path for each in step.changes), step.condition], types)
    if values:
        own = placeholders.get("ExpressionAttributeValues", {})
        placeholders["ExpressionAttributeValues"] = _attributes(values, types) | own
    return found | placeholders


def _update_text(step: Write) -> str:
    clauses: dict[str, list[str]] = {}
    for each in step.changes:
        joint = " = " if each.action == "SET" else " "
        clauses.setdefault(each.action, []).append(f"{each.path.text}{joint}{each.placeholder}")
    return " ".join(f"{action} {', '.join(texts)}" for action, texts in clauses.items())


def _new_value(value: Value) -> Value:
    """Sums are single terms here: `machines` has refused all others."""
    return value.terms[0][1] if isinstance(value, Sum) else value


def _item(step: Write, kind: ItemType, types: Mapping[str, str]) -> Json:
    return {**_attributes(step.attributes, types), **_fixed(kind), **_attributes(step.key, types)}


def _whole_item(writing: Writing, kind: ItemType, types: Mapping[str, str], needed: set[str]) -> Any:
    """Attributes that may be absent are left out by the expression that makes the item."""
    inputs = {each.attribute or each.name: each.name for each in writing.given if each.entity in (None, kind.entity)}
    taken = {name: inputs[name] for name in kind.attributes if name in inputs}
    always = {name: _attribute(Slot(source), types) for name, source in taken.items() if source in needed}
    keys = {field: _key_field(value) for each in kind.keys for field, value in each.fields.items()}
    complete = {**always, **keys, **_fixed(kind), **_expiry(kind)}
    optional = [
        f"$exists({input_path(source)}) ? {merge_expression({name: _attribute(Slot(source), types)})} : {{}}"
        for name, source in taken.items()
        if source not in needed
    ]
    if not optional:
        return complete
    return expression(f"$merge([{', '.join([merge_expression(complete), *optional])}])")


def _expiry(kind: ItemType) -> Json:
    if not kind.lifetime_seconds:
        return {}
    return {kind.expires: {"N": expression(f"$string($floor($millis() / 1000) + {kind.lifetime_seconds})")}}


def _fixed(kind: ItemType) -> Json:
    return {name: escape(marshal(each)) for name, each in kind.fixed.items()}
