"""Keys in lower case find every spelling; reads answer the one that was asked for, and nothing else changes."""

from __future__ import annotations

from typing import Any

import pytest

import tablewright as tw
from tablewright import ANY, Attr, attr

shared = tw.Service("shared", table="shared", casing="default")


class Room(tw.Entity, service=shared, name="room"):
    house: Attr[str]
    room_id: Attr[str]
    owner: Attr[str] = attr(default="nobody")
    tags: Attr[str] = attr(default="")

    @tw.primary
    def key(self, house: str, *, room_id: str) -> None: ...

    @tw.index("table")
    def of_house(self, house: str, *, room_id: tw.Range[str] = ANY) -> None: ...

    @tw.index("gsi2", projection="keys_only")
    def keys_by_owner(self, owner: str) -> None: ...

    @tw.index("gsi1", collection="owned")
    def by_owner(self, owner: str) -> None: ...

    @tw.index("gsi3", shards=2)
    def spread(self, owner: str, *, room_id: str = ANY) -> None: ...


class Cat(tw.Entity, service=shared, name="cat"):
    owner: Attr[str]
    name: Attr[str]

    @tw.primary
    def key(self, owner: str, *, name: str) -> None: ...

    @tw.index("gsi1", collection="owned")
    def by_owner(self, owner: str) -> None: ...


class Owned(tw.Collection, service=shared, name="owned"):
    rooms: list[Room]
    cats: list[Cat]

    @tw.index("gsi1")
    def of(self, owner: str) -> None: ...


@pytest.fixture(name="db")
def database() -> Any:
    with tw.Database.embedded() as db:
        db.create(shared)
        for number, owner in enumerate(("Ann", "ann", "Ann", "ANN", "ann")):
            db.run(Room(house="H", room_id=f"r{number}", owner=owner).put())
        db.run(Cat(owner="Ann", name="Tom").put())
        db.run(Cat(owner="ann", name="Tim").put())
        yield db


def ids(found: Any) -> list[str]:
    return [each.room_id for each in found]


def test_services_keep_letter_case_unless_told_otherwise() -> None:
    app = tw.Service("App", table="app")

    class Place(tw.Entity, service=app, name="Place"):
        room_id: Attr[str] = attr(name="roomId")

        @tw.primary
        def key(self, room_id: str) -> None: ...

        @tw.index("gsi1", casing="lower")
        def folded(self, room_id: str) -> None: ...

        @tw.index("gsi2", pk="R#{room_id}", sk="R")
        def templated(self, room_id: str) -> None: ...

    item = Place(room_id="R1").put().params()["Item"]
    assert item["pk"] == "$App#roomId_R1"
    assert item["sk"] == "$Place_1"
    assert item["gsi1pk"] == "$app#roomid_r1"
    assert item["gsi2pk"] == "R#R1"


def test_one_word_for_the_whole_service() -> None:
    item = Room(house="H", room_id="R1").put().params()["Item"]
    assert item["pk"] == "$shared#house_h"
    assert item["sk"] == "$room_1#room_id_r1"

    class Free(tw.Entity, service=shared, name="free"):
        room: Attr[str]

        @tw.primary(pk="ROOM#{room}", sk="ROOM")
        def key(self, room: str) -> None: ...

        @tw.index("gsi1", casing="none")
        def kept(self, room: str) -> None: ...

    stored = Free(room="R1").put().params()["Item"]
    del shared.entities["free"]
    assert stored["pk"] == "room#r1"
    assert stored["gsi1pk"] == "$shared#room_R1"
    with pytest.raises(tw.SchemaError, match="known are 'default', 'lower', 'upper', 'none'"):
        tw.Service("x", table="x", casing="Lower")  # type: ignore[arg-type]


def test_rooms_no_longer_overwrite_each_other() -> None:
    app = tw.Service("app", table="app")

    class Kept(tw.Entity, service=app, name="kept"):
        room_id: Attr[str]

        @tw.primary
        def key(self, room_id: str) -> None: ...

    with tw.Database.embedded() as db:
        db.create(app)
        db.run(Kept(room_id="R1").put())
        db.run(Kept(room_id="r1").put())
        assert [db.run(Kept.key(each).get()) for each in ("R1", "r1")] == [Kept(room_id="R1"), Kept(room_id="r1")]


