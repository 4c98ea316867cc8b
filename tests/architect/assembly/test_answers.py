"""Answers of designs, compared with an application over dictionaries: order, absent values, limits, ids."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tablewright.errors import DesignError
from tests.architect.assembly.dictionary import Item, Running

STYLES = ("plain", "electrodb")
TASK: dict[str, Any] = {
    "id": ["listId", "taskId"],
    "attributes": {
        "title": {"type": "string", "required": True},
        "state": {"type": "string", "values": ["open", "done"], "required": True},
        "dueAt": {"type": "timestamp", "presence": "70%"},
        "rank": {"type": "number", "required": True},
    },
    "count": 10_000,
}
TASKS = [
    {
        "listId": f"list{number % 2}",
        "taskId": f"t{number:02d}",
        "title": f"task {number}",
        "state": ("open", "done")[number % 3 == 0],
        "rank": number % 4,
        **({} if number % 3 == 1 else {"dueAt": f"2026-0{1 + number % 5}-01T00:00:00Z"}),
    }
    for number in range(24)
]
PUT = {"id": "put", "kind": "write", "op": "put", "entity": "Task", "by": ["listId", "taskId"], "rate": 1}
CHANGE = {**PUT, "id": "change", "op": "update", "changes": ["dueAt", "state"]}


def tasks(*patterns: dict[str, Any], style: str = "plain", task: dict[str, Any] = TASK, **constraints: Any) -> Running:
    spec = {
        "name": "todo",
        "entities": {"Task": task},
        "access_patterns": [
            {"kind": "query", "entity": "Task", "rate": 10, **each} for each in (*patterns, PUT, CHANGE)
        ],
        "constraints": {"key_style": style, **constraints},
    }
    return Running(spec, {"Task": TASKS})


def first_last(items: list[Item], name: str) -> tuple[bool, bool]:
    """Whether the first and the last item have an attribute."""
    return name in items[0], name in items[-1]


class TestOrdersWithAbsentValues:
    @pytest.mark.parametrize(
        ("order", "absent", "style"), [*product(("asc", "desc"), ("last", "first", "omit"), STYLES)]
    )
    def test_items_without_the_attribute_come_where_they_are_said_to(self, order: str, absent: str, style: str) -> None:
        asked = {"id": "due", "by": "listId", "sort": f"dueAt {order}", "absent": absent}
        running = tasks(asked, {**asked, "id": "few", "limit": 5}, {**asked, "id": "most", "limit": 10}, style=style)
        found = running.check("due", listId="list0")["Task"]
        assert (
            first_last(found, "dueAt") == {"last": (True, False), "first": (False, True), "omit": (True, True)}[absent]
        )
        running.check("due", listId="nowhere")
        for pattern in ("few", "most"):
            running.check(pattern, listId="list1")
        in_two = (order == "asc") == (absent == "last") and absent != "omit"
        assert len(running.step("due")) == 1 + in_two

    def test_both_requests_are_paid_for(self) -> None:
        asked = {"id": "due", "by": "listId", "sort": "dueAt", "rate": 10}
        running = tasks(asked, {**asked, "id": "late", "absent": "first"})
        predicted = {each.id: each.predicted for each in running.design.patterns}
        assert (predicted["due"].requests, predicted["late"].requests) == (2.0, 1.0)
        assert predicted["due"].rcu >= predicted["late"].rcu

    def test_a_second_request_is_not_expected_where_the_first_fills_the_list(self) -> None:
        running = tasks({"id": "due", "by": "state", "sort": "dueAt", "limit": 10})
        assert next(each for each in running.design.patterns if each.id == "due").predicted.requests == 1.0
        running.check("due", state="open")

    @pytest.mark.parametrize(("order", "absent"), [*product(("asc", "desc"), ("last", "first", "omit"))])
    def test_behind_an_attribute_that_is_always_there(self, order: str, absent: str) -> None:
        asked = {"id": "ranked", "by": "state", "sort": [f"rank {order}", f"dueAt {order}"], "absent": absent}
        if absent != "omit" and (order == "asc") == (absent == "last"):
            with pytest.raises(DesignError, match=r"AP|absent: omit") as fault:
                tasks(asked)
            assert "access_patterns.ranked.absent: omit" in str(fault.value)
            assert "entities.Task.attributes.dueAt.required: true" in str(fault.value)
        else:
            tasks(asked).check("ranked", state="open")

    @pytest.mark.parametrize("absent", ["last", "first"])
    def test_what_follows_an_absent_attribute_has_no_order(self, absent: str) -> None:
        with pytest.raises(DesignError, match="no key can serve due"):
            tasks({"id": "due", "by": "listId", "sort": ["dueAt", "rank"], "absent": absent})

    @pytest.mark.parametrize("operator", ["between", "gte", "gt", "lte", "lt"])
    @pytest.mark.parametrize("order", ["asc", "desc"])
    def test_a_range_leaves_them_out(self, operator: str, order: str) -> None:
        asked = {"id": "due", "by": "listId", "range": {"attr": "dueAt", "op": operator}, "sort": f"dueAt {order}"}
        ends = {"value": "2026-03-01T00:00:00Z", "from": "2026-02-01T00:00:00Z", "to": "2026-04-01T00:00:00Z"}
        names = ("from", "to") if operator == "between" else ("value",)
        running = tasks(asked, {**asked, "id": "few", "limit": 3})
        given = {name: ends[name] for name in names}
        assert running.check("due", listId="list0", **given)["Task"]
        running.check("few", listId="list1", **given)
        assert len(running.step("due")) == 1

    def test_a_filter_leaves_them_out(self) -> None:
        asked = {"id": "due", "by": "listId", "sort": "dueAt", "filter": {"dueAt": "param"}}
        running = tasks(asked)
        running.check("due", listId="list0", dueAt="2026-03-01T00:00:00Z")

    def test_values_of_a_fan_out_are_merged_with_their_absent_ones_at_the_end(self) -> None:
        by_state = {"id": "by-state", "by": ["listId", "state"], "sort": "dueAt", "rate": 100}
        running = tasks(by_state, {**by_state, "id": "all", "by": "listId", "rate": 0.001})
        assert [each.for_each for each in running.step("all")] == [{"state": ("open", "done")}] * 2
        running.check("all", listId="list0")
        running.check("by-state", listId="list0", state="open")

    def test_shards_are_merged_with_their_absent_ones_at_the_end(self) -> None:
        busy = {**PUT, "id": "busy", "rate": 2_000}
        running = tasks({"id": "due", "by": "state", "sort": "dueAt", "limit": 20}, busy)
        assert running.step("due")[0].shards > 1
        running.check("due", state="open")
        running.check("due", state="done")

    def test_keys_are_fetched_in_the_order_of_both_requests(self) -> None:
        large = {**TASK, "attributes": {**TASK["attributes"], "text": {"type": "string", "size_bytes": 100_000}}}
        running = tasks({"id": "due", "by": "state", "sort": "dueAt", "limit": 8, "rate": 0.01}, task=large)
        assert [each.operation for each in running.step("due")] == ["Query", "BatchGetItem"] * 2
        running.check("due", state="open")
        running.check("due", state="done")

    def test_local_indexes_have_them_too(self) -> None:
        running = tasks({"id": "due", "by": "listId", "sort": "dueAt", "consistency": "strong"}, lsis=True)
        assert [each.index for each in running.step("due")] == ["lsi1", "lsi1"]
        running.check("due", listId="list0")

    def test_multi_attribute_keys_lack_them_and_are_not_taken(self) -> None:
        running = tasks({"id": "due", "by": "listId", "sort": "dueAt desc"}, multi_attribute_keys=True)
        running.check("due", listId="list0")

    def test_a_sparse_index_serves_only_those_who_leave_them_out(self) -> None:
        task = {
            **TASK,
            "count": 10_000_000,
            "attributes": {**TASK["attributes"], "dueAt": {"type": "timestamp", "presence": "1%"}},
        }
        busy = {**PUT, "id": "busy", "rate": 500}
        omitted = {"id": "due", "by": "state", "sort": "dueAt", "absent": "omit", "limit": 10}
        running = tasks(omitted, busy, task=task)
        assert running.design.item("Task").keys[-1].when is not None
        running.check("due", state="open")
        whole = tasks({**omitted, "absent": "last"}, busy, task=task)
        assert all(each.when is None for each in whole.design.item("Task").keys)
        whole.check("due", state="open")


# ---- several entities -----------------------------------------------------------------------------------------------

DEVICE: dict[str, Any] = {"id": "deviceId", "attributes": {"model": {"required": True}}, "count": 1000}
SAMPLE: dict[str, Any] = {
    "id": ["deviceId", "at"],
    "attributes": {"at": "timestamp", "value": {"type": "number", "required": True}, "level": "number"},
    "count": 100_000,
}
DEVICES = [{"deviceId": f"d{number}", "model": "m"} for number in range(2)]
SAMPLES = [
    {"deviceId": f"d{number % 3}", "at": f"2026-01-{1 + number:02d}T00:00:00Z", "value": number}
    | ({"level": number % 5} if number % 2 else {})
    for number in range(27)
]


def devices(*patterns: dict[str, Any], style: str = "plain", **more: Any) -> Running:
    spec = {
        "name": "dev",
        "entities": {"Device": DEVICE, "Sample": SAMPLE},
        "relationships": [{"from": "Device", "to": "Sample", "kind": "1:n", "avg": 100, "max": 1000}],
        "access_patterns": [
            {"kind": "query", "entities": ["Device", "Sample"], "by": "deviceId", "rate": 10, **each}
            for each in patterns
        ],
        "constraints": {"key_style": style},
        **more,
    }
    return Running(spec, {"Device": DEVICES, "Sample": SAMPLES})


class TestParentsWithChildren:
    @pytest.mark.parametrize(("order", "style"), [*product(("asc", "desc"), STYLES)])
    def test_a_limit_counts_those_that_have_what_is_sorted_by(self, order: str, style: str) -> None:
        running = devices({"id": "newest", "sort": f"at {order}", "limit": 4}, style=style)
        assert [each.operation for each in running.step("newest")] == ["Query"]
        assert not running.design.tables[0].gsis
        found = running.check("newest", deviceId="d0")
        assert (len(found["Device"]), len(found["Sample"])) == (1, 4)
        assert running.check("newest", deviceId="d2")["Device"] == []

    def test_without_a_limit_one_query_reads_them_all(self) -> None:
        running = devices({"id": "all", "sort": "at desc"})
        assert [each.operation for each in running.step("all")] == ["Query"]
        running.check("all", deviceId="d1")

    def test_a_limit_for_each(self) -> None:
        running = devices({"id": "each", "sort": "at", "limit": {"Sample": 2, "Device": 1}})
        found = running.check("each", deviceId="d1")
        assert (len(found["Device"]), len(found["Sample"])) == (1, 2)

    def test_without_an_order_a_limit_counts_everything(self) -> None:
        running = devices({"id": "some", "limit": 4})
        found = running.read("some", deviceId="d0")
        assert sum(map(len, found.values())) == 4
        assert sum(map(len, running.pages("some", 3, deviceId="d0").values())) == 10

    def test_what_is_filtered_by_an_attribute_that_only_some_have(self) -> None:
        running = devices({"id": "level", "filter": {"level": "param"}}, {"id": "model", "filter": {"model": "m"}})
        assert len(running.check("level", deviceId="d0", level=3)["Sample"]) == 1
        assert running.check("model", deviceId="d0") == {"Device": [DEVICES[0]], "Sample": []}

    @pytest.mark.parametrize(("order", "absent"), [*product(("asc", "desc"), ("last", "first", "omit"))])
    def test_children_without_what_is_sorted_by(self, order: str, absent: str) -> None:
        asked = {"id": "by-level", "sort": f"level {order}", "absent": absent}
        running = devices(asked, {**asked, "id": "few", "limit": 3})
        for pattern in ("by-level", "few"):
            running.check(pattern, deviceId="d0")
            running.check(pattern, deviceId="d2")


class TestSeveralOrderedEntities:
    @pytest.mark.parametrize(("order", "absent"), [*product(("asc", "desc"), ("last", "first", "omit"))])
    def test_answers_are_merged_where_no_key_has_them_all(self, order: str, absent: str) -> None:
        posts = [
            {"boardId": "b", "postId": f"p{number}"} | ({"at": f"2026-01-0{1 + number % 4}"} if number % 3 else {})
            for number in range(9)
        ]
        polls = [
            {"boardId": "b", "pollId": f"q{number}"} | ({"at": f"2026-01-0{1 + number % 5}"} if number % 2 else {})
            for number in range(7)
        ]
        entities = {
            "Board": {"id": "boardId", "attributes": {"name": "string"}, "count": 10},
            "Post": {"id": ["boardId", "postId"], "attributes": {"at": "timestamp"}, "count": 1000},
            "Poll": {"id": ["boardId", "pollId"], "attributes": {"at": "timestamp"}, "count": 1000},
        }
        asked = {"kind": "query", "entities": ["Board", "Post", "Poll"], "by": "boardId", "rate": 1}
        asked |= {"sort": f"at {order}", "absent": absent}
        spec = {
            "name": "boards",
            "entities": entities,
            "access_patterns": [{**asked, "id": "all"}, {**asked, "id": "few", "limit": 5}],
        }
        running = Running(spec, {"Board": [{"boardId": "b", "name": "B"}], "Post": posts, "Poll": polls})
        whole = running.in_order("all", boardId="b")
        few = running.in_order("few", boardId="b")
        assert [each.get("at") for each in few] == [each.get("at") for each in whole][:5]
        times = [each["at"] for each in whole if "at" in each]
        assert times == sorted(times, reverse=order == "desc")
        assert len(whole) == {"omit": 9}.get(absent, 16)
        lacking = [at for at, each in enumerate(whole) if "at" not in each]
        assert lacking == {"omit": [], "last": [*range(9, 16)], "first": [*range(7)]}[absent]
        assert running.read("few", boardId="b")["Board"] == [{"boardId": "b", "name": "B"}]

    def test_a_filter_holds_for_all_that_one_query_reads(self) -> None:
        shared = {
            "attributes": {"state": {"type": "string", "values": ["new", "old"], "required": True}},
            "count": 1000,
        }
        spec = {
            "name": "boards",
            "entities": {
                "Post": {"id": ["boardId", "postId"], **shared},
                "Poll": {"id": ["boardId", "pollId"], **shared},
            },
            "access_patterns": [
                {
                    "id": "new",
                    "kind": "query",
                    "entities": ["Post", "Poll"],
                    "by": "boardId",
                    "filter": {"state": "new"},
                }
            ],
        }
        states = [("new", "old")[number % 2] for number in range(6)]
        posts = [{"boardId": "b", "postId": f"p{number}", "state": state} for number, state in enumerate(states)]
        polls = [{"boardId": "b", "pollId": f"q{number}", "state": state} for number, state in enumerate(states)]
        running = Running(spec, {"Post": posts, "Poll": polls})
        assert [len(each) for each in running.check("new", boardId="b").values()] == [3, 3]


# ---- many ids -------------------------------------------------------------------------------------------------------


class TestBatches:
    BATCH = {"id": "some", "kind": "batch", "by": ["listId", "taskId"], "items": 50}

    @pytest.mark.parametrize("style", STYLES)
    def test_items_come_in_the_order_of_the_ids(self, style: str) -> None:
        running = tasks(self.BATCH, style=style)
        (step,) = running.step("some")
        assert (step.operation, step.each) == ("BatchGetItem", "ids")
        ids = [{"listId": each["listId"], "taskId": each["taskId"]} for each in reversed(TASKS)]
        found = running.check("some", ids=[*ids, {"listId": "list0", "taskId": "gone"}, ids[0]])
        assert len(found["Task"]) == len(TASKS) + 1
        assert running.check("some", ids=[])["Task"] == []

    def test_every_item_is_rounded_up_by_itself(self) -> None:
        running = tasks(self.BATCH)
        predicted = next(each for each in running.design.patterns if each.id == "some").predicted
        assert (predicted.requests, predicted.items, predicted.rcu) == (1.0, 50.0, 25.0)

    def test_a_get_of_many_items_is_a_batch(self) -> None:
        running = tasks({**self.BATCH, "kind": "get"})
        (pattern,) = [each for each in running.design.patterns if each.id == "some"]
        assert pattern.kind == "batch"
        assert [(each.name, each.each) for each in pattern.parameters] == [("ids", True)]

    def test_ids_that_are_not_whole_keys_are_refused(self) -> None:
        with pytest.raises(DesignError, match="by the whole id"):
            tasks({**self.BATCH, "by": "listId"})
