"""Paths in trees: what they say, and how they are stored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tablewright as tw
from tablewright.runtime.types.codec import EncodingError
from tablewright.runtime.types.segments import joined, parted
from tablewright.runtime.types.tree_path import decode, encode

STEPS = st.lists(st.text("ab/~1", min_size=1, max_size=4), min_size=1, max_size=4)


@given(st.lists(st.text("ab/~01", max_size=5), min_size=1, max_size=5))
def test_parts_come_back(parts: list[str]) -> None:
    assert parted(joined(parts)) == parts


@given(STEPS)
def test_a_path_comes_back_from_its_text(steps: list[str]) -> None:
    path = tw.TreePath(*steps)
    assert decode(encode(path)) == path


@given(STEPS, STEPS)
def test_texts_begin_alike_exactly_where_paths_are_below_each_other(one: list[str], other: list[str]) -> None:
    upper, lower = tw.TreePath(*one), tw.TreePath(*other)
    assert encode(lower).startswith(encode(upper)) == lower.is_in(upper)


def test_a_path_knows_its_surroundings() -> None:
    path = tw.TreePath("a", "b") / "c"
    assert path.parent == tw.TreePath("a", "b")
    assert (path.name, path.depth) == ("c", 3)
    assert list(path.ancestors()) == [tw.TreePath("a"), tw.TreePath("a", "b")]
    assert tw.TreePath("a").parent is None
    assert path.moved(tw.TreePath("a", "b"), tw.TreePath("z")) == tw.TreePath("z", "c")
    assert repr(path) == "TreePath('a', 'b', 'c')"
    assert str(path) == "a/b/c/"


def test_steps_are_texts_with_something_in_them() -> None:
    with pytest.raises(TypeError, match="none is empty"):
        tw.TreePath("a", "")
    with pytest.raises(TypeError, match="are texts"):
        tw.TreePath(1)  # type: ignore[arg-type]
    with pytest.raises(EncodingError, match="at least one step"):
        encode(tw.TreePath())
    with pytest.raises(EncodingError, match="must be a TreePath"):
        encode(("a", "b"))
