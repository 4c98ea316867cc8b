"""Drivers: calls side by side, context variables, pauses."""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from typing import Any

import pytest

from tablewright.errors import service_error
from tablewright.runtime.flow import Flow, Pause, Together, adrive, drive
from tablewright.runtime.threads import crew_of
from tablewright.wire.call import Call

NO = service_error("ValidationException", "no")


def calls(count: int) -> tuple[Call, ...]:
    return tuple(Call("GetItem", {"n": number}) for number in range(count))


def together(count: int, width: int) -> Flow[Any]:
    return (yield Together(calls(count), width))


class Gate:
    """Answers with the call's number, remembers how many calls were inside at once, fails on number 3."""

    def __init__(self, width: int) -> None:
        self.inside = self.most = 0
        self.lock = threading.Lock()
        self.meeting = threading.Barrier(width)

    def enter(self) -> None:
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)

    def leave(self, call: Call) -> bytes:
        with self.lock:
            self.inside -= 1
        if call.params["n"] == 3:
            raise NO
        return str(call.params["n"]).encode()

    def send(self, call: Call) -> bytes:
        self.enter()
        self.meeting.wait(5)  # goes on only when as many calls as are allowed are here
        return self.leave(call)

    async def asend(self, call: Call) -> bytes:
        self.enter()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return self.leave(call)


ANSWERS = [b"0", b"1", b"2", NO, b"4", b"5", b"6", b"7"]


def test_threads_are_as_many_as_allowed() -> None:
    gate = Gate(4)
    assert drive(together(8, 4), gate.send) == ANSWERS
    assert gate.most == 4


def test_tasks_are_as_many_as_allowed() -> None:
    gate = Gate(1)
    assert asyncio.run(adrive(together(8, 4), gate.asend)) == ANSWERS
    assert gate.most == 4


def test_one_at_a_time_needs_no_threads() -> None:
    threads: set[int] = set()

    def send(_: Call) -> bytes:
        threads.add(threading.get_ident())
        return b"{}"

    drive(together(5, 1), send)
    assert threads == {threading.get_ident()}


def test_threads_see_the_callers_context_and_cannot_change_it() -> None:
    request = contextvars.ContextVar("request", default="none")
    seen: list[str] = []
    meeting = threading.Barrier(3)

    def send(_: Call) -> bytes:
        meeting.wait(5)
        seen.append(request.get())
        request.set("changed")
        return b"{}"

    token = request.set("r1")
    drive(together(3, 3), send)
    assert seen == ["r1"] * 3
    assert request.get() == "r1"
    request.reset(token)


def pausing() -> Flow[str]:
    yield Pause(1.5)
    return "done"


def test_pauses_can_be_slept_otherwise() -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    assert drive(pausing(), lambda _: b"", sleep=slept.append) == "done"

    async def run() -> str:
        async def send(_: Call) -> bytes:
            return b""

        return await adrive(pausing(), send, sleep=sleep)

    assert asyncio.run(run()) == "done"
    assert slept == [1.5, 1.5]


def test_a_failed_call_is_thrown_into_the_flow() -> None:
    def flow() -> Flow[str]:
        try:
            yield Call("GetItem", {"n": 3})
        except type(NO) as error:
            return error.name
        pytest.fail("the failure did not arrive")

    assert drive(flow(), Gate(1).send) == "ValidationException"


def test_threads_are_used_again() -> None:
    threads: set[int] = set()
    meeting = threading.Barrier(3)

    def send(_: Call) -> bytes:
        meeting.wait(5)
        threads.add(threading.get_ident())
        return b"{}"

    for _ in range(5):
        drive(together(3, 3), send)
    assert len(threads) == 3


def test_effects_of_several_threads_do_not_wait_for_each_other() -> None:
    meeting = threading.Barrier(4)  # two callers with two calls each: all four must be under way at once

    def send(_: Call) -> bytes:
        meeting.wait(5)
        return b"{}"

    callers = [threading.Thread(target=drive, args=(together(2, 2), send)) for _ in range(2)]
    for each in callers:
        each.start()
    for each in callers:
        each.join(10)
    assert not meeting.broken
    assert meeting.n_waiting == 0


def test_threads_of_a_caller_who_breaks_off_are_let_go() -> None:
    with pytest.raises(KeyboardInterrupt), crew_of(2) as crew:
        raise KeyboardInterrupt
    with pytest.raises(RuntimeError, match="shutdown"):
        crew.submit(print)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    drive(together(3, 3), lambda _: b"{}")
    child = os.fork()
    if child == 0:
        os._exit(0 if drive(together(3, 3), lambda _: b"{}") == [b"{}"] * 3 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
