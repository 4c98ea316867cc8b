"""Calls as PartiQL statements. What PartiQL cannot say (conditions of a put, ADD) stands in a comment."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from tablewright.codegen.examples.calls import Call

MARK = re.compile(r"[#:]\w+")


def statement(call: Call) -> str:
    return PRINTERS[call.operation](call.params)


def text(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case None:
            return "null"
        case int() | float() | Decimal():
            return str(value)
        case dict():
            pairs = cast("dict[str, Any]", value).items()
            return "{" + ", ".join(f"{quoted(name)}: {text(each)}" for name, each in pairs) + "}"
        case list() | tuple():
            return "[" + ", ".join(text(each) for each in cast("list[Any]", value)) + "]"
        case set() | frozenset():
            return "<<" + ", ".join(text(each) for each in sorted(cast("set[Any]", value))) + ">>"
        case _:
            return quoted(str(value))


def quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def name(attribute: str) -> str:
    return '"' + attribute.replace('"', '""') + '"'


def source(params: dict[str, Any]) -> str:
    index = f".{name(params['IndexName'])}" if "IndexName" in params else ""
    return name(params["TableName"]) + index


def expression(given: str, params: dict[str, Any]) -> str:
    """An expression with its names and values put back in."""
    names, values = params.get("ExpressionAttributeNames", {}), params.get("ExpressionAttributeValues", {})

    def shown(match: re.Match[str]) -> str:
        mark = match.group()
        return name(names[mark]) if mark in names else text(values[mark]) if mark in values else mark

    return MARK.sub(shown, given)


def query(params: dict[str, Any]) -> str:
    columns = expression(params["ProjectionExpression"], params) if "ProjectionExpression" in params else "*"
    where = [params["KeyConditionExpression"], *([params["FilterExpression"]] if "FilterExpression" in params else [])]
    condition = " AND ".join(expression(each, params) for each in where)
    order = ""
    if params.get("ScanIndexForward") is False:
        order = f" ORDER BY {sort_field(params)} DESC"
    return f"SELECT {columns} FROM {source(params)} WHERE {condition}{order}"


def sort_field(params: dict[str, Any]) -> str:
    """The attribute that the key condition speaks of last, which is the sort key's."""
    marks = [each for each in MARK.findall(params["KeyConditionExpression"]) if each.startswith("#")]
    return name(params["ExpressionAttributeNames"][marks[-1]])


def key_condition(params: dict[str, Any]) -> str:
    return " AND ".join(f"{name(field)} = {text(value)}" for field, value in params["Key"].items())


def get(params: dict[str, Any]) -> str:
    return f"SELECT * FROM {source(params)} WHERE {key_condition(params)}"


def batch_get(params: dict[str, Any]) -> str:
    ((table, asked),) = params["RequestItems"].items()
    return ";\n".join(get({"TableName": table, "Key": key}) for key in asked["Keys"])


def put(params: dict[str, Any]) -> str:
    return f"INSERT INTO {name(params['TableName'])} VALUE {text(params['Item'])}"


def update(params: dict[str, Any]) -> str:
    changes = expression(params["UpdateExpression"], params)
    sets = re.sub(r"^ADD (.+?) (-?[\d.]+)$", r"SET \1 = \1 + \2", changes)
    clauses = re.sub(r", (?=\"[^']*?\" = )", " SET ", sets)
    return f"UPDATE {name(params['TableName'])} {clauses} WHERE {key_condition(params)}{also(params)}"


def delete(params: dict[str, Any]) -> str:
    return f"DELETE FROM {name(params['TableName'])} WHERE {key_condition(params)}{also(params)}"


def check(params: dict[str, Any]) -> str:
    return f"EXISTS(SELECT * FROM {name(params['TableName'])} WHERE {key_condition(params)}{also(params)})"


def also(params: dict[str, Any]) -> str:
    """The condition of a write, where PartiQL has words for it: an item must exist for it anyway."""
    condition = params.get("ConditionExpression", "")
    kept = [each for each in condition.split(" AND ") if each and not each.startswith("attribute_")]
    return "".join(f" AND {expression(each, params)}" for each in kept)


PRINTERS = {
    "Query": query,
    "GetItem": get,
    "BatchGetItem": batch_get,
    "PutItem": put,
    "UpdateItem": update,
    "DeleteItem": delete,
    "ConditionCheck": check,
}
