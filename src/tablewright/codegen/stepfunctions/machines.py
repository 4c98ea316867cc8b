"""One state machine for each write and each read that is one request.

The first state writes the caller's values as they stand in keys, the second sends the request. JSONata is the only
language of a state machine that can escape text and pad numbers; a number that it cannot write in a key exactly is
refused there. What needs to know stored items first, or asks several partitions, has no machine.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tablewright.codegen.functions import about_in_short, camel_names
from tablewright.codegen.stepfunctions.jsonata import expression, given, variable
from tablewright.codegen.stepfunctions.requests import read_arguments, write_arguments
from tablewright.design.encoding import ESCAPE, SHIFT
from tablewright.expr.nodes import Slot
from tablewright.report.markdown import inline, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.amounts import Amount
    from tablewright.design.model import Design, Parameter, PatternDesign
    from tablewright.design.templates import Template

Json = dict[str, Any]
FOLDER = "stepfunctions"
_OPTIMISED = {"GetItem": "getItem", "PutItem": "putItem", "UpdateItem": "updateItem", "DeleteItem": "deleteItem"}
_ESCAPES = {chr(code): ESCAPE + chr(code + SHIFT) for code in range(ord(ESCAPE) + 1)}
_RETRIED = ["DynamoDB.ProvisionedThroughputExceededException", "DynamoDB.ThrottlingException", "States.Timeout"]


def stepfunctions(design: Design) -> dict[str, str]:
    names = camel_names(design)
    found = {
        f"{FOLDER}/{names[each.id]}.asl.json": json.dumps(machine(design, each), indent=2) + "\n"
        for each in design.patterns
        if hindrance(design, each) is None
    }
    return {**found, f"{FOLDER}/README.md": _readme(design)}


def hindrance(design: Design, pattern: PatternDesign) -> str | None:
    return next(iter((*_hindrances(design, pattern), *_value_hindrances(design, pattern))), None)


def _hindrances(design: Design, pattern: PatternDesign) -> Iterator[str]:
    if pattern.kind == "write" and pattern.reads:
        yield "it has to know the stored item first"
    if len(pattern.reads) > 1:
        yield "it is more than one request"
    for step in pattern.reads:
        if step.shards > 1 or step.for_each or step.bucket:
            yield "it asks several partitions, or one that follows from a checksum or a time"
        if step.unfold is not None or (step.filters and step.operation != "Query"):
            yield "its answer has to be picked out of what is found"
    for write in pattern.writes:
        item = design.item(write.item)
        computed = any(map(_is_computed, write.add.values()))
        if write.each or computed or write.remove or write.unless_same or write.unchanged:
            yield "what it writes depends on stored items, or on a list"
        if any(keys.shards > 1 or keys.bucket for keys in item.keys):
            yield f"keys of {item.name} hold a checksum or the beginning of a time"
        if any(len(path.parts) > 1 for path in write.set) or any(each.only_name == "*" for each in write.set.values()):
            yield "it writes an entry of a map inside another item"


def _is_computed(amount: Amount) -> bool:
    """Whether it is more than a number or a value of the caller."""
    (first, *others) = amount.terms
    is_stored = isinstance(first.value, Slot) and first.value.name.startswith("old.")
    return bool(others) or first.sign < 0 or is_stored


def _value_hindrances(design: Design, pattern: PatternDesign) -> Iterator[str]:
    """Values that a machine could not write, or not as the design says."""
    used = set(_key_names(design, pattern))
    for each in pattern.parameters:
        if each.type in ("map", "list", "any", "binary"):
            yield f"{each.name} is of type {each.type}, which a machine cannot write as DynamoDB's JSON"
        if pattern.kind == "write" and not each.required and (pattern.op == "update" or each.name in used):
            yield f"{each.name} may be absent, and what is written depends on it"


def machine(design: Design, pattern: PatternDesign) -> Json:
    return {
        "Comment": f"{pattern.id}: {pattern.description or ', '.join(pattern.entities)}",
        "QueryLanguage": "JSONata",
        "StartAt": "WriteKeys",
        "States": {
            "WriteKeys": {"Type": "Pass", "Assign": _encode_parameters(design, pattern), "Next": "Send"},
            "Send": {
                "Type": "Task",
                **_task(design, pattern),
                "Retry": [
                    {"ErrorEquals": _RETRIED, "IntervalSeconds": 1, "MaxAttempts": 5, "JitterStrategy": "FULL"},
                ],
                "End": True,
            },
        },
    }


def _task(design: Design, pattern: PatternDesign) -> Json:
    if pattern.kind != "write":
        (step,) = pattern.reads
        resource = "dynamodb:getItem" if step.operation == "GetItem" else "aws-sdk:dynamodb:query"
        output = "$states.result.Item" if step.operation == "GetItem" else "$states.result.Items"
        arguments = read_arguments(step, {each.name: each.type for each in pattern.parameters})
        return {"Resource": _arn(resource), "Arguments": arguments, "Output": f"{{% {output} %}}"}
    writes = [(step.operation, write_arguments(design, pattern, step)) for step in pattern.writes]
    if pattern.transaction:
        items = [{operation.removesuffix("Item"): arguments} for operation, arguments in writes]
        return {"Resource": _arn("aws-sdk:dynamodb:transactWriteItems"), "Arguments": {"TransactItems": items}}
    ((operation, arguments),) = writes
    return {"Resource": _arn(f"dynamodb:{_OPTIMISED[operation]}"), "Arguments": arguments}


def _arn(resource: str) -> str:
    return f"arn:aws:states:::{resource}"


# ---- values in keys -------------------------------------------------------------------------------------------------


def _encode_parameters(design: Design, pattern: PatternDesign) -> Json:
    """By variable: a value of the caller as it stands in a key; absent ones are empty."""
    used = set(_key_names(design, pattern))
    return {
        variable(each.name): expression(_key_text(design, each)) for each in pattern.parameters if each.name in used
    }


def _key_names(design: Design, pattern: PatternDesign) -> Iterator[str]:
    """Parameters that stand inside a text; a template of nothing but a slot is the value as it is."""
    for template in _templates_of(design, pattern):
        if template.only_name is None:
            yield from template.names


def _templates_of(design: Design, pattern: PatternDesign) -> Iterator[Template]:
    for read in pattern.reads:
        yield from (each.template for each in read.pk)
        yield from (each for condition in read.sk for each in (condition.low, condition.high) if each is not None)
    for write in pattern.writes:
        yield from (each.template for keys in design.item(write.item).keys for each in (*keys.pk, *keys.sk))
        yield from (each.template for each in write.key)
        yield from write.set.values()


def _key_text(design: Design, parameter: Parameter) -> str:
    value = given(parameter.name)
    if parameter.type == "number":
        return _number_text(design, value)
    if parameter.type == "boolean" or design.key_style == "electrodb":
        return f"$exists({value}) ? $string({value}) : ''"
    table = json.dumps(_ESCAPES)
    replaced = f"$replace($string({value}), /[\\u0000-\\u0024]/, function($m) {{ $lookup({table}, $m.match) }})"
    return f"$exists({value}) ? {replaced} : ''"


def _number_text(design: Design, value: str) -> str:
    if design.key_style == "electrodb":
        return f"$exists({value}) ? $pad($string({value}), -16, '0') : ''"
    digits = f"$replace($formatNumber({value}, '00000000000000000000.000000'), '.', '')"
    held = f"$assert({value} >= 0 and {value} < 9007199254, 'a number in a key is from 0 to 9007199254 here')"
    return f"$exists({value}) ? ({held}; '1' & {digits}) : ''"


def _readme(design: Design) -> str:
    left = [(each, why) for each in design.patterns if (why := hindrance(design, each)) is not None]
    lines = [
        f"# State machines of {inline(design.title or design.name)}",
        "",
        "One for each access pattern that is one request or one transaction. The input is an object with the pattern's",
        "parameters; reads give DynamoDB's items.",
    ]
    if left:
        lines += ["", "These have none; call the generated code from a Lambda task instead:", ""]
        lines += [f"- {paragraph(f'{each.id} ({about_in_short(each)}): {why}')}" for each, why in left]
    return "\n".join([*lines, ""])
