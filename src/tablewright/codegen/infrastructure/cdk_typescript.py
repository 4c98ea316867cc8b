"""The CDK stack in TypeScript, as a small project that `cdk synth` understands."""

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
from tablewright.codegen.names import pascal, words_of
from tablewright.codegen.typescript.literals import Code, comment, interpolate, key, literal, text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.codegen.infrastructure.resources import Infrastructure

FOLDER = "cdk-typescript"
INDENT = "  "
WIDTH = 100
MODULES = {
    "cloudwatch": "aws-cdk-lib/aws-cloudwatch",
    "dynamodb": "aws-cdk-lib/aws-dynamodb",
    "iam": "aws-cdk-lib/aws-iam",
    "kinesis": "aws-cdk-lib/aws-kinesis",
}
ALARMS = (
    'import * as actions from "aws-cdk-lib/aws-cloudwatch-actions";',
    'import * as sns from "aws-cdk-lib/aws-sns";',
)
CDK_VERSION = "^2.275.0"


def cdk_typescript(given: Infrastructure) -> dict[str, str]:
    file = "-".join(word.lower() for word in words_of(given.name)) + "-stack"
    stack = f"{pascal(given.name)}Stack"
    return {
        f"{FOLDER}/lib/{file}.ts": _stack_file(given, stack),
        f"{FOLDER}/bin/app.ts": _app_file(given, stack, file),
        **_replica_files(given, stack, file),
        f"{FOLDER}/cdk.json": _text_of({"app": "npx tsx bin/app.ts"}),
        f"{FOLDER}/package.json": _text_of(_package(given.name)),
        f"{FOLDER}/tsconfig.json": _text_of(CONFIG),
    }


CONFIG = {
    "compilerOptions": {
        "target": "ES2022",
        "module": "NodeNext",
        "moduleResolution": "NodeNext",
        "strict": True,
        "noEmit": True,
        "skipLibCheck": True,
        "types": ["node"],
    },
    "include": ["bin", "lib"],
}


def _package(name: str) -> dict[str, object]:
    return {
        "name": f"{name.lower()}-infrastructure",
        "private": True,
        "scripts": {"build": "tsc", "synth": "cdk synth", "deploy": "cdk deploy"},
        "dependencies": {"aws-cdk-lib": CDK_VERSION, "constructs": "^10.0.0"},
        "devDependencies": {
            "@types/node": "^22.0.0",
            "aws-cdk": "^2.1000.0",
            "tsx": "^4.0.0",
            "typescript": "^5.9.0",
        },
    }


