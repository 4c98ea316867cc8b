"""What a table demands of items and keys, in DynamoDB's words: key attributes, their types and lengths, item sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import invalid_parameters, not_valid, validation
from tablewright.wire.limits import MAX_ITEM_BYTES, MAX_PARTITION_KEY_BYTES, MAX_SORT_KEY_BYTES
from tablewright.wire.sizes import value_size_bytes
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tablewright.engine.table import Index, Table

EMPTY = "The AttributeValue for a key attribute cannot contain an empty {} value."
KINDS = {"S": "string", "B": "binary"}


def check_key(table: Table, key: Mapping[str, Any]) -> None:
    """The Key of a request: exactly the table's key attributes, of their types, neither empty nor too long."""
    names = table.keys.names
    if len(key) != len(names):
        raise not_the_key()
    for name in names:
        if name not in key or type_code(key[name]) != table.types[name]:
            raise not_the_key()
    check_key_values(table, key)


def not_the_key() -> Exception:
    return validation("The provided key element does not match the schema")


def check_item(table: Table, item: Mapping[str, Any]) -> None:
    """A whole item: it has the table's keys, and whatever it has of the indexes' keys is of their types."""
    for name in table.keys.names:
        if name not in item:
            raise invalid_parameters(f"Missing the key {name} in the item")
        code, wanted = type_code(item[name]), table.types[name]
        if code != wanted:
            raise invalid_parameters(f"Type mismatch for key {name} expected: {wanted} actual: {code}")
    check_key_values(table, item)
    if table.indexes:
        check_index_keys(table, item)


def check_key_values(table: Table, item: Mapping[str, Any]) -> None:
    for names, limit in ((table.keys.pk, MAX_PARTITION_KEY_BYTES), (table.keys.sk, MAX_SORT_KEY_BYTES)):
        for name in names:
            value = item[name]
            if isinstance(value, (str, bytes)):
                if not value:
                    raise not_valid(f"{EMPTY.format(KINDS[type_code(value)])} Key: {name}")
                if len(value) > limit or (isinstance(value, str) and value_size_bytes(value) > limit):
                    raise invalid_parameters(TOO_LONG[limit])


TOO_LONG = {
    MAX_PARTITION_KEY_BYTES: "Size of hashkey has exceeded the maximum size limit of2048 bytes",
    MAX_SORT_KEY_BYTES: "Aggregated size of all range keys has exceeded the size limit of 1024 bytes",
}


def check_index_keys(table: Table, item: Mapping[str, Any], only: Sequence[str] | None = None) -> None:
    """An item may lack an index key, but may not have it of another type, empty or too long."""
    for index in table.indexes:
        for name in index.keys.names:
            if name in item and name not in table.keys.names and (only is None or name in only):
                check_index_key(table, index, name, item[name])


def check_index_key(table: Table, index: Index, name: str, value: Any) -> None:
    code, wanted = type_code(value), table.types[name]
    if code != wanted:
        raise invalid_parameters(
            f"Type mismatch for Index Key {name} Expected: {wanted} Actual: {code} IndexName: {index.name}"
        )
    if isinstance(value, (str, bytes)) and not value:
        reason = f"A value specified for a secondary index key is not supported. {EMPTY.format(KINDS[code])}"
        raise not_valid(f"{reason} IndexName: {index.name}, IndexKey: {name}")
    limit = MAX_PARTITION_KEY_BYTES if name in index.keys.pk else MAX_SORT_KEY_BYTES
    if value_size_bytes(value) > limit:
        raise invalid_parameters(TOO_LONG[limit])


def check_size(size: int) -> None:
    if size > MAX_ITEM_BYTES:
        raise validation("Item size has exceeded the maximum allowed size")
