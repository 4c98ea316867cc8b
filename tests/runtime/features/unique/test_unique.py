"""Unique attributes: no two items share a value, and sentinels tell the truth, whatever happens between requests."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import Attr, attr
from tablewright.runtime.electrodb.entity import LoadedEntity
from tablewright.wire.call import Call
from tests.runtime.features.club import Account, Member, check_sentinels, club, fresh, sentinels, stored
from tests.runtime.features.interleaving import FAULTS, choosing, interleave

IDS = st.sampled_from("abc")
EMAILS = st.sampled_from(["x", "y", None])
SHIRTS = st.sampled_from([1, 2, None])


def changes(email: Any, shirt: Any) -> list[tw.Change]:
    return [
        Member.email.remove() if email is None else Member.email.set(email),
        Member.shirt.remove() if shirt is None else Member.shirt.set(shirt),
        Member.team.set("red"),
    ]


def fresh_member(member: str, email: Any, shirt: Any) -> Member:
    return Member(member=member, email=email, shirt=shirt, team="red")


OPERATIONS = st.one_of(
    st.builds(lambda *given: fresh_member(*given).create(), IDS, EMAILS, SHIRTS),
    st.builds(lambda *given: fresh_member(*given).put(), IDS, EMAILS, SHIRTS),
    st.builds(lambda *given: fresh_member(*given).upsert(), IDS, EMAILS, SHIRTS),
    st.builds(lambda member, *given: Member.key(member).update(*changes(*given)), IDS, EMAILS, SHIRTS),
    st.builds(lambda member, email: Member.key(member).patch(*changes(email, None)[:1]), IDS, EMAILS),
    st.builds(lambda member: Member.key(member).update(Member.note.set("n")).returning("all_new"), IDS),
    st.builds(lambda member: Member.key(member).delete(), IDS),
    st.builds(lambda member: Member.key(member).remove(), IDS),
    st.builds(
        lambda one, other: tw.transact(
            Member.key(one).update(Member.email.set("x")), Member.key(other).update(Member.email.set("y"))
        ),
        st.just("a"),
        st.sampled_from("bc"),
    ),
    st.builds(lambda member, email: tw.edit(Member.key(member), lambda _: changes(email, 1)), IDS, EMAILS),
    st.builds(
        lambda member, email: tw.once(Member.key(member).update(*changes(email, None)), f"r{member}{email}"),
        IDS,
        EMAILS,
    ),
)
ROUNDS = st.lists(st.lists(OPERATIONS, min_size=1, max_size=3), min_size=1, max_size=4)


@settings(max_examples=80, deadline=None)
@given(rounds=ROUNDS, data=st.data())
def test_no_value_is_used_twice_and_no_sentinel_is_orphaned(rounds: list[list[Any]], data: st.DataObject) -> None:
    with fresh() as db:
        for operations in rounds:
            for outcome in interleave(db.transport.call, operations, choosing(data), faults=FAULTS):
                assert outcome.error is None or isinstance(outcome.error, EXPECTED), outcome.error
            check_sentinels(db)


RIVALS = st.one_of(
    st.builds(lambda email: Member.key("a").update(Member.email.set(email)), st.sampled_from("yzw")),
    st.builds(
        lambda email: Member.key("a").patch(Member.email.set(email)).returning("all_old"), st.sampled_from("yzw")
    ),
    st.builds(lambda email: tw.once(Member.key("a").update(Member.email.set(email)), email), st.sampled_from("yzw")),
    st.just(Member.key("a").patch(Member.email.remove())),
    st.just(Member.key("a").delete()),
)


@settings(max_examples=80, deadline=None)
@given(rivals=st.lists(RIVALS, min_size=2, max_size=3), data=st.data())
def test_rivals_for_one_item_leave_one_sentinel(rivals: list[Any], data: st.DataObject) -> None:
    """All have read the item before the first of them writes, or not: nothing may rest on what is no longer true."""
    with fresh() as db:
        db.run(Member(member="a", email="x").create())
        interleave(db.transport.call, rivals, choosing(data))
        check_sentinels(db)


EXPECTED = (tw.ConditionFailed, tw.TransactionCancelled, tw.TransportError, tw.RequestError)


@settings(max_examples=30, deadline=None)
@given(rounds=ROUNDS)
def test_awaited_writes_do_the_same(rounds: list[list[Any]]) -> None:
    """One after the other, blocking and awaited: the same results and the same table."""

    def told(run: Any) -> Any:
        try:
            return run()
        except tw.TablewrightError as error:
            return type(error)

    operations = [operation for each in rounds for operation in each]
    with fresh() as db:
        blocking = [told(lambda each=each: db.run(each)) for each in operations]
        expected = stored(db, "member"), sentinels(db)

    with fresh() as db:
        assert asyncio.run(all_awaited(db, operations)) == blocking
        assert (stored(db, "member"), sentinels(db)) == expected


async def all_awaited(db: tw.Database, operations: list[Any]) -> list[Any]:
    """What comes of operations that are awaited one after the other, on the engine of a blocking database."""
    engine: Any = db.transport
    other = tw.AsyncDatabase.embedded(engine=engine.engine)
    results: list[Any] = []
    for each in operations:
        try:
            results.append(await other.run(each))
        except tw.TablewrightError as error:
            results.append(type(error))
    return results


def test_many_tasks_want_one_value_and_one_gets_it() -> None:
    async def race() -> list[Any]:
        async with tw.AsyncDatabase.embedded() as db:
            await db.create(club)
            writes = [db.run(Member(member=str(at), email="x").create()) for at in range(8)]
            return await asyncio.gather(*writes, return_exceptions=True)

    results = asyncio.run(race())
    assert sum(isinstance(each, Member) for each in results) == 1
    assert sum(isinstance(each, tw.NotUnique) for each in results) == 7


# ---- one by one ------------------------------------------------------------------------------------------------------


def test_the_error_names_attribute_value_and_owner() -> None:
    with fresh() as db:
        db.run(Member(member="a", email="x").create())
        with pytest.raises(tw.NotUnique, match=r"member: email 'x' belongs to another item \(member='a'\)") as caught:
            db.run(Member(member="b", email="x").put())
        assert (caught.value.attributes, caught.value.values) == (("email",), ("x",))
        assert caught.value.owner == {"member": "a"}
        with pytest.raises(tw.NotUnique, match="team 'red' and shirt 7"):
            db.run(tw.transact(*(Member(member=name, team="red", shirt=7).create() for name in "cd")))


def test_values_change_hands_in_one_transaction() -> None:
    with fresh() as db:
        db.run(Member(member="a", email="x").create())
        db.run(Member(member="b", email="y").create())
        db.run(tw.transact(Member.key("a").patch(Member.email.set("y")), Member.key("b").patch(Member.email.set("x"))))
        assert db.run(tw.find_unique(Member, email="y")) == Member(member="a", email="y", version=2)
        check_sentinels(db)


def test_a_callers_condition_is_the_callers_failure() -> None:
    with fresh() as db:
        db.run(Member(member="a", email="x", note="n").create())
        with pytest.raises(tw.ConditionFailed) as caught:
            db.run(Member.key("a").patch(Member.email.set("y")).where(Member.note == "other"))
        assert type(caught.value) is tw.ConditionFailed
        assert caught.value.item.email == "x"
        with pytest.raises(tw.TransactionCancelled) as cancelled:
            db.run(tw.transact(Member.key("a").patch(Member.email.set("y")).where(Member.note == "other")))
        assert cancelled.value.reasons[0].item.email == "x"
        with pytest.raises(tw.ConditionFailed):
            db.run(Member(member="a", email="z").create())
        check_sentinels(db)


def test_a_write_that_touches_nothing_unique_is_one_plain_request() -> None:
    with fresh() as db:
        db.run(Member(member="a", email="x").create())
        calls = db.run(Member.key("a").patch(Member.note.set("n")), explain=True).calls
        assert [call.action for call in calls] == ["UpdateItem"]
        calls = db.run(Member.key("a").patch(Member.email.set("z")), explain=True).calls
        assert [call.action for call in calls] == ["GetItem", "TransactWriteItems"]
        calls = db.run(Member(member="n").create(), explain=True).calls
        assert [call.action for call in calls] == ["PutItem"]


@pytest.mark.parametrize("response", ["all_old", "updated_old", "all_new", "updated_new"])
def test_answers_are_those_of_plain_writes(response: Any) -> None:
    with fresh() as db:
        db.run(Member(member="a", email="x", note="n").create())
        db.run(Account(account="a", note="x", balance=3).create())
        member = db.run(Member.key("a").patch(Member.email.set("y")).returning(response))
        account = db.run(Account.key("a").patch(Account.note.set("y")).composite(note="x").returning(response))
        assert member is not None
        assert account is not None
        assert vars(member).get("version") == vars(account).get("version")
        assert vars(member)["email"] == vars(account)["note"]


def test_long_and_odd_values_have_keys_of_their_own() -> None:
    with fresh() as db:
        for at, email in enumerate(["x" * 3000, "x" * 3001, 'a"#b', "é" * 600, "1"]):
            db.run(Member(member=str(at), email=email).create())
            assert db.run(tw.find_unique(Member, email=email)) is not None
        with pytest.raises(tw.NotUnique):
            db.run(Member(member="n", email="x" * 3000).create())
        assert len({each["pk"] for each in sentinels(db)}) == 5


def test_batches_refuse_and_delete_all_gives_values_back() -> None:
    with fresh() as db:
        with pytest.raises(tw.RequestError, match="batch"):
            tw.batch_write(Member(member="a").put())
        with pytest.raises(tw.RequestError, match="batch"):
            db.write_all([Member(member="a").put()])
        for name in "abc":
            db.run(Member(member=name, email=name).create())
        assert db.run(tw.delete_all(Member.scan())) == 3
        assert sentinels(db) == []


def test_lookups_know_what_is_unique() -> None:
    with fresh() as db:
        db.run(Member(member="a", team="red", shirt=7).create())
        assert db.run(tw.find_unique(Member, shirt=7, team="red")).member == "a"  # type: ignore[union-attr]
        assert db.run(tw.find_unique(Member, shirt=8, team="red")) is None
        with pytest.raises(tw.RequestError, match="unique are email; team, shirt"):
            tw.find_unique(Member, shirt=7)
        with pytest.raises(tw.RequestError, match="unique are nothing"):
            tw.find_unique(Account, note="n")


def test_the_loaded_style_keeps_the_rule_too() -> None:
    from tablewright.schema.dump import dump
    from tablewright.schema.load import load

    with fresh() as db:
        schema = load(dump(club.schema), functions={"builtins.set": set})
        members = LoadedEntity(schema.entities["member"], table="club", client=db)
        members.create({"member": "a", "email": "x"}).go()
        with pytest.raises(tw.NotUnique):
            members.create({"member": "b", "email": "x"}).go()
        members.patch({"member": "a"}).set({"email": "y"}).go()
        members.create({"member": "b", "email": "x"}).go()
        check_sentinels(db)


# ---- tables that are older than the rule -----------------------------------------------------------------------------


def write_behind_its_back(db: tw.Database, item: Member) -> None:
    from tablewright.wire.document import to_wire

    db.transport.call(Call("PutItem", to_wire({"TableName": "club", "Item": item.put().item()})))


def test_repair_claims_removes_and_reports() -> None:
    with fresh() as db:
        db.run(Member(member="a", email="x").create())
        write_behind_its_back(db, Member(member="b", email="y"))
        write_behind_its_back(db, Member(member="c", email="x"))
        write_behind_its_back(db, Member(member="a", email="z"))
        repaired = db.run(tw.repair_unique(Member))
        assert (repaired.items, repaired.claimed) == (3, 3 if not repaired.shared else 2)
        again = db.run(tw.repair_unique(Member))
        again = db.run(tw.repair_unique(Member))
        assert (again.claimed, again.removed, again.shared) == (0, 0, ())
        check_sentinels(db)


def test_repair_reports_what_only_people_can_decide() -> None:
    with fresh() as db:
        db.run(Member(member="a", email="x").create())
        write_behind_its_back(db, Member(member="c", email="x"))
        assert db.run(tw.repair_unique(Member)).shared == ((("email",), ("x",), {"member": "c"}),)
        db.run(Member.key("c").patch(Member.email.set("y")))  # and what belongs to another is left to it
        assert db.run(tw.repair_unique(Member)) == tw.Repaired(items=2)
        check_sentinels(db)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_repair_may_run_while_others_write(data: st.DataObject) -> None:
    with fresh() as db:
        write_behind_its_back(db, Member(member="a", email="x"))
        db.run(Member(member="b", email="y").create())
        write_behind_its_back(db, Member(member="b", email="z"))
        others = [Member.key("a").update(Member.email.set("y")), Member.key("b").delete()]
        interleave(db.transport.call, [tw.repair_unique(Member), *others], choosing(data), faults=FAULTS)
        for _ in range(2):
            db.run(tw.repair_unique(Member))
        check_sentinels(db)


# ---- declarations ----------------------------------------------------------------------------------------------------


def test_declarations_are_checked() -> None:
    service = tw.Service("s", table="table")

    class Lists(tw.Entity, service=service, name="lists"):
        name: Attr[str]
        tags: Attr[list[str]] = attr(default_factory=list, unique=True)

        @tw.primary
        def key(self, name: str) -> None:
            """One."""

    class Unknown(tw.Entity, service=service, name="unknown", unique=[("name", "nothing")]):
        name: Attr[str]

        @tw.primary
        def key(self, name: str) -> None:
            """One."""

    with pytest.raises(tw.SchemaError, match=r'"tags" is unique, but no scalar'):
        Lists.schema()
    with pytest.raises(tw.SchemaError, match="unique names 'nothing'; its attributes are name"):
        Unknown.schema()


def test_declarations_are_part_of_the_schema() -> None:
    from tablewright.schema.describe import describe
    from tablewright.schema.dump import dump
    from tablewright.schema.load import load

    schema = club.schema
    written = dump(schema)
    assert written["entities"]["member"]["features"] == {"version": "version", "unique": ["email", ["team", "shirt"]]}
    assert (
        load(written, functions={"builtins.set": set}).entities["member"].features == schema.entities["member"].features
    )
    assert "member: version in version; unique email, team + shirt" in describe(schema)
