"""Questions are worth asking, and an answer written into the spec gives the design it promised."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tablewright.architect.designer import design
from tablewright.architect.explain import resolve
from tablewright.architect.explain.questions.answers import apply_answers
from tablewright.architect.explain.questions.asking import MOST_QUESTIONS
from tablewright.architect.explain.questions.questions import everything_to_ask, questions
from tablewright.architect.explain.resolve import ground
from tablewright.architect.solution import solve
from tablewright.errors import DesignError
from tablewright.spec.read import open_source, read_spec
from tests.architect.designs import CASE_FILES
from tests.architect.explain.grounds import asked, begun, content, explained, start

if TYPE_CHECKING:
    from tablewright.design.advice import Question

pytestmark = pytest.mark.shares("case")

SMALL = ["battle-royale-game", "chat-system", "device-state-log", "session-management", "social-network"]


def promises(spec: Any, found: tuple[Question, ...], **options: Any) -> None:
    """Every answer, written into the spec and designed, gives what is said of it."""
    for question in found:
        for answer in question.answers:
            try:
                then = design(apply_answers(spec, answer.changes), **options)
            except DesignError:
                assert answer.outcome == "No design serves all patterns then.", (question.id, answer.answer)
                continue
            assert sum(len(table.gsis) for table in then.tables) == answer.gsis, (question.id, answer.answer)
            assert then.cost.usd_per_month == pytest.approx(answer.usd_per_month), (question.id, answer.answer)


@pytest.mark.parametrize("case", SMALL)
def test_the_answer_gives_what_was_promised(case: str) -> None:
    promises(content(case), asked(case))


@pytest.mark.parametrize("name", ["optional_sort", "one_to_one", "self_relation", "upsert_when"])
def test_the_answer_gives_what_was_promised_of_small_specs(name: str) -> None:
    path = Path(__file__).parents[3] / "trust" / "specs" / f"{name}.yaml"
    promises(dict(open_source(path).content), design(path, explain=True).advice.questions)


def test_the_answer_gives_what_was_promised_of_several_tables() -> None:
    spec = content("chat-system")
    found = design(spec, tables="several", explain=True).advice.questions
    assert found
    promises(spec, found, tables="several")


def test_so_many_designs_are_allowed_and_the_rest_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    every = explained("chat-system").advice.questions
    monkeypatch.setattr(resolve, "DESIGNING", 0)
    made = design(CASE_FILES["chat-system"], explain=True)
    found = made.advice.questions
    assert sum(not each.is_assumed for question in found for each in question.answers) <= resolve.FEWEST_DESIGNS
    assert found == every[: len(found)]
    assert "left out: every answer is a whole design" in made.advice.capped
    assert made.advice.capped in made.notes


ORDER = ("condition:", "rates", "number:")


@pytest.mark.parametrize("case", SMALL)
def test_few_and_in_order(case: str) -> None:
    """What nothing proves, how often, the numbers that the bill rests on, and then by value."""
    found = asked(case)
    assert 0 < len(found) <= MOST_QUESTIONS
    kinds = [next((at for at, each in enumerate(ORDER) if one.id.startswith(each)), len(ORDER)) for one in found]
    assert kinds == sorted(kinds)
    for kind in (2, len(ORDER)):
        values = [each.value for each, own in zip(found, kinds, strict=True) if own == kind]
        assert values == sorted(values, reverse=True)
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
    found = {each.id: each for each in asked("battle-royale-game")}
    assert next(iter(found)) == "condition:AP9"
    first = found["limit:AP5"]
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
    assert "3 shards" in hot.outcome  # a tenth of 20,000 is 2,000 units on one key, of which a shard takes 700
    assert hot.changes == {"access_patterns.add.skew": {"hottest": 0.1}}
