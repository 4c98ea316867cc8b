"""Optimistic locking: no write through an item undoes another's, and every write counts."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import Attr, attr
from tests.runtime.features.club import Account, Member, Plain, club, fresh, stored
from tests.runtime.features.interleaving import FAULTS, choosing, interleave


def one_more(account: Account) -> list[tw.Change]:
    """Reads and writes, so that a lost update would be seen."""
    return [Account.balance.set(account.balance + 1)]


@settings(max_examples=60, deadline=None)
@given(count=st.integers(2, 4), data=st.data())
def test_no_update_is_lost(count: int, data: st.DataObject) -> None:
    with fresh() as db:
        db.run(Account(account="a").create())
        edits = [tw.edit(Account.key("a"), one_more, attempts=4) for _ in range(count)]
        outcomes = interleave(db.transport.call, edits, choosing(data), faults=FAULTS)
        (item,) = stored(db, "account")
        assert sum(each.is_done for each in outcomes) <= item["balance"] <= sum(each.may_be_done for each in outcomes)
        assert item["version"] == 1 + item["balance"]
        for outcome in outcomes:
            assert outcome.error is None or isinstance(outcome.error, tw.Conflict | tw.TransportError)


@settings(max_examples=60, deadline=None)
@given(count=st.integers(2, 4), data=st.data())
def test_nor_is_one_without_a_version(count: int, data: st.DataObject) -> None:
    with fresh() as db:
        db.run(Plain(name="a").create())
        edits = [tw.edit(Plain.key("a"), lambda item: Plain.count.set(item.count + 1)) for _ in range(count)]
        adding = [Plain.key("a").update(Plain.tags.add({str(at)})) for at in range(2)]
        outcomes = interleave(db.transport.call, [*edits, *adding], choosing(data), faults=FAULTS)[:count]
        (item,) = stored(db, "plain")
        assert sum(each.is_done for each in outcomes) <= item["count"] <= sum(each.may_be_done for each in outcomes)


WRITES = st.sampled_from(["put", "update", "patch", "delete", "remove", "upsert", "key"])


def write(item: Account, how: str) -> Any:
    changes = [] if how in ("put", "delete", "remove", "upsert") else [Account.balance.set(item.balance + 10)]
    return getattr(Account.key("a") if how == "key" else item, "update" if how == "key" else how)(*changes)


def failure_of(db: tw.Database, operation: Any) -> tw.ConditionFailed | None:
    try:
        db.run(operation)
    except tw.ConditionFailed as error:
        return error
    return None


@settings(max_examples=80, deadline=None)
@given(data=st.data(), hows=st.lists(WRITES, min_size=1, max_size=5))
def test_a_write_through_an_item_succeeds_only_on_what_was_read(data: st.DataObject, hows: list[str]) -> None:
    """Some read before, some later; who writes on an old version is told so and shown the item as it is."""
    with fresh() as db:
        seen: list[Account] = [Account(account="a"), db.run(Account(account="a").create())]  # type: ignore[list-item]
        for how in hows:
            item = data.draw(st.sampled_from(seen))
            now = db.run(Account.key("a").get().consistent())
            is_current = (0 if now is None else now.version) == item.version
            failure = failure_of(db, write(item, how))
            if isinstance(failure, tw.Conflict):
                assert not is_current
                assert failure.item == now
            elif failure is not None:
                assert now is None
            else:
                blind = how == "key" or (how == "upsert" and item.version == 0) or (how == "delete" and now is None)
                assert is_current or blind
            after = db.run(Account.key("a").get().consistent())
            if after is not None:
                assert now is None or after.version in (now.version, now.version + 1)
                seen.append(after)


# ---- one by one ------------------------------------------------------------------------------------------------------


def test_versions_start_at_one_and_count() -> None:
    with fresh() as db:
        first = db.run(Account(account="a").create())
        assert first == Account(account="a", version=1)
        second = db.run(first.put())
        third = db.run(second.patch(Account.balance.add(5)).returning("all_new"))
        assert third == Account(account="a", balance=5, version=3)
        db.run(third.upsert())
        db.run(Account.key("a").update(Account.note.set("n")))
        assert db.run(Account.key("a").get()).version == 5  # type: ignore[union-attr]
        db.run(Account.key("new").update(Account.balance.set(1)))
        assert db.run(Account.key("new").get()).version == 1  # type: ignore[union-attr]


def test_a_conflict_shows_the_item_as_it_is() -> None:
    with fresh() as db:
        mine = db.run(Account(account="a").create())
        db.run(Account.key("a").patch(Account.balance.set(7)))
        with pytest.raises(tw.Conflict, match="read at version 1, but now it is at version 2") as caught:
            db.run(mine.patch(Account.balance.set(1)))
        assert caught.value.item == Account(account="a", balance=7, version=2)
        db.run(Account.key("a").delete())
        with pytest.raises(tw.Conflict, match="there is no such item") as gone:
            db.run(mine.put())
        assert gone.value.item is None
        db.run(mine.delete())  # what is gone already is no conflict


def test_a_new_item_does_not_replace_one_that_nobody_read() -> None:
    with fresh() as db:
        db.run(Account(account="a", balance=3).put())
        with pytest.raises(tw.Conflict):
            db.run(Account(account="a").put())
        db.run(Account(account="a").upsert())
        assert db.run(Account.key("a").get()).version == 2  # type: ignore[union-attr]


def test_the_callers_own_condition_is_no_conflict() -> None:
    with fresh() as db:
        account = db.run(Account(account="a").create())
        with pytest.raises(tw.ConditionFailed) as caught:
            db.run(account.patch(Account.balance.set(1)).where(Account.balance > 5))
        assert type(caught.value) is tw.ConditionFailed
        with pytest.raises(tw.ConditionFailed) as existing:
            db.run(Account(account="a").create())
        assert type(existing.value) is tw.ConditionFailed


def test_in_a_transaction() -> None:
    with fresh() as db:
        one, two = (db.run(Account(account=name).create()) for name in "ab")
        db.run(tw.transact(one.patch(Account.balance.add(-5)), two.patch(Account.balance.add(5))))
        assert [item["version"] for item in stored(db, "account")] == [2, 2]
        with pytest.raises(tw.TransactionCancelled) as caught:
            db.run(tw.transact(one.patch(Account.balance.add(-5)), Account.key("b").patch(Account.balance.add(5))))
        assert caught.value.reasons[0].item.version == 2
        assert sorted(item["balance"] for item in stored(db, "account")) == [-5, 5]


def test_the_version_is_nobodys_to_change() -> None:
    with pytest.raises(tw.RequestError, match="version"):
        Account.key("a").update(Account.version.set(9)).params()
    with pytest.raises(tw.RequestError, match="batch"):
        tw.batch_write(Account(account="a").put())


def test_items_from_before_the_version_join_in() -> None:
    """As ElectroDB, or an earlier version of the program, wrote them."""
    from tablewright.wire.call import Call
    from tablewright.wire.document import to_wire

    with fresh() as db:
        item = {name: value for name, value in Account(account="a").put().item().items() if name != "version"}
        db.transport.call(Call("PutItem", to_wire({"TableName": "club", "Item": item})))
        account = db.run(Account.key("a").get())
        assert account is not None
        assert account.version == 0
        db.run(account.patch(Account.balance.set(1)))
        with pytest.raises(tw.Conflict):
            db.run(account.patch(Account.balance.set(2)))


def test_a_single_request_is_all_it_takes() -> None:
    with fresh() as db:
        made = db.run(Account(account="a").create(), explain=True)
        assert [call.action for call in made.calls] == ["PutItem"]
        changed = db.run(made.result.patch(Account.balance.set(2)), explain=True)
        assert [call.action for call in changed.calls] == ["UpdateItem"]


# ---- edit ------------------------------------------------------------------------------------------------------------


def test_edit_returns_the_item_and_writes_nothing_for_no_change() -> None:
    with fresh() as db:
        db.run(Account(account="a").create())
        assert db.run(tw.edit(Account.key("a"), one_more)) == Account(account="a", balance=1, version=2)
        told = db.run(tw.edit(Account.key("a"), lambda _: None), explain=True)
        assert [call.action for call in told.calls] == ["GetItem"]
        assert told.result.version == 2


def test_edit_gives_up_and_shows_the_item() -> None:
    with fresh() as db:
        db.run(Account(account="a").create())

        def slow(account: Account) -> tw.Change:
            db.run(Account.key("a").update(Account.note.set("faster")))
            return Account.balance.set(account.balance + 1)

        with pytest.raises(tw.Conflict, match="someone else was faster 3 times") as caught:
            db.run(tw.edit(Account.key("a"), slow, attempts=3))
        assert caught.value.item.version == 4
        with pytest.raises(tw.ConditionFailed, match="there is no such item"):
            db.run(tw.edit(Account.key("nobody"), slow))
        with pytest.raises(tw.RequestError, match="at least once"):
            tw.edit(Account.key("a"), slow, attempts=0)


def test_edit_passes_on_what_trying_again_does_not_mend() -> None:
    with fresh() as db:
        db.run(Member(member="a", email="x").create())
        db.run(Member(member="b").create())
        with pytest.raises(tw.NotUnique):
            db.run(tw.edit(Member.key("b"), lambda _: Member.email.set("x")))


def test_edits_of_many_tasks_all_count() -> None:
    async def race() -> Account:
        async with tw.AsyncDatabase.embedded() as db:
            await db.create(club)
            await db.run(Account(account="a").create())
            edits = (db.run(tw.edit(Account.key("a"), one_more, attempts=20)) for _ in range(6))
            await asyncio.gather(*edits)
            found = await db.run(Account.key("a").get())
            assert found is not None
            return found

    assert asyncio.run(race()) == Account(account="a", balance=6, version=7)


# ---- declarations ----------------------------------------------------------------------------------------------------


def test_declarations_are_checked() -> None:
    service = tw.Service("s", table="table")

    class Text(tw.Entity, service=service, name="text"):
        name: Attr[str]
        version: Attr[str] = attr(version=True, default="0")  # type: ignore[call-overload]

        @tw.primary
        def key(self, name: str) -> None:
            """One."""

    class Two(tw.Entity, service=service, name="two"):
        name: Attr[str]
        one: Attr[int] = attr(version=True)
        other: Attr[int] = attr(version=True)

        @tw.primary
        def key(self, name: str) -> None:
            """One."""

    with pytest.raises(tw.SchemaError, match='the version "version" is no number'):
        Text.schema()
    with pytest.raises(tw.SchemaError, match="one and other both count versions"):
        Two.schema()
