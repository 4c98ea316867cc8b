"""From a design to files: what can be generated, and writing it where nothing of anybody's is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.targets import TARGETS, generate, named
from tablewright.tasks.designing import design_of
from tablewright.tasks.files import write_files

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tablewright.tasks.designing import Given


def generated(given: Given, targets: Iterable[str]) -> dict[str, str]:
    """By path: the text of every file of some targets, or of `all`. A spec is designed first."""
    wanted = list(targets)
    return generate(design_of(given, quick="document" not in named(wanted)), wanted)


def write_generated(given: Given, targets: Iterable[str], folder: Path, *, force: bool = False) -> list[Path]:
    """The same, written into a folder: all files or none, and none over what was changed by hand."""
    files = generated(given, targets)
    return write_files(folder, {name: text.encode() for name, text in files.items()}, force=force)


def generation_targets() -> dict[str, str]:
    """By name: what can be generated."""
    return {name: each.about for name, each in TARGETS.items()}
