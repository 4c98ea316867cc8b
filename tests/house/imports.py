"""Who imports whom inside a package, read from its sources: type-only and function-local imports count as imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

Graph = Mapping[str, frozenset[str]]
"""A module, without the name of the package -> the modules of the package that it imports."""

NOT_OURS = "static"
"""Files in such folders are copied into generated projects; here nobody imports them."""


def import_graph(package: Path) -> Graph:
    files = {_module_name(package, path): path for path in sorted(package.rglob("*.py")) if NOT_OURS not in path.parts}
    return {name: frozenset(_imported(package.name, path, files)) - {name} for name, path in files.items()}


def _module_name(package: Path, path: Path) -> str:
    parts = path.relative_to(package).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(package: str, path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for names in _candidates(node):
            modules = [name.removeprefix(f"{package}.") for name in names if name.startswith(f"{package}.")]
            yield from [each for each in modules if each in known][:1]


def _candidates(node: ast.AST) -> Iterator[tuple[str, ...]]:
    """What an import can mean, the likeliest first: `from a import b` is the module `a.b`, if there is one, or `a`."""
    if isinstance(node, ast.Import):
        yield from ((each.name,) for each in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield from ((f"{node.module}.{each.name}", node.module) for each in node.names)


def cycles(graph: Graph) -> list[list[str]]:
    """Groups of modules that import each other, directly or in a round; the largest first."""
    reach = {name: _reachable(graph, name) for name in graph}
    groups = {frozenset({name, *(each for each in reach[name] if name in reach[each])}) for name in graph}
    return sorted((sorted(each) for each in groups if len(each) > 1), key=lambda each: (-len(each), each))


def _reachable(graph: Graph, start: str) -> set[str]:
    found: set[str] = set()
    open_: list[str] = [start]
    while open_:
        new = graph[open_.pop()] - found
        found |= new
        open_ += new
    return found
