"""Kinds of values in a spec that can be written in several forms; each is read into the form of the model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias, cast

from tablewright.schema.form.kinds import (
    FLAG,
    NAME,
    TEXT,
    Field,
    Kind,
    Reading,
    Record,
    choice,
    listed,
    one_or_many,
    optional,
    read_mapping,
    scalar,
)
from tablewright.spec.amounts import MANY, MOST, PER_MONTH, SHARE, is_amount, is_number, parse_share
from tablewright.spec.model import REWRITES, Aggregate, Change, EntityWrite, Skew, SortSpec

COUNT = scalar(
    f"a whole number from 0 to {MOST:,}",
    {"type": "integer", "minimum": 0, "maximum": MOST},
    lambda value: type(value) is int and is_amount(value),
)
AMOUNT = scalar(f"a number from 0 to {MOST:,}", {"type": "number", "minimum": 0, "maximum": MOST}, is_amount)
EXPONENT = scalar(
    "a number from 0 to 10",
    {"type": "number", "minimum": 0, "maximum": 10},
    lambda value: is_amount(value) and value <= 10,
)
NUMERAL = scalar("a number", {"type": "number"}, lambda value: is_number(value) and abs(value) <= MOST)
CONSTANT = scalar(
    "a text, a number, or true or false",
    {"type": ["string", "number", "boolean"]},
    lambda value: isinstance(value, str | bool) or is_number(value),
)
MANY_WHOLE = Kind(lambda value, at: round(MANY.read(value, at)), MANY.schema)
PATTERN_ID = Kind(
    lambda value, at: NAME.read(str(value) if type(value) is int else value, at),
    {"type": ["string", "integer"], "minLength": 1},
)
ANYTHING = Kind(lambda value, _: value, {})


def _choice_with_synonyms(words: Sequence[str], others: Mapping[str, str]) -> Kind:
    """One of some words, or a synonym."""
    known = choice(*words)

    def read(value: Any, at: Reading) -> Any:
        return known.read(others.get(value.lower(), value) if isinstance(value, str) else value, at)

    return Kind(read, {"enum": [*words, *others]})


TYPE = _choice_with_synonyms(
    ("string", "number", "boolean", "timestamp", "binary", "map", "list", "set", "any"),
    {
        **dict.fromkeys(("str", "text", "uuid", "ulid", "email", "url", "enum"), "string"),
        **dict.fromkeys(("int", "integer", "float", "decimal", "double", "money"), "number"),
        **dict.fromkeys(("datetime", "date", "time"), "timestamp"),
        **dict.fromkeys(("json", "object", "dict"), "map"),
        "bool": "boolean",
        "bytes": "binary",
        "array": "list",
    },
)
KINSHIP = _choice_with_synonyms(
    ("one-to-one", "one-to-many", "many-to-many"),
    {
        **dict.fromkeys(("1:1", "one to one", "one_to_one"), "one-to-one"),
        **dict.fromkeys(("1:n", "1:m", "one to many", "one_to_many"), "one-to-many"),
        **dict.fromkeys(("n:m", "m:n", "n:n", "many to many", "many_to_many"), "many-to-many"),
    },
)
WRITING = _choice_with_synonyms(
    ("put", "update", "delete", "transact"),
    {"create": "put", "insert": "put", "change": "update", "remove": "delete", "transaction": "transact"},
)


SINGLE = _choice_with_synonyms(
    ("put", "update", "delete", "check"), {"create": "put", "insert": "put", "change": "update", "remove": "delete"}
)


# ---- changes --------------------------------------------------------------------------------------------------------


_AMOUNT_OF = re.compile(r"-?\{[^{}]+\}")
"""What an update adds, if not a number: `{qty}` or `-{qty}`."""


_QUALIFIED = re.compile(r"[^{}.\s-][^{}.]*\.[^{}.]+")
"""An attribute of another entity of the transaction: `Line.quantity`."""


def _read_changes(value: Any, at: Reading) -> tuple[Change, ...]:
    """Names whose new values the caller gives, or a mapping of names to what becomes of them."""
    if not isinstance(value, Mapping):
        return tuple(Change(name) for name in one_or_many(NAME).read(value, at))
    return tuple(_read_change(name, each, at / name) for name, each in read_mapping(value, at).items())


def _read_change(name: str, value: Any, at: Reading) -> Change:
    """`closed` is a constant; {given: true}, {add: 1}, {set: closed} and {remove: true} say what they do.

    {subtract: 1} is {add: -1}; `Line.quantity` is what the same transaction puts there.
    """
    if not isinstance(value, Mapping):
        if value is None or isinstance(value, list | tuple):
            at.refuse("is no constant. Write {given: true} for what the caller gives, {remove: true} to remove it.")
        return Change(name, "set", value)
    said = cast("Mapping[str, Any]", value)
    if len(said) != 1:
        at.refuse("says none or several; write one, such as {given: true}, {add: 1}, {set: closed} or {remove: true}.")
    word, content = next(iter(said.items()))
    kind = choice("given", "set", "add", "subtract", "remove").read(word, at)
    if kind in ("given", "remove") and content is not True:
        at.refuse(f"{kind} takes true and nothing else: {{{kind}: true}}.")
    if kind in ("add", "subtract"):
        return Change(name, "add", _read_amount(content, at, is_less=kind == "subtract"))
    return Change(name, kind, content if kind == "set" else None)


def _read_amount(content: Any, at: Reading, *, is_less: bool) -> Any:
    """What is added: a number, `{qty}` or `-{qty}`."""
    if is_number(content):
        return -content if is_less else content
    if isinstance(content, str) and _QUALIFIED.fullmatch(content):
        content = f"{{{content}}}"
    if not isinstance(content, str) or not _AMOUNT_OF.fullmatch(content):
        verb = "subtracted" if is_less else "added"
        at.refuse(f'{content!r} cannot be {verb}; write a number, "{{qty}}", "-{{qty}}" or Line.quantity.')
    return (content[1:] if content.startswith("-") else f"-{content}") if is_less else content


CHANGES = Kind(
    _read_changes,
    {
        "anyOf": [
            one_or_many(NAME).schema,
            {
                "type": "object",
                "additionalProperties": {
                    "anyOf": [
                        {"type": ["string", "number", "boolean"]},
                        *(
                            {
                                "type": "object",
                                "properties": {word: schema},
                                "required": [word],
                                "additionalProperties": False,
                            }
                            for word, schema in (
                                ("given", {"const": True}),
                                ("set", {"type": ["string", "number", "boolean"]}),
                                ("add", {"type": ["string", "number"]}),
                                ("subtract", {"type": ["string", "number"]}),
                                ("remove", {"const": True}),
                            )
                        ),
                    ]
                },
            },
        ]
    },
)
ENTITY_WRITE = Record(
    EntityWrite,
    (
        Field("op", SINGLE, "What is done to it; check writes nothing, but it must exist."),
        Field("by", optional(one_or_many(NAME)), "The attributes that name it; left out, the pattern's.", None),
        Field("changes", optional(CHANGES), "What an update changes; left out, the pattern's.", None),
        Field("condition", TEXT, "When it may be written, in words.", ""),
        Field("when", TEXT, "When it may be written, as a DynamoDB condition on the stored item.", ""),
        Field("upsert", FLAG, "Whether an update makes what does not exist.", False),
    ),
    "What a transaction does to one of its entities.",
)


def _read_operations(value: Any, at: Reading) -> dict[str, EntityWrite]:
    """`Like: put` is short for `Like: {op: put}`."""
    return {
        name: ENTITY_WRITE.read(each if isinstance(each, Mapping) else {"op": each}, at / name)
        for name, each in read_mapping(value, at).items()
    }


OPERATIONS = Kind(
    _read_operations,
    {"type": "object", "additionalProperties": {"anyOf": [SINGLE.schema, ENTITY_WRITE.schema()]}},
)


def _read_limit(value: Any, at: Reading) -> int | dict[str, int]:
    """A number, or one for each entity."""
    if not isinstance(value, Mapping):
        return cast("int", COUNT.read(value, at))
    return {name: COUNT.read(each, at / name) for name, each in read_mapping(value, at).items()}


def _read_version(value: Any, at: Reading) -> str | None:
    """True is short for the name `version`."""
    if isinstance(value, bool) or value is None:
        return "version" if value else None
    return cast("str", NAME.read(value, at))


VERSION = Kind(_read_version, {"anyOf": [{"type": "boolean"}, NAME.schema]})
LIMIT = Kind(_read_limit, {"anyOf": [COUNT.schema, {"type": "object", "additionalProperties": COUNT.schema}]})


def _read_unique_across(value: Any, at: Reading) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Groups of `Entity.attribute`."""
    return tuple(
        tuple(_read_qualified(each, at.at(place)) for each in group)
        for place, group in enumerate(listed(listed(NAME)).read(value, at))
    )


