"""A spec whose names and texts do their best to break generated code."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from tablewright.architect.designer import design

if TYPE_CHECKING:
    from tablewright.design.model import Design

WORDS = ("class", "default", "prototype", "await", "import", "def", "None", "input", "db", "attributes", "type", "item")
INHERITED = ("constructor", "toString", "hasOwnProperty", "valueOf")
"""What every object of JavaScript has; ElectroDB takes no such attribute."""
ODD = (
    "first name",
    "e-mail",
    "50%",
    "größe",
    'say "hi"',
    "it's",
    "back\\slash",
    "`tick`",
    "dollar$",
    "*/ comment",
    "#",
)
ENTITIES = ("Page", "Item", "Value", "Set", "Promise", "class", "order line", "OrderLine", "Database", "Entity")


def attributes_of(id_: str, inherited: tuple[str, ...]) -> dict[str, Any]:
    words = dict.fromkeys((*WORDS, *ODD, *inherited), "string")
    return {
        id_: "string",
        "kind": {"values": ['a"b', "*/", "${x}", "back\\slash", "line\nbreak"], "required": True},
        "at": {"type": "timestamp", "required": True},
        **words,
    }


@cache
def nasty(style: Any, *, inherited: bool = True) -> Design:
    """`inherited`: with what ElectroDB takes no attribute for; its own style goes without."""
    words = INHERITED if inherited and style == "plain" else ()
    entities = {
        name: {"id": f"id{number}", "attributes": attributes_of(f"id{number}", words)}
        for number, name in enumerate(ENTITIES)
    }
    patterns: list[dict[str, Any]] = []
    for number, name in enumerate(ENTITIES):
        about = {"entity": name, "by": f"id{number}"}
        patterns += [
            {"id": f"get {name}", "kind": "get", "description": f'*/ ${{x}} `{name}` \\ "quoted"', **about},
            {"id": f"put-{name}", "kind": "write", "op": "put", "description": "write", **about},
            {"id": f"put_{name}", "kind": "write", "op": "update", "description": "日本語", **about},
        ]
    by_word = [
        {"id": "AP1", "kind": "query", "entity": "Page", "by": ["prototype"], "sort": "at"},
        {"id": "AP-1", "kind": "query", "entity": "Set", "by": ["first name", "e-mail"], "description": "class"},
        {"id": "ap1", "kind": "query", "entity": "class", "by": ["kind"], "sort": "at desc", "limit": 3},
        {"id": "a*/b", "kind": "query", "entity": "Value", "by": ['say "hi"'], "description": "read items"},
    ]
    spec = {"name": "Nasty */ ${shop} `1`", "title": 'A "nasty" */ ${title}', "entities": entities}
    return design({**spec, "access_patterns": [*patterns, *by_word]}, key_style=style)
