"""What a request consumed, in the form and detail the caller asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.store.table import Table

Direction: TypeAlias = Literal["read", "write"]

SPLIT = {"read": "ReadCapacityUnits", "write": "WriteCapacityUnits"}
KINDS = {"gsi": "GlobalSecondaryIndexes", "lsi": "LocalSecondaryIndexes"}


def consumed_capacity(
    params: Mapping[str, Any],
    table: Table,
    units: float,
    indexes: Mapping[str, float] | None = None,
    *,
    split: Direction | None = None,
) -> dict[str, Any] | None:
    """The ConsumedCapacity of one table; `split` says which way the units went, as transactions report it."""
    mode = params.get("ReturnConsumedCapacity", "NONE")
    if mode not in ("TOTAL", "INDEXES"):
        return None
    by_index = indexes or {}
    report: dict[str, Any] = {"TableName": table.name, **_amount(units + sum(by_index.values()), split)}
    if mode == "INDEXES":
        report["Table"] = _amount(units, split)
        for name, spent in by_index.items():
            index = table.index(name)
            kind = KINDS[index.kind if index is not None else "gsi"]
            report.setdefault(kind, {})[name] = _amount(spent, split)
    return report


def _amount(units: float, split: Direction | None = None) -> dict[str, float]:
    told = {"CapacityUnits": float(units)}
    return told if split is None else {**told, SPLIT[split]: float(units)}


def add_consumed_capacity(reply: dict[str, Any], report: dict[str, Any] | None) -> dict[str, Any]:
    """The reply, with the report if there is one."""
    if report is not None:
        reply["ConsumedCapacity"] = report
    return reply


class Bill:
    """The units of a request on several tables, summed up table by table."""

    def __init__(self, split: Direction | None = None) -> None:
        self._split: Direction | None = split
        self._tables: dict[str, Table] = {}
        self._units: dict[str, float] = {}
        self._indexes: dict[str, dict[str, float]] = {}

    def __bool__(self) -> bool:
        return bool(self._tables)

    def add(self, table: Table, units: float, indexes: Mapping[str, float] | None = None) -> None:
        name = table.name
        self._tables[name] = table
        self._units[name] = self._units.get(name, 0.0) + units
        spent = self._indexes.setdefault(name, {})
        for index, more in (indexes or {}).items():
            spent[index] = spent.get(index, 0.0) + more

    def add_to(self, reply: dict[str, Any], params: Mapping[str, Any]) -> dict[str, Any]:
        """The reply, with a report for each table if the caller wants them."""
        if params.get("ReturnConsumedCapacity", "NONE") != "NONE":
            reply["ConsumedCapacity"] = [
                consumed_capacity(params, table, self._units[name], self._indexes[name], split=self._split)
                for name, table in self._tables.items()
            ]
        return reply
