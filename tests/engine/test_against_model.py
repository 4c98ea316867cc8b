"""The engine against a naive model: a dict of items, lists that are sorted, and comparisons written out by hand."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from tablewright.engine import Engine
from tablewright.errors import ConditionFailed
from tablewright.wire.values import marshal_item, unmarshal_item

PARTITIONS = st.sampled_from(["a", "b", "ab", ""]).filter(bool)
TEXT_SORTS = st.text("ab~é", min_size=1, max_size=3)
NUMBER_SORTS = st.one_of(st.integers(-3, 12), st.sampled_from([Decimal("-0.5"), Decimal("1.25"), Decimal("1e10")]))
VALUES = st.one_of(
    st.text(max_size=4), st.integers(-5, 5), st.booleans(), st.none(), st.lists(st.integers(0, 3), max_size=2)
)
OPERATORS = {
    "=": lambda value, low, _: value == low,
    "<": lambda value, low, _: value < low,
    "<=": lambda value, low, _: value <= low,
    ">": lambda value, low, _: value > low,
    ">=": lambda value, low, _: value >= low,
    "BETWEEN": lambda value, low, high: low <= value <= high,
}


def order(value: Any) -> Any:
    """DynamoDB's order of key values: numbers by value, text by its UTF-8 bytes."""
    return value.encode() if isinstance(value, str) else Decimal(str(value)).normalize()


