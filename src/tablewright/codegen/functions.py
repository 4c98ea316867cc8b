"""What every language calls the functions of access patterns, and what these give.

A function is named after what its pattern says it does ("orders of a customer" is `ordersOfCustomer`), so that code
reads as the spec does; where that is too long or taken, after the pattern's id.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, TypeAlias

from tablewright.codegen.names import camel, snake, words_of

if TYPE_CHECKING:
    from tablewright.design.model import Design, PatternDesign

Returns: TypeAlias = Literal["item", "items", "number", "nothing"]
_ARTICLES = frozenset(("a", "an", "the"))
_LITTLE_WORDS = frozenset("of in at to and or with its by for on from per every each that which".split())
_MOST_WORDS = 8
_RESERVED = frozenset(
    (
        "abstract and any as assert async await boolean break case catch class const constructor continue debugger"
        " declare def default del delete do elif else enum except export extends false finally for from function"
        " global if implements import in instanceof interface is lambda let match module never new none nonlocal not"
        " null number object or package pass private protected public raise return self static string super switch"
        " symbol this throw true try type typeof undefined unknown var void while with yield"
    ).split()
)


def _function_words(design: Design) -> dict[str, list[str]]:
    """By pattern: the words of its function's name; no two are alike."""
    found: dict[str, list[str]] = {}
    taken: set[str] = set()
    for pattern in design.patterns:
        words = _words_of_description(pattern)
        name = "".join(words).lower()
        if not words or name in taken or name in _RESERVED:
            words = [*words, *(each.lower() for each in words_of(pattern.id))]
            name = "".join(words).lower()
        taken.add(name)
        found[pattern.id] = words
    return found


def _words_of_description(pattern: PatternDesign) -> list[str]:
    """The telling words of a description, as far as its first clause goes."""
    clause = re.split(r"[:;(.]", pattern.description)[0]
    words = [each for each in words_of(clause) if each.isascii()]
    telling = [each.lower() if each.isupper() else each for each in words if each.lower() not in _ARTICLES]
    del telling[_MOST_WORDS:]
    while telling and telling[-1].lower() in _LITTLE_WORDS:
        telling.pop()
    return telling if telling and telling[0][:1].isalpha() else []


def camel_names(design: Design) -> dict[str, str]:
    """By pattern: the function's name in TypeScript."""
    return {id_: _avoid_reserved(camel(" ".join(words))) for id_, words in _function_words(design).items()}


def snake_names(design: Design) -> dict[str, str]:
    """By pattern: the function's name in Python."""
    return {id_: _avoid_reserved(snake(" ".join(words))) for id_, words in _function_words(design).items()}


def _avoid_reserved(name: str) -> str:
    """A word of the language gets an underscore behind it."""
    return f"{name}_" if name.lower() in _RESERVED else name


def about_in_short(pattern: PatternDesign) -> str:
    """What it does, or else what it is about."""
    return pattern.description or ", ".join(pattern.entities)


def is_paged(pattern: PatternDesign) -> bool:
    return returns(pattern) == "items"


def returns(pattern: PatternDesign) -> Returns:
    if pattern.kind == "write":
        return "nothing"
    if pattern.aggregate:
        return "number"
    return "item" if pattern.kind == "get" else "items"