def _read_qualified(value: str, at: Reading) -> tuple[str, str]:
    entity, dot, attribute = value.partition(".")
    return (entity, attribute) if dot and attribute else at.refuse(f'"{value}" names no entity; write User.{value}.')


UNIQUE_ACROSS = Kind(_read_unique_across, listed(listed(NAME)).schema)
_REGION_NAME = r"[a-z]{2,}(-[a-z]+)+-[0-9]+"
REGION = scalar(
    "the name of an AWS region, such as eu-west-1",
    {"type": "string", "pattern": f"^{_REGION_NAME}$"},
    lambda value: isinstance(value, str) and re.fullmatch(_REGION_NAME, value) is not None,
)
REGIONS = listed(REGION)


def _read_value(value: Any, at: Reading) -> str:
    """A listed value as text; YAML reads `yes`, `1` and `2.5` as other types."""
    if isinstance(value, bool):
        at.refuse(f'{value!r} is not text; write it in quotes, such as "yes".')
    return str(value) if is_number(value) else cast("str", NAME.read(value, at))


VALUE = Kind(_read_value, {"type": ["string", "number"]})
_MOMENT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?"


def is_moment(value: Any) -> bool:
    if not isinstance(value, str) or not re.fullmatch(_MOMENT, value):
        return False
    try:
        return bool(datetime.fromisoformat(value))
    except ValueError:
        return False


