"""The folder that DynamoDB's export to S3 leaves behind, read and written.

AWSDynamoDB/<id>/manifest-summary.json   what was exported, and when
AWSDynamoDB/<id>/manifest-files.json     a line for each data file: its key, the number of its items, its checksum
AWSDynamoDB/<id>/data/<name>.json.gz     the items, as DynamoDB JSON lines
"""

from __future__ import annotations

import gzip
import os
import shutil
from base64 import b64encode
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import md5
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.engine.tables.describe import table_arn
from tablewright.engine.transfer.dump import read_texts
from tablewright.engine.transfer.lines import Lines
from tablewright.engine.transfer.records import Source, TransferError, no_progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.engine.engine import Engine
    from tablewright.engine.store.table import Table
    from tablewright.engine.transfer.records import Progress, Record

ROOT = "AWSDynamoDB"
SUMMARY = "manifest-summary.json"
FILES = "manifest-files.json"
BYTES_PER_FILE = 64 * 1024 * 1024


# ---- reading ---------------------------------------------------------------------------------------------------------


class Export(Source):
    """The items of an export, whose files must be there and be those that the manifest lists."""

    def __init__(self, folder: Path) -> None:
        self.folder = _find_export(folder)
        _check_format(self.folder)
        self.files = _listed_files(self.folder)
        self.lines = Lines([path for path, _ in self.files])
        self.total_bytes = self.lines.total_bytes

    def records(self) -> Iterator[Record]:
        for path, checksum in self.files:
            if checksum is not None and _md5_text(path.read_bytes()) != checksum:
                raise TransferError(f"{path}: the checksum differs from the manifest's; fetch the file again")
        for record in self.lines.records():
            self.done_bytes = self.lines.done_bytes
            yield record


def _find_export(folder: Path) -> Path:
    """The folder with the manifest: this one, or the only one below `AWSDynamoDB`."""
    candidates = [folder, *sorted((folder / ROOT).glob("*")), *sorted(folder.glob("*"))]
    found = list(dict.fromkeys(each for each in candidates if (each / FILES).is_file() or (each / "data").is_dir()))
    if not found:
        raise TransferError(f"{folder}: no {FILES} and no data folder; is this an export of DynamoDB to S3?")
    if len(found) > 1:
        names = ", ".join(str(each) for each in found)
        raise TransferError(f"{folder}: there are several exports in it; choose one of {names}")
    return found[0]


def _check_format(folder: Path) -> None:
    summary = folder / SUMMARY
    if summary.is_file():
        told = _read_object(summary, summary.read_bytes())
        form = told.get("outputFormat", "DYNAMODB_JSON")
        if form != "DYNAMODB_JSON":
            raise TransferError(f"{summary}: the export is in {form}; export it as DYNAMODB_JSON to import it here")


def _listed_files(folder: Path) -> list[tuple[Path, str | None]]:
    """The data files with their checksums; without a manifest, whatever lies in the data folder."""
    manifest = folder / FILES
    if not manifest.is_file():
        return [(path, None) for path in sorted((folder / "data").glob("*.json*"))]
    found: list[tuple[Path, str | None]] = []
    for line in manifest.read_bytes().splitlines():
        told = _read_object(manifest, line)
        path = folder / "data" / Path(str(told.get("dataFileS3Key", ""))).name
        if not path.is_file():
            raise TransferError(f"{path}: {FILES} lists this file, but it is not there")
        found.append((path, told.get("md5Checksum")))
    return found


def _read_object(path: Path, text: bytes) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise TransferError(f"{path}: this is not JSON ({error})") from error
    if not isinstance(found, dict):
        raise TransferError(f"{path}: an object is needed")
    return cast("dict[str, Any]", found)


def _md5_text(content: bytes) -> str:
    return b64encode(md5(content, usedforsecurity=False).digest()).decode()


# ---- writing ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Written:
    """What has been exported so far."""

    items: int = 0
    size_bytes: int = 0


def dump_export(engine: Engine, table_name: str, folder: Path, progress: Progress = no_progress) -> tuple[Path, int]:
    """Export a table below this folder as the service does to a bucket; gives the export's own folder and its items."""
    started = datetime.fromtimestamp(engine.clock(), UTC)
    export_id = f"0{int(started.timestamp() * 1000)}-{os.urandom(4).hex()}"
    draft, final = folder / f".{export_id}.part", folder / ROOT / export_id
    try:
        (draft / "data").mkdir(parents=True)
        with engine.storage.reading():
            table = engine.table(table_name)
            written = _write_data(engine, table, draft, export_id, progress)
        _write_summary(engine, table, draft, export_id, started, written)
        final.parent.mkdir(parents=True, exist_ok=True)
        draft.rename(final)
    except OSError as error:
        raise TransferError(f"{folder}: {error.strerror or error}; nothing was exported") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return final, written.items


def _write_data(engine: Engine, table: Table, draft: Path, export_id: str, progress: Progress) -> _Written:
    """The data files, and the manifest that lists them."""
    written, entries = _Written(), list[bytes]()
    part: list[bytes] = []
    part_bytes = 0
    for text, size in read_texts(engine, table, progress):
        part.append(b'{"Item":' + text + b"}\n")
        part_bytes += len(text)
        written.items += 1
        written.size_bytes += size
        if part_bytes >= BYTES_PER_FILE:
            entries.append(_write_part(draft, export_id, part))
            part, part_bytes = [], 0
    if part or not entries:
        entries.append(_write_part(draft, export_id, part))
    _write_with_checksum(draft / FILES, b"".join(entries))
    return written


def _write_part(draft: Path, export_id: str, lines: list[bytes]) -> bytes:
    """One data file; gives its line of the manifest."""
    content = gzip.compress(b"".join(lines), mtime=0)
    name = f"{os.urandom(13).hex()}.json.gz"
    (draft / "data" / name).write_bytes(content)
    entry = {
        "itemCount": len(lines),
        "md5Checksum": _md5_text(content),
        "etag": f"{md5(content, usedforsecurity=False).hexdigest()}-1",
        "dataFileS3Key": f"{ROOT}/{export_id}/data/{name}",
    }
    return msgspec.json.encode(entry) + b"\n"


def _write_summary(
    engine: Engine, table: Table, draft: Path, export_id: str, started: datetime, written: _Written
) -> None:
    arn = table_arn(engine, table.name)
    summary = {
        "version": "2023-08-01",
        "exportArn": f"{arn}/export/{export_id}",
        "startTime": _moment(started),
        "endTime": _moment(datetime.fromtimestamp(engine.clock(), UTC)),
        "tableArn": arn,
        "tableId": table.uuid,
        "exportTime": _moment(started),
        "s3Bucket": None,
        "s3Prefix": None,
        "s3SseAlgorithm": None,
        "s3SseKmsKeyId": None,
        "manifestFilesS3Key": f"{ROOT}/{export_id}/{FILES}",
        "billedSizeBytes": written.size_bytes,
        "itemCount": written.items,
        "outputFormat": "DYNAMODB_JSON",
        "outputView": "NEW_IMAGE",
        "exportType": "FULL_EXPORT",
    }
    _write_with_checksum(draft / SUMMARY, msgspec.json.encode(summary))


def _write_with_checksum(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.with_suffix(".md5").write_bytes(_md5_text(content).encode())


def _moment(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
