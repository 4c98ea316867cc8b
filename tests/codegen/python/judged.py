"""Which modules of many generated packages a type checker has to look at.

What it says of a module follows from the module and from all that it imports of its own package. Most packages share
more with each other than they have of their own, and of modules that are the same in both one is enough.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def to_judge(roots: list[Path]) -> list[Path]:
    """Modules of the packages in these folders, of those that are the same the first."""
    judged: dict[tuple[str, ...], Path] = {}
    for root in roots:
        texts = {path: path.read_text("utf-8") for path in sorted(root.rglob("*.py"))}
        imports = {path: list(_imported(path, path.relative_to(root).parts[0], texts)) for path in texts}
        for path in texts:
            known = [f"{_place(each, root)}\n{texts[each]}" for each in _reached(path, imports)]
            judged.setdefault((str(_place(path, root)), *known), path)
    return list(judged.values())


def _reached(path: Path, imports: dict[Path, list[Path]]) -> list[Path]:
    """A module and all that it imports, and what these import."""
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += imports[module]
    return sorted(found)


def _place(module: Path, root: Path) -> Path:
    """Without the name of the package, which its modules do not say: they import each other by dots."""
    return Path(*module.relative_to(root).parts[1:])


def _imported(module: Path, package: str, texts: dict[Path, str]) -> Iterator[Path]:
    """What a module imports of its package."""
    for level, name, names in _imports(texts[module]):
        if not level:
            assert name.partition(".")[0] != package, f"{module} imports {name}, not by dots"
            continue
        folder = module.parents[level - 1].joinpath(*filter(None, name.split(".")))
        for each in (folder, *(folder / one for one in names)):
            yield from (found for found in (each.with_suffix(".py"), each / "__init__.py") if found in texts)


@cache
def _imports(text: str) -> list[tuple[int, str, tuple[str, ...]]]:
    """By import: how many dots, the module, and the names that are imported of it."""
    found: list[tuple[int, str, tuple[str, ...]]] = []
    for each in ast.walk(ast.parse(text)):
        if isinstance(each, ast.ImportFrom):
            found.append((each.level, each.module or "", tuple(name.name for name in each.names)))
        elif isinstance(each, ast.Import):
            found += [(0, name.name, ()) for name in each.names]
    return found
