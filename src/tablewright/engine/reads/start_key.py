"""ExclusiveStartKey: it must be a key of what is read, and lie where the reading can have stopped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import validation
from tablewright.engine.item_checks import check_key
from tablewright.engine.reads.source import check_key_value
from tablewright.engine.store.values import read_item
from tablewright.errors import ServiceError
from tablewright.expr.evaluate import evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.reads.source import Source
    from tablewright.engine.store.values import Wording
    from tablewright.expr.key_condition import KeyCondition

INVALID = "The provided starting key is invalid"
MISMATCH = "The provided key element does not match the schema"
ONE_ROW = "The query can return at most one row and cannot be restarted"
UNPREFIXED = re.compile("contains duplicates|number set|numeric value|significant digits|number with magnitude")

Start = dict[str, Any] | None


def read_start(params: Mapping[str, Any], wording: Wording = "current") -> Start:
    """The starting key as plain values, whatever its attributes."""
    given = params.get("ExclusiveStartKey")
    if given is None:
        return None
    try:
        return read_item(given, wording)
    except ServiceError as error:
        if error.name != "ValidationException" or UNPREFIXED.search(error.service_message):
            raise
        raise _invalid_start(error) from None


def _invalid_start(error: ServiceError) -> ServiceError:
    return validation(f"{INVALID}: {error.service_message}")


def check_start_piece(source: Source, start: Mapping[str, Any], name: str) -> None:
    """One key attribute of what is read, in the starting key."""
    if name not in start:
        raise validation(INVALID)
    check_key_value(source, name, start[name], mismatch=MISMATCH)


def check_start_table_key(source: Source, start: Mapping[str, Any]) -> None:
    """The table's own key, in the starting key."""
    try:
        check_key(source.table, {name: start[name] for name in source.table.keys.names if name in start})
    except ServiceError as error:
        raise _invalid_start(error) from None


def check_start_in_query(source: Source, parts: KeyCondition, start: Mapping[str, Any]) -> None:
    """The starting key must be one that the query can come to, and go on from."""
    in_partition = all(evaluate(part, start) for part in parts.partition)
    if in_partition and source.has_one_item_each:
        raise validation(ONE_ROW)
    if not parts.sort:
        if not in_partition:
            raise validation("The provided starting key is outside query boundaries based on provided conditions")
        return
    if not all(evaluate(part, start) for part in parts.sort):
        raise validation("The provided starting key does not match the range key predicate")
    if not in_partition:
        raise validation(ONE_ROW)  # what DynamoDB says here too
