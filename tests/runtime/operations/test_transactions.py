"""Transactions on the engine: all or nothing, reasons tied to members, limits told before anything is sent."""

from __future__ import annotations

from typing import Any

import pytest

import tablewright as tw
from tablewright.engine.simulation.failures import Failure
from tablewright.runtime.transports.recorded import Recorded
from tablewright.wire.document import to_wire
from tests.runtime.operations.test_batches import ONCE, engine_of
from tests.runtime.operations.toys import Ball, Bat, Bell, answers, ball, database, item


def cancelled(db: tw.Database, *writes: Any) -> tw.TransactionCancelled:
    with pytest.raises(tw.TransactionCancelled) as told:
        db.run(tw.transact(*writes))
    return told.value


# ---- writing ---------------------------------------------------------------------------------------------------------


def test_writes_and_checks_across_entities_and_tables() -> None:
    db = database()
    db.run(tw.transact(ball("a").create(), Bell(bell="x").put()))
    db.run(
        tw.transact(
            Ball.key("a").patch(Ball.bounces.add(2)),
            Bell.key("x").check(Bell.tone == "c"),
            Bat(bat="b").create(),
        )
    )
    assert db.run(tw.transact_get(Ball.key("a").get(), Bat.key("b").get(), Bell.key("no").get())) == (
        ball("a", bounces=2),
        Bat(bat="b"),
        None,
    )


def test_reasons_are_tied_to_members_with_the_items_they_met() -> None:
    db = database()
    db.run(tw.transact(ball("a", size=4).put(), Bell(bell="x", tone="d").put()))
    writes = [
        Bat(bat="b").put(),
        Ball.key("a").patch(Ball.note.set("n")).where(Ball.size == 5),
        Bell(bell="x").create(),
    ]
    told = cancelled(db, *writes)
    assert [reason.code for reason in told.reasons] == ["None", "ConditionalCheckFailed", "ConditionalCheckFailed"]
    assert [reason.operation for reason in told.reasons] == writes
    assert [reason.item for reason in told.reasons] == [None, ball("a", size=4), Bell(bell="x", tone="d")]
    assert [reason.entity for reason in told.reasons] == ["bat", "ball", "bell"]
    assert told.message == (
        "TransactionCanceledException: member 2 of 3, ball.patch(ball='a'): ConditionalCheckFailed "
        "(The conditional request failed); 1 more failed: see reasons"
    )
    assert db.run(Bat.scan().total()) == 0


def test_a_condition_on_an_item_that_is_not_there_has_no_item() -> None:
    [reason] = cancelled(database(), Ball.key("a").patch(Ball.bounces.add(1))).reasons
    assert (reason.code, reason.item) == ("ConditionalCheckFailed", None)


def test_somebody_elses_item_is_not_handed_out() -> None:
    db = database()
    stored = {"pk": {"S": "$small#ball_a"}, "sk": {"S": "$ball_1"}, "__edb_e__": {"S": "other"}, "size": {"S": "x"}}
    engine_of(db).call("PutItem", {"TableName": "small", "Item": stored})
    [reason] = cancelled(db, ball("a").create()).reasons
    assert (reason.code, reason.item) == ("ConditionalCheckFailed", None)


def test_conflicts_are_told_with_their_member() -> None:
    db = database(retry=ONCE, conflicts=lambda _table, key: "ball_b" in key["pk"]["S"])
    told = cancelled(db, ball("a").put(), ball("b").put())
    assert "member 2 of 2, ball.put(ball='b'): TransactionConflict" in told.message
    with pytest.raises(
        tw.TransactionCancelled, match=r"member 1 of 1, ball.get\(ball='b'\): TransactionConflict"
    ) as read:
        db.run(tw.transact_get(Ball.key("b").get()))
    assert read.value.reasons[0].operation == Ball.key("b").get()


# ---- tokens ----------------------------------------------------------------------------------------------------------


def test_every_run_has_a_token_of_its_own_unless_the_caller_gives_one() -> None:
    transport = Recorded([{}] * 3)
    db = tw.Database(transport)
    operation = tw.transact(ball("a").put())
    for each in (operation, operation, operation.token("mine")):
        db.run(each)
    tokens = [params["ClientRequestToken"] for _, params in transport.requests]
    assert len(set(tokens)) == 3
    assert tokens[2] == "mine"
    assert all(1 <= len(token) <= 36 for token in tokens)
    assert "ClientRequestToken" not in operation.params()


@pytest.mark.parametrize("token", ["", "x" * 37])
def test_tokens_that_dynamodb_would_refuse(token: str) -> None:
    with pytest.raises(tw.RequestError, match="a token has 1 to 36 characters"):
        tw.transact(ball("a").put()).token(token)


def test_a_transaction_whose_answer_was_lost_is_made_once() -> None:
    answers = iter([Failure("InternalServerError", after=True), None])
    db = database(failures=lambda action, _params: next(answers) if action == "TransactWriteItems" else None)
    db.run(ball("a").put())
    db.run(tw.transact(Ball.key("a").patch(Ball.bounces.add(1))))
    assert db.run(Ball.key("a").get()) == ball("a", bounces=1)


# ---- limits ----------------------------------------------------------------------------------------------------------


