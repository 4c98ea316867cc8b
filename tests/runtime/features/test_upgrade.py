"""A model that is raised from version 1 to 2 finds what version 1 wrote, or says at once that it would not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import tablewright as tw
from tablewright import Attr, attr
from tablewright.schema.dump import dump


def person(version: str = "1", **options: Any) -> Any:
    service = tw.Service("people", table="people")

    class Person(tw.Entity, service=service, name="person", version=version, **options):
        person: Attr[str]
        team: Attr[str | None] = attr(default=None)
        name: Attr[str] = attr(default="")
        pin: Attr[str | None] = attr(default=None, hidden=True)

        @tw.primary
        def key(self, person: str) -> None:
            """One person."""

        @tw.index("gsi1")
        def by_team(self, team: str) -> None:
            """A team."""

    Person.home = service
    return Person


def named(old: dict[str, Any]) -> dict[str, Any]:
    return {**old, "name": f"Mx {old['name']}"}


UPGRADES = {"1": named}


@pytest.fixture
def db() -> tw.Database:
    """Three items of version 1."""
    first = person()
    db = tw.Database.embedded()
    db.create(first.home)
    for number in (1, 2, 3):
        db.run(first(person=f"p{number}", team="red", name=f"N{number}", pin="7").put())
    return db


def stored(db: tw.Database) -> list[dict[str, Any]]:
    transport: Any = db.transport
    items = transport.engine.call("Scan", {"TableName": "people"})["Items"]
    return [{name: next(iter(value.values())) for name, value in item.items()} for item in items]


@pytest.mark.parametrize("options", [{}, {"upgrades": UPGRADES}], ids=["bare", "upgrades"])
def test_a_raised_version_has_to_say_where_its_items_are(options: Any) -> None:
    with pytest.raises(tw.SchemaError, match=r'items of version 1 would not be found by version 2.*key_version="1"'):
        person("2", **options).schema()


def test_the_version_of_today_is_no_older_one() -> None:
    with pytest.raises(tw.SchemaError, match="version '2' is that of today"):
        person("2", key_version="1", upgrades={"2": named}).schema()


def test_items_are_found_where_they_are(db: tw.Database) -> None:
    second = person("2", key_version="1", upgrades=UPGRADES)
    names = {"Mx N1", "Mx N2", "Mx N3"}
    assert db.run(second.key("p1").get()).name == "Mx N1"
    assert {each.name for each in db.run(second.by_team("red"))} == names
    assert {each.name for each in db.iter(second.scan())} == names
    assert {each.name for each in db.run(tw.batch_get(*(second.key(f"p{n}").get() for n in (1, 2, 3))))} == names
    with pytest.raises(tw.ConditionFailed):
        db.run(second(person="p1").create())


@pytest.mark.parametrize("verb", ["patch", "update"])
def test_an_update_upgrades_first(db: tw.Database, verb: str) -> None:
    second = person("2", key_version="1", upgrades=UPGRADES)
    changed = db.run(getattr(second.key("p1"), verb)(second.team.set("blue")).returning("all_new"))
    assert (changed.name, changed.team) == ("Mx N1", "blue")
    again = db.run(getattr(second.key("p1"), verb)(second.team.set("red")).returning("all_new"))
    assert again.name == "Mx N1"
    assert [each["pin"] for each in stored(db) if each["person"] == "p1"] == ["7"]


def test_an_upsert_upgrades_first_and_makes_what_is_missing(db: tw.Database) -> None:
    second = person("2", key_version="1", upgrades=UPGRADES)
    db.run(second(person="p1", team="blue", name="New").upsert())
    assert db.run(second.key("p1").get()).name == "New"
    db.run(second.key("p9").update(second.name.set("Nine")))
    assert db.run(second.key("p9").get()).name == "Nine"
    with pytest.raises(tw.ConditionFailed):
        db.run(second.key("p8").patch(second.name.set("Eight")))


def test_the_job_writes_what_is_left(db: tw.Database) -> None:
    second = person("2", key_version="1", upgrades=UPGRADES)
    db.run(second.key("p1").patch(second.team.set("blue")))
    assert {each.person for each in db.iter(tw.upgrade(second).page_size(1))} == {"p2", "p3"}
    assert [*db.iter(tw.upgrade(second))] == []
    assert {(each["__edb_v__"], each["sk"], each["pin"]) for each in stored(db)} == {("2", "$person_1", "7")}
    assert {each.name for each in db.iter(second.scan())} == {"Mx N1", "Mx N2", "Mx N3"}


def test_keys_can_move_too(db: tw.Database) -> None:
    second = person("2", key_version="2", upgrades=UPGRADES)
    assert db.run(second.key("p1").get()).name == "Mx N1"  # read where it was
    assert len([*db.iter(tw.upgrade(second))]) == 3
    assert {(each["__edb_v__"], each["sk"], each["gsi1sk"]) for each in stored(db)} == {("2", "$person_2", "$person_2")}
    assert {each.name for each in db.run(second.by_team("red"))} == {"Mx N1", "Mx N2", "Mx N3"}
    assert db.run(second.key("p8").get()) is None


def test_the_job_runs_awaited_as_well() -> None:
    async def story() -> list[str]:
        first, second = person(), person("2", key_version="1", upgrades=UPGRADES)
        async with tw.AsyncDatabase.embedded() as adb:
            await adb.create(first.home)
            await adb.run(first(person="p1", name="N").put())
            return [each.name async for each in adb.iter(tw.upgrade(second))]

    assert asyncio.run(story()) == ["Mx N"]


def test_a_writer_in_between_is_not_lost(db: tw.Database) -> None:
    first = person()

    def meddling(old: dict[str, Any]) -> dict[str, Any]:
        if old["name"] == "N1":
            db.run(first.key("p1").patch(first.name.set("M1")))
        return named(old)

    second = person("2", key_version="1", upgrades={"1": meddling})
    assert {each.name for each in db.iter(tw.upgrade(second))} == {"Mx M1", "Mx N2", "Mx N3"}


def test_an_upgrade_that_forgets_something_is_refused(db: tw.Database) -> None:
    service = tw.Service("people", table="people")

    class Person(
        tw.Entity, service=service, name="person", version="2", key_version="1", upgrades={"1": lambda old: {**old}}
    ):
        person: Attr[str]
        email: Attr[str]

        @tw.primary
        def key(self, person: str) -> None:
            """One person."""

    with pytest.raises(tw.RequestError, match="the upgrade of an item left out email"):
        db.run(tw.upgrade(Person))


def test_an_entity_without_upgrades_has_none_to_make() -> None:
    with pytest.raises(tw.RequestError, match="person has no upgrades"):
        tw.upgrade(person())


def test_the_schema_keeps_the_version_of_its_keys() -> None:
    second = person("2", key_version="1", upgrades=UPGRADES)
    again: Any = tw.Service.load(dump(second.home.schema))
    assert again.entities["person"].layout.entity.key_version == "1"
