"""Times to live: moments in, seconds stored; expired items hidden where that is declared."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, attr
from tablewright.schema.dump import dump

NOW = datetime(2036, 11, 15, 9, 0, tzinfo=UTC)
LIFETIME = timedelta(days=90)

app = tw.Service("app", table=tw.Table("app"))


class Session(tw.Entity, service=app, name="session"):
    ref: Attr[str]
    user: Attr[str]
    expires: Attr[datetime | None] = attr(default=None, ttl=LIFETIME, hide_expired=True)

    @tw.primary
    def key(self, ref: str) -> None: ...

    @tw.index("gsi1", collection="account")
    def by_user(self, user: str, *, ref: str = ANY) -> None: ...


class Visit(tw.Entity, service=app, name="visit"):
    ref: Attr[str]
    user: Attr[str]
    until: Attr[int | None] = attr(default=None, ttl=True, field="expires")

    @tw.primary
    def key(self, ref: str) -> None: ...

    @tw.index("gsi1", collection="account")
    def by_user(self, user: str, *, ref: str = ANY) -> None: ...


class Account(tw.Collection, service=app, name="account"):
    sessions: list[Session]
    visits: list[Visit]

    @tw.index("gsi1")
    def of(self, user: str) -> None: ...


def stored_expiry(value: Any) -> Any:
    return Session(ref="a", user="u", expires=value).put().params()["Item"].get("expires")


def test_moments_and_spans_become_seconds() -> None:
    with tw.time_held(NOW):
        assert Session(ref="a", user="u").expires == NOW + LIFETIME
        assert stored_expiry(NOW) == int(NOW.timestamp())
        assert stored_expiry(NOW.astimezone(timezone(timedelta(hours=5)))) == int(NOW.timestamp())
        assert stored_expiry(timedelta(minutes=1)) == int(NOW.timestamp()) + 60
        assert stored_expiry(None) is None


@given(st.integers(0, 10**15).map(lambda micros: NOW + timedelta(microseconds=micros)))
def test_no_item_goes_before_its_time(moment: datetime) -> None:
    seconds = stored_expiry(moment)
    assert moment <= datetime.fromtimestamp(seconds, UTC) < moment + timedelta(seconds=1)


@pytest.mark.parametrize("value", [1_767_225_600_000, 1_767_225_600, True, 1.5])
def test_numbers_are_refused_where_a_moment_belongs(value: Any) -> None:
    with pytest.raises(tw.ValidationError, match="must be a datetime or timedelta"):
        stored_expiry(value)


def test_milliseconds_are_refused_among_seconds() -> None:
    assert Visit(ref="a", user="u", until=1_767_225_600).put().params()["Item"]["expires"] == 1_767_225_600
    with pytest.raises(tw.ValidationError, match=r"milliseconds.*divide it by 1000"):
        Visit(ref="a", user="u", until=1_767_225_600_000).put()


@pytest.fixture
def db() -> Any:
    with tw.Database.embedded() as database:
        database.create(app)
        yield database


def test_create_switches_it_on_and_check_verifies(db: tw.Database) -> None:
    assert db.check(app) == []
    other = tw.Database.embedded()
    plain = tw.Service("app", table=tw.Table("app"))

    class Plain(tw.Entity, service=plain, name="plain"):
        ref: Attr[str]
        user: Attr[str]

        @tw.primary
        def key(self, ref: str) -> None: ...

        @tw.index("gsi1")
        def by_user(self, user: str, *, ref: str = ANY) -> None: ...

    other.create(plain)
    (difference,) = other.check(app)
    assert "items do not expire, but should by expires" in str(difference)
    other.create(app)
    assert other.check(app) == []


@settings(deadline=None, max_examples=30)
@given(st.lists(st.one_of(st.none(), st.integers(-5, 5)), max_size=8))
def test_every_reader_leaves_out_what_has_expired(offsets: list[int | None]) -> None:
    sessions = [
        Session(ref=f"s{at}", user="u", expires=None if offset is None else NOW + timedelta(seconds=offset))
        for at, offset in enumerate(offsets)
    ]
    alive = {f"s{at}" for at, offset in enumerate(offsets) if offset is None or offset > 0}
    with tw.Database.embedded() as db, tw.time_held(NOW):
        db.create(app)
        db.write_all([*(each.put() for each in sessions), Visit(ref="v", user="u", until=1).put()])
        query = Session.by_user("u")
        gets = [each.key.get() for each in sessions]
        got = {each.ref for get in gets if (each := db.run(get)) is not None}
        assert got == {each.ref for each in db.run(query)} == {each.ref for each in db.run(Session.scan())} == alive
        parts = [db.run(get.only("ref")) for get in gets]
        assert {each.ref for each in parts if each is not None} == alive
        assert {each.ref for each in db.run(query.only("ref").where(Session.ref != "x"))} == alive
        assert {each.ref for each in db.get_all(gets) if each is not None} == alive
        assert {each.ref for each in db.run(tw.transact_get(*gets)) if each} == alive if gets else True
        assert db.run(query.total()) == len(alive)
        account = db.run(Account.of("u"))
        assert ({each.ref for each in account.sessions}, len(account.visits)) == (alive, 1)
        assert len(db.run(query.including_expired())) == len(db.run(Session.scan().including_expired())) == len(offsets)
        assert all(db.run(get.including_expired()) is not None for get in gets)


def test_what_has_expired_can_be_created_again(db: tw.Database) -> None:
    with tw.time_held(NOW):
        db.run(Session(ref="a", user="u", expires=timedelta(seconds=1)).create())
        with pytest.raises(tw.ConditionFailed):
            db.run(Session(ref="a", user="v").create())
    with tw.time_held(NOW + timedelta(seconds=1)):
        db.run(Session(ref="a", user="v").create())
        found = db.run(Session.key("a").get())
        assert found is not None
        assert found.user == "v"


def test_an_update_prolongs(db: tw.Database) -> None:
    with tw.time_held(NOW):
        session = Session(ref="a", user="u")
        db.run(session.create())
        db.run(session.patch(Session.expires.set(NOW + timedelta(days=365))))
        found = db.run(session.key.get())
        assert found is not None
        assert found.expires == NOW + timedelta(days=365)


def test_awaited() -> None:
    async def run() -> None:
        async with tw.AsyncDatabase.embedded() as db:
            await db.create(app)
            assert await db.check(app) == []
            with tw.time_held(NOW):
                await db.run(Session(ref="a", user="u", expires=timedelta(0)).put())
                assert await db.run(Session.key("a").get()) is None

    asyncio.run(run())


def test_loaded_services_expire_too(db: tw.Database) -> None:
    loaded = tw.Service.load(dump(app.schema))
    entity = loaded.entities["session"]
    with tw.time_held(NOW):
        item = entity.put({"ref": "a", "user": "u"}).params()["Item"]
        assert item["expires"] == int((NOW + LIFETIME).timestamp())
        with pytest.raises(tw.ValidationError, match="milliseconds"):
            entity.put({"ref": "a", "user": "u", "expires": 1_767_225_600_000}).params()
    assert db.check(loaded) == []


def test_mistakes_are_told_with_the_remedy() -> None:
    def declare(**options: Any) -> Any:
        service = tw.Service("app", table=tw.Table("app"))
        attributes = {name: attr(**option) for name, option in options.items()}
        annotations = {"ref": Attr[str], **dict.fromkeys(options, Attr[datetime | None])}

        def key(self: Any, ref: str) -> None: ...

        body = {"__annotations__": annotations, **attributes, "key": tw.primary(key)}
        return type("Thing", (tw.Entity,), body, service=service, name="thing")

    with pytest.raises(tw.SchemaError, match="one attribute"):
        declare(one={"ttl": True, "default": None}, other={"ttl": True, "default": None}).schema()
    with pytest.raises(tw.SchemaError, match="hide_expired needs ttl"):
        declare(one={"hide_expired": True, "default": None}).schema()
