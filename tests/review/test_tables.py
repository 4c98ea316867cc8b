from __future__ import annotations

import pytest

from tablewright.review.tables import stored_groups, tables_note
from tests.review.applications import CASES, PROJECT, PROJECT_WITH_TASKS, PUT_TASK, TASK, app, board, made

LOG = {
    "id": ["day", "logId"],
    "attributes": {"day": "string", "logId": "string"},
    "count": 10_000_000,
    "size_bytes": 10_000,
}
PUT_LOG = {"id": "log", "kind": "write", "op": "put", "entity": "Log", "by": ["day", "logId"], "rate": 0.001}
GET_LOG = {"id": "one", "kind": "get", "entity": "Log", "by": ["day", "logId"], "rate": 0.001}


def note(design):
    return tables_note(design.layout, design.cost)


def test_entities_that_one_read_answers_belong_together():
    design = board(PUT_TASK, GET_LOG, PUT_LOG, entities={"Log": LOG})
    assert stored_groups(design.layout) == (("Project", "Task"), ("Log",))


def test_a_class_of_its_own_can_pay_for_a_table():
    design = board({**PUT_TASK, "rate": 100}, GET_LOG, PUT_LOG, entities={"Log": {**LOG, "count": 50_000_000}})
    found = note(design)
    logs = next(each for each in design.cost.entities if each.entity == "Log")
    # the logs are stored for 0.10 instead of 0.25 a GB; what is written a hundred times a second stays in Standard
    assert found.recommended == "several"
    assert found.groups == (("Project", "Task"), ("Log",))
    assert design.cost.usd_per_month - found.several_usd_per_month == pytest.approx(logs.gb * 0.15, rel=0.001)
    assert found.single_usd_per_month < design.cost.usd_per_month  # all of it in Standard-IA is better than Standard
    assert "Standard-IA would suit Log" in found.points["life cycle"]


def test_what_saves_too_little_stays_together():
    design = board(PUT_TASK, GET_LOG, PUT_LOG, entities={"Log": {**LOG, "count": 1000}})
    found = note(design)
    assert found.recommended == "single"
    assert found.why.startswith("No read crosses 2 groups of entities, but splitting them saves too little: one table")


def test_where_everything_hangs_together_the_extra_requests_are_counted():
    found = note(board(PUT_TASK))
    # 10 reads a second of 500 + 20 x 1,000 bytes: 6 steps of 4 KB in one table, 1 + 5 in two; nothing more to pay
    assert found.recommended == "single"
    assert found.groups == (("Project",), ("Task",))
    assert found.several_usd_per_month == pytest.approx(found.single_usd_per_month)
    assert found.points["shared patterns"].startswith(
        "board answers with several entities: 1 request from one table, 2 from 2"
    )


def test_every_table_rounds_up_for_itself():
    design = app(
        {"Project": {**PROJECT, "size_bytes": 1000}, "Task": {**TASK, "count": 300, "size_bytes": 1000}},
        PROJECT_WITH_TASKS,
        relationships=[{"from": "Project", "to": "Task", "kind": "one-to-many", "avg": 3}],
    )
    found = note(design)
    # 1,000 + 3 x 1,000 bytes are one step of 4 KB together, and two apart: half a unit more, 10 times a second
    extra = 10 * 2.628 * 0.5 * 0.125
    assert found.several_usd_per_month - found.single_usd_per_month == pytest.approx(extra)


def test_where_reads_join_everything_several_tables_are_one():
    found = note(board(PUT_TASK, constraints={"tables": "several"}))
    assert found.recommended == "single"
    assert found.why.startswith("Several tables are asked for, but reads join all entities, so it is one: one table")


def test_points_have_numbers():
    shop = made(next(each for each in CASES if each.stem == "online-shop"))
    points = note(shop).points
    assert set(points) == {"shared patterns", "transactions", "backup and restore", "capacity", "life cycle", "access"}
    assert points["shared patterns"] == "None: no read asks more than one of the 5 tables."
    assert points["capacity"].startswith("One table has 3 places to provision and watch, 5 tables have ")
