"""Items into a table: all of them or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tablewright.engine.item_checks import check_item, check_key, check_size
from tablewright.engine.store import rows
from tablewright.engine.store.values import read_item
from tablewright.engine.transfer.records import TransferError, no_progress
from tablewright.errors import ServiceError
from tablewright.wire.sizes import item_size_bytes

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine
    from tablewright.engine.store.table import Table
    from tablewright.engine.transfer.records import Progress, Record, Source

STEP = 500


@dataclass(frozen=True, slots=True)
class Loaded:
    put: int
    deleted: int


def load(engine: Engine, table_name: str, source: Source, progress: Progress = no_progress) -> Loaded:
    """Put every record into the table. The first that cannot be put ends the import and undoes it."""
    put = deleted = 0
    with engine.storage.writing():
        table = engine.table(table_name)
        for record in source.records():
            _apply_record(engine, table, record)
            put, deleted = (put + 1, deleted) if record.item is not None else (put, deleted + 1)
            if (put + deleted) % STEP == 0:
                progress(put + deleted, source.done_bytes, source.total_bytes)
    progress(put + deleted, source.total_bytes, source.total_bytes)
    return Loaded(put, deleted)


def _apply_record(engine: Engine, table: Table, record: Record) -> None:
    """One put or delete, checked as the operations check theirs."""
    try:
        if record.item is not None:
            new = read_item(record.item)
            check_item(table, new)
            check_size(item_size_bytes(new))
            rows.write(engine, table, rows.find(engine.storage, table, new), new)
        else:
            key = read_item(record.key or {})
            check_key(table, key)
            old = rows.find(engine.storage, table, key)
            if old is not None:
                rows.write(engine, table, old, None)
    except ServiceError as error:
        raise TransferError(f"{record.place}: {error.service_message or error.name}; nothing was imported") from error
