"""References: texts that point at items of some entities, and at nothing else."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Literal
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, attr
from tests.runtime.features.lifeos import Comment, Folder, Plan, Space, Task, TreePath, fresh, life, stored

shelf = tw.Service("shelf", table="shelf")


class Box(tw.Entity, service=shelf, name="box"):
    """Keys of all kinds."""

    text: Attr[str]
    number: Attr[int]
    rate: Attr[Decimal]
    flag: Attr[bool]
    colour: Attr[Literal["red", "green"]]
    level: Attr[Literal[1, 2]]
    id: Attr[UUID]

    @tw.primary
    def key(self, text: str, number: int, rate: Decimal, flag: bool, *, colour: str, level: int, id: UUID) -> None:  # noqa: A002
        """One box."""


class Crate(tw.Entity, service=shelf, name="crate"):
    """The other one."""

    crate: Attr[str]

    @tw.primary
    def key(self, crate: str) -> None:
        """One crate."""


class Label(tw.Entity, service=shelf, name="label"):
    """Sticks on things."""

    label: Attr[str]
    on: Attr[tw.Ref[Box | Crate]]
    also: Attr[list[tw.Ref[Box | Crate]]] = attr(default_factory=list)
    under: Attr[tw.Ref[Label] | None] = attr(default=None)

    @tw.primary
    def key(self, label: str) -> None:
        """One label."""

    @tw.index("gsi1")
    def of(self, on: tw.Ref[Box | Crate], *, label: str = ANY) -> None:
        """The labels of a thing."""

    @tw.index("gsi2")
    def below(self, under: tw.Ref[Label]) -> None:
        """Labels on a label."""


BOXES = st.builds(
    Box,
    text=st.text("a/~é#", min_size=1, max_size=5),
    number=st.integers(-(10**12), 10**12),
    rate=st.decimals(-1000, 1000, places=2),
    flag=st.booleans(),
    colour=st.sampled_from(["red", "green"]),
    level=st.sampled_from([1, 2]),
    id=st.uuids(),
)


@settings(max_examples=80, deadline=None)
@given(box=BOXES, other=BOXES)
def test_what_is_pointed_at_is_found(box: Box, other: Box) -> None:
    with tw.Database.embedded() as db:
        db.create(shelf)
        db.run(box.put())
        db.run(Label(label="l", on=tw.ref(box), also=[tw.ref(other)]).put())
        read = db.run(Label.key("l").get())
        assert read is not None
        assert db.run(read.on.get()) == box
        assert read.on.key.values() == box.key.values()
        assert read.also[0].key.values() == other.key.values()
        assert [label.label for label in db.run(Label.of(read.on))] == ["l"]
        assert (str(tw.ref(box)) == str(tw.ref(other))) == (box.key.values() == other.key.values())


def test_references_to_keys_and_items_are_the_same() -> None:
    assert tw.ref(Crate(crate="c")) == tw.ref(Crate.key("c"))
    assert {tw.ref(Crate(crate="c")): 1}[tw.ref(Crate.key("c"))] == 1
    assert str(tw.ref(Crate.key("a/b~c"))) == "crate/a~1b~0c"


def test_they_are_plain_texts_in_the_schema() -> None:
    attribute = next(each for each in Label.schema().attributes if each.name == "on")
    assert attribute.type.name == "string"  # type: ignore[union-attr]
    assert [(each.attribute, each.to) for each in Label.schema().features.references] == [
        ("on", ("box", "crate")),
        ("also", ("box", "crate")),
        ("under", ("label",)),
    ]


def test_an_entity_may_refer_to_itself() -> None:
    with tw.Database.embedded() as db:
        db.create(shelf)
        top = Label(label="top", on=tw.ref(Crate.key("c")))
        db.run(top.put())
        db.run(Label(label="low", on=tw.ref(Crate.key("c")), under=tw.ref(top)).put())
        (low,) = db.run(Label.below(tw.ref(top)))
        assert low.under is not None
        assert db.run(low.under.get()) == top
        assert db.run(Label.of(tw.ref(Crate.key("c"))).where(Label.under == tw.ref(top))).items == [low]


def test_others_are_refused() -> None:
    stranger = tw.ref(Plan.key("p"))
    with pytest.raises(tw.ValidationError, match="on: must point at Box or Crate, not at Plan"):
        Label(label="l", on=stranger).put()  # type: ignore[arg-type]
    with pytest.raises(tw.ValidationError, match="must point at Box or Crate"):
        Label.of(stranger)  # type: ignore[arg-type]
    with pytest.raises(tw.ValidationError, match="must be a reference"):
        Label(label="l", on="crate/c").put()  # type: ignore[arg-type]
    with pytest.raises(tw.ValidationError, match="also"):
        Label(label="l", on=tw.ref(Crate.key("c")), also=[stranger]).put()  # type: ignore[list-item]


@pytest.mark.parametrize("text", ["plan/p", "crate", "crate/a/b", "box/t/n/1/true/red/1/x"])
def test_stored_texts_that_point_nowhere_are_told(text: str) -> None:
    item = {"label": "l", "on": text, "__edb_e__": "label", "__edb_v__": "1"}
    with pytest.raises(tw.RequestError, match="stored reference"):
        Label.parse({**item, **Label.key("l").values()})


def test_wrong_annotations_are_told() -> None:
    class Odd(tw.Entity, service=tw.Service("odd", table="odd"), name="odd"):
        odd: Attr[str]
        on: Attr[tw.Ref[str]]  # type: ignore[type-var]

        @tw.primary
        def key(self, odd: str) -> None: ...

    with pytest.raises(tw.SchemaError, match=r"Odd.on: a reference points at entities"):
        Odd.schema()


def test_many_at_once() -> None:
    with fresh() as db:
        db.run(Space(space="s1").create())
        tasks = [Task(space="s1", task=number) for number in range(130)]
        db.write_all(task.put() for task in tasks)
        db.run(Folder(space="s1", path=TreePath("a/b", "c")).put())
        refs: list[tw.Ref[Task | Folder]] = [tw.ref(task) for task in tasks]
        refs += [
            tw.ref(tasks[0]),
            tw.ref(Folder.key("s1", path=TreePath("a/b", "c"))),
            tw.ref(Task.key("s1", task=999)),
        ]
        found = db.run(tw.resolve(refs))
        assert len(found) == 131
        assert found[refs[0]] == tasks[0]
        assert isinstance(found[refs[131]], Folder)
        assert refs[-1] not in found
        assert db.run(tw.resolve([])) == {}


def test_comments_on_anything_awaited() -> None:
    async def story() -> None:
        async with tw.AsyncDatabase.embedded() as db:
            await db.create(life)
            task = Task(space="s1", task=1)
            folder = Folder(space="s1", path=TreePath("a"))
            await db.run(tw.transact(task.create(), folder.create()))
            for number, about in enumerate((task, folder)):
                comment = Comment(space="s1", comment=str(number), on=tw.ref(about))
                await db.run(comment.create())
            (comment,) = await db.run(Comment.about("s1", tw.ref(folder)))
            found = await db.run(tw.resolve([comment.on]))
            assert found[comment.on].path == TreePath("a")  # type: ignore[union-attr]

    asyncio.run(story())


def test_what_electrodb_sees() -> None:
    with fresh() as db:
        db.run(Comment(space="s1", comment="c", on=tw.ref(Task.key("s1", task=7))).create())
        (item,) = stored(db, "comment")
        assert item["on"] == "task/s1/7"
        assert item["gsi2pk"] == "$life#space_s1#on_task/s1/7"
