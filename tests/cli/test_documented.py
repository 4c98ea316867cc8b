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
    known = [each for each in parsers(build_parser()) if each.prog.startswith("tablewright engine ")]
    assert len(known) == 6
    for parser in known:
        assert parser.prog in GUIDE
        options = {name for action in parser._actions for name in action.option_strings if name.startswith("--")}
        assert {name for name in options - {"--help"} if f"{name}" not in GUIDE} == set()


DESIGNING = [
    each
    for each in parsers(build_parser())
    if each.prog != "tablewright" and not each.prog.startswith("tablewright engine")
]


@pytest.mark.parametrize("parser", DESIGNING, ids=lambda parser: parser.prog)
def test_help_says_what_every_option_of_a_design_command_does(parser: argparse.ArgumentParser) -> None:
    assert [action.dest for action in parser._actions if not action.help] == []
    assert parser.description
