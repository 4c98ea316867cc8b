"""One item is never looked for in a list that is short on average and very long somewhere."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright import tasks

GET = {"id": "one", "kind": "get", "entity": "Event", "by": ["deviceId", "eventId"], "rate": 0.01}
CHANGE = {"id": "one", "kind": "write", "op": "update", "entity": "Event", "by": ["deviceId", "eventId"], "rate": 0.01}


def events(most: int, pattern: dict[str, Any]) -> dict[str, Any]:
    """A list that is written often, and an item of it that is hardly ever asked for."""
    at = {"type": "timestamp", "required": True, "immutable": True}
    return {
        "name": "logs",
        "entities": {
            "Device": {"id": "deviceId", "attributes": {"name": "string"}, "count": 1000},
            "Event": {"id": ["deviceId", "eventId"], "attributes": {"at": at, "text": "string"}, "count": 5000},
        },
        "relationships": [{"from": "Device", "to": "Event", "kind": "1:n", "avg": 5, "max": most}],
        "access_patterns": [
            {"id": "add", "kind": "write", "op": "put", "entity": "Event", "rate": 100},
            {"id": "list", "kind": "query", "entity": "Event", "by": "deviceId", "sort": "at desc", "rate": 100},
            pattern,
        ],
    }


@pytest.mark.parametrize("pattern", [GET, CHANGE], ids=["get", "update"])
@pytest.mark.parametrize(("most", "is_filtered"), [(50, True), (400_000, False)])
def test_the_longest_list_decides_whether_an_item_is_looked_for_in_it(
    pattern: dict[str, Any], most: int, is_filtered: bool
) -> None:
    design = tasks.design(events(most, pattern), quick=True)
    found = next(each for each in design.patterns if each.id == "one")
    assert any(each.filters for each in found.reads) == is_filtered
