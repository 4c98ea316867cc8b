"""The fields of a spec, each with its meaning: reading, the JSON Schema and the documentation follow these."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast, get_args

from tablewright.schema.form.kinds import (
    FLAG,
    NAME,
    NAMES,
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
    record,
    scalar,
)
from tablewright.spec.amounts import BYTES, DELAY, LIFETIME, MANY, PER_SECOND, SHARE, is_number
from tablewright.spec.hints import read_rate
from tablewright.spec.kinds import (
    AGGREGATE,
    AMOUNT,
    ANYTHING,
    CHANGES,
    CONSTANT,
    COUNT,
    GROWTH,
    KINSHIP,
    LATENCY,
    LIMIT,
    MANY_WHOLE,
    MOMENT,
    NUMERAL,
    OPERATIONS,
    PATTERN_ID,
    REGION,
    REWRITING,
    SKEWED,
    SORTED,
    TYPE,
    UNIQUE,
    VALUE,
    VERSION,
    WRITING,
    Growth,
    record_or_value,
)
from tablewright.spec.model import (
    REWRITES,
    AttributeSpec,
    Billing,
    Constraints,
    EntitySpec,
    Expiry,
    Overlaps,
    PatternSpec,
    Period,
    RangeSpec,
    Rate,
    RelationshipSpec,
    Validation,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

PERIODS = get_args(Period)
RANGES = ("between", "gte", "lte", "gt", "lt", "begins_with")


# ---- attributes ---------------------------------------------------------------------------------------------------

VALIDATION = Record(
    Validation,
    (
        Field("pattern", TEXT, "A regular expression that is found in the text; ^ and $ make it the whole text.", ""),
        Field("min", optional(NUMERAL), "The least number.", None),
        Field("max", optional(NUMERAL), "The greatest number.", None),
        Field("min_length", optional(COUNT), "At least so many characters.", None),
        Field("max_length", optional(COUNT), "At most so many characters.", None),
    ),
    "What a value that a caller gives must be like.",
)


def _make_attribute(**fields: Any) -> AttributeSpec:
    """What has a default is in every item."""
    if fields["default"] is not None and fields["required"] is None and fields["presence"] is None:
        fields["required"] = True
    named: tuple[str, ...] = tuple(dict.fromkeys(fields.pop("references")))
    several: dict[str, Any] = (
        {"references_any": named} if len(named) > 1 else {"references": named[0] if named else None}
    )
    return AttributeSpec(**fields, **several)


ATTRIBUTE = Record(
    _make_attribute,
    (
        Field("type", TYPE, "What it holds; a timestamp is ISO 8601 text.", "string"),
        Field("size_bytes", optional(BYTES), "Its usual size (also 2 KB); left out, a guess by type.", None),
        Field("max", optional(BYTES), "Its greatest size in bytes (also 2 KB).", None, model="max_bytes"),
        Field("values", listed(VALUE), "The values it can take, where they are few.", ()),
        Field("cardinality", optional(MANY_WHOLE), "How many different values there are (also 10k).", None),
        Field("required", optional(FLAG), "Whether every item has it; left out, only what keys need has it.", None),
        Field("presence", optional(SHARE), "The share of items that have it, where not all do.", None),
        Field("immutable", optional(FLAG), "Whether it never changes once written.", None),
        Field("default", optional(CONSTANT), "What a put writes that leaves it out; of a timestamp also now.", None),
        Field("validate", optional(record(VALIDATION)), "What a value must be like that a caller gives.", None),
        Field("sorts_as", optional(NAME), "The timestamp whose order its values have, as those of a ULID do.", None),
        Field("references", one_or_many(NAME), "The entity whose id it holds; a list: one of these.", ()),
        Field("period", optional(choice(*PERIODS)), "What of time its values stand for; of a date, a day.", None),
        Field("since", optional(MOMENT), "Of a timestamp: the oldest value there is, such as 2024-01-01.", None),
        Field("doc", TEXT, "What it means.", ""),
    ),
    "One attribute of an entity.",
)


def _read_attributes(value: Any, at: Reading) -> Mapping[str, AttributeSpec]:
    if isinstance(value, list):
        value = {NAME.read(name, at.at(place)): "string" for place, name in enumerate(cast(Any, value))}
    found: dict[str, AttributeSpec] = {}
    for name, given in read_mapping(value, at).items():
        found[name] = ATTRIBUTE.read(_attribute_options(given), at / name, name=name)
    return found


def _attribute_options(given: Any) -> Any:
    """`status: string` is short for `status: {type: string}`."""
    if given is None:
        return {}
    found: Any = {"type": given} if isinstance(given, str) else given
    if not isinstance(found, dict):
        return found
    options = cast("dict[str, Any]", found)
    return {**IMPLIED.get(str(options.get("type")), {}), **options}


IMPLIED: dict[str, dict[str, Any]] = {"date": {"period": "day"}}
"""By a word for a type: what it says besides."""


ATTRIBUTES = Kind(
    _read_attributes,
    {
        "anyOf": [
            {"type": "array", "items": NAME.schema},
            {"type": "object", "additionalProperties": {"anyOf": [TYPE.schema, ATTRIBUTE.schema()]}},
        ]
    },
)

# ---- entities and relationships -------------------------------------------------------------------------------------

EXPIRY = Record(
    Expiry,
    (
        Field("days", optional(LIFETIME), "How long an item lives, in days (also 12h or 30d).", None),
        Field("attribute", optional(NAME), "The attribute that holds the time of expiry.", None),
    ),
    "When items vanish by themselves.",
)


def _make_entity(
    *, count_hint: float | None, size_hint_bytes: int | None, growth: Growth | None, **fields: Any
) -> EntitySpec:
    """The hints of published cases are taken where nothing else is said."""
    hints: dict[str, Any] = {"count": count_hint, "size_bytes": size_hint_bytes}
    taken = {name: hint for name, hint in hints.items() if fields[name] is None}
    unit, amount = growth or ("", None)
    if unit == "items" and fields["growth_per_month"] is None:
        taken["growth_per_month"] = amount
    return EntitySpec(**{**fields, **taken}, growth_share=amount if unit == "share" else None)


ENTITY = Record(
    _make_entity,
    (
        Field("id", one_or_many(NAME), "The attributes that tell items apart."),
        Field("attributes", ATTRIBUTES, "Its attributes with their types.", {}),
        Field("count", optional(MANY), "How many items there are after the first month (also 10k, 1M).", None),
        Field("growth_per_month", optional(MANY), "How many items are added every month.", None),
        Field("growth", optional(GROWTH), "The same in other forms: 5%, 10k/month, 200/day.", None),
        Field(
            "ttl", optional(record_or_value("days", record(EXPIRY), LIFETIME.schema)), "When items expire: 30d.", None
        ),
        Field("unique", UNIQUE, "Attributes, or groups of them, no two items may share.", ()),
        Field(
            "version",
            VERSION,
            "Optimistic locking: true, or the name of the number that every write raises.",
            None,
        ),
        Field("size_bytes", optional(BYTES), "The usual size of an item (also 2 KB).", None),
        Field("rewrites", REWRITING, "How its items may be stored in another form: all, none or a list.", REWRITES),
        Field("notes", TEXT, "What else should be known.", ""),
        Field("count_hint", optional(MANY), "Another word for count.", None),
        Field("size_hint_bytes", optional(BYTES), "Another word for size_bytes.", None),
    ),
    "A kind of thing that is stored.",
)

RELATIONSHIP = Record(
    RelationshipSpec,
    (
        Field("from", NAME, "The parent, or one side.", model="source"),
        Field("to", NAME, "The child, or the other side.", model="target"),
        Field("kind", KINSHIP, "How many of each belong together."),
        Field("via", optional(NAME), "The entity that holds a many-to-many relationship.", None),
        Field("by", one_or_many(NAME), "The attributes of the child that name its parent.", ()),
        Field("avg", optional(MANY), "Children of a parent on average.", None),
        Field("p50", optional(MANY), "Children of the parent in the middle: half of all have no more.", None),
        Field("p99", optional(MANY), "Children of all but one parent in a hundred, at most.", None),
        Field("max", optional(MANY), "Children of a parent at most.", None),
        Field("cascade", optional(FLAG), "Whether deleting the parent deletes the children.", None),
        Field("integrity", choice("none", "checked"), "Whether a child needs its parent to be there.", "none"),
    ),
    "How two entities belong together.",
)

UNUSED_NUMBERS = re.compile(r"p\d+|median|min|mean|stddev")


def read_relationship(value: Any, at: Reading) -> RelationshipSpec:
    for name in read_mapping(value, at):
        if name not in ("p50", "p99") and UNUSED_NUMBERS.fullmatch(name):
            at.refuse(
                f'"{name}" would change nothing: prices follow from avg and p50, limits and heat from max or p99.'
                " Write those."
            )
    found: RelationshipSpec = RELATIONSHIP.read(value, at)
    return found


# ---- access patterns ------------------------------------------------------------------------------------------------

RANGE = Record(
    RangeSpec,
    (
        Field("attr", NAME, "The attribute compared."),
        Field("op", choice(*RANGES), "How it is compared.", "between"),
        Field("step", optional(COUNT), "Of a count: values need only be told apart to a multiple of this.", None),
    ),
    "A comparison on one attribute.",
)
LENGTH = Kind(
    lambda value, at: AMOUNT.read(value, at) if is_number(value) else NAME.read(value, at),
    {"type": ["string", "number"], "minLength": 1, "minimum": 0},
)
OVERLAPS = Record(
    Overlaps,
    (
        Field("start", NAME, "The attribute that says when an item begins: a timestamp or a number."),
        Field("end", NAME, "The attribute of the same type that says when it ends."),
        Field("longest", LENGTH, "From start to end at most: 14d or 12h, of numbers a number."),
    ),
    "Asks for what overlaps with what lies between `from` and `to`, both included.",
)
RATE = Record(
    Rate,
    (
        Field("avg", PER_SECOND, "Requests a second on average (also 6000/min)."),
        Field("peak", optional(PER_SECOND), "Requests a second at peak; left out, three times the average.", None),
    ),
    "How often a pattern is used.",
)


def _make_pattern(
    *, entity: str | None, entities: tuple[str, ...], limit: Any, skew: Any, expert_path: Any, **fields: Any
) -> PatternSpec:
    """One entity or several; a rate in words, where it can be read; what an expert did is none of our business."""
    del expert_path
    fields["rate"] = fields["rate"] or read_rate(fields["rate_hint"])
    named = entities or (() if entity is None else (entity,)) or tuple(fields["ops"])
    limits: dict[str, Any] = {"limits": limit} if isinstance(limit, dict) else {"limit": limit}
    skews: dict[str, Any] = {"skews": skew} if isinstance(skew, dict) else {"skew": skew}
    return PatternSpec(entities=named, **limits, **skews, **fields)


PATTERN = Record(
    _make_pattern,
    (
        Field("id", PATTERN_ID, "A short name or number for it, such as AP1."),
        Field("description", TEXT, "The question it answers, or what it does.", ""),
        Field(
            "kind",
            choice("get", "query", "batch", "write"),
            "get answers with at most one item, batch with those of many ids.",
        ),
        Field("op", optional(WRITING), "What a write does.", None),
        Field("ops", OPERATIONS, "What a transaction does to each entity: put, update, delete or check.", {}),
        Field("entity", optional(NAME), "The entity it is about.", None),
        Field("entities", NAMES, "Several entities that one request answers, or one transaction writes.", ()),
        Field(
            "through",
            optional(NAME),
            "The entity of a list whose entries name the items: FeedEntry, or FeedEntry.itemId.",
            None,
        ),
        Field("by", one_or_many(NAME), "The attributes whose values the caller has.", ()),
        Field("range", optional(record(RANGE)), "A comparison besides.", None),
        Field("overlaps", optional(record(OVERLAPS)), "What overlaps: {start: from, end: to, longest: 14d}.", None),
        Field("sort", one_or_many(SORTED), "Its order.", ()),
        Field("absent", choice("last", "first", "omit"), "Where items without a sort attribute stand.", "last"),
        Field("expired", choice("hidden", "shown"), "Whether items are shown whose time has passed.", "hidden"),
        Field("filter", Kind(read_mapping, {"type": "object"}), "Further conditions on what is returned.", {}),
        Field("selectivity", optional(SHARE), "The share of items the filter lets through.", None),
        Field("filter_must_be_key", FLAG, "Whether all inputs must be part of the key.", False),
        Field("limit", optional(LIMIT), "At most so many items are wanted, also of each entity: {Sample: 20}.", None),
        Field("items", optional(MANY), "How many items an answer has, usually; of a batch, how many ids.", None),
        Field(
            "returns", one_or_many(NAME), "The attributes needed, also of a parent (Customer.name); left out, all.", ()
        ),
        Field(
            "aggregate", optional(AGGREGATE), "The answer is a number: {count: true}, {sum: amount}, max or min.", None
        ),
        Field("changes", optional(CHANGES), "What an update changes; left out, any but the id.", None),
        Field("upsert", FLAG, "Whether an update makes what does not exist.", False),
        Field("idempotent", FLAG, "Whether the same request token twice has the effect of once.", False),
        Field("rate", optional(record_or_value("avg", record(RATE), PER_SECOND.schema)), "How often it is used.", None),
        Field("rate_hint", TEXT, "The same in words: 2,000,000 a day, about 5 writes per minute.", ""),
        Field("skew", optional(SKEWED), "How unevenly it falls on keys: hottest 20%, {tenantId: zipf 1.1}.", None),
        Field("consistency", choice("eventual", "strong"), "Whether it must see the last write.", "eventual"),
        Field(
            "stale",
            optional(DELAY),
            "How far behind a number, the first of a list or an attribute of a parent may be: 10s.",
            None,
        ),
        Field("latency", LATENCY, "How fast it must be: 10 (milliseconds), p99 20 ms, single-digit ms.", ""),
        Field("transactional", FLAG, "Whether it must happen together or not at all.", False),
        Field("failures", optional(SHARE), "The share of conditional writes that are refused (and billed).", None),
        Field("repeats", optional(SHARE), "The share of reads asked again within five minutes.", None),
        Field("tenant", optional(NAME), "The attribute that keeps tenants apart.", None),
        Field("condition", TEXT, "When a write may happen, in words.", ""),
        Field("when", TEXT, "When a write may happen, as a DynamoDB condition.", ""),
        Field("search", optional(NAME), "The attribute that is searched for words.", None),
        Field("regions", one_or_many(REGION), "From which regions it is called; left out, from all.", ()),
        Field("expert_path", ANYTHING, "Not read.", None),
    ),
    "Something the application asks or does.",
)

CONSTRAINTS = Record(
    Constraints,
    (
        Field("max_gsis", COUNT, "At most so many global secondary indexes.", 20),
        Field(
            "tables", choice("single", "several", "any"), "One table, one per entity, or whatever is better.", "single"
        ),
        Field("budget", optional(MANY), "At most so many dollars a month.", None),
        Field("multi_attribute_keys", FLAG, "Whether indexes may have several key attributes.", False),
        Field(
            "key_style",
            choice("electrodb", "plain"),
            "How keys are written; plain by itself where only that holds the values.",
            "electrodb",
        ),
        Field("lsis", optional(FLAG), "Whether local indexes may be used; left out, where nothing else serves.", None),
        Field("copies", choice("none", "ids", "any"), "Which items may be written twice.", "ids"),
        Field("rewrites", REWRITING, "How items may be stored in another form: all, none or a list.", REWRITES),
    ),
    "What a design must keep to.",
)


def _read_profile(value: Any, at: Reading) -> tuple[float, ...]:
    """Requests of every hour of a day, from midnight on, in any unit."""
    hours: tuple[float, ...] = listed(AMOUNT).read(value, at)
    if len(hours) != HOURS_PER_DAY or not any(hours):
        at.refuse(f"has {len(hours)} numbers; write {HOURS_PER_DAY}, one for every hour, not all of them 0")
    return hours


HOURS_PER_DAY = 24
PROFILE = Kind(
    _read_profile, {"type": "array", "items": AMOUNT.schema, "minItems": HOURS_PER_DAY, "maxItems": HOURS_PER_DAY}
)
TARGET = scalar(
    "a share between 0.2 and 0.9",
    {"type": "number", "minimum": 0.2, "maximum": 0.9},
    lambda value: is_number(value) and 0.2 <= value <= 0.9,
)
BILLING = Record(
    Billing,
    (
        Field("profile", optional(PROFILE), "24 numbers: how requests spread over a day; left out, a usual day.", None),
        Field("utilisation", optional(TARGET), "The share of provisioned capacity to use; left out, 0.7.", None),
        Field("prices", optional(NAME), "A file of prices (YAML or JSON), for other regions or contracts.", None),
        Field("pitr", optional(FLAG), "Whether point-in-time recovery is on; left out, it is.", None),
        Field("streams", choice("none", "lambda", "application", "kinesis"), "Who gets its changes.", "none"),
    ),
    "How the table is paid for.",
)
