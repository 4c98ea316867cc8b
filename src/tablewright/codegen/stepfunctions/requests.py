"""The arguments of a request with JSONata where the caller's values go; `$key_name` is a value as keys hold it.

Expressions are trees whose values are templates, slots and literals; `_placeholders` makes attributes of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.codegen.stepfunctions.jsonata import expression, given, one_expression, untouched, variable
from tablewright.codegen.stepfunctions.jsonata import text as quoted
from tablewright.design.conditions import join
from tablewright.design.templates import Template
from tablewright.expr.nodes import Add, And, Between, Compare, Function, Name, Set, Slot, Update, Value
from tablewright.expr.render import Placeholders, render_condition, render_update
from tablewright.wire.values import marshal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.design.model import Design, ItemType, PatternDesign, ReadStep, SortCondition, WriteStep
    from tablewright.expr.nodes import Condition

Json = dict[str, Any]
_SECONDS_PER_DAY = 86_400
_CODES = {"number": "N", "boolean": "BOOL", "set": "SS"}


# ---- values ---------------------------------------------------------------------------------------------------------


def _key_text(template: Template) -> Json:
    """Text in a key, with values in it."""
    if not template.names:
        return {"S": untouched(str(template))}
    texts = (f"${variable(part.name)}" if isinstance(part, Slot) else quoted(part) for part in template.parts)
    return {"S": expression(" & ".join(texts))}


def _parameter(name: str, types: Mapping[str, str]) -> Json:
    """A value of the caller as an attribute; numbers go as text, as DynamoDB takes them."""
    path = given(name)
    code = _CODES.get(types.get(name, "string"), "S")
    return {code: expression(f"$string({path})" if code == "N" else path)}


def _attribute(value: Any, types: Mapping[str, str]) -> Json:
    """A template of nothing but a slot is the value as it is."""
    if isinstance(value, Template):
        return _key_text(value) if value.only_name is None else _parameter(value.only_name, types)
    if isinstance(value, Slot):
        return _parameter(value.name, types)
    return untouched(marshal(value))


def _placeholders(used: Placeholders, types: Mapping[str, str]) -> Json:
    """Names and values of a request; what the caller gives is an expression."""
    values = {mark: _attribute(each, types) for mark, each in used.values.items()}
    found = {"ExpressionAttributeNames": untouched(used.names), "ExpressionAttributeValues": values}
    return {name: each for name, each in found.items() if each}


# ---- reads ----------------------------------------------------------------------------------------------------------


def read_arguments(step: ReadStep, types: Mapping[str, str]) -> Json:
    if step.operation == "GetItem":
        templates = {each.field: each.template for each in step.pk} | {each.field: each.low for each in step.sk}
        key = {field: _attribute(template, types) for field, template in templates.items()}
        return {"TableName": step.table, "Key": key, **({"ConsistentRead": True} if step.consistent else {})}
    used = Placeholders()
    found: Json = {"TableName": step.table, "KeyConditionExpression": render_condition(_key_condition(step), used)}
    if step.index is not None:
        found["IndexName"] = step.index
    condition = join(*step.filters)
    if condition is not None:
        found["FilterExpression"] = render_condition(condition.tree, used)
    elif step.limit is not None:
        found["Limit"] = step.limit
    if step.backwards:
        found["ScanIndexForward"] = False
    if step.consistent:
        found["ConsistentRead"] = True
    return found | _placeholders(used, types)


def _key_condition(step: ReadStep) -> And:
    partition = [Compare("=", Name((each.field,)), Value(each.template)) for each in step.pk]
    return And((*partition, *(_sort_condition(each) for each in step.sk)))


def _sort_condition(condition: SortCondition) -> Condition:
    field, low = Name((condition.field,)), Value(condition.low)
    match condition.operator:
        case "begins_with":
            return Function("begins_with", (field, low))
        case "between":
            return Between(field, low, Value(condition.high or Template()))
        case operator:
            return Compare(operator, field, low)


# ---- writes ---------------------------------------------------------------------------------------------------------


def write_arguments(design: Design, pattern: PatternDesign, step: WriteStep) -> Json:
    types = {each.name: each.type for each in pattern.parameters}
    used = Placeholders()
    found: Json = {"TableName": step.table}
    if step.operation == "PutItem":
        found["Item"] = _put_item(pattern, step, design.item(step.item))
    else:
        found["Key"] = _key(step, types)
    if step.operation == "UpdateItem":
        found["UpdateExpression"] = render_update(_update(step), used)
    if step.condition is not None:
        found["ConditionExpression"] = render_condition(step.condition.tree, used)
    return found | _placeholders(used, types)


def _key(step: WriteStep, types: Mapping[str, str]) -> Json:
    return {each.field: _attribute(each.template, types) for each in step.key}


def _update(step: WriteStep) -> Update:
    """Amounts are single terms here: `machines` has refused all others."""
    sets = tuple(Set(Name((path.name,)), Value(template)) for path, template in step.set.items())
    adds = tuple(Add(Name((name,)), Value(amount.terms[0].value)) for name, amount in step.add.items())
    return Update(set=sets, add=adds)


def _put_item(pattern: PatternDesign, step: WriteStep, item: ItemType) -> Any:
    """Attributes that may be absent are left out by the expression that makes the item."""
    types = {each.name: each.type for each in pattern.parameters}
    if not step.all_attributes:
        own = {path.name: _attribute(template, types) for path, template in step.set.items()}
        return {**own, **_fixed(item), **_key(step, types)}
    needed = {each.name for each in pattern.parameters if each.required}
    by_attribute = {
        each.attribute or each.name: each.name for each in pattern.parameters if each.entity in (None, item.entity)
    }
    taken = {each.name: by_attribute[each.name] for each in item.attributes if each.name in by_attribute}
    always = {name: _parameter(source, types) for name, source in taken.items() if source in needed}
    for keys in item.keys:
        if not keys.native:
            always |= {each.field: _key_text(each.template) for each in (*keys.pk, *keys.sk)}
    complete = {**always, **_fixed(item), **_expiry(item)}
    optional = [
        f"$exists({given(source)}) ? {one_expression({name: _parameter(source, types)})} : {{}}"
        for name, source in taken.items()
        if source not in needed
    ]
    if not optional:
        return complete
    return expression(f"$merge([{', '.join([one_expression(complete), *optional])}])")


def _expiry(item: ItemType) -> Json:
    if item.ttl_attribute is None or item.ttl_days is None:
        return {}
    seconds = round(item.ttl_days * _SECONDS_PER_DAY)
    return {item.ttl_attribute: {"N": expression(f"$string($floor($millis() / 1000) + {seconds})")}}


def _fixed(item: ItemType) -> Json:
    return {name: untouched(marshal(each)) for name, each in item.fixed.items()}
