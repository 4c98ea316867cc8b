"""Execution options are checked where they are said."""

from __future__ import annotations

from typing import Any

import pytest

import tablewright as tw
from tests.runtime.operations.toys import Ball, answers


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"limit": 0}, "option limit is 0, but must be one of: a number of at least 1"),
        ({"limit": True}, "option limit is True"),
        ({"count": 0}, "option count is 0"),
        ({"order": "up"}, "option order is 'up'"),
        ({"compare": "roughly"}, "option compare is 'roughly'"),
        ({"response": "some"}, "option response is 'some'"),
        ({"data": "xml"}, "option data is 'xml'"),
        ({"listeners": [5]}, "option listeners is 5"),
        ({"abort": 5}, "option abort is 5"),
        ({"tabel": "x"}, "unknown option 'tabel'; did you mean 'table'"),
        ({"xyzzy": 1}, "known options: params, table"),
    ],
)
def test_options_are_checked(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(tw.RequestError, match=reason):
        Ball.by_colour("red").with_options(**options)


def test_limits_are_checked_where_they_are_said() -> None:
    with pytest.raises(tw.RequestError, match="option limit is 0"):
        Ball.by_colour("red").limit(0)
    with pytest.raises(tw.RequestError, match="option count is -1"):
        Ball.scan().count(-1)
    with pytest.raises(tw.RequestError, match="option pages is 0"):
        answers()[0].run(Ball.scan().pages(0))


def test_nothing_to_run() -> None:
    with pytest.raises(tw.RequestError, match="nothing to run"):
        tw.transact().go()
