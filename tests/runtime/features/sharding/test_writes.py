"""Every write leaves an item where a reader of its spread patterns looks, whoever else writes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

START = datetime(2026, 1, 1, tzinfo=UTC)
app = tw.Service("app", table=tw.Table("app"))


class Note(tw.Entity, service=app, name="note"):
    ref: Attr[str]
    owner: Attr[str | None] = attr(default=None)
    rank: Attr[int | None] = attr(default=None, padding=(2, "0"))
    at: Attr[datetime | None] = attr(default=None)
    dice: Attr[int | None] = attr(default=None)

    @tw.primary
    def key(self, ref: str) -> None: ...

    @tw.index("gsi1", shards=4)
    def by_owner(self, owner: str, *, rank: Range[int] = ANY) -> None: ...

    @tw.index("gsi2", bucket=tw.Bucket("day", since=START))
    def by_day(self, owner: str, *, at: Range[datetime] = ANY) -> None: ...

    @tw.index("gsi3", shards=tw.Shards(4, by="random", attribute="dice"))
    def at_random(self, rank: int, *, ref: str = ANY) -> None: ...


ids = st.sampled_from("abc")
owners = st.sampled_from(["ann", "bob", None])
ranks = st.sampled_from([1, 2, None])
times = st.sampled_from([None, START, START + timedelta(days=1, hours=3), START + timedelta(days=2)])
notes = st.builds(Note, ref=ids, owner=owners, rank=ranks, at=times)
steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["put", "upsert"]), notes),
        st.tuples(st.sampled_from(["patch", "update"]), notes),
        st.tuples(st.just("delete"), notes),
    ),
    max_size=12,
)


def changes(note: Note) -> list[tw.Change]:
    wanted: list[tuple[Any, Any]] = [(Note.owner, note.owner), (Note.rank, note.rank), (Note.at, note.at)]
    return [path.remove() if value is None else path.set(value) for path, value in wanted]


def found(db: tw.Database) -> dict[str, dict[str, set[str]]]:
    return {
        "owner": {owner: {note.ref for note in db.iter(Note.by_owner(owner))} for owner in ("ann", "bob")},
        "day": {owner: {note.ref for note in db.iter(Note.by_day(owner))} for owner in ("ann", "bob")},
        "random": {str(rank): {note.ref for note in db.iter(Note.at_random(rank))} for rank in (1, 2)},
    }


def expected(model: dict[str, Note]) -> dict[str, dict[str, set[str]]]:
    alive = list(model.values())
    return {
        "owner": {owner: {note.ref for note in alive if note.owner == owner} for owner in ("ann", "bob")},
        "day": {owner: {n.ref for n in alive if n.owner == owner and n.at is not None} for owner in ("ann", "bob")},
        "random": {str(rank): {note.ref for note in alive if note.rank == rank} for rank in (1, 2)},
    }


@settings(deadline=None, max_examples=40)
@given(steps)
def test_items_are_where_readers_look(taken: list[tuple[str, Note]]) -> None:
    model: dict[str, Note] = {}
    with tw.Database.embedded() as db, tw.time_held(START + timedelta(days=3)):
        db.create(app)
        for verb, note in taken:
            old = model.get(note.ref)
            if verb in ("put", "upsert"):
                db.run(getattr(note, verb)())
            elif verb == "delete":
                db.run(note.delete())
                model.pop(note.ref, None)
                continue
            elif old is None:
                continue
            else:
                current = db.run(note.key.get())
                assert current is not None
                db.run(getattr(current, verb)(*changes(note)))
            model[note.ref] = note
        assert found(db) == expected(model)


def test_the_shard_follows_from_the_table_key() -> None:
    item = Note(ref="a", owner="ann", rank=1, at=START, dice=2).put().params()["Item"]
    assert item["shard"] == crc32(b"a") % 4
    assert item["gsi1pk"] == f"$app#owner_ann#shard_{item['shard']}"
    assert (item["day"], item["gsi2pk"]) == ("2026-01-01", "$app#owner_ann#day_2026-01-01")
    assert (item["dice"], item["gsi3pk"]) == (2, "$app#rank_01#dice_2")


def test_nobody_sets_what_follows_from_others() -> None:
    with pytest.raises(tw.ValidationError, match="follows from other attributes"):
        Note.key("a").patch(Note.dice.set(3)).params()


def test_a_time_before_all_questions_is_refused() -> None:
    with pytest.raises(tw.ValidationError, match=r"before 2026-01-01.*declare an earlier since="):
        Note(ref="a", owner="ann", at=START - timedelta(days=1)).put()


def test_an_update_must_know_what_the_partition_follows_from() -> None:
    with pytest.raises(tw.RequestError, match="must be known"):
        Note.key("a").patch(Note.owner.set("bob")).params()
    told = Note.key("a").patch(Note.owner.set("bob")).composite(rank=None, at=START).params()
    assert told["ExpressionAttributeValues"][":gsi2pk0"] == "$app#owner_bob#day_2026-01-01"


users = tw.Service(
    "users", table=tw.Table("users", pk="PK", sk="SK"), identifiers=tw.Identifiers(entity="T", version=None)
)


class User(tw.Entity, service=users, name="User"):
    ref: Attr[int]
    name: Attr[str]

    @tw.primary(pk="SHARD#{shard}#USER", sk="USER#{ref}", shards=tw.Shards(10, by="modulo"))
    def key(self, *, ref: int) -> None: ...

    @tw.index("table")
    def everyone(self, *, ref: int = ANY) -> None: ...


def test_users_by_shard_as_a_template() -> None:
    assert User.key(ref=37).values() == {"PK": "SHARD#7#USER", "SK": "USER#37"}
    with tw.Database.embedded() as db:
        db.create(users)
        db.write_all(User(ref=n, name=f"user {n}").put() for n in range(30))
        keys = sorted(f"USER#{n}" for n in range(30))
        assert [f"USER#{user.ref}" for user in db.iter(User.everyone().limit(7))] == keys
        user = db.run(User.key(ref=7).get())
        assert user is not None
        assert user.name == "user 7"
        db.run(user.patch(User.name.set("seven")))
        db.run(User.key(ref=31).update(User.name.set("made by an update")))
        assert {each.name for each in db.iter(User.everyone())} >= {"seven", "made by an update"}
        assert [u.ref for u in db.run(User.everyone(ref=12))] == [12]
        db.run(user.remove())
        assert db.run(User.key(ref=7).get()) is None
