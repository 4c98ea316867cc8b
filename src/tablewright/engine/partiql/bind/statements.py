"""What a statement means for its table: trees made into conditions, updates, items and keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.engine.faults import validation
from tablewright.engine.partiql.bind.branches import Access
from tablewright.engine.partiql.bind.conditions import where_condition
from tablewright.engine.partiql.bind.literals import literal, node_name, struct_members
from tablewright.engine.partiql.bind.paths import column_name, is_path, table_parts, to_path
from tablewright.engine.partiql.bind.updates import to_update
from tablewright.engine.partiql.faults import ALIASED, malformed, validation_at
from tablewright.engine.partiql.syntax import tree as trees
from tablewright.engine.partiql.syntax.parse import parse_statement
from tablewright.errors import ServiceError
from tablewright.expr.nodes import Condition, Name, Update
from tablewright.wire.limits import MAX_STATEMENT_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.engine.context import EngineContext

TABLE_NAME = re.compile(r"[a-zA-Z0-9_.-]{3,255}")
BAD_TABLE_NAME = "A table's name has 3 to 255 characters: letters, digits, hyphens, underscores and dots"
MULTIPLE_KEYS = (
    "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys."
)
NOT_SINGLE = "INSERT puts one item: INSERT INTO table VALUE {'name': value, ...}"
NO_STRUCT = "The item of an INSERT is a map of its attributes: {'name': value, ...}"


class Parsed(msgspec.Struct, frozen=True):
    """A statement that was read, with its parameters; `exists` is whether it was wrapped in EXISTS()."""

    statement: trees.Select | trees.Insert | trees.Update | trees.Delete
    given: list[Any]
    names: list[str]
    exists: bool = False

    @property
    def reads(self) -> bool:
        return isinstance(self.statement, trees.Select) and not self.exists


class Select(msgspec.Struct, frozen=True):
    """`columns` is None for all of them; `order` gives attributes and whether they descend."""

    access: Access
    columns: tuple[Name, ...] | None
    where: Condition | None
    order: tuple[tuple[str, bool], ...] | None


class Insert(msgspec.Struct, frozen=True):
    access: Access
    item: dict[str, Any]


class Modify(msgspec.Struct, frozen=True):
    """An update, or with `update` None a deletion."""

    access: Access
    where: Condition | None
    update: Update | None
    returning: str | None


Statement = Select | Insert | Modify


def parse(text: str, given: list[Any]) -> Parsed:
    """The statement, well formed and with as many parameters as it has places for them."""
    if len(text) > MAX_STATEMENT_CHARACTERS:
        raise malformed()
    tree, places = parse_statement(text)
    if places != len(given):
        raise validation("Number of parameters in request and statement don't match.")
    exists = tree.kind == "call" and tree.token.text == "exists" and len(tree.parts) == 1
    inner = tree.parts[0] if exists else tree
    if inner.kind != "statement" or (exists and not isinstance(inner.statement, trees.Select)):
        raise validation(f"Unsupported operation: {node_name(tree)}")
    return Parsed(inner.statement, given, _source_names(inner.statement), exists)


def _source_names(statement: Any) -> list[str]:
    """The table, and the index if there is one, as they are written."""
    source: trees.Source = statement.source
    if source.joined:
        raise validation("SELECT reads one table or index; there are no joins")
    if source.aliased:
        raise validation(ALIASED)
    names = table_parts(source.tree)
    if len(names) > 1 and isinstance(statement, trees.Insert):
        raise validation("FROM clause may only contain a single table name in data manipulation statements")
    if not names[0].startswith("arn:") and not TABLE_NAME.fullmatch(names[0]):
        raise validation(BAD_TABLE_NAME)
    return names


def resolve(engine: EngineContext, parsed: Parsed) -> Access:
    """The table a statement is about, and the index it reads."""
    with engine.storage.reading():
        table = engine.table(parsed.names[0])
    if len(parsed.names) == 1:
        return Access(table)
    if not isinstance(parsed.statement, trees.Select):
        raise validation("This operation is not supported on an index")
    index = table.index(parsed.names[1])
    if index is not None and (len(index.keys.pk) > 1 or len(index.keys.sk) > 1):
        raise validation(MULTIPLE_KEYS)
    return Access(table, index)


def check_index(parsed: Parsed, access: Access) -> None:
    if len(parsed.names) > 1 and access.index is None:
        raise validation("The table does not have the specified index")


def check_operand_types(parsed: Parsed) -> None:
    """What is told before that there is no such table: that a condition compares what has no order."""
    where = None if isinstance(parsed.statement, trees.Insert) else parsed.statement.where
    try:
        if where is not None:
            where_condition(where, parsed.given)
    except ServiceError as error:
        if error.service_message.startswith("Incorrect operand type"):
            raise


def bind_statement(parsed: Parsed, access: Access) -> Statement:
    """The statement in the terms of its table."""
    statement, given = parsed.statement, parsed.given
    if isinstance(statement, trees.Select):
        return _to_select(statement, given, access)
    if isinstance(statement, trees.Insert):
        return _to_insert(statement, given, access)
    where = None if statement.where is None else where_condition(statement.where, given)
    returning = _to_returning(statement)
    update = to_update(statement.actions, given) if isinstance(statement, trees.Update) else None
    return Modify(access, where, update, returning)


def _to_select(statement: trees.Select, given: Sequence[Any], access: Access) -> Select:
    if statement.shape == "value":
        raise validation("SELECT lists attributes, or *; VALUE and PIVOT are not among them")
    if statement.shape == "aliased":
        raise validation(ALIASED)
    if statement.unsupported is not None:
        clause, token = statement.unsupported
        raise validation_at(f"DynamoDB has no {clause}; leave it out", token.place)
    columns = None if statement.columns is None else _to_columns(statement.columns)
    where = None if statement.where is None else where_condition(statement.where, given)
    order = None if statement.order is None else tuple(_order_term(*term) for term in statement.order)
    return Select(access, columns, where, order)


def _to_columns(columns: Sequence[trees.Tree]) -> tuple[Name, ...]:
    paths = tuple(to_path(column) for column in columns)
    names = [column_name(path) for path in paths]
    repeated = next((name for n, name in enumerate(names) if name in names[:n]), None)
    if repeated is not None:
        raise validation(f"SELECT lists {repeated} twice")
    return paths


def _order_term(tree: trees.Tree, direction: str) -> tuple[str, bool]:
    if not is_path(tree) or tree.kind == "path":
        raise validation(f"ORDER BY takes the names of key attributes, not {node_name(tree)}")
    return tree.token.text, direction == "desc"


def _to_insert(statement: trees.Insert, given: Sequence[Any], access: Access) -> Insert:
    if not statement.single:
        raise validation(NOT_SINGLE)
    if statement.refused:
        raise validation(statement.refused)
    if statement.value.kind == "?":
        item: Any = literal(statement.value, given)
        if type(item) is not dict:
            raise validation(NO_STRUCT)
        return Insert(access, cast("dict[str, Any]", item))
    if statement.value.kind != "struct":
        raise validation(NO_STRUCT)
    return Insert(access, {name: literal(value, given) for name, value in struct_members(statement.value).items()})


def _to_returning(statement: trees.Update | trees.Delete) -> str | None:
    returning = statement.returning
    if returning is None:
        return None
    if returning.several:
        raise validation("RETURNING takes one of ALL OLD *, ALL NEW *, MODIFIED OLD * and MODIFIED NEW *")
    if not returning.star:
        raise validation("RETURNING returns all attributes of its kind; write * behind it")
    if isinstance(statement, trees.Delete) and returning.what != "all_old":
        written = returning.what.replace("_", " ").upper()
        only = "Only RETURNING ALL OLD * is allowed in DELETE statements."
        raise validation(f"Invalid returning clause: RETURNING {written} *. {only}")
    return returning.what
