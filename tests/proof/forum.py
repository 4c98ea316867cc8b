"""A forum: boards with posts with comments that answer each other, likes between users and posts, and those who follow.

The application over dictionaries is written out here; nothing of it comes from the package.
"""

from __future__ import annotations

from typing import Any, TypeAlias

Item: TypeAlias = dict[str, Any]

FORUM: dict[str, Any] = {
    "name": "forum",
    "entities": {
        "Board": {"id": ["boardId"], "attributes": {"boardId": "string", "title": "string"}, "count": 100},
        "Post": {
            "id": ["postId"],
            "unique": ["slug"],
            "count": 10000,
            "attributes": {
                "postId": "string",
                "boardId": "string",
                "slug": {"type": "string", "required": True},
                "state": {"type": "string", "values": ["open", "closed"], "required": True},
            },
        },
        "Comment": {
            "id": ["commentId"],
            "count": 50000,
            "attributes": {
                "commentId": "string",
                "postId": "string",
                "parentId": {"type": "string", "required": False},
                "text": "string",
            },
        },
        "User": {"id": ["userId"], "attributes": {"userId": "string", "name": "string"}, "count": 1000},
        "Like": {"id": ["userId", "postId"], "attributes": {"userId": "string", "postId": "string"}, "count": 30000},
        "Follow": {
            "id": ["followerId", "followeeId"],
            "attributes": {"followerId": "string", "followeeId": "string"},
            "count": 10000,
        },
    },
    "relationships": [
        {"from": "Board", "to": "Post", "kind": "one-to-many", "avg": 100, "max": 500, "cascade": True},
        {"from": "Post", "to": "Comment", "kind": "one-to-many", "avg": 5, "max": 100, "cascade": True},
        {"from": "Comment", "to": "Comment", "kind": "one-to-many", "by": ["parentId"], "avg": 3, "cascade": True},
        {"from": "User", "to": "Post", "kind": "many-to-many", "via": "Like", "avg": 30, "cascade": True},
        {"from": "User", "to": "User", "kind": "many-to-many", "via": "Follow", "avg": 10, "cascade": True},
    ],
    "access_patterns": [
        {"id": "board", "kind": "get", "entity": "Board", "by": ["boardId"], "rate": 1},
        {"id": "post", "kind": "get", "entity": "Post", "by": ["postId"], "rate": 10},
        {"id": "comments", "kind": "query", "entity": "Comment", "by": ["postId"], "rate": 10},
        {"id": "user", "kind": "get", "entity": "User", "by": ["userId"], "rate": 10},
        {"id": "open", "kind": "query", "entity": "Post", "by": ["boardId", "state"], "aggregate": "count", "rate": 50},
        {"id": "put board", "kind": "write", "op": "put", "entity": "Board", "by": ["boardId"]},
        {"id": "put post", "kind": "write", "op": "put", "entity": "Post", "by": ["postId"], "condition": "not exists"},
        {"id": "put comment", "kind": "write", "op": "put", "entity": "Comment", "by": ["commentId"]},
        {"id": "put user", "kind": "write", "op": "put", "entity": "User", "by": ["userId"]},
        {"id": "put like", "kind": "write", "op": "put", "entity": "Like", "by": ["userId", "postId"]},
        {"id": "put follow", "kind": "write", "op": "put", "entity": "Follow", "by": ["followerId", "followeeId"]},
        {
            "id": "answer",
            "kind": "write",
            "op": "update",
            "entity": "Comment",
            "by": ["commentId"],
            "changes": ["parentId"],
        },
        {
            "id": "close",
            "kind": "write",
            "op": "update",
            "entity": "Post",
            "by": ["postId"],
            "changes": ["slug", "state"],
        },
        {"id": "drop board", "kind": "write", "op": "delete", "entity": "Board", "by": ["boardId"], "rate": 0.001},
        {
            "id": "drop titled",
            "kind": "write",
            "op": "delete",
            "entity": "Board",
            "by": ["boardId"],
            "when": "title = {title}",
            "rate": 0.001,
        },
        {"id": "drop post", "kind": "write", "op": "delete", "entity": "Post", "by": ["postId"], "rate": 0.01},
        {"id": "drop comment", "kind": "write", "op": "delete", "entity": "Comment", "by": ["commentId"], "rate": 0.01},
        {"id": "drop user", "kind": "write", "op": "delete", "entity": "User", "by": ["userId"], "rate": 0.01},
    ],
}

NAMES = {
    ("Board", "Post"): {"boardId": "boardId"},
    ("Post", "Comment"): {"postId": "postId"},
    ("Comment", "Comment"): {"parentId": "commentId"},
    ("User", "Like"): {"userId": "userId"},
    ("Post", "Like"): {"postId": "postId"},
    ("User", "Follow"): {"followerId": "userId"},
}
IDS = {name: tuple(entity["id"]) for name, entity in FORUM["entities"].items()}


class Dictionaries:
    """By entity and id: the items there are."""

    def __init__(self, things: dict[str, list[Item]]) -> None:
        self.things = {name: {id_of(name, each): each for each in things.get(name, [])} for name in IDS}

    @property
    def instances(self) -> dict[str, list[Item]]:
        return {name: list(found.values()) for name, found in self.things.items()}

    def put(self, entity: str, item: Item) -> None:
        self.things[entity][id_of(entity, item)] = item

    def delete(self, entity: str, **ids: str) -> None:
        """With every child, and theirs, and the edges that name it."""
        self.things[entity].pop(id_of(entity, ids), None)
        for child, found in self.things.items():
            for item in list(found.values()):
                if id_of(child, item) in found and _names(child, item, entity, ids):
                    self.delete(child, **{name: item[name] for name in IDS[child]})


def id_of(entity: str, item: Item) -> tuple[str, ...]:
    return tuple(item[name] for name in IDS[entity])


def _names(child: str, item: Item, parent: str, ids: Item) -> bool:
    if (child, parent) == ("Follow", "User") and item["followeeId"] == ids["userId"]:
        return True
    named = NAMES.get((parent, child))
    return named is not None and all(item.get(ours) == ids[theirs] for ours, theirs in named.items())


def small_forum() -> Dictionaries:
    """Two boards with three posts each; comments three deep; every user likes several posts and follows the next."""
    posts = [
        {
            "postId": f"p{number}",
            "boardId": f"b{number % 2}",
            "slug": f"s{number}",
            "state": ("open", "closed")[number % 3 == 0],
        }
        for number in range(6)
    ]
    comments = [
        {"commentId": f"c{post}-{number}", "postId": f"p{post}", "text": "x"}
        | ({} if number == 0 else {"parentId": f"c{post}-{(number - 1) // 2}"})
        for post in range(6)
        for number in range(6)
    ]
    users = [{"userId": f"u{number}", "name": "n"} for number in range(4)]
    return Dictionaries(
        {
            "Board": [{"boardId": "b0", "title": "zero"}, {"boardId": "b1", "title": "one"}],
            "Post": posts,
            "Comment": comments,
            "User": users,
            "Like": [{"userId": f"u{n % 4}", "postId": f"p{n % 6}"} for n in range(12)],
            "Follow": [{"followerId": f"u{n}", "followeeId": f"u{(n + 1) % 4}"} for n in range(4)],
        }
    )
