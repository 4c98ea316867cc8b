"""One word stores camelCase where Python says snake_case: items, keys, nested maps, and all that features add."""

from __future__ import annotations

import dataclasses
import re
from datetime import UTC, datetime
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, Range, attr
from tablewright.runtime.types.renaming import camel, kebab, pascal
from tablewright.schema.dump import dump

office = tw.Service("office", table="office", rename="camel")
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


@dataclasses.dataclass
class GeoPoint:
    lat_deg: int
    lon_deg: int = 0


@dataclasses.dataclass
class ByCard:
    card_number: str
    paid_by: Literal["card"] = "card"


@dataclasses.dataclass
class ByIban:
    bank_code: str
    paid_by: Literal["iban"] = "iban"


class Address(tw.Map):
    zip_code: Attr[str]
    street_name: Attr[str] = attr(default="", field="st")
    geo_point: Attr[GeoPoint | None] = attr(default=None)


class Project(tw.Entity, service=office, name="project"):
    """What tasks are counted into."""

    project_id: Attr[str]
    open_tasks: Attr[int] = attr(default=0, aggregate=True)

    @tw.primary
    def key(self, project_id: str) -> None:
        """One project."""


class Task(
    tw.Entity,
    service=office,
    name="task",
    soft_delete=True,
    aggregates=[tw.count_into("project", "open_tasks", by={"project_id": "project_id"})],
):
    """Every kind of name."""

    project_id: Attr[str]
    task_id: Attr[str]
    team_id: Attr[str] = attr(default="core", alias="team")
    due_on: Attr[str] = attr(default="x", field="due")
    short_name: Attr[str] = attr(default="y", label="sn")
    created_at: Attr[datetime] = attr(default=NEW_YEAR)
    home_address: Attr[Address | None] = attr(default=None)
    other_places: Attr[list[Address]] = attr(default_factory=list)
    by_room: Attr[dict[str, GeoPoint]] = attr(default_factory=dict)
    paid_with: Attr[ByCard | ByIban | None] = attr(default=None)
    change_count: Attr[int] = attr(version=True)

    @tw.primary(casing="none")
    def key(self, project_id: str, *, task_id: str) -> None:
        """One task."""

    @tw.index("gsi1", casing="none")
    def by_team(
        self, team_id: str, *, due_on: str = ANY, short_name: str = ANY, created_at: Range[datetime] = ANY
    ) -> None:
        """Tasks of a team."""

    @tw.index("gsi2", pk="TASK#{task_id}", sk="AT#{created_at}")
    def by_id(self, task_id: str, *, created_at: Range[datetime] = ANY) -> None:
        """Tasks by their id."""


def a_task(**more: Any) -> Task:
    return Task(project_id="p1", task_id="t1", **more)


def full_task() -> Task:
    here = GeoPoint(lat_deg=1)
    return a_task(
        home_address=Address(zip_code="89073", geo_point=here),
        other_places=[Address(zip_code="10115", street_name="x")],
        by_room={"attic_room": here},
        paid_with=ByIban(bank_code="7"),
    )


@pytest.fixture
def db() -> tw.Database:
    db = tw.Database.embedded()
    db.create(office)
    db.run(Project(project_id="p1").put())
    return db


def test_items_and_keys_have_the_tables_names() -> None:
    put, counted = full_task().put().params()["TransactItems"]
    assert counted["Update"]["Key"] == {"pk": "$office#projectId_p1", "sk": "$project_1"}
    assert put["Put"]["Item"] == {
        "projectId": "p1",
        "taskId": "t1",
        "team": "core",
        "due": "x",
        "shortName": "y",
        "createdAt": "2026-01-01T00:00:00.000Z",
        "homeAddress": {"zipCode": "89073", "st": "", "geoPoint": {"latDeg": 1, "lonDeg": 0}},
        "otherPlaces": [{"zipCode": "10115", "st": "x"}],
        "byRoom": {"attic_room": {"latDeg": 1, "lonDeg": 0}},
        "paidWith": {"bankCode": "7", "paidBy": "iban"},
        "changeCount": 1,
        "pk": "$office#projectId_p1",
        "sk": "$task_1#taskId_t1",
        "gsi1pk": "$office#team_core",
        "gsi1sk": "$task_1#dueOn_x#sn_y#createdAt_2026-01-01T00:00:00.000Z",
        "gsi2pk": "TASK#t1",
        "gsi2sk": "AT#2026-01-01T00:00:00.000Z",
        "__edb_e__": "task",
        "__edb_v__": "1",
    }


