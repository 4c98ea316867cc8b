"""The `tablewright` command: what it understands, and how it fails.

Faults go to stderr with status 1, or 2 for usage. Commands that show a design return 3 where a verdict on it failed.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, NoReturn

from tablewright.errors import DesignError, ServiceError, TablewrightError

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """Complains in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def build_parser() -> argparse.ArgumentParser:
    from tablewright.cli.designs import add_designs
    from tablewright.cli.engine import add_engine
    from tablewright.cli.generation import add_generate
    from tablewright.cli.interview import add_ask
    from tablewright.cli.specs import add_specs

    parser = Parser(prog="tablewright", description="The DynamoDB architect you can run.", allow_abbrev=False)
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    add_specs(commands)
    add_ask(commands)
    add_designs(commands)
    add_generate(commands)
    add_engine(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    options = build_parser().parse_args(arguments)
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


def complain(message: str, status: int = 1) -> int:
    sys.stderr.write(f"tablewright: {' '.join(message.split())}\n")
    return status
