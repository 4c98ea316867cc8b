"""Batches on the engine: across tables, in order, sent again, and told exactly when they cannot be finished."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright.engine.simulation import Instruments
from tablewright.engine.simulation.failures import Failure
from tablewright.runtime.backoff import Retry
from tablewright.runtime.flow import Pause, Together, drive
from tablewright.runtime.requests.batch_retry import PATIENCE
from tablewright.runtime.transports.embedded import Embedded
from tablewright.runtime.transports.recorded import Recorded
from tests.runtime.operations.toys import Ball, Bat, Bell, answers, ball, balls, database, item, keys, names

ONCE = Retry(attempts=1)


def failing(at: int, name: str, *, after: bool = False) -> Any:
    """Let the nth batch fail."""
    seen = 0

    def fails(action: str, _params: Any) -> Failure | None:
        nonlocal seen
        seen += action.startswith("Batch")
        return Failure(name, after) if seen == at and action.startswith("Batch") else None

    return fails


# ---- what is there and what is missing -------------------------------------------------------------------------------


def test_writes_and_gets_cross_entities_and_tables() -> None:
    db = database()
    db.run(tw.batch_write(*(each.put() for each in balls(60)), Bat(bat="b").put(), Bell(bell="x").put()))
    found = db.run(tw.batch_get(Bell.key("x").get(), Bat.key("b").get(), Ball.key("0059").get(), Ball.key("no").get()))
    assert found == [Bell(bell="x"), Bat(bat="b"), ball("0059"), None]
    db.run(tw.batch_write(Bell.key("x").delete(), ball("new").put()))
    assert db.run(tw.batch_get(Bell.key("x").get(), Ball.key("new").get())) == [None, ball("new")]


@settings(max_examples=25)
@given(st.lists(st.integers(0, 30), max_size=250), st.integers(1, 5))
def test_gets_come_in_the_order_asked_and_are_asked_once(asked: list[int], concurrent: int) -> None:
    db = database()
    db.run(tw.batch_write(*(ball(number).put() for number in range(20))))
    gets = tw.batch_get(*(Ball.key(str(number)).get() for number in asked)).with_options(concurrent=concurrent)
    assert names(db.run(gets)) == [str(number) if number < 20 else None for number in asked]


def test_projections_name_the_fields_of_all_entities() -> None:
    db = database()
    db.run(tw.batch_write(ball("a", note="mine").put(), Bat(bat="b", wood="oak", size=3).put()))
    gets = tw.batch_get(Ball.key("a").get(), Bat.key("b").get()).with_options(
        attributes=("note", "wood"), consistent=True
    )
    one, other = db.run(gets)
    assert (one.note, other.wood) == ("mine", "oak")
    with pytest.raises(AttributeError, match=r"Bat.size has no value on this item: it was not read \(see only"):
        print(other.size)


def test_a_write_may_name_its_table() -> None:
    [request] = tw.batch_write(ball("a").put().with_options(table="other"), ball("a").put()).params()
    assert {table: len(held) for table, held in request["RequestItems"].items()} == {"other": 1, "small": 1}


@pytest.mark.parametrize("write", [ball("a").put().returning("all_old"), ball("a").put().with_options(limit=3)])
def test_options_that_a_batch_cannot_keep_are_refused(write: Any) -> None:
    with pytest.raises(tw.RequestError, match=r"ball.put\(ball='a'\): the writes of a batch answer nothing"):
        tw.batch_write(write)


def test_two_writes_of_one_item_are_refused_with_both_names() -> None:
    with pytest.raises(tw.RequestError) as refused:
        tw.batch_write(ball("a").put(), ball("b").put(), Ball.key("a").delete())
    assert "member 1 of 3, ball.put(ball='a') and member 3 of 3, ball.delete(ball='a')" in str(refused.value)


# ---- sizes -----------------------------------------------------------------------------------------------------------


def test_an_item_that_is_too_large_is_named_before_anything_is_sent() -> None:
    db = database()
    writes = [ball("small").put(), ball("large", note="x" * 500_000).put()]
    with pytest.raises(tw.RequestError, match=r"member 2 of 2, ball.put\(ball='large'\) is 488 KB large"):
        db.run(tw.batch_write(*writes))
    assert db.run(Ball.scan().total()) == 0


def test_requests_are_split_by_size_where_the_text_is_large() -> None:
    """Control characters take six bytes of text for one that is stored: 25 items of 200 KB are 30 MB on their way."""
    writes = [ball(number, note="\x01" * 200_000).put() for number in range(25)]
    first = next(tw.batch_write(*writes).with_options(concurrent=9).flow())
    assert isinstance(first, Together)
    assert [len(call.params["RequestItems"]["small"]) for call in first.calls] == [12, 13]


def test_large_answers_come_in_several_rounds_without_losing_patience() -> None:
    db = database()
    large = [ball(number, note="x" * 390_000) for number in range(100)]
    assert db.write_all((each.put() for each in large), concurrent=1).writes == 100
    seen: list[float] = []
    db.sleep = seen.append
    found = db.run(tw.batch_get(*(each.key.get() for each in large)))
    assert [item and item.ball for item in found] == [each.ball for each in large]
    assert len(seen) > PATIENCE  # DynamoDB hands back what exceeds 1 MB of a partition, or 16 MB of all
    assert max(seen) <= 0.05


# ---- what is left over -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("concurrent", [1, 4])
def test_what_is_left_over_is_sent_again(concurrent: int) -> None:
    db = database(unprocessed=3)
    db.run(tw.batch_write(*(each.put() for each in balls(120))).with_options(concurrent=concurrent))
    gets = tw.batch_get(*(each.key.get() for each in balls(120))).with_options(concurrent=concurrent)
    assert db.run(gets) == balls(120)


def stubborn(table: str, item: Any) -> bool:
    """These are never taken."""
    return table == "small" and "ball_0007" in item["pk"]["S"]


def test_what_did_not_make_it_is_told_exactly_and_can_be_run_again() -> None:
    db = database(unprocessed=stubborn)
    writes = [*(each.put() for each in balls(30)), Bell(bell="x").put()]
    with pytest.raises(tw.Incomplete) as told:
        db.run(tw.batch_write(*writes))
    assert told.value.undone == (writes[7],)
    assert (told.value.done, told.value.unknown, told.value.__cause__) == (30, (), None)
    assert "30 of 31 members of a batch were done, 1 were not (ball.put(ball='0007') first)" in str(told.value)
    assert db.run(Ball.scan().total()) == 29
    engine_of(db).instruments = None
    db.run(tw.batch_write(*told.value.undone))
    assert db.run(Ball.scan().total()) == 30


def engine_of(db: tw.Database) -> Any:
    assert isinstance(db.transport, Embedded)
    return db.transport.engine


def test_what_could_not_be_read_is_told_with_what_could() -> None:
    db = database()
    db.run(tw.batch_write(*(each.put() for each in balls(10))))
    engine_of(db).instruments = Instruments(unprocessed=stubborn)
    gets = [Ball.key(name).get() for name in ("0006", "0007", "none", "0007", "0008")]
    with pytest.raises(tw.Incomplete, match="UnprocessedKeys: 3 of 4") as told:
        db.run(tw.batch_get(*gets))
    assert names(told.value.found) == ["0006", None, None, None, "0008"]
    assert [get.composites for get in told.value.undone] == [{"ball": "0007"}]


# ---- errors midway ---------------------------------------------------------------------------------------------------


def test_a_refusal_midway_tells_what_was_done_and_what_was_not() -> None:
    db = database(retry=ONCE, failures=failing(3, "ThrottlingException"))
    writes = [each.put() for each in balls(100)]
    with pytest.raises(tw.Incomplete) as told:
        db.run(tw.batch_write(*writes))
    assert isinstance(told.value.__cause__, tw.Throttled)
    assert told.value.done == 50
    assert told.value.undone == tuple(writes[50:])
    assert db.run(Ball.scan().total()) == 50


def test_a_lost_answer_midway_tells_what_is_unknown() -> None:
    db = database(retry=ONCE, failures=failing(2, "InternalServerError", after=True))
    writes = [each.put() for each in balls(100)]
    with pytest.raises(tw.Incomplete) as told:
        db.run(tw.batch_write(*writes))
    assert isinstance(told.value.__cause__, tw.OutcomeUnknown)
    assert told.value.done == 25
    assert told.value.unknown == tuple(writes[25:50])
    assert told.value.undone == tuple(writes[50:])
    db.run(tw.batch_write(*told.value.unknown, *told.value.undone))
    assert db.run(Ball.scan().total()) == 100


def test_one_failure_does_not_hide_what_became_of_those_beside_it() -> None:
    db = database(retry=ONCE, failures=failing(2, "ThrottlingException"))
    with pytest.raises(tw.Incomplete) as told:
        db.run(tw.batch_write(*(each.put() for each in balls(100))).with_options(concurrent=4))
    assert (told.value.done, len(told.value.undone)) == (75, 25)
    assert db.run(Ball.scan().total()) == 75


def test_when_nothing_was_done_the_error_is_itself() -> None:
    db = database(retry=ONCE, failures=failing(1, "ThrottlingException"))
    with pytest.raises(tw.Throttled):
        db.run(tw.batch_write(*(each.put() for each in balls(100))))
    with pytest.raises(tw.ServiceError, match="ResourceNotFoundException") as missing:
        db.run(tw.batch_get(ball("a").key.get()).with_options(table="nowhere"))
    assert not isinstance(missing.value, tw.Incomplete)


def test_a_batch_can_be_called_off() -> None:
    class Third:
        asked = 0

        def is_set(self) -> bool:
            self.asked += 1
            return self.asked >= 3

    db = database()
    with pytest.raises(tw.Incomplete) as told:
        db.run(tw.batch_write(*(each.put() for each in balls(100))).with_options(abort=Third()))
    assert isinstance(told.value.__cause__, tw.Aborted)
    assert (told.value.done, len(told.value.undone)) == (50, 50)


# ---- pauses ----------------------------------------------------------------------------------------------------------


def test_pauses_have_full_jitter_below_a_bound_that_doubles_while_nothing_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import random

    monkeypatch.setattr(random, "random", lambda: 1.0)
    left = {"UnprocessedKeys": {"small": {"Keys": [ball("a").key.values()]}}}
    slept: list[float] = []
    with pytest.raises(tw.Incomplete):
        drive(tw.batch_get(ball("a").key.get()).flow(), Recorded([left] * 50).call, sleep=slept.append)
    assert slept == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0]


# ---- requests and answers --------------------------------------------------------------------------------------------


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
