"""Keeping versions: every write of an item puts a copy of what it has become beside it, in the same transaction.

    pk  __history__#app#doc#["$app#doc_d1","$doc_1"]      service, entity, and the item's own key as JSON
    sk  __history__#0000000003                            the number of the version
    number, at (when), item (the stored item, in a map, so that it is in no index), by (who, where that is declared)

The number is that of optimistic locking, so that writes which raced cannot have the same one. A deletion is a version
without an item.

An item that is created where there was one goes on counting where the other ended: its first version finds the place
taken, because a deletion sees to it that something stands there, if only a number.
"""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.expr.nodes import Function, Name
from tablewright.expr.render import Placeholders, render_condition
from tablewright.runtime.clock import now
from tablewright.runtime.features.companion import Clause, Renumber, companion_identity, companion_key
from tablewright.runtime.features.member import is_still
from tablewright.runtime.requests.request import call
from tablewright.runtime.types.scalars import encode_datetime
from tablewright.schema.features import History

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from tablewright.expr.nodes import Condition
    from tablewright.runtime.features.companion import Change, Item, Kind, Verdict
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.layout import Layout
    from tablewright.schema.model import Entity

Params = dict[str, Any]

MARK = "__history__"
LONGEST = 900  # bytes of a key that stand in another as they are
DIGITS = 10
LAST = 10**DIGITS - 1


class _KeptVersions(msgspec.Struct, frozen=True, eq=False):
    """Keeps the versions of one entity's items."""

    history: History
    lock: str  # the field of the version
    by: str | None  # the field that says who wrote it

    def needs(self, kind: Kind, fields: Collection[str]) -> Collection[str] | None:  # noqa: ARG002 - a Companion
        return () if kind == "put" else (self.lock,)

    def holds(self, change: Change) -> Iterator[Condition]:
        if change.old is not None:
            yield is_still(change.old, self.lock)

    def clauses(self, changes: Sequence[Change]) -> Iterator[Clause]:
        for change in changes:
            if change.new is not None or change.old is not None:
                number = self.number(change)
                yield self.copy(change, number)
                yield from self.outdated(change, number)

    def number(self, change: Change) -> int:
        if change.new is not None:
            return int(change.new[self.lock])
        assert change.old is not None
        return int(change.old.get(self.lock, 0)) + 1

    def copy(self, change: Change, number: int) -> Clause:
        layout, new = change.layout, change.new
        item: Params = {
            **version_key(layout, change.key, number),
            "number": number,
            "at": encode_datetime(now()),
            **companion_identity(layout, "history"),
        }
        if new is None:
            return Clause(layout, "keep", "Put", {"TableName": change.table, "Item": item}, _never)
        item["item"] = dict(new)
        if self.by is not None and self.by in new:
            item["by"] = new[self.by]
        body = {"TableName": change.table, "Item": item, **_condition_on(layout, "attribute_not_exists")}
        return Clause(layout, "keep", "Put", body, lambda _: _renumber(change))

    def outdated(self, change: Change, number: int) -> Iterator[Clause]:
        """What happens to older versions: the one that is one too many goes, or the last one gets its time."""
        layout, keep = change.layout, self.history.keep
        too_many = number - keep if keep is not None else 0
        first = 1
        if change.new is None and number > 1:
            yield _holding_the_place(change, is_kept=too_many != 1)
            first = 2
        if too_many >= first:
            key = version_key(layout, change.key, too_many)
            yield Clause(layout, "keep", "Delete", {"TableName": change.table, "Key": key}, _never)
        if self.history.keep_seconds is not None and number > first:
            yield self.expiring(change, number - 1)

    def expiring(self, change: Change, number: int) -> Clause:
        layout, kept = change.layout, timedelta(seconds=self.history.keep_seconds or 0)
        condition = _condition_on(layout, "attribute_exists")
        body = {
            "TableName": change.table,
            "Key": version_key(layout, change.key, number),
            **condition,
            "UpdateExpression": "SET #expires = :expires",
            "ExpressionAttributeNames": {**condition["ExpressionAttributeNames"], "#expires": _expiry_field(layout)},
            "ExpressionAttributeValues": {":expires": int((now() + kept).timestamp())},
        }
        return Clause(layout, "keep", "Update", body, lambda _: "leave out")


