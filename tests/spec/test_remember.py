"""Answers that are kept are those of the very objects that were asked about, and few."""

from __future__ import annotations

import msgspec

from tablewright.spec.remember import recent


class Point(msgspec.Struct, frozen=True):
    x: int


def test_the_same_object_is_asked_about_once_and_an_equal_one_again() -> None:
    asked: list[tuple[Point, int]] = []

    @recent(4)
    def length(point: Point, times: int = 1) -> int:
        asked.append((point, times))
        return point.x * times

    one, other = Point(3), Point(3)
    assert [length(one), length(one), length(one, 2), length(one, times=2)] == [3, 3, 6, 6]
    assert len(asked) == 3
    assert length(other) == 3
    assert asked[-1][0] is other


def test_only_the_last_few_are_kept() -> None:
    asked: list[int] = []

    @recent(2)
    def same(number: int) -> int:
        asked.append(number)
        return number

    assert [same(number) for number in (1, 2, 2, 3, 2, 1)] == [1, 2, 2, 3, 2, 1]
    assert asked == [1, 2, 3, 1]
