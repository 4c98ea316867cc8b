"""`python -m tests.docs.refresh PAGE ...`: runs pages and writes what their blocks print into their output blocks.

For pages under change. Read the difference before you keep it: the tests only see that page and program agree.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from pathlib import Path

from tests.docs.markdown import blocks, included, sections, under
from tests.docs.page import furnish, is_run, page_module, run_block, stripped, write_file


def refreshed(path: Path, folder: Path) -> str:
    """The page's text with fresh outputs; `json output` blocks are left alone, as their layout is the author's."""
    text = path.read_text()
    lines = text.splitlines(keepends=True)
    outputs: list[tuple[int, int, list[str]]] = []
    printed = ""
    furnish(folder)
    with page_module(path) as module:
        for block in blocks(text):
            if is_run(block, f"{path.name}:{block.line}"):
                printed = run_block(block, path, module)
            elif block.language == "text" and block.mode == "output":
                shown = sections(printed, block.argument) if block.argument else printed
                outputs.append((block.line - 1, len(block.source.splitlines()), stripped(shown)))
            elif block.mode == "file":
                write_file(block, folder)
    for each in included(text):
        outputs.append((each.start, each.end - each.start, under(each.heading, (folder / each.file).read_text())))
    for start, count, output in sorted(outputs, reverse=True):
        lines[start : start + count] = [f"{line}\n" for line in output]
    return "".join(lines)


def main(pages: list[str]) -> None:
    for path in [Path(page).resolve() for page in pages]:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            text = refreshed(path, Path(folder))
        path.write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
