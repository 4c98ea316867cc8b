"""Numbers kept by the stream: right after everything that a stream may do, and wrong steps are caught."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tablewright.design.steps import following
from tablewright.design.values.amounts import Total
from tablewright.proof.run import prove
from tests.proof.votes import votes_design

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.design.model import Design, ItemType


@pytest.mark.parametrize(("style", "seed"), [("plain", 1), ("electrodb", 2)])
def test_every_change_is_added_once(style: str, seed: int) -> None:
    made = votes_design(style)
    assert {each.name: each.kind for each in made.items if each.kind != "entity"} == {
        "VoteTotalByPollId": "trailing",
        "VoteTotalByChoicePollId": "trailing",
    }
    assert all(not each.transaction for each in made.patterns), "writes pay for no transaction"
    found = prove(made, seed=seed)
    assert found.passed, found.failure
    assert found.invariants["what follows the stream adds every change once"] == 3
    assert found.invariants["a number that may be behind is what it was when the stream was followed last"] > 10


# ---- what is caught -------------------------------------------------------------------------------------------------


def with_kept(design: Design, change: Callable[[ItemType], ItemType]) -> Design:
    items = tuple(change(each) if each.name == "VoteTotalByPollId" else each for each in design.items)
    return msgspec.structs.replace(design, items=items)


def with_stream(design: Design, stream: Any) -> Design:
    return msgspec.structs.replace(design, tables=(msgspec.structs.replace(design.tables[0], stream=stream),))


def summed(item: ItemType) -> ItemType:
    return msgspec.structs.replace(item, totals={"total": Total("sum", "weight")})


@pytest.mark.parametrize("stream", [None, "KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE"])
def test_a_stream_that_tells_too_little_is_caught(stream: str | None) -> None:
    assert not prove(with_stream(votes_design(), stream), rounds=4).passed


def test_another_sum_is_caught() -> None:
    found = prove(with_kept(votes_design(), summed), rounds=4)
    assert not found.passed


def _unconditional(mark: Callable[..., Any]) -> Callable[..., Any]:
    def put(*given: Any) -> Any:
        made = mark(*given)["Put"]
        return {"Put": {"TableName": made["TableName"], "Item": made["Item"]}}

    return put


def _without_old(count: Callable[..., Any]) -> Callable[..., Any]:
    def counted(stored: Any, known: Any, image: Any, sign: int, found: Any) -> Any:
        return count(stored, known, None if sign < 0 else image, sign, found)

    return counted


def _twice(updates: Callable[..., Any]) -> Callable[..., Any]:
    """What is left after a refusal is added with all that was added before."""
    seen: dict[str, Any] = {}

    def made(stored: Any, known: Any, changes: Any) -> Any:
        seen.update({each.id: each for each in changes})
        return updates(stored, known, list(seen.values())[-2:] if changes else [])

    return made


@pytest.mark.parametrize(("name", "spoil"), [("_mark", _unconditional), ("_count", _without_old), ("_updates", _twice)])
def test_a_function_that_adds_wrongly_is_caught(
    name: str, spoil: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, name, spoil(getattr(following, name)))
    found = prove(votes_design(), rounds=8)
    assert not found.passed
    assert "TOTAL" in found.failure.upper()
