"""What large attributes save: bytes in the table, and the capacity to write and read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.wire.capacity import read_rcu, write_wcu
from tablewright.wire.sizes import item_size_bytes
from tablewright.wire.values import marshal_item, unmarshal_item

if TYPE_CHECKING:
    from tablewright.runtime.features.blobs.outgoing import Passage
    from tablewright.runtime.items.item import StoredItem


class Saved(msgspec.Struct, frozen=True):
    """Sizes with and without sealing, and the capacity units that makes (read consistently, written alone).

    `plain_bytes` is what the items would take, `stored_bytes` what they take in the table, `blob_bytes` what is kept
    outside it.
    """

    plain_bytes: int = 0
    stored_bytes: int = 0
    blob_bytes: int = 0
    wcu: float = 0.0
    rcu: float = 0.0

    @property
    def saved_bytes(self) -> int:
        """What the table does not have to hold."""
        return self.plain_bytes - self.stored_bytes

    def __add__(self, other: Saved) -> Saved:
        fields = self.__struct_fields__
        return Saved(*(getattr(self, name) + getattr(other, name) for name in fields))

    def __str__(self) -> str:
        units = [f"{amount:g} {unit}" for amount, unit in ((self.wcu, "wcu"), (self.rcu, "rcu")) if amount]
        outside = f", {self.blob_bytes:,} of it in object storage" if self.blob_bytes else ""
        taken = f"{self.stored_bytes:,} bytes for {self.plain_bytes:,}{outside}"
        return f"{' and '.join(units) or 'no units'} ({taken})"


NOTHING = Saved()


def saved(*items: StoredItem) -> Saved:
    """What storing these items saves against storing them plain."""
    from tablewright.runtime.features.blobs.outgoing import Sealer
    from tablewright.runtime.operations.members import kept_by
    from tablewright.wire.call import Call

    total = NOTHING
    for item in items:
        put: Any = item.put()
        request = {"TableName": "any", "Item": marshal_item(put.item())}
        total += saved_by(Sealer(kept_by(put)).passage(Call("PutItem", request)), with_reads=True)
    return total


def saved_by(passage: Passage, *, with_reads: bool = False) -> Saved:
    """What a request saves as it is sent."""
    total = NOTHING
    is_double = passage.asked.action == "TransactWriteItems"
    for write in passage.writes:
        if not write.plain_bytes:
            continue
        body = write.part.body
        stored = item_size_bytes(unmarshal_item(body["Item"])) if "Item" in body else write.stored_bytes
        plain = stored - write.stored_bytes + write.plain_bytes
        wcu = write_wcu(0, plain, transactional=is_double) - write_wcu(0, stored, transactional=is_double)
        rcu = read_rcu(plain, consistent=True) - read_rcu(stored, consistent=True) if with_reads else 0.0
        total += Saved(plain, stored, 0, wcu, rcu)
    blobs = sum(len(each.data) for each in passage.fresh)
    return msgspec.structs.replace(total, blob_bytes=blobs)
