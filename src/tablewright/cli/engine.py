"""`tablewright engine ...`: the embedded engine for people."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tablewright.cli.terminal import ProgressLine, cell_text, show_json, show_table, size_text

if TYPE_CHECKING:
    import argparse

    from tablewright.engine.server import Server


class Commands(Protocol):
    """What argparse gives for sub-commands; its own class is private."""

    def add_parser(self, name: str, **options: Any) -> argparse.ArgumentParser: ...


LOOPBACK = ("127.0.0.1", "localhost", "::1")


def add_engine(commands: Commands) -> None:
    """Every command takes its options here and names the function that runs it."""
    engine = commands.add_parser("engine", help="a DynamoDB on your machine: serve, look into, fill and empty it")
    actions = engine.add_subparsers(metavar="ACTION", required=True)
    _add_serve(actions)
    _add_tables(actions)
    _add_query(actions)
    _add_check(actions)
    _add_import(actions)
    _add_export(actions)


# ---- serve -----------------------------------------------------------------------------------------------------------


def _add_serve(actions: Commands) -> None:
    command = actions.add_parser("serve", help="serve a DynamoDB on a port, for any AWS SDK", allow_abbrev=False)
    command.add_argument("--file", type=Path, help="keep the data in this file; without it, in memory")
    command.add_argument("--port", type=_port_number, default=8000, help="8000 if not given; 0 takes any free port")
    command.add_argument("--host", default="127.0.0.1", help="127.0.0.1 if not given: this machine only")
    command.add_argument(
        "--durability",
        choices=("normal", "full"),
        default="normal",
        help="full: what was acknowledged survives a power failure as well (slower)",
    )
    command.add_argument(
        "--wording",
        choices=("current", "classic"),
        default="current",
        help="classic: validation errors in the words that DynamoDB used until 2026",
    )
    command.add_argument("--separate", action="store_true", help="separate tables for each access key and region")
    command.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name it may be called by, besides those of this machine and --host; repeatable",
    )
    command.add_argument(
        "--cors",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="let pages of this origin ask, such as http://localhost:3000; repeatable; without it, no page may",
    )
    command.set_defaults(run=_run_serve)


def _port_number(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise ArgumentTypeError(f"{text!r} is not a number from 0 to 65535")
    return int(text)


def _run_serve(options: argparse.Namespace) -> None:
    from tablewright.engine.server import serve_forever
    from tablewright.tasks import engine_server

    server = engine_server(
        options.file,
        host=options.host,
        port=options.port,
        durability=options.durability,
        separate=options.separate,
        wording=options.wording,
        cors=options.cors,
        allow_hosts=options.allow_host,
    )
    serve_forever(server, on_ready=lambda: _show_address(server, options))
    sys.stdout.write("stopped\n")


def _show_address(server: Server, options: argparse.Namespace) -> None:
    place = f"in {options.file}" if options.file else "in memory (gone when it stops)"
    sys.stdout.write(
        f"A DynamoDB {place} answers at {server.url}\n\n{_connection_help(server.url)}\n\nCtrl+C stops it.\n"
    )
    if options.host not in LOOPBACK:
        sys.stdout.write("Careful: other machines can reach it, and signatures are not verified.\n")
    sys.stdout.flush()


def _connection_help(url: str) -> str:
    """How to reach the server from where people are."""
    return f"""\
  every SDK    export AWS_ENDPOINT_URL_DYNAMODB={url} AWS_REGION=us-east-1
               export AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local
  boto3        boto3.client("dynamodb", endpoint_url="{url}", region_name="us-east-1",
                            aws_access_key_id="local", aws_secret_access_key="local")
  AWS CLI      aws dynamodb list-tables --endpoint-url {url}
  JavaScript   new DynamoDBClient({{ endpoint: "{url}", region: "us-east-1",
                                    credentials: {{ accessKeyId: "local", secretAccessKey: "local" }} }})"""


# ---- tables and query ------------------------------------------------------------------------------------------------


def _add_tables(actions: Commands) -> None:
    command = actions.add_parser("tables", help="the tables in a file", allow_abbrev=False)
    _add_file(command)
    command.add_argument("--json", action="store_true", help="their descriptions as JSON")
    command.set_defaults(run=_run_tables)


def _add_file(command: argparse.ArgumentParser) -> None:
    command.add_argument("--file", type=Path, required=True, help="the file that holds the data")


def _run_tables(options: argparse.Namespace) -> None:
    from tablewright.tasks import engine_tables

    tables = engine_tables(options.file)
    if options.json:
        show_json(tables)
    elif tables:
        show_table(("table", "keys", "items", "size", "indexes"), [_table_row(each) for each in tables])
    else:
        sys.stderr.write(f"no tables in {options.file}\n")


def _table_row(table: dict[str, Any]) -> tuple[str, ...]:
    types = {each["AttributeName"]: each["AttributeType"] for each in table["AttributeDefinitions"]}
    keys = ", ".join(f"{each['AttributeName']} {types[each['AttributeName']]}" for each in table["KeySchema"])
    indexes = [*table.get("GlobalSecondaryIndexes", []), *table.get("LocalSecondaryIndexes", [])]
    names = ", ".join(each["IndexName"] for each in indexes)
    return table["TableName"], keys, f"{table['ItemCount']:,}", size_text(table["TableSizeBytes"]), names


def _add_query(actions: Commands) -> None:
    command = actions.add_parser(
        "query", help="items of a partition (or, without --pk, of the table), and their cost", allow_abbrev=False
    )
    command.add_argument("table")
    _add_file(command)
    command.add_argument("--index", help="query this index")
    command.add_argument(
        "--pk", action="append", default=[], help="the partition key; repeat it if it has several parts"
    )
    command.add_argument("--sk", action="append", default=[], help="the sort key; repeat it if it has several parts")
    command.add_argument("--sk-begins-with", metavar="PREFIX")
    command.add_argument("--sk-from", metavar="LOWEST")
    command.add_argument("--sk-to", metavar="HIGHEST")
    command.add_argument("--descending", action="store_true", help="the highest sort key first")
    command.add_argument("--limit", type=_positive, default=100, help="100 if not given")
    command.add_argument("--json", action="store_true", help="DynamoDB JSON on stdout, and nothing else there")
    command.set_defaults(run=_run_query)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


def _run_query(options: argparse.Namespace) -> None:
    from tablewright.tasks import Wanted, engine_query

    wanted = Wanted(
        index=options.index,
        pk=options.pk,
        sk=options.sk,
        sk_begins_with=options.sk_begins_with,
        sk_from=options.sk_from,
        sk_to=options.sk_to,
        limit=options.limit,
        descending=options.descending,
    )
    found = engine_query(options.file, options.table, wanted)
    if options.json:
        show_json({"Items": found.items, "Count": len(found.items), "ScannedCount": found.read})
    elif found.items:
        columns = list(dict.fromkeys([*found.key_names, *(name for item in found.items for name in item)]))
        show_table(columns, [[cell_text(item.get(name)) for name in columns] for item in found.items])
    more = "; there are more, see --limit" if found.more else ""
    sys.stderr.write(f"{len(found.items)} items, {found.read} read, {found.rcu:g} read units{more}\n")


# ---- check -----------------------------------------------------------------------------------------------------------


def _add_check(actions: Commands) -> None:
    command = actions.add_parser(
        "check", help="look through a whole file for damage; the status is 1 if there is any", allow_abbrev=False
    )
    _add_file(command)
    command.set_defaults(run=_run_check)


def _run_check(options: argparse.Namespace) -> None:
    from tablewright.errors import TablewrightError
    from tablewright.tasks import engine_check

    faults = engine_check(options.file)
    sys.stdout.write("".join(f"{each}\n" for each in faults))
    if faults:
        raise TablewrightError(f"{options.file}: {len(faults)} faults; use a copy of the file")
    sys.stderr.write(f"no damage in {options.file}\n")


# ---- import and export -----------------------------------------------------------------------------------------------


def _add_import(actions: Commands) -> None:
    command = actions.add_parser(
        "import", help="items from DynamoDB JSON lines, an export to S3, or CSV: all or none", allow_abbrev=False
    )
    command.add_argument("table")
    command.add_argument("source", type=Path, help="a file (also .gz), or the folder of an export to S3")
    _add_file(command)
    command.add_argument("--format", choices=("auto", "json", "s3", "csv"), default="auto")
    command.add_argument("--pk", metavar="NAME[:TYPE]", help="make the table if it is missing, with this partition key")
    command.add_argument("--sk", metavar="NAME[:TYPE]", help="and this sort key")
    command.add_argument("--delimiter", type=_one_character, default=",", help="between the cells of CSV")
    command.set_defaults(run=_run_import)


def _one_character(text: str) -> str:
    character = {"tab": "\t", "\\t": "\t"}.get(text, text)
    if len(character) != 1 or character in '\r\n"':
        raise ArgumentTypeError(f"{text!r} is not one character, nor the word tab")
    return character


def _run_import(options: argparse.Namespace) -> None:
    from tablewright.errors import RequestError
    from tablewright.tasks import NewTable, engine_import

    if options.sk and not options.pk:
        raise RequestError("--sk needs --pk")
    line = ProgressLine("imported")
    loaded = engine_import(
        options.file,
        options.table,
        options.source,
        form=options.format,
        new_table=NewTable(options.pk, options.sk) if options.pk else None,
        delimiter=options.delimiter,
        progress=line,
    )
    deleted = f", {loaded.deleted:,} deleted" if loaded.deleted else ""
    line.finish(f"{loaded.put:,} items imported into {options.table}{deleted}")


def _add_export(actions: Commands) -> None:
    command = actions.add_parser(
        "export", help="a table as DynamoDB JSON lines, or as DynamoDB exports to S3", allow_abbrev=False
    )
    command.add_argument("table")
    command.add_argument("target", type=Path, help="a file (.gz packs it), or the folder of the export")
    _add_file(command)
    command.add_argument("--format", choices=("json", "s3"), default="json")
    command.add_argument("--overwrite", action="store_true", help="replace a file that is there already")
    command.set_defaults(run=_run_export)


def _run_export(options: argparse.Namespace) -> None:
    from tablewright.tasks import engine_export

    line = ProgressLine("exported")
    target, count = engine_export(
        options.file,
        options.table,
        options.target,
        form=options.format,
        overwrite=options.overwrite,
        progress=line,
    )
    line.finish(f"{count:,} items of {options.table} exported to {target}")
