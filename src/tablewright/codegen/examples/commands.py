"""Calls as commands of the AWS CLI and as calls of the SDKs for JavaScript and Python."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

from tablewright.codegen.examples.shell import word
from tablewright.codegen.python.literals import text as python_literal
from tablewright.codegen.typescript.literals import literal
from tablewright.wire.values import marshal, marshal_item

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.codegen.examples.recording import Call

WIDTH = 100
JAVASCRIPT = {
    "Query": "QueryCommand",
    "GetItem": "GetCommand",
    "BatchGetItem": "BatchGetCommand",
    "PutItem": "PutCommand",
    "UpdateItem": "UpdateCommand",
    "DeleteItem": "DeleteCommand",
}


def in_transaction(calls: list[Call]) -> dict[str, Any]:
    """Several writes as the parameters of one transaction."""
    return {"TransactItems": [{each.operation.removesuffix("Item"): each.params} for each in calls]}


# ---- the command line -----------------------------------------------------------------------------------------------


def command(operation: str, params: dict[str, Any]) -> str:
    options = [option(name, value) for name, value in wire(params).items()]
    return " \\\n    ".join([f"aws dynamodb {kebab(operation)}", *options])


def kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def option(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return f"--{'' if value else 'no-'}{kebab(name)}"
    said = value if isinstance(value, str) else json_text(value)
    return f"--{kebab(name)} {word(str(said))}"


def json_text(value: Any) -> str:
    """JSON in which characters that nobody can see are escaped; one part a line where it is long."""
    shown = compact(value) if len(compact(value)) < WIDTH else laid_out(value)
    return "".join(each if each.isprintable() or each == "\n" else escape(each) for each in shown)


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def laid_out(value: Any, depth: int = 1) -> str:
    """Parts that fit are kept on one line."""
    if not isinstance(value, dict | list) or len(compact(value)) + 4 * depth < WIDTH:
        return compact(value)
    inner, outer = "\n" + "    " * (depth + 1), "\n" + "    " * depth
    if isinstance(value, list):
        elements = cast("Sequence[Any]", value)
        parts = [laid_out(each, depth + 1) for each in elements]
        return f"[{inner}{f',{inner}'.join(parts)}{outer}]"
    pairs = cast("dict[str, Any]", value).items()
    parts = [f"{compact(name)}: {laid_out(each, depth + 1)}" for name, each in pairs]
    return f"{{{inner}{f',{inner}'.join(parts)}{outer}}}"


def escape(character: str) -> str:
    return json.dumps(character)[1:-1]


def wire(params: dict[str, Any]) -> dict[str, Any]:
    """The same parameters with values as DynamoDB's JSON has them."""
    found: dict[str, Any] = {}
    for name, value in params.items():
        match name:
            case "Key" | "Item":
                found[name] = marshal_item(value)
            case "Keys":
                found[name] = [marshal_item(each) for each in value]
            case "ExpressionAttributeValues":
                found[name] = {mark: marshal(each) for mark, each in value.items()}
            case "RequestItems":
                found[name] = {table: wire(asked) for table, asked in value.items()}
            case "TransactItems":
                found[name] = [{kind: wire(each) for kind, each in item.items()} for item in value]
            case _:
                found[name] = value
    return found


# ---- SDKs -----------------------------------------------------------------------------------------------------------


def javascript(operation: str, params: dict[str, Any]) -> str:
    """A call of the document client, which takes plain values."""
    name = JAVASCRIPT.get(operation, "TransactWriteCommand")
    return f"await documents.send(new lib.{name}({literal(params, 0, 30 + len(name))}));"


def python(operation: str, params: dict[str, Any]) -> str:
    """A call of boto3's client, which takes DynamoDB's own JSON."""
    lines = [f"    {name}={python_text(value, 1, len(name) + 1)}," for name, value in wire(params).items()]
    return "\n".join([f"client.{kebab(operation).replace('-', '_')}(", *lines, ")"])


def python_text(value: Any, depth: int, ahead: int = 0) -> str:
    """One part a line where one line is too short; `ahead` characters stand before it."""
    line = python_line(value)
    if not isinstance(value, dict | list) or len(line) + 4 * depth + ahead < WIDTH:
        return line
    inner, outer = "\n" + "    " * (depth + 1), "\n" + "    " * depth
    if isinstance(value, list):
        elements = cast("Sequence[Any]", value)
        parts = [python_text(each, depth + 1) for each in elements]
        return "[" + "".join(f"{inner}{part}," for part in parts) + f"{outer}]"
    pairs = cast("dict[str, Any]", value).items()
    parts = [f"{python_line(name)}: {python_text(each, depth + 1, len(repr(name)) + 2)}" for name, each in pairs]
    return "{" + "".join(f"{inner}{part}," for part in parts) + f"{outer}}}"


def python_line(value: Any) -> str:
    """On one line."""
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return "{" + ", ".join(f"{python_line(name)}: {python_line(each)}" for name, each in pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(python_line(each) for each in cast("Sequence[Any]", value)) + "]"
    return python_literal(value) if isinstance(value, str) else repr(value)
