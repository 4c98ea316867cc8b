"""Each fault alone, for each kind of request: the answer, or the truth about not knowing it."""

from __future__ import annotations

from typing import Any

import pytest

import tablewright as tw
from tablewright.engine import Engine
from tests.faults.conftest import PATIENT, SHORT_SECONDS, WAYS, Troubled, through
from tests.faults.proxy import Fault, FaultProxy, quiet, script
from tests.scenarios.museum import Exhibit, Tour, at, exhibit

SEVEN = Exhibit.key("Uffizi", number=7)
NINE = Tour.key("Uffizi", begins=at(9))
TOUR = Tour(house="Uffizi", begins=at(9), guests=1)

OPERATIONS: dict[str, Any] = {
    "get": NINE.get(),
    "query": Tour.program("Uffizi"),
    "put": exhibit(7).put(),
    "delete": NINE.delete(),
    "assignment": NINE.patch(Tour.guests.set(2)),
    "counter": NINE.patch(Tour.guests.add(1)),
    "create": exhibit(7).create(),
    "transaction": tw.transact(NINE.patch(Tour.guests.add(1)), exhibit(7).create()),
    "batch": tw.batch_write(exhibit(7).put(), exhibit(8).put()),
}
MADE_BY = {
    Fault.DROP_AFTER,
    Fault.RESET_AFTER,
    Fault.HALF_HEAD,
    Fault.HALF_BODY,
    Fault.ERROR_AFTER,
    Fault.SLOW_AFTER,
    Fault.WRONG_CRC,
}
"""The server carries the request out, and the client cannot see it."""
IN_DOUBT = MADE_BY | {Fault.DROP_BEFORE, Fault.ERROR_BEFORE, Fault.UNAVAILABLE, Fault.SLOW_BEFORE}
"""The client cannot see whether the server carried the request out."""


def is_unknown(name: str, fault: Fault) -> bool:
    """A counter is not sent twice; a second create that is refused says nothing about the first."""
    return (name == "counter" and fault in IN_DOUBT) or (name == "create" and fault in MADE_BY)


SLOW = (Fault.SLOW_BEFORE, Fault.SLOW_AFTER)


@pytest.mark.parametrize("fault", [fault for fault in Fault if fault not in SLOW])
@pytest.mark.parametrize("name", OPERATIONS)
def test_one_fault(troubled: Troubled, name: str, fault: Fault) -> None:
    check_outcome(troubled, name, fault)


ALIKE = ("query", "delete", "assignment", "batch")
"""Each is treated as another one is; a test that waits for the end of its patience takes its time."""


@pytest.mark.parametrize("fault", SLOW)
@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=pytest.mark.slow if each in ALIKE else ()) for each in OPERATIONS]
)
def test_one_answer_that_does_not_come(hasty: Troubled, name: str, fault: Fault) -> None:
    check_outcome(hasty, name, fault)


def check_outcome(troubled: Troubled, name: str, fault: Fault) -> None:
    troubled.truth.run(TOUR.put())
    troubled.run(NINE.get())  # so that a connection is in the pool
    troubled.proxy.plan = script(fault)
    if is_unknown(name, fault):
        with pytest.raises(tw.OutcomeUnknown):
            troubled.run(OPERATIONS[name])
    else:
        troubled.run(OPERATIONS[name])
    check_effect(troubled, name, made=not is_unknown(name, fault) or fault in MADE_BY)
    troubled.proxy.plan = quiet
    assert troubled.run(Tour.scan()).items == troubled.truth.run(Tour.scan()).items


def check_effect(troubled: Troubled, name: str, *, made: bool) -> None:
    """What the table holds now: the write once, or not at all."""
    tour, seven = troubled.truth.run(NINE.get()), troubled.truth.run(SEVEN.get())
    guests = 0 if tour is None else tour.guests
    if name in ("put", "create", "batch", "transaction"):
        assert (seven is not None) == made
    if name in ("counter", "assignment", "transaction"):
        assert guests == (2 if made else 1)
    if name == "delete":
        assert (tour is None) == made


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_connection_that_was_closed_while_idle_is_nobodys_trouble(troubled: Troubled, name: str) -> None:
    """Not even where the event loop stood still and could not notice: what cannot be repeated was never sent."""
    troubled.truth.run(TOUR.put())
    troubled.run.together([NINE.get()] * 8)
    troubled.proxy.hang_up()
    troubled.run(OPERATIONS[name])
    check_effect(troubled, name, made=True)


def test_patience_ends(troubled: Troubled) -> None:
    troubled.truth.run(TOUR.put())
    ends = {
        Fault.DROP_BEFORE: tw.ConnectionFailed,
        Fault.THROTTLE: tw.Throttled,
        Fault.ERROR_BEFORE: tw.ServiceError,
        Fault.HALF_BODY: tw.TransportError,
        Fault.WRONG_CRC: tw.TransportError,
    }
    for fault, kind in ends.items():
        before = troubled.proxy.asked["GetItem"]
        troubled.proxy.plan = lambda _, fault=fault: fault
        with pytest.raises(kind):
            troubled.run(NINE.get())
        assert troubled.proxy.asked["GetItem"] - before == PATIENT.attempts, fault
    troubled.proxy.plan = quiet
    assert troubled.run(NINE.get()) == TOUR


@pytest.mark.parametrize("way", WAYS)
def test_patience_with_somebody_who_says_nothing_ends_too(
    proxy_and_engine: tuple[FaultProxy, Engine], way: str
) -> None:
    with through(way, *proxy_and_engine, SHORT_SECONDS, tw.Retry(attempts=2, base_seconds=0)) as hasty:
        hasty.proxy.plan = lambda _: Fault.SLOW_BEFORE
        with pytest.raises(tw.TimedOut):
            hasty.run(NINE.get())
        assert hasty.proxy.asked["GetItem"] == 2


def test_a_write_that_was_refused_every_time_is_known_not_to_be_made(troubled: Troubled) -> None:
    troubled.proxy.plan = lambda _: Fault.THROTTLE
    with pytest.raises(tw.Throttled):
        troubled.run(exhibit(7).create())
    assert troubled.truth.run(SEVEN.get()) is None


def test_a_write_that_fails_after_doubt_is_unknown(troubled: Troubled) -> None:
    troubled.proxy.plan = script(Fault.DROP_AFTER, *[Fault.THROTTLE] * 10)
    with pytest.raises(tw.OutcomeUnknown):
        troubled.run(exhibit(7).put())
    assert troubled.proxy.passed["PutItem"] == 1
