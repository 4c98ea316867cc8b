"""Calls as commands of the AWS CLI and as calls of the SDKs for JavaScript and Python."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tablewright.codegen.typescript.literals import literal
from tablewright.wire.values import marshal, marshal_item

if TYPE_CHECKING:
    from tablewright.codegen.examples.calls import Call

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
    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"--{kebab(name)} {shell(str(said))}"


def shell(text: str) -> str:
    return text if re.fullmatch(r"[\w./:-]+", text, re.ASCII) else "'" + text.replace("'", "'\\''") + "'"


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
    return f"await documents.send(new {name}({literal(params, 0, 30 + len(name))}));"


def python(operation: str, params: dict[str, Any]) -> str:
    """A call of boto3's client, which takes DynamoDB's own JSON."""
    method = "transact_write_items" if operation == "TransactWriteItems" else snake(operation)
    lines = [f"    {name}={python_text(value)}," for name, value in wire(params).items()]
    return "\n".join([f"client.{method}(", *lines, ")"])


def snake(name: str) -> str:
    return kebab(name).replace("-", "_")


def python_text(value: Any) -> str:
    return repr(value)
