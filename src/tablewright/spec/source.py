"""Texts of specs with the lines their parts stand on, so that a fault can be found in an editor."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from tablewright.errors import DesignError
from tablewright.schema.documents import NoYaml, Unreadable, parse_yaml, read_text

Lines = Mapping[str, int]


class Source(msgspec.Struct, frozen=True):
    """The content of a spec, what to call it, and the line of every place in it (`entities.Task.id` -> 12)."""

    content: Any
    name: str = "the spec"
    lines: Lines = msgspec.field(default_factory=dict[str, int])

    def where(self, place: str) -> str:
        """`shop.yaml:12: entities.Task.id`; the nearest place around it where this one has no line."""
        around = place
        while around and around not in self.lines:
            around = around[: max(around.rfind("."), around.rfind("["))] if {".", "["} & set(around) else ""
        line = self.lines.get(around)
        file = f"{self.name}:{line}" if line else self.name
        return f"{file}: {place}" if place else file


def open_source(source: str | Path | Mapping[str, Any]) -> Source:
    """A mapping as it is, or the YAML or JSON in a file (or in a text of several lines)."""
    if isinstance(source, Mapping):
        return Source(source)
    if isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{")):
        return parse_source(source, "the text")
    path = Path(source)
    try:
        text = read_text(path)
    except FileNotFoundError:
        raise DesignError(f"there is no file {path}; `tablewright init {path}` writes one to start from") from None
    except IsADirectoryError:
        raise DesignError(f"{path} is a folder; name the spec in it") from None
    except OSError as error:
        raise DesignError(f"{path} cannot be read: {error.strerror}") from error
    except Unreadable as error:
        raise DesignError(str(error)) from error
    return parse_source(text, str(path))


def parse_source(text: str, name: str) -> Source:
    try:
        found = parse_yaml(text, name)
    except NoYaml:
        raise DesignError("reading specs needs PyYAML; install tablewright[architect]") from None
    except Unreadable as error:
        raise DesignError(str(error)) from error
    return Source(found.content, name, found.lines)
