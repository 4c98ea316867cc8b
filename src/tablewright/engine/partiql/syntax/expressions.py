"""Expressions to trees, by the precedence of operators.

DynamoDB reads a statement as one expression: SELECT, UPDATE and the others are terms like any other. That shows in
what it says of mistakes, so it is done the same way here: `SLECT * FROM t` is a product whose second factor is a FROM
without anything to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.engine.partiql.faults import malformed
from tablewright.engine.partiql.syntax.keywords import FUNCTION_WORDS, TYPE_WORDS
from tablewright.engine.partiql.syntax.reader import MOST_LEVELS
from tablewright.engine.partiql.syntax.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.engine.partiql.syntax.reader import Reader
    from tablewright.engine.partiql.syntax.tokens import Token

PRECEDENCE = {
    **dict.fromkeys(("union", "except", "intersect"), 5),
    "or": 10,
    "and": 20,
    **dict.fromkeys(("=", "<>", "is", "is_not", "in", "not_in"), 40),
    **dict.fromkeys(("<", "<=", ">", ">=", "between", "not_between", "like", "not_like"), 50),
    **dict.fromkeys(("+", "-", "||"), 60),
    **dict.fromkeys(("*", "/", "%"), 70),
}
AFTER_SET_OPERATORS = 6
NOT_PRECEDENCE = 30
ATOMS = frozenset({"string", "number", "true", "false", "null", "missing", "?", "ion"})
NAMES = frozenset({"name", "quoted"})


def expression(reader: Reader, precedence: int = -1) -> Tree:
    """A term and all that follows it and binds more tightly than the precedence."""
    reader.level += 1
    if reader.level > MOST_LEVELS:
        raise malformed()
    tree, depth = _unary(reader), 0
    while reader.head.kind == "operator" and PRECEDENCE.get(reader.head.text, -1) > precedence:
        operator = reader.take()
        joined = _infix(reader, tree, operator)
        depth += joined.kind != tree.kind or joined.kind not in ("and", "or")
        if depth > MOST_LEVELS:
            raise malformed()
        tree = joined
    reader.level -= 1
    return tree


def _infix(reader: Reader, left: Tree, operator: Token) -> Tree:
    word = operator.text
    if word in ("is", "is_not"):
        return Tree(word, _type_name(reader), (left,))
    if word in ("in", "not_in") and reader.head.kind == "(" and not _is_query(reader.following):
        opening = reader.take()
        choices = Tree("list", opening, reader.read_list(lambda: expression(reader)))
        reader.expect(")")
        return Tree(word, operator, (left, choices))
    right = _right_side(reader, word)
    if word in ("between", "not_between"):
        return Tree(word, operator, (left, right, _upper_bound(reader)))
    if word in ("and", "or") and left.kind == word:
        return msgspec.structs.replace(left, parts=(*left.parts, right))
    return Tree(word, operator, (left, right))


def _is_query(token: Token) -> bool:
    return token.kind == "keyword" and token.text in ("select", "values")


def _right_side(reader: Reader, word: str) -> Tree:
    if reader.at_end():
        raise malformed("Missing right-hand side expression of infix operator")
    return expression(reader, PRECEDENCE[word])


def _upper_bound(reader: Reader) -> Tree:
    if not reader.is_operator("and"):
        raise malformed("BETWEEN needs AND and a second bound")
    reader.take()
    if reader.at_end():
        raise malformed("BETWEEN needs AND and a second bound")
    return expression(reader, PRECEDENCE["between"])


def _type_name(reader: Reader) -> Token:
    token = reader.head
    if token.kind not in ("keyword", "null", "missing") or token.text not in TYPE_WORDS:
        raise malformed("Expected type name")
    reader.take()
    if reader.head.kind == "(":
        reader.take()
        reader.read_list(lambda: expression(reader))
        reader.expect(")")
    return token


def _unary(reader: Reader) -> Tree:
    """A term behind any number of signs; those of numbers are part of them."""
    operator = reader.head
    if operator.kind != "operator" or operator.text not in ("+", "-", "not"):
        return path_term(reader)
    reader.take()
    if operator.text == "not":
        return Tree("not", operator, (expression(reader, NOT_PRECEDENCE),))
    reader.level += 1
    if reader.level > MOST_LEVELS:
        raise malformed()
    term = _unary(reader)
    reader.level -= 1
    if term.kind != "number":
        return Tree("negative" if operator.text == "-" else "positive", operator, (term,))
    return _negate(term) if operator.text == "-" else term


def _negate(number: Tree) -> Tree:
    text = number.token.text
    turned = text[1:] if text.startswith("-") else f"-{text}"
    return msgspec.structs.replace(number, token=msgspec.structs.replace(number.token, text=turned))


# ---- paths -----------------------------------------------------------------------------------------------------------


def path_term(reader: Reader, *, simple: bool = False) -> Tree:
    """A term and the steps that lead on from it; a simple one starts with a name."""
    if simple and reader.head.kind not in NAMES:
        raise malformed("Expected identifier for simple path")
    start = _atom(reader) if simple else _term(reader)
    steps: list[Tree] = []
    while reader.head.kind in (".", "["):
        steps.append(_dot_step(reader, simple) if reader.head.kind == "." else _bracket_step(reader, simple))
    return Tree("path", start.token, (start, *steps)) if steps else start


def _dot_step(reader: Reader, simple: bool) -> Tree:
    reader.take()
    token = reader.head
    if token.kind in NAMES:
        return Tree("field", reader.take())
    if is_star(token):
        if simple:
            raise malformed("Invalid path dot component for simple path")
        return Tree("unpivot", reader.take())
    raise malformed("Invalid path dot component")


def _bracket_step(reader: Reader, simple: bool) -> Tree:
    opening = reader.take()
    if is_star(reader.head):
        step = Tree("wildcard", reader.take())
    else:
        inner = expression(reader)
        if simple and inner.kind not in ATOMS:
            raise malformed("Invalid path component for simple path")
        step = Tree("index", opening, (inner,))
    reader.expect("]")
    return step


def is_star(token: Token) -> bool:
    return token.kind == "operator" and token.text == "*"


# ---- terms -----------------------------------------------------------------------------------------------------------


def _atom(reader: Reader) -> Tree:
    token = reader.take()
    return Tree(token.kind, token)


def _term(reader: Reader) -> Tree:
    token = reader.head
    if token.kind in ATOMS:
        return _atom(reader)
    if token.kind in NAMES:
        return _call(reader) if reader.following.kind == "(" else _atom(reader)
    if token.kind in CONTAINERS:
        return CONTAINERS[token.kind](reader)
    if token.kind == "keyword":
        return _keyword_term(reader)
    if token.kind == "operator" and token.text != "*":
        raise malformed("Unexpected operator")
    raise malformed("Unexpected term")


def _keyword_term(reader: Reader) -> Tree:
    word = reader.head.text
    if word in reader.statements:
        token = reader.head
        return Tree("statement", token, statement=reader.statements[word](reader))
    if word in FUNCTION_WORDS and reader.following.kind == "(":
        return _call(reader)
    raise malformed("Unexpected keyword")


def _call(reader: Reader) -> Tree:
    name = reader.take()
    reader.expect("(")
    args: tuple[Tree, ...] = ()
    if is_star(reader.head):
        if name.text != "count":
            raise malformed(f"{name.text} cannot be called with *")
        reader.take()
    elif reader.head.kind != ")":
        args = reader.read_list(lambda: expression(reader))
    reader.expect(")")
    return Tree("call", name, args)


def _group(reader: Reader) -> Tree:
    opening = reader.take()
    parts = reader.read_list(lambda: expression(reader))
    reader.expect(")")
    return parts[0] if len(parts) == 1 else Tree("list", opening, parts)


def _sequence(kind: str, closing: str) -> Callable[[Reader], Tree]:
    def read(reader: Reader) -> Tree:
        opening = reader.take()
        parts = () if reader.head.kind == closing else reader.read_list(lambda: expression(reader))
        reader.expect(closing)
        return Tree(kind, opening, parts)

    return read


def _struct(reader: Reader) -> Tree:
    opening = reader.take()
    members = () if reader.head.kind == "}" else reader.read_list(lambda: _member(reader))
    reader.expect("}")
    return Tree("struct", opening, tuple(part for each in members for part in each.parts))


def _member(reader: Reader) -> Tree:
    key = expression(reader)
    colon = reader.expect(":")
    return Tree("member", colon, (key, expression(reader)))


CONTAINERS: dict[str, Callable[[Reader], Tree]] = {
    "(": _group,
    "[": _sequence("list", "]"),
    "<<": _sequence("bag", ">>"),
    "{": _struct,
}
