"""What a table demands of items and keys, in DynamoDB's words: key attributes, their types and lengths, item sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import invalid_parameters, not_valid, validation
from tablewright.wire.limits import MAX_ITEM_BYTES, MAX_NUMBER_DIGITS, MAX_PARTITION_KEY_BYTES, MAX_SORT_KEY_BYTES
from tablewright.wire.sizes import value_size_bytes
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from tablewright.engine.store.table import Index, Keys, Table
    from tablewright.errors import ServiceError
    from tablewright.expr.nodes import Name

PARTITION_TOO_LONG = "Size of hashkey has exceeded the maximum size limit of2048 bytes"
SORT_TOO_LONG = "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
NO_EMPTY_KEY = "The AttributeValue for a key attribute cannot contain an empty {} value."
NO_SUCH_INDEX_KEY = "A value specified for a secondary index key is not supported."
NO_SUCH_UPDATE = "The update expression attempted to update a secondary index key to a value that is not supported."
INDEX_KEY_TOO_LONG = "The update expression attempted to update the secondary index key beyond allowed size limits."

MAX_NUMBER_BYTES = MAX_NUMBER_DIGITS // 2 + 2

_EMPTY_KINDS = {"": "string", b"": "binary"}


# ---- keys of the table -----------------------------------------------------------------------------------------------


def check_key(table: Table, key: Mapping[str, Any]) -> None:
    """The Key of a request: exactly the table's key attributes, of their types, neither empty nor too long."""
    check_key_schema(table, key)
    check_no_empty_key(table, key)
    check_key_lengths(table.keys, key)


def check_key_schema(table: Table, key: Mapping[str, Any]) -> None:
    """Exactly the table's key attributes, of their types."""
    names = table.keys.names
    if len(key) != len(names):
        raise _not_the_key()
    check_key_of_item(table, key)


def check_key_of_item(table: Table, item: Mapping[str, Any]) -> None:
    """The table's key attributes, of their types, whatever else there is."""
    for name in table.keys.names:
        if name not in item or type_code(item[name]) != table.types[name]:
            raise _not_the_key()


def _not_the_key() -> ServiceError:
    return validation("The provided key element does not match the schema")


def check_no_empty_key(table: Table, item: Mapping[str, Any]) -> None:
    """No key attribute is an empty text or empty bytes; one that is missing or of another type is not judged."""
    for name in table.keys.names:
        value: Any = item.get(name)
        if _is_empty(value) and type_code(value) == table.types[name]:
            raise not_valid(f"{NO_EMPTY_KEY.format(_EMPTY_KINDS[value])} Key: {name}")


def _is_empty(value: Any) -> bool:
    return isinstance(value, str | bytes) and not value


def check_key_lengths(keys: Keys, item: Mapping[str, Any]) -> None:
    """The key attributes together are within the limits of partition and sort keys."""
    if is_too_long(keys.pk, item, MAX_PARTITION_KEY_BYTES):
        raise invalid_parameters(PARTITION_TOO_LONG)
    if is_too_long(keys.sk, item, MAX_SORT_KEY_BYTES):
        raise invalid_parameters(SORT_TOO_LONG)


def is_too_long(names: Collection[str], item: Mapping[str, Any], limit: int) -> bool:
    """Whether the values of these attributes together are longer; as a rule it is plain that they are not."""
    most = 0
    for name in names:
        value = item.get(name)
        most += len(value) * 4 if isinstance(value, str | bytes) else MAX_NUMBER_BYTES
    return most > limit and sum(value_size_bytes(item[each]) for each in names if each in item) > limit


def check_no_path_into_keys(table: Table, paths: Iterable[Name]) -> None:
    """Nothing is inside a key."""
    nested = {path.parts[0] for path in paths if len(path.parts) > 1}
    if not nested:
        return
    reason = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed"
    for name in table.keys.names:
        if name in nested:
            raise validation(f"{reason}: Key: {name}")
    for index in table.indexes:
        for name in index.keys.names:
            if name in nested:
                raise validation(f"{reason}: IndexKey: {name}")


# ---- whole items -----------------------------------------------------------------------------------------------------


def check_item(table: Table, item: Mapping[str, Any]) -> None:
    """A whole item: it has the table's keys, and whatever it has of the indexes' keys is of their types."""
    check_item_schema(table, item)
    check_no_empty_key(table, item)
    check_key_lengths(table.keys, item)
    if table.indexes:
        check_index_types(table, item)
        check_no_empty_index_key(table, item)
        check_index_lengths(table, item)


def check_item_schema(table: Table, item: Mapping[str, Any]) -> None:
    """The table's key attributes are there, and of their types."""
    for name in table.keys.names:
        if name not in item:
            raise invalid_parameters(f"Missing the key {name} in the item")
        code, wanted = type_code(item[name]), table.types[name]
        if code != wanted:
            raise invalid_parameters(f"Type mismatch for key {name} expected: {wanted} actual: {code}")


def check_size(size: int) -> None:
    if size > MAX_ITEM_BYTES:
        raise validation("Item size has exceeded the maximum allowed size")


def check_updated_size(size: int) -> None:
    if size > MAX_ITEM_BYTES:
        raise validation("Item size to update has exceeded the maximum allowed size")


# ---- keys of indexes -------------------------------------------------------------------------------------------------


def check_index_types(table: Table, item: Mapping[str, Any], only: Collection[str] | None = None) -> None:
    """An item may lack an index's key, but may not have it of another type; `only` names the attributes that matter."""
    for index, name in _index_keys(table, item, only):
        code, wanted = type_code(item[name]), table.types[name]
        if code != wanted:
            shown = f"{name} Expected: {wanted} Actual: {code} IndexName: {index.name}"
            raise invalid_parameters(f"Type mismatch for Index Key {shown}")


def check_no_empty_index_key(table: Table, item: Mapping[str, Any]) -> None:
    for index, name in _index_keys(table, item):
        if _is_empty(item[name]) and type_code(item[name]) == table.types[name]:
            reason = f"{NO_SUCH_INDEX_KEY} {NO_EMPTY_KEY.format(_EMPTY_KINDS[item[name]])}"
            raise not_valid(f"{reason} IndexName: {index.name}, IndexKey: {name}")


def check_no_empty_index_update(table: Table, item: Mapping[str, Any], only: Collection[str]) -> None:
    for _index, name in _index_keys(table, item, only):
        if _is_empty(item[name]) and type_code(item[name]) == table.types[name]:
            raise not_valid(f"{NO_SUCH_UPDATE} {NO_EMPTY_KEY.format(_EMPTY_KINDS[item[name]])}")


def check_index_lengths(table: Table, item: Mapping[str, Any]) -> None:
    for index in table.indexes:
        check_key_lengths(index.keys, item)


def check_index_update_lengths(table: Table, item: Mapping[str, Any]) -> None:
    for index in table.indexes:
        keys = index.keys
        if is_too_long(keys.pk, item, MAX_PARTITION_KEY_BYTES) or is_too_long(keys.sk, item, MAX_SORT_KEY_BYTES):
            raise invalid_parameters(INDEX_KEY_TOO_LONG)


def _index_keys(table: Table, item: Mapping[str, Any], only: Collection[str] | None = None) -> list[tuple[Index, str]]:
    """The index keys an item has, indexes in the order of their names, without those that are keys of the table."""
    own = table.keys.names
    found = [
        (index, name)
        for index in table.indexes
        for name in index.keys.names
        if name in item and name not in own and (only is None or name in only)
    ]
    return found if len(found) < 2 else sorted(found, key=lambda each: each[0].name)
