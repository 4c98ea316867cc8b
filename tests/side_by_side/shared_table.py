"""A served table at which Tablewright and ElectroDB work in turn, what both write, and values as each has them."""

from __future__ import annotations

import base64
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

import tablewright as tw
from tablewright.engine import Engine
from tablewright.engine.server import serve
from tests.conftest import Node
from tests.scenarios.museum import (
    TABLE,
    Exhibit,
    Loan,
    Policy,
    Talk,
    Tour,
    at,
    exhibit,
    full_exhibit,
)
from tests.scenarios.ways import LOGIN

# What JavaScript's numbers can hold.
FULL = full_exhibit(
    weight=Decimal("12.125"), scores=frozenset({-1, 0, 10**15}), lasts=timedelta(days=3, microseconds=1)
)
SMALL = [
    exhibit(
        number,
        period="Roman",
        room=12,
        views=number,
        weight=Decimal(number),
        label="L",
        shown=True,
        acquired=at(number),
    )
    for number in range(1, 6)
]
TALKS = [Talk(house="Uffizi", begins=at(hour), speaker="Ada") for hour in (9, 11)]
TOURS = [Tour(house="Uffizi", begins=at(hour), guests=hour) for hour in (8, 10)]
LOANS = [Loan(partner="Prado", due=f"2026-0{month}", exhibit="Vase") for month in (1, 3, 5)]
POLICIES = [Policy(partner="Prado", due=f"2026-0{month}", sum=month) for month in (2, 3, 4)]
EVERYTHING: list[Any] = [FULL, *SMALL, *TALKS, *TOURS, *LOANS, *POLICIES]
ALIASES = {Exhibit: "exhibits", Talk: "talks", Tour: "tours", Loan: "loans", Policy: "policies"}


@dataclass(frozen=True, slots=True)
class Shared:
    """A table at which both can work."""

    engine: Engine
    database: tw.Database
    node: Node
    endpoint: str

    def electro(self, lines: dict[str, str], **given: Any) -> dict[str, Any]:
        """Run lines of ElectroDB; their answers by id."""
        payload = {"endpoint": self.endpoint, "service": "museum", "lines": lines, "given": to_data(given)}
        answers = from_data(self.node.run("shared_table.cjs", payload))
        for name, answer in answers.items():
            assert not isinstance(answer, dict) or "error" not in answer, f"{lines[name]}: {answer['error']}"
        return answers  # type: ignore[no-any-return]

    def stored(self) -> list[Any]:
        """The whole table, sets in one order."""
        items = self.engine.call("Scan", {"TableName": "museum"})["Items"]
        return sorted((settled(item) for item in items), key=lambda item: (item["pk"]["S"], item["sk"]["S"]))


@contextmanager
def shared_table(node: Node) -> Generator[Shared]:
    with Engine() as engine, serve(engine) as server:
        engine.call("CreateTable", TABLE)
        with tw.Database.aws(endpoint_url=server.url, **LOGIN) as database:
            yield Shared(engine, database, node, server.url)


# ---- values as JSON --------------------------------------------------------------------------------------------------


def to_data(value: Any) -> Any:
    match value:
        case bytes():
            return {"$bytes": base64.b64encode(value).decode()}
        case set() | frozenset():
            return {"$set": [to_data(each) for each in sorted(value)]}
        case list() | tuple():
            return [to_data(each) for each in value]
        case dict():
            return {name: to_data(each) for name, each in value.items()}
        case Decimal():
            return float(value)
        case _:
            return value


def from_data(value: Any) -> Any:
    if isinstance(value, list):
        return [from_data(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "$bytes" in value:
        return base64.b64decode(value["$bytes"])
    if "$set" in value:
        return {from_data(each) for each in value["$set"]}
    return {name: from_data(each) for name, each in value.items()}


def settled(item: dict[str, Any]) -> dict[str, Any]:
    return {
        name: {kind: sorted(held) if kind in ("SS", "NS", "BS") else held}
        for name, value in item.items()
        for kind, held in value.items()
    }


def as_electro_says(item: Any) -> dict[str, Any]:
    """The attributes of an item as JavaScript knows them: by the schema's names, numbers as floats, sets as lists."""
    values = from_data(to_data({name: value for name, value in item.put().values.items() if value != set()}))
    return in_any_order(values)


def in_any_order(answer: dict[str, Any]) -> dict[str, Any]:
    """ElectroDB gives sets as lists."""
    return {name: sorted(value) if name in ("tags", "scores") else value for name, value in answer.items()}


# ---- writing ---------------------------------------------------------------------------------------------------------


def write_all(database: tw.Database) -> None:
    database.run(tw.batch_write(*(item.put() for item in EVERYTHING)))


def electro_writes(shared: Shared) -> None:
    lines = {str(at): f"{ALIASES[type(item)]}.put(given.items[{at}]).go()" for at, item in enumerate(EVERYTHING)}
    shared.electro(lines, items=[as_electro_says(item) for item in EVERYTHING])
