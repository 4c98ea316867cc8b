"""Runs a Markdown page: its Python blocks in order, in one namespace, in an empty folder."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from types import ModuleType
from typing import TYPE_CHECKING

from tests.docs.markdown import Block, blocks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PYTHON_LANGUAGES = frozenset({"python", "py", "python3", "pycon", "Python"})


class PageError(AssertionError):
    """A block does not do what the page says; the message names file and line."""


def run_page(path: Path, folder: Path) -> int:
    """Runs all blocks of the page and returns how many were executed; the caller has changed into `folder`."""
    printed: str | None = None
    executed = 0
    with page_module(path) as module:
        for block in blocks(path.read_text()):
            place = f"{path.name}:{block.line}"
            if block.language in PYTHON_LANGUAGES:
                if must_run(block, place):
                    printed = execute(block, path, module)
                    executed += 1
            elif block.mode == "output":
                compare(block, printed, place)
            elif block.mode == "file":
                (folder / block.argument).write_text(block.source)
    return executed


@contextlib.contextmanager
def page_module(path: Path) -> Iterator[ModuleType]:
    """A real module, because classes find the names in their annotations through `sys.modules`."""
    module = ModuleType("docs_page_" + "".join(char if char.isalnum() else "_" for char in path.stem))
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    try:
        yield module
    finally:
        del sys.modules[module.__name__]


def must_run(block: Block, place: str) -> bool:
    if block.language != "python":
        raise PageError(f"{place}: say `python`, not `{block.language}`, so that the block is executed")
    if block.mode == "skip" and not block.argument:
        raise PageError(f"{place}: a skipped block needs its reason: python skip: REASON")
    if block.mode not in ("", "skip"):
        raise PageError(f"{place}: unknown mark `{block.mode}`; known are `python` and `python skip: REASON`")
    return block.mode == ""


def execute(block: Block, path: Path, module: ModuleType) -> str:
    # Leading empty lines make line numbers in tracebacks those of the page.
    source = "\n" * (block.line - 1) + block.source
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))
    return output.getvalue()


def compare(block: Block, printed: str | None, place: str) -> None:
    if printed is None:
        raise PageError(f"{place}: an output block without a Python block before it")
    same = same_json if block.language == "json" else same_text
    if not same(printed, block.source):
        raise PageError(f"{place}: the page shows\n{block.source}\nbut the block before it prints\n{printed}")


def same_text(printed: str, shown: str) -> bool:
    return stripped(printed) == stripped(shown)


def same_json(printed: str, shown: str) -> bool:
    return bool(json.loads(printed) == json.loads(shown))


def stripped(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]