# ---- reads of keys that fold -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", ["H", "h"])
def test_get_answers_the_spelling_asked_for(db: tw.Database, house: str) -> None:
    get = Room.key(house, room_id="r0").get()
    is_there = house == "H"
    assert (db.run(get) is not None) is is_there
    assert (db.run(get.only(Room.tags)) is not None) is is_there
    assert (db.run(get.consistent()) is not None) is is_there
    assert [each is not None for each in db.run(tw.batch_get(get))] == [is_there]
    assert [each is not None for each in db.run(tw.batch_get(get).with_options(attributes=("tags",)))] == [is_there]
    assert [each is not None for each in db.run(tw.transact_get(get))] == [is_there]
    assert [each is not None for each in db.get_all([get])] == [is_there]


def test_two_spellings_in_one_batch(db: tw.Database) -> None:
    found = db.run(tw.batch_get(Room.key("h", room_id="r0").get(), Room.key("H", room_id="r0").get()))
    assert [each is not None for each in found] == [False, True]


def test_what_only_shows_is_what_was_asked_for(db: tw.Database) -> None:
    found = db.run(Room.key("H", room_id="r0").get().only(Room.tags))
    assert found is not None
    assert found.__dict__ == {"tags": ""}
    shown = db.run(Room.by_owner("ann").only(Room.house)).items
    assert [each.__dict__ for each in shown] == [{"house": "H"}] * 2


@pytest.mark.parametrize(("owner", "rooms"), [("Ann", ["r0", "r2"]), ("ann", ["r1", "r4"]), ("aNN", [])])
def test_queries_answer_the_spelling_asked_for(db: tw.Database, owner: str, rooms: list[str]) -> None:
    query = Room.by_owner(owner)
    assert ids(db.run(query)) == rooms
    assert ids(db.iter(query.limit(1))) == rooms
    assert ids(db.run(query.descending())) == rooms[::-1]
    assert db.run(query.total()) == len(rooms)
    assert ids(db.run(query.count(1))) == rooms[:1]
    assert ids(db.run(Room.find(owner=owner))) == rooms
    assert ids(db.run(Room.match(owner=owner))) == rooms
    assert ids(db.run(Room.spread(owner))) == rooms
    assert ids(db.iter(Room.spread(owner).count(1))) == rooms
    assert db.run(Room.spread(owner).total()) == len(rooms)


def test_pages_go_on_behind_other_spellings(db: tw.Database) -> None:
    first = db.run(Room.by_owner("Ann").count(1))
    assert ids(first) == ["r0"]
    assert ids(db.run(Room.by_owner("Ann").count(1).after(first.cursor))) == ["r2"]


@pytest.mark.parametrize(("owner", "rooms", "cats"), [("Ann", ["r0", "r2"], ["Tom"]), ("ann", ["r1", "r4"], ["Tim"])])
def test_collections_answer_the_spelling_asked_for(
    db: tw.Database, owner: str, rooms: list[str], cats: list[str]
) -> None:
    found = db.run(Owned.of(owner))
    assert ids(found.rooms) == rooms
    assert [each.name for each in found.cats] == cats
    some = db.run(Owned.of(owner).only("tags"))
    assert [each.__dict__ for each in some.rooms] == [{"tags": ""}] * len(rooms)
    assert db.run(Owned.of(owner).total()) == len(rooms) + len(cats)


def test_beginnings_are_compared_too(db: tw.Database) -> None:
    db.run(Room(house="H", room_id="Attic").put())
    assert ids(db.run(Room.of_house("H", room_id=tw.begins_with("At")))) == ["Attic"]
    assert ids(db.run(Room.of_house("H", room_id=tw.begins_with("at")))) == []
    assert db.run(Room.of_house("H", room_id=tw.begins_with("at")).total()) == 0


def test_an_index_that_cannot_tell_is_read_through(db: tw.Database) -> None:
    with pytest.raises(tw.RequestError, match=r"cannot tell how owner is spelled.*use hydrate\(\)"):
        db.run(Room.keys_by_owner("Ann"))
    assert sorted(ids(db.run(Room.keys_by_owner("Ann").hydrate()))) == ["r0", "r2"]
    assert len(db.run(Room.keys_by_owner("42"))) == 0  # a text without letters has one spelling


def test_delete_all_deletes_what_the_query_finds(db: tw.Database) -> None:
    assert db.run(tw.delete_all(Room.by_owner("ann"))) == 2
    assert sorted(ids(db.run(Room.scan()))) == ["r0", "r2", "r3"]
    assert db.run(tw.delete_all(Owned.of("Ann"))) == 3
    assert sorted(ids(db.run(Room.scan()))) == ["r3"]


