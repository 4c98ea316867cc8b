"""A request on its way out: large values sealed, and what becomes of the references in the items it writes.

Nothing is sent here. A `Passage` is one request made ready: the blobs to store before it, what has to be looked up
before it, and, for each of its writes, which fields may lose a reference and which get one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.runtime.clock import new_id
from tablewright.runtime.features.blobs.expressions import (
    Touched,
    check_conditions,
    compared,
    refuse_compared,
    touched,
)
from tablewright.runtime.features.blobs.large_fields import Kept, owner_of_item, owner_of_key
from tablewright.runtime.features.blobs.request_parts import SINGLE, WRITES, Params, Part, parts_of, with_bodies
from tablewright.runtime.features.blobs.stored_form import Packed, blob_key, is_sealed, pack
from tablewright.wire.call import Call
from tablewright.wire.sizes import value_size_bytes
from tablewright.wire.values import unmarshal

if TYPE_CHECKING:
    from tablewright.runtime.features.blobs.stored_form import Typed

ASKED_OLD = {"NONE": "UPDATED_OLD", "ALL_NEW": "ALL_OLD", "UPDATED_NEW": "ALL_OLD"}
"""What an update asks for, by what its caller wants, so that it is told of the references it replaces."""


class _Fresh(msgspec.Struct, frozen=True):
    """A blob to be stored, and the reference that the item will hold."""

    key: str
    data: bytes


class Write(msgspec.Struct, frozen=True):
    """One write of a request, sealed."""

    part: Part  # as it will be sent
    kept: Kept | None = None
    touches: Mapping[str, Touched] = msgspec.field(default_factory=dict[str, Touched])  # of fields that are offloaded
    fresh: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])  # by field: the key of its new blob
    plain_bytes: int = 0  # what its sealed values would take
    stored_bytes: int = 0  # what they take

    @property
    def key(self) -> Params:
        assert self.kept is not None
        return self.kept.key_of(self.part.held)


class Passage(msgspec.Struct):
    """One request on its way: as it was asked for, as it is sent, and what goes with it."""

    asked: Call
    sent: Call
    writes: list[Write]
    fresh: list[_Fresh]
    old: dict[int, Params]  # by write: the fields it may take references from, as they are stored

    @property
    def is_single(self) -> bool:
        return self.asked.action in SINGLE

    def touching(self) -> Iterator[tuple[int, Write]]:
        """The writes that may replace or remove references."""
        return ((at, write) for at, write in enumerate(self.writes) if write.touches)


class Sealer:
    """Seals the requests of one operation. `keeping` are the large attributes there may be."""

    def __init__(self, keeping: tuple[Kept, ...]) -> None:
        self.keeping = keeping
        self.mine: set[str] = set()  # keys of blobs that this operation has stored
        self.seen: dict[bytes, Typed] = {}  # by plain value: how it was found stored

    def passage(self, call: Call) -> Passage:
        if call.action not in WRITES:
            for kept in self.keeping:
                check_conditions(call.params, kept)
            return Passage(call, call, [], [], {})
        fresh: list[_Fresh] = []
        writes = [self.write(part, fresh) for part in parts_of(call)]
        bodies = [write.part.body for write in writes]
        if call.action in SINGLE and writes[0].touches:
            bodies = [_asking_for_old(writes[0].part)]
        sent = with_bodies(call, bodies, once=call.once or any(write.fresh for write in writes))
        return Passage(call, sent, writes, fresh, {})

    def write(self, part: Part, fresh: list[_Fresh]) -> Write:
        owner = owner_of_item if part.kind == "put" else owner_of_key
        kept = owner(self.keeping, part.held)
        if kept is None:
            return Write(part)
        part = self.with_known_values(part, kept)
        if part.kind == "put":
            return self.put(part, kept, fresh)
        if part.kind == "update":
            return self.update(part, kept, fresh)
        gone = {field: Touched("gone") for field in kept.offloaded} if part.kind == "delete" else {}
        return Write(part, kept, gone)

    def put(self, part: Part, kept: Kept, fresh: list[_Fresh]) -> Write:
        item: Params = dict(part.body["Item"])
        values = _Values(self, part.table, kept, fresh)
        for field in kept.fields:
            if field in item:
                item[field] = values.sealed(field, item[field])
        touches = {field: Touched("set" if field in item else "gone") for field in kept.offloaded}
        sealed = Part(part.kind, part.table, {**part.body, "Item": item})
        return Write(sealed, kept, touches, values.keys, values.plain_bytes, values.stored_bytes)

    def update(self, part: Part, kept: Kept, fresh: list[_Fresh]) -> Write:
        found = touched(part.body, kept)
        given: Params = dict(part.body.get("ExpressionAttributeValues", {}))
        values = _Values(self, part.table, kept, fresh)
        for field, touch in found.items():
            if touch.placeholder is not None:
                given[touch.placeholder] = values.sealed(field, given[touch.placeholder])
        touches = {field: touch for field, touch in found.items() if field in kept.offloaded}
        body = {**part.body, "ExpressionAttributeValues": given} if given else part.body
        sealed = Part(part.kind, part.table, body)
        return Write(sealed, kept, touches, values.keys, values.plain_bytes, values.stored_bytes)

    def with_known_values(self, part: Part, kept: Kept) -> Part:
        """Conditions of companions compare with what was read: stored, that is the sealed value."""
        given: Params = dict(part.body.get("ExpressionAttributeValues", {}))
        is_changed = False
        for field, placeholder in compared(part.body, kept):
            stored = self.seen.get(digest(given[placeholder]))
            if stored is None:
                refuse_compared(kept, field)
            given[placeholder] = stored
            is_changed = True
        return Part(part.kind, part.table, {**part.body, "ExpressionAttributeValues": given}) if is_changed else part


class _Values:
    """The large values of one write."""

    def __init__(self, sealer: Sealer, table: str, kept: Kept, fresh: list[_Fresh]) -> None:
        self.sealer = sealer
        self.folder = f"{table}/{kept.folder}"
        self.kept = kept
        self.fresh = fresh
        self.keys: dict[str, str] = {}
        self.plain_bytes = self.stored_bytes = 0

    def sealed(self, field: str, typed: Typed) -> Typed:
        """A value as it will be stored. What DynamoDB handed back of this operation's own is sealed already."""
        key = blob_key(typed)
        if is_sealed(typed) and key in self.sealer.mine:
            self.keys[field] = str(key)
            return typed
        ready = pack(typed, self.kept.fields[field])
        if ready is None:
            return typed
        packed, is_offloaded = ready
        stored = self.offloaded(field, packed) if is_offloaded else packed.inline()
        self.plain_bytes += packed.plain_bytes
        self.stored_bytes += value_size_bytes(unmarshal(stored))
        return stored

    def offloaded(self, field: str, packed: Packed) -> Typed:
        key = f"{self.folder}/{new_id()}"
        self.keys[field] = key
        self.sealer.mine.add(key)
        self.fresh.append(_Fresh(key, packed.data))
        return packed.reference(key)


def _asking_for_old(part: Part) -> Params:
    """The body of a single write that is to be answered with the references it takes out."""
    if part.kind != "update":
        return {**part.body, "ReturnValues": "ALL_OLD"}
    wanted = part.body.get("ReturnValues", "NONE")
    return {**part.body, "ReturnValues": ASKED_OLD.get(wanted, wanted)}


def digest(typed: Any) -> bytes:
    import hashlib

    return hashlib.sha256(msgspec.json.encode(typed, order="deterministic")).digest()
