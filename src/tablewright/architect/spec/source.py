"""Texts of specs with the lines their parts stand on, so that a fault can be found in an editor."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from tablewright.errors import DesignError

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
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise DesignError(f"there is no file {path}; `tablewright init {path}` writes one to start from") from None
    except IsADirectoryError:
        raise DesignError(f"{path} is a folder; name the spec in it") from None
    except OSError as error:
        raise DesignError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DesignError(f"{path} is no text in UTF-8, so it is no spec: {error.reason}") from error
    return parse_source(text, str(path))


def parse_source(text: str, name: str) -> Source:
    try:
        import yaml
    except ImportError:
        raise DesignError("reading specs needs PyYAML; install tablewright[architect]") from None
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        lines: dict[str, int] = {}
        content = None if node is None else converted(loader, node, "", lines)
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise DesignError(f"{name}{line}: this is no YAML: {error.problem or error}") from error
    except yaml.YAMLError as error:
        raise DesignError(f"{name}: this is no YAML: {error}") from error
    finally:
        loader.dispose()
    return Source(content, name, lines)


def converted(loader: Any, node: Any, place: str, lines: dict[str, int]) -> Any:
    """A node as plain values, noting lines on the way. Dates stay the text they were written as."""
    lines[place] = node.start_mark.line + 1
    if node.id == "mapping":
        return converted_mapping(loader, node, place, lines)
    if node.id == "sequence":
        return [converted(loader, each, f"{place}[{at}]", lines) for at, each in enumerate(node.value)]
    if node.tag == "tag:yaml.org,2002:timestamp":
        return node.value
    return loader.construct_object(node)


def converted_mapping(loader: Any, node: Any, place: str, lines: dict[str, int]) -> dict[str, Any]:
    loader.flatten_mapping(node)
    found: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node)
        name = key if isinstance(key, str) else key_node.value
        inside = f"{place}.{name}" if place else name
        if name in found:
            raise DesignError(f"line {key_node.start_mark.line + 1}: {inside} is there twice; keep one of them")
        found[name] = converted(loader, value_node, inside, lines)
        lines[inside] = key_node.start_mark.line + 1
    return found
