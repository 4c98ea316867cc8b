"""The place of an item in a tree: the way to it from the root, itself included.

    tw.TreePath("docs", "2026", "plan")      stored as docs/2026/plan/

The text ends with a slash, so that the text of a path begins the texts of everything below it and of nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from tablewright.runtime.types.codec import Codec, EncodingError
from tablewright.runtime.types.segments import SLASH, joined, parted
from tablewright.schema.types import STRING

if TYPE_CHECKING:
    from collections.abc import Iterator


class TreePath(tuple[str, ...]):
    """A path from the root of a tree to an item: `path / "child"`, `path.parent`, `path.depth`."""

    __slots__ = ()

    def __new__(cls, *steps: str) -> Self:
        given: Any = steps  # not everybody checks types
        if not all(isinstance(step, str) and step for step in given):
            raise TypeError(f"the steps of a TreePath are texts, and none is empty: {steps!r}")
        return super().__new__(cls, steps)

    def __truediv__(self, step: str) -> TreePath:
        return TreePath(*self, step)

    @property
    def parent(self) -> TreePath | None:
        """The path one step up; None for a root."""
        return TreePath(*self[:-1]) if len(self) > 1 else None

    @property
    def name(self) -> str:
        """The last step."""
        return self[-1]

    @property
    def depth(self) -> int:
        """How many steps it has; a root has one."""
        return len(self)

    def ancestors(self) -> Iterator[TreePath]:
        """The paths above it, from the root down."""
        for depth in range(1, len(self)):
            yield TreePath(*self[:depth])

    def is_in(self, other: TreePath) -> bool:
        """Whether it is the other path, or below it."""
        return self[: len(other)] == tuple(other)

    def moved(self, source: TreePath, target: TreePath) -> TreePath:
        """Where it goes when the subtree at `source` moves to `target`."""
        return TreePath(*target, *self[len(source) :])

    def __str__(self) -> str:
        """The text that is stored."""
        return joined(self) + SLASH

    def __repr__(self) -> str:
        return f"TreePath({', '.join(map(repr, self))})"


def encode(value: Any) -> str:
    if not isinstance(value, TreePath):
        raise EncodingError(f"must be a TreePath, not {type(value).__name__} {value!r:.60}")
    if not value:
        raise EncodingError("must have at least one step; even a root has a name")
    return str(value)


def decode(text: str) -> TreePath:
    return TreePath(*parted(text.removesuffix(SLASH)))


PATH = Codec(type=STRING, encode_quickly=encode, decode_quickly=decode, note=("path", ()))
