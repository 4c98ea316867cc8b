"""A database that knows as much of DynamoDB as reads need: pages that end early, keys that are not processed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from tablewright.design.steps.model import PAUSE, KeyFields, Stored

if TYPE_CHECKING:
    from tablewright.design.steps.model import Flow, ItemType, Request

R = TypeVar("R")
Item = dict[str, Any]
UNEXPIRED = "attribute_not_exists(#until) OR #until > :v1"


def stored(**types: ItemType) -> Stored:
    return Stored(
        types=types,
        places={"t": KeyFields(sort=("sk",), all=("pk", "sk"))},
        type_field="type",
        hidden=frozenset({"pk", "sk"}),
        key_style="plain",
    )


class Memory:
    """One table `t`, keyed by `pk` and `sk`; a query is `#pk = :v0`, and leaves out what `until` says is over."""

    def __init__(self, items: Iterable[Item], page: int = 1000, processed: int = 1000) -> None:
        self.items = sorted(items, key=lambda each: (each["pk"], each["sk"]))
        self.page, self.processed = page, processed
        self.asked: list[tuple[Request, ...]] = []

    def drive(self, flow: Flow[R]) -> R:
        try:
            requests = next(flow)
            while True:
                self.asked.append(requests)
                requests = flow.send([self.reply(each) for each in requests])
        except StopIteration as done:
            found: R = done.value
            return found

    def reply(self, request: Request) -> dict[str, Any]:
        match request.action:
            case "Query":
                return self.query(request.params)
            case "GetItem":
                found = self.get(request.params["Key"])
                return {} if found is None else {"Item": found}
            case "BatchGetItem":
                return self.batch(request.params["RequestItems"]["t"]["Keys"])
            case other:
                assert other == PAUSE, other
                return {}

    def get(self, key: Item) -> Item | None:
        return next((each for each in self.items if each["pk"] == key["pk"] and each["sk"] == key["sk"]), None)

    def query(self, params: dict[str, Any]) -> dict[str, Any]:
        pk = params["ExpressionAttributeValues"][":v0"]
        found = [each for each in self.items if each["pk"] == pk]
        if params.get("ScanIndexForward") is False:
            found.reverse()
        start = params.get("ExclusiveStartKey")
        first = 0 if start is None else 1 + next(at for at, each in enumerate(found) if each["sk"] == start["sk"])
        page = found[first : first + min(self.page, params.get("Limit", self.page))]
        is_last = first + len(page) >= len(found)
        kept = [each for each in page if self.passes(params, each)]
        return {"Items": kept} | ({} if is_last else {"LastEvaluatedKey": {"pk": pk, "sk": page[-1]["sk"]}})

    def passes(self, params: dict[str, Any], item: Item) -> bool:
        """What is filtered counts for Limit and pages all the same."""
        if "FilterExpression" not in params:
            return True
        assert params["FilterExpression"] == UNEXPIRED
        return "until" not in item or item["until"] > params["ExpressionAttributeValues"][":v1"]

    def batch(self, keys: list[Item]) -> dict[str, Any]:
        """Some keys at a time, in an order of its own."""
        assert len({(key["pk"], key["sk"]) for key in keys}) == len(keys) <= 100
        done, left = keys[: self.processed], keys[self.processed :]
        items = [item for key in reversed(done) if (item := self.get(key)) is not None]
        return {"Responses": {"t": items}} | ({"UnprocessedKeys": {"t": {"Keys": left}}} if left else {})
