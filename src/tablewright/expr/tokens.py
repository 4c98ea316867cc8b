"""Text to tokens, and a reader that walks over them; the same for every kind of expression.

A token's kind is its text for punctuation, the keyword in upper case for keywords (`and` is `AND`), and otherwise one
of `name`, `#name`, `:value`, `number`. A character the language does not know is a token of its own, so that the
syntax error can point at it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from tablewright.wire.limits import MAX_EXPRESSION_BYTES

if TYPE_CHECKING:
    from tablewright.expr.faults import Faults

CONDITION_KEYWORDS = frozenset({"AND", "OR", "NOT", "BETWEEN", "IN"})
UPDATE_KEYWORDS = frozenset({"SET", "REMOVE", "ADD", "DELETE"})
NO_KEYWORDS: frozenset[str] = frozenset()

END = "<EOF>"

_TOKEN = re.compile(
    r"(?P<name>[A-Za-z][A-Za-z0-9_]*)"
    r"|(?P<named>\#[A-Za-z0-9_]+)"
    r"|(?P<valued>:[A-Za-z0-9_]+)"
    r"|(?P<number>[0-9]+)"
    r"|(?P<sign><>|<=|>=|\S)"
)
TELLING_SIZE = frozenset({"ConditionExpression", "FilterExpression"})
"""Expressions that are told how long they are when they are too long."""
_REMEMBERED = 256  # characters; longer texts are rare and their tokens would fill the memory
_KINDS = {"named": "#name", "valued": ":value", "number": "number"}


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def tokenize(text: str, keywords: frozenset[str]) -> list[_Token]:
    """All tokens, closed by the one for the end of the text."""
    tokens: list[_Token] = []
    for match in _TOKEN.finditer(text):
        word, group = match.group(), match.lastgroup
        if group == "name":
            kind = upper if (upper := word.upper()) in keywords else "name"
        else:
            kind = _KINDS.get(group or "", word)
        tokens.append(_Token(kind, word, match.start(), match.end()))
    tokens.append(_Token(END, END, len(text), len(text)))
    return tokens


@lru_cache(maxsize=1024)
def _tokens_of(text: str, keywords: frozenset[str]) -> tuple[list[_Token], dict[int, int]]:
    """The tokens and their pairs of parentheses, which nobody changes: programs send the same few texts."""
    tokens = tokenize(text, keywords)
    return tokens, _closing_positions(tokens)


class Reader:
    """A position in the tokens of one expression."""

    __slots__ = ("_closing", "_position", "_tokens", "faults", "text", "token")

    def __init__(self, text: str, keywords: frozenset[str], faults: Faults) -> None:
        self.text = text
        self.faults = faults
        self._refuse_unreadable()
        read = _tokens_of if len(text) <= _REMEMBERED else _tokens_of.__wrapped__
        self._tokens, self._closing = read(text, keywords)
        self._position = 0
        self.token = self._tokens[0]

    def _refuse_unreadable(self) -> None:
        if not self.text.strip():
            raise self.faults.now("The expression can not be empty;")
        size = len(self.text.encode("utf-8", "surrogatepass"))
        if size > MAX_EXPRESSION_BYTES:
            told = f" expression size: {size}" if self.faults.kind in TELLING_SIZE else ""
            raise self.faults.now(f"Expression size has exceeded the maximum allowed size;{told}")

    def next(self) -> _Token:
        """The current token, which is thereby read."""
        token = self.token
        if token.kind != END:
            self._position += 1
            self.token = self._tokens[self._position]
        return token

    def accept(self, kind: str) -> bool:
        """Read the token if it is of this kind."""
        if self.token.kind != kind:
            return False
        self.next()
        return True

    def expect(self, kind: str) -> _Token:
        """Read a token that must be of this kind."""
        if self.token.kind != kind:
            self.refuse()
        return self.next()

    def calls(self) -> bool:
        """Whether a function call starts here."""
        return self.token.kind == "name" and self._tokens[self._position + 1].kind == "("

    def after_closing(self) -> str:
        """The kind of the token behind the parenthesis that closes the one opened here."""
        closing = self._closing.get(self._position)
        return END if closing is None else self._tokens[closing + 1].kind

    def refuse(self) -> NoReturn:
        """A syntax error at the current token, shown with its neighbours."""
        here = self._position
        first = self._tokens[max(here - 1, 0)]
        last = self._tokens[min(here + 1, len(self._tokens) - 1)]
        if self.token.kind == END:
            last = first
        elif last.kind == END:
            last = self.token
        near = self.text[first.start : last.end]
        raise self.faults.now(f'Syntax error; token: "{self.token.text}", near: "{near}"')


def _closing_positions(tokens: list[_Token]) -> dict[int, int]:
    """Where the parenthesis opened at each position is closed."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    for position, token in enumerate(tokens):
        if token.kind == "(":
            opened.append(position)
        elif token.kind == ")" and opened:
            closing[opened.pop()] = position
    return closing
