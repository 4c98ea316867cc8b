"""Collections: what they gather, and the declarations that do not fit their members."""

from __future__ import annotations

from typing import Any

import pytest

import tablewright as tw
from tablewright import ANY, Attr, attr
from tablewright.runtime.transports.recorded import Recorded

school = tw.Service("school", table="school")


class Pupil(tw.Entity, service=school, name="pupil"):
    pupil: Attr[str]
    form: Attr[str] = attr(alias="formName")

    @tw.primary
    def key(self, pupil: str) -> None:
        """One pupil."""

    @tw.index("gsi1", collection="roll")
    def of_form(self, form: str, *, pupil: str = ANY) -> None:
        """The pupils of a form."""


class Lesson(tw.Entity, service=school, name="lesson"):
    lesson: Attr[str]
    form: Attr[str] = attr(alias="formName")
    room: Attr[str | None] = attr(default=None)

    @tw.primary
    def key(self, lesson: str) -> None:
        """One lesson."""

    @tw.index("gsi1", collection="roll")
    def of_form(self, form: str, *, lesson: str = ANY) -> None:
        """The lessons of a form."""


class Stranger(tw.Entity, service=school, name="stranger"):
    stranger: Attr[str]

    @tw.primary
    def key(self, stranger: str) -> None:
        """One stranger."""


class Roll(tw.Collection, service=school, name="roll"):
    """A form."""

    pupils: list[Pupil]
    lessons: list[Lesson]

    @tw.index("gsi1")
    def of(self, form: str) -> None: ...


def item(entity: tw.Entity) -> dict[str, Any]:
    stored: dict[str, Any] = entity.put().params()["Item"]
    return stored


def test_items_are_gathered_by_member() -> None:
    pupil, lesson = Pupil(pupil="p", form="1a"), Lesson(lesson="l", form="1a", room="r")
    foreign = item(Stranger(stranger="s"))
    transport = Recorded(
        [{"Items": [item(pupil)], "LastEvaluatedKey": {"pk": "x"}}, {"Items": [foreign, item(lesson)]}]
    )
    roll = tw.Database(transport).run(Roll.of("1a"))
    assert (roll.pupils, roll.lessons, roll.cursor) == ([pupil], [lesson], None)
    assert transport.requests[1][1]["ExclusiveStartKey"] == {"pk": "x"}


def test_a_limit_reads_one_page_and_gives_a_cursor() -> None:
    pupil = item(Pupil(pupil="p", form="1a"))
    last = {name: pupil[name] for name in ("pk", "sk", "gsi1pk", "gsi1sk")}
    transport = Recorded([{"Items": [pupil], "LastEvaluatedKey": last}, {"Items": []}])
    db = tw.Database(transport)
    roll = db.run(Roll.of("1a").limit(1))
    assert roll.cursor is not None
    db.run(Roll.of("1a").after(roll.cursor))
    assert transport.requests[1][1]["ExclusiveStartKey"] == last


def test_only_takes_the_attributes_of_any_member() -> None:
    names = Roll.of("1a").only("room", Pupil.form).params()["ExpressionAttributeNames"].values()
    assert {"room", "formName"} <= set(names)
    with pytest.raises(tw.RequestError, match=r"only\(...\) names 'rom', which is no attribute"):
        Roll.of("1a").only("rom")


def collection(members: dict[str, Any], function: Any, index: str = "gsi1") -> Any:
    body = {"of": tw.index(index)(function), "__annotations__": members, "__module__": __name__}
    return type("Bad", (tw.Collection,), body, service=tw.Service("other", table="t"), name="roll")  # type: ignore[call-overload]


def by_form(self: Any, form: str) -> None:
    """By form."""


def by_room(self: Any, room: str) -> None:
    """By room."""


def by_pupil(self: Any, pupil: str) -> None:
    """By pupil."""


@pytest.mark.parametrize(
    ("members", "function", "index", "reason"),
    [
        ({}, by_form, "gsi1", r"Bad has no members; write tasks: list\[Task\]"),
        (
            {"pupils": list[str]},
            by_form,
            "gsi1",
            r"Bad\.pupils: members of a collection are written list\[SomeEntity\]",
        ),
        ({"pupils": Pupil}, by_form, "gsi1", "members of a collection are written"),
        (
            {"pupils": list[Pupil], "strangers": list[Stranger]},
            by_form,
            "gsi1",
            "stranger has no part in the collection",
        ),
        ({"pupils": list[Pupil]}, by_form, "gsi2", r"Bad\.by_form names index 'gsi2', but its members are in 'gsi1'"),
        ({"pupils": list[Pupil]}, by_form, "table", "names index 'table'"),
        ({"pupils": list[Pupil]}, by_room, "gsi1", "room is no attribute"),
        ({"pupils": list[Pupil]}, by_pupil, "gsi1", r"the partition key of its members is \(form\)"),
    ],
)
def test_collections_that_do_not_fit_their_members(members: Any, function: Any, index: str, reason: str) -> None:
    with pytest.raises(tw.SchemaError, match=reason):
        collection(members, function, index).of("x")


def test_the_service_checks_its_collections() -> None:
    assert [each.name for each in school.schema.collections] == ["roll"]
    assert "roll" in school.describe()
