"""The arguments of a request with JSONata where the caller's values go; `$key_name` is a value as keys hold it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from tablewright.codegen.examples.marks import Marks, filter_texts
from tablewright.codegen.examples.values import item_type
from tablewright.codegen.functions import Placeholder, parts_of
from tablewright.codegen.stepfunctions.jsonata import expression, given, one_expression, untouched, variable
from tablewright.codegen.stepfunctions.jsonata import text as quoted
from tablewright.design.conditions import read_expression
from tablewright.wire.values import marshal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.design.model import Design, ItemType, PatternDesign, ReadStep, SortCondition, WriteStep

Json = dict[str, Any]
SECONDS_PER_DAY = 86_400
CODES = {"number": "N", "boolean": "BOOL", "set": "SS"}


class Given(str):
    """The expression of a typed value, told from text that stands for itself."""

    __slots__ = ()


def text(template: str) -> Json:
    """Text in a key, with values in it."""
    parts = list(parts_of(template))
    if not any(isinstance(each, Placeholder) for each in parts):
        return {"S": untouched(template)}
    said = (f"${variable(each.name)}" if isinstance(each, Placeholder) else quoted(each) for each in parts)
    return {"S": expression(" & ".join(said))}


def value(name: str, kind: str) -> Json:
    """A value of the caller as an attribute; numbers go as text, as DynamoDB takes them."""
    path = given(name)
    code = CODES.get(kind, "S")
    return {code: expression(f"$string({path})" if code == "N" else path)}


def filled(template: str, types: Mapping[str, str]) -> Json:
    """A template of nothing but a name is the value as it is."""
    parts = list(parts_of(template))
    if len(parts) == 1 and isinstance(parts[0], Placeholder):
        return value(parts[0].name, types.get(parts[0].name, "string"))
    return text(template)


def expressed(marks: Marks, types: Mapping[str, str]) -> Json:
    """Names and values of a request; what the caller gives is an expression."""
    found: Json = {}
    if marks.names:
        found["ExpressionAttributeNames"] = untouched(marks.names)
    if marks.values:
        values = marks.values.items()
        found["ExpressionAttributeValues"] = {mark: typed(each, types) for mark, each in values}
    return found


def typed(each: Any, types: Mapping[str, str]) -> Json:
    if isinstance(each, Given):
        return value(str(each), types.get(str(each), "string"))
    return cast("Json", each) if isinstance(each, dict) else untouched(marshal(each))


# ---- reads ----------------------------------------------------------------------------------------------------------


def read_arguments(step: ReadStep, types: Mapping[str, str]) -> Json:
    key = {each.field: filled(each.template, types) for each in step.pk}
    if step.operation == "GetItem":
        whole = key | {each.field: filled(each.low, types) for each in step.sk}
        return {"TableName": step.table, "Key": whole, **({"ConsistentRead": True} if step.consistent else {})}
    marks = Marks()
    pieces = [f"{marks.name(name)} = {marks.value(each)}" for name, each in key.items()]
    pieces += [sort_text(each, marks, types) for each in step.sk]
    found: Json = {"TableName": step.table, "KeyConditionExpression": " AND ".join(pieces)}
    if step.index is not None:
        found["IndexName"] = step.index
    if step.filters:
        asked = {name: Given(name) for name in types}
        found["FilterExpression"] = " AND ".join(filter_texts(step.filters, asked, marks))
    elif step.limit is not None:
        found["Limit"] = step.limit
    if step.backwards:
        found["ScanIndexForward"] = False
    if step.consistent:
        found["ConsistentRead"] = True
    return found | expressed(marks, types)


def sort_text(condition: SortCondition, marks: Marks, types: Mapping[str, str]) -> str:
    name, low = marks.name(condition.field), marks.value(filled(condition.low, types))
    if condition.operator == "begins_with":
        return f"begins_with({name}, {low})"
    if condition.operator == "between":
        return f"{name} BETWEEN {low} AND {marks.value(filled(condition.high or '', types))}"
    return f"{name} {condition.operator} {low}"


# ---- writes ---------------------------------------------------------------------------------------------------------


def write_arguments(design: Design, pattern: PatternDesign, step: WriteStep) -> Json:
    item = item_type(design, step.item)
    types = {each.name: each.type for each in pattern.parameters}
    marks = Marks()
    found: Json = {"TableName": step.table}
    if step.operation == "PutItem":
        found["Item"] = put_item(pattern, step, item)
    else:
        found["Key"] = {each.field: filled(each.template, types) for each in step.key}
    if step.operation == "UpdateItem":
        sets = [f"{marks.name(name)} = {marks.value(filled(template, types))}" for name, template in step.set.items()]
        adds = [f"{marks.name(name)} {marks.value(added(said, types))}" for name, said in step.add.items()]
        pieces = [("SET", sets), ("ADD", adds)]
        found["UpdateExpression"] = " ".join(f"{word} {', '.join(each)}" for word, each in pieces if each)
    if step.condition:
        found["ConditionExpression"] = condition_text(step.condition, marks)
    return found | expressed(marks, types)


def added(said: str, types: Mapping[str, str]) -> Json:
    return filled(said, types) if said.startswith("{") else {"N": said}


def condition_text(said: str, marks: Marks) -> str:
    found = read_expression(said)
    shown = {mark: marks.value(Given(name)) for mark, name in found.parameters.items()}
    shown |= {mark: marks.value(each) for mark, each in found.literals.items()}
    shown |= {mark: marks.name(name) for mark, name in found.names.items()}
    return re.sub(r"[#:]\w+", lambda match: shown[match.group()], found.text)


def put_item(pattern: PatternDesign, step: WriteStep, item: ItemType) -> Any:
    """Attributes that may be absent are left out by the expression that makes the item."""
    types = {each.name: each.type for each in pattern.parameters}
    needed = {each.name for each in pattern.parameters if each.required}
    by_attribute = {
        each.attribute or each.name: each.name for each in pattern.parameters if each.entity in (None, item.entity)
    }
    if not step.all_attributes:
        own = {name: filled(template, types) for name, template in step.set.items()}
        return {**own, **fixed(item), **{each.field: filled(each.template, types) for each in step.key}}
    taken = {name: by_attribute[name] for name in names_of(item) if name in by_attribute}
    always = {name: value(said, types[said]) for name, said in taken.items() if said in needed}
    for keys in item.keys:
        if not keys.native:
            always |= {each.field: text(each.template) for each in (*keys.pk, *keys.sk)}
    unsure = {name: said for name, said in taken.items() if said not in needed}
    whole = {**always, **fixed(item), **expiry(item)}
    if not unsure:
        return whole
    more = [
        f"$exists({given(said)}) ? {one_expression({name: value(said, types[said])})} : {{}}"
        for name, said in unsure.items()
    ]
    return expression(f"$merge([{', '.join([one_expression(whole), *more])}])")


def expiry(item: ItemType) -> Json:
    if item.ttl_attribute is None or item.ttl_days is None:
        return {}
    seconds = round(item.ttl_days * SECONDS_PER_DAY)
    return {item.ttl_attribute: {"N": expression(f"$string($floor($millis() / 1000) + {seconds})")}}


def names_of(item: ItemType) -> list[str]:
    return [each.name for each in item.attributes]


def fixed(item: ItemType) -> Json:
    return {name: untouched(marshal(each)) for name, each in item.fixed.items()}
