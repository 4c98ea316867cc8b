"""A naive table: it carries out the requests of single-item writes with the package's own reading of expressions."""

from __future__ import annotations

from typing import Any

from tablewright.expr.evaluate import apply, evaluate
from tablewright.expr.parse import parse_condition, parse_update


class Store:
    """Items by their key, as plain values."""

    def __init__(self) -> None:
        self.items: dict[tuple[Any, ...], dict[str, Any]] = {}

    def run(self, operation: Any) -> bool:
        """Carry out a put, update, upsert or delete; False when its condition does not hold."""
        params = operation.params()
        names, values = params.get("ExpressionAttributeNames", {}), params.get("ExpressionAttributeValues", {})
        key = params["Key"] if "Key" in params else {field: params["Item"][field] for field in ("pk", "sk")}
        place = tuple(key.values())
        stored = self.items.get(place)
        text = params.get("ConditionExpression")
        if text and not evaluate(parse_condition(text, names, values), stored or {}):
            return False
        if "Item" in params:
            self.items[place] = params["Item"]
        elif "UpdateExpression" in params:
            update = parse_update(params["UpdateExpression"], names, values)
            self.items[place] = apply(update, stored or key, exists=stored is not None)
        else:
            self.items.pop(place, None)
        return True