def test_python_keeps_its_names(db: tw.Database) -> None:
    db.run(full_task().put())
    task = db.run(Task.key("p1", task_id="t1").get())
    assert task is not None
    written = full_task()
    written.change_count = 1
    assert task == written
    assert [each.task_id for each in db.run(Task.by_team("core", due_on="x"))] == ["t1"]
    assert [each.task_id for each in db.run(Task.by_id("t1", created_at=tw.lte(NEW_YEAR)))] == ["t1"]
    with pytest.raises(TypeError, match="missing: project_id"):
        Task(projectId="p1", task_id="t1")  # type: ignore[call-arg]


def test_nested_changes_and_conditions(db: tw.Database) -> None:
    db.run(full_task().put())
    place = Task.home_address
    change = Task.key("p1", task_id="t1").patch(place.geo_point.lat_deg.set(5), place.zip_code.set("1"))
    db.run(change.where(Task.other_places[0].street_name == "x", Task.by_room["attic_room"].lat_deg == 1))
    task = db.run(Task.key("p1", task_id="t1").get())
    assert task is not None
    assert task.home_address is not None
    assert task.home_address.geo_point is not None
    assert (task.home_address.zip_code, task.home_address.geo_point.lat_deg) == ("1", 5)


def test_what_features_add_follows(db: tw.Database) -> None:
    db.run(a_task().put())
    project = db.run(Project.key("p1").get())
    assert project is not None
    assert project.open_tasks == 1
    assert Task.schema().features.soft_delete.attribute == "deletedAt"  # type: ignore[union-attr]
    assert Task.schema().features.aggregates[0].attribute == "openTasks"


def test_the_schema_is_the_tables(db: tw.Database) -> None:
    written = dump(office.schema)
    assert list(written["entities"]["task"]["attributes"])[:3] == ["projectId", "taskId", "team"]
    assert "{projectId}" in office.describe()
    loaded = tw.Service.load(written, client=db, functions={"builtins.list": list, "builtins.dict": dict})
    db.run(a_task().put())
    found = loaded.entities["task"].get(projectId="p1", taskId="t1").go()
    assert found["data"]["shortName"] == "y"


def test_an_entity_has_its_own_rule_and_keeps_it_below() -> None:
    class Base(tw.Entity, rename="pascal"):
        room_id: Attr[str]

        @tw.primary(casing="none")
        def key(self, room_id: str) -> None:
            """One."""

    class Room(Base, service=office, name="room"):
        """As its base says."""

    class Desk(Base, service=office, name="desk", rename="none"):
        """As Python says."""

    assert Room(room_id="1").put().params()["Item"]["RoomId"] == "1"
    assert Desk(room_id="1").put().params()["Item"]["room_id"] == "1"


def test_a_function_is_a_rule_too() -> None:
    class Seat(tw.Entity, service=office, name="seat", rename=str.upper):
        seat_id: Attr[str]

        @tw.primary(casing="none")
        def key(self, seat_id: str) -> None:
            """One."""

    assert Seat(seat_id="1").put().params()["Item"]["pk"] == "$office#SEAT_ID_1"


def test_unknown_rules_and_clashes_are_refused() -> None:
    with pytest.raises(tw.SchemaError, match=r"service a: rename='snake' is no rule; use \"none\", \"camel\""):
        tw.Service("a", table="a", rename="snake")  # type: ignore[arg-type]
    with pytest.raises(tw.SchemaError, match=r"odd: rename=5 is no rule"):
        type("Odd", (tw.Entity,), {}, name="odd", rename=5)


def test_two_names_in_one_are_refused() -> None:
    class Twice(tw.Entity, service=tw.Service("a", table="a", rename="camel"), name="twice"):
        task_id: Attr[str]
        taskId: Attr[str]  # noqa: N815 - it is about such names

        @tw.primary
        def key(self, task_id: str) -> None:
            """One."""

    with pytest.raises(
        tw.SchemaError, match="Twice: task_id and taskId are both called 'taskId'; give one another name="
    ):
        Twice.key("x")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("task_id", ("taskId", "TaskId", "task-id")),
        ("id", ("id", "Id", "id")),
        ("key_", ("key", "Key", "key")),
        ("_own_name", ("_ownName", "_OwnName", "_own-name")),
        ("line_1_of_2", ("line1Of2", "Line1Of2", "line-1-of-2")),
        ("taskId", ("taskId", "TaskId", "taskId")),
    ],
)
def test_the_rules(name: str, expected: tuple[str, str, str]) -> None:
    assert (camel(name), pascal(name), kebab(name)) == expected


@given(st.from_regex(r"[a-z_][a-z0-9_]{0,12}", fullmatch=True))
def test_camel_of_camel_is_camel(name: str) -> None:
    assert camel(camel(name)) == camel(name)


# ---- stored names that are taken, or are none --------------------------------------------------------------------


