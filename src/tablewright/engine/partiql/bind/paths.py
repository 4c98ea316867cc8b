"""Names and paths in statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.engine.faults import validation
from tablewright.engine.partiql.faults import validation_at
from tablewright.expr.nodes import Name
from tablewright.wire.limits import MAX_LIST_INDEX

if TYPE_CHECKING:
    from tablewright.engine.partiql.syntax.tree import Tree

EMPTY_PART = "Path component cannot be an empty string"
PATHS = frozenset({"name", "quoted", "path"})


def is_path(tree: Tree) -> bool:
    return tree.kind in PATHS


def to_path(tree: Tree) -> Name:
    """The path a tree stands for; anything else in its place is refused."""
    first, steps = (tree.parts[0], tree.parts[1:]) if tree.kind == "path" else (tree, ())
    if first.kind not in ("name", "quoted"):
        raise validation_at("Unexpected path component", tree.token.place)
    parts = (first.token.text, *(_step(step) for step in steps))
    if "" in parts:
        raise validation(EMPTY_PART)
    return Name(parts)


def _step(step: Tree) -> str | int:
    if step.kind == "field":
        return step.token.text
    if step.kind == "wildcard":
        raise validation("A path names one place; leave [*] out")
    if step.kind == "unpivot":
        raise validation("A path names one place; leave .* out")
    inner = step.parts[0]
    if inner.kind == "string":
        return inner.token.text
    digits = inner.token.text.removeprefix("-")
    if inner.kind != "number" or not digits.isdigit():
        raise validation_at("Unexpected path component", inner.token.place)
    index = int(inner.token.text[:20])
    if not 0 <= index <= MAX_LIST_INDEX:
        raise validation_at(
            f"List index is not within the allowable range; index: [{inner.token.text}]", inner.token.place
        )
    return index


def column_name(path: Name) -> str:
    """What a column is called in the answer: the last name of its path and the indexes behind it."""
    text = ""
    for part in path.parts:
        text = f"{text}[{part}]" if isinstance(part, int) else part
    return text


def table_parts(tree: Tree) -> list[str]:
    """The names after FROM: a table and perhaps an index."""
    if tree.kind in ("name", "quoted"):
        names = [tree.token.text]
    elif tree.kind == "path" and tree.parts[0].kind in ("name", "quoted"):
        names = [tree.parts[0].token.text, *(_source_step(step) for step in tree.parts[1:])]
    else:
        raise validation("FROM takes a table, or a table and one of its indexes, by name")
    if len(names) > 2:
        raise validation("A path may contain at most 2 components in the FROM clause")
    if not all(names):
        raise validation(EMPTY_PART)
    return names


def _source_step(step: Tree) -> str:
    if step.kind != "field":
        raise validation("The name of a table or index cannot have an index in brackets")
    return step.token.text
