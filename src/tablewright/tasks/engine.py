"""The embedded engine: serving it, looking into its files, and moving items in and out of them."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tablewright.engine import Engine
from tablewright.engine.inspection import inspect
from tablewright.engine.lookup import Found, Wanted, known_table, look_up
from tablewright.engine.server import Separate, Server, Shared
from tablewright.engine.store.file import is_blank
from tablewright.engine.transfer import Columns, Export, Lines, dump_export, dump_lines, load, no_progress, replace_file
from tablewright.errors import RequestError, ServiceError, TablewrightError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from pathlib import Path

    from tablewright.engine.server.databases import Databases
    from tablewright.engine.store.file import Durability
    from tablewright.engine.store.values import Words
    from tablewright.engine.transfer import Loaded, Progress, Source

Format: TypeAlias = Literal["auto", "json", "s3", "csv"]


# ---- serving ---------------------------------------------------------------------------------------------------------


def engine_server(
    file: Path | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    durability: Durability = "normal",
    separate: bool = False,
    wording: Words = "current",
    cors: Iterable[str] = (),
    allow_hosts: Iterable[str] = (),
) -> Server:
    """A server that is ready to run, with its database opened."""
    databases: Databases = (
        Separate(file, durability=durability, wording=wording)
        if separate
        else Shared(Engine(file, durability=durability, wording=wording))
    )
    try:
        return Server(databases, host=host, port=port, cors=cors, allow_hosts=allow_hosts)
    except TablewrightError:
        databases.close()
        raise


@contextmanager
def _open_engine(file: Path) -> Generator[Engine]:
    """The engine on a file that must exist already, with a database in it: looking makes none."""
    if not file.is_file():
        raise RequestError(f"{file}: there is no such file; `tablewright engine serve --file {file}` would make it")
    if is_blank(file):
        raise RequestError(
            f"{file}: there is nothing in it; if there should be, use a copy of the file,"
            f" else `tablewright engine serve --file {file}` would begin there"
        )
    with Engine(file) as engine:
        yield engine


# ---- looking ---------------------------------------------------------------------------------------------------------


def engine_tables(file: Path) -> list[dict[str, Any]]:
    """DynamoDB's description of every table in a file, by name."""
    with _open_engine(file) as engine:
        names: list[str] = []
        reply: dict[str, Any] = engine.call("ListTables", {})
        names += reply["TableNames"]
        while last := reply.get("LastEvaluatedTableName"):
            reply = engine.call("ListTables", {"ExclusiveStartTableName": last})
            names += reply["TableNames"]
        return [engine.call("DescribeTable", {"TableName": name})["Table"] for name in names]


def engine_query(file: Path, table_name: str, wanted: Wanted) -> Found:
    """The first items of a partition, or of the table, with what they cost."""
    with _open_engine(file) as engine:
        return look_up(engine, table_name, wanted)


def engine_check(file: Path) -> list[str]:
    """Everything that is damaged in a file, a sentence each; looking takes as long as the file is."""
    with _open_engine(file) as engine:
        return list(inspect(engine))


# ---- moving ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NewTable:
    """The keys of a table that an import makes: `name` or `name:N`."""

    pk: str
    sk: str | None = None

    def params(self, name: str) -> dict[str, Any]:
        parts = [(self.pk, "HASH")] + ([(self.sk, "RANGE")] if self.sk else [])
        split = [(*_typed_name(text), kind) for text, kind in parts]
        return {
            "TableName": name,
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{"AttributeName": attribute, "KeyType": kind} for attribute, _, kind in split],
            "AttributeDefinitions": [
                {"AttributeName": attribute, "AttributeType": type_code} for attribute, type_code, _ in split
            ],
        }


def _typed_name(text: str) -> tuple[str, str]:
    name, colon, type_code = text.rpartition(":")
    if not colon:
        return text, "S"
    if not name or type_code not in ("S", "N", "B"):
        raise RequestError(f"{text!r}: write the name of the attribute and its type S, N or B, such as id:S")
    return name, type_code


def engine_import(
    file: Path,
    table_name: str,
    source: Path,
    *,
    form: Format = "auto",
    new_table: NewTable | None = None,
    delimiter: str = ",",
    progress: Progress = no_progress,
) -> Loaded:
    """All items of a file or folder into a table, or none of them. A missing table is made when its keys are given."""
    if not source.exists():
        raise RequestError(f"{source}: there is no such file or folder")
    had_file = file.exists()
    try:
        with Engine(file) as engine:
            made = _make_table(engine, table_name, new_table)
            try:
                return load(engine, table_name, _find_source(engine, table_name, source, form, delimiter), progress)
            except BaseException:
                if made:
                    engine.call("DeleteTable", {"TableName": table_name})
                raise
    except BaseException:
        if not had_file:
            _remove_database(file)
        raise


def _make_table(engine: Engine, name: str, new_table: NewTable | None) -> bool:
    """Make the table if it is not there; tells whether it did."""
    with engine.storage.reading():
        if name in engine.storage.tables:
            return False
    if new_table is None:
        raise RequestError(f"there is no table {name!r}; give --pk (and --sk) to make it, such as --pk id:S")
    try:
        engine.call("CreateTable", new_table.params(name))
    except ServiceError as error:
        raise RequestError(f"the table cannot be made: {error.service_message}") from error
    return True


def _remove_database(file: Path) -> None:
    for each in (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
        each.unlink(missing_ok=True)


def _find_source(engine: Engine, table_name: str, source: Path, form: Format, delimiter: str) -> Source:
    name = source.name.removesuffix(".gz")
    if form == "auto":
        form = "s3" if source.is_dir() else "csv" if name.endswith((".csv", ".tsv")) else "json"
    if source.is_dir() and form != "s3":
        raise RequestError(f"{source} is a folder, but {form} is read from a file")
    if form == "s3":
        return Export(source)
    if form == "csv":
        return Columns(source, known_table(engine, table_name).types, delimiter=delimiter)
    return Lines([source])


def engine_export(
    file: Path,
    table_name: str,
    target: Path,
    *,
    form: Literal["json", "s3"] = "json",
    overwrite: bool = False,
    progress: Progress = no_progress,
) -> tuple[Path, int]:
    """A table as it stands, as a file of DynamoDB JSON lines or a folder like an export to S3; where, how many."""
    with _open_engine(file) as engine:
        known_table(engine, table_name)
        if form == "s3":
            if target.exists() and not target.is_dir():
                raise TablewrightError(f"{target} is a file, but an export to S3 is a folder")
            return dump_export(engine, table_name, target, progress)
        if target.is_dir() or (target.exists() and not overwrite):
            raise TablewrightError(f"{target} is there already; choose another name, or say --overwrite for a file")
        with replace_file(target) as output:
            return target, dump_lines(engine, table_name, output, progress)
