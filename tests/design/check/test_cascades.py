"""Cascades of designs that were tampered with."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest

from tablewright.architect.designer import design
from tablewright.design.read import design_json, read_design
from tablewright.errors import DesignError
from tests.design.check.test_check import tampered
from tests.proof.forum import FORUM


@cache
def forum() -> dict[str, Any]:
    content = msgspec.json.decode(design_json(design(FORUM)), type=dict[str, Any])
    content["patterns"].sort(key=lambda each: each["id"] != "drop board")
    return content


def test_what_was_made_is_read():
    assert read_design(forum()).patterns[0].cascade


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (("of",), "User", "there is no entity that is deleted 'User'"),
        (("of",), "Nobody", "there is no entity that is deleted 'Nobody'"),
        (("entity",), "PostSlug", "there is no entity with items of its own 'PostSlug'"),
        (("by",), {}, "has not the whole id of Board: boardId"),
        (("by",), {"nothing": "boardId"}, "there is no attribute 'nothing'"),
        (("reads",), [], "nothing is found without one"),
        (("reads", 0, "table"), "elsewhere", "there is no table 'elsewhere'"),
        (("reads", 0, "pk", 0, "template"), "X#{title}", "title"),
        (("writes",), [], "do not delete Post"),
        (("writes", 0, "item"), "Nobody", "there is no item type 'Nobody'"),
        (("writes", 0, "key", 0, "template"), "X#{nobody}", "nobody"),
        (("transaction",), False, "several writes go in one transaction"),
    ],
    ids=str,
)
def test_faults(path: tuple[str | int, ...], value: Any, fault: str):
    with pytest.raises(DesignError) as refused:
        read_design(tampered(forum(), ("patterns", 0, "cascade", 0, *path), value))
    assert fault in str(refused.value)
    assert "patterns[0].cascade[0]" in str(refused.value)


def test_only_deletes_go_on():
    with pytest.raises(DesignError, match="only deletes and transactions have it"):
        read_design(tampered(forum(), ("patterns", 0, "op"), "update"))