MOMENT = scalar(
    "a date such as 2024-01-01, or a time in UTC such as 2024-01-01T09:00:00Z",
    {"type": "string", "pattern": f"^{_MOMENT}$"},
    is_moment,
)


def _read_rewrites(value: Any, at: Reading) -> tuple[str, ...]:
    """`all`, `none`, or a list of names, always in the same order."""
    if isinstance(value, str):
        return REWRITES if choice("all", "none").read(value, at) == "all" else ()
    wanted = listed(choice(*REWRITES)).read(value, at)
    return tuple(each for each in REWRITES if each in wanted)


REWRITING = Kind(
    _read_rewrites,
    {"anyOf": [{"enum": ["all", "none"]}, {"type": "array", "items": {"enum": list(REWRITES)}}]},
)


def record_or_value(word: str, kind: Kind, written: Any) -> Kind:
    """A record, or a bare value that stands for its field `word`."""

    def read(value: Any, at: Reading) -> Any:
        return kind.read(value if isinstance(value, Mapping) else {word: value}, at)

    return Kind(read, {"anyOf": [written, kind.schema]}, kind.write)


def _read_unique(value: Any, at: Reading) -> tuple[tuple[str, ...], ...]:
    """One name, a list of names each unique by itself, or lists of names that are unique together."""
    groups = [value] if isinstance(value, str) else value
    return cast("tuple[tuple[str, ...], ...]", listed(one_or_many(NAME)).read(groups, at))


UNIQUE = Kind(_read_unique, {"anyOf": [NAME.schema, listed(one_or_many(NAME)).schema]})

Growth: TypeAlias = tuple[str, float]


def _read_growth(value: Any, at: Reading) -> Growth:
    """`5%` is a share of the items there are; anything else is a number of items a month."""
    share = parse_share(value) if isinstance(value, str) and value.strip().endswith("%") else None
    return ("share", share) if share is not None else ("items", PER_MONTH.read(value, at))


GROWTH = Kind(_read_growth, PER_MONTH.schema)


