"""Statements to tokens: names, quoted names, keywords, literals, parameters and signs, each with its place."""

from __future__ import annotations

import re

import msgspec

from tablewright.engine.partiql.faults import malformed
from tablewright.engine.partiql.syntax.keywords import JOINED_WORDS, KEYWORDS, LITERAL_WORDS, WORD_OPERATORS

END = "end"

_TOKEN = re.compile(
    r"""
    (?P<blank>   \s+ | --[^\n\r]* | /\*.*?\*/ )
  | (?P<string>  '(?:[^']|'')*' )
  | (?P<quoted>  "(?:[^"]|"")*" )
  | (?P<ion>     `[^`]*` )
  | (?P<number>  (?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)? (?![A-Za-z0-9_$]) )
  | (?P<word>    [A-Za-z_$][A-Za-z0-9_$]* )
  | (?P<operator> <> | != | <= | >= | \|\| | (?<!<)<(?!<) | (?<!>)>(?!>) | /(?!\*) | [-+%*=@] )
  | (?P<sign>    << | >> | [()\[\]{},.:;?] )
    """,
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?")
_WORDS = ("keyword", "operator")
_MOST_DIGITS = 100
_INTS = range(-(2**31), 2**31)


class Token(msgspec.Struct, frozen=True):
    """`kind` is what it is, or the sign itself; `text` is the name, the value or the word in lower case."""

    kind: str
    text: str
    line: int = 1
    column: int = 1
    length: int = 0

    @property
    def place(self) -> str:
        return f"{self.line}:{self.column}:{self.length}"


def read_tokens(statement: str) -> list[Token]:
    """The tokens of a statement, the last of them saying that it ends."""
    tokens: list[Token] = []
    at, line, line_start, parameters = 0, 1, 0, 0
    while at < len(statement):
        found = _TOKEN.match(statement, at)
        if found is None:
            raise malformed()
        text = found.group()
        if found.lastgroup != "blank":
            token = _token(str(found.lastgroup), text, line, at - line_start + 1)
            if token.kind == "?":
                token = msgspec.structs.replace(token, text=str(parameters))
                parameters += 1
            _append(tokens, token)
        if "\n" in text:
            line, line_start = line + text.count("\n"), at + text.rindex("\n") + 1
        at = found.end()
    tokens.append(Token(END, "", line, at - line_start + 1))
    return tokens


def _token(group: str, text: str, line: int, column: int) -> Token:
    kind, value = group, text
    if group in ("string", "quoted"):
        value = text[1:-1].replace(text[0] * 2, text[0])
    elif group == "number":
        _check_scale(text)
    elif group == "word":
        kind, value = _word(text)
    elif group == "operator":
        value = "<>" if text == "!=" else text
    elif group == "sign":
        kind = text
    return Token(kind, value, line, column, len(text))


def _word(text: str) -> tuple[str, str]:
    lower = text.lower()
    if lower in LITERAL_WORDS:
        return lower, lower
    if lower in WORD_OPERATORS:
        return "operator", lower
    return ("keyword", lower) if lower in KEYWORDS else ("name", text)


def _append(tokens: list[Token], token: Token) -> None:
    """Add a token, or join it with the last one to a single word."""
    last = tokens[-1] if tokens else token
    joined = JOINED_WORDS.get((last.text, token.text))
    if joined is None or last.kind not in _WORDS or token.kind not in _WORDS:
        tokens.append(token)
        return
    kind = "operator" if "operator" in (last.kind, token.kind) else "keyword"
    tokens[-1] = msgspec.structs.replace(last, kind=kind, text=joined)


def _check_scale(text: str) -> None:
    """Refuse numbers whose exponent, or whose digits after the point less the exponent, is no 32-bit integer."""
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise malformed()
    fraction, exponent = len(found[1] or found[2] or ""), int((found[3] or "0")[:_MOST_DIGITS])
    if exponent not in _INTS or fraction - exponent not in _INTS:
        raise malformed()
