"""How features are written: one row for each field of `Features`; what is not declared is left out."""

from __future__ import annotations

from tablewright.schema.features import Features
from tablewright.schema.form.kinds import NAME, Field, Record, listed, one_or_many, optional, record
from tablewright.schema.form.spread import TTL

FEATURES = Record(
    Features,
    (
        Field("version", optional(NAME), "The attribute that counts an item's writes (optimistic locking).", None),
        Field("unique", listed(one_or_many(NAME)), "Attributes, or several together, that no two items share.", ()),
        Field("ttl", optional(record(TTL)), "When items expire.", None),
    ),
    "What the entity does beyond storing its attributes.",
)
