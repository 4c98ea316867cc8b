"""How features are written: one row for each field of `Features`; what is not declared is left out."""

from __future__ import annotations

from tablewright.schema.features import Belonging, Features, Reference
from tablewright.schema.form.kinds import NAME, NAMES, Field, Record, listed, one_or_many, optional, record
from tablewright.schema.form.large import LARGE
from tablewright.schema.form.links import AGGREGATE, COUNTER, MIRROR, PAIR
from tablewright.schema.form.past import HISTORY, SOFT_DELETE
from tablewright.schema.form.spread import TTL

REFERENCE = Record(
    Reference,
    (
        Field("attribute", NAME, "The attribute; its text is the entity's name and key values, joined by slashes."),
        Field("to", NAMES, "The entities it may point at."),
    ),
    "An attribute that points at items of other entities.",
)

BELONGING = Record(
    Belonging,
    (
        Field("pattern", NAME, "The access pattern that finds the children of one parent."),
        Field("to", NAMES, "The entities that are parents."),
    ),
    "Whose children the items are.",
)

FEATURES = Record(
    Features,
    (
        Field("version", optional(NAME), "The attribute that counts an item's writes (optimistic locking).", None),
        Field("unique", listed(one_or_many(NAME)), "Attributes, or several together, that no two items share.", ()),
        Field("ttl", optional(record(TTL)), "When items expire.", None),
        Field("large", listed(record(LARGE)), "Attributes that are compressed or offloaded.", ()),
        Field(
            "tenant", optional(NAME), "The attribute that says whose item it is; first in every partition key.", None
        ),
        Field("references", listed(record(REFERENCE)), "Attributes that point at items of other entities.", ()),
        Field("paths", NAMES, "Attributes that hold the way from the root of a tree.", ()),
        Field("belongs_to", listed(record(BELONGING)), "Whose children its items are, for cascades.", ()),
        Field("counters", listed(record(COUNTER)), "Numbers beside its items, spread over items of their own.", ()),
        Field("aggregates", listed(record(AGGREGATE)), "What its items add to attributes of other entities.", ()),
        Field("aggregated", NAMES, "Attributes that other entities add to, and nobody else writes.", ()),
        Field("mirrors", listed(record(MIRROR)), "Second items with other keys, written along.", ()),
        Field("symmetric", optional(PAIR), "Two attributes that change places in the second item.", None),
        Field("history", optional(record(HISTORY)), "Every version is kept.", None),
        Field(
            "soft_delete", optional(record(SOFT_DELETE)), "Deleting marks, and readers leave out what is marked.", None
        ),
    ),
    "What the entity does beyond storing its attributes.",
)
