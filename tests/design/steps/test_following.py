"""Batches of changes as transactions: within their limits, each change once, without what changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tablewright.design.steps.compile import compile_design
from tablewright.design.steps.following import TRIES, Change, NotAdded, follow
from tablewright.design.steps.model import PAUSE, REFUSED
from tests.proof.votes import votes_design

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tablewright.design.steps.model import Request

NOW = 1_700_000_000


def vote(number: int, poll: str | None = "p", weight: Any = 1, choice: str = "a") -> dict[str, Any]:
    label = votes_design().encoding.type_field
    found = {"voteId": f"v{number}", "pollId": poll, "weight": weight, "choice": choice, label: "Vote"}
    return {name: each for name, each in found.items() if each is not None}


def put(number: int, **values: Any) -> Change:
    return Change(f"e{number}", None, vote(number, **values))


def requests(changes: Iterable[Change], reply: Callable[[Request], Any] = lambda _: {}) -> list[Request]:
    compiled = compile_design(votes_design())
    flow = follow(compiled.stored, compiled.following["votes"], changes, NOW)
    found: list[Request] = []
    try:
        asked = next(flow)
        while True:
            found += asked
            asked = flow.send([reply(each) for each in asked])
    except StopIteration:
        return found


def actions(request: Request, kind: str) -> list[dict[str, Any]]:
    return [each[kind] for each in request.params["TransactItems"] if kind in each]


def test_many_changes_of_a_group_are_one_update() -> None:
    (request,) = requests(put(at, weight=0.1) for at in range(30))
    updates = actions(request, "Update")
    assert len(actions(request, "Put")) == 30
    assert len(updates) == 2
    added = {str(value) for each in updates for value in each["ExpressionAttributeValues"].values()}
    assert {"30", "3.0"} <= added, "decimals add up as DynamoDB adds them"


def test_a_transaction_has_a_hundred_actions_at_most() -> None:
    found = requests(put(at, poll=f"p{at}") for at in range(200))
    assert max(len(each.params["TransactItems"]) for each in found) <= 100
    assert sum(len(actions(each, "Put")) for each in found) == 200


def test_marks_go_after_a_time_and_must_be_new() -> None:
    (request,) = requests([put(1)])
    (mark,) = actions(request, "Put")
    assert mark["ConditionExpression"] == "attribute_not_exists(#pk)"
    assert mark["Item"] == {"pk": "stream#e1", "sk": "stream#e1", "expiresAt": NOW + 2 * 86_400}


@pytest.mark.parametrize(
    "change",
    [
        Change("e1", vote(1), vote(1)),
        Change("e1", vote(1, poll=None), None),
        Change("e1", {"pk": "x"}, {"pk": "x", "n": 1}),
        Change("e1", None, vote(1, poll="")),
    ],
    ids=["the same", "in no group", "something else", "no key can hold it"],
)
def test_what_changes_no_number_is_left_out(change: Change) -> None:
    assert requests([change]) == []


def test_the_same_record_twice_in_a_batch_counts_once() -> None:
    (request,) = requests([put(1), put(1)])
    assert len(actions(request, "Put")) == 1


def test_what_was_added_before_is_left_out() -> None:
    refused = iter([True, False])

    def reply(request: Request) -> Any:
        if request.action == "BatchGetItem":
            return {"Responses": {"votes": [{"pk": "stream#e0", "sk": "stream#e0"}]}}
        return REFUSED if request.action == "TransactWriteItems" and next(refused) else {}

    first, marks, pause, second = requests([put(0), put(1)], reply)
    assert [marks.action, pause.action] == ["BatchGetItem", PAUSE]
    assert len(actions(first, "Put")) == 2
    assert [each["Item"]["pk"] for each in actions(second, "Put")] == ["stream#e1"]


def test_who_is_refused_again_and_again_is_told() -> None:
    tried: list[Request] = []

    def reply(request: Request) -> Any:
        tried.append(request)
        return {"Responses": {}} if request.action == "BatchGetItem" else REFUSED

    with pytest.raises(NotAdded, match="e1 is the first"):
        requests([put(1)], reply)
    assert sum(each.action == "TransactWriteItems" for each in tried) == TRIES
