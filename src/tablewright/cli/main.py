"""The `tablewright` command: what it understands, and how it fails.

Faults go to stderr with status 1, or 2 for usage. Commands that show a design return 3 where a verdict on it failed.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from difflib import get_close_matches
from typing import TYPE_CHECKING, NoReturn

from tablewright.errors import DesignError, ServiceError, TablewrightError

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130


_CHOICE = re.compile(r"invalid choice: '(?P<said>[^']*)' \(choose from (?P<known>.*)\)$")


class Parser(argparse.ArgumentParser):
    """Complains in one line, and names what was meant in all likelihood."""

    def error(self, message: str) -> NoReturn:
        found = _CHOICE.search(message)
        near = get_close_matches(found["said"], re.findall(r"[\w.-]+", found["known"]), 1) if found else []
        hint = f"; did you mean {near[0]}?" if near else f"; see {self.prog} --help"
        self.exit(2, f"{self.prog}: {message}{hint}\n")


def build_parser() -> argparse.ArgumentParser:
    from tablewright.cli.designs import add_designs
    from tablewright.cli.engine import add_engine
    from tablewright.cli.generation import add_generate
    from tablewright.cli.interview import add_ask
    from tablewright.cli.specs import add_specs

    parser = Parser(prog="tablewright", description="The DynamoDB architect you can run.", allow_abbrev=False)
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", parser_class=Parser)
    add_specs(commands)
    add_ask(commands)
    add_designs(commands)
    add_generate(commands)
    add_engine(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    parser = build_parser()
    options = parser.parse_args(arguments)
    if options.version or options.command is None:
        sys.stdout.write(f"tablewright {_version()}\n" if options.version else parser.format_help())
        return 0
    try:
        status: int | None = options.run(options)  # most commands say nothing: done
        sys.stdout.flush()
    except KeyboardInterrupt:
        return complain("interrupted", INTERRUPTED)
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except ServiceError as error:
        return complain(error.service_message or error.name)
    except DesignError as error:  # the places of its faults come first, as compilers write them
        sys.stderr.write(f"{error.message}\n" if "\n" in error.message else f"tablewright: {error.message}\n")
        return 1
    except TablewrightError as error:
        return complain(error.message)
    except OSError as error:
        return complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    return status or 0


def _version() -> str:
    from tablewright import __version__

    return __version__


def complain(message: str, status: int = 1) -> int:
    sys.stderr.write(f"tablewright: {' '.join(message.split())}\n")
    return status
