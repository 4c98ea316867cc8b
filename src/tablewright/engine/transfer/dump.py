"""The items of a table as it stands at one moment, written as DynamoDB JSON lines. A file appears when it is whole."""

from __future__ import annotations

import gzip
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from tablewright.engine.tables.totals import table_totals
from tablewright.engine.transfer.records import TransferError, no_progress

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from tablewright.engine.engine import Engine
    from tablewright.engine.store.table import Table
    from tablewright.engine.transfer.records import Progress

STEP = 500


def read_texts(engine: Engine, table: Table, progress: Progress = no_progress) -> Iterator[tuple[bytes, int]]:
    """Every item's text and size; inside `engine.storage.reading()`."""
    _, total = table_totals(engine.storage, table)
    done = count = 0
    rows = engine.storage.connection.execute(f"select h, r, item, size, crc from t{table.id} order by h, r")
    for h, r, text, size, crc in rows:
        engine.storage.check(table, h, r, text, size, crc)
        yield text, size
        count, done = count + 1, done + size
        if count % STEP == 0:
            progress(count, done, total)
    progress(count, total, total)


def dump_lines(engine: Engine, table_name: str, output: BinaryIO, progress: Progress = no_progress) -> int:
    """Write every item as a line `{"Item": ...}`; gives their number."""
    count = 0
    with engine.storage.reading():
        for text, _ in read_texts(engine, engine.table(table_name), progress):
            output.write(b'{"Item":' + text + b"}\n")
            count += 1
    return count


@contextmanager
def replace_file(path: Path) -> Generator[BinaryIO]:
    """A file that takes its name once everything is in it; `.gz` packs it."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with draft.open("wb") as raw:
            if path.suffix == ".gz":
                with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed:
                    yield cast("BinaryIO", packed)
            else:
                yield raw
        draft.replace(path)
    except OSError as error:
        raise TransferError(f"{path}: {error.strerror or error}; nothing was written") from error
    finally:
        draft.unlink(missing_ok=True)
