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


def in_transaction(calls: list[Call], token: str = "") -> dict[str, Any]:
    """Several writes as the parameters of one transaction."""
    items = [{each.operation.removesuffix("Item"): each.params} for each in calls]
    return {"TransactItems": items, **({"ClientRequestToken": token} if token else {})}


# ---- the command line -----------------------------------------------------------------------------------------------


def command(operation: str, params: dict[str, Any]) -> str:
    options = [_option(name, value) for name, value in wire(params).items()]
    return " \\\n    ".join([f"aws dynamodb {_kebab(operation)}", *options])


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def _option(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return f"--{'' if value else 'no-'}{_kebab(name)}"
    said = value if isinstance(value, str) else _json_text(value)
    return f"--{_kebab(name)} {word(str(said))}"


def _json_text(value: Any) -> str:
    """JSON in which characters that nobody can see are escaped; one part a line where it is long."""
    shown = _compact(value) if len(_compact(value)) < WIDTH else _laid_out(value)
    return "".join(each if each.isprintable() or each == "\n" else _escape(each) for each in shown)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _laid_out(value: Any, depth: int = 1) -> str:
    """Parts that fit are kept on one line."""
    if not isinstance(value, dict | list) or len(_compact(value)) + 4 * depth < WIDTH:
        return _compact(value)
    inner, outer = "\n" + "    " * (depth + 1), "\n" + "    " * depth
    if isinstance(value, list):
        elements = cast("Sequence[Any]", value)
        parts = [_laid_out(each, depth + 1) for each in elements]
        return f"[{inner}{f',{inner}'.join(parts)}{outer}]"
    pairs = cast("dict[str, Any]", value).items()
    parts = [f"{_compact(name)}: {_laid_out(each, depth + 1)}" for name, each in pairs]
    return f"{{{inner}{f',{inner}'.join(parts)}{outer}}}"


def _escape(character: str) -> str:
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
    lines = [f"    {name}={_python_text(value, 1, len(name) + 1)}," for name, value in wire(params).items()]
    return "\n".join([f"client.{_kebab(operation).replace('-', '_')}(", *lines, ")"])


def _python_text(value: Any, depth: int, ahead: int = 0) -> str:
    """One part a line where one line is too short; `ahead` characters stand before it."""
    line = _python_line(value)
    if not isinstance(value, dict | list) or len(line) + 4 * depth + ahead < WIDTH:
        return line
    inner, outer = "\n" + "    " * (depth + 1), "\n" + "    " * depth
    if isinstance(value, list):
        elements = cast("Sequence[Any]", value)
        parts = [_python_text(each, depth + 1) for each in elements]
        return "[" + "".join(f"{inner}{part}," for part in parts) + f"{outer}]"
    pairs = cast("dict[str, Any]", value).items()
    parts = [f"{_python_line(name)}: {_python_text(each, depth + 1, len(repr(name)) + 2)}" for name, each in pairs]
    return "{" + "".join(f"{inner}{part}," for part in parts) + f"{outer}}}"


def _python_line(value: Any) -> str:
    """On one line."""
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return "{" + ", ".join(f"{_python_line(name)}: {_python_line(each)}" for name, each in pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_python_line(each) for each in cast("Sequence[Any]", value)) + "]"
    return python_literal(value) if isinstance(value, str) else repr(value)
