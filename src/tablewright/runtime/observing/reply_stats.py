"""What a reply tells beside its items: capacity and counts. Items are not looked into; their text is left as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tablewright.runtime.observing.observation import Consumed

if TYPE_CHECKING:
    from tablewright.wire.call import Reply

Parts: TypeAlias = dict[str, msgspec.Raw]


class _Units(msgspec.Struct):
    units: float = msgspec.field(name="CapacityUnits", default=0.0)


class _TableUnits(msgspec.Struct):
    table: str = msgspec.field(name="TableName", default="")
    units: float = msgspec.field(name="CapacityUnits", default=0.0)
    own: _Units = msgspec.field(name="Table", default_factory=_Units)
    gsis: dict[str, _Units] = msgspec.field(name="GlobalSecondaryIndexes", default_factory=dict[str, _Units])
    lsis: dict[str, _Units] = msgspec.field(name="LocalSecondaryIndexes", default_factory=dict[str, _Units])

    def consumed(self) -> Consumed:
        gsis, lsis = ({name: each.units for name, each in kind.items()} for kind in (self.gsis, self.lsis))
        return Consumed(self.table, self.units, self.own.units, gsis, lsis)


_parts = msgspec.json.Decoder(Parts)
_one_table = msgspec.json.Decoder(_TableUnits)
_tables = msgspec.json.Decoder(list[_TableUnits])
_number = msgspec.json.Decoder(int)
_by_table = msgspec.json.Decoder(dict[str, list[msgspec.Raw]])
_members = msgspec.json.Decoder(list[Parts])


def parts_of(reply: Reply) -> Parts:
    return _parts.decode(reply)


def read_capacity(text: msgspec.Raw | None) -> tuple[Consumed, ...]:
    """One table's units stand alone, those of batches and transactions in a list."""
    if text is None:
        return ()
    told = _tables.decode(text) if bytes(text).lstrip().startswith(b"[") else [_one_table.decode(text)]
    return tuple(each.consumed() for each in told)


def counted(action: str, parts: Parts) -> tuple[int | None, int | None]:
    """How many items were read, and how many of them came back."""
    match action:
        case "Query" | "Scan":
            returned = _number.decode(parts["Count"]) if "Count" in parts else 0
            return (_number.decode(parts["ScannedCount"]) if "ScannedCount" in parts else returned), returned
        case "GetItem":
            found = int("Item" in parts)
        case "BatchGetItem":
            found = sum(map(len, _by_table.decode(parts.get("Responses", b"{}")).values()))
        case "TransactGetItems":
            found = sum("Item" in each for each in _members.decode(parts.get("Responses", b"[]")))
        case _:
            return None, None
    return found, found
