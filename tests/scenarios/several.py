"""Batches, transactions, and operations that run at the same time."""

from __future__ import annotations

from typing import Any

import pytest

import tablewright as tw
from tests.scenarios.museum import Exhibit, Talk, Tour, at, exhibit, full_exhibit
from tests.scenarios.ways import Run


def key(number: int) -> Any:
    return Exhibit.key("Uffizi", number=number)


def numbers(found: Any) -> list[int | None]:
    return [each and each.number for each in found]


def a_batch_of_writes_over_its_chunks(run: Run) -> None:
    run(tw.batch_write(*(exhibit(number).put() for number in range(1, 61))))
    assert numbers(run(Exhibit.in_house("Uffizi"))) == list(range(1, 61))
    deletes = (key(number).delete() for number in range(1, 31))
    run(tw.batch_write(*deletes, full_exhibit(number=70).put(), Tour(house="Uffizi", begins=at(1)).put()))
    assert numbers(run(Exhibit.in_house("Uffizi"))) == [*range(31, 61), 70]
    assert run(key(70).get()) == full_exhibit(number=70)
    assert len(run(Tour.program("Uffizi"))) == 1


def a_batch_of_gets_in_the_order_asked_for(run: Run) -> None:
    run(tw.batch_write(*(exhibit(number).put() for number in range(1, 121))))
    asked = [120, 500, *range(1, 111), 120, 7]
    found = run(tw.batch_get(*(key(number).get() for number in asked)))
    assert numbers(found) == [120, None, *range(1, 111), 120, 7]


def a_batch_of_gets_of_several_entities(run: Run) -> None:
    talk = Talk(house="Uffizi", begins=at(9), speaker="Ada")
    run(tw.batch_write(full_exhibit().put(), talk.put()))
    gets: list[Any] = [Talk.key("Ada", begins=at(9)).get(), key(8).get(), key(7).get()]
    assert run(tw.batch_get(*gets)) == [talk, None, full_exhibit()]


def batches_at_once(run: Run) -> None:
    run(tw.batch_write(*(exhibit(number).put() for number in range(1, 131))).with_options(concurrent=4))
    gets = tw.batch_get(*(key(number).get() for number in range(1, 131))).with_options(concurrent=2)
    assert numbers(run(gets)) == list(range(1, 131))


def streams_of_writes_and_gets(run: Run) -> None:
    written = run.write_all(exhibit(number).put() for number in range(1, 61))
    assert (written.writes, written.requests) == (60, 3)
    run.write_all([key(1).delete(), exhibit(1, title="again").put()])  # in this order
    found = run.get_all(key(number).get() for number in (60, 61, *range(1, 60)))
    assert numbers(found) == [60, None, *range(1, 60)]
    assert found[2] == exhibit(1, title="again")


def empty_batches_are_done_already(run: Run) -> None:
    assert run(tw.batch_write()) is None
    assert run(tw.batch_get()) == []


def a_transaction_writes_everything(run: Run) -> None:
    run(tw.batch_write(exhibit(1, views=1).put(), exhibit(2).put(), exhibit(3, shown=True).put()))
    run(
        tw.transact(
            key(1).patch(Exhibit.notes.append("moved")).where(Exhibit.views == 1),
            key(2).remove(),
            key(3).check(Exhibit.shown == True),  # noqa: E712 - a condition
            exhibit(4).create(),
            full_exhibit(number=5).put(),
        )
    )
    found = run(tw.batch_get(*(key(number).get() for number in (1, 2, 3, 4, 5))))
    assert numbers(found) == [1, None, 3, 4, 5]
    assert found[0] is not None
    assert found[0].notes == ["moved"]
    assert found[4] == full_exhibit(number=5)


def a_transaction_writes_everything_or_nothing(run: Run) -> None:
    run(exhibit(1, views=1).put())
    with pytest.raises(tw.TransactionCancelled) as cancelled:
        run(
            tw.transact(
                exhibit(2).put(),
                key(1).patch(Exhibit.notes.append("x")).where(Exhibit.views == 5).returning("all_old"),
                exhibit(3).create(),
            )
        )
    reasons = cancelled.value.reasons
    assert [reason.code for reason in reasons] == ["None", "ConditionalCheckFailed", "None"]
    assert reasons[1].item == exhibit(1, views=1)
    assert numbers(run(Exhibit.in_house("Uffizi"))) == [1]


def a_transaction_with_a_token_happens_once(run: Run) -> None:
    run(Tour(house="Uffizi", begins=at(9)).put())
    more = tw.transact(Tour.key("Uffizi", begins=at(9)).patch(Tour.guests.add(1))).token("token-1")
    run(more)
    run(more)
    assert [tour.guests for tour in run(Tour.program("Uffizi"))] == [1]


def a_token_is_for_one_transaction(run: Run) -> None:
    run(tw.transact(exhibit(1).put()).token("token-1"))
    with pytest.raises(tw.ServiceError) as failed:
        run(tw.transact(exhibit(2).put()).token("token-1"))
    assert failed.value.name == "IdempotentParameterMismatchException"


def items_as_they_are_at_one_moment(run: Run) -> None:
    tour = Tour(house="Uffizi", begins=at(9))
    run(tw.transact(full_exhibit().put(), tour.put()))
    found = run(tw.transact_get(key(7).get(), key(8).get(), Tour.key("Uffizi", begins=at(9)).get()))
    assert found == (full_exhibit(), None, tour)


def counting_at_the_same_time(run: Run) -> None:
    run(Tour(house="Uffizi", begins=at(9)).put())
    more = Tour.key("Uffizi", begins=at(9)).patch(Tour.guests.add(1))
    run.together([more] * 40)
    assert [tour.guests for tour in run(Tour.program("Uffizi"))] == [40]


def only_one_creates(run: Run) -> None:
    def created(number: int) -> Any:
        return Outcome(exhibit(7, views=number).create())

    outcomes = run.together([created(number) for number in range(1, 21)])
    assert sorted(outcomes) == ["ConditionalCheckFailedException"] * 19 + ["done"]
    found = run(key(7).get())
    assert found is not None
    assert outcomes[found.views - 1] == "done"


class Outcome:
    """An operation whose failure is its result, so that others beside it go on."""

    def __init__(self, operation: Any) -> None:
        self.operation = operation

    def params(self) -> Any:
        return self.operation.params()

    def flow(self) -> Any:
        try:
            yield from self.operation.flow()
        except tw.ServiceError as error:
            return error.name
        return "done"


def reading_at_the_same_time(run: Run) -> None:
    run(tw.batch_write(*(exhibit(number).put() for number in range(1, 51))))
    found = run.together([key(number).get() for number in range(1, 51)])
    assert numbers(found) == list(range(1, 51))
