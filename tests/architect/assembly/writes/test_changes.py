"""Updates that say what they change: run on the engine, against what dictionaries would hold."""

from __future__ import annotations

from typing import Any

import pytest

from tests.architect.assembly.writes.running import Item, Running

STYLES = ("plain", "electrodb")
PRODUCT: Item = {
    "id": "productId",
    "attributes": {
        "stock": {"type": "number", "required": True},
        "status": {"values": ["open", "closed", "draft"], "required": True},
        "due": {"type": "timestamp"},
        "note": "string",
    },
    "count": 1000,
}
GET = {"id": "get", "kind": "get", "entity": "Product", "by": "productId", "consistency": "strong"}
PUT = {"id": "put", "kind": "write", "op": "put", "entity": "Product", "by": "productId"}
UPDATE = {"kind": "write", "op": "update", "entity": "Product", "by": "productId"}
TAKE = {**UPDATE, "id": "take", "changes": {"stock": {"add": "-{qty}"}}, "when": "stock >= {qty}"}
CLOSE = {**UPDATE, "id": "close", "changes": {"status": "closed", "due": {"remove": True}, "note": {"given": True}}}
BY_STATUS = {"id": "by-status", "kind": "query", "entity": "Product", "by": "status", "sort": "stock desc"}


def shop(*patterns: Item, style: str = "plain", **entities: Item) -> Running:
    spec = {
        "entities": {"Product": PRODUCT, **entities},
        "access_patterns": [GET, PUT, *patterns],
        "constraints": {"key_style": style},
    }
    return Running(spec)


def stocked(*patterns: Item, style: str = "plain", **entities: Item) -> Running:
    found = shop(*patterns, style=style, **entities)
    assert found.write("put", productId="p", stock=5, status="open", due="2026-01-01T00:00:00Z") == "written"
    return found


# ---- one update -----------------------------------------------------------------------------------------------------


def test_what_is_taken_is_one_update_with_its_condition() -> None:
    pattern = shop(TAKE).pattern("take")
    (step,) = pattern.writes
    assert (step.operation, pattern.transaction, pattern.reads) == ("UpdateItem", False, ())
    assert {str(path): str(amount) for path, amount in step.add.items()} == {"stock": "-{qty}"}
    assert str(step.condition) == "attribute_exists(pk) AND stock >= {qty}"
    assert [(each.name, each.type, each.required) for each in pattern.parameters] == [
        ("productId", "string", True),
        ("qty", "number", True),
    ]


def test_stock_is_never_oversold_with_a_writer_in_between() -> None:
    running = stocked(TAKE)

    def other() -> None:
        assert running.write("take", productId="p", qty=3) == "written"

    assert running.write("take", productId="p", qty=3, between=other) == "refused"
    assert running.write("take", productId="p", qty=2) == "written"
    assert running.read("get", productId="p")[0]["stock"] == 0
    assert running.write("take", productId="nobody", qty=1) == "refused"


@pytest.mark.parametrize("style", STYLES)
def test_stock_in_a_composed_key_is_refused_or_right_with_a_writer_in_between(style: str) -> None:
    running = stocked(TAKE, BY_STATUS, style=style)
    assert running.pattern("take").reads
    assert running.pattern("take").writes[0].unchanged == ("stock",)

    def other() -> None:
        assert running.write("take", productId="p", qty=1) == "written"

    assert running.write("put", productId="q", stock=4, status="open") == "written"
    assert running.write("take", productId="p", qty=3, between=other) == "refused"
    assert [each["stock"] for each in running.read("by-status", status="open")] == [4, 4]
    assert running.write("take", productId="p", qty=3) == "written"
    found = [(each["productId"], each["stock"]) for each in running.read("by-status", status="open")]
    assert found == [("q", 4), ("p", 1)]


@pytest.mark.parametrize("style", STYLES)
def test_constants_and_what_is_removed_move_items_between_lists(style: str) -> None:
    by_due = {"id": "by-due", "kind": "query", "entity": "Product", "by": "status", "sort": "due", "absent": "omit"}
    running = stocked(CLOSE, BY_STATUS, by_due, style=style)
    assert running.write("close", productId="p", note="sold out") == "written"
    expected = {"productId": "p", "stock": 5, "status": "closed", "note": "sold out"}
    assert running.read("get", productId="p") == [expected]
    assert running.read("by-status", status="closed") == [expected]
    assert running.read("by-status", status="open") == []
    assert running.read("by-due", status="closed") == []
    assert running.write("close", productId="p", note=None) == "written"
    assert "note" not in running.read("get", productId="p")[0]


