"""How queues, kept versions and marks of deletion are written."""

from __future__ import annotations

from tablewright.schema.features import History, Lease, SoftDelete
from tablewright.schema.form.kinds import NAME, Field, Record, optional
from tablewright.schema.form.spread import WHOLE

LEASE = Record(
    Lease,
    (
        Field("due", NAME, "The attribute with the time from which on an item can be claimed; absent: not queued."),
        Field("seconds", WHOLE, "How long a claim lasts unless it says otherwise.", 60),
        Field("attempts", optional(WHOLE), "How often an item is claimed before it is dead.", None),
        Field("token", NAME, "The attribute that holds the current claim.", "lease"),
        Field("worker", NAME, "The attribute that says who has claimed it.", "worker"),
        Field("counter", NAME, "The attribute that counts claims.", "attempts"),
        Field("dead", NAME, "The attribute with the time since when the item is dead.", "dead_at"),
    ),
    "A queue, whose items are claimed for a while.",
)

HISTORY = Record(
    History,
    (
        Field("keep", optional(WHOLE), "How many versions are kept.", None),
        Field("keep_seconds", optional(WHOLE), "How long a version is kept after the next was written.", None),
        Field("by", optional(NAME), "The attribute that says who wrote a version.", None),
    ),
    "Every version of an item, as an item of its own.",
)

SOFT_DELETE = Record(
    SoftDelete,
    (
        Field("attribute", NAME, "The attribute with the time of the deletion.", "deleted_at"),
        Field("keep", optional(WHOLE), "After how many seconds DynamoDB deletes a marked item for good.", None),
    ),
    "Deleting marks an item.",
)
