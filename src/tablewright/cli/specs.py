"""`tablewright init` and `schema`: beginning a spec, and checking it in an editor."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tablewright.cli.terminal import show_json

if TYPE_CHECKING:
    import argparse

    from tablewright.cli.engine import Commands


def add_specs(commands: Commands) -> None:
    _add_init(commands)
    _add_schema(commands)


# ---- init -----------------------------------------------------------------------------------------------------------


def _add_init(commands: Commands) -> None:
    command = commands.add_parser(
        "init",
        help="begin a spec: a commented example, or what an existing schema tells",
        description="Writes a spec to start from. With --from it is inferred: tables of a SQL schema become entities,"
        " foreign keys relationships, indexes and endpoints access patterns; comments say what to fill in.",
        allow_abbrev=False,
    )
    command.add_argument(
        "path", nargs="?", type=Path, default=Path("tablewright.yaml"), help="tablewright.yaml if left out"
    )
    command.add_argument(
        "--from",
        dest="source",
        metavar="FILE",
        help="SQL DDL (PostgreSQL, MySQL, SQLite), an OpenAPI 3 file, an ElectroDB schema (JSON),"
        " or entity classes (a .py file, or module:service)",
    )
    command.set_defaults(run=_run_init)


def _run_init(options: argparse.Namespace) -> None:
    from tablewright import tasks

    path = tasks.start_spec(options.path, options.source)
    sys.stderr.write(f"{path} written; next: tablewright design {path}\n")


# ---- schema ---------------------------------------------------------------------------------------------------------


def _add_schema(commands: Commands) -> None:
    command = commands.add_parser(
        "schema",
        help="the JSON Schema of specs, designs or services, for editors and checks",
        description="Prints a JSON Schema (draft 2020-12), by which editors complete and check files.",
        allow_abbrev=False,
    )
    command.add_argument("kind", choices=("spec", "design", "service"), help="which kind of file")
    command.set_defaults(run=_run_schema)


def _run_schema(options: argparse.Namespace) -> None:
    from tablewright import tasks

    show_json(tasks.published_schema(options.kind))
