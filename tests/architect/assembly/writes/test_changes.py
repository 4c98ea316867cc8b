"""Updates that say what they change: run on the engine, against what dictionaries would hold."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from tablewright.design.steps.writes import write
from tablewright.proof.values import WRITTEN_AT
from tablewright.wire.document import from_wire, to_wire
from tests.architect.assembly.writes.running import Item, Running

if TYPE_CHECKING:
    from tablewright.design.steps.model import Flow

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
        assert running.write("like", between=None, **given) == result
    assert running.read("post", postId="p") == [{"postId": "p", "likes": 1}]


def test_a_token_that_was_used_is_known_again_where_the_item_was_read_first() -> None:
    running = stocked({**TAKE, "idempotent": True}, BY_STATUS)
    assert running.pattern("take").reads
    for _ in range(2):
        assert running.write("take", productId="p", qty=2, request_token="one") == "written"
    assert running.read("get", productId="p")[0]["stock"] == 3


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


# ---- updates that make the item -------------------------------------------------------------------------------------


def scores(style: str = "plain", **more: Any) -> Running:
    best: Item = {
        "id": ["game", "playerId"],
        "attributes": {"points": {"type": "number", "required": True}, "name": "string"},
        "count": 10_000,
        **more,
    }
    win = {
        "id": "win",
        "kind": "write",
        "op": "update",
        "entity": "Best",
        "by": ["game", "playerId"],
        "changes": {"points": {"add": "{won}"}},
        "upsert": True,
    }
    return Running(
        {
            "entities": {"Best": best},
            "access_patterns": [
                {"id": "top", "kind": "query", "entity": "Best", "by": "game", "sort": "points desc", "limit": 10},
                {"id": "of", "kind": "query", "entity": "Best", "by": "playerId", "consistency": "strong"},
                {"id": "get", "kind": "get", "entity": "Best", "by": ["game", "playerId"], "consistency": "strong"},
                {
                    "id": "sum",
                    "kind": "query",
                    "entity": "Best",
                    "by": "game",
                    "aggregate": {"sum": "points"},
                    "rate": 100,
                    "consistency": "strong",
                },
                {
                    "id": "count",
                    "kind": "query",
                    "entity": "Best",
                    "by": "game",
                    "aggregate": "count",
                    "rate": 100,
                    "consistency": "strong",
                },
                {"id": "put", "kind": "write", "op": "put", "entity": "Best", "by": ["game", "playerId"]},
                {"id": "drop", "kind": "write", "op": "delete", "entity": "Best", "by": ["game", "playerId"]},
                win,
            ],
            "constraints": {"key_style": style},
        }
    )


@pytest.mark.parametrize("style", STYLES)
def test_an_update_makes_what_is_not_there_with_its_lists_and_totals(style: str) -> None:
    running = scores(style)
    points: dict[str, int] = {}
    for player, won in (("a", 5), ("b", 3), ("a", 1), ("c", 9), ("b", -1)):
        points[player] = points.get(player, 0) + won
        assert running.write("win", game="g", playerId=player, won=won) == "written"
        ranked = sorted(points.items(), key=lambda each: -each[1])
        top = [(each["playerId"], each["points"]) for each in running.read("top", game="g")]
        assert top == ranked
        assert answered(running, "sum") == sum(points.values())
        assert answered(running, "count") == len(points)
    assert running.write("drop", game="g", playerId="a") == "written"
    assert answered(running, "count") == 2
    assert running.read("of", playerId="b") == [{"game": "g", "playerId": "b", "points": 2}]


def answered(running: Running, pattern: str) -> Any:
    """The number that a pattern answers, kept or added up."""
    items, (kind, attribute) = running.read(pattern, game="g"), next(iter(running.pattern(pattern).aggregate.items()))
    match kind:
        case "total":
            return sum(each.get(attribute, 0) for each in items)
        case "count":
            return len(items)
        case _:
            return sum(each[attribute] for each in items)


def test_two_that_make_the_same_item_at_once_are_one_after_the_other() -> None:
    running = scores()

    def other() -> None:
        assert running.write("win", game="g", playerId="a", won=4) == "written"

    result = running.write("win", game="g", playerId="a", won=3, between=other)
    points = 7 if result == "written" else 4
    assert running.read("get", game="g", playerId="a")[0]["points"] == points
    assert [each["points"] for each in running.read("top", game="g")] == [points]
    assert (answered(running, "sum"), answered(running, "count")) == (points, 1)


WON = {"game": "g", "playerId": "a", "won": 4}


def send(running: Running, flow: Flow[None]) -> None:
    """All requests of a write, at a time of its own."""
    replies: Any = None
    with suppress(StopIteration):
        while True:
            requests = next(flow) if replies is None else flow.send(replies)
            replies = [from_wire(running.engine.call(each.action, to_wire(each.params))) for each in requests]


def test_what_is_made_expires_and_what_is_changed_keeps_its_time() -> None:
    running = scores(ttl={"days": 1})
    (table,) = running.design.tables

    def times() -> set[str]:
        found = running.engine.call("Scan", {"TableName": table.name})["Items"]
        return {each[str(table.ttl_attribute)]["N"] for each in found}

    assert running.write("win", game="g", playerId="a", won=4) == "written"
    assert times() == {str(WRITTEN_AT + 86_400)}
    later = write(running.compiled.stored, "win", running.compiled.writings["win"], WON, WRITTEN_AT + 100)
    send(running, later)
    assert times() == {str(WRITTEN_AT + 86_400)}
    assert running.read("get", game="g", playerId="a")[0]["points"] == 8


# ---- versions -------------------------------------------------------------------------------------------------------


def documents(*, copies: bool = False) -> Running:
    page = {
        "id": ["book", "pageId"],
        "version": True,
        "attributes": {"text": "string", "status": {"values": ["open", "closed"], "required": True}},
        "count": 1000,
        "unique": [["book", "text"]] if copies else [],
    }
    one = {"entity": "Page", "by": ["book", "pageId"]}
    return Running(
        {
            "entities": {"Page": page},
            "access_patterns": [
                {"id": "get", "kind": "get", **one, "consistency": "strong"},
                {"id": "of", "kind": "query", "entity": "Page", "by": "pageId", "consistency": "strong"},
                {"id": "list", "kind": "query", "entity": "Page", "by": "status", "sort": "version desc"},
                {"id": "put", "kind": "write", "op": "put", **one},
                {"id": "edit", "kind": "write", "op": "update", **one, "changes": ["text"]},
                {"id": "close", "kind": "write", "op": "update", **one, "changes": {"status": "closed"}},
                {"id": "drop", "kind": "write", "op": "delete", **one},
            ],
        }
    )


@pytest.mark.parametrize("copies", [False, True])
def test_only_who_has_seen_the_last_version_may_write(copies: bool) -> None:
    running = documents(copies=copies)
    page = {"book": "b", "pageId": "p"}

    def write(pattern: str, version: int, **more: Any) -> str:
        return running.write(pattern, between=None, **page, version=version, **more)

    assert write("put", 1, text="x", status="open") == "refused"
    assert write("put", 0, text="x", status="open") == "written"
    assert running.read("get", **page) == [{**page, "text": "x", "status": "open", "version": 1}]
    assert write("put", 0, text="y", status="open") == "refused"
    assert write("put", 1, text="y", status="open") == "written"
    assert write("edit", 1, text="z") == "refused"
    assert write("edit", 2, text="z") == "written"
    assert write("close", 2) == "refused"
    assert write("close", 3) == "written"
    expected = {**page, "text": "z", "status": "closed", "version": 4}
    assert running.read("get", **page) == [expected]
    assert running.read("of", pageId="p") == [expected]
    assert running.read("list", status="closed") == [expected]
    assert write("drop", 3) == "refused"
    assert write("drop", 4) == "written"
    assert running.read("get", **page) == []
    assert write("edit", 4, text="z") in ("refused", "absent")


def test_of_two_who_have_seen_the_same_version_one_is_refused() -> None:
    running = documents()
    page = {"book": "b", "pageId": "p"}
    running.write("put", between=None, **page, version=0, text="x", status="open")

    def other() -> None:
        assert running.write("edit", between=None, **page, version=1, text="theirs") == "written"

    assert running.write("edit", **page, version=1, text="mine", between=other) == "refused"
    assert running.read("get", **page)[0]["text"] == "theirs"


# ---- parents --------------------------------------------------------------------------------------------------------


def forum(**relationship: Any) -> Running:
    entities = {
        "Topic": {"id": "topicId", "attributes": {"title": "string"}, "count": 100},
        "User": {"id": "userId", "attributes": {"name": "string"}, "count": 100},
        "Post": {
            "id": "postId",
            "attributes": {"topicId": {"required": True}, "authorId": "string", "text": "string"},
            "count": 1000,
        },
    }
    return Running(
        {
            "entities": entities,
            "relationships": [
                {"from": "Topic", "to": "Post", "kind": "1:n", "avg": 10, "max": 100, **relationship},
                {"from": "User", "to": "Post", "kind": "1:n", "by": "authorId", "avg": 10, "max": 100, **relationship},
            ],
            "access_patterns": [
                {"id": "topic", "kind": "get", "entity": "Topic", "by": "topicId"},
                {"id": "user", "kind": "get", "entity": "User", "by": "userId"},
                {"id": "post", "kind": "get", "entity": "Post", "by": "postId"},
                {"id": "posts", "kind": "query", "entity": "Post", "by": "topicId"},
                {"id": "open", "kind": "write", "op": "put", "entity": "Topic", "by": "topicId"},
                {"id": "shut", "kind": "write", "op": "delete", "entity": "Topic", "by": "topicId"},
                {"id": "join", "kind": "write", "op": "put", "entity": "User", "by": "userId"},
                {"id": "say", "kind": "write", "op": "put", "entity": "Post", "by": "postId"},
                {
                    "id": "edit",
                    "kind": "write",
                    "op": "update",
                    "entity": "Post",
                    "by": "postId",
                    "changes": ["text"],
                },
                {
                    "id": "move",
                    "kind": "write",
                    "op": "update",
                    "entity": "Post",
                    "by": "postId",
                    "changes": ["topicId"],
                },
            ],
        }
    )


def test_a_child_is_written_only_where_its_parents_are() -> None:
    running = forum(integrity="checked")
    running.write("open", topicId="t")
    running.write("join", userId="u")
    assert running.write("say", postId="1", topicId="t", authorId="u", text="hello") == "written"
    assert running.write("say", postId="2", topicId="nowhere", authorId="u") == "refused"
    assert running.write("say", postId="2", topicId="t", authorId="nobody") == "refused"
    assert running.write("say", postId="2", topicId="t", text="anonymous") == "written"
    assert {each["postId"] for each in running.read("posts", topicId="t")} == {"1", "2"}

    def shut() -> None:
        assert running.write("shut", topicId="t") == "written"

    assert running.write("say", postId="3", topicId="t", between=shut) == "refused"
    assert running.read("post", postId="3") == []
    assert running.write("move", postId="1", topicId="t") == "refused"
    running.write("open", topicId="another")
    assert running.write("move", postId="1", topicId="another") == "written"


def test_an_update_that_names_no_other_parent_looks_at_none() -> None:
    running = forum(integrity="checked")
    assert len(running.pattern("edit").writes) == 1
    assert not running.pattern("edit").reads
    running.write("open", topicId="t")
    running.write("say", postId="1", topicId="t", text="hello")
    running.write("shut", topicId="t")
    assert running.write("edit", postId="1", text="still mine") == "written"


def test_nothing_is_looked_at_where_nobody_asks_for_it() -> None:
    running = forum()
    assert len(running.pattern("say").writes) == 1
    assert running.write("say", postId="2", topicId="nowhere") == "written"


def test_looks_and_reads_are_billed() -> None:
    checked, free = forum(integrity="checked"), forum()
    for pattern, looks in (("say", 2), ("move", 1)):
        wcu = checked.pattern(pattern).predicted.wcu
        assert wcu == pytest.approx(2 * (free.pattern(pattern).predicted.wcu + looks), rel=0.1)
    assert checked.pattern("edit").predicted.wcu == free.pattern("edit").predicted.wcu
    checked.write("open", topicId="t")
    checked.write("join", userId="u")
    taken = checked.outcome("say", postId="1", topicId="t", authorId="u", text="hello")
    assert sum(taken.wcu.values()) == pytest.approx(checked.pattern("say").predicted.wcu, rel=0.01)
