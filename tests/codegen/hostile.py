"""Specs whose texts try to become code in every language that is generated.

`MARK` is a word that no generator makes of any text: names are taken apart into words and put together otherwise. So
wherever it stands as an identifier, a command, a tag or a variable, a text has become code.
"""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any

from tablewright.architect.designer import design

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design

MARK = "P_w_N"
ENDS = ("\n", "\r\n", "\r", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x00")
TEXTS = (
    f'"; {MARK}(); "',
    f"'; {MARK}(); '",
    f"`; {MARK}(); `",
    f'"""\n{MARK}()\n"""',
    f"'''\n{MARK}()\n'''",
    f"*/ {MARK}(); /*",
    f"${{{MARK}}}",
    f"`${{{MARK}}}`",
    f"%{{{MARK}}}",
    f"$({MARK})",
    f"`{MARK}`",
    f"; {MARK} ;",
    f"' ; {MARK} ; '",
    f"&& {MARK} ||",
    f"{{% ${MARK} %}}",
    f"%}}{{% {MARK} %}}",
    f"</script><{MARK} onload={MARK}()>",
    f'"><{MARK}>',
    f"--><{MARK}><!--",
    f"` <{MARK}>",
    f"[{MARK}](javascript:{MARK}())",
    f"![{MARK}](x)",
    f"<javascript:{MARK}>",
    f"rests on: {MARK}: https://elsewhere.example/{MARK}",
    f"\n\n# {MARK}\n\n",
    f"\n```\n{MARK}\n<{MARK}>\n",
    f"\n~~~\n<{MARK}>\n",
    f"\n---\n{MARK}: 1",
    f"| {MARK} |",
    f"\\\n{MARK}",
    "ends with a backslash \\",
    'ends with a quote "',
    "ends with quotes '''",
    'ends with quotes """',
    "ends with a tick `",
    'is a backslash and a quote \\"',
    f"#{{{MARK}}}",
    f"-- {MARK}\n{MARK};",
    f"=== {MARK} {{",
    *(f"a{end}{MARK}{end}b" for end in ENDS),
    *(f"{end}{MARK}()" for end in ENDS[:3]),
)


def texts(seed: int) -> Iterator[str]:
    """All of them again and again, each spec from another one on, so that each text comes to every place."""
    found = cycle(TEXTS)
    for _ in range(seed * 7 % len(TEXTS)):
        next(found)
    return found


def words(seed: int, style: Any = "plain") -> Design:
    """Names that every language takes; texts that none should."""
    text = texts(seed)
    held = (each for each in text if style == "plain" or "#" not in each)  # what keys hold in that style
    values = list(dict.fromkeys(next(held) for _ in range(4)))
    entities: dict[str, Any] = {
        "Member": {
            "id": "memberId",
            "unique": "email",
            "attributes": {
                "memberId": {"doc": next(text)},
                "email": "string",
                "status": {"values": values, "required": True, "doc": next(text)},
                "joined": {"type": "timestamp", "required": True},
                "points": "number",
            },
            "notes": next(text),
        },
        "Visit": {
            "id": ["memberId", "visitId"],
            "attributes": {"memberId": "string", "visitId": "string", "at": {"type": "timestamp", "required": True}},
            "ttl": "30d",
        },
    }
    constant = next(each for each in values if "{" not in each)
    quoted = [each for each in values if "'" not in each] or ["plain"]
    patterns: list[dict[str, Any]] = [
        {"kind": "get", "entity": "Member", "by": "memberId"},
        {"kind": "query", "entity": "Member", "by": "status", "sort": "joined desc", "limit": 3},
        {"kind": "query", "entity": "Visit", "by": "memberId", "sort": "at", "filter": {"visitId": constant}},
        {"kind": "query", "entities": ["Member", "Visit"], "by": "memberId"},
        {"kind": "write", "op": "put", "entity": "Member"},
        {"kind": "write", "op": "put", "entity": "Visit"},
        {
            "kind": "write",
            "op": "update",
            "entity": "Member",
            "by": "memberId",
            "changes": ["points", "status"],
            "condition": f"status <> '{quoted[0]}'\nAND points >= 1",
        },
        {
            "kind": "write",
            "op": "delete",
            "entity": "Member",
            "by": "memberId",
            "condition": "points < 9\n OR points > 9",
        },
    ]
    asked = [{"id": f"{at} {next(text)}", "description": next(text), **each} for at, each in enumerate(patterns)]
    relations = [{"from": "Member", "to": "Visit", "kind": "1:n", "by": "memberId", "cascade": True}]
    spec = {"name": next(text), "title": next(text), "entities": entities, "relationships": relations}
    return design({**spec, "access_patterns": asked}, key_style=style)


def names(seed: int, style: Any = "plain") -> Design:
    """Names of entities, attributes and parameters that are anything but names."""
    text = (each for each in texts(seed) if "{" not in each and "}" not in each)
    ids = [f"{next(text)}{at}" for at in range(2)]
    kind, at, other = (f"{next(text)}{each}" for each in ("k", "t", "o"))
    entities = {
        f"{next(text)}{number}": {
            "id": id_,
            "attributes": {
                id_: "string",
                kind: {"required": True},
                at: {"type": "timestamp", "required": True},
                other: "string",
            },
        }
        for number, id_ in enumerate(ids)
    }
    first, second = entities
    patterns = [
        {"kind": "get", "entity": first, "by": ids[0]},
        {"kind": "query", "entity": first, "by": kind, "sort": [{"attr": at, "order": "desc"}]},
        {"kind": "query", "entity": second, "by": [kind, other], "returns": [kind, ids[1]]},
        {"kind": "write", "op": "put", "entity": first},
        {"kind": "write", "op": "put", "entity": second},
        {"kind": "write", "op": "update", "entity": first, "by": ids[0], "changes": [other, kind]},
        {"kind": "write", "op": "delete", "entity": second, "by": ids[1]},
    ]
    asked = [{"id": f"{at}", "description": next(text), **each} for at, each in enumerate(patterns)]
    return design({"name": "hostile", "entities": entities, "access_patterns": asked}, key_style=style)
