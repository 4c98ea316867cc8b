"""Whether DynamoDB would take a request: the engine says so, on a table with the keys of the recorded schema.

Comparing requests shows whether both libraries say the same; it does not show whether anybody can use it.
"""

from __future__ import annotations

import re
from typing import Any

from tablewright.engine import Engine
from tablewright.errors import ServiceError
from tablewright.wire.document import to_wire
from tablewright.wire.values import UnstorableValueError

ACTIONS = {
    "get": "GetItem",
    "put": "PutItem",
    "create": "PutItem",
    "upsert": "UpdateItem",
    "update": "UpdateItem",
    "patch": "UpdateItem",
    "delete": "DeleteItem",
    "remove": "DeleteItem",
}
COMMANDS = {
    name.removesuffix("Item"): name for name in ("GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan")
}


class Tables:
    """One engine with a table for every schema that was asked for."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.names: dict[str, str | None] = {}

    def refusal(self, model: str, schema: dict[str, Any], action: str, params: dict[str, Any]) -> str | None:
        """What is said against a request; None when it is taken, or when no such table can be made."""
        table = self.table(model, schema)
        if table is None:
            return None
        sent = {**params, "TableName": table}
        if "IndexName" in params:
            sent["IndexName"] = index_name(params["IndexName"])
        try:
            self.engine.call(action, to_wire(sent))
        except ServiceError as error:
            return str(error) if error.name == "ValidationException" else None
        except UnstorableValueError as error:  # an empty set, which is found on the way
            return str(error)
        return None

    def table(self, model: str, schema: dict[str, Any]) -> str | None:
        if model not in self.names:
            self.names[model] = self.create(f"table-{len(self.names)}", schema)
        return self.names[model]

    def create(self, name: str, schema: dict[str, Any]) -> str | None:
        try:
            self.engine.call("CreateTable", definition(name, schema))
        except (ServiceError, KeyError, TypeError):  # a schema that is recorded because it is wrong
            return None
        return name


def requests_of(case: dict[str, Any], outcome: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The requests about one item or one page, with their operations, shown or sent, of an entity on its own table."""
    if "model" not in case or "chain" not in case or (case.get("options") or {}).get("table"):
        return []
    sent = [
        (COMMANDS[each["command"]], each["input"])
        for each in outcome.get("requests", ())
        if each["command"] in COMMANDS
    ]
    shown = outcome.get("params")
    if not isinstance(shown, dict) or "RequestItems" in shown:
        return sent
    return [*sent, (action_of(case, shown), shown)]


def action_of(case: dict[str, Any], params: dict[str, Any]) -> str:
    """The operation behind a chain; those that look for an index may end as a scan."""
    found = "Query" if "KeyConditionExpression" in params else "Scan"
    return ACTIONS.get(case["chain"][0][0], found)


def definition(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A table with the keys of a schema, as a person would declare it by hand."""
    types: dict[str, str] = {}
    keys: dict[str | None, list[dict[str, str]]] = {}
    for index in schema["indexes"].values():
        sides = [(index["pk"], "HASH"), *([(index["sk"], "RANGE")] if index.get("sk") else [])]
        keys[index.get("index")] = [{"AttributeName": side["field"], "KeyType": role} for side, role in sides]
        types |= {side["field"]: type_of(schema["attributes"], side) for side, _ in sides}
    made: dict[str, Any] = {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": keys.pop(None),
        "AttributeDefinitions": [{"AttributeName": field, "AttributeType": each} for field, each in types.items()],
    }
    if keys:
        made["GlobalSecondaryIndexes"] = [
            {"IndexName": index_name(index), "KeySchema": each, "Projection": {"ProjectionType": "ALL"}}
            for index, each in keys.items()
        ]
    return made


def index_name(name: Any) -> str:
    """Recorded names are often shorter than DynamoDB's three characters."""
    return f"index-{name}"


def type_of(attributes: dict[str, Any], side: dict[str, Any]) -> str:
    """Numbers stand in keys that are nothing but a number."""
    composite = side.get("composite") or re.findall(r"\$\{([^}]*)\}", side.get("template", ""))
    own = [name for name, each in attributes.items() if field_of(name, each) == side["field"]]
    template = side.get("template") or ("${" + own[0] + "}" if own else None)
    is_number = len(composite) == 1 and kind_of(attributes[composite[0]]) == "number"
    is_bare = len(composite) == 1 and template == "${" + composite[0] + "}"
    return "N" if side.get("cast") == "number" or (is_number and is_bare and side.get("cast") != "string") else "S"


def field_of(name: str, attribute: Any) -> str:
    return attribute.get("field", name) if isinstance(attribute, dict) else name


def kind_of(attribute: Any) -> Any:
    return attribute["type"] if isinstance(attribute, dict) else attribute
