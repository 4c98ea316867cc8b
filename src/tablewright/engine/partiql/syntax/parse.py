"""The statements themselves, clause by clause: SELECT, INSERT, UPDATE, DELETE, and UPDATE written FROM first."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tablewright.engine.partiql.faults import malformed
from tablewright.engine.partiql.syntax.expressions import AFTER_SET_OPERATORS, NAMES, expression, is_star, path_term
from tablewright.engine.partiql.syntax.keywords import JOINS
from tablewright.engine.partiql.syntax.reader import Reader
from tablewright.engine.partiql.syntax.tree import Assign, Delete, Insert, Returning, Select, Source, Unset, Update

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.engine.partiql.syntax.tokens import Token
    from tablewright.engine.partiql.syntax.tree import Tree

Action = Assign | Unset | Insert


def _select(reader: Reader) -> Select:
    reader.take()
    unsupported: tuple[str, Token] | None = None
    if reader.is_word("distinct"):
        unsupported = ("DISTINCT", reader.take())
    else:
        reader.take_word("all")
    shape = "value" if reader.take_word("value") else ""
    columns, aliased = ((expression(reader),), False) if shape else _column_list(reader)
    if not reader.take_word("from"):
        raise malformed("Expected FROM after SELECT list")
    source = _from_source(reader)
    where = _where_clause(reader, AFTER_SET_OPERATORS)
    order = _order_clause(reader)
    return Select(
        columns=columns,
        source=source,
        where=where,
        order=order,
        unsupported=_other_clauses(reader) or unsupported,
        shape=shape or ("aliased" if aliased else ""),
    )


def _column_list(reader: Reader) -> tuple[tuple[Tree, ...] | None, bool]:
    """The columns, None for `*`, and whether one of them is given another name."""
    columns: list[Tree] = []
    stars, aliased = 0, False
    while True:
        if is_star(reader.head):
            reader.take()
            stars += 1
        else:
            columns.append(expression(reader))
            aliased = _alias(reader) or aliased
        if reader.head.kind != ",":
            break
        reader.take()
    if stars and stars + len(columns) > 1:
        reason = "Other expressions may not be present in the select list when '*' is used without dot notation."
        raise malformed(reason)
    return (None if stars else tuple(columns)), aliased


def _alias(reader: Reader, *also: str) -> bool:
    """Whether another name follows, after AS or without it (or after one of the other words)."""
    if reader.is_word("as", *also):
        word = reader.take().text.upper()
        if reader.head.kind not in NAMES:
            raise malformed(f"A name must follow {word}")
        reader.take()
        return True
    if reader.head.kind in NAMES:
        reader.take()
        return True
    return False


def _aliases(reader: Reader) -> bool:
    """Read all the names a source is given, and say whether there were any."""
    aliased = False
    while _alias(reader, "at", "by"):
        aliased = True
    return aliased


def _from_source(reader: Reader) -> Source:
    if reader.take_word("unpivot"):
        return Source(expression(reader, AFTER_SET_OPERATORS), joined=True)
    tree = expression(reader, AFTER_SET_OPERATORS)
    aliased = _aliases(reader)
    joined = reader.head.kind == "," or reader.is_word(*JOINS)
    while reader.head.kind == "," or reader.is_word(*JOINS, "on"):
        reader.take()
        if not reader.is_word(*JOINS):
            expression(reader, AFTER_SET_OPERATORS)
            _aliases(reader)
    return Source(tree, aliased, joined)


def _where_clause(reader: Reader, precedence: int = -1) -> Tree | None:
    return expression(reader, precedence) if reader.take_word("where") else None


def _order_clause(reader: Reader) -> tuple[tuple[Tree, str], ...] | None:
    if not reader.take_word("order"):
        return None
    if not reader.take_word("by"):
        raise malformed("BY is missing")
    terms: list[tuple[Tree, str]] = []
    while True:
        tree = expression(reader)
        direction = reader.take().text if reader.is_word("asc", "desc") else "asc"
        terms.append((tree, direction))
        if reader.head.kind != ",":
            return tuple(terms)
        reader.take()


def _other_clauses(reader: Reader) -> tuple[str, Token] | None:
    """GROUP BY, HAVING and LIMIT can be written, but DynamoDB has none of them."""
    found: tuple[str, Token] | None = None
    while reader.is_word("group", "having", "limit", "offset"):
        word = reader.take().text.upper()
        if word == "GROUP":
            reader.take_word("partial")
            if not reader.take_word("by"):
                raise malformed("BY is missing")
        value = reader.read_list(lambda: expression(reader))[0]
        found = found or ("GROUP BY" if word == "GROUP" else word, value.token)
    return found


def _insert(reader: Reader) -> Insert:
    reader.take()
    source = Source(path_term(reader, simple=True))
    if not reader.take_word("value"):
        return Insert(source=source, value=expression(reader), single=False)
    value, refused = expression(reader), ""
    if reader.take_word("at"):
        expression(reader)
        refused = "INSERT puts one item as a whole; leave AT out"
    if reader.take_word("on_conflict"):
        refused = _conflict(reader)
    if _returning(reader) is not None:
        refused = refused or "INSERT returns nothing; leave RETURNING out"
    return Insert(source=source, value=value, refused=refused)


def _conflict(reader: Reader) -> str:
    if not reader.take_word("where"):
        raise malformed("invalid ON CONFLICT syntax")
    expression(reader)
    if not reader.take_word("do_nothing"):
        raise malformed("invalid ON CONFLICT syntax")
    return "DynamoDB has no ON CONFLICT; a condition on the key says whether there may be an item"


def _update(reader: Reader) -> Update:
    reader.take()
    source = _simple_source(reader)
    return Update(source=source, actions=_actions(reader), where=_where_clause(reader), returning=_returning(reader))


def _delete(reader: Reader) -> Delete:
    reader.take()
    if not reader.take_word("from"):
        raise malformed("Expected FROM after DELETE")
    source = _simple_source(reader)
    return Delete(source=source, where=_where_clause(reader), returning=_returning(reader))


def _from_first(reader: Reader) -> Update:
    reader.take()
    source, where = _from_source(reader), _where_clause(reader)
    return Update(source=source, where=where, actions=_actions(reader), returning=_returning(reader))


def _simple_source(reader: Reader) -> Source:
    tree = path_term(reader, simple=True)
    return Source(tree, _aliases(reader))


def _actions(reader: Reader) -> tuple[Action, ...]:
    found: list[Action] = []
    while reader.is_word("set", "remove", "insert_into"):
        found += ACTIONS[reader.head.text](reader)
    if not found:
        raise malformed("Expected data manipulation")
    return tuple(found)


def _assignments(reader: Reader) -> list[Action]:
    reader.take()
    found: list[Action] = []
    while True:
        path = path_term(reader, simple=True)
        if not reader.is_operator("="):
            raise malformed("A path that is SET must be followed by = and a value")
        reader.take()
        found.append(Assign(path, expression(reader)))
        if not reader.is_next(","):
            return found
        reader.take()


def _removal(reader: Reader) -> list[Action]:
    reader.take()
    return [Unset(path_term(reader, simple=True))]


ACTIONS: dict[str, Callable[[Reader], list[Action]]] = {
    "set": _assignments,
    "remove": _removal,
    "insert_into": lambda reader: [_insert(reader)],
}


def _returning(reader: Reader) -> Returning | None:
    if not reader.take_word("returning"):
        return None
    found: list[Returning] = []
    while True:
        if not reader.is_word("all_old", "all_new", "modified_old", "modified_new"):
            raise malformed("Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.")
        what, star = reader.take().text, is_star(reader.head)
        if star:
            reader.take()
        else:
            expression(reader)
        found.append(Returning(what, star))
        if reader.head.kind != ",":
            return Returning(found[0].what, found[0].star, several=len(found) > 1)
        reader.take()


def _bare_action(reader: Reader) -> Update:
    """SET or REMOVE without a table to do it to."""
    word = reader.head.text
    ACTIONS[word](reader)
    raise malformed(f"{word.upper()} must follow the table it changes: UPDATE table {word.upper()} ...")


STATEMENTS: dict[str, Callable[[Reader], Select | Insert | Update | Delete]] = {
    "select": _select,
    "insert_into": _insert,
    "update": _update,
    "delete": _delete,
    "from": _from_first,
    "set": _bare_action,
    "remove": _bare_action,
}


@lru_cache(maxsize=512)
def parse_statement(text: str) -> tuple[Tree, int]:
    """The whole statement, which may end with a semicolon, and the number of its parameters."""
    reader = Reader(text, STATEMENTS)
    tree = expression(reader)
    reader.finish()
    return tree, sum(token.kind == "?" for token in reader.tokens)
