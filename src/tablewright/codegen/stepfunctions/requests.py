"""The arguments of a compiled step, JSONata where the caller's values go; `$key_name` is a value as keys hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

from tablewright.codegen.stepfunctions.jsonata import escape, expression, input_path, merge_expression, variable_name
from tablewright.codegen.stepfunctions.jsonata import text as quoted
from tablewright.codegen.stepfunctions.meaning import Meaning, meaning_of
from tablewright.design.steps.model import EARLIEST, EXPIRES, NOW, Slot, Sum
from tablewright.wire.values import marshal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.design.model import PatternDesign
    from tablewright.design.steps.compile import Compiled
    from tablewright.design.steps.model import Clause, Expression, Read, Value, Write

Json = dict[str, Any]
Parts: TypeAlias = tuple[str | Slot, ...]
_CODES = {"number": "N", "boolean": "BOOL", "set": "SS"}
_SECONDS = "$floor($millis() / 1000)"


# ---- values ---------------------------------------------------------------------------------------------------------


def _attribute(value: Value, meaning: Meaning) -> Json:
    """The caller's value, text with such values in it, or a constant; numbers go as text, as DynamoDB takes them."""
    value = meaning.of(value)
    if isinstance(value, Sum):
        return {"N": expression(_amount(value, meaning))}
    if isinstance(value, Slot):
        return _given(value.name, meaning)
    return _key_text(cast("Parts", value)) if isinstance(value, tuple) else escape(marshal(value))


def _given(name: str, meaning: Meaning) -> Json:
    if name in (NOW, EXPIRES):
        later = f" + {meaning.lifetime}" if name == EXPIRES else ""
        return {"N": expression(f"$string({_SECONDS}{later})")}
    path = input_path(name) if name != EARLIEST else f"${variable_name(EARLIEST)}"
    code = _CODES.get(meaning.types.get(name, "string"), "S")
    return {code: expression(f"$string({path})" if code == "N" else path)}


def _amount(amount: Sum, meaning: Meaning) -> str:
    """A number as text; what is absent counts 0."""
    terms = [(sign, _term(value, meaning)) for sign, value in amount.terms]
    if len(terms) == 1 and terms[0][0] > 0:
        return f"$string({terms[0][1]})"
    signed = (f"{'-' if sign < 0 else '+'} {term}" for sign, term in terms)
    return f"$string(0 {' '.join(signed)})"


def _term(value: Value, meaning: Meaning) -> str:
    if not isinstance(value, Slot):
        return str(value) if value >= 0 else f"({value})"
    path = input_path(value.name)
    return path if value.name in meaning.needed else f"($exists({path}) ? {path} : 0)"


def _attributes(values: Mapping[str, Value], meaning: Meaning) -> Json:
    return {name: _attribute(each, meaning) for name, each in values.items()}


def _key_text(parts: Parts) -> Json:
    texts = (f"${variable_name(part.name)}" if isinstance(part, Slot) else quoted(part) for part in parts)
    return {"S": expression(" & ".join(texts))}


def _key_field(value: Value) -> Json:
    """Text, also where it is nothing but one value."""
    return _key_text((value,)) if isinstance(value, Slot) else _key_text(cast("Parts", value))


def _placeholders(expressions: Iterable[Expression | None], meaning: Meaning) -> Json:
    """Names and values of a request; what the caller gives is an expression."""
    used = [each for each in expressions if each is not None]
    names = {mark: name for each in used for mark, name in each.names.items()}
    values = {mark: value for each in used for mark, value in each.values.items()}
    found = {"ExpressionAttributeNames": escape(names), "ExpressionAttributeValues": _attributes(values, meaning)}
    return {name: each for name, each in found.items() if each}


# ---- reads ----------------------------------------------------------------------------------------------------------


def read_arguments(pattern: PatternDesign, step: Read) -> Json:
    types = {each.name: each.type for each in pattern.parameters}
    meaning = Meaning({**types, EARLIEST: types["from"]} if step.longest is not None else types)
    if step.operation == "GetItem":
        key = _attributes(step.key, meaning)
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
    return found | _placeholders([step.condition, step.filter], meaning)


