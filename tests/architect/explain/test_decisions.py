"""Every decision has a reason, a price, and a next best that was really solved for."""

from __future__ import annotations

import msgspec
import pytest

from tablewright.architect.explain.decisions import NOT_TRIED, decisions, key_decisions, plan_decisions
from tablewright.architect.explain.resolve import again
from tablewright.architect.search.keep import keys_of
from tablewright.design.advice import Decision
from tablewright.design.cost.report import table_cost
from tests.architect.designs import CASES
from tests.architect.explain.grounds import begun, content, decided, start

pytestmark = pytest.mark.shares("case")

SMALL = ["battle-royale-game", "chat-system", "session-management", "social-network"]


def found(case: str) -> dict[str, Decision]:
    return {each.id: each for each in decided(case)}


def test_order_lines_not_kept_by_order_need_another_index() -> None:
    plain = begun(**content("online-shop"), constraints={"copies": "none"})
    lines = next(each for each in decisions(plain.solution, start=plain) if each.id == "table-key:OrderItem")
    assert (lines.loses.gsis, lines.loses.copies) == (1, 0)


def test_or_a_second_item_of_each() -> None:
    lines = found("online-shop")["table-key:OrderItem"]
    assert (lines.loses.gsis, lines.loses.copies) == (0, 1)
    assert lines.loses.usd_per_month > 0
    assert lines.patterns == ("AP5", "AP6")
    assert "AP5 is one Query instead of 5" in lines.why
    assert "AP6 is one Query on orderId, then productId" in lines.why


def test_an_entity_that_only_its_id_tells_apart_has_no_other_key() -> None:
    customer = found("online-shop")["table-key:Customer"]
    assert not customer.loses.possible
    assert customer.alternative == "No design serves all patterns without it."


def test_a_second_item_is_weighed_against_an_index() -> None:
    follow = found("social-network")["copy:Follow:followerId"]
    assert follow.patterns == ("AP3",)
    assert "one transaction" in follow.why


@pytest.mark.parametrize("case", SMALL)
def test_all_is_said_of_every_decision(case: str) -> None:
    for each in found(case).values():
        assert each.why, each.id
        assert each.chosen, each.id
        assert each.alternative, each.id


@pytest.mark.parametrize("case", CASES)
def test_decisions_add_up_to_the_bill(case: str) -> None:
    """Keys cost their writes and storage, plans their reads; left are point-in-time recovery and reads of writes."""
    begun_ = start(case)
    parts = [decision.usd_per_month for decision, _ in (*key_decisions(begun_), *plan_decisions(begun_))]
    bill = table_cost(begun_.solution.layout)
    left = sum(each.read_usd_per_month for each in bill.patterns if each.prediction.wcu)
    assert sum(parts) + left == pytest.approx(bill.usd_per_month - bill.pitr_usd_per_month)


@pytest.mark.parametrize("case", SMALL)
def test_the_next_best_design_is_without_the_key(case: str) -> None:
    begun_ = start(case)
    for key, (_, forbid) in zip(keys_of(begun_.now.choice), key_decisions(begun_), strict=True):
        other = again(begun_, forbid=forbid)
        if other is not None:
            there = {(each.place, each.shape.entity, each.shape.partition) for each in keys_of(other.choice)}
            assert (key.place, key.shape.entity, key.shape.partition) not in there


def test_shards_show_their_sum() -> None:
    hot = begun(
        entities={
            "Event": {
                "id": "eventId",
                "attributes": {"eventId": "string", "stream": {"required": True}},
                "size_bytes": 900,
                "count": 1_000_000,
            }
        },
        access_patterns=[
            {"id": "list", "kind": "query", "entity": "Event", "by": "stream", "limit": 20, "rate": 1},
            {
                "id": "add",
                "kind": "write",
                "op": "put",
                "entity": "Event",
                "by": ["eventId", "stream"],
                "rate": {"avg": 2000, "peak": 5000},
                "skew": {"hottest": 0.5},
            },
        ],
    )
    shards = [each for each in decisions(hot.solution, start=hot) if each.kind == "shards"]
    assert [each.subject for each in shards] == ["Event"]
    assert shards[0].chosen.startswith(
        "4 shards"
    )  # 5,000 a second, half of them on one key, one unit each: 2,500 / 700
    assert "2,500 units" in shards[0].why
    assert shards[0].patterns == ("list",)


def test_a_large_spec_says_what_was_not_looked_for() -> None:
    few = msgspec.structs.replace(start("chat-system"), allowed=2)
    first, second, *others = decisions(few.solution, start=few)
    assert NOT_TRIED not in (first.alternative, second.alternative)
    untried = [each.id for each in others if each.alternative == NOT_TRIED]
    assert untried == ["table-key:Membership", "plan:AP6", "plan:AP7", "plan:AP8", "plan:AP9"]


def test_a_projection_and_a_look_up_are_decisions_too() -> None:
    """A large item, of which a list needs little; and a unique value that finds its owner."""
    users = begun(
        entities={
            "User": {
                "id": "userId",
                "attributes": {"email": "string", "bio": {"size_bytes": 9000}, "teamId": {"required": True}},
                "unique": ["email"],
                "count": 100_000,
            }
        },
        access_patterns=[
            {"id": "one", "kind": "get", "entity": "User", "by": "userId", "rate": 50},
            {"id": "login", "kind": "get", "entity": "User", "by": "email", "rate": 5},
            {"id": "team", "kind": "query", "entity": "User", "by": "teamId", "returns": ["userId"], "rate": 10},
            {
                "id": "bio",
                "kind": "write",
                "op": "update",
                "entity": "User",
                "by": "userId",
                "changes": ["bio"],
                "rate": 4,
            },
        ],
    )
    told = {each.id: each for each in decisions(users.solution, start=users)}
    lean = told["projection:gsi1"]
    assert lean.chosen.startswith("INCLUDE with")
    assert lean.loses.usd_per_month > 100
    assert lean.alternative == "The same keys, and indexes that hold more of the items."
    assert told["table-key:User"].why.startswith("One gives the whole key, so one GetItem answers. Login asks it by")
    look_up = told["rewrite:lookup User (email)"]
    assert look_up.loses.gsis == 1
