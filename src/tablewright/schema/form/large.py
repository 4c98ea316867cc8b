"""How large attributes are written."""

from __future__ import annotations

from tablewright.schema.features import Large
from tablewright.schema.form.kinds import NAME, Field, Record, choice, optional, scalar

BYTES = scalar(
    "a number of bytes",
    {"type": "integer", "minimum": 1},
    lambda value: isinstance(value, int) and not isinstance(value, bool) and value > 0,
)
LARGE = Record(
    Large,
    (
        Field("attribute", NAME, "The attribute."),
        Field("offload_bytes", optional(BYTES), "What takes more than this goes to object storage.", None),
        Field("compress", optional(choice("zlib", "zstd")), "How values are compressed where that pays.", None),
    ),
    "An attribute that is compressed, or kept in object storage when it is large.",
)
