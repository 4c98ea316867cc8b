"""One write, read from a request and ready to be tried on an item: Put, Delete, Update or ConditionCheck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.expressions import Expressions
from tablewright.engine.faults import condition_failed, invalid_parameters, validation
from tablewright.engine.items import check_item, check_key, check_size
from tablewright.engine.values import read_item
from tablewright.expr.apply import apply
from tablewright.expr.evaluate import evaluate, project
from tablewright.expr.faults import ExpressionError
from tablewright.expr.nodes import Name, Update
from tablewright.wire.sizes import item_size_bytes
from tablewright.wire.values import marshal_item

if TYPE_CHECKING:
    from tablewright.engine.table import Table
    from tablewright.expr.nodes import Condition

Plain = dict[str, Any]


class Action:
    """What is to be done to one item; `check` against its table, then ask for the `outcome`."""

    def __init__(self, params: Plain, given: Plain) -> None:
        self.given = given
        self.condition: Condition | None = None
        self.returns: str = params.get("ReturnValues") or "NONE"
        self.tells_old = params.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"

    def key(self, table: Table) -> Plain:
        return {name: self.given[name] for name in table.keys.names}

    def check(self, table: Table) -> None:
        check_key(table, self.given)

    def outcome(self, table: Table, old: Plain | None) -> Plain | None:
        """The item afterwards (None for none), or the refusal."""
        if self.condition is not None and not holds(self.condition, old):
            shown = marshal_item(old) if self.tells_old and old is not None else None
            raise condition_failed(shown)
        return self.result(table, old)

    def result(self, table: Table, old: Plain | None) -> Plain | None:
        return None

    def returned(self, old: Plain | None, new: Plain | None) -> Plain | None:
        return old if self.returns == "ALL_OLD" else None


class Put(Action):
    def check(self, table: Table) -> None:
        check_item(table, self.given)

    def result(self, table: Table, old: Plain | None) -> Plain | None:
        return self.given


class Change(Action):
    update: Update | None = None

    def result(self, table: Table, old: Plain | None) -> Plain | None:
        item = self.given if old is None else old
        if self.update is None:
            return item
        try:
            return apply(self.update, item, exists=old is not None)
        except ExpressionError as error:
            raise validation(str(error)) from None

    def returned(self, old: Plain | None, new: Plain | None) -> Plain | None:
        whole = old if self.returns.endswith("_OLD") else new
        if self.returns == "NONE" or whole is None:
            return None
        return whole if self.returns.startswith("ALL") else project(written_paths(self.update), whole)


def written_paths(update: Update | None) -> list[Name]:
    if update is None:
        return []
    return [action.path for actions in (update.set, update.remove, update.add, update.delete) for action in actions]


def holds(condition: Condition, item: Plain | None) -> bool:
    try:
        return evaluate(condition, item or {})
    except ExpressionError as error:
        raise validation(str(error)) from None


def read_put(params: Plain) -> Put:
    action = Put(params, read_item(params["Item"]))
    check_size(item_size_bytes(action.given))
    expressions = Expressions(params)
    action.condition = expressions.condition()
    expressions.finish()
    return action


def read_delete(params: Plain) -> Action:
    action = Action(params, read_item(params["Key"]))
    expressions = Expressions(params)
    action.condition = expressions.condition()
    expressions.finish()
    return action


def read_update(params: Plain) -> Change:
    action = Change(params, read_item(params["Key"]))
    expressions = Expressions(params)
    action.update = expressions.update()
    action.condition = expressions.condition()
    expressions.finish()
    return action
