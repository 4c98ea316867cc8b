"""`tablewright generate`: infrastructure, code and documents; `export-script`: schemas out of TypeScript."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tablewright.cli.terminal import show_status

if TYPE_CHECKING:
    import argparse

    from tablewright.cli.engine import Commands
    from tablewright.design.model import Design


def add_generate(commands: Commands) -> None:
    command = commands.add_parser(
        "generate",
        help="infrastructure, TypeScript, Python and documents of a design",
        description="Writes what a team needs to go from a design to production. A spec is designed and proven first,"
        " and nothing is generated from a design that fails; a design.json is as proven as it says. What is not proven"
        " is called unproven, here and in a file UNPROVEN.md of every folder. Files that were changed by hand are never"
        " replaced without --force. --list says what can be generated.",
        allow_abbrev=False,
    )
    command.add_argument(
        "design",
        type=Path,
        nargs="?",
        help="a design.json, a spec that is designed and proven first, or a schema (for classes)",
    )
    command.add_argument(
        "--to", action="append", metavar="TARGET", default=[], help="what to make; may be given again; or all"
    )
    command.add_argument(
        "-o", "--output", type=Path, metavar="DIR", default=Path("generated"), help="where to (generated)"
    )
    command.add_argument("--force", action="store_true", help="replace files there that were changed by hand")
    command.add_argument("--no-prove", action="store_true", help="do not prove the design of a spec, and say unproven")
    command.add_argument("--list", action="store_true", help="say what can be generated")
    command.set_defaults(run=_run_generate, parser=command)
    script = commands.add_parser(
        "export-script",
        help="a program for Node that writes ElectroDB services as JSON",
        description="Prints a program for Node, which writes an ElectroDB service, entity or schema as JSON. Functions"
        " are written by name, with their source. tablewright export-script > tablewright-export.mjs, then"
        " node tablewright-export.mjs ./dist/service.js > service.json (for TypeScript: npx tsx).",
        allow_abbrev=False,
    )
    script.set_defaults(run=_run_export_script)


def _run_generate(options: argparse.Namespace) -> None:
    from tablewright import tasks

    if options.list:
        for name, about in tasks.generation_targets().items():
            sys.stdout.write(f"{name:<16} {about}\n")
        return
    given: Path | None = options.design
    if given is None or not options.to:
        options.parser.error("name a design and a target: tablewright generate design.json --to all")
        return
    wanted = [name for each in options.to for name in each.split(",") if name]
    prove = not options.no_prove
    with show_status("generating"):
        found = tasks.design_to_generate(given, wanted, prove=prove)
        written = tasks.write_generated(found or given, wanted, options.output, force=options.force, prove=prove)
    for folder, count in _count_by_folder(written, options.output).items():
        sys.stdout.write(f"{folder}: {count} file{'s' if count > 1 else ''}\n")
    if found is not None:
        _tell_doubt(found)


def _tell_doubt(found: Design) -> None:
    from tablewright.report.verdict import doubt

    said = doubt(found)
    if said:
        sys.stderr.write(f"{said}\n")


def _run_export_script(_: argparse.Namespace) -> None:
    from tablewright import tasks

    sys.stdout.write(tasks.export_script())


def _count_by_folder(written: list[Path], root: Path) -> dict[str, int]:
    """By target folder: how many files were written."""
    found: dict[str, int] = {}
    for path in written:
        folder = str(root / path.relative_to(root).parts[0])
        found[folder] = found.get(folder, 0) + 1
    return found
