"""Deleting what a query, a scan or a collection finds."""

from __future__ import annotations

from typing import Any

import pytest

import tablewright as tw
from tablewright.engine.simulation import Instruments
from tests.runtime.operations.test_batches import engine_of, stubborn
from tests.runtime.operations.toys import Ball, Bat, answers, ball, balls, database, item, keys


def test_deleting_what_is_found_and_what_stays() -> None:
    db = database()
    db.run(tw.batch_write(*(each.put() for each in balls(40)), Bat(bat="b").put()))
    engine_of(db).instruments = Instruments(unprocessed=stubborn)
    operation = tw.delete_all(Ball.by_colour("red").limit(15)).with_options(concurrent=2)
    with pytest.raises(tw.Incomplete, match="14 items were deleted, 1 of those found were not") as told:
        db.run(operation)
    assert told.value.undone == (operation,)
    engine_of(db).instruments = None
    assert db.run(operation) == 26
    assert (db.run(Ball.scan().total()), db.run(Bat.scan().total())) == (0, 1)


def test_deleting_leaves_foreign_items_alone() -> None:
    foreign = {**item(ball("x")), "__edb_e__": "other", "pk": "$small#other_x"}
    db, sent = answers({"Items": [item(ball("a")), foreign]}, {})
    assert db.run(tw.delete_all(Ball.scan())) == 1
    assert sent.requests[1][1]["RequestItems"]["small"] == [{"DeleteRequest": {"Key": keys("a")[0]}}]


def test_deleting_nothing_sends_no_writes() -> None:
    db, sent = answers({"Items": []})
    assert db.run(tw.delete_all(Ball.by_colour("red"))) == 0
    assert [action for action, _ in sent.requests] == ["Query"]


@pytest.mark.parametrize("found", [Ball.key("a"), Ball.key("a").get(), Ball.key("a").delete(), Ball, "ball", None])
def test_deleting_what_finds_nothing_is_refused(found: Any) -> None:
    with pytest.raises(tw.RequestError, match=r"delete_all\(...\) takes a query, a scan or a collection.*\.delete\(\)"):
        tw.delete_all(found)
