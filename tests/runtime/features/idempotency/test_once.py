"""Idempotent writes: what is asked for several times under one id happens once, and everybody hears the same answer."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import Attr, attr
from tests.runtime.features.club import Account, Member, Plain, check_sentinels, club, fresh, stored
from tests.runtime.features.interleaving import FAULTS, choosing, interleave

ASKED: dict[str, Any] = {
    "add": lambda: Account.key("a").update(Account.balance.add(1)).returning("all_new"),
    "plain": lambda: Plain.key("a").update(Plain.count.add(1)).returning("updated_new"),
    "create": lambda: Member(member="a", email="x").create(),
    "put": lambda: Plain(name="a", tags={"t"}).put(),
    "transaction": lambda: tw.transact(
        Account.key("a").update(Account.balance.add(1)), Member(member="a", email="x").create()
    ),
    "upsert": lambda: Member(member="a", email="x").upsert(),
}


@settings(max_examples=80, deadline=None)
@given(what=st.sampled_from(sorted(ASKED)), count=st.integers(2, 4), data=st.data())
def test_it_happens_once_and_everybody_hears_the_same(what: str, count: int, data: st.DataObject) -> None:
    with fresh() as db:
        asking = [tw.once(ASKED[what](), "r") for _ in range(count)]
        outcomes = interleave(db.transport.call, asking, choosing(data), faults=FAULTS)
        outcomes += interleave(db.transport.call, [tw.once(ASKED[what](), "r")], choosing(data))  # somebody tries again
        assert outcomes[-1].is_done
        for outcome in outcomes:
            assert outcome.error is None or isinstance(outcome.error, tw.TransportError)
            assert not outcome.is_done or outcome.value == outcomes[-1].value
        assert [item.get("balance", 1) for item in stored(db, "account")] in ([], [1])
        assert [item["version"] for item in stored(db, "member")] in ([], [1])
        assert [item.get("count") for item in stored(db, "plain")] in ([], [0], [1])
        assert len(stored(db, "tablewright:request")) == 1
        check_sentinels(db)


def test_awaited_by_many_tasks() -> None:
    async def race() -> list[Any]:
        async with tw.AsyncDatabase.embedded() as db:
            await db.create(club)
            return await asyncio.gather(*(db.run(tw.once(ASKED["add"](), "r")) for _ in range(6)))

    assert asyncio.run(race()) == [Account(account="a", balance=1, version=1)] * 6


# ---- one by one ------------------------------------------------------------------------------------------------------


def test_the_first_answer_is_given_again_although_the_item_has_changed() -> None:
    with fresh() as db:
        first = db.run(tw.once(Plain(name="a", count=1, tags={"t"}).create(), "r"))
        db.run(Plain.key("a").update(Plain.count.set(9)))
        assert db.run(tw.once(Plain(name="a", count=1, tags={"t"}).create(), "r")) == first
        assert first == Plain(name="a", count=1, tags={"t"})


def test_something_else_under_the_same_id_is_refused() -> None:
    with fresh() as db:
        db.run(tw.once(Plain(name="a", count=1).create(), "r"))
        for other in (
            Plain(name="a", count=2).create(),
            Plain(name="a", count=1).put(),
            Plain.key("a").delete(),
            tw.transact(Plain(name="b").create()),
        ):
            with pytest.raises(tw.RequestError, match="'r' was used for something else"):
                db.run(tw.once(other, "r"))  # type: ignore[arg-type]
        assert [item["count"] for item in stored(db, "plain")] == [1]


def test_what_defaults_make_up_does_not_count() -> None:
    service = tw.Service("club", table="club")

    class Order(tw.Entity, service=service, name="order"):
        order: Attr[str] = attr(default_factory=tw.new_id)
        total: Attr[int] = attr(default=0)

        @tw.primary
        def key(self, order: str) -> None:
            """One order."""

    with fresh() as db:
        first, second = (db.run(tw.once(Order(total=5).create(), "r")) for _ in range(2))
        assert first == second
        assert len(stored(db, "order")) == 1
        with pytest.raises(tw.RequestError, match="something else"):
            db.run(tw.once(Order(total=6).create(), "r"))


def test_the_caller_may_say_what_is_the_same() -> None:
    with fresh() as db:
        db.run(tw.once(Plain(name="a", count=1).create(), "r", same=b"body"))
        assert db.run(tw.once(Plain(name="a", count=2).create(), "r", same="body")).count == 1  # type: ignore[union-attr]
        with pytest.raises(tw.RequestError, match="something else"):
            db.run(tw.once(Plain(name="a", count=1).create(), "r", same="other body"))


def test_what_failed_can_be_tried_again() -> None:
    with fresh() as db:
        db.run(Member(member="a", email="x").create())
        with pytest.raises(tw.NotUnique):
            db.run(tw.once(Member(member="b", email="x").create(), "r"))
        with pytest.raises(tw.ConditionFailed):
            db.run(tw.once(Member.key("c").patch(Member.note.set("n")), "s"))
        with pytest.raises(tw.TransactionCancelled):
            db.run(tw.once(tw.transact(Member.key("c").patch(Member.note.set("n"))), "s"))
        db.run(Member.key("a").delete())
        assert db.run(tw.once(Member(member="b", email="x").create(), "r")).member == "b"  # type: ignore[union-attr]


def test_a_record_that_is_no_longer_kept_does_not_count() -> None:
    asked = Plain.key("a").update(Plain.count.add(1)).returning("all_new")
    with fresh() as db:
        db.run(tw.once(asked, "r", keep=timedelta(minutes=1)))
        with tw.time_held(tw.now() + timedelta(seconds=59)):
            assert db.run(tw.once(asked, "r")).count == 1  # type: ignore[union-attr]
        with tw.time_held(tw.now() + timedelta(seconds=61)):
            assert db.run(tw.once(asked, "r")).count == 2  # type: ignore[union-attr]


def test_what_it_does_not_take() -> None:
    with pytest.raises(tw.RequestError, match="one write or a transaction of writes, not Get"):
        tw.once(Plain.key("a").get(), "r")
    with pytest.raises(tw.RequestError, match="not Once"):
        tw.once(tw.once(Plain(name="a").put(), "r"), "s")
    with pytest.raises(tw.RequestError, match="a request id has 1 to 500 bytes"):
        tw.once(Plain(name="a").put(), "")
    with pytest.raises(tw.RequestError, match="a second at least"):
        tw.once(Plain(name="a").put(), "r", keep=timedelta(0))
    with pytest.raises(tw.RequestError, match=r"use tw.once\(transact"), fresh() as db:
        db.run(tw.transact(Member.key("a").update(Member.email.set("x"))).token("t"))