def test_a_put_gains_no_condition_and_loses_the_other_spelling(db: tw.Database) -> None:
    """What is lost, and said in the documentation."""
    put = Room(house="h", room_id="R0").put()
    assert "ConditionExpression" not in put.params()
    db.run(put)
    assert db.run(Room.key("H", room_id="r0").get()) is None
    assert db.run(Room.key("h", room_id="R0").get()) is not None


def test_edit_and_exists_mean_the_spelling_asked_for(db: tw.Database) -> None:
    assert db.run(tw.edit(Room.key("H", room_id="r0"), lambda _: Room.tags.set("x"))).tags == "x"
    with pytest.raises(tw.ConditionFailed, match="there is no such item"):
        db.run(tw.edit(Room.key("h", room_id="r0"), lambda _: Room.tags.set("y")))
    assert [db.run(tw.exists(Room.key(house, room_id="r0"))) for house in ("H", "h")] == [True, False]


def test_pages_of_keys_alone_are_compared_behind_the_index(db: tw.Database) -> None:
    found = [room for page in range(2) for room in db.iter(Room.keys_by_owner("Ann").hydrate().limit(page + 1))]
    assert sorted(ids(found)) == ["r0", "r0", "r2", "r2"]


def test_an_attribute_that_is_the_key_itself_is_written_in_its_case() -> None:
    native = tw.Service("native", table=tw.Table("native", pk="code"), casing="default")

    class Thing(tw.Entity, service=native, name="thing"):
        code: Attr[str]

        @tw.primary(sort=False)
        def key(self, code: str) -> None: ...

    assert Thing.key("x1").values() == {"code": "x1"}
    for make in (lambda: Thing.key("X1").values(), lambda: Thing(code="X1").put().params()):
        with pytest.raises(tw.ValidationError, match="would be stored as 'x1', like other spellings of it"):
            make()


def test_unique_values_are_told_apart_by_their_spelling() -> None:
    people = tw.Service("people", table="people", casing="default")

    class Person(tw.Entity, service=people, name="person", unique=["email"]):
        person: Attr[str]
        email: Attr[str]

        @tw.primary
        def key(self, person: str) -> None: ...

    with tw.Database.embedded() as db:
        db.create(people)
        db.run(Person(person="p1", email="Ada@x").put())
        db.run(Person(person="p2", email="ada@x").put())
        assert db.run(tw.find_unique(Person, email="Ada@x")) == Person(person="p1", email="Ada@x")
        assert db.run(tw.find_unique(Person, email="ADA@x")) is None
        with pytest.raises(tw.NotUnique):
            db.run(Person(person="p3", email="ada@x").put())


def test_history_is_that_of_the_spelling_asked_for() -> None:
    kept = tw.Service("kept", table="kept", casing="default")

    class Page(tw.Entity, service=kept, name="page", history=True):
        page: Attr[str]
        text: Attr[str] = attr(default="")
        version: Attr[int] = attr(version=True, default=0)

        @tw.primary
        def key(self, page: str) -> None: ...

    with tw.Database.embedded() as db:
        db.create(kept)
        db.run(Page(page="Home").create())
        assert len(db.run(tw.versions(Page.key("Home")))) == 1
        assert len(db.run(tw.versions(Page.key("home")))) == 0
        assert db.run(tw.version_of(Page.key("home"), 1)) is None
        assert db.run(tw.version_of(Page.key("Home"), 1)) is not None
        assert db.run(tw.as_of(Page.key("home"), tw.now())) is None
        assert db.run(tw.as_of(Page.key("Home"), tw.now())) is not None


# ---- indexes that hold keys alone ------------------------------------------------------------------------------------


keyed = tw.Service("keyed", table="keyed", casing="default")


class Job(tw.Entity, service=keyed, name="job"):
    job: Attr[str]
    owner: Attr[str]
    only: Attr[str] = attr(default="none")
    rank: Attr[int] = attr(default=0)
    hits = tw.counter(shards=2)

    @tw.primary
    def key(self, job: str) -> None: ...

    @tw.index("gsi1", collection="owned", projection="keys_only")
    def by_owner(self, owner: str, *, job: str = ANY) -> None: ...

    @tw.index("gsi2", projection="keys_only", shards=2)
    def spread(self, owner: str, *, job: str = ANY) -> None: ...

    @tw.index("gsi3", projection="keys_only")
    def by_only(self, only: str) -> None: ...


class Bag(tw.Entity, service=keyed, name="bag"):
    bag: Attr[str]
    owner: Attr[str]

    @tw.primary
    def key(self, bag: str) -> None: ...

    @tw.index("gsi1", collection="owned", projection="keys_only")
    def by_owner(self, owner: str, *, bag: str = ANY) -> None: ...


