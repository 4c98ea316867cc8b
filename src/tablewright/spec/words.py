"""Conditions of writes in words, as far as they can be read: `not exists`, `createdBy equals caller`, `Order exists`.

A text is clauses joined by `and` or commas. A clause says that an item or a parent is there or is not, or it compares
an attribute with a number, a quoted text, a value that the attribute can take, another attribute, or something that the
caller gives (`{qty}`, or any other word: `equals caller`). After `is` a word is only a value or `caller`, because
`is free` would speak of something else. A DynamoDB condition is read as it stands.

A text is read whole or not at all. What cannot be read is `unread`: nobody checks it, and the pattern is called
unproven.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from tablewright.expr.nodes import Compare, Name, Slot
from tablewright.spec.conditions import Predicate, absent, compare, exists, unqualified
from tablewright.spec.phrases import (
    ABSENT,
    ARTICLES,
    EXISTS,
    ITSELF,
    LEADS,
    MATCHES,
    MISSING,
    NOTHING,
    OPERATORS,
    PARENTS,
    PRESENT,
    SIGNS,
    SPLITS,
    STATES,
    begins_with,
)
from tablewright.wire.numbers import parse_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tablewright.spec.model import AttributeSpec, EntitySpec

Existence: TypeAlias = Literal["any", "new", "there"]
Words: TypeAlias = tuple[str, ...]

PARENT = "PARENT"
"""Whichever parent an item names."""

_TOKEN = re.compile(
    r"\s*(?P<token>'(?:[^']|'')*'|\"[^\"]*\"|\{\w+\}|`[^`]+`|-?\d+(?:\.\d+)?(?![\w.-])|[^\W\d][\w']*(?:\.\w+)*"
    r"|<=|>=|<>|!=|==|[<>=,;])"
)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_NUMERIC = ("number", "any")
_NAME = re.compile(r"[A-Za-z_]\w*")


class Worded(msgspec.Struct, frozen=True, kw_only=True):
    """What a condition in words demands of one entity."""

    existence: Existence = "any"
    named: bool = False  # whether that is said of this entity, and not of all that are written
    parents: tuple[str, ...] = ()  # entities that must be there; PARENT: whichever is named
    conditions: tuple[Predicate, ...] = ()
    unread: str = ""


class _Clause(msgspec.Struct, frozen=True, kw_only=True):
    """What one clause demands; `about` is an entity, or empty where nothing is named."""

    about: str = ""
    existence: Existence = "any"
    condition: Predicate | None = None


def read_words(text: str, written: Sequence[EntitySpec], entities: Mapping[str, EntitySpec]) -> dict[str, Worded]:
    """What the text demands of each entity that is `written`; `entities` are all that there are."""
    unread = {each.name: Worded(unread=text) for each in written}
    if not text.strip():
        return {each.name: Worded() for each in written}
    formal = _read_formal(text, written)
    if formal is not None:
        return {each.name: Worded(conditions=formal[1:] if each.name == formal[0] else ()) for each in written}
    tokens = _tokens(text.strip().rstrip("."))
    clauses = [_read_clause(each, written, entities) for each in _split(tokens)] if tokens else []
    found = [each for each in clauses if each is not None]
    if not found or len(found) < len(clauses):
        return unread
    demands = {each.name: _gather(each, found, {other.name for other in written}) for each in written}
    return unread if None in demands.values() else {name: each for name, each in demands.items() if each is not None}


def _gather(entity: EntitySpec, clauses: list[_Clause], written: set[str]) -> Worded | None:
    """All clauses that are about an entity; None where they contradict each other, or say what cannot be checked."""
    own = [each for each in clauses if each.about in ("", entity.name)]
    parents = [each for each in clauses if each.about and each.about not in written]
    said: dict[Existence, str] = {each.existence: each.about for each in own if each.existence != "any"}
    if len(said) > 1 or any(each.existence != "there" for each in parents):
        return None
    return Worded(
        existence=next(iter(said)) if said else "any",
        named=bool(said) and all(said.values()),
        parents=tuple(dict.fromkeys(each.about for each in parents)),
        conditions=tuple(each.condition for each in own if each.condition is not None),
    )


def _read_formal(text: str, written: Sequence[EntitySpec]) -> tuple[str, Predicate] | None:
    """A DynamoDB condition, with the one entity that has all its attributes."""
    try:
        found = Predicate.parse(text)
    except ValueError:
        return None
    having = [
        (each.name, own)
        for each in written
        if set((own := unqualified(found, each.name)).attributes) <= set(each.attributes)
    ]
    return having[0] if len(having) == 1 and found.attributes else None


# ---- texts as words -------------------------------------------------------------------------------------------------


def _tokens(text: str) -> Words:
    """The words of a text; none where it has a sign that is no word."""
    found: list[str] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            return () if text[at:].strip() else tuple(found)
        found.append(match["token"])
        at = match.end()
    return tuple(found)


def _split(tokens: Words) -> list[Words]:
    """The clauses, without the words that only lead to them; an empty one where a sentence lacks one."""
    clauses: list[list[str]] = [[]]
    for at, token in enumerate(tokens):
        if token.lower() not in SPLITS:
            clauses[-1].append(token)
        elif not _goes_on(tokens[:at], token):
            clauses.append([])
    return [_without_lead(tuple(each)) for each in clauses]


def _goes_on(before: Words, token: str) -> bool:
    """Whether a word only repeats that a clause has ended: the `and` of `a, and b`."""
    return len(before) > 1 and before[-1] in SIGNS and token.lower() not in SIGNS


def _without_lead(clause: Words) -> Words:
    return clause[next((len(lead) for lead in LEADS if begins_with(clause, lead)), 0) :]


def _without_article(words: Words) -> Words:
    return words[1:] if len(words) > 1 and words[0].lower() in ARTICLES else words


def _plain(words: Words) -> str:
    """`orderline` for `order line`, `OrderLine` and `order_line`."""
    return "".join(words).replace("_", "").replace("`", "").lower()


# ---- one clause -----------------------------------------------------------------------------------------------------


def _read_clause(words: Words, written: Sequence[EntitySpec], entities: Mapping[str, EntitySpec]) -> _Clause | None:
    """What a clause demands, and of whom; None where nobody or several could be meant."""
    is_there = _existence(words, written, entities)
    if is_there is not None:
        return is_there
    readings = [each for entity in written for each in (_comparison(words, entity),) if each is not None]
    return readings[0] if len(readings) == 1 else None


def _existence(words: Words, written: Sequence[EntitySpec], entities: Mapping[str, EntitySpec]) -> _Clause | None:
    said: tuple[tuple[tuple[Words, ...], Existence], ...] = ((MISSING, "new"), (EXISTS, "there"))
    lowered = tuple(each.lower() for each in words)
    for phrases, existence in said:
        for phrase in phrases:
            if lowered[-len(phrase) :] != phrase:
                continue
            about = _subject(words[: len(words) - len(phrase)], written, entities)
            if about is not None:
                return _Clause(about=about, existence=existence)
    return None


def _subject(words: Words, written: Sequence[EntitySpec], entities: Mapping[str, EntitySpec]) -> str | None:
    """The entity that is said to be there: empty for the item itself, None where it is nothing of this kind."""
    called = _plain(_without_article(words))
    if called in {*ITSELF, *PARENTS} and any(_attribute(words, each) for each in written if called not in each.id):
        return None  # an attribute has this name
    if called in ITSELF:
        return ""
    if called in PARENTS:
        return PARENT
    named = [name for name in entities if _plain((name,)) == called]
    named = named or [each.name for each in written if len(each.id) == 1 and _plain(each.id) == called]
    named = named or [name for name, each in entities.items() if len(each.id) == 1 and _plain(each.id) == called]
    return named[0] if len(named) == 1 else None


# ---- comparisons ----------------------------------------------------------------------------------------------------


def _comparison(words: Words, entity: EntitySpec) -> _Clause | None:
    """A clause that begins with an attribute of the entity and says something of its value."""
    for length in range(1, len(words)):
        attribute = _attribute(words[:length], entity)
        if attribute is None or attribute.name in entity.id:  # which the caller gives, and which never changes
            continue
        said = words[length:]
        if any(said_as(said, each) for each in MATCHES):
            return _seen(attribute, entity)
        found = _demand(attribute, said, entity)
        if found is not None:
            return _Clause(about=entity.name, condition=found)
    return None


def said_as(words: Words, phrase: Words) -> bool:
    return len(words) == len(phrase) and begins_with(words, phrase)


def _seen(attribute: AttributeSpec, entity: EntitySpec) -> _Clause:
    """`version matches`: what the caller has seen is what is stored. The version of an entity is compared anyway."""
    if attribute.name == entity.version:
        return _Clause(about=entity.name)
    return _Clause(about=entity.name, condition=compare(attribute.name, "=", Slot(f"seen_{attribute.name}")))


def _attribute(words: Words, entity: EntitySpec) -> AttributeSpec | None:
    """`createdBy`, `created by`, `the created_by`, `Room.createdBy`; None where it is none or could be two."""
    called = _plain(_without_article(words)).removeprefix(f"{_plain((entity.name,))}.")
    found = [each for name, each in entity.attributes.items() if _plain((name,)) == called]
    return found[0] if len(found) == 1 else None


def _demand(attribute: AttributeSpec, said: Words, entity: EntitySpec) -> Predicate | None:
    lowered = tuple(each.lower() for each in said)
    if lowered in PRESENT and lowered[-1] not in attribute.values:
        return exists(attribute.name)
    if lowered in ABSENT and lowered[-1] not in attribute.values:
        return absent(attribute.name)
    for phrase, operator in OPERATORS:
        if begins_with(said, phrase) and len(said) > len(phrase):
            words = said[len(phrase) :]
            may_be_given = phrase not in STATES or words[-1].lower() == "caller" or words[-1][0] == "{"
            found = _compared(attribute, operator, words, entity)
            return found if found is None or may_be_given or not found.slots else None
    return None


def _compared(attribute: AttributeSpec, operator: str, words: Words, entity: EntitySpec) -> Predicate | None:
    if attribute.type in ("map", "list", "set"):
        return None
    if " ".join(words) in attribute.values and operator in ("=", "<>"):
        return _with_value(attribute, operator, " ".join(words))
    other = _attribute(words, entity)
    if other is not None:
        return _with_attribute(attribute, operator, other)
    words = _without_article(words)
    return _with_value(attribute, operator, words[0]) if len(words) == 1 else None


def _with_attribute(attribute: AttributeSpec, operator: Any, other: AttributeSpec) -> Predicate | None:
    if other.name == attribute.name or other.type != attribute.type:
        return None
    return Predicate(Compare(operator, Name((attribute.name,)), Name((other.name,))))


def _with_value(attribute: AttributeSpec, operator: str, word: str) -> Predicate | None:
    value = _value(attribute, word)
    return None if value is None else compare(attribute.name, operator, value)


def _value(attribute: AttributeSpec, word: str) -> Slot | str | bool | Any | None:
    """What a word on the right side stands for; None where the attribute cannot hold it."""
    is_text = attribute.type in ("string", "timestamp", "any")
    if word in attribute.values:
        return word if is_text else parse_number(word) if _NUMBER.fullmatch(word) else None
    if word[0] in "'\"":
        return word[1:-1].replace("''", "'") if is_text else None
    if _NUMBER.fullmatch(word):
        return word if attribute.type == "string" else parse_number(word) if attribute.type in _NUMERIC else None
    if word.lower() in ("true", "false"):
        return word.lower() == "true" if attribute.type in ("boolean", "any") else None
    name = word[1:-1] if word[0] == "{" else word
    return Slot(name) if _NAME.fullmatch(name) and name.lower() not in NOTHING else None
