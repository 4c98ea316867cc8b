"""Transactions, batches, deleting by query, and going through pages: order, leftovers, limits, reasons."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import tablewright as tw
from tablewright import ANY, Attr, attr
from tablewright.runtime.flow import Pause, Together, drive
from tablewright.runtime.transports.recorded import Recorded
from tablewright.wire.call import Call
from tablewright.wire.document import to_wire

small = tw.Service("small", table="small")
loud = tw.Service("loud", table=tw.Table("LOUD", pk="PK", sk="SK"))


class Ball(tw.Entity, service=small, name="ball"):
    ball: Attr[str]
    colour: Attr[str] = attr(default="red")

    @tw.primary
    def key(self, ball: str) -> None:
        """One ball."""

    @tw.index("gsi1")
    def by_colour(self, colour: str, *, ball: str = ANY) -> None:
        """By colour."""


class Bell(tw.Entity, service=loud, name="bell"):
    bell: Attr[str]

    @tw.primary
    def key(self, bell: str) -> None:
        """One bell."""


def item(entity: tw.Entity) -> dict[str, Any]:
    stored: dict[str, Any] = entity.put().params()["Item"]
    return stored


def answers(*replies: Any) -> tuple[tw.Database, Recorded]:
    transport = Recorded(replies)
    return tw.Database(transport), transport


def ball(name: str) -> Ball:
    return Ball(ball=name)


def keys(*names: str) -> list[dict[str, str]]:
    return [Ball.key(name).values() for name in names]


# ---- transactions --------------------------------------------------------------------------------------------------


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


# ---- batches -------------------------------------------------------------------------------------------------------


def test_a_batch_of_gets_keeps_the_order_across_tables_and_asks_once() -> None:
    replies = {"small": [item(ball("b")), item(ball("a"))], "LOUD": [item(Bell(bell="y")), item(Bell(bell="x"))]}
    db, sent = answers({"Responses": replies})
    names = [Ball.key("a"), Bell.key("x"), Ball.key("gone"), Bell.key("y"), Ball.key("b"), Ball.key("a")]
    found = db.run(tw.batch_get(*(key.get() for key in names)))
    assert found == [ball("a"), Bell(bell="x"), None, Bell(bell="y"), ball("b"), ball("a")]
    asked = sent.requests[0][1]["RequestItems"]
    assert asked["small"]["Keys"] == keys("a", "gone", "b")
    assert len(asked["LOUD"]["Keys"]) == 2


def test_gets_of_a_batch_have_no_options_of_their_own() -> None:
    for get in (Ball.key("a").get().consistent(), Ball.key("a").get().only("ball")):
        with pytest.raises(tw.RequestError, match=r"batch_get\(...\)\.with_options\(...\)"):
            tw.batch_get(get)
    params = tw.batch_get(Ball.key("a").get()).with_options(consistent=True).params()
    assert params[0]["RequestItems"]["small"]["ConsistentRead"] is True


def test_what_cannot_stand_in_a_batch() -> None:
    wrong: Any = Ball.key("a").patch(Ball.colour.set("x"))
    with pytest.raises(tw.RequestError, match="Update cannot stand in a batch; batches take put and delete"):
        tw.batch_write(wrong)
    with pytest.raises(tw.RequestError, match="cannot stand in a batch of gets"):
        tw.batch_get(wrong)
    for write in (ball("a").put().where(Ball.colour == "x"), ball("a").create(), ball("a").remove()):
        with pytest.raises(tw.RequestError, match=r"batches take no conditions; use transact\(...\)"):
            tw.batch_write(write)


def test_large_batches_are_split() -> None:
    sizes = [
        len(each["RequestItems"]["small"])
        for each in tw.batch_write(*(ball(str(number)).put() for number in range(60))).params()
    ]
    assert sizes == [25, 25, 10]
    gets = tw.batch_get(*(Ball.key(str(number)).get() for number in range(150))).params()
    assert [len(each["RequestItems"]["small"]["Keys"]) for each in gets] == [100, 50]


def test_what_is_left_over_is_sent_again_after_growing_pauses() -> None:
    left = {"small": {"Keys": keys("b")}}
    replies = [
        {"Responses": {"small": [item(ball("a"))]}, "UnprocessedKeys": left},
        {"UnprocessedKeys": left},
        {"Responses": {"small": [item(ball("b"))]}, "UnprocessedKeys": {}},
    ]
    transport, pauses = Recorded(replies), []
    found = drive(tw.batch_get(Ball.key("a").get(), Ball.key("b").get()).flow(), transport.call, sleep=pauses.append)
    assert found == [ball("a"), ball("b")]
    assert [params["RequestItems"]["small"]["Keys"] for _, params in transport.requests] == [
        keys("a", "b"),
        keys("b"),
        keys("b"),
    ]
    assert pauses == sorted(set(pauses))
    assert len(pauses) == 2


@pytest.mark.parametrize(
    ("operation", "reply", "name"),
    [
        (
            tw.batch_write(ball("a").put()),
            {"UnprocessedItems": {"small": [{"DeleteRequest": {"Key": {}}}]}},
            "UnprocessedItems",
        ),
        (tw.batch_get(Ball.key("a").get()), {"UnprocessedKeys": {"small": {"Keys": keys("a")}}}, "UnprocessedKeys"),
    ],
    ids=["write", "get"],
)
def test_patience_ends(operation: Any, reply: Any, name: str) -> None:
    with pytest.raises(tw.ServiceError, match=name) as given_up:
        drive(operation.flow(), Recorded([reply] * 50).call, sleep=lambda _: None)
    assert "small" in given_up.value.details


def test_pauses_and_groups_are_effects() -> None:
    flow = tw.batch_write(*(ball(str(number)).put() for number in range(60))).with_options(concurrent=2).flow()
    first = next(flow)
    assert isinstance(first, Together)
    assert (len(first.calls), first.width) == (2, 2)
    left = msgspec.json.encode({"UnprocessedItems": first.calls[1].params["RequestItems"]})
    second = flow.send([b"{}", left])
    assert isinstance(second, Together)
    assert len(second.calls) == 1
    pause = flow.send([b"{}"])
    assert isinstance(pause, Pause)
    third = flow.send(None)
    assert isinstance(third, Together)
    with pytest.raises(StopIteration):
        flow.send([b"{}"])


# ---- deleting what is found ----------------------------------------------------------------------------------------


def test_deleting_leaves_foreign_items_alone() -> None:
    foreign = {**item(ball("x")), "__edb_e__": "other", "pk": "$small#other_x"}
    db, sent = answers({"Items": [item(ball("a")), foreign]}, {})
    assert db.run(tw.delete_all(Ball.scan())) == 1
    assert sent.requests[1][1]["RequestItems"]["small"] == [{"DeleteRequest": {"Key": keys("a")[0]}}]


def test_deleting_nothing_sends_no_writes() -> None:
    db, sent = answers({"Items": []})
    assert db.run(tw.delete_all(Ball.by_colour("red"))) == 0
    assert [action for action, _ in sent.requests] == ["Query"]


# ---- pages ---------------------------------------------------------------------------------------------------------


def test_iter_goes_through_pages_when_they_are_needed() -> None:
    first, second = item(ball("a")), item(ball("b"))
    last = {name: first[name] for name in ("pk", "sk", "gsi1pk", "gsi1sk")}
    db, sent = answers({"Items": [first], "LastEvaluatedKey": last}, {"Items": [second]})
    found = db.iter(Ball.by_colour("red").limit(1))
    assert sent.calls == []
    assert next(found) == ball("a")
    assert len(sent.calls) == 1
    assert list(found) == [ball("b")]
    assert sent.requests[1][1]["ExclusiveStartKey"] == last
    assert [params["Limit"] for _, params in sent.requests] == [1, 1]


def test_a_cursor_goes_on_where_a_page_ended() -> None:
    first = item(ball("a"))
    last = {name: first[name] for name in ("pk", "sk", "gsi1pk", "gsi1sk")}
    db, sent = answers({"Items": [first], "LastEvaluatedKey": last}, {"Items": []})
    page = db.run(Ball.by_colour("red"))
    assert isinstance(page.cursor, str)
    assert (len(page), list(page)) == (1, [ball("a")])
    assert db.run(Ball.by_colour("red").after(page.cursor)).cursor is None
    assert sent.requests[1][1]["ExclusiveStartKey"] == last
    assert Ball.by_colour("red").after(None) == Ball.by_colour("red")


# ---- flows ---------------------------------------------------------------------------------------------------------


def test_errors_are_thrown_into_the_flow() -> None:
    def forgiving() -> Any:
        try:
            yield Call("GetItem", {})
        except tw.ServiceError as error:
            reply = yield Call("PutItem", {})
            return error.name, reply

    def send(call: Call) -> dict[str, Any]:
        if call.action == "GetItem":
            raise tw.ServiceError("Oops")
        return {"did": call.action}

    assert drive(forgiving(), send) == ("Oops", {"did": "PutItem"})


def test_errors_the_flow_does_not_want_reach_the_caller() -> None:
    db, _ = answers(tw.ConditionFailed("ConditionalCheckFailedException", "no"))
    with pytest.raises(tw.ConditionFailed):
        db.run(ball("a").create())


def test_the_driver_carries_out_every_effect() -> None:
    slept: list[float] = []

    def flow() -> Any:
        one = yield Call("A", {})
        both = yield Together((Call("B", {}), Call("C", {})), 2)
        nothing = yield Pause(0.5)
        return one, both, nothing

    assert drive(flow(), lambda call: {"did": call.action}, sleep=slept.append) == (
        {"did": "A"},
        [{"did": "B"}, {"did": "C"}],
        None,
    )
    assert slept == [0.5]


# ---- options -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"limit": 0}, "option limit is 0, but must be one of: a number of at least 1"),
        ({"limit": True}, "option limit is True"),
        ({"count": 0}, "option count is 0"),
        ({"order": "up"}, "option order is 'up'"),
        ({"compare": "roughly"}, "option compare is 'roughly'"),
        ({"response": "some"}, "option response is 'some'"),
        ({"data": "xml"}, "option data is 'xml'"),
        ({"listeners": [5]}, "option listeners is 5"),
        ({"abort": 5}, "option abort is 5"),
        ({"tabel": "x"}, "unknown option 'tabel'; did you mean 'table'"),
        ({"xyzzy": 1}, "known options: params, table"),
    ],
)
def test_options_are_checked(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(tw.RequestError, match=reason):
        Ball.by_colour("red").with_options(**options)


def test_limits_are_checked_where_they_are_said() -> None:
    with pytest.raises(tw.RequestError, match="option limit is 0"):
        Ball.by_colour("red").limit(0)
    with pytest.raises(tw.RequestError, match="option count is -1"):
        Ball.scan().count(-1)
    with pytest.raises(tw.RequestError, match="option pages is 0"):
        answers()[0].run(Ball.scan().pages(0))


def test_nothing_to_run() -> None:
    with pytest.raises(tw.RequestError, match="nothing to run"):
        tw.transact().go()