def _text_of(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def _app_file(given: Infrastructure, stack: str, file: str) -> str:
    imported = [f'import {{ {stack} }} from "../lib/{file}";']
    made = [f'new {stack}(app, "{stack}"{_environment(given.regions[:1])});']
    if given.regions and given.alarms:
        alarms = _alarms_stack(stack)
        imported.append(f'import {{ {alarms} }} from "../lib/{_alarms_file(file)}";')
        made += [f'new {alarms}(app, "{alarms}{pascal(each)}"{_environment((each,))});' for each in given.regions[1:]]
    head = ['import * as cdk from "aws-cdk-lib";', *imported, ""]
    return "\n".join([*head, "const app = new cdk.App();", *made, ""])


def _environment(region: tuple[str, ...]) -> str:
    """Replicas are possible only in a stack that knows its own region."""
    return "".join(f", {{ env: {{ region: {text(each)} }} }}" for each in region)


def _replica_files(given: Infrastructure, stack: str, file: str) -> dict[str, str]:
    """The stack with alarms that every further region gets: an alarm watches its own region."""
    if not (given.regions and given.alarms):
        return {}
    return {f"{FOLDER}/lib/{_alarms_file(file)}.ts": _stack_file(given.alarms_alone, _alarms_stack(stack))}


def _alarms_stack(stack: str) -> str:
    return f"{stack.removesuffix('Stack')}AlarmsStack"


def _alarms_file(file: str) -> str:
    return f"{file.removesuffix('-stack')}-alarms-stack"


def _stack_file(given: Infrastructure, stack: str) -> str:
    constructs = list(constructs_of(given))
    alarmed = any(each.is_alarm for each in constructs)
    lines = [
        'import * as cdk from "aws-cdk-lib";',
        *_imports(constructs),
        *(ALARMS if alarmed else ()),
        'import { Construct } from "constructs";',
        "",
        f"export interface {stack}Props extends cdk.StackProps {{",
        "  /** An SNS topic that alarms are sent to. */",
        "  readonly alarmTopicArn?: string;",
        "}",
        "",
        comment([given.title]),
        f"export class {stack} extends cdk.Stack {{",
        f"  constructor(scope: Construct, id: string, props: {stack}Props = {{}}) {{",
        "    super(scope, id, props);",
    ]
    for each in constructs:
        lines += ["", *(f"    {line}" if line else "" for line in _construct(each))]
    if alarmed:
        lines += ["", *_alarm_actions(constructs)]
    return "\n".join([*lines, "  }", "}", ""])


def _imports(constructs: Iterable[Construct]) -> list[str]:
    used = {each.type.split(".")[0] for each in constructs}
    return [f'import * as {name} from "{path}";' for name, path in MODULES.items() if name in used]


def _construct(each: Construct) -> list[str]:
    name = "" if each.type == "iam.ManagedPolicy" else f"const {each.variable} = "
    return f"{name}new {each.type}(this, {text(each.id)}, {print_node(dict(each.fields), 0)});".split("\n")


def _alarm_actions(constructs: Iterable[Construct]) -> list[str]:
    names = ", ".join(each.variable for each in constructs if each.is_alarm)
    return [
        "    if (props.alarmTopicArn) {",
        '      const topic = sns.Topic.fromTopicArn(this, "AlarmTopic", props.alarmTopicArn);',
        f"      for (const alarm of [{names}]) {{",
        "        alarm.addAlarmAction(new actions.SnsAction(topic));",
        "        alarm.addOkAction(new actions.SnsAction(topic));",
        "      }",
        "    }",
    ]


# ---- values ---------------------------------------------------------------------------------------------------------


def print_node(value: Node, depth: int, ahead: int = 0) -> str:
    """`ahead` are the characters that stand before it on its line."""
    match value:
        case Struct(_, fields):
            return print_node(dict(fields), depth, ahead)
        case Constant(path):
            return path
        case FactoryCall(path, fields, values):
            inside = [print_node(each, depth) for each in values]
            held = [print_node(dict(fields), depth, ahead + len(path) + 2)] if fields else []
            return f"{path}({', '.join([*inside, *held])})"
        case NewObject(type_, fields):
            return f"new {type_}({print_node(dict(fields), depth, ahead + len(type_) + 6)})"
        case Property(variable, name):
            return f"{variable}.{name}" if name else variable
        case JoinedText(parts):
            return interpolate(part if isinstance(part, str) else Code(print_node(part, 0)) for part in parts)
        case list():
            return _block("[", _print_each(cast("Any", value), depth), "]", depth, ahead)
        case dict():
            pairs = [
                f"{key(name)}: {print_node(each, depth + 1, len(key(name)) + 2)}"
                for name, each in cast("dict[str, Node]", value).items()
            ]
            return _block("{", pairs, "}", depth, ahead)
        case _:
            return literal(value)


def _print_each(value: list[Node], depth: int) -> list[str]:
    return [print_node(each, depth + 1) for each in value]


def _block(opening: str, parts: list[str], closing: str, depth: int, ahead: int = 0) -> str:
    """On one line where it fits, else one part a line."""
    space = " " if opening == "{" and parts else ""
    line = f"{opening}{space}{', '.join(parts)}{space}{closing}"
    if len(INDENT) * (depth + 2) + ahead + len(line) < WIDTH and "\n" not in line and depth:
        return line
    if not parts:
        return opening + closing
    inner = INDENT * (depth + 1)
    return opening + "".join(f"\n{inner}{part}," for part in parts) + f"\n{INDENT * depth}{closing}"
