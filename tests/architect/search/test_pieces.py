"""The best of a program put together from the best of its parts, against the program as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tablewright.architect.search import pieces
from tablewright.architect.search.bill import billed_model
from tablewright.architect.search.pieces import best_by_parts
from tablewright.architect.search.search import candidates_of
from tablewright.architect.search.stages import money
from tablewright.design.cost.prices import US_EAST_1
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tests.architect.specs import random_spec, rich_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.search.model import Model

SLOTS = 5


@pytest.fixture(autouse=True)
def _nothing_known() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    pieces._FOUND.clear()  # pyright: ignore[reportPrivateUsage]
    yield
    pieces._FOUND.clear()  # pyright: ignore[reportPrivateUsage]


def models() -> list[Model]:
    specs = [*(random_spec(seed) for seed in range(12)), *(rich_spec(seed) for seed in range(12))]
    return [billed_model(candidates_of(assume(read_spec(each))), US_EAST_1, SLOTS) for each in specs]


def test_no_point_is_better() -> None:
    put_together = 0
    for model in models():
        costs, program = money(model), model.program
        whole, found = program.minimise(costs), best_by_parts(program, costs)
        if found is None:
            continue
        put_together += 1
        assert whole is not None
        assert program.holds(found.chosen)
        assert program.value(costs, found.chosen) == program.value(costs, whole.chosen)
    assert put_together > 12


def test_what_is_known_changes_nothing() -> None:
    for model in models()[:6]:
        first, second = (best_by_parts(model.program, money(model)) for _ in range(2))
        assert first == second


def test_numbers_of_indexes_that_count_are_not_moved() -> None:
    """Keys that are to be kept stand in an index of a certain number: that is no matter of parts."""
    for model in models():
        last = {name: -1.0 for name in model.program.columns if name[0] == "gsi" and name[2] == SLOTS - 1}
        whole, found = model.program.minimise(last), best_by_parts(model.program, last)
        if found is not None:
            assert whole is not None
            assert model.program.value(last, found.chosen) == model.program.value(last, whole.chosen)


def test_a_small_saving_is_no_whole_grain() -> None:
    """Or an index that nobody needs would pay for itself."""
    for model in models():
        costs = money(model)
        for name in model.program.columns:
            if name[0] == "lean":
                entry = costs.get(("gsi", *name[1:3]), 0.0)
                assert entry + costs.get(name, 0.0) >= 0
