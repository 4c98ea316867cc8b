"""Text for people: tables with aligned columns, and progress that overwrites itself on a terminal."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_CELL = 48
TERMINAL_SECONDS = 0.1
LOG_SECONDS = 5.0


def show_table(header: Sequence[str], rows: Sequence[Sequence[str]], output: TextIO | None = None) -> None:
    """Columns as wide as their widest cell, up to a limit."""
    out = output or sys.stdout
    lines = [[clipped(cell) for cell in line] for line in (header, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    lines.insert(1, ["-" * width for width in widths])
    for line in lines:
        out.write("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() + "\n")


def clipped(text: str) -> str:
    plain = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
    return plain if len(plain) <= MAX_CELL else plain[: MAX_CELL - 1] + "…"


def cell(typed: Mapping[str, Any] | None) -> str:
    """An attribute value as short as it can be read; nothing for a missing one."""
    if typed is None:
        return ""
    value = simple(typed)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def simple(typed: Mapping[str, Any]) -> Any:
    """A typed value without its types, numbers as they are written."""
    ((code, value),) = typed.items()
    if code == "M":
        return {name: simple(each) for name, each in value.items()}
    if code == "L":
        return [simple(each) for each in value]
    return None if code == "NULL" else value


def show_json(value: object) -> None:
    json.dump(value, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


def size_text(size_bytes: float) -> str:
    for unit in ("B", "KB", "MB"):
        if size_bytes < 1024:
            return f"{size_bytes:.0f} {unit}" if unit == "B" else f"{size_bytes:.1f} {unit}"
        size_bytes /= 1024
    return f"{size_bytes:.1f} GB"


class ProgressLine:
    """Items and share done, on stderr: in place on a terminal, now and then a line elsewhere."""

    def __init__(self, verb: str, output: TextIO | None = None) -> None:
        self.verb = verb
        self.output = output or sys.stderr
        self.on_terminal = self.output.isatty()
        self.pause = TERMINAL_SECONDS if self.on_terminal else LOG_SECONDS
        self.next = time.monotonic() + self.pause
        self.shown = False

    def __call__(self, items: int, done_bytes: int, total_bytes: int) -> None:
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + self.pause
        share = f", {100 * done_bytes // total_bytes} %" if total_bytes else ""
        text = f"{self.verb} {items:,} items{share}"
        self.output.write(f"\r{text}\x1b[K" if self.on_terminal else f"{text}\n")
        self.output.flush()
        self.shown = self.on_terminal

    def finish(self, text: str) -> None:
        self.output.write(f"\r\x1b[K{text}\n" if self.shown else f"{text}\n")
