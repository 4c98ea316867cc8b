"""Questions are worth asking, and an answer written into the spec gives the design it promised."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.explain.questions.answers import apply_answers
from tablewright.architect.explain.questions.questions import MOST_QUESTIONS, everything_to_ask, questions
from tablewright.architect.explain.resolve import ground, outcome
from tablewright.architect.solution import solve
from tablewright.spec.read import read_spec
from tests.architect.explain.grounds import asked, begun, content, start

SMALL = ["battle-royale-game", "chat-system", "device-state-log", "session-management", "social-network"]


@pytest.mark.parametrize("case", SMALL)
def test_the_answer_gives_what_was_promised(case: str) -> None:
    for question in asked(case):
        for answer in question.answers:
            then = outcome(solve(apply_answers(content(case), answer.changes)))
            assert then.gsis == answer.gsis, (question.id, answer.answer)
            assert then.usd_per_month == pytest.approx(answer.usd_per_month), (question.id, answer.answer)


@pytest.mark.parametrize("case", SMALL)
def test_few_and_the_most_valuable_first(case: str) -> None:
    found = asked(case)
    assert 0 < len(found) <= MOST_QUESTIONS
    order = [(not each.id.startswith("condition:"), -each.value) for each in found]
    assert order == sorted(order)
    for each in found:
        assert [answer.is_assumed for answer in each.answers] == [True, *[False] * (len(each.answers) - 1)]
        assert len(each.answers) > 1 or each.value == 0


def test_a_comment_addressed_by_its_id_needs_an_index() -> None:
    spec = {**content("chat-system"), "constraints": {"copies": "none"}}
    found = {each.id: each for each in questions(ground(solve(spec)))}
    no, yes = found["by-id:Comment"].answers
    assert (no.gsis, yes.gsis) == (0, 1)
    assert found["by-id:Comment"].question == "Is one Comment ever read or changed by its userId and createdAt alone?"
    members = found["lists:Membership"].answers[1]
    assert members.gsis == 1


def test_all_open_games_at_once_are_dear() -> None:
    unread, first = asked("battle-royale-game")[:2]
    assert unread.id == "condition:AP9"
    assert first.id == "limit:AP5"
    everything, page = first.answers
    assert page.changes == {"access_patterns.AP5.limit": 50}
    assert page.usd_per_month < everything.usd_per_month / 2


def test_what_is_understood_is_not_asked() -> None:
    found = [each.id for each in everything_to_ask(start("chat-system").solution)]
    assert "condition:AP2" not in found


def test_no_answer_contradicts_the_spec() -> None:
    task = {"title": {"required": True}, "dueAt": {"type": "timestamp", "presence": "70%"}, "rank": "number"}
    patterns = [
        {"id": "list", "kind": "query", "entity": "Task", "by": "listId", "sort": "dueAt", "rate": 100},
        {"id": "ranked", "kind": "query", "entity": "Task", "by": "listId", "sort": "rank", "rate": 100},
        {
            "id": "rank",
            "kind": "write",
            "op": "update",
            "entity": "Task",
            "by": ["listId", "taskId"],
            "changes": ["rank"],
        },
    ]
    spec = {
        "name": "todo",
        "entities": {"Task": {"id": ["listId", "taskId"], "attributes": task, "count": 1_000_000}},
        "access_patterns": patterns,
    }
    for each in questions(ground(solve(spec))):
        for answer in each.answers:
            read_spec(apply_answers(spec, answer.changes))


def test_which_attribute_names_the_office() -> None:
    found = {each.id: each for each in everything_to_ask(start("task-manager").solution)}
    assert [each.changes for each in found["reference:Employee:Office"].others] == [
        {"relationships[0].by": ["officeName"]}
    ]


def test_a_hot_key_is_asked_for_when_it_would_bring_shards() -> None:
    entities = {
        "Reading": {
            "id": ["sensor", "at"],
            "attributes": {"sensor": "string", "at": "timestamp"},
            "count": 1_000_000,
            "size_bytes": 500,
        }
    }
    patterns: list[dict[str, Any]] = [
        {"id": "list", "kind": "query", "entity": "Reading", "by": "sensor", "limit": 10, "rate": 1},
        {
            "id": "add",
            "kind": "write",
            "op": "put",
            "entity": "Reading",
            "by": ["sensor", "at"],
            "rate": {"avg": 9000, "peak": 20000},
        },
    ]
    found = {each.id: each for each in questions(begun(entities=entities, access_patterns=patterns))}
    even, hot = found["hottest:add"].answers
    assert "shards" not in even.outcome
    assert "2 shards" in hot.outcome  # a tenth of 20,000 is 2,000 units on one key
    assert hot.changes == {"access_patterns.add.skew": {"hottest": 0.1}}
