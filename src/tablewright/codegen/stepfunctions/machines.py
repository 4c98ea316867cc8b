"""One state machine for each write and each read that is one request.

The first state writes the caller's values as they stand in keys, the second sends the request. JSONata is the only
language of a state machine that can escape text and pad numbers; a number that it cannot write in a key exactly is
refused there. What needs to know stored items first, or asks several partitions, has no machine.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tablewright.codegen.functions import about_in_short, camel_names
from tablewright.codegen.stepfunctions.hindrances import hindrance, key_names
from tablewright.codegen.stepfunctions.jsonata import (
    earlier_number,
    earlier_time,
    expression,
    input_path,
    variable_name,
)
from tablewright.codegen.stepfunctions.requests import read_arguments, read_output, write_arguments
from tablewright.design.steps.compile import compile_design
from tablewright.design.steps.model import EARLIEST
from tablewright.report.markdown import inline, paragraph
from tablewright.schema.escaped import ESCAPE, SHIFT

if TYPE_CHECKING:
    from tablewright.design.model import Design, Parameter, PatternDesign
    from tablewright.design.steps.compile import Compiled
    from tablewright.design.steps.model import KeyStyle

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
        return {
            "Resource": _arn(resource),
            "Arguments": read_arguments(pattern, step),
            "Output": read_output(compiled, step),
        }
    writing = compiled.writings[pattern.id]
    writes = [(step.operation, write_arguments(compiled, pattern, step)) for step in writing.writes]
    if writing.transaction:
        arguments: Json = {"TransactItems": [{name.removesuffix("Item"): each} for name, each in writes]}
        if writing.idempotent:
            arguments["ClientRequestToken"] = expression(input_path("request_token"))
        return {"Resource": _arn("aws-sdk:dynamodb:transactWriteItems"), "Arguments": arguments}
    ((operation, arguments),) = writes
    return {"Resource": _arn(f"dynamodb:{_OPTIMISED[operation]}"), "Arguments": arguments}


def _arn(resource: str) -> str:
    return f"arn:aws:states:::{resource}"


# ---- values in keys -------------------------------------------------------------------------------------------------


def _key_variables(compiled: Compiled, pattern: PatternDesign) -> Json:
    """By variable: a value of the caller as it stands in a key; absent ones are empty."""
    used, style = set(key_names(compiled, pattern)), compiled.stored.key_style
    inside = [each for each in pattern.parameters if each.name in used]
    found = {variable_name(each.name): expression(_key_text(style, each, input_path(each.name))) for each in inside}
    return found | _earliest_variable(compiled, pattern, is_text=EARLIEST in used)


def _earliest_variable(compiled: Compiled, pattern: PatternDesign, *, is_text: bool) -> Json:
    """Where what overlaps may have begun: `from` less the longest time, as it stands in a key or as it is."""
    longest = next((each.longest for each in compiled.reads[pattern.id] if each.longest is not None), None)
    if longest is None:
        return {}
    given, style = next(each for each in pattern.parameters if each.name == "from"), compiled.stored.key_style
    value = earlier_number(input_path("from"), longest) if given.type == "number" else earlier_time("from", longest)
    code = f"($earliest := {value}; {_key_text(style, given, '$earliest')})" if is_text else value
    return {variable_name(EARLIEST): expression(code)}


def _key_text(style: KeyStyle, parameter: Parameter, value: str) -> str:
    if parameter.type == "number":
        return _number_text(style, value)
    if parameter.type == "boolean" or style == "electrodb":
        return f"$exists({value}) ? $string({value}) : ''"
    table = json.dumps(_ESCAPES)
    replaced = f"$replace($string({value}), /[\\u0000-\\u0024]/, function($m) {{ $lookup({table}, $m.match) }})"
    return f"$exists({value}) ? {replaced} : ''"


def _number_text(style: KeyStyle, value: str) -> str:
    """Digit by digit: JSONata reckons with 15 of them. What it prints otherwise than it was given is refused."""
    decimals = " and $length($f) <= 6" if style == "plain" else ""
    held = f"$number($t) = $abs($v) and $not($contains($t, 'e')) and $length($w) <= 15{decimals}"
    padded = "$pad($w, -20, '0') & $pad($f, 6, '0')" if style == "plain" else "$pad($w, -16, '0') & $f"
    left = "$i >= $l ? '0' : $string(($i = $l - 1 ? 10 : 9) - $number($x))"
    whole = "($v < 0 ? '0' : '1') & $c"
    pointed = "($v < 0 ? '-' : '') & $substring($c, 0, 16) & ($f = '' ? '' : '.' & $substring($c, 16))"
    steps = (
        f"$v := {value}",
        "$t := $string($abs($v))",
        "$w := $substringBefore($t, '.')",
        "$f := $contains($t, '.') ? $substringAfter($t, '.') : ''",
        f"$assert({held}, 'a number in a key has at most 15 digits here{', 6 behind the point' if decimals else ''}')",
        f"$d := {padded}",
        "$l := $length($replace($d, /0+$/, ''))",
        f"$c := $v < 0 ? $join($map($split($d, ''), function($x, $i) {{ {left} }})) : $d",
        whole if style == "plain" else pointed,
    )
    return f"$exists({value}) ? ({'; '.join(steps)}) : ''"


# ---- the page -------------------------------------------------------------------------------------------------------


def _readme(design: Design, refused: dict[str, str]) -> str:
    lines = [
        f"# State machines of {inline(design.title or design.name)}",
        "",
        "One for each access pattern that is one request or one transaction. The input is an object with the pattern's",
        "parameters; reads give DynamoDB's items, and fail where one request does not find all of them.",
    ]
    if refused:
        abouts = {each.id: about_in_short(each) for each in design.patterns}
        lines += ["", "These have none; call the generated code from a Lambda task instead:", ""]
        lines += [f"- {paragraph(f'{id_} ({abouts[id_]}): {why}')}" for id_, why in refused.items()]
    return "\n".join([*lines, ""])
