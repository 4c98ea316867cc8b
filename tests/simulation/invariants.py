"""What must hold of everything that is written, whatever it is: made of how often each deed has left its mark.

nothing_lost        what a client was told is done, was done
nothing_twice       nothing was done more than once
no_ghosts           what a client was told is refused, was not done
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from tests.simulation.story import Deed, Invariant, Story

Marks: TypeAlias = Callable[[Story], Mapping[Deed, int]]
"""How often each deed was done, as the table shows it."""


def nothing_lost(marks: Marks) -> Invariant:
    def nothing_lost(story: Story) -> Iterator[str]:
        for deed, times in marks(story).items():
            if deed.is_done and times < 1:
                yield f"{deed}, but there is nothing of it"

    return nothing_lost


def nothing_twice(marks: Marks) -> Invariant:
    def nothing_twice(story: Story) -> Iterator[str]:
        for deed, times in marks(story).items():
            if times > 1:
                yield f"{deed}, and it was done {times} times"

    return nothing_twice


def no_ghosts(marks: Marks) -> Invariant:
    def no_ghosts(story: Story) -> Iterator[str]:
        for deed, times in marks(story).items():
            if deed.is_refused and times > 0:
                yield f"{deed}, but it was done"

    return no_ghosts


def made_once(marks: Marks) -> tuple[Invariant, ...]:
    """All three."""
    return nothing_lost(marks), nothing_twice(marks), no_ghosts(marks)


def digits(number: int, at: int) -> int:
    """How often 10**at was added."""
    return int(number // 10**at % 10)