def history_companion(entity: Entity) -> _KeptVersions:
    history, lock = entity.features.history, entity.attribute(entity.features.version or "")
    assert history is not None
    assert lock is not None
    by = None if history.by is None else entity.attribute(history.by)
    return _KeptVersions(history, lock.field, None if by is None else by.field)


def _holding_the_place(change: Change, *, is_kept: bool) -> Clause:
    """The first version of what is deleted stays, or its number does; so whoever comes next knows of it."""
    layout = change.layout
    fields = {"#number": "number", "#expires": _expiry_field(layout)}
    dropped = {} if is_kept else {"#at": "at", "#by": "by", "#item": "item"}
    identity = {f"#identity{at}": pair for at, pair in enumerate(companion_identity(layout, "history").items())}
    assigned = ["#number = if_not_exists(#number, :one)", *(f"{name} = :{name[1:]}" for name in identity)]
    body = {
        "TableName": change.table,
        "Key": version_key(layout, change.key, 1),
        "UpdateExpression": f"SET {', '.join(assigned)} REMOVE {', '.join(['#expires', *dropped])}",
        "ExpressionAttributeNames": {**fields, **dropped, **{name: field for name, (field, _) in identity.items()}},
        "ExpressionAttributeValues": {":one": 1, **{f":{name[1:]}": value for name, (_, value) in identity.items()}},
    }
    return Clause(layout, "keep", "Update", body, _never)


def is_kept(stored: Item) -> bool:
    """Whether it is a version, and not only a place that is held."""
    return "at" in stored


# ---- numbers ---------------------------------------------------------------------------------------------------------


def _renumber(change: Change) -> Verdict:
    """There is such a version already, of an item that was there before: count on from the last one."""
    return Renumber(change.table, change.key, lambda: _next_number(change.layout, change.table, change.key))


def _next_number(layout: Layout, table: str, key: Mapping[str, Any]) -> Flow[int]:
    reply = yield from call("Query", versions_request(layout, table, key, ConsistentRead=True, Limit=1))
    return max((int(item["number"]) for item in reply["Items"]), default=0) + 1


def versions_request(layout: Layout, table: str, key: Mapping[str, Any], *, below: int = LAST, **more: Any) -> Params:
    """The request for versions, newest first."""
    pk, sk = (side.field for side in (layout.primary.pk, layout.primary.sk) if side is not None)
    low, high = version_key(layout, key, 0), version_key(layout, key, below)
    return {
        "TableName": table,
        "KeyConditionExpression": "#pk = :pk AND #sk BETWEEN :low AND :high",
        "ExpressionAttributeNames": {"#pk": pk, "#sk": sk},
        "ExpressionAttributeValues": {":pk": low[pk], ":low": low[sk], ":high": high[sk]},
        "ScanIndexForward": False,
        **more,
    }


# ---- pieces ----------------------------------------------------------------------------------------------------------


def version_key(layout: Layout, key: Mapping[str, Any], number: int) -> dict[str, str]:
    text = json.dumps([key[field] for field, _ in layout.table_key], ensure_ascii=False, separators=(",", ":"))
    if len(text.encode()) > LONGEST:
        text = f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
    pk = f"{MARK}#{layout.entity.service}#{layout.entity.name}#{text}"
    return companion_key(layout, pk, f"{MARK}#{number:0{DIGITS}d}")


def _condition_on(layout: Layout, function: Any) -> Params:
    placeholders = Placeholders()
    text = render_condition(Function(function, (Name((layout.primary.pk.field,)),)), placeholders)
    return {"ConditionExpression": text, "ExpressionAttributeNames": placeholders.names}


def _expiry_field(layout: Layout) -> str:
    """The field of the entity's own time to live, which is the table's; `expires` without one."""
    return "expires" if layout.ttl is None else layout.attributes[layout.ttl.attribute].field


def _never(_: Item | None) -> Verdict:
    return "again"