def test_a_sparse_list_is_left_by_a_constant_without_a_read() -> None:
    open_ones = {"id": "open", "kind": "query", "entity": "Product", "by": [], "filter": {"status": "open"}}
    close = {**UPDATE, "id": "close", "changes": {"status": "closed"}}
    running = stocked(close, open_ones)
    assert len(running.read("open")) == 1
    assert running.write("close", productId="p") == "written"
    assert running.read("open") == []


@pytest.mark.parametrize("style", STYLES)
def test_what_is_absent_counts_nothing(style: str) -> None:
    entity = {
        "id": "gameId",
        "attributes": {"plays": "number", "kind": {"type": "string", "required": True}},
        "count": 99,
    }
    running = Running(
        {
            "entities": {"Game": entity},
            "access_patterns": [
                {"id": "get", "kind": "get", "entity": "Game", "by": "gameId"},
                {"id": "top", "kind": "query", "entity": "Game", "by": "kind", "sort": "plays desc", "limit": 10},
                {"id": "put", "kind": "write", "op": "put", "entity": "Game", "by": "gameId"},
                {
                    "id": "play",
                    "kind": "write",
                    "op": "update",
                    "entity": "Game",
                    "by": "gameId",
                    "changes": {"plays": {"add": 1}},
                },
            ],
            "constraints": {"key_style": style},
        }
    )
    plays: dict[str, int] = {}
    for game in ("a", "b", "c"):
        assert running.write("put", gameId=game, kind="chess") == "written"
    for game in "abbcbac":
        plays[game] = plays.get(game, 0) + 1
        assert running.write("play", gameId=game) == "written"
    best = sorted(plays.items(), key=lambda each: -each[1])
    assert [each["plays"] for each in running.read("top", kind="chess")] == [count for _, count in best]
    assert {each["gameId"]: each["plays"] for each in running.read("top", kind="chess")} == plays


# ---- totals ---------------------------------------------------------------------------------------------------------


def test_a_total_takes_the_same_amount_without_looking() -> None:
    stock: Item = {**PRODUCT, "attributes": {**PRODUCT["attributes"], "place": {"required": True, "immutable": True}}}
    total = {
        "id": "total",
        "kind": "query",
        "entity": "Product",
        "by": "place",
        "aggregate": {"sum": "stock"},
        "rate": 1000,
        "consistency": "strong",
    }
    take = {**TAKE, "by": ["productId", "place"], "rate": 0.01}
    running = shop(take, total, Product=stock)
    assert {each.kind for each in running.design.items} >= {"total"}
    for product, place, count in (("p", "here", 5), ("q", "here", 2), ("r", "there", 9)):
        running.write("put", productId=product, place=place, stock=count, status="open")
    assert running.write("take", productId="p", place="here", qty=3) == "written"
    assert running.write("take", productId="q", place="here", qty=3) == "refused"
    (kept,) = running.read("total", place="here")
    assert kept["stockTotal"] == 4
    assert not running.pattern("take").reads


# ---- several entities -----------------------------------------------------------------------------------------------

POST: Item = {"id": "postId", "attributes": {"likes": {"type": "number", "required": True}}, "count": 1000}
LIKE: Item = {
    "id": ["postId", "userId"],
    "attributes": {"at": {"type": "timestamp", "required": True, "immutable": True}},
    "count": 10_000,
}


def likes(**more: Any) -> Running:
    like = {
        "id": "like",
        "kind": "write",
        "op": "transact",
        "entities": ["Like", "Post"],
        "by": ["postId", "userId"],
        "ops": {
            "Like": {"op": "put", "condition": "not exists"},
            "Post": {"op": "update", "changes": {"likes": {"add": 1}}},
        },
        **more,
    }
    return Running(
        {
            "entities": {"Post": POST, "Like": LIKE},
            "relationships": [{"from": "Post", "to": "Like", "kind": "1:n", "avg": 10, "max": 1000}],
            "access_patterns": [
                {"id": "likes", "kind": "query", "entity": "Like", "by": "postId", "sort": "at desc", "limit": 20},
                {"id": "post", "kind": "get", "entity": "Post", "by": "postId"},
                {"id": "put", "kind": "write", "op": "put", "entity": "Post", "by": "postId"},
                like,
            ],
        }
    )


