from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tablewright.engine.engine import Engine
from tablewright.errors import ServiceError

Params = dict[str, Any]


def key_schema(*names: str) -> list[Params]:
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"), strict=False)]


def index(name: str, keys: list[Params], kind: str = "ALL", *included: str) -> Params:
    projection: Params = {"ProjectionType": kind}
    if included:
        projection["NonKeyAttributes"] = list(included)
    return {"IndexName": name, "KeySchema": keys, "Projection": projection}


def create(engine: Engine, name: str, keys: list[Params], types: str, **more: Any) -> None:
    """A table; `types` is such as "pk:S sk:N"."""
    definitions = [
        dict(zip(("AttributeName", "AttributeType"), each.split(":"), strict=True)) for each in types.split()
    ]
    engine.call(
        "CreateTable",
        {
            "TableName": name,
            "KeySchema": keys,
            "AttributeDefinitions": definitions,
            "BillingMode": "PAY_PER_REQUEST",
            **more,
        },
    )


class Session:
    """Statements against an engine with a few tables."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def run(self, statement: str, *given: Params, **more: Any) -> Params:
        request: Params = {"Statement": statement, **more}
        if given:
            request["Parameters"] = list(given)
        return self.engine.call("ExecuteStatement", request)

    def items(self, statement: str, *given: Params, **more: Any) -> list[Params]:
        return self.run(statement, *given, **more)["Items"]

    def values(self, statement: str, name: str) -> list[str]:
        """One attribute of every item, without its type."""
        return [next(iter(item[name].values())) for item in self.items(statement)]

    def refusal(self, statement: str, *given: Params, **more: Any) -> str:
        return self.refused(lambda: self.run(statement, *given, **more)).service_message

    def refused(self, call: Callable[[], Any], name: str = "ValidationException") -> ServiceError:
        with pytest.raises(ServiceError) as caught:
            call()
        assert caught.value.name == name
        return caught.value

    def put(self, table: str, **item: Any) -> None:
        self.engine.call("PutItem", {"TableName": table, "Item": item})

    def get(self, table: str, **key: str) -> Params | None:
        named = {name: {"S": value} for name, value in key.items()}
        return self.engine.call("GetItem", {"TableName": table, "Key": named}).get("Item")

    def batch(self, *statements: str | Params, **more: Any) -> Params:
        return self.engine.call("BatchExecuteStatement", {"Statements": listed(statements), **more})

    def transact(self, *statements: str | Params, **more: Any) -> Params:
        return self.engine.call("ExecuteTransaction", {"TransactStatements": listed(statements), **more})


def listed(statements: tuple[str | Params, ...]) -> list[Params]:
    return [{"Statement": each} if isinstance(each, str) else each for each in statements]


@pytest.fixture
def db(engine: Engine) -> Session:
    """`users` has a partition key, `orders` a sort key too, `numbers` a number for a key."""
    create(engine, "users", key_schema("pk"), "pk:S")
    create(engine, "orders", key_schema("pk", "sk"), "pk:S sk:S")
    create(engine, "numbers", key_schema("pk"), "pk:N")
    return Session(engine)


@pytest.fixture
def indexed(engine: Engine) -> Session:
    """`shelf` has indexes of every kind; `note` is in none but those that hold all."""
    create(
        engine,
        "shelf",
        key_schema("pk", "sk"),
        "pk:S sk:S g:S h:S l:S m:S",
        GlobalSecondaryIndexes=[
            index("by-g", key_schema("g")),
            index("by-h", key_schema("h"), "INCLUDE", "title"),
            index("h-keys", key_schema("h", "pk"), "KEYS_ONLY"),
        ],
        LocalSecondaryIndexes=[
            index("by-l", key_schema("pk", "l")),
            index("m-keys", key_schema("pk", "m"), "KEYS_ONLY"),
        ],
    )
    session = Session(engine)
    for n, g in enumerate(("x", "x", "z"), 1):
        text = {name: {"S": f"{name}{n}"} for name in ("sk", "l", "m", "title", "note")}
        session.put("shelf", pk={"S": "p"}, g={"S": g}, h={"S": "y"}, **text)
    session.put("shelf", pk={"S": "p"}, sk={"S": "sk9"}, note={"S": "note9"})
    session.put("shelf", pk={"S": "q"}, sk={"S": "sk5"}, h={"S": "y2"}, title={"S": "title5"}, note={"S": "note5"})
    return session
