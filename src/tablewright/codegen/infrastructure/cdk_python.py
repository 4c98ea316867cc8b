"""The CDK stack in Python, as a small project that `cdk synth` understands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from tablewright.codegen.infrastructure.cdk import (
    Constant,
    Construct,
    FactoryCall,
    JoinedText,
    NewObject,
    Node,
    Property,
    Struct,
    constructs_of,
)
from tablewright.codegen.names import pascal, snake
from tablewright.codegen.python.literals import Code, docstring, interpolate, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.codegen.infrastructure.resources import Infrastructure

FOLDER = "cdk-python"
INDENT = "    "
WIDTH = 88
MODULES = {
    "cloudwatch": "aws_cloudwatch",
    "dynamodb": "aws_dynamodb",
    "iam": "aws_iam",
    "kinesis": "aws_kinesis",
}
PARAMETERS = (
    "self",
    "scope: Construct",
    "id: str",
    "*",
    "alarm_topic_arn: str | None = None",
    "**options: Any",
)
ALARMS = ("from aws_cdk import aws_cloudwatch_actions as actions", "from aws_cdk import aws_sns as sns")


def cdk_python(given: Infrastructure) -> dict[str, str]:
    module = f"{snake(given.name)}_stack"
    stack = f"{pascal(given.name)}Stack"
    return {
        f"{FOLDER}/{module}.py": _stack_file(given, stack),
        f"{FOLDER}/app.py": _app_file(given, stack, module),
        **_replica_files(given, stack, module),
        f"{FOLDER}/cdk.json": json.dumps({"app": "python app.py"}, indent=2) + "\n",
        f"{FOLDER}/requirements.txt": "aws-cdk-lib>=2.275.0,<3\nconstructs>=10,<11\n",
    }


def _app_file(given: Infrastructure, stack: str, module: str) -> str:
    imported = [f"from {module} import {stack}"]
    made = [_made(stack, stack, given.regions[:1])]
    if given.regions and given.alarms:
        alarms = _alarms_stack(stack)
        imported.insert(0, f"from {module.removesuffix('_stack')}_alarms_stack import {alarms}")
        made += [_made(alarms, f"{alarms}{pascal(each)}", (each,)) for each in given.regions[1:]]
    head = ['"""Run by `cdk synth`."""', "", "import aws_cdk as cdk", *imported, ""]
    return "\n".join([*head, "app = cdk.App()", *made, "app.synth()", ""])


def _made(stack: str, id_: str, region: tuple[str, ...]) -> str:
    """Replicas are possible only in a stack that knows its own region."""
    if not region:
        return f'{stack}(app, "{id_}")'
    arguments = ("app", text(id_), f"env=cdk.Environment(region={text(region[0])})")
    return "\n".join([f"{stack}(", *(f"{INDENT}{each}," for each in arguments), ")"])


def _replica_files(given: Infrastructure, stack: str, module: str) -> dict[str, str]:
    """The stack with alarms that every further region gets: an alarm watches its own region."""
    if not (given.regions and given.alarms):
        return {}
    file = f"{FOLDER}/{module.removesuffix('_stack')}_alarms_stack.py"
    return {file: _stack_file(given.alarms_alone, _alarms_stack(stack))}


def _alarms_stack(stack: str) -> str:
    return f"{stack.removesuffix('Stack')}AlarmsStack"


def _stack_file(given: Infrastructure, stack: str) -> str:
    constructs = list(constructs_of(given))
    alarmed = any(each.is_alarm for each in constructs)
    lines = [
        docstring([_sentence(given.title)]),
        "",
        "from __future__ import annotations",
        "",
        "from typing import Any",
        "",
        "import aws_cdk as cdk",
        *_imports(constructs),
        *(ALARMS if alarmed else ()),
        "from constructs import Construct",
        "",
        "",
        f"class {stack}(cdk.Stack):",
        f'{INDENT}"""The tables, alarms and policies; alarms go to the SNS topic where one is given."""',
        "",
        f"{INDENT}def __init__(",
        *(f"{INDENT * 2}{each}," for each in PARAMETERS),
        f"{INDENT}) -> None:",
        f"{INDENT * 2}super().__init__(scope, id, **options)",
    ]
    for each in constructs:
        lines += ["", *(f"{INDENT * 2}{line}" if line else "" for line in _construct(each))]
    if alarmed:
        lines += ["", *_alarm_actions(constructs)]
    return "\n".join([*lines, ""])


def _sentence(words: str) -> str:
    return words if words.endswith((".", "!", "?")) else f"{words}."


def _imports(constructs: Iterable[Construct]) -> list[str]:
    used = {each.type.split(".")[0] for each in constructs}
    return [f"from aws_cdk import {path} as {name}" for name, path in MODULES.items() if name in used]


def _construct(each: Construct) -> list[str]:
    name = "" if each.type == "iam.ManagedPolicy" else f"{snake(each.variable)} = "
    arguments = ["self", text(each.id), *_arguments_of(each.fields, 0)]
    return f"{name}{_print_call(each.type, arguments, 0)}".split("\n")


def _alarm_actions(constructs: Iterable[Construct]) -> list[str]:
    names = [f"{INDENT * 4}{snake(each.variable)}," for each in constructs if each.is_alarm]
    return [
        f"{INDENT * 2}if alarm_topic_arn is not None:",
        f'{INDENT * 3}topic = sns.Topic.from_topic_arn(self, "AlarmTopic", alarm_topic_arn)',
        f"{INDENT * 3}for alarm in (",
        *names,
        f"{INDENT * 3}):",
        f"{INDENT * 4}alarm.add_alarm_action(actions.SnsAction(topic))",
        f"{INDENT * 4}alarm.add_ok_action(actions.SnsAction(topic))",
    ]


# ---- values ---------------------------------------------------------------------------------------------------------


def _arguments_of(fields: Mapping[str, Node], depth: int) -> list[str]:
    return [f"{snake(name)}={print_node(each, depth + 1, len(snake(name)) + 1)}" for name, each in fields.items()]


def print_node(value: Node, depth: int, ahead: int = 0) -> str:
    """`ahead` are the characters that stand before it on its line."""
    match value:
        case Struct(type_, fields) | NewObject(type_, fields):
            return _print_call(type_, _arguments_of(fields, depth), depth, ahead)
        case Constant(path):
            return path
        case FactoryCall(path, fields, values):
            owner, _, method = path.rpartition(".")
            arguments = [*(print_node(each, depth + 1) for each in values), *_arguments_of(fields, depth)]
            return _print_call(f"{owner}.{snake(method)}", arguments, depth, ahead)
        case Property(variable, name):
            return f"{snake(variable)}.{snake(name)}" if name else snake(variable)
        case JoinedText(parts):
            return interpolate(part if isinstance(part, str) else Code(print_node(part, 0)) for part in parts)
        case bool():
            return str(value)
        case list():
            return _block("[", _print_each(cast("Any", value), depth), "]", depth, ahead)
        case dict():
            pairs = [
                f"{text(name)}: {print_node(each, depth + 1, len(name) + 4)}"
                for name, each in cast("dict[str, Node]", value).items()
            ]
            return _block("{", pairs, "}", depth, ahead)
        case str():
            return text(value)
        case _:
            return json.dumps(value)


def _print_each(value: list[Node], depth: int) -> list[str]:
    return [print_node(each, depth + 1) for each in value]


def _print_call(name: str, arguments: list[str], depth: int, ahead: int = 0) -> str:
    return name + _block("(", arguments, ")", depth, ahead + len(name))


def _block(opening: str, parts: list[str], closing: str, depth: int, ahead: int = 0) -> str:
    """On one line where it fits, else one part a line."""
    line = f"{opening}{', '.join(parts)}{closing}"
    if not parts or (len(INDENT) * (depth + 2) + ahead + len(line) < WIDTH and "\n" not in line and depth):
        return line
    inner = INDENT * (depth + 1)
    return opening + "".join(f"\n{inner}{part}," for part in parts) + f"\n{INDENT * depth}{closing}"
