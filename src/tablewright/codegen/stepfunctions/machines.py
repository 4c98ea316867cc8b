"""One state machine for each write and each read that is one request.

The first state writes the caller's values as they stand in keys, the second sends the request. JSONata is the only
language of a state machine that can escape text and pad numbers; a number that it cannot write in a key exactly is
refused there. What needs to know stored items first, or asks several partitions, has no machine.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tablewright.codegen.functions import about_in_short, camel_names
from tablewright.codegen.stepfunctions.jsonata import expression, input_path, variable_name
from tablewright.codegen.stepfunctions.requests import read_arguments, write_arguments
from tablewright.design.encoding import ESCAPE, SHIFT
from tablewright.design.steps.compile import compile_design
from tablewright.design.steps.model import Slot, Sum
from tablewright.design.steps.values import slots_of
from tablewright.report.markdown import inline, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, Parameter, PatternDesign
    from tablewright.design.steps.compile import Compiled
    from tablewright.design.steps.model import KeyStyle, Read, Value, Write

Json = dict[str, Any]
FOLDER = "stepfunctions"
_OPTIMISED = {"GetItem": "getItem", "PutItem": "putItem", "UpdateItem": "updateItem", "DeleteItem": "deleteItem"}
_ESCAPES = {chr(code): ESCAPE + chr(code + SHIFT) for code in range(ord(ESCAPE) + 1)}
_RETRIED = ["DynamoDB.ProvisionedThroughputExceededException", "DynamoDB.ThrottlingException", "States.Timeout"]


def stepfunctions(design: Design) -> dict[str, str]:
    names = camel_names(design)
    compiled = compile_design(design)
    refused = {each.id: why for each in design.patterns if (why := hindrance(compiled, each)) is not None}
    found = {
        f"{FOLDER}/{names[each.id]}.asl.json": json.dumps(machine(compiled, each), indent=2) + "\n"
        for each in design.patterns
        if each.id not in refused
    }
    return {**found, f"{FOLDER}/README.md": _readme(design, refused)}


def machine(compiled: Compiled, pattern: PatternDesign) -> Json:
    return {
        "Comment": f"{pattern.id}: {about_in_short(pattern)}",
        "QueryLanguage": "JSONata",
        "StartAt": "WriteKeys",
        "States": {
            "WriteKeys": {"Type": "Pass", "Assign": _key_variables(compiled, pattern), "Next": "Send"},
            "Send": {
                "Type": "Task",
                **_task(compiled, pattern),
                "Retry": [
                    {"ErrorEquals": _RETRIED, "IntervalSeconds": 1, "MaxAttempts": 5, "JitterStrategy": "FULL"},
                ],
                "End": True,
            },
        },
    }


def _task(compiled: Compiled, pattern: PatternDesign) -> Json:
    if pattern.kind != "write":
        (step,) = compiled.reads[pattern.id]
        resource = "dynamodb:getItem" if step.operation == "GetItem" else "aws-sdk:dynamodb:query"
        output = "$states.result.Item" if step.operation == "GetItem" else "$states.result.Items"
        arguments = read_arguments(step, {each.name: each.type for each in pattern.parameters})
        return {"Resource": _arn(resource), "Arguments": arguments, "Output": f"{{% {output} %}}"}
    writing, kinds = compiled.writings[pattern.id], compiled.stored.types
    writes = [(step.operation, write_arguments(pattern, writing, step, kinds[step.item])) for step in writing.writes]
    if writing.transaction:
        items = [{operation.removesuffix("Item"): arguments} for operation, arguments in writes]
        return {"Resource": _arn("aws-sdk:dynamodb:transactWriteItems"), "Arguments": {"TransactItems": items}}
    ((operation, arguments),) = writes
    return {"Resource": _arn(f"dynamodb:{_OPTIMISED[operation]}"), "Arguments": arguments}


def _arn(resource: str) -> str:
    return f"arn:aws:states:::{resource}"


# ---- what cannot be said --------------------------------------------------------------------------------------------


def hindrance(compiled: Compiled, pattern: PatternDesign) -> str | None:
    """Why a pattern has no machine, if it has none."""
    reads, writes = compiled.reads[pattern.id], _writes_of(compiled, pattern)
    found = (
        *_read_hindrances(pattern, reads),
        *(why for each in writes for why in _write_hindrances(compiled, each)),
        *_value_hindrances(compiled, pattern),
        *(why for each in writes for why in _index_hindrances(compiled, pattern, each)),
    )
    return next(iter(found), None)


def _writes_of(compiled: Compiled, pattern: PatternDesign) -> tuple[Write, ...]:
    return compiled.writings[pattern.id].writes if pattern.id in compiled.writings else ()


def _read_hindrances(pattern: PatternDesign, reads: tuple[Read, ...]) -> Iterator[str]:
    if pattern.kind == "write" and reads:
        yield "it has to know the stored item first"
    if len(reads) > 1:
        yield "it is more than one request"
    for step in reads:
        if step.shards > 1 or step.for_each or step.bucket:
            yield "it asks several partitions, or one that follows from a checksum or a time"
        if step.unfold is not None or step.demands:
            yield "its answer has to be picked out of what is found"


def _write_hindrances(compiled: Compiled, step: Write) -> Iterator[str]:
    values = [*step.attributes.values(), *(each.value for each in step.changes)]
    removes = any(each.action == "REMOVE" for each in step.changes)
    if step.each or removes or step.unless_same or step.unchanged or any(map(_is_computed, values)):
        yield "what it writes depends on stored items, or on a list"
    kind = compiled.stored.types[step.item]
    if any(keys.shards > 1 or keys.bucket for keys in kind.keys):
        yield f"keys of {step.item} hold a checksum or the beginning of a time"
    names = [name for each in step.changes for name in each.path.names.values()]
    if Slot("*") in values or any(isinstance(each, Slot) for each in names):
        yield "it writes an entry of a map inside another item"


def _index_hindrances(compiled: Compiled, pattern: PatternDesign, step: Write) -> Iterator[str]:
    """Indexes that hold the item only for some of the values that a caller may give."""
    needed = {each.attribute or each.name for each in pattern.parameters if each.required}
    changed = {each.key_field for each in step.changes}
    for keys in compiled.stored.types[step.item].keys:
        is_written = step.all_attributes or not changed.isdisjoint(keys.fields)
        if is_written and any(value is not None or name not in needed for name, value in keys.when.items()):
            yield f"whether {step.item} is in {keys.index} depends on {', '.join(keys.when)}"


def _is_computed(value: Value) -> bool:
    """Whether an amount is more than a number or a value of the caller."""
    if not isinstance(value, Sum):
        return False
    ((sign, term), *others) = value.terms
    return bool(others) or sign < 0 or (isinstance(term, Slot) and term.is_old)


def _value_hindrances(compiled: Compiled, pattern: PatternDesign) -> Iterator[str]:
    """Values that a machine could not write, or not as the design says."""
    used = set(_key_names(compiled, pattern))
    for each in pattern.parameters:
        if each.type in ("map", "list", "any", "binary"):
            yield f"{each.name} is of type {each.type}, which a machine cannot write as DynamoDB's JSON"
        if pattern.kind == "write" and not each.required and (pattern.op == "update" or each.name in used):
            yield f"{each.name} may be absent, and what is written depends on it"


# ---- values in keys -------------------------------------------------------------------------------------------------


def _key_variables(compiled: Compiled, pattern: PatternDesign) -> Json:
    """By variable: a value of the caller as it stands in a key; absent ones are empty."""
    used, style = set(_key_names(compiled, pattern)), compiled.stored.key_style
    inside = [each for each in pattern.parameters if each.name in used]
    return {variable_name(each.name): expression(_key_text(style, each)) for each in inside}


def _key_names(compiled: Compiled, pattern: PatternDesign) -> Iterator[str]:
    """Parameters that stand inside a text."""
    for value in _values_in(compiled, pattern):
        if isinstance(value, tuple):
            yield from slots_of(value)


def _values_in(compiled: Compiled, pattern: PatternDesign) -> Iterator[Value]:
    for read in compiled.reads[pattern.id]:
        yield from read.key.values()
        yield from read.condition.values.values()
    for write in _writes_of(compiled, pattern):
        yield from (value for keys in compiled.stored.types[write.item].keys for value in keys.fields.values())
        yield from write.key.values()
        yield from write.attributes.values()
        yield from (each.value for each in write.changes)


def _key_text(style: KeyStyle, parameter: Parameter) -> str:
    value = input_path(parameter.name)
    if parameter.type == "number":
        return _number_text(style, value)
    if parameter.type == "boolean" or style == "electrodb":
        return f"$exists({value}) ? $string({value}) : ''"
    table = json.dumps(_ESCAPES)
    replaced = f"$replace($string({value}), /[\\u0000-\\u0024]/, function($m) {{ $lookup({table}, $m.match) }})"
    return f"$exists({value}) ? {replaced} : ''"


def _number_text(style: KeyStyle, value: str) -> str:
    if style == "electrodb":
        return f"$exists({value}) ? $pad($string({value}), -16, '0') : ''"
    digits = f"$replace($formatNumber({value}, '00000000000000000000.000000'), '.', '')"
    held = f"$assert({value} >= 0 and {value} < 9007199254, 'a number in a key is from 0 to 9007199254 here')"
    return f"$exists({value}) ? ({held}; '1' & {digits}) : ''"


# ---- the page -------------------------------------------------------------------------------------------------------


def _readme(design: Design, refused: dict[str, str]) -> str:
    lines = [
        f"# State machines of {inline(design.title or design.name)}",
        "",
        "One for each access pattern that is one request or one transaction. The input is an object with the pattern's",
        "parameters; reads give DynamoDB's items.",
    ]
    if refused:
        abouts = {each.id: about_in_short(each) for each in design.patterns}
        lines += ["", "These have none; call the generated code from a Lambda task instead:", ""]
        lines += [f"- {paragraph(f'{id_} ({abouts[id_]}): {why}')}" for id_, why in refused.items()]
    return "\n".join([*lines, ""])
