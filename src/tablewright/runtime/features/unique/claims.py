"""Unique attributes: for every value in use a sentinel item that knows its owner, written in the same transaction.

    pk  __unique__#app#user#email#["ann@example.com"]     (service, entity, attributes, values as JSON)
    sk  __unique__

A value is claimed by a put of its sentinel, on condition that there is none or that it is this item's own already; it
is given back by a delete, on condition that it is this item's. Values too long for a key are hashed. Items that lack
one of the attributes claim nothing.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import NotUnique
from tablewright.expr import nodes
from tablewright.expr.render import Placeholders, render_condition
from tablewright.runtime.features.companion import Change, Clause, companion_identity, companion_key
from tablewright.runtime.features.member import is_still
from tablewright.wire.numbers import number_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from tablewright.runtime.features.companion import Failed, Item, Kind, Verdict
    from tablewright.runtime.items.layout import Layout
    from tablewright.schema.model import Entity

MARK = "__unique__"
OWNER = "owner"  # the field of a sentinel that holds its owner's table key
COMPOSITES = "composites"  # what that key is made of, by attribute
LONGEST = 900  # bytes of values that stand in a key as they are; DynamoDB allows 2048 for all of it


class Claim(msgspec.Struct, frozen=True):
    """A value that an item has or wants: the key of its sentinel, the attributes and the item's own key."""

    attributes: tuple[str, ...]
    values: tuple[Any, ...]
    sentinel: tuple[tuple[str, str], ...]
    owner: tuple[tuple[str, Any], ...]
    composites: tuple[tuple[str, Any], ...]  # the same by attribute, for people


class UniqueValues(msgspec.Struct, frozen=True, eq=False):
    """Keeps the sentinels of one entity."""

    groups: tuple[tuple[str, ...], ...]
    fields: frozenset[str]

    def needs(self, _kind: Kind, fields: Collection[str]) -> Collection[str] | None:
        return self.fields if self.fields.intersection(fields) else None

    def holds(self, change: Change) -> Iterator[nodes.Condition]:
        if change.old is not None:
            for field in sorted(self.fields):
                yield is_still(change.old, field)

    def clauses(self, changes: Sequence[Change]) -> Iterator[Clause]:
        """A value that one item gives back and another takes changes hands in one clause."""
        returned: dict[Any, tuple[Change, Claim]] = {}
        wanted: dict[Any, tuple[Change, Claim]] = {}
        for change in changes:
            old, new = self.claims(change, change.old), self.claims(change, change.new)
            returned.update({key: (change, claim) for key, claim in old.items() if key not in new})
            for key, claim in new.items():
                if key in wanted:
                    raise _taken(change.layout, claim, dict(wanted[key][1].composites))
                if key not in old:
                    wanted[key] = change, claim
        for key, (change, claim) in wanted.items():
            yield take(change, claim, returned.pop(key, (change, claim))[1])
        for change, claim in returned.values():
            yield give_back(change, claim)

    def claims(self, change: Change, item: Item | None) -> dict[Any, Claim]:
        """The values an item has, by the key of their sentinel."""
        found = (claim_of(change.layout, group, item, change.key) for group in self.groups)
        return {(change.table, claim.sentinel): claim for claim in found if claim is not None}


def unique_companion(entity: Entity) -> UniqueValues:
    named = {each.name: each.field for each in entity.attributes}
    fields = frozenset(named[name] for group in entity.features.unique for name in group)
    return UniqueValues(entity.features.unique, fields)


def claim_of(layout: Layout, group: tuple[str, ...], item: Item | None, key: Mapping[str, Any]) -> Claim | None:
    if item is None:
        return None
    values = tuple(item.get(layout.attributes[name].field) for name in group)
    if any(value is None for value in values):
        return None
    sentinel = sentinel_key(layout, group, values)
    composites = ((name, item.get(layout.attributes[name].field)) for name in layout.table_composites)
    known = tuple((name, value) for name, value in composites if value is not None)
    return Claim(group, values, tuple(sentinel.items()), tuple(key.items()), known)


# ---- sentinels -------------------------------------------------------------------------------------------------------


def entity_mark(layout: Layout) -> str:
    """Whose values a sentinel guards."""
    return f"{layout.entity.service}#{layout.entity.name}"


def sentinel_key(layout: Layout, group: Sequence[str], values: Sequence[Any]) -> dict[str, str]:
    """Where the sentinel of these values is."""
    text = json.dumps([_plain_value(value) for value in values], ensure_ascii=False, separators=(",", ":"))
    if len(text.encode()) > LONGEST:
        text = f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
    return companion_key(layout, f"{MARK}#{entity_mark(layout)}#{','.join(group)}#{text}", MARK)


def _plain_value(value: Any) -> Any:
    """One spelling for equal values: numbers as DynamoDB writes them, bytes as base64, each told from texts."""
    if isinstance(value, str | bool):
        return value
    if isinstance(value, bytes | bytearray):
        return {"B": b64encode(value).decode()}
    return {"N": number_text(value)}


def take(change: Change, claim: Claim, before: Claim) -> Clause:
    """Claim a value: nobody has it, or the item itself, or the one that gives it back in this transaction."""
    item = {
        **dict(claim.sentinel),
        OWNER: dict(claim.owner),
        COMPOSITES: dict(claim.composites),
        "entity": entity_mark(change.layout),
        "attributes": list(claim.attributes),
        **companion_identity(change.layout, "unique"),
    }
    mine = nodes.Compare("=", nodes.Name((OWNER,)), nodes.Value(dict(before.owner)))
    body = {"TableName": change.table, "Item": item, **_conditional(claim, mine)}
    return Clause(change.layout, "claim", "Put", body, _means_taken(change.layout, claim))


def give_back(change: Change, claim: Claim) -> Clause:
    """Give a value back. Where the sentinel is another's (the item is older than the rule), it stays."""
    mine = nodes.Compare("=", nodes.Name((OWNER,)), nodes.Value(dict(claim.owner)))
    body = {"TableName": change.table, "Key": dict(claim.sentinel), **_conditional(claim, mine)}
    return Clause(change.layout, "give_back", "Delete", body, lambda _: "leave out")


def _conditional(claim: Claim, mine: nodes.Condition) -> dict[str, Any]:
    missing = nodes.Function("attribute_not_exists", (nodes.Name((claim.sentinel[0][0],)),))
    placeholders = Placeholders()
    text = render_condition(nodes.Or((missing, mine)), placeholders)
    return {
        "ConditionExpression": text,
        "ExpressionAttributeNames": placeholders.names,
        "ExpressionAttributeValues": placeholders.values,
    }


def _means_taken(layout: Layout, claim: Claim) -> Failed:
    def failed(item: Item | None) -> Verdict:
        return "again" if item is None else _taken(layout, claim, item.get(COMPOSITES, {}))

    return failed


def _taken(layout: Layout, claim: Claim, owner: Mapping[str, Any]) -> NotUnique:
    named = zip(claim.attributes, claim.values, strict=True)
    what = " and ".join(f"{layout.called(name)} {value!r}" for name, value in named)
    where = ", ".join(f"{layout.called(name)}={value!r}" for name, value in owner.items())
    return NotUnique(
        f"{layout.name}: {what} belongs to another item ({where}); choose another value, or change that item first",
        attributes=claim.attributes,
        values=claim.values,
        owner=owner,
    )
