"""Queues, kept versions and marks of deletion as declared: names become the schema's, and attributes are added.

What holds a claim or a mark is an ordinary attribute. A class that wants to read it declares it; else it is added to
the schema alone.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import SchemaError
from tablewright.runtime.types.scalars import SCALARS
from tablewright.schema.features import History, Lease, SoftDelete
from tablewright.schema.types import NUMBER, STRING, Attribute

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.runtime.declare.access import Pattern
    from tablewright.runtime.declare.attr import Slots
    from tablewright.schema.model import AccessPattern

    Said = Mapping[str, Any]

DOCS = {
    "token": "The current claim.",
    "worker": "Who has claimed it.",
    "counter": "How often it was claimed.",
    "dead": "Since when it is dead.",
}


# ---- queues --------------------------------------------------------------------------------------------------------


def queue_of(pattern: Pattern[Any], slots: Slots, where: str) -> Lease:
    given = pattern.options.queue
    lease = Lease() if given is True else given
    if not isinstance(lease, Lease):
        raise SchemaError(f"{where}: queue is True or tw.Lease(...), not {given!r}", code=1009)
    due = lease.due or next(iter(pattern.signature.sk), "")
    slot = slots.get(due)
    if slot is None or slot.codec.encode_quickly is not SCALARS[datetime].encode_quickly:
        remedy = "let the first one after * be a datetime, and the attribute Attr[datetime | None]"
        raise SchemaError(f"{where}: a queue is sorted by the time its items are due; {remedy}", code=1009)
    if slot.attr.options.get("read_only"):
        raise SchemaError(f"{where}: {due} is read-only, but every claim moves it", code=1009)
    named = {each: slots.named(getattr(lease, each)) for each in DOCS}
    return msgspec.structs.replace(lease, due=slot.name, **named)


def queue_attributes(patterns: Iterable[AccessPattern], slots: Slots) -> tuple[Attribute, ...]:
    """The attributes of claims that the class does not declare itself."""
    declared = {slot.name for slot in slots.values()}
    leases = [pattern.queue for pattern in patterns if pattern.queue is not None]
    named = [(str(getattr(lease, role)), role) for lease in leases for role in DOCS]
    return tuple(
        Attribute(name=name, type=NUMBER if role == "counter" else STRING, field=name, doc=DOCS[role])
        for name, role in named
        if name not in declared
    )


# ---- history and soft delete ---------------------------------------------------------------------------------------


def _history_of(where: str, slots: Slots, said: Said) -> History | None:
    given = said.get("history")
    if given is None or given is False:
        return None
    history = History() if given is True else given
    if not isinstance(history, History):
        raise SchemaError(f"{where}: history is True or tw.History(...), not {given!r}", code=1009)
    by = history.by
    if by is not None and by not in slots:
        raise SchemaError(f"{where}: history names {by!r}; its attributes are {', '.join(slots)}", code=1009)
    kept = {"by": None if by is None else slots[by].name}
    if isinstance(history.keep, timedelta):
        seconds = _seconds_of(history.keep, where, "history")
        return msgspec.structs.replace(history, keep=None, keep_seconds=seconds, **kept)
    return msgspec.structs.replace(history, **kept)


def _soft_delete_of(where: str, slots: Slots, said: Said) -> SoftDelete | None:
    given = said.get("soft_delete")
    if given is None or given is False:
        return None
    soft = SoftDelete() if given is True else given
    if not isinstance(soft, SoftDelete):
        raise SchemaError(f"{where}: soft_delete is True or tw.SoftDelete(...), not {given!r}", code=1009)
    slot = slots.get(soft.attribute)
    if slot is not None and slot.codec.encode_quickly is not SCALARS[datetime].encode_quickly:
        raise SchemaError(f"{where}.{slot.python_name} marks deleted items; declare it as datetime | None", code=1009)
    keep = None if soft.keep is None else _seconds_of(soft.keep, where, "soft_delete")
    return SoftDelete(slots.named(soft.attribute), keep)


def _seconds_of(keep: Any, where: str, what: str) -> int:
    if not isinstance(keep, timedelta) or keep < timedelta(seconds=1):
        raise SchemaError(f"{where}: {what} keeps for {keep!r}; give a timedelta of at least a second", code=1009)
    return int(keep.total_seconds())


def mark_attributes(where: str, slots: Slots, said: Said) -> tuple[Attribute, ...]:
    """The mark of deletion, where the class does not declare it itself."""
    soft = _soft_delete_of(where, slots, said)
    if soft is None or any(slot.name == soft.attribute for slot in slots.values()):
        return ()
    return (Attribute(name=soft.attribute, type=STRING, field=soft.attribute, doc="When it was deleted."),)


PAST = {"history": _history_of, "soft_delete": _soft_delete_of}
