"""A look into a table, for people: the items of a partition, their keys given as plain texts, and what that cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tablewright.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.engine.engine import Engine
    from tablewright.engine.store.table import Keys, Table


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which items: of one partition, or of the whole table when `pk` is empty."""

    index: str | None = None
    pk: Sequence[str] = ()
    sk: Sequence[str] = ()
    sk_begins_with: str | None = None
    sk_from: str | None = None
    sk_to: str | None = None
    limit: int = 100
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """Items in DynamoDB JSON, their key attributes, and what it took to find them."""

    items: list[dict[str, Any]]
    key_names: tuple[str, ...]
    read: int
    rcu: float
    more: bool


def look_up(engine: Engine, table_name: str, wanted: Wanted) -> Found:
    """The first items of a partition, or of the table."""
    table = known_table(engine, table_name)
    keys = _keys_of(table, wanted.index)
    action, params = _request(table, keys, wanted)
    return _collect(engine, action, params, wanted.limit, (*keys.names, *table.keys.names))


def known_table(engine: Engine, name: str) -> Table:
    with engine.storage.reading():
        tables = dict(engine.storage.tables)
    if name not in tables:
        there = f"there are {', '.join(sorted(tables))}" if tables else "there are none"
        raise RequestError(f"there is no table {name!r}; {there}")
    return tables[name]


def _keys_of(table: Table, index_name: str | None) -> Keys:
    if index_name is None:
        return table.keys
    index = table.index(index_name)
    if index is None:
        there = ", ".join(each.name for each in table.indexes) or "none"
        raise RequestError(f"table {table.name!r} has no index {index_name!r}; its indexes: {there}")
    return index.keys


def _request(table: Table, keys: Keys, wanted: Wanted) -> tuple[str, dict[str, Any]]:
    """The Query or Scan that finds what is wanted."""
    params: dict[str, Any] = {"TableName": table.name, "ReturnConsumedCapacity": "TOTAL"}
    if wanted.index is not None:
        params["IndexName"] = wanted.index
    if not wanted.pk:
        if wanted.sk or wanted.sk_begins_with is not None or wanted.sk_from is not None or wanted.sk_to is not None:
            raise RequestError(f"a sort key is looked up within a partition; give --pk for {', '.join(keys.pk)}")
        if wanted.descending:
            raise RequestError("only a partition has an order to turn around; give --pk")
        return "Scan", params
    condition = _KeyCondition(table)
    condition.equal(keys.pk, wanted.pk, "pk", exactly=True)
    condition.equal(keys.sk, wanted.sk, "sk", exactly=False)
    condition.between(keys.sk[len(wanted.sk) :], wanted)
    params.update(condition.params(), ScanIndexForward=not wanted.descending)
    return "Query", params


class _KeyCondition:
    """A KeyConditionExpression built from texts, each taken for the type of its attribute."""

    def __init__(self, table: Table) -> None:
        self.types = table.types
        self.terms: list[str] = []
        self.names: dict[str, str] = {}
        self.values: dict[str, dict[str, str]] = {}

    def equal(self, attributes: Sequence[str], texts: Sequence[str], option: str, *, exactly: bool) -> None:
        if len(texts) > len(attributes) or (exactly and len(texts) < len(attributes)):
            names = ", ".join(attributes) or "no attribute"
            raise RequestError(f"--{option} is given {len(texts)} times, but the key is {names}")
        for attribute, text in zip(attributes, texts, strict=False):
            self.terms.append(f"{self._name(attribute)} = {self._value(attribute, text)}")

    def between(self, attributes: Sequence[str], wanted: Wanted) -> None:
        """The condition on the first sort attribute that is not fixed."""
        low, high, prefix = wanted.sk_from, wanted.sk_to, wanted.sk_begins_with
        if low is None and high is None and prefix is None:
            return
        if not attributes:
            raise RequestError("there is no sort key left to look for a range in")
        if prefix is not None and (low is not None or high is not None):
            raise RequestError("give either --sk-begins-with, or --sk-from and --sk-to")
        name = self._name(attributes[0])
        if prefix is not None:
            self.terms.append(f"begins_with({name}, {self._value(attributes[0], prefix)})")
        elif low is not None and high is not None:
            low_value, high_value = self._value(attributes[0], low), self._value(attributes[0], high)
            self.terms.append(f"{name} between {low_value} and {high_value}")
        elif low is not None:
            self.terms.append(f"{name} >= {self._value(attributes[0], low)}")
        elif high is not None:
            self.terms.append(f"{name} <= {self._value(attributes[0], high)}")

    def params(self) -> dict[str, Any]:
        return {
            "KeyConditionExpression": " and ".join(self.terms),
            "ExpressionAttributeNames": self.names,
            "ExpressionAttributeValues": self.values,
        }

    def _name(self, attribute: str) -> str:
        placeholder = f"#n{len(self.names)}"
        self.names[placeholder] = attribute
        return placeholder

    def _value(self, attribute: str, text: str) -> str:
        placeholder = f":v{len(self.values)}"
        self.values[placeholder] = {self.types[attribute]: text}
        return placeholder


def _collect(engine: Engine, action: str, params: dict[str, Any], limit: int, key_names: tuple[str, ...]) -> Found:
    """Page after page until there are enough."""
    items: list[dict[str, Any]] = []
    read, rcu, start = 0, 0.0, None
    while True:
        page = {**params, "Limit": limit - len(items)}
        reply = engine.call(action, page if start is None else {**page, "ExclusiveStartKey": start})
        items += reply["Items"]
        read += reply["ScannedCount"]
        rcu += reply["ConsumedCapacity"]["CapacityUnits"]
        start = reply.get("LastEvaluatedKey")
        if start is None or len(items) >= limit:
            return Found(items, tuple(dict.fromkeys(key_names)), read, rcu, more=start is not None)
