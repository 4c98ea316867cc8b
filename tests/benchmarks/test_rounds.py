from __future__ import annotations

from benchmarks.rounds import interleaved


def test_rounds_alternate_and_the_first_turn_goes_around() -> None:
    order: list[str] = []

    def turn(name: str) -> float:
        order.append(name)
        return float(len(order))

    interleaved({name: lambda name=name: turn(name) for name in "abc"}, rounds=3)
    assert "".join(order) == "abc" + "bca" + "cab"


def test_the_median_ignores_one_bad_round() -> None:
    times = iter([1.0, 900.0, 3.0])
    assert interleaved({"only": lambda: next(times)}, rounds=3) == {"only": 3.0}
