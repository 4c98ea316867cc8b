"""What the command says when nobody has said what to do."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import tablewright as tw
from tablewright.cli.main import main

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]


def test_without_a_command_it_says_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("usage: tablewright")
    assert all(name in said.out for name in ("init", "design", "prove", "generate", "engine"))
    assert said.err == ""


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"tablewright {PROJECT['version']}\n"
    assert tw.__version__ == PROJECT["version"]


def test_the_package_itself_is_the_command() -> None:
    command = [sys.executable, "-m", "tablewright", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.startswith("tablewright ")


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Databse'"):
        getattr(tw, "Databse")  # noqa: B009 - what a type checker would not let pass