class Mark(tw.Entity, service=keyed, name="mark", unique=["sign"]):
    mark: Attr[str]
    sign: Attr[str]

    @tw.primary
    def key(self, mark: str) -> None: ...


class OwnedKeys(tw.Collection, service=keyed, name="owned"):
    jobs: list[Job]
    bags: list[Bag]

    @tw.index("gsi1")
    def of(self, owner: str) -> None: ...


@pytest.fixture(name="jobs")
def database_of_jobs() -> Any:
    with tw.Database.embedded() as db:
        db.create(keyed)
        for number in range(12):
            owner = "Ann" if number % 3 == 0 else "ann"
            db.run(Job(job=f"j{number:02}", owner=owner, only=owner, rank=number).put())
        db.run(Bag(bag="b1", owner="Ann").put())
        db.run(Bag(bag="b2", owner="ann").put())
        yield db


def ranks(found: Any) -> list[int]:
    return sorted(each.rank for each in found)


@pytest.mark.parametrize("pattern", ["by_owner", "spread"])
def test_hydrated_reads_of_some_attributes_are_compared_too(jobs: tw.Database, pattern: str) -> None:
    query = getattr(Job, pattern)("Ann").hydrate().only(Job.rank)
    found = jobs.run(query)
    assert ranks(found) == [0, 3, 6, 9]
    assert found.items[0].__dict__ == {"rank": found.items[0].rank}
    gathered = jobs.run(OwnedKeys.of("Ann").hydrate().only("rank"))
    assert ranks(gathered.jobs) == [0, 3, 6, 9]
    assert len(gathered.bags) == 1


@pytest.mark.parametrize("pattern", ["by_owner", "spread", "by_only"])
def test_delete_all_reads_through_an_index_of_keys(jobs: tw.Database, pattern: str) -> None:
    assert jobs.run(tw.delete_all(getattr(Job, pattern)("Ann").hydrate())) == 4
    assert ranks(jobs.run(Job.scan())) == [1, 2, 4, 5, 7, 8, 10, 11]
    assert jobs.run(tw.delete_all(getattr(Job, pattern)("ANN").hydrate().only(Job.rank))) == 0


def test_delete_all_of_a_collection_reads_through_an_index_of_keys(jobs: tw.Database) -> None:
    assert jobs.run(tw.delete_all(OwnedKeys.of("Ann").hydrate())) == 5
    assert len(jobs.run(Job.scan())) == 8
    assert [each.bag for each in jobs.run(Bag.scan())] == ["b2"]


@pytest.mark.parametrize("pattern", ["by_owner", "spread"])
@pytest.mark.parametrize("size", [1, 3, 4, 5])
def test_counted_pages_of_hydrated_items_are_full(jobs: tw.Database, pattern: str, size: int) -> None:
    query, cursor, found = getattr(Job, pattern)("Ann").hydrate().count(size), None, []
    while True:
        page = jobs.run(query.after(cursor))
        found += [each.rank for each in page]
        cursor = page.cursor
        if cursor is None:
            break
        assert len(page) == size or len(found) == 4
    assert found == [0, 3, 6, 9]


@pytest.mark.parametrize("pattern", ["by_owner", "spread"])
def test_totals_of_hydrated_items(jobs: tw.Database, pattern: str) -> None:
    query = getattr(Job, pattern)("Ann").hydrate()
    assert jobs.run(query.total()) == 4
    assert jobs.run(query.limit(2).total()) == 4
    assert jobs.run(query.count(1).total()) == 4
    assert query.total().params() is not None
    assert jobs.run(OwnedKeys.of("Ann").hydrate().total()) == 5
    with pytest.raises(tw.RequestError, match=r"use hydrate\(\)"):
        jobs.run(getattr(Job, pattern)("Ann").total())


def test_an_attribute_called_like_a_part_of_keys_only_is_refused_too(jobs: tw.Database) -> None:
    with pytest.raises(tw.RequestError, match="cannot tell how only is spelled"):
        jobs.run(Job.by_only("Ann"))
    assert ranks(jobs.run(Job.by_only("Ann").hydrate())) == [0, 3, 6, 9]


# ---- writes by another spelling --------------------------------------------------------------------------------------


def test_counters_are_those_of_the_spelling_asked_for(jobs: tw.Database) -> None:
    jobs.run(Job.hits.of(Job.key("j00")).add(3))
    assert jobs.run(Job.hits.of(Job.key("j00")).value()) == 3
    assert jobs.run(Job.hits.of(Job.key("J00")).value()) == 0
    item = jobs.run(Job.key("j00").get())
    assert item is not None
    assert jobs.run(item.hits.value()) == 3
    assert jobs.run(Job.hits.values([Job.key("J00"), Job.key("j00")])) == [0, 3]


