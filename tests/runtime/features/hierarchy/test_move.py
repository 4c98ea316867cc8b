"""Moving subtrees: every item is in one place at any time, whatever happens in between."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright.runtime.features.hierarchy import move
from tests.runtime.features.interleaving import FAULTS, choosing, interleave
from tests.runtime.features.lifeos import Folder, TreePath, folder, fresh, paths, place, plant, stored, with_gap


def job() -> tw.Job:
    return place("a").move(TreePath("z", "a2"))


def names(db: tw.Database) -> list[str]:
    """Every folder by its last step, which nobody else has."""
    return sorted(item["path"].split("/")[-2] for item in stored(db, "folder"))


@settings(max_examples=60, deadline=None)
@given(data=st.data(), size=st.integers(1, 4))
def test_nothing_is_lost_doubled_or_left_behind(data: st.DataObject, size: int) -> None:
    with fresh() as db, pytest.MonkeyPatch.context() as patch:
        patch.setattr(move, "STEP_ITEMS", size)
        plant(db, "a", "a/b", "a/b/c", "a/d", "a/d/e", "z")
        added = ["a/b/c/x", "a/d/y", "a/n"]
        adding = [tw.tree(folder(*path.split("/"))).create() for path in added]
        touched = [
            Folder.key("s1", path=TreePath(*path)).patch(Folder.visits.add(1)) for path in (("a", "b"), ("a", "d"))
        ]
        outcomes = interleave(
            db.transport.call, [job(), job(), *adding, *touched], choosing(data), faults=FAULTS, one_in=12
        )
        final = db.run(job())
        assert final.is_done
        assert not [path for path in paths(db) if path.startswith("a/")]
        sure = [path[-1] for path, each in zip(added, outcomes[2:5], strict=True) if each.is_done]
        perhaps = [path[-1] for path, each in zip(added, outcomes[2:5], strict=True) if each.may_be_done]
        found = names(db)
        assert len(found) == len(set(found))
        assert {"a2", "b", "c", "d", "e", "z", *sure} <= set(found) <= {"a2", "b", "c", "d", "e", "z", *perhaps}
        counted = sum(int(item["visits"]) for item in stored(db, "folder"))
        assert sum(each.is_done for each in outcomes[5:]) <= counted <= sum(each.may_be_done for each in outcomes[5:])
        check_whole(db)
        assert stored(db, "tablewright:job") == []


def change(db: tw.Database) -> list[int]:
    """Change an item where it is, old place or new; how often it could be done."""
    done: list[int] = []
    for path in (("a", "b"), ("z", "a2", "b")):
        with contextlib.suppress(tw.ConditionFailed):
            db.run(Folder.key("s1", path=TreePath(*path)).patch(Folder.visits.add(1)))
            done.append(1)
    return done


def add(db: tw.Database) -> list[int]:
    """Add an item where its parent is, old place or new."""
    done: list[int] = []
    for path in (("a", "b", "new"), ("z", "a2", "b", "new")):
        with contextlib.suppress(tw.TransactionCancelled):
            db.run(tw.tree(folder(*path, visits=1)).create())
            done.append(1)
    return done


@pytest.mark.parametrize("size", [1, 2, 24])
@pytest.mark.parametrize("between", [change, add])
def test_in_every_gap_an_item_is_in_one_place(size: int, between: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move, "STEP_ITEMS", size)
    gap, is_inside = 0, True
    while is_inside:
        with fresh() as db:
            plant(db, "a", "a/b", "a/c", "z")
            done: list[int] = []
            is_inside = with_gap(db, job(), gap, lambda: done.extend(between(db)))  # noqa: B023
            assert done == [1] * is_inside
            assert sum(int(item["visits"]) for item in stored(db, "folder")) == len(done)
            assert not [path for path in paths(db) if path.startswith("a/")]
            check_whole(db)
        gap += 1
    assert gap > 5


@pytest.mark.parametrize("size", [1, 2])
def test_a_crash_in_every_gap(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move, "STEP_ITEMS", size)
    gap, is_inside = 0, True
    while is_inside:
        with fresh() as db:
            plant(db, "a", "a/b", "a/b/c", "z")
            is_inside = with_gap(db, job(), gap, None)
            assert len(names(db)) == 4
            before = db.run(job().status())
            final = db.run(job())
            assert paths(db) == ["z/", "z/a2/", "z/a2/b/", "z/a2/b/c/"]
            assert before is None or final.items == 3
            assert stored(db, "tablewright:job") == []
        gap += 1
    assert gap > 5


def check_whole(db: tw.Database) -> None:
    """Every folder has its parent, and index keys and watched attributes that fit its path."""
    there = set(paths(db))
    for item in stored(db, "folder"):
        path = TreePath(*item["path"].removesuffix("/").split("/"))
        assert path.parent is None or str(path.parent) in there
        assert item["parent"] == str(path.parent or "")
        assert item["sk"] == f"$folder_1#path_{item['path']}"
        assert item["gsi1sk"] == f"$folder_1#size_{item['size']}#path_{item['path']}"


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_the_count_is_exact_wherever_it_crashes(data: st.DataObject) -> None:
    """Items and the number of items moved are written together."""
    with fresh() as db, pytest.MonkeyPatch.context() as patch:
        patch.setattr(move, "STEP_ITEMS", 2)
        plant(db, "a", "a/b", "a/c", "a/d", "a/e", "z")
        interleave(db.transport.call, [job()], choosing(data), faults=("CRASH",), one_in=6)
        before = db.run(job().status())
        moved = sum(path.startswith("z/a2") for path in paths(db))
        assert (before.items if before is not None else moved) == moved
        final = db.run(job())
        if before is not None:
            assert final.counts == {"folder": 5}


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_two_moves_into_each_other_lose_nothing(data: st.DataObject) -> None:
    with fresh() as db, pytest.MonkeyPatch.context() as patch:
        patch.setattr(move, "STEP_ITEMS", 2)
        plant(db, "a", "a/b", "a/b/c", "z", "z/y", "w")
        runs: list[Any] = [place("a").move(TreePath("z", "a")), place("z").move(TreePath("w", "z"))]
        interleave(db.transport.call, runs, choosing(data))
        assert names(db) == ["a", "b", "c", "w", "y", "z"]


def test_large_items_move_too() -> None:
    with fresh() as db:
        plant(db, "a", "z")
        for number in range(5):
            big = folder("a", f"n{number}")
            big.tags = {"x" * 300_000}
            db.run(big.put())
        assert db.run(job()).counts == {"folder": 6}
        assert len(paths(db)) == 7


def test_what_cannot_be_moved() -> None:
    with fresh() as db:
        plant(db, "a", "z", "z/a2")
        with pytest.raises(tw.RequestError, match="there is an item already"):
            db.run(job())
        with pytest.raises(tw.RequestError, match="there is no such item"):
            db.run(place("q").move(TreePath("r")))
        with pytest.raises(tw.RequestError, match="there is no x/ to hold it"):
            db.run(place("a").move(TreePath("x", "a")))
        assert stored(db, "tablewright:job") == []
        db.run(folder("z", "new", "b").put())  # an orphan, right where a child is to go
        plant(db, "a/b")
        with pytest.raises(tw.RequestError, match="z/new/b/' is taken"):
            db.run(place("a").move(TreePath("z", "new")))
        with pytest.raises(tw.RequestError, match="is under way, but to move folder a/ to z/new/"):
            db.run(place("a").move(TreePath("z", "other")))


def test_a_dry_run_counts_and_a_finished_move_is_no_error() -> None:
    with fresh() as db:
        plant(db, "a", "a/b", "z")
        assert db.run(job().dry_run()).counts == {"folder": 2}
        assert paths(db) == ["a/", "a/b/", "z/"]
        assert db.run(job()).items == 2
        assert db.run(job()).items == 0
