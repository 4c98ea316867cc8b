"""CSV: the first line names the attributes. Keys are of the types the table gives them, everything else is a string.

That is how the service's own import reads CSV. An empty cell means that the item lacks the attribute.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from tablewright.engine.transfer.lines import open_file, size_of
from tablewright.engine.transfer.records import Record, Source, TransferError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tablewright.engine.transfer.records import Typed

MAX_CELL_CHARACTERS = 1024 * 1024


class Columns(Source):
    """The rows of a CSV file as items."""

    def __init__(self, path: Path, types: Mapping[str, str], *, delimiter: str = ",") -> None:
        self.path = path
        self.types = types
        self.delimiter = delimiter
        self.total_bytes = size_of(path)

    def records(self) -> Iterator[Record]:
        csv.field_size_limit(MAX_CELL_CHARACTERS)
        with open_file(self.path) as (raw, content):
            text = io.TextIOWrapper(content, encoding="utf-8-sig", newline="")
            reader = csv.reader(text, delimiter=self.delimiter, strict=True)
            try:
                names = self._names(next(reader, list[str]()))
                for cells in reader:
                    self.done_bytes = raw.tell()
                    if cells:
                        yield self._record(names, cells, reader.line_num)
            except (csv.Error, UnicodeDecodeError) as error:
                raise TransferError(f"{self.path}:{reader.line_num}: this is not CSV in UTF-8 ({error})") from error
            finally:
                text.detach()

    def _names(self, cells: list[str]) -> list[str]:
        if not cells or not all(cells) or len(set(cells)) < len(cells):
            raise TransferError(f"{self.path}:1: the first line must name the attributes, each once")
        return cells

    def _record(self, names: list[str], cells: list[str], line: int) -> Record:
        place = f"{self.path}:{line}"
        if len(cells) != len(names):
            raise TransferError(f"{place}: {len(cells)} cells, but the first line names {len(names)} attributes")
        item: Typed = {name: {self.types.get(name, "S"): cell} for name, cell in zip(names, cells, strict=True) if cell}
        return Record(place, item=item)
