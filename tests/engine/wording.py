"""The texts that a package can tell, as they stand in its source: what is said of them is checked against these.

A text is a string of several words that is neither a docstring nor taken apart (`"a b".split()`) nor a pattern. What
an f-string fills in is `{}`. Texts that are put together of pieces are known by their pieces.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WORDLESS = frozenset({"split", "compile"})
"""Methods and functions whose strings are not told to anybody."""


def told_texts(package: Path) -> dict[str, str]:
    """Every text of a package, with the first place where it stands."""
    found: dict[str, str] = {}
    for path in sorted(package.rglob("*.py")):
        for node, text in texts(ast.parse(path.read_text("utf-8"))):
            found.setdefault(text, f"{path.relative_to(package)}:{node.lineno}")
    return found


def texts(tree: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    silent = set(quiet(tree))
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if node in silent:
            continue
        if isinstance(node, ast.JoinedStr | ast.Constant):
            text = template(node)
            if says_something(text):
                yield node, text
            continue  # what is inside an f-string is no text of its own
        waiting.extend(ast.iter_child_nodes(node))


def quiet(tree: ast.AST) -> Iterator[ast.AST]:
    """Strings that nobody is told: statements of their own, annotations, what is split or matched."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
            yield node
        elif isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
            yield node.annotation
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WORDLESS:
            yield node.func.value
            yield from node.args
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("cast", "TypeVar"):
            yield node.args[0]


def template(node: ast.JoinedStr | ast.Constant) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(template(part) if isinstance(part, ast.Constant) else "{}" for part in node.values)


def says_something(text: str) -> bool:
    """Whether it has words for people: two of them, or one beside what is filled in."""
    words = [word for word in text.replace("{}", " ").split() if any(map(str.isalpha, word))]
    return len(words) > 1 or (len(words) == 1 and "{}" in text and " " in text)