class Against(RuleBasedStateMachine):
    """One table with a GSI (whose keys are often missing) and an LSI."""

    sort_type = "S"
    sorts = TEXT_SORTS
    keys = Bundle("keys")

    def __init__(self) -> None:
        super().__init__()
        self.engine = Engine()
        self.items: dict[Any, dict[str, Any]] = {}

    @initialize()
    def make_table(self) -> None:
        def schema(pk: str, sk: str) -> list[dict[str, str]]:
            return [{"AttributeName": pk, "KeyType": "HASH"}, {"AttributeName": sk, "KeyType": "RANGE"}]

        self.engine.call(
            "CreateTable",
            {
                "TableName": "table",
                "AttributeDefinitions": [
                    {"AttributeName": name, "AttributeType": kind}
                    for name, kind in (("pk", "S"), ("sk", self.sort_type), ("g", "S"), ("n", "N"))
                ],
                "KeySchema": schema("pk", "sk"),
                "GlobalSecondaryIndexes": [
                    {"IndexName": "gsi", "KeySchema": schema("g", "n"), "Projection": {"ProjectionType": "ALL"}}
                ],
                "LocalSecondaryIndexes": [
                    {"IndexName": "lsi", "KeySchema": schema("pk", "n"), "Projection": {"ProjectionType": "KEYS_ONLY"}}
                ],
                "BillingMode": "PAY_PER_REQUEST",
            },
        )

    def teardown(self) -> None:
        self.engine.close()

    # ---- writes ----------------------------------------------------------------------------------------------------

    @rule(target=keys, pk=PARTITIONS, data=st.data(), extra=st.dictionaries(st.sampled_from(["x", "y"]), VALUES))
    def put(self, pk: str, data: st.DataObject, extra: dict[str, Any]) -> tuple[str, Any]:
        item = {"pk": pk, "sk": data.draw(self.sorts), **extra}
        if data.draw(st.booleans()):
            item["g"] = data.draw(PARTITIONS)
        if data.draw(st.booleans()):
            item["n"] = data.draw(st.integers(0, 4))
        self.engine.call("PutItem", {"TableName": "table", "Item": marshal_item(item)})
        self.items[pk, order(item["sk"])] = item
        return pk, item["sk"]

    @rule(key=keys, value=VALUES, step=st.integers(-2, 2), gone=st.sampled_from(["g", "n", "y"]))
    def update(self, key: tuple[str, Any], value: Any, step: int, gone: str) -> None:
        old = self.items.get((key[0], order(key[1])), {"pk": key[0], "sk": key[1]})
        count = old.get("count", 0) + step
        new = {name: each for name, each in old.items() if name != gone} | {"x": value, "count": count}
        reply = self.engine.call(
            "UpdateItem",
            {
                "TableName": "table",
                "Key": self.key_of(key),
                "UpdateExpression": "SET x = :x REMOVE #gone ADD #count :step",
                "ExpressionAttributeNames": {"#gone": gone, "#count": "count"},
                "ExpressionAttributeValues": marshal_item({":x": value, ":step": step}),
                "ReturnValues": "ALL_NEW",
            },
        )
        assert unmarshal_item(reply["Attributes"]) == new
        self.items[key[0], order(key[1])] = new

    @rule(key=keys, wanted=st.integers(-3, 3))
    def delete_if(self, key: tuple[str, Any], wanted: int) -> None:
        place = (key[0], order(key[1]))
        holds = self.items.get(place, {}).get("count") == wanted
        params = {
            "TableName": "table",
            "Key": self.key_of(key),
            "ConditionExpression": "#count = :wanted",
            "ExpressionAttributeNames": {"#count": "count"},
            "ExpressionAttributeValues": {":wanted": {"N": str(wanted)}},
        }
        try:
            self.engine.call("DeleteItem", params)
            assert holds
            del self.items[place]
        except ConditionFailed:
            assert not holds

    @rule(key=keys)
    def delete(self, key: tuple[str, Any]) -> None:
        reply = self.engine.call(
            "DeleteItem", {"TableName": "table", "Key": self.key_of(key), "ReturnValues": "ALL_OLD"}
        )
        assert unmarshal_item(reply.get("Attributes", {})) == self.items.pop((key[0], order(key[1])), {})

    # ---- reads -----------------------------------------------------------------------------------------------------

    def key_of(self, key: tuple[str, Any]) -> dict[str, Any]:
        return marshal_item({"pk": key[0], "sk": key[1]})

    @rule(key=keys)
    def get(self, key: tuple[str, Any]) -> None:
        reply = self.engine.call("GetItem", {"TableName": "table", "Key": self.key_of(key)})
        assert unmarshal_item(reply.get("Item", {})) == self.items.get((key[0], order(key[1])), {})

    @rule(pk=PARTITIONS, data=st.data(), forward=st.booleans(), limit=st.integers(1, 3))
    def query(self, pk: str, data: st.DataObject, forward: bool, limit: int) -> None:
        self.check_query(None, "pk", "sk", pk, data, self.sorts, forward=forward, limit=limit)

    @rule(pk=PARTITIONS, data=st.data(), forward=st.booleans(), limit=st.integers(1, 3))
    def query_gsi(self, pk: str, data: st.DataObject, forward: bool, limit: int) -> None:
        self.check_query("gsi", "g", "n", pk, data, st.integers(0, 4), forward=forward, limit=limit)

    @rule(pk=PARTITIONS, data=st.data(), forward=st.booleans(), limit=st.integers(1, 3))
    def query_lsi(self, pk: str, data: st.DataObject, forward: bool, limit: int) -> None:
        self.check_query("lsi", "pk", "n", pk, data, st.integers(0, 4), forward=forward, limit=limit)

    def check_query(
        self,
        index: str | None,
        hash_name: str,
        range_name: str,
        pk: str,
        data: Any,
        sorts: Any,
        *,
        forward: bool,
        limit: int,
    ) -> None:
        operator = data.draw(st.sampled_from(sorted(OPERATORS)))
        low, high = sorted((data.draw(sorts), data.draw(sorts)), key=order)
        condition = f"#r {operator} :low" if operator != "BETWEEN" else "#r BETWEEN :low AND :high"
        values = {":pk": pk, ":low": low, **({":high": high} if operator == "BETWEEN" else {})}
        params: dict[str, Any] = {
            "TableName": "table",
            "KeyConditionExpression": f"#h = :pk AND {condition}",
            "ExpressionAttributeNames": {"#h": hash_name, "#r": range_name},
            "ExpressionAttributeValues": marshal_item(values),
            "ScanIndexForward": forward,
            "Limit": limit,
            **({"IndexName": index} if index else {}),
        }
        found = self.all_pages("Query", params)
        wanted = [
            item
            for item in self.items.values()
            if item.get(hash_name) == pk
            and range_name in item
            and OPERATORS[operator](order(item[range_name]), order(low), order(high))
        ]
        given = [item[range_name] if range_name == "sk" else order(item[range_name]) for item in found]
        assert given == sorted((order(item[range_name]) for item in wanted), reverse=not forward)
        if index != "lsi":
            assert sorted(map(str, found)) == sorted(map(str, (sorted_fields(item) for item in wanted)))

    def all_pages(self, action: str, params: dict[str, Any]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        while True:
            reply = self.engine.call(action, params)
            found += [sorted_fields(unmarshal_item(item)) for item in reply["Items"]]
            if "LastEvaluatedKey" not in reply:
                return found
            params = {**params, "ExclusiveStartKey": reply["LastEvaluatedKey"]}

    @rule(segments=st.integers(1, 3), limit=st.integers(1, 4))
    def scan(self, segments: int, limit: int) -> None:
        found = [
            item
            for segment in range(segments)
            for item in self.all_pages(
                "Scan", {"TableName": "table", "Limit": limit, "Segment": segment, "TotalSegments": segments}
            )
        ]
        assert sorted(map(str, found)) == sorted(str(sorted_fields(item)) for item in self.items.values())

    @invariant()
    def indexes_hold_what_they_should(self) -> None:
        if "table" not in self.engine.call("ListTables", {})["TableNames"]:
            return
        entries = self.engine.call("Scan", {"TableName": "table", "IndexName": "gsi", "Select": "COUNT"})["Count"]
        assert entries == sum("g" in item and "n" in item for item in self.items.values())


def sorted_fields(item: dict[str, Any]) -> dict[str, Any]:
    """An item that prints the same whatever order its attributes came in, and however its numbers are held."""
    return {name: order(value) if name == "sk" else value for name, value in sorted(item.items())}


class NumbersAgainst(Against):
    """The same with a numeric sort key."""

    sort_type = "N"
    sorts = NUMBER_SORTS


TestText = Against.TestCase
TestText.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
TestNumbers = NumbersAgainst.TestCase
TestNumbers.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
