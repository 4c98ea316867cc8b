"""Reading trees, adding to them, deleting from them."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright.runtime.features.hierarchy import children
from tests.runtime.features.interleaving import FAULTS, choosing, interleave
from tests.runtime.features.lifeos import (
    Folder,
    Plan,
    Space,
    TreePath,
    folder,
    fresh,
    life,
    paths,
    place,
    plant,
    stored,
)

TREES = st.sets(st.lists(st.sampled_from(["a", "b", "a-b", "ab"]), min_size=1, max_size=4).map(tuple), max_size=25)


@settings(max_examples=40, deadline=None)
@given(nodes=TREES, at=st.sampled_from([("a",), ("a", "b"), ("ab",), ("a", "a-b")]), page=st.integers(1, 4))
def test_subtree_and_children_are_what_paths_say(nodes: set[tuple[str, ...]], at: tuple[str, ...], page: int) -> None:
    with fresh() as db, pytest.MonkeyPatch.context() as patch:
        patch.setattr(children, "PAGE_ITEMS", page)
        db.write_all(folder(*node).put() for node in nodes)
        subtree = [item.path for item in db.iter(place(*at).subtree())]
        assert set(subtree) == {node for node in nodes if node[: len(at)] == at}
        assert all(subtree.index(path) > subtree.index(path.parent) for path in subtree if path.parent in subtree)
        found = [item.path for item in db.run(place(*at).children())]
        assert sorted(found) == sorted(node for node in nodes if node[:-1] == at)


def test_children_of_a_large_child_are_not_read() -> None:
    with fresh() as db:
        below = [folder("a", "b", str(number)) for number in range(200)]
        db.write_all(each.put() for each in [folder("a"), folder("a", "b"), folder("a", "c"), *below])
        explained = db.run(place("a").children(), explain=True)
        assert [item.path.name for item in explained.result] == ["b", "c"]
        assert len(explained.calls) == 2


def test_the_way_to_the_root() -> None:
    with fresh() as db:
        plant(db, "a", "a/b", "a/b/c")
        found = db.run(place("a", "b", "c").ancestors())
        assert [None if each is None else each.path.name for each in found] == ["a", "b"]
        db.run(Folder.key("s1", path=TreePath("a", "b")).delete())
        assert db.run(place("a", "b", "c").ancestors())[1] is None
        assert db.run(place("a").ancestors()) == []


def test_a_parent_must_exist() -> None:
    with fresh() as db:
        plant(db, "a")
        with pytest.raises(tw.TransactionCancelled, match="ConditionalCheckFailed"):
            plant(db, "x/y")
        with pytest.raises(tw.TransactionCancelled, match="ConditionalCheckFailed"):
            plant(db, "a")
        assert paths(db) == ["a/"]
        with pytest.raises(tw.RequestError, match=r"give tw.tree\(\) the item"):
            place("a").create()


def test_only_trees_are_trees() -> None:
    with pytest.raises(tw.RequestError, match="plan is no tree"):
        tw.tree(Plan.key("p"))
    with pytest.raises(tw.RequestError, match="is inside of"):
        place("a").move(TreePath("a", "b"))


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_nothing_is_left_of_a_deleted_subtree(data: st.DataObject) -> None:
    """Whatever others add meanwhile, and wherever it crashes."""
    with fresh() as db:
        plant(db, "a", "a/b", "a/b/c", "a/d", "ab")
        adding = [tw.tree(folder(*path.split("/"))).create() for path in ("a/b/c/x", "a/n", "a/n/m")]
        runs = [place("a").delete(), place("a").delete(), *adding]
        interleave(db.transport.call, runs, choosing(data), faults=FAULTS)
        db.run(place("a").delete())
        assert paths(db) == ["ab/"]
        assert stored(db, "tablewright:job") == []


def test_awaited() -> None:
    async def story() -> None:
        async with tw.AsyncDatabase.embedded() as db:
            await db.create(life)
            await db.run(Space(space="s1").create())
            for path in (("a",), ("a", "b"), ("z",)):
                await db.run(tw.tree(folder(*path)).create())
            assert [each.path.name for each in await db.run(place("a").children())] == ["b"]
            seen = [progress async for progress in db.iter_job(place("a").move(TreePath("z", "a")))]
            assert seen[-1].is_done
            assert seen[-1].counts == {"folder": 2}
            progress = await db.run(place("z").delete())
            assert progress.items == 3

    asyncio.run(story())
