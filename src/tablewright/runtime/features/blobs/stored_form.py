"""The stored form of large values, in typed JSON: a map that no plain value looks like.

    compressed    {"$sealed": "zlib/S", "size": 5120, "data": <binary>}
    offloaded     {"$sealed": "zlib/S", "size": 900000, "$blob": key, "stored": 120000, "sha256": hex}

`$sealed` is how the bytes are packed (plain, zlib, zstd) and the DynamoDB type of the value: text and binary are their
own bytes, everything else is its typed JSON. `size` counts the bytes before packing, `stored` those behind `$blob`. A
plain map that has one of the two `$` names is always sealed itself, so that nothing stored can be taken for another.
"""

from __future__ import annotations

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.errors import BlobError
from tablewright.runtime.features.blobs.compression import PLAIN, compress, expand
from tablewright.wire.sizes import value_size_bytes
from tablewright.wire.values import unmarshal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.runtime.items.hooks import LargeFields
    from tablewright.schema.features import Large

Typed: TypeAlias = dict[str, Any]  # a value in typed JSON, such as {"S": "text"}
Item: TypeAlias = dict[str, Any]

MARK, KEY = "$sealed", "$blob"
"""What tells the map around a sealed value, and the key of its blob in there."""
MARK_IN_JSON = b'"$sealed"'
LEAST_COMPRESSED_BYTES = 128
MAP_BYTES = 40
"""What the map around compressed data takes itself, about."""
PAYING = 0.9
"""Compression must leave less than this share, or reading would pay for nothing."""


class Packed(msgspec.Struct, frozen=True):
    """A value ready to be stored: its bytes, how they are packed, and what the plain value would take in the item."""

    data: bytes
    label: str
    size_bytes: int
    plain_bytes: int

    def inline(self) -> Typed:
        return self._map({"data": {"B": b64encode(self.data).decode("ascii")}})

    def reference(self, key: str) -> Typed:
        checksum = hashlib.sha256(self.data).hexdigest()
        return self._map({KEY: {"S": key}, "stored": {"N": str(len(self.data))}, "sha256": {"S": checksum}})

    def _map(self, rest: Typed) -> Typed:
        return {"M": {MARK: {"S": self.label}, "size": {"N": str(self.size_bytes)}, **rest}}


def pack(typed: Typed, large: Large) -> tuple[Packed, bool] | None:
    """A value made ready, and whether it is to be offloaded; None when it is stored as it is."""
    ((code, content),) = typed.items()
    payload = _payload_of(code, content)
    plain_bytes = len(payload) if code in ("S", "B") else value_size_bytes(unmarshal(typed))
    data, coding = payload, PLAIN
    if large.compress is not None and plain_bytes >= LEAST_COMPRESSED_BYTES:
        smaller = compress(large.compress, payload)
        if len(smaller) + MAP_BYTES < plain_bytes * PAYING:
            data, coding = smaller, large.compress
    is_alike = code == "M" and (MARK in content or KEY in content)
    packed = Packed(data, f"{coding}/{code}", len(payload), plain_bytes)
    left_bytes = plain_bytes if coding == PLAIN else len(data) + MAP_BYTES
    if large.offload_bytes is not None and left_bytes > large.offload_bytes:
        return packed, True
    return (packed, False) if coding != PLAIN or is_alike else None


def _payload_of(code: str, content: Any) -> bytes:
    if code == "S":
        return str(content).encode("utf-8", "surrogatepass")
    return b64decode(content) if code == "B" else msgspec.json.encode(content)


def _typed_of(code: str, payload: bytes) -> Typed:
    if code == "S":
        return {"S": payload.decode("utf-8", "surrogatepass")}
    return {"B": b64encode(payload).decode("ascii")} if code == "B" else {code: msgspec.json.decode(payload)}


# ---- opening ---------------------------------------------------------------------------------------------------------


def is_sealed(typed: Typed) -> bool:
    content = typed.get("M")
    return isinstance(content, dict) and MARK in content


def is_marked(value: Any) -> bool:
    """The same of a value that is not in typed JSON."""
    return isinstance(value, Mapping) and MARK in value


def blob_key(typed: Typed | None) -> str | None:
    """The key of the blob that a stored value refers to; None when it refers to none."""
    if typed is None or not is_sealed(typed):
        return None
    held = typed["M"].get(KEY)
    return None if held is None else held.get("S")


def opened(typed: Typed, blob: bytes | None = None) -> Typed:
    """The plain value behind a sealed one, given the blob it refers to."""
    content = typed["M"]
    coding, _, code = content[MARK]["S"].partition("/")
    data = b64decode(content["data"]["B"]) if blob is None else _checked(content, blob)
    return _typed_of(code, expand(coding, data, int(content["size"]["N"])))


def _checked(content: Typed, blob: bytes) -> bytes:
    if hashlib.sha256(blob).hexdigest() != content["sha256"]["S"]:
        key = content[KEY]["S"]
        raise BlobError(f"the blob {key} is not what was written: its checksum differs; restore it", key=key)
    return blob


# ---- replies ---------------------------------------------------------------------------------------------------------

decode = msgspec.json.Decoder(dict[str, Any]).decode
encode = msgspec.json.Encoder().encode


def may_be_sealed(reply: bytes) -> bool:
    return MARK_IN_JSON in reply


def items_in(document: Mapping[str, Any]) -> Iterator[Item]:
    """Every item in a reply, or in the details of an error."""
    for name in ("Item", "Attributes"):
        if document.get(name):
            yield document[name]
    yield from document.get("Items", ())
    responses = document.get("Responses", ())
    if isinstance(responses, dict):  # of a batch: items by table
        for items in responses.values():  # pyright: ignore[reportUnknownVariableType]
            yield from items
    else:
        for each in (*responses, *(document.get("CancellationReasons") or ())):
            if each.get("Item"):
                yield each["Item"]


def _sealed_in(item: Item, keeping: Iterable[LargeFields]) -> Iterator[str]:
    """The fields of an item that hold sealed values, of whichever entity they are."""
    for field in {field: None for kept in keeping for field in kept.fields}:
        if field in item and is_sealed(item[field]):
            yield field


def references_in(items: Iterable[Item], keeping: Iterable[LargeFields]) -> list[str]:
    """The keys of all blobs that items refer to, each once."""
    keys = [blob_key(item[field]) for item in items for field in _sealed_in(item, keeping)]
    return list(dict.fromkeys(key for key in keys if key is not None))


def open_item(item: Item, keeping: Iterable[LargeFields], blobs: Mapping[str, bytes]) -> list[tuple[Typed, Typed]]:
    """Replace an item's sealed values by plain ones; the answer is each as it was and as it is now."""
    changes: list[tuple[Typed, Typed]] = []
    for field in list(_sealed_in(item, keeping)):
        stored: Typed = item[field]
        key = blob_key(stored)
        item[field] = opened(stored, None if key is None else blobs[key])
        changes.append((stored, item[field]))
    return changes
