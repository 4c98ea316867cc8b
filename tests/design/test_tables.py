"""A design asks for a stream where no request does all that belongs to a write."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.designer import design


def spec(**more: Any) -> dict[str, Any]:
    return {
        "name": "albums",
        "entities": {
            "Album": {"id": ["albumId"], "attributes": {"albumId": "string", "title": "string"}, "count": 1000},
            "Photo": {
                "id": ["albumId", "photoId"],
                "attributes": {"albumId": "string", "photoId": "string", "size": "number"},
                "count": 50000,
            },
        },
        "relationships": [{"from": "Album", "to": "Photo", "kind": "1:n", "avg": 50, **more}],
        "access_patterns": [
            {"id": "album", "kind": "get", "entity": "Album", "by": ["albumId"], "rate": 1},
            {"id": "photos", "kind": "query", "entity": "Photo", "by": ["albumId"], "rate": 1},
        ],
    }


@pytest.mark.parametrize(
    ("cascade", "stream"),
    [(True, "NEW_AND_OLD_IMAGES"), (False, None)],
)
def test_children_that_go_with_their_parent_need_a_stream(cascade: bool, stream: str | None) -> None:
    (table,) = design(spec(cascade=cascade)).tables
    assert table.stream == stream
    wanted = "Photo items go with their Album" if cascade else "nothing in this design needs it"
    assert wanted in table.why["stream"]