def read_output(step: Read) -> str:
    """What a machine gives; an answer that one request did not find in full is an error."""
    if step.operation == "GetItem":
        return expression(_unexpired(step))
    items = "$states.result.Items"
    if step.filter is None and step.limit is not None:
        return expression(items)
    is_short, found = "", items
    if step.limit is not None:
        is_short = f" and $count({items}) < {step.limit}"
        found = f"[{items}[[0..{step.limit - 1}]]]"
    wrong = "$error('there is more than one request finds')"
    return expression(f"$exists($states.result.LastEvaluatedKey){is_short} ? {wrong} : {found}")


def _unexpired(step: Read) -> str:
    item = "$states.result.Item"
    if not step.unexpired:
        return item
    until = f"$lookup({item}, {quoted(step.unexpired)}).N"
    return f"$exists({until}) and $number({until}) <= {_SECONDS} ? null : {item}"


# ---- writes ---------------------------------------------------------------------------------------------------------


def write_arguments(compiled: Compiled, pattern: PatternDesign, step: Write) -> Json:
    meaning = meaning_of(compiled, pattern, step)
    found: Json = {"TableName": step.table}
    if step.operation == "PutItem":
        found["Item"] = _whole_item(compiled, step, meaning) if step.all_attributes else _item(compiled, step, meaning)
    else:
        found["Key"] = _attributes(step.key, meaning)
    if step.operation == "UpdateItem":
        found["UpdateExpression"] = _update_text(step)
    if step.condition is not None:
        found["ConditionExpression"] = step.condition.text
    values = {each.placeholder: each.value for each in step.changes if each.placeholder}
    placeholders = _placeholders([*(each.path for each in step.changes), step.condition], meaning)
    if values:
        own = placeholders.get("ExpressionAttributeValues", {})
        placeholders["ExpressionAttributeValues"] = _attributes(values, meaning) | own
    return found | placeholders


def _update_text(step: Write) -> str:
    clauses: dict[str, list[str]] = {}
    for each in step.changes:
        clauses.setdefault(each.action, []).append(f"{each.path.text}{_assigned(each)}")
    return " ".join(f"{action} {', '.join(texts)}" for action, texts in clauses.items())


def _assigned(change: Clause) -> str:
    said = {"SET": f" = {change.assigned or change.placeholder}", "ADD": f" {change.placeholder}"}
    return said.get(change.action, "")


def _item(compiled: Compiled, step: Write, meaning: Meaning) -> Json:
    fixed = _fixed(compiled, step)
    return {**_attributes(step.attributes, meaning), **fixed, **_attributes(step.key, meaning)}


def _whole_item(compiled: Compiled, step: Write, meaning: Meaning) -> Any:
    """Attributes that may be absent are left out by the expression that makes the item."""
    kind, style = compiled.stored.types[step.item], compiled.stored.key_style
    taken = {name: meaning.becoming[name] for name in kind.attributes if name in meaning.becoming}
    always = {name: _attribute(value, meaning) for name, value in taken.items() if not meaning.may_lack(value)}
    keys = {
        field: _key_field(value)
        for each in kind.keys
        if meaning.is_in(each)
        for field, value in meaning.key_fields(each, style).items()
    }
    expires = {kind.expires: _attribute(Slot(EXPIRES), meaning)} if kind.expires else {}
    complete = {**always, **expires, **_fixed(compiled, step), **keys}
    optional = [
        f"$exists({input_path(source.name)}) ? {merge_expression({name: _attribute(source, meaning)})} : {{}}"
        for name, source in taken.items()
        if meaning.may_lack(source)
    ]
    if not optional:
        return complete
    return expression(f"$merge([{', '.join([merge_expression(complete), *optional])}])")


def _fixed(compiled: Compiled, step: Write) -> Json:
    return {name: escape(marshal(each)) for name, each in compiled.stored.types[step.item].fixed.items()}
