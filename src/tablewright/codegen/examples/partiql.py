"""Calls as PartiQL statements. What PartiQL cannot say (conditions of a put, a first ADD) is said in a remark.

A value that has no literal (binary, or text with characters nobody can see) is a parameter `?` of the statement.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.wire.values import marshal

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.codegen.examples.recording import Call

MARK = re.compile(r"[#:]\w+")
WIDTH = 110
NO_REPLACING = "INSERT refuses to replace an item; PutItem would"
NO_CONDITION = "INSERT takes no condition; PutItem sends {condition}"
MUST_EXIST = "UPDATE needs the item; UpdateItem would make it"
MUST_BE_NUMBER = "a sum needs a number that is there; UpdateItem would begin with 0"
ONLY_IF_ABSENT = "SET knows no if_not_exists; UpdateItem sends {change}, for an item that lacks it"
ADDED = re.compile(r"(?P<path>\S+) = if_not_exists\((?P=path), :\w+\) \+ (?P<value>:\w+)")
INITIAL = re.compile(r"(?P<path>\S+) = if_not_exists\((?P=path), (?P<value>:\w+)\)")
TESTS = (
    (re.compile(r"attribute_not_exists\s*\(\s*(#\w+)\s*\)"), r"\1 IS MISSING"),
    (re.compile(r"attribute_exists\s*\(\s*(#\w+)\s*\)"), r"\1 IS NOT MISSING"),
)


class Statement(msgspec.Struct, frozen=True):
    """`parameters` as DynamoDB's JSON, one for every `?`."""

    text: str
    parameters: list[dict[str, Any]]
    remarks: tuple[str, ...] = ()


def statements(call: Call) -> list[Statement]:
    """One, or of a batch one for every key."""
    if call.operation != "BatchGetItem":
        return [PRINTERS[call.operation](call.params, _Writer())]
    ((table, asked),) = call.params["RequestItems"].items()
    how = {name: each for name, each in asked.items() if name != "Keys"}
    return [get({"TableName": table, "Key": key, **how}, _Writer()) for key in asked["Keys"]]


def lines_of(statement: Statement) -> list[str]:
    """As a script has it: remarks and parameters as comments in front."""
    said = [f"? is {json.dumps(each)}" for each in statement.parameters]
    return [*(remark(each) for each in (*statement.remarks, *said)), f"{statement.text};"]


def remark(text: str) -> str:
    """One line, whatever it holds: what could end a line is a space."""
    return f"-- {' '.join(''.join(each if each.isprintable() else ' ' for each in text).split())}"


# ---- values and names -----------------------------------------------------------------------------------------------


class _Writer:
    """Writes values, and keeps those that have no literal."""

    def __init__(self) -> None:
        self.parameters: list[dict[str, Any]] = []

    def text(self, value: Any) -> str:
        match value:
            case bool():
                return "true" if value else "false"
            case None:
                return "null"
            case int() | float() | Decimal():
                return str(value) if isinstance(value, int) else f"{Decimal(str(value)):f}"
            case dict():
                pairs = cast("dict[str, Any]", value).items()
                return "{" + ", ".join(f"{_quoted(name)}: {self.text(each)}" for name, each in pairs) + "}"
            case list() | tuple():
                return "[" + ", ".join(self.text(each) for each in cast("list[Any]", value)) + "]"
            case set() | frozenset():
                return "<<" + ", ".join(self.text(each) for each in sorted(cast("set[Any]", value))) + ">>"
            case str() if value.isprintable():
                return _quoted(value)
            case _:
                self.parameters.append(marshal(value))
                return "?"

    def item(self, value: dict[str, Any]) -> str:
        """One attribute a line, where one line is too short for them."""
        pairs = [f"{_quoted(name)}: {self.text(each)}" for name, each in value.items()]
        line = "{" + ", ".join(pairs) + "}"
        return line if len(line) < WIDTH else "{\n  " + ",\n  ".join(pairs) + "\n}"

    def expression(self, given: str, params: dict[str, Any]) -> str:
        """An expression with its names and values put back in."""
        names, values = params.get("ExpressionAttributeNames", {}), params.get("ExpressionAttributeValues", {})

        def shown(match: re.Match[str]) -> str:
            mark = match.group()
            return _name(names[mark]) if mark in names else self.text(values[mark])

        return MARK.sub(shown, given)

    def where(self, params: dict[str, Any], also: str = "") -> str:
        key = [f"{_name(field)} = {self.text(value)}" for field, value in params["Key"].items()]
        return "WHERE " + " AND ".join([*key, *([also] if also else [])])

    def condition(self, params: dict[str, Any], which: str = "ConditionExpression") -> str:
        """A condition or filter in PartiQL's words; one with an OR inside keeps to itself."""
        said = params.get(which, "")
        for test, instead in TESTS:
            said = test.sub(instead, said)
        shown = self.expression(said, params)
        return f"({shown})" if re.search(r"\bor\b", said, re.IGNORECASE) else shown

    def made(self, *parts: str, remarks: tuple[str, ...] = ()) -> Statement:
        line = " ".join(parts)
        return Statement(line if len(line) <= WIDTH else "\n  ".join(parts), self.parameters, remarks)


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _name(attribute: str) -> str:
    return '"' + attribute.replace('"', '""') + '"'


