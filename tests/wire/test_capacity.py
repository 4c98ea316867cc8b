from __future__ import annotations

import pytest

from tablewright.wire.capacity import batch_read_rcu, index_write_wcu, read_rcu, write_wcu


@pytest.mark.parametrize(("size", "steps"), [(0, 1), (1, 1), (4096, 1), (4097, 2), (400 * 1024, 100)])
def test_reads_go_in_steps_of_4_kb(size: int, steps: int) -> None:
    assert read_rcu(size) == steps / 2
    assert read_rcu(size, consistent=True) == steps
    assert read_rcu(size, transactional=True) == 2 * steps


def test_batches_round_up_every_item() -> None:
    assert batch_read_rcu([100, 100, 0]) == 1.5
    assert batch_read_rcu([4097, 1], consistent=True) == 3
    assert batch_read_rcu([1, 1], transactional=True) == 4
    assert batch_read_rcu([]) == 0


@pytest.mark.parametrize(
    ("before", "after", "units"), [(0, 1, 1), (0, 0, 1), (1024, 0, 1), (1, 1025, 2), (5000, 10, 5)]
)
def test_writes_go_by_the_larger_image(before: int, after: int, units: int) -> None:
    assert write_wcu(before, after) == units
    assert write_wcu(before, after, transactional=True) == 2 * units


@pytest.mark.parametrize(
    ("before", "after", "options", "units"),
    [
        (None, None, {}, 0),
        (None, 1500, {}, 2),
        (1500, None, {}, 2),
        (100, 200, {}, 1),
        (100, 1100, {}, 2),
        (100, 200, {"view_changed": False}, 0),
        (100, 1100, {"key_changed": True}, 3),
        (100, 100, {"key_changed": True, "transactional": True}, 4),
        (None, 100, {"transactional": True}, 2),
    ],
)
def test_index_maintenance(before: int | None, after: int | None, options: dict[str, bool], units: int) -> None:
    assert index_write_wcu(before, after, **options) == units
