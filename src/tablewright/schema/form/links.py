"""How counters, aggregates and second items are written."""

from __future__ import annotations

from typing import Any

from tablewright.schema.features import Aggregate, Counter, Mirror
from tablewright.schema.form.kinds import (
    NAME,
    NAMES,
    TEXT,
    Field,
    Kind,
    Reading,
    Record,
    choice,
    optional,
    read_mapping,
)
from tablewright.schema.form.spread import WHOLE

COUNTER = Record(
    Counter,
    (
        Field("name", NAME, "What it is called."),
        Field("shards", WHOLE, "How many items share the counting.", 1),
        Field("earlier", WHOLE, "How many there once were, where that was more; they are still read.", 0),
    ),
    "A number beside every item, in items of its own.",
)


def _read_pairs(value: Any, at: Reading) -> tuple[tuple[str, str], ...]:
    return tuple((name, NAME.read(each, at / name)) for name, each in read_mapping(value, at).items())


PAIRS = Kind(
    _read_pairs,
    {"type": "object", "additionalProperties": NAME.schema},
    lambda value, _: dict(value),
)


def _read_where(value: Any, at: Reading) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    found = read_mapping(value, at)
    for name, each in found.items():
        if not isinstance(each, list | tuple):
            at.refuse(f"{name}: {each!r} is not a list of values.")
    return tuple((name, tuple(each)) for name, each in found.items())


WHERE = Kind(
    _read_where,
    {"type": "object", "additionalProperties": {"type": "array"}},
    lambda value, _: {name: list(values) for name, values in value},
)

AGGREGATE = Record(
    Aggregate,
    (
        Field("kind", choice("count", "sum", "min", "max", "latest"), "What is kept."),
        Field("into", NAME, "The entity that holds it."),
        Field("attribute", NAME, "Its attribute there."),
        Field("by", PAIRS, "Key attributes of that entity, and the attributes here with their values."),
        Field("of", optional(NAME), "The attribute that is added up, compared or held.", None),
        Field("at", optional(NAME), "The attribute by which the latest is found.", None),
        Field("where", WHERE, "Attributes and the values with which an item counts (null: absent).", ()),
        Field("kept", choice("together", "stream"), "In the transaction of every write, or by a stream.", "together"),
    ),
    "What items add to an attribute of another entity.",
)

MIRROR = Record(
    Mirror,
    (
        Field("name", NAME, "What the identifier of the second item says."),
        Field("pattern", NAME, "The access pattern that finds it."),
        Field("pk", NAMES, "The attributes of its partition key."),
        Field("sk", NAMES, "The attributes of its sort key.", ()),
        Field("pk_template", optional(NAME), "Literal text with ${attribute} in it.", None),
        Field("sk_template", optional(NAME), "Literal text with ${attribute} in it.", None),
        Field("doc", TEXT, "The question it answers.", ""),
    ),
    "A second item with the same attributes under another key.",
)


def _read_pair(value: Any, at: Reading) -> tuple[str, ...]:
    names: tuple[str, ...] = NAMES.read(value, at)
    return names if len(names) == 2 else at.refuse(f"{value!r} does not name two attributes.")


PAIR = Kind(_read_pair, {**NAMES.schema, "minItems": 2, "maxItems": 2}, lambda value, _: list(value))
