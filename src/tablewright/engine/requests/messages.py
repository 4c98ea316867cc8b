"""All faults of a request as one message, with what each operation tells less or otherwise.

The newer form of a fault names the member as clients write it and does not show its value; with classic wording the
older form is told throughout.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tablewright.engine.requests.envelope import WRITES, is_older_reading

if TYPE_CHECKING:
    from tablewright.engine.store.values import Words

Params = dict[str, Any]

ENUM = "Member must satisfy enum value set:"
NEW_OPERATORS = f"Failed to satisfy constraint: {ENUM} [ALL, OR]"
NEWER_WORDS = {
    "returnValues": "ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE",  # as the service spells it
    "conditionalOperator": "ALL, OR",
}
BOUNDED = re.compile(r"Value '-?[0-9]+' at '(limit|segment)' ")
EMPTY_NAME = "Value '' at 'tableName' failed to satisfy constraint: "


def list_faults(action: str, params: Params, found: list[str], words: Words) -> str:
    """What the service says of these faults."""
    if words == "current":
        if action == "Query" and _only_words(found) and any("'conditionalOperator'" in each for each in found):
            return NEW_OPERATORS
        found = _reword(action, params, found)
    found = _trim(action, params, found)
    return number_faults([_rename(each) for each in found] if is_newer(action, params, words) else found)


def is_newer(action: str, params: Params, words: Words) -> bool:
    """Whether the newer layer looks at the members of a write: it does when there is something to write."""
    subject = "Item" if action == "PutItem" else "Key"
    return words == "current" and action in WRITES and subject in params and not is_older_reading(params)


def _rename(fault: str) -> str:
    """A word that is none of those allowed, as the newer layer tells it: without saying which."""
    for member, allowed in NEWER_WORDS.items():
        if f"' at '{member}' " in fault and ENUM in fault:
            return f"Failed to satisfy constraint: {ENUM} [{allowed}]"
    return fault


def number_faults(found: list[str]) -> str:
    return f"{len(found)} validation error{'s' if len(found) > 1 else ''} detected: {'; '.join(found)}"


def at_least(length: int) -> str:
    return f"Member must have length greater than or equal to {length}"


def _only_words(found: list[str]) -> bool:
    """Whether all that is wrong are words that are none of those allowed."""
    return all(ENUM in each for each in found)


def _trim(action: str, params: Params, found: list[str]) -> list[str]:
    """Where the service tells less: one fault of a complete UpdateItem, a limit without value, words before names."""
    if action == "UpdateItem" and "Key" in params:
        return sorted(found, key=lambda fault: "'returnValues'" not in fault)[:1]
    if action == "Query" and len(found) == 1:
        return [BOUNDED.sub(_hide_value, found[0])]
    if action == "BatchWriteItem" and len(found) == 2 and "Map keys must satisfy" in found[1] and ENUM in found[0]:
        return found[:1]
    return found


def _reword(action: str, params: Params, found: list[str]) -> list[str]:
    """The newer forms: of limits, of the size of a batch, and of an UpdateItem without key or table."""
    if action == "Scan" and len(found) == 1:
        return [BOUNDED.sub(_hide_value, found[0])]
    if action in ("BatchGetItem", "BatchWriteItem") and len(found) == 1:
        return [_reword_count(found[0])]
    if action == "UpdateItem" and params.get("TableName") == "":
        named = [each for each in found if each.startswith(EMPTY_NAME)]
        return [EMPTY_NAME + at_least(1) if each is named[0] else each for each in found if each not in named[1:]]
    return found


def _hide_value(fault: re.Match[str]) -> str:
    return f"Value at '{fault[1].capitalize()}' "


def _reword_count(fault: str) -> str:
    """A batch, or the keys of one table in it, of which there are too many or none."""
    shown, _, rule = fault.rpartition("' failed to satisfy constraint: ")
    path = shown.rpartition("' at '")[2]
    if rule.startswith("Member must have length") and (path == "requestItems" or path.endswith(".member.keys")):
        member = f"R{path[1:]}".removesuffix("keys") + ("Keys" if path.endswith("keys") else "")
        return f"Value at '{member}' failed to satisfy constraint: {rule}"
    return fault
