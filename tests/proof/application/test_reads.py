"""What an application answers: which items, in which order, how many of them."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.proof.application.reads import answer
from tablewright.proof.application.state import Call, state_of
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec

TASKS: dict[str, Any] = {
    "name": "tasks",
    "entities": {
        "List": {"id": ["listId"], "attributes": {"listId": "string", "owner": "string"}},
        "Task": {
            "id": ["listId", "taskId"],
            "ttl": {"attribute": "gone"},
            "attributes": {
                "listId": "string",
                "taskId": "string",
                "due": "number",
                "title": "string",
                "gone": "number",
            },
        },
    },
    "relationships": [{"from": "List", "to": "Task", "kind": "one-to-many"}],
}
LISTS = [{"listId": "l", "owner": "ann"}, {"listId": "m", "owner": "bob"}]


def task(number: str, **more: Any) -> dict[str, Any]:
    return {"listId": "l", "taskId": number, **more}


def ask(items: list[dict[str, Any]], call: Call, **pattern: Any) -> Any:
    asked = {"id": "AP", "kind": "query", "entity": "Task", "by": ["listId"], **pattern}
    if "entities" in asked:
        del asked["entity"]
    facts = assume(read_spec({**TASKS, "access_patterns": [asked]}))
    found = answer(facts, facts.spec.patterns[0], state_of(facts.spec, {"List": LISTS, "Task": items}), call)
    return found if "aggregate" in pattern else [item.get("taskId", entity) for entity, item in found]


L = Call(by={"listId": "l"})
MIXED = [task("1", due=2), task("2"), task("3", due=10), task("4", due=-1)]


class TestOrder:
    def test_items_without_the_attribute_are_last(self):
        assert ask(MIXED, L, sort=[{"attr": "due"}]) == ["4", "1", "3", "2"]
        assert ask(MIXED, L, sort=[{"attr": "due", "order": "desc"}]) == ["3", "1", "4", "2"]

    def test_or_first_or_nowhere(self):
        assert ask(MIXED, L, sort=[{"attr": "due"}], absent="first") == ["2", "4", "1", "3"]
        assert ask(MIXED, L, sort=[{"attr": "due"}], absent="omit") == ["4", "1", "3"]

    def test_text_sorts_by_its_bytes(self):
        texts = ["a", "B", "\u00e9", "e\u0301", "\uffee", "\U0001f600", ""]
        items = [task(str(at), title=text) for at, text in enumerate(texts)]
        found = ask(items, L, sort=[{"attr": "title"}])
        assert [texts[int(each)] for each in found] == sorted(texts, key=str.encode)

    def test_the_second_attribute_orders_ties_of_the_first(self):
        items = [task("1", due=1, title="b"), task("2", due=1, title="a"), task("3", due=0, title="c")]
        both = [{"attr": "due", "order": "desc"}, {"attr": "title", "order": "desc"}]
        assert ask(items, L, sort=both) == ["1", "2", "3"]


class TestLimits:
    def test_a_number_counts_those_that_are_sorted(self):
        call, both = L, ["List", "Task"]
        assert ask(MIXED, call, entities=both, sort=[{"attr": "due"}], limit=2) == ["List", "4", "1"]

    def test_without_order_it_counts_all(self):
        assert len(ask(MIXED, L, entities=["List", "Task"], limit=3)) == 3

    def test_by_entity(self):
        found = ask(MIXED, L, entities=["List", "Task"], sort=[{"attr": "due", "order": "desc"}], limit={"Task": 1})
        assert found == ["List", "3"]

    def test_a_get_is_one(self):
        assert ask(MIXED, Call(by={"listId": "l", "taskId": "3"}), kind="get", by=["listId", "taskId"]) == ["3"]


class TestMatching:
    def test_spellings_are_values_of_their_own(self):
        items = [task("1", title="Caf\u00e9"), task("2", title="Cafe\u0301"), task("3", title="caf\u00e9")]
        assert ask(items, Call(by={"title": "Caf\u00e9"}), by=["title"]) == ["1"]

    def test_a_range_lets_nothing_absent_through(self):
        call = Call(by={"listId": "l"}, range=(-1, 2))
        assert sorted(ask(MIXED, call, range={"attr": "due", "op": "between"})) == ["1", "4"]

    def test_filters(self):
        call = Call(by={"listId": "l"}, filter={"due": 2})
        assert ask(MIXED, call, filter={"due": "param"}) == ["1"]
        assert sorted(ask(MIXED, call, filter={"due": "at most a number"})) == ["1", "4"]
        assert ask(MIXED, L, filter={"due": 10}) == ["3"]

    def test_what_only_the_parent_has(self):
        assert len(ask(MIXED, Call(by={"owner": "ann"}), by=["owner"])) == 4
        assert ask(MIXED, Call(by={"owner": "bob"}), by=["owner"]) == []

    def test_expired_items_are_hidden(self):
        items = [task("1", gone=99), task("2", gone=100), task("3", gone=101), task("4")]
        call = Call(by={"listId": "l"}, now=100)
        assert sorted(ask(items, call)) == ["3", "4"]
        assert len(ask(items, call, expired="shown")) == 4


@pytest.mark.parametrize(
    ("what", "number"), [("count", 4), ({"sum": "due"}, 11), ({"max": "due"}, 10), ({"min": "due"}, -1)]
)
def test_aggregates(what: Any, number: int) -> None:
    assert ask(MIXED, L, aggregate=what) == number


def test_aggregates_of_nothing() -> None:
    assert ask([], L, aggregate={"sum": "due"}) == 0
    assert ask([], L, aggregate={"max": "due"}) is None


def test_a_batch_has_the_order_of_its_ids() -> None:
    ids = tuple({"listId": "l", "taskId": each} for each in ("3", "9", "1"))
    assert ask(MIXED, Call(ids=ids), kind="batch", by=["listId", "taskId"]) == ["3", "1"]
