"""The guide knows every command and option, and every command it shows is one."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablewright.cli.main import build_parser
from tests.docs.markdown import blocks

GUIDE = (Path(__file__).parents[2] / "docs" / "guide" / "engine.md").read_text()
SHOWN = [
    line.removeprefix("tablewright ")
    for block in blocks(GUIDE)
    if block.language == "sh"
    for line in block.source.splitlines()
    if line.startswith("tablewright ")
]


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and those of its sub-commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from parsers(each)


@pytest.mark.parametrize("command", SHOWN)
def test_shown_commands_are_understood(command: str) -> None:
    assert callable(build_parser().parse_args(shlex.split(command)).run)


def test_every_command_and_option_is_explained() -> None:
    known = list(parsers(build_parser()))
    assert len(known) == 7
    for parser in known[2:]:
        assert parser.prog in GUIDE
        options = {name for action in parser._actions for name in action.option_strings if name.startswith("--")}
        assert {name for name in options - {"--help"} if f"{name}" not in GUIDE} == set()