def test_a_second_like_is_refused_and_the_counter_stays() -> None:
    running = likes()
    running.write("put", postId="p", likes=0)
    for user, result in (("a", "written"), ("b", "written"), ("a", "refused")):
        assert running.write("like", postId="p", userId=user, at="2026-01-01T00:00:00Z") == result
    assert running.read("post", postId="p") == [{"postId": "p", "likes": 2}]
    assert len(running.read("likes", postId="p")) == 2
    assert running.write("like", postId="nobody", userId="a", at="2026-01-01T00:00:00Z") == "refused"
    assert running.read("likes", postId="nobody") == []


def test_the_same_token_twice_is_done_once() -> None:
    running = likes(idempotent=True)
    running.write("put", postId="p", likes=0)
    assert [each.name for each in running.pattern("like").parameters][-1] == "request_token"
    for token, result in (("one", "written"), ("one", "written"), ("two", "refused")):
        given = {"postId": "p", "userId": "a", "at": "2026-01-01T00:00:00Z", "request_token": token}
        assert running.write("like", **given) == result
    assert running.read("post", postId="p") == [{"postId": "p", "likes": 1}]


def test_each_entity_has_its_own_condition() -> None:
    order = {"id": "orderId", "attributes": {"productId": {"required": True}, "qty": {"type": "number"}}, "count": 1000}
    buy = {
        "id": "buy",
        "kind": "write",
        "op": "transact",
        "entities": ["Order", "Product"],
        "by": ["orderId", "productId"],
        "ops": {
            "Order": {"op": "put", "condition": "not exists"},
            "Product": {"op": "update", "changes": {"stock": {"add": "-{qty}"}}},
        },
        "when": "Product.stock >= {qty} AND Product.status = 'open'",
    }
    orders = {"id": "order", "kind": "get", "entity": "Order", "by": "orderId"}
    running = stocked(buy, orders, Order=order)
    assert running.write("buy", orderId="1", productId="p", qty=3) == "written"
    assert running.write("buy", orderId="2", productId="p", qty=3) == "refused"
    assert running.write("buy", orderId="1", productId="p", qty=1) == "refused"
    assert running.read("get", productId="p")[0]["stock"] == 2
    assert running.read("order", orderId="1") == [{"orderId": "1", "productId": "p", "qty": 3}]
    assert running.read("order", orderId="2") == []


def test_a_check_writes_nothing_of_what_it_looks_at() -> None:
    order = {"id": "orderId", "attributes": {"productId": {"required": True}}, "count": 1000}
    buy = {
        "id": "buy",
        "kind": "write",
        "op": "transact",
        "entities": ["Order", "Product"],
        "by": ["orderId", "productId"],
        "ops": {"Order": "put", "Product": {"op": "check", "when": "status = 'open' AND stock > {least}"}},
    }
    running = stocked(buy, CLOSE, Order=order)
    operations = [each.operation for each in running.pattern("buy").writes]
    assert sorted(operations) == ["ConditionCheck", "PutItem"]
    assert running.write("buy", orderId="1", productId="p", least=1) == "written"
    assert running.write("buy", orderId="2", productId="p", least=9) == "refused"
    assert running.write("buy", orderId="2", productId="nobody", least=1) == "refused"

    def close() -> None:
        running.write("close", productId="p", note="gone")

    assert running.write("buy", orderId="2", productId="p", least=1, between=close) == "refused"


def test_a_bid_counts_only_if_it_is_higher() -> None:
    auction = {"id": "auctionId", "attributes": {"best": "number", "bidder": "string"}, "count": 1000}
    bid = {
        "id": "bid",
        "kind": "write",
        "op": "update",
        "entity": "Auction",
        "by": "auctionId",
        "changes": ["best", "bidder"],
        "when": "attribute_not_exists(best) OR best < {best}",
    }
    running = Running(
        {
            "entities": {"Auction": auction},
            "access_patterns": [
                {"id": "get", "kind": "get", "entity": "Auction", "by": "auctionId"},
                {"id": "put", "kind": "write", "op": "put", "entity": "Auction", "by": "auctionId"},
                bid,
            ],
        }
    )
    running.write("put", auctionId="a")
    best: tuple[int, str] | None = None
    for amount, who in ((5, "x"), (4, "y"), (5, "z"), (9, "y"), (7, "x")):
        is_higher = best is None or best[0] < amount
        best = (amount, who) if is_higher else best
        assert running.write("bid", auctionId="a", best=amount, bidder=who) == ("written" if is_higher else "refused")
        assert [(each["best"], each["bidder"]) for each in running.read("get", auctionId="a")] == [best]
