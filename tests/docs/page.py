"""Runs a Markdown page: its Python blocks and commands in order, in a folder that has the examples."""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from tablewright.cli.main import main
from tests.docs.made import write_made
from tests.docs.markdown import Block, blocks, included, sections, under

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
PYTHON_LANGUAGES = frozenset({"python", "py", "python3", "pycon", "Python"})


class PageError(AssertionError):
    """A block does not do what the page says; the message names file and line."""


def run_page(path: Path, folder: Path) -> int:
    """Runs all blocks of the page and returns how many were executed; the caller has changed into `folder`."""
    printed: str | None = None
    executed = 0
    furnish(folder)
    with page_module(path) as module:
        for block in blocks(path.read_text()):
            if is_run(block, f"{path.name}:{block.line}"):
                printed = run_block(block, path, module)
                executed += 1
            elif block.mode == "output":
                compare(block, printed, f"{path.name}:{block.line}")
            elif block.mode == "file":
                write_file(block, folder)
    compare_included(path, folder)
    return executed


def furnish(folder: Path) -> None:
    """Pages speak of `examples/...` as in a checkout, and take tables from what the program says of itself."""
    write_made(folder)
    if not (folder / "examples").exists():
        (folder / "examples").symlink_to(ROOT / "examples")


def is_run(block: Block, place: str) -> bool:
    if block.language in PYTHON_LANGUAGES:
        return must_run(block, place)
    return block.language == "sh" and block.mode in ("run", "fails")


def run_block(block: Block, path: Path, module: ModuleType) -> str:
    return execute(block, path, module) if block.language == "python" else command(block, f"{path.name}:{block.line}")


def write_file(block: Block, folder: Path) -> None:
    goal = folder / block.argument
    goal.parent.mkdir(parents=True, exist_ok=True)
    goal.write_text(block.source)


@contextlib.contextmanager
def page_module(path: Path) -> Iterator[ModuleType]:
    """A real module, because classes find the names in their annotations through `sys.modules`.

    What the page imports from its own folder is forgotten with it.
    """
    folder, search_path = Path.cwd(), list(sys.path)
    module = ModuleType("docs_page_" + "".join(char if char.isalnum() else "_" for char in path.stem))
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    try:
        yield module
    finally:
        del sys.modules[module.__name__]
        sys.path[:] = search_path
        for name, each in list(sys.modules.items()):
            if Path(getattr(each, "__file__", None) or "/").is_relative_to(folder / "typed"):
                del sys.modules[name]


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


def command(block: Block, place: str) -> str:
    """What the commands say, on both outputs; a comment is no command."""
    output = io.StringIO()
    status = 0
    lines = [line for line in block.source.replace("\\\n", " ").splitlines() if line and not line.startswith("#")]
    for line in lines:
        name, *arguments = shlex.split(line, comments=True)
        if name != "tablewright" or status:
            raise PageError(f"{place}: {line!r} cannot be run; only `tablewright` can, and none behind one that failed")
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            status = main(arguments)
    if bool(status) != (block.mode == "fails"):
        raise PageError(
            f"{place}: the status is {status}, of which `sh {block.mode}` knows nothing\n{output.getvalue()}"
        )
    return output.getvalue()


def compare_included(path: Path, folder: Path) -> None:
    lines = path.read_text().splitlines()
    for each in included(path.read_text()):
        found = under(each.heading, (folder / each.file).read_text())
        if lines[each.start : each.end] != found:
            raise PageError(f"{path.name}:{each.start + 1}: {each.file} says under {each.heading}\n" + "\n".join(found))


def compare(block: Block, printed: str | None, place: str) -> None:
    if printed is None:
        raise PageError(f"{place}: an output block without a Python block before it")
    if block.argument:
        printed = sections(printed, block.argument)
    same = same_json if block.language == "json" else same_text
    if not same(printed, block.source):
        raise PageError(f"{place}: the page shows\n{block.source}\nbut the block before it prints\n{printed}")


def same_text(printed: str, shown: str) -> bool:
    return stripped(printed) == stripped(shown)


def same_json(printed: str, shown: str) -> bool:
    return bool(json.loads(printed) == json.loads(shown))


def stripped(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]