# ---- reads ----------------------------------------------------------------------------------------------------------


def _query(params: dict[str, Any], writer: _Writer) -> Statement:
    source = _name(params["TableName"]) + (f".{_name(params['IndexName'])}" if "IndexName" in params else "")
    select = f"SELECT {_columns(params, writer)} FROM {source}"
    where = [writer.expression(params["KeyConditionExpression"], params)]
    if "FilterExpression" in params:
        where.append(f"AND {writer.condition(params, 'FilterExpression')}")
    order = [f"ORDER BY {_sort_field(params)} DESC"] if params.get("ScanIndexForward") is False else []
    remarks = (f"at most {params['Limit']} items: Limit of ExecuteStatement",) if "Limit" in params else ()
    return writer.made(select, f"WHERE {where[0]}", *where[1:], *order, remarks=remarks)


def _columns(params: dict[str, Any], writer: _Writer) -> str:
    return writer.expression(params["ProjectionExpression"], params) if "ProjectionExpression" in params else "*"


def _sort_field(params: dict[str, Any]) -> str:
    """The attribute that the key condition speaks of last, which is the sort key's."""
    marks = [each for each in MARK.findall(params["KeyConditionExpression"]) if each.startswith("#")]
    return _name(params["ExpressionAttributeNames"][marks[-1]])


def get(params: dict[str, Any], writer: _Writer) -> Statement:
    return writer.made(f"SELECT {_columns(params, writer)} FROM {_name(params['TableName'])}", writer.where(params))


# ---- writes ---------------------------------------------------------------------------------------------------------


def _put(params: dict[str, Any], writer: _Writer) -> Statement:
    condition = params.get("ConditionExpression", "")
    remarks = (NO_REPLACING,) if not condition else ()
    if condition and not re.fullmatch(r"attribute_not_exists\(#\w+\)", condition):
        remarks = (NO_CONDITION.format(condition=_Writer().condition(params)),)
    text = f"INSERT INTO {_name(params['TableName'])} VALUE {writer.item(params['Item'])}"
    return Statement(text, writer.parameters, remarks)


def _update(params: dict[str, Any], writer: _Writer) -> Statement:
    """Every change is a clause of its own; what is added to is set to the sum."""
    changes = [
        (word, each)
        for word, changes in re.findall(r"(SET|REMOVE|ADD) (.+?)(?= (?:SET|REMOVE|ADD) |$)", params["UpdateExpression"])
        for each in re.split(r", (?![^(]*\))", changes)
    ]
    clauses = [_clause(word, each, params, writer) for word, each in changes if not INITIAL.fullmatch(each)]
    where = writer.where(params, writer.condition(params))
    is_demanded = "attribute_exists(" in params.get("ConditionExpression", "")
    remarks: tuple[str, ...] = () if is_demanded else (MUST_EXIST,)
    remarks += (MUST_BE_NUMBER,) if any(_sum_of(word, each) for word, each in changes) else ()
    initial = [_Writer().expression(each, params) for _, each in changes if INITIAL.fullmatch(each)]
    remarks += tuple(ONLY_IF_ABSENT.format(change=each) for each in initial)
    return writer.made(f"UPDATE {_name(params['TableName'])}", *clauses, where, remarks=remarks)


def _clause(word: str, change: str, params: dict[str, Any], writer: _Writer) -> str:
    found = _sum_of(word, change)
    if found is not None:
        amount = params["ExpressionAttributeValues"][found[1]]
        where = writer.expression(found[0], params)
        return f"SET {where} = {where} {'-' if amount < 0 else '+'} {writer.text(abs(amount))}"
    return f"{word} {writer.expression(change, params)}"


def _sum_of(word: str, change: str) -> tuple[str, str] | None:
    """What is added to, and the mark of the number."""
    if word == "ADD":
        target, _, value = change.partition(" ")
        return target, value
    found = ADDED.fullmatch(change)
    return None if found is None else (found["path"], found["value"])


def _delete(params: dict[str, Any], writer: _Writer) -> Statement:
    return writer.made(f"DELETE FROM {_name(params['TableName'])}", writer.where(params, writer.condition(params)))


def _check(params: dict[str, Any], writer: _Writer) -> Statement:
    inner = f"SELECT * FROM {_name(params['TableName'])} {writer.where(params, writer.condition(params))}"
    return Statement(f"EXISTS({inner})", writer.parameters)


PRINTERS: dict[str, Callable[[dict[str, Any], _Writer], Statement]] = {
    "Query": _query,
    "GetItem": get,
    "PutItem": _put,
    "UpdateItem": _update,
    "DeleteItem": _delete,
    "ConditionCheck": _check,
}
