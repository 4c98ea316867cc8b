"""One write, read from a request and ready to be tried on an item: Put, Delete, Update or ConditionCheck.

What can be told from the request alone is refused while reading, what the table's keys tell by `check`, and what
depends on the item by `refuses` and `result`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from tablewright.engine import item_checks
from tablewright.engine.expressions import Expressions
from tablewright.engine.faults import invalid_parameters, validation
from tablewright.engine.legacy import legacy_condition, legacy_update, update_fault
from tablewright.engine.requests.envelope import ONLY_OLD
from tablewright.engine.store.item import plain_of
from tablewright.engine.store.values import (
    INSIDE,
    NESTING,
    Reading,
    Wording,
    canonical_text,
    read_attributes,
)
from tablewright.engine.writes.repeated import paths_of, remember, repeated
from tablewright.engine.writes.update_size import update_charge_bytes
from tablewright.expr.apply import apply
from tablewright.expr.compare import look_up
from tablewright.expr.evaluate import evaluate, project
from tablewright.expr.faults import ExpressionError
from tablewright.expr.nodes import Value
from tablewright.wire.sizes import item_size_bytes, resized_bytes

if TYPE_CHECKING:
    from tablewright.engine.store.item import StoredItem
    from tablewright.engine.store.table import Table
    from tablewright.expr.nodes import Condition, Name, Update

Plain = dict[str, Any]
Kind: TypeAlias = Literal["PutItem", "DeleteItem", "UpdateItem"]


class Action:
    """What is to be done to one item: here, to delete it."""

    def __init__(self, params: Plain) -> None:
        self.given: Plain = {}
        self.size: int | None = None  # of the item afterwards, once it is known
        self.text: bytes | None = None  # of the item afterwards, when it came as it is to be stored
        self.condition: Condition | None = None
        self.update: Update | None = None
        self.written: list[Name] | None = None  # where the update writes, once somebody asked
        self.legacy = "AttributeUpdates" in params
        self.returns: str = params.get("ReturnValues") or "NONE"
        self.tells_old = params.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"

    def check(self, table: Table) -> None:
        """Refuse what cannot be right for this table."""
        self.check_schema(table)
        self.check_no_empty_keys(table)
        self.check_rest(table)

    def check_schema(self, table: Table) -> None:
        item_checks.check_key_schema(table, self.given)

    def check_no_empty_keys(self, table: Table) -> None:
        item_checks.check_no_empty_key(table, self.given)

    def check_rest(self, table: Table) -> None:
        item_checks.check_key_lengths(table.keys, self.given)

    def refuses(self, old: Plain | None) -> bool:
        """Whether the condition does not hold for the item as it is."""
        return self.condition is not None and not evaluate(self.condition, old or {})

    def result(self, _table: Table, _old: StoredItem | None, /) -> Plain | None:
        """The item afterwards, None for none."""
        return None

    def updated(self, _item: Plain | None, /) -> Plain | None:
        """What an update wrote to, as this item has it."""
        return None


class Check(Action):
    """Nothing is to be done, but a condition has to hold."""

    def result(self, _table: Table, old: StoredItem | None, /) -> Plain | None:
        return plain_of(old)


class Put(Action):
    def check_schema(self, table: Table) -> None:
        item_checks.check_item_schema(table, self.given)

    def check_no_empty_keys(self, table: Table) -> None:
        item_checks.check_no_empty_key(table, self.given)
        if table.indexes:
            item_checks.check_no_empty_index_key(table, self.given)

    def check_rest(self, table: Table) -> None:
        item_checks.check_key_lengths(table.keys, self.given)
        if table.indexes:
            item_checks.check_index_types(table, self.given)
            item_checks.check_index_lengths(table, self.given)

    def result(self, _table: Table, _old: StoredItem | None, /) -> Plain | None:
        return self.given


class Change(Action):
    """An update: the item with some of its parts changed, made from its key when there was none."""

    _names: set[str] | None = None

    @property
    def paths(self) -> list[Name]:
        """The places it writes to."""
        if self.written is None:
            self.written = paths_of(self.update)
        return self.written

    @property
    def names(self) -> set[str]:
        """The attributes it writes to, or into."""
        if self._names is None:
            self._names = {str(path.parts[0]) for path in self.paths}
        return self._names

    def check_no_empty_keys(self, table: Table) -> None:
        item_checks.check_no_empty_key(table, self.given)
        if table.indexes and self.update is not None:
            literals = _literal_sets(self.update)
            item_checks.check_no_empty_index_update(table, literals, literals)

    def check_rest(self, table: Table) -> None:
        item_checks.check_key_lengths(table.keys, self.given)
        own = table.keys.names
        for path in self.paths:
            if path.parts[0] in own:
                reason = f"Cannot update attribute {path.parts[0]}. This attribute is part of the key"
                raise invalid_parameters(reason)
        item_checks.check_no_path_into_keys(table, self.paths)

    def charge_bytes(self) -> int:
        return 0 if self.update is None else update_charge_bytes(self.update)

    def result(self, table: Table, old: StoredItem | None, /) -> Plain | None:
        update, item = self.update, self.given if old is None else old.item
        if update is None:
            return item
        if old is None and (update.remove or update.delete) and not (update.set or update.add):
            return None
        try:
            new = apply(update, item, exists=old is not None)
        except ExpressionError as error:
            raise validation(update_fault(str(error)) if self.legacy else str(error)) from None
        self.check_result(table, new, self.names)
        self.size = item_size_bytes(new) if old is None else resized_bytes(old.size, item, new, self.names)
        item_checks.check_updated_size(self.size)
        return new

    def check_result(self, table: Table, new: Plain, names: set[str]) -> None:
        """Refuse what the update made of these attributes."""
        if not table.index_key_names.isdisjoint(names):
            item_checks.check_index_types(table, new, names)
            item_checks.check_no_empty_index_update(table, new, names)
        if table.indexes:
            item_checks.check_index_update_lengths(table, new)
        for path in self.paths:
            written = look_up(path.parts, new)
            if isinstance(written, dict | list) and _is_too_deep(written, INSIDE + 1 - len(path.parts)):
                raise validation(NESTING)

    def updated(self, item: Plain | None, /) -> Plain | None:
        return None if item is None else project(self.paths, item)


def _literal_sets(update: Update) -> Plain:
    """The attributes that get a value which the request names."""
    sets = ((each.path.parts, each.value) for each in update.set)
    return {str(parts[0]): value.value for parts, value in sets if len(parts) == 1 and isinstance(value, Value)}


def _is_too_deep(value: Any, levels: int) -> bool:
    """Whether more lists and maps than this lie inside each other."""
    level: list[Any] = [value]
    for _ in range(levels + 1):
        level = [member for each in level for member in _members_of(each)]
        if not level:
            return False
    return True


def _members_of(value: Any) -> list[Any]:
    members: list[Any] = []
    if isinstance(value, dict):
        members.extend(cast("Plain", value).values())
    elif isinstance(value, list):
        members.extend(value)  # pyright: ignore[reportUnknownArgumentType]
    return members


# ---- reading ---------------------------------------------------------------------------------------------------------

KINDS: dict[str, type[Action]] = {"PutItem": Put, "DeleteItem": Action, "UpdateItem": Change, "ConditionCheck": Check}
EXPRESSIONS = (
    "ConditionExpression",
    "UpdateExpression",
    "ExpressionAttributeNames",
    "ExpressionAttributeValues",
    "Expected",
    "AttributeUpdates",
    "ConditionalOperator",
)


def read_action(kind: str, params: Plain, wording: Wording) -> Action:
    """A write as the request describes it. The older layer looks at expressions before it looks at items and keys."""
    action = KINDS[kind](params)
    plain = params.keys().isdisjoint(EXPRESSIONS)
    if not plain and wording == "older":
        _read_expressions(action, params, wording)
    given, reading = params["Item" if kind == "PutItem" else "Key"], Reading(wording)
    action.given = read_attributes(given, reading)
    if action.returns not in ("NONE", "ALL_OLD") and kind != "UpdateItem":
        raise validation(ONLY_OLD)
    if kind == "PutItem":
        action.size = item_size_bytes(action.given)
        item_checks.check_size(action.size)
        action.text = canonical_text(given, action.given, reading)
    if not plain and wording != "older":
        _read_expressions(action, params, wording)
    return action


def _read_expressions(action: Action, params: Plain, wording: Wording) -> None:
    """The condition and the update, in either style."""
    has_texts = "UpdateExpression" in params or "ConditionExpression" in params  # which have no others beside them
    known = repeated(params, wording) if has_texts else None
    if known is not None:
        action.update, action.condition, action.written = known.update, known.condition, known.paths
        return
    action.update = legacy_update(params, wording)
    action.condition = legacy_condition(params, "Expected", wording)
    expressions = Expressions(params, wording)
    if "UpdateExpression" in params:
        action.update = expressions.update()
    if "ConditionExpression" in params:
        action.condition = expressions.condition()
    expressions.finish()
    if has_texts:
        remember(params, expressions.values)