@pytest.mark.parametrize(
    "bag", [Bag(bag="b3", owner="x").put(), Mark(mark="m", sign="x").put()], ids=["plain", "planned"]
)
def test_checks_are_of_the_spelling_asked_for(jobs: tw.Database, bag: Any) -> None:
    shown = tw.transact(bag, Job.key("J00").check(Job.rank >= 0)).params()["TransactItems"]
    assert "OR" not in str(
        [each["ConditionCheck"] for each in shown if "ConditionCheck" in each]
    )  # as ElectroDB has it
    with pytest.raises(tw.TransactionCancelled):
        jobs.run(tw.transact(bag, Job.key("J00").check(Job.rank >= 0)))
    jobs.run(tw.transact(bag, Job.key("j00").check(Job.rank >= 0)))
    jobs.run(tw.transact(bag, Job.key("J77").check(Job.rank.not_exists())))  # of nothing, nothing is compared
    jobs.run(tw.transact(bag, Job.key("j00").check((Job.rank > 5) | (Job.rank < 1))))


def test_a_tree_insists_on_the_parent_as_it_is_spelled() -> None:
    drive = tw.Service("drive", table="drive", casing="default")

    class Folder(tw.Entity, service=drive, name="folder"):
        space: Attr[str]
        path: Attr[tw.TreePath]

        @tw.primary
        def key(self, space: str, *, path: tw.TreePath) -> None: ...

    with tw.Database.embedded() as db:
        db.create(drive)
        db.run(tw.tree(Folder(space="s", path=tw.TreePath("Docs"))).create())
        with pytest.raises(tw.TransactionCancelled):
            db.run(tw.tree(Folder(space="s", path=tw.TreePath("docs", "x"))).create())
        db.run(tw.tree(Folder(space="s", path=tw.TreePath("Docs", "x"))).create())


def test_a_rare_spelling_is_found_behind_many_others() -> None:
    found = Job.by_owner("Ann").hydrate()
    with tw.Database.embedded() as db:
        db.create(keyed)
        for number in range(120):
            db.run(Job(job=f"j{number:03}", owner="ann").put())
        db.run(Job(job="k", owner="Ann", rank=7).put())
        db.run(Job(job="l", owner="ann").put())
        page = db.run(found.count(1))
        assert ranks(page) == [7]
        assert db.run(found.count(1).after(page.cursor)).items == []


def test_index_keys_never_contradict_an_item_updated_by_another_spelling() -> None:
    """Where an index tells spellings apart and the table key does not, an update is of the spelling asked for."""
    mixed = tw.Service("mixed", table="mixed", casing="default")

    class Place(tw.Entity, service=mixed, name="place"):
        place: Attr[str]
        owner: Attr[str] = attr(default="o")
        n: Attr[int] = attr(default=0)

        @tw.primary
        def key(self, place: str) -> None: ...

        @tw.index("gsi1", casing="none")
        def by(self, place: str) -> None: ...

        @tw.index("gsi2", casing="none")
        def by_owner(self, owner: str, *, place: str = ANY) -> None: ...

    with tw.Database.embedded() as db:
        db.create(mixed)
        db.run(Place(place="r1").create())
        for write in (Place.key("R1").patch(Place.n.add(1)), Place.key("R1").update(Place.owner.set("p"))):
            with pytest.raises(tw.ConditionFailed):
                db.run(write)
        for _ in range(2):  # the second time by a text that may be known by then
            db.run(Place.key("r1").patch(Place.n.add(1)))
            db.run(Place.key("r1").update(Place.owner.set("p")))
        db.run(Place.key("New").update(Place.owner.set("q")))
        assert [each.n for each in db.run(Place.by("r1"))] == [2]
        assert [each.place for each in db.run(Place.by_owner("p"))] == ["r1"]
        assert [each.place for each in db.run(Place.by("New"))] == ["New"]
        assert len(db.run(Place.by("R1"))) == 0


def test_updates_gain_no_condition_where_all_keys_fold_alike(db: tw.Database) -> None:
    """What is written then is the spelling of the update, which the documentation says; keys stay true to it."""
    update = Room.key("h", room_id="R0").update(Room.tags.set("x"))
    assert "ConditionExpression" not in update.params()
    db.run(update)
    assert db.run(Room.key("H", room_id="r0").get()) is None
    assert ids(db.run(Room.of_house("h"))) == ["R0"]
    assert "R0" in ids(db.run(Room.by_owner("Ann")))