def test_two_members_for_one_item_are_named() -> None:
    db = tw.Database(Recorded())
    with pytest.raises(tw.RequestError) as refused:
        db.run(tw.transact(ball("a").put(), Bell(bell="a").put(), Ball.key("a").check(Ball.size == 1)))
    told = "member 1 of 3, ball.put(ball='a') and member 3 of 3, ball.check(ball='a') mean the same one"
    assert told in refused.value.message
    with pytest.raises(tw.RequestError, match=r"member 2 of 2, ball.get\(ball='a'\) mean the same one"):
        db.run(tw.transact_get(Ball.key("a").get(), Ball.key("a").get()))
    with pytest.raises(tw.RequestError, match="Put cannot stand in a transaction of gets"):
        tw.transact_get(ball("a").put())  # type: ignore[call-overload]


def test_members_in_other_tables_are_other_items() -> None:
    transport = Recorded([{}])
    tw.Database(transport).run(tw.transact(ball("a").put(), ball("a").put().with_options(table="other")))
    assert len(transport.calls) == 1


def test_sizes_are_checked_with_the_member_named() -> None:
    db = tw.Database(Recorded())
    with pytest.raises(tw.RequestError, match=r"member 2 of 2, ball.create\(ball='b'\) is 488 KB large"):
        db.run(tw.transact(ball("a").put(), ball("b", note="x" * 500_000).create()))
    many = [ball(number, note="x" * 300_000).put() for number in range(14)]
    with pytest.raises(tw.RequestError, match=r"at most 4096 KB, not 4103; split it \(the largest is member 11 of 14"):
        db.run(tw.transact(*many))


def test_empty_transactions_send_nothing() -> None:
    db = tw.Database(Recorded())
    assert db.run(tw.transact()) is None
    assert db.run(tw.transact_get()) == ()


# ---- single writes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "write",
    [
        ball("a").create(),
        Ball.key("a").patch(Ball.bounces.add(1)).where(Ball.size == 9),
        ball("a").upsert().where(Ball.size == 9),
        Ball.key("a").delete().where(Ball.size == 9),
    ],
    ids=["put", "update", "upsert", "delete"],
)
def test_a_failed_condition_carries_the_item_when_it_was_asked_for(write: Any) -> None:
    db = database()
    db.run(ball("a", size=4).put())
    with pytest.raises(tw.ConditionFailed) as failed:
        db.run(write)
    assert failed.value.item is None
    with pytest.raises(tw.ConditionFailed) as failed:
        db.run(write.with_options(return_on_condition_check_failure="all_old"))
    assert failed.value.item == ball("a", size=4)


# ---- requests and answers --------------------------------------------------------------------------------------------


def test_a_cancelled_transaction_tells_why_for_each_member() -> None:
    stored = to_wire({"Item": item(ball("b"))})["Item"]
    details = {
        "CancellationReasons": [
            {"Code": "None"},
            {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed", "Item": stored},
        ]
    }
    error = tw.TransactionCancelled("TransactionCanceledException", "cancelled", details=details)
    db, _ = answers(error)
    with pytest.raises(tw.TransactionCancelled) as cancelled:
        db.run(tw.transact(Bell(bell="x").put(), ball("b").create()))
    assert [reason.code for reason in cancelled.value.reasons] == ["None", "ConditionalCheckFailed"]
    assert [reason.item for reason in cancelled.value.reasons] == [None, ball("b")]


def test_every_kind_of_write_may_stand_in_a_transaction() -> None:
    operation = tw.transact(
        ball("a").put(),
        ball("b").upsert(),
        Ball.key("c").patch(Ball.colour.set("blue")).composite(),
        Ball.key("d").delete(),
        Ball.key("e").check(Ball.colour == "red"),
    ).token("once")
    params = operation.params()
    assert [next(iter(each)) for each in params["TransactItems"]] == [
        "Put",
        "Update",
        "Update",
        "Delete",
        "ConditionCheck",
    ]
    assert params["ClientRequestToken"] == "once"


def test_what_cannot_stand_in_a_transaction() -> None:
    with pytest.raises(tw.RequestError, match="Get cannot stand in a write transaction"):
        tw.transact(Ball.key("a").get())
    for many in (lambda: tw.transact(*[ball("a").put()] * 101), lambda: tw.transact_get(*[Ball.key("a").get()] * 101)):
        with pytest.raises(tw.RequestError, match="at most 100 members, not 101; split it"):
            many()
    assert len(tw.transact(*[ball("a").put()] * 100).params()["TransactItems"]) == 100


def test_a_snapshot_keeps_the_order_and_tells_what_is_missing() -> None:
    db, sent = answers({"Responses": [{"Item": item(ball("b"))}, {}, {"Item": item(Bell(bell="x"))}]})
    found = db.run(tw.transact_get(Ball.key("b").get(), Ball.key("gone").get(), Bell.key("x").get()))
    assert found == (ball("b"), None, Bell(bell="x"))
    assert [each["Get"]["TableName"] for each in sent.requests[0][1]["TransactItems"]] == ["small", "small", "LOUD"]


def test_a_snapshot_is_consistent_without_being_told() -> None:
    [member] = tw.transact_get(Ball.key("b").get().consistent().only(Ball.colour)).params()["TransactItems"]
    assert "ConsistentRead" not in member["Get"]
    assert "colour" in member["Get"]["ExpressionAttributeNames"].values()
