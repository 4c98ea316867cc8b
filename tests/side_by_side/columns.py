"""Cases with a column for each way to say the same thing, and how two requests are shown next to each other."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from pprint import pformat
from typing import Any

from tests.conformance.electrodb.compare import meaning
from tests.conftest import Node

WIDTH = 100


@dataclass(frozen=True, slots=True)
class Case:
    """One request: as a line of ElectroDB, and as an operation (or whatever else it should be) of ours."""

    name: str
    electro: str
    typed: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What Node answered: requests and calls by the name of their case, and the service's own schemas."""

    lines: dict[str, Any]
    schemas: dict[str, Any]
    table: str

    def request(self, case: Case) -> Any:
        return self.of(case)["request"]

    def calls(self, case: Case) -> list[Any]:
        calls: list[Any] = self.of(case)["calls"]
        return calls

    def of(self, case: Case) -> dict[str, Any]:
        line: dict[str, Any] = self.lines[case.name]
        assert "error" not in line, f"ElectroDB refuses {case.electro}: {line['error']}"
        return line


def record(node: Node, service: str, cases: list[Case], schemas: Any = None) -> Recorded:
    """Run every line of the cases on Node, at once."""
    names = [case.name for case in cases]
    assert len(names) == len(set(names)), "two cases have the same name"
    lines = {case.name: case.electro for case in cases}
    answer = node.run("side_by_side.cjs", {"service": service, "lines": lines, "schemas": schemas})
    return Recorded(from_data(answer["lines"]), from_data(answer["schemas"]), answer["table"])


def from_data(value: Any) -> Any:
    """What JSON cannot hold, from the form that the Node side gives it."""
    if isinstance(value, list):
        return [from_data(each) for each in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"$bytes"}:
        return base64.b64decode(value["$bytes"])
    if set(value) == {"$set"}:
        return set(value["$set"])
    return {name: from_data(each) for name, each in value.items()}


def assert_same(left_title: str, left: Any, right_title: str, right: Any) -> None:
    """Equal by meaning; if not, the failure shows both."""
    assert meaning(left) == meaning(right), "\n" + next_to_each_other(left_title, left, right_title, right)


def next_to_each_other(left_title: str, left: Any, right_title: str, right: Any) -> str:
    columns = [
        [title, "", *pformat(value, width=WIDTH).splitlines()]
        for title, value in ((left_title, left), (right_title, right))
    ]
    width = max(len(line) for line in columns[0])
    rows = zip_longest(*columns, fillvalue="")
    return "\n".join(f"{left_line:{width}} | {right_line}".rstrip() for left_line, right_line in rows)
