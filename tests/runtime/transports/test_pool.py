from __future__ import annotations

import threading

import pytest

from tablewright.runtime.transports.pool import Forks, Pool


class Line:
    """A connection that only remembers what became of it."""

    def __init__(self) -> None:
        self.idle_since = 0.0
        self.is_stale = False
        self.closed = False

    def close(self) -> None:
        self.closed = True


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_last_used_goes_first() -> None:
    pool: Pool[Line] = Pool()
    first, second = Line(), Line()
    pool.give(first)
    pool.give(second)
    assert pool.take() is second
    assert pool.take() is first
    assert pool.take() is None


def test_no_more_than_its_size_are_kept() -> None:
    pool: Pool[Line] = Pool(2)
    lines = [Line() for _ in range(3)]
    for line in lines:
        pool.give(line)
    assert len(pool) == 2
    assert [line.closed for line in lines] == [False, False, True]


def test_what_waited_too_long_is_closed() -> None:
    clock = Clock()
    pool: Pool[Line] = Pool(idle_seconds=10, clock=clock)
    old, young = Line(), Line()
    pool.give(old)
    clock.now = 5
    pool.give(young)
    clock.now = 12
    assert pool.take() is young
    assert pool.take() is None
    assert old.closed


def test_when_the_youngest_is_too_old_all_are() -> None:
    clock = Clock()
    pool: Pool[Line] = Pool(idle_seconds=10, clock=clock)
    lines = [Line(), Line()]
    for line in lines:
        pool.give(line)
    clock.now = 11
    assert pool.take() is None
    assert all(line.closed for line in lines)
    assert len(pool) == 0


def test_what_the_other_side_closed_is_not_used() -> None:
    pool: Pool[Line] = Pool()
    good, stale = Line(), Line()
    pool.give(good)
    pool.give(stale)
    stale.is_stale = True
    assert pool.take() is good
    assert stale.closed


def test_a_closed_pool_keeps_nothing() -> None:
    pool: Pool[Line] = Pool()
    idle, used = Line(), Line()
    pool.give(idle)
    pool.close()
    pool.give(used)
    assert idle.closed
    assert used.closed
    assert pool.take() is None


def test_a_fork_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    pool: Pool[Line] = Pool()
    inherited, lent = Line(), Line()
    pool.give(inherited)
    monkeypatch.setattr(Forks, "count", Forks.count + 1)
    pool.give(lent)
    assert lent.closed, "a connection that the parent had in use must not get into the child's pool"
    assert pool.take() is None
    assert inherited.closed
    own = Line()
    pool.give(own)
    assert pool.take() is own


def test_threads_never_share_a_connection() -> None:
    pool: Pool[Line] = Pool(4)
    in_use: set[int] = set()
    faults: list[int] = []

    def work() -> None:
        for _ in range(500):
            line = pool.take() or Line()
            if id(line) in in_use:
                faults.append(id(line))
            in_use.add(id(line))
            in_use.discard(id(line))
            pool.give(line)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert len(pool) <= 4 + 8  # the size is checked without a lock