def account(service: tw.Service, **of_kind: Any) -> type[tw.Entity]:
    class Account(tw.Entity, service=service, name="account"):
        number: Attr[str]
        kind: Attr[str] = attr(**of_kind)

        @tw.primary(pk="ACC#{number}", sk="ACC")
        def key(self, number: str) -> None:
            """One account."""

        @tw.index("gsi1", pk="NO#{number}", sk="{number}")
        def again(self, number: str) -> None:
            """The same once more."""

    return Account


TYPED = tw.Identifiers(entity="Type", version=None)


@pytest.mark.parametrize(
    ("options", "of_kind", "said"),
    [
        ({"identifiers": TYPED}, {"field": "Type"}, '"Type", where the item says which entity it is'),
        ({"identifiers": TYPED, "rename": lambda name: {"kind": "Type"}.get(name, name)}, {}, '"Type", where the item'),
        ({}, {"name": "__edb_e__"}, '"__edb_e__", where the item says which entity it is'),
        ({}, {"field": "__edb_v__"}, '"__edb_v__", where the item says which version it is'),
        ({}, {"field": "pk"}, r'"pk", which holds the partition key of "key"'),
        ({}, {"field": "sk"}, r'"sk", which holds the sort key of "key"'),
        ({}, {"field": "gsi1sk"}, r'"gsi1sk", which holds the sort key of "again"'),
    ],
)
def test_a_field_that_holds_something_else_is_refused(
    options: dict[str, Any], of_kind: dict[str, Any], said: str
) -> None:
    account_class = account(tw.Service("bank", table="bank", **options), **of_kind)
    with pytest.raises(tw.SchemaError, match=f"{re.escape(said)}.*Give it another field="):
        account_class.schema()


def test_an_attribute_may_be_the_key_that_holds_it() -> None:
    class Native(tw.Entity, service=tw.Service("bank", table="bank", identifiers=TYPED), name="native"):
        number: Attr[str] = attr(field="pk")
        type: Attr[str]

        @tw.primary(pk="{number}", sk="N")
        def key(self, number: str) -> None:
            """One of them."""

    item = Native(number="1", type="x").put().item()
    assert (item["pk"], item["type"], item["Type"]) == ("1", "x", "native")


@pytest.mark.parametrize("answer", [None, "", 7])
def test_a_rule_that_answers_no_text_is_refused(answer: Any) -> None:
    account_class = account(tw.Service("bank", table="bank", rename=lambda _: answer))
    with pytest.raises(tw.SchemaError, match=rf"Account: rename answers {answer!r} for 'number'; let it answer a name"):
        account_class.schema()


def test_projections_name_what_features_add_as_python_does() -> None:
    class Note(tw.Entity, service=tw.Service("n", table="n", rename="camel"), name="note", soft_delete=True):
        note_id: Attr[str]
        note_title: Attr[str]

        @tw.primary
        def key(self, note_id: str) -> None:
            """One note."""

        @tw.index("gsi1", projection=["note_title", "deleted_at", "__edb_e__"])
        def by_title(self, note_title: str) -> None:
            """By title."""

        @tw.index("gsi2", projection=["noteTitle", "deletedAt"])
        def again(self, note_title: str) -> None:
            """The schema's names are taken, too."""

    patterns = {each.name: each.projection for each in Note.schema().patterns}
    assert patterns["by_title"] == ("noteTitle", "deletedAt", "__edb_e__")
    assert patterns["again"] == ("noteTitle", "deletedAt")


def test_only_follows_a_path_where_names_cross() -> None:
    crossed = tw.Service("crossed", table="crossed")

    class Record(tw.Entity, service=crossed, name="record"):
        user: Attr[str] = attr(name="id")
        id: Attr[str] = attr(name="recordId")

        @tw.primary
        def key(self, user: str) -> None:
            """One record."""

    db = tw.Database.embedded()
    db.create(crossed)
    db.run(Record(user="u", id="r").put())
    get = Record.key("u").get()
    for asked, name, value in [
        (Record.user, "user", "u"),
        (Record.id, "id", "r"),
        ("user", "user", "u"),
        ("id", "id", "r"),
    ]:
        assert db.run(get.only(asked)).__dict__ == {name: value}
        [found] = db.run(Record.key.query("u").only(asked))
        assert found.__dict__ == {name: value}


def test_getters_see_others_by_their_python_names_and_watch_takes_either() -> None:
    class Memo(tw.Entity, service=tw.Service("m", table="m", rename="camel"), name="memo"):
        memo_id: Attr[str]
        memo_title: Attr[str]
        shown_as: Attr[str | None] = attr(default=None, watch=["memo_title"], set=lambda _, item: item.memo_title + "!")
        said_as: Attr[str | None] = attr(default=None, watch=["memoTitle"], set=lambda _, item: item["memo_title"])

        @tw.primary
        def key(self, memo_id: str) -> None:
            """One memo."""

    item = Memo(memo_id="1", memo_title="a").put().item()
    assert (item["shownAs"], item["saidAs"]) == ("a!", "a")
