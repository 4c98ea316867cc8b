"""A cursor over the tokens of a statement, and the words DynamoDB has for what it did not expect there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.engine.partiql.faults import malformed
from tablewright.engine.partiql.syntax.tokens import END, Token, read_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tablewright.engine.partiql.syntax.tree import Delete, Insert, Select, Tree, Update

    Statements = Mapping[str, Callable[["Reader"], Select | Insert | Update | Delete]]

MOST_LEVELS = 70
"""Nesting that no statement of DynamoDB can use; reading it would only cost stack."""

SIGNS = {
    "(": "LEFT_PAREN",
    ")": "RIGHT_PAREN",
    "[": "LEFT_BRACKET",
    "]": "RIGHT_BRACKET",
    "{": "LEFT_CURLY",
    "}": "RIGHT_CURLY",
    ">>": "RIGHT_DOUBLE_ANGLE_BRACKET",
    ":": "COLON",
}


class Reader:
    """The tokens, the place in them, and how deep the expression at this place is.

    `statements` are the readers of what begins with a keyword: an expression may be a whole statement.
    """

    def __init__(self, statement: str, statements: Statements) -> None:
        self.statements = statements
        self.tokens = read_tokens(statement)
        self.at = 0
        self.level = 0

    @property
    def head(self) -> Token:
        return self.tokens[self.at]

    @property
    def following(self) -> Token:
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)]

    def is_next(self, sign: str) -> bool:
        return self.tokens[self.at].kind == sign

    def is_operator(self, text: str) -> bool:
        return self.head.kind == "operator" and self.head.text == text

    def take(self) -> Token:
        token = self.tokens[self.at]
        if token.kind != END:
            self.at += 1
        return token

    def is_word(self, *words: str) -> bool:
        return self.head.kind == "keyword" and self.head.text in words

    def take_word(self, *words: str) -> bool:
        found = self.is_word(*words)
        if found:
            self.at += 1
        return found

    def expect(self, sign: str) -> Token:
        if self.head.kind != sign:
            raise malformed(f"Expected {SIGNS[sign]}")
        return self.take()

    def at_end(self) -> bool:
        return self.head.kind == END or (self.head.kind == ";" and self.following.kind == END)

    def read_list(self, read: Callable[[], Tree]) -> tuple[Tree, ...]:
        """One or more, with commas between them."""
        items = [read()]
        while self.head.kind == ",":
            self.take()
            items.append(read())
        return tuple(items)

    def finish(self) -> None:
        """Nothing may follow a statement but one semicolon."""
        if self.at_end():
            return
        if self.head.kind == ";":
            raise malformed("Unexpected token after semicolon. (Only one query is allowed.)")
        raise malformed("Unexpected token after expression")
