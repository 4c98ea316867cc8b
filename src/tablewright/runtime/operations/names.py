"""What operations are called in observations: by access pattern (`task.by_employee`) or by verb (`task.put`)."""

from __future__ import annotations

from typing import Any

PLURALS = {
    "BatchGet": "batch_get",
    "BatchWrite": "batch_write",
    "GetMany": "batch_get",
    "Snapshot": "transact_get",
    "TransactGet": "transact_get",
    "TransactWrite": "transact",
    "Transaction": "transact",
    "Window": "write_all",
    "WriteMany": "batch_write",
}
INSISTING = {"put": ("only_new", "create"), "update": ("must_exist", "patch"), "delete": ("must_exist", "remove")}
SHOWN_MEMBERS = 4


def name_of(operation: Any) -> str:
    """Names are few, whatever values the operations have, so that they can be the label of a metric."""
    operation = getattr(operation, "operation", operation)  # the loaded style wraps it
    kind = type(operation).__name__
    if kind in PLURALS:
        members = getattr(operation, "writes", None) or getattr(operation, "gets", ())
        return f"{PLURALS[kind]}({_members(members)})"
    if kind == "DeleteFound":
        return f"delete_all({name_of(operation.found)})"
    operation = getattr(operation, "collect", operation)
    if hasattr(operation, "collection"):
        return str(operation.collection.name)
    layout = getattr(operation, "layout", None)
    return kind if layout is None else f"{layout.name}.{_verb(operation)}"


def _members(members: Any) -> str:
    """Each name once, and not all of a crowd."""
    names = list(dict.fromkeys(name_of(each) for each in members))
    more = len(names) - SHOWN_MEMBERS
    return ", ".join([*names[:SHOWN_MEMBERS], *([f"{more} more"] if more > 0 else [])])


def _verb(operation: Any) -> str:
    """The access pattern of a read; what is done by a write."""
    method = getattr(operation, "method", type(operation).__name__.lower())
    if method == "get":
        return str(operation.layout.primary.pattern.name)
    if method == "query":
        return getattr(operation, "asked_as", "") or str(operation.pattern)
    insists, other = INSISTING.get(method, ("", ""))
    return other if insists and getattr(operation, insists, False) else method