SORT = Record(
    SortSpec,
    (Field("attr", NAME, "The attribute."), Field("order", choice("asc", "desc"), "Its direction.", "asc")),
    "One part of the order of an answer.",
)


def _read_sort(value: Any, at: Reading) -> SortSpec:
    """`date desc` and {date: desc} are short for {attr: date, order: desc}."""
    if isinstance(value, dict) and len(value) == 1 and "attr" not in value:  # pyright: ignore[reportUnknownArgumentType]
        value = " ".join(str(part) for pair in value.items() for part in pair)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, str) and value.strip():
        attr, _, order = value.strip().partition(" ")
        value = {"attr": attr, "order": order.strip() or "asc"}
    found: SortSpec = SORT.read(value, at)
    return found


BY_NAME: dict[str, Any] = {
    "type": "object",
    "additionalProperties": {"enum": ["asc", "desc"]},
    "minProperties": 1,
    "maxProperties": 1,
}
SORTED = Kind(_read_sort, {"anyOf": [NAME.schema, SORT.schema(), BY_NAME]})
SKEW = Record(
    Skew,
    (
        Field("zipf", optional(EXPONENT), "Requests follow Zipf's law with this exponent.", None),
        Field("hottest", optional(SHARE), "The share of requests that the most used key gets.", None),
    ),
    "How unevenly requests fall on keys.",
)


def _read_skews(value: Any, at: Reading) -> Skew | dict[str, Skew]:
    """One for what the caller names, or by attribute."""
    if isinstance(value, dict) and value and not SKEW_WORDS & value.keys():  # pyright: ignore[reportUnknownMemberType]
        given = read_mapping(value, at)
        return {name: _read_skew(each, at / name) for name, each in given.items()}
    return _read_skew(value, at)


SKEW_WORDS = {"zipf", "hottest"}


def _read_skew(value: Any, at: Reading) -> Skew:
    """`uniform`, `zipf` (exponent 1), `zipf 1.2`, `hottest 20%`, or a mapping."""
    if not isinstance(value, str):
        return cast("Skew", SKEW.read(value, at))
    word, _, amount = value.strip().partition(" ")
    word = choice("uniform", "zipf", "hottest").read(word, at)
    if word == "uniform":
        return Skew()
    if word == "hottest" or amount:
        given = parse_share(amount)
        return cast("Skew", SKEW.read({word: amount if given is None else given}, at))
    return Skew(zipf=1.0)


_ONE_SKEW: list[Any] = [{"type": "string", "pattern": "^(uniform|zipf( .+)?|hottest .+)$"}, SKEW.schema()]
SKEWED = Kind(
    _read_skews,
    {"anyOf": [*_ONE_SKEW, {"type": "object", "additionalProperties": {"anyOf": _ONE_SKEW}, "minProperties": 1}]},
)


def _read_latency(value: Any, at: Reading) -> str:
    """Words, or a number of milliseconds."""
    return f"{AMOUNT.read(value, at):g} ms" if is_number(value) else cast("str", TEXT.read(value, at))


LATENCY = Kind(_read_latency, {"type": ["string", "number"]})


def _read_aggregate(value: Any, at: Reading) -> Aggregate:
    """`count`, {count: true}, or {sum: amount}: one of them."""
    given = read_mapping({value: True} if value == "count" else value, at)
    if len(given) != 1:
        at.refuse("names none or several; write one, such as {count: true} or {sum: amount}.")
    kind, of = next(iter(given.items()))
    kind = choice("count", "sum", "max", "min").read(kind, at)
    if kind == "count":
        return Aggregate("count") if of is True else at.refuse("count takes true and nothing else: {count: true}.")
    return Aggregate(kind, NAME.read(of, at / kind))


AGGREGATE = Kind(
    _read_aggregate,
    {
        "anyOf": [
            {"const": "count"},
            {
                "type": "object",
                "properties": {"count": {"const": True}, **dict.fromkeys(("sum", "max", "min"), NAME.schema)},
                "additionalProperties": False,
                "minProperties": 1,
                "maxProperties": 1,
            },
        ]
    },
)
