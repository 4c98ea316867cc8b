"""Commands in tests are answered from files where nothing differs from what was asked for these, and only there."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright import tasks
from tablewright.architect import designer
from tablewright.spec.starter import STARTER
from tests.golden import replay
from tests.golden.designs import BY_NAME, golden
from tests.golden.replay import remembered_designs


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the search was asked, in answer to which it gives the design of another spec."""
    asked: list[Any] = []

    def note(spec: Any, **_: Any) -> Any:
        asked.append(spec)
        return golden("forum")

    monkeypatch.setattr(replay, "_solve", note)
    monkeypatch.setattr(replay, "_SOLVED", {})
    return asked


def test_what_is_kept_is_not_searched(solved: list[Any]) -> None:
    with remembered_designs():
        assert tasks.design(BY_NAME["chat"].spec) is golden("chat")
        assert tasks.design(BY_NAME["bank"].spec, minimise="gsis", quick=True) is golden("bank")
    assert solved == []


@pytest.mark.parametrize("how", [{"quick": True}, {"minimise": "gsis"}, {"key_style": "plain"}, {"keep": "chat"}])
def test_what_differs_is_searched_once(solved: list[Any], how: dict[str, Any]) -> None:
    options = {name: golden(value) if name == "keep" else value for name, value in how.items()}
    with remembered_designs():
        assert tasks.design(BY_NAME["chat"].spec, **options) is tasks.design(BY_NAME["chat"].spec, **options)
    assert len(solved) == 1


def test_prices_of_a_file_are_asked_for_every_time(solved: list[Any]) -> None:
    with remembered_designs():
        for _ in range(2):
            tasks.design(STARTER, quick=True, prices="prices.yaml")
    assert len(solved) == 2


def test_afterwards_the_search_is_asked_again(solved: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stood there before, since a worker's session may remember designs around this test."""
    monkeypatch.setattr(designer, "design", lambda *_, **__: golden("bank"))
    with remembered_designs():
        assert tasks.design(STARTER, quick=True) is golden("forum")
    assert tasks.design(STARTER, quick=True) is golden("bank")
    assert len(solved) == 1
