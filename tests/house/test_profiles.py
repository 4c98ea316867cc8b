"""`make test` tries fewer generated cases than `make test-full`, and keeps tests of a group in one process."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import PROFILE, take_a_quarter


@pytest.mark.parametrize(("own", "tried"), [(200, 50), (40, 10), (20, 10), (5, 5)])
def test_a_quarter_of_the_cases(own: int, tried: int) -> None:
    seen: list[int] = []

    @settings(max_examples=own, database=None)
    @given(st.integers())
    def collect(number: int) -> None:
        seen.append(number)

    take_a_quarter(collect)
    collect()
    assert len(seen) == tried


@settings(max_examples=40)
@given(st.integers())
def test_this_very_run_follows_its_profile(number: int) -> None:
    used = getattr(test_this_very_run_follows_its_profile, "_hypothesis_internal_use_settings")  # noqa: B009 - private
    assert used.max_examples == (10 if PROFILE == "repeat" else 40)


@pytest.mark.xdist_group("together")
@pytest.mark.parametrize("number", [1, 2])
def test_a_group_is_seen_by_the_scheduler(request: pytest.FixtureRequest, number: int) -> None:
    """It tells groups by the end of a test's name."""
    grouped = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@together") == grouped


@pytest.mark.shares("number")
@pytest.mark.parametrize("other", "ab")
@pytest.mark.parametrize("number", [1, 2])
def test_what_shares_a_value_is_a_group(request: pytest.FixtureRequest, number: int, other: str) -> None:
    grouped = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith(f"[{number}-{other}]" + f"@number-{number}" * grouped)
