"""`python -m tests.docs.refresh PAGE ...`: runs pages and writes what their blocks print into their output blocks.

For pages under change. Read the difference before you keep it: the tests only see that page and program agree.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from pathlib import Path

from tests.docs.markdown import blocks
from tests.docs.page import execute, must_run, page_module


def refreshed(path: Path, folder: Path) -> str:
    """The page's text with fresh outputs; `json output` blocks are left alone, as their layout is the author's."""
    text = path.read_text()
    lines = text.splitlines(keepends=True)
    outputs: list[tuple[int, int, str]] = []
    printed = ""
    with page_module(path) as module:
        for block in blocks(text):
            if block.language == "python" and must_run(block, f"{path.name}:{block.line}"):
                printed = execute(block, path, module)
            elif block.language == "text" and block.mode == "output":
                outputs.append((block.line - 1, len(block.source.splitlines()), printed))
            elif block.mode == "file":
                (folder / block.argument).write_text(block.source)
    for start, count, output in reversed(outputs):
        lines[start : start + count] = [line.rstrip() + "\n" for line in output.strip("\n").splitlines()]
    return "".join(lines)


def main(pages: list[str]) -> None:
    for path in [Path(page).resolve() for page in pages]:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            text = refreshed(path, Path(folder))
        path.write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
