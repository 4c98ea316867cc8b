from __future__ import annotations

from tablewright.wire import limits


def test_limits_are_positive_numbers_that_fit_together() -> None:
    named = {name: value for name, value in vars(limits).items() if name.isupper()}
    assert all(isinstance(value, int) for value in named.values())
    assert [name for name, value in named.items() if value <= 0] == ["MIN_NUMBER_EXPONENT"]
    assert limits.MAX_ITEM_BYTES == 409_600
    assert limits.MAX_SORT_KEY_BYTES < limits.MAX_PARTITION_KEY_BYTES < limits.MAX_ITEM_BYTES < limits.MAX_PAGE_BYTES
    assert limits.MAX_TRANSACTION_BYTES < limits.MAX_BATCH_BYTES
