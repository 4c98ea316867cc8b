"""A spec as values. What was left out is None here; `facts.assume` fills it and lists the assumption.

Names follow the written form (`by`, `range`, `sort`), so that a message about a spec can name the field it means.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args

import msgspec

AttributeType: TypeAlias = Literal["string", "number", "boolean", "timestamp", "binary", "map", "list", "set", "any"]
RelationshipKind: TypeAlias = Literal["one-to-one", "one-to-many", "many-to-many"]
PatternKind: TypeAlias = Literal["get", "query", "batch", "write"]
WriteOp: TypeAlias = Literal["put", "update", "delete", "transact"]
EntityOp: TypeAlias = Literal["put", "update", "delete", "check"]
ChangeKind: TypeAlias = Literal["given", "set", "add", "remove"]
Absent: TypeAlias = Literal["last", "first", "omit"]
Integrity: TypeAlias = Literal["none", "checked"]
RangeOp: TypeAlias = Literal["between", "gte", "lte", "gt", "lt", "begins_with", "overlaps"]
Order: TypeAlias = Literal["asc", "desc"]
Consistency: TypeAlias = Literal["eventual", "strong"]
Tables: TypeAlias = Literal["single", "several", "any"]
KeyStyle: TypeAlias = Literal["electrodb", "plain"]
Streams: TypeAlias = Literal["none", "lambda", "application", "kinesis"]
Period: TypeAlias = Literal["year", "month", "week", "day", "hour", "minute"]
AggregateKind: TypeAlias = Literal["count", "sum", "max", "min"]
RewriteKind: TypeAlias = Literal["embed", "split", "total", "lookup", "copied", "latest", "newest", "pack"]
EXPIRES_AT = ("expiresAt", "_expiresAt", "__expiresAt")
REWRITES: tuple[RewriteKind, ...] = get_args(RewriteKind)
StoredKind: TypeAlias = Literal["entity", "detail", "sentinel", "total", "trailing", "latest"]


class Validation(msgspec.Struct, frozen=True, kw_only=True):
    """What a value that somebody gives must be like; whatever is None or empty is not asked for."""

    pattern: str = ""  # a regular expression that is found in the text
    min: int | float | None = None
    max: int | float | None = None
    min_length: int | None = None  # in characters
    max_length: int | None = None


class Ending(msgspec.Struct, frozen=True):
    """What is at most `longest` (of times: seconds) behind what begins at `start`.

    `together`: whoever gives one of the two gives the other, so that both can be compared.
    """

    start: str
    longest: int | float
    together: bool = False


NOW = "now"
"""The default of a timestamp that is the time of the write."""


class Step(msgspec.Struct, frozen=True):
    """The number `attr` rounded down to a multiple of `size`."""

    attr: str
    size: int


class AttributeSpec(msgspec.Struct, frozen=True, kw_only=True):
    """One attribute of an entity: what it holds, how large it is, how many values it takes."""

    name: str
    type: AttributeType = "string"
    size_bytes: int | None = None
    max_bytes: int | None = None
    values: tuple[str, ...] = ()
    cardinality: int | None = None
    required: bool | None = None
    presence: float | None = None
    immutable: bool | None = None
    default: Any = None  # what a put writes that leaves it out; every item has the attribute then
    validate: Validation | None = None
    sorts_as: str | None = None  # the time whose order its values have, as ULIDs do
    references: str | None = None  # the entity whose id it holds
    references_any: tuple[str, ...] = ()  # several, of one of which it holds the id; then `references` is None
    period: Period | None = None  # what of time all items share that have one value; of a date it is a day
    since: str | None = None  # of a timestamp: no value is before this date or time, and none lies in the future
    ends: Ending | None = None  # follows from reads of what overlaps; nobody says it here
    step_of: Step | None = None  # of items that the stream keeps only
    doc: str = ""


class Expiry(msgspec.Struct, frozen=True, kw_only=True):
    """Items expire so many days after they were written."""

    days: float | None = None
    attribute: str | None = None


class Aggregate(msgspec.Struct, frozen=True):
    """An answer that is one number: how many items, or what their values of an attribute come to."""

    kind: AggregateKind
    attr: str = ""


class Top(msgspec.Struct, frozen=True, kw_only=True):
    """The first items of a group in one order, kept in one item: its map `inside` has them by their places."""

    inside: str
    sort: tuple[SortSpec, ...]
    most: int
    shows: tuple[str, ...]  # the attributes that are kept of each


class Packing(msgspec.Struct, frozen=True, kw_only=True):
    """Items that lie together in one for each period: the `length` characters that their time `attr` begins with.

    One holds `entries` of them when its period is over, each of which makes it larger by `entry_bytes`; who asks for
    some of them takes it to hold `usual`.
    """

    attr: str
    length: int
    entries: float
    entry_bytes: float
    usual: int


class EntitySpec(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of thing that is stored; `id` tells its items apart."""

    name: str
    id: tuple[str, ...]
    attributes: Mapping[str, AttributeSpec]
    count: float | None = None
    growth_per_month: float | None = None
    growth_share: float | None = None  # of the items there are, every month
    ttl: Expiry | None = None
    unique: tuple[tuple[str, ...], ...] = ()
    version: str | None = None  # the number that every write raises, and whose last value a writer must have seen
    size_bytes: int | None = None
    rewrites: tuple[RewriteKind, ...] = REWRITES
    notes: str = ""
    kind: StoredKind = "entity"  # the others come from rewrites, and are written along with the entity `of`
    of: str = ""
    totals: Mapping[str, Aggregate] = {}  # of a total: what each of its attributes adds up
    top: Top | None = None  # of a list that the stream keeps; such an item has no totals
    window_seconds: int = 0  # of what the stream keeps: how long changes are collected before they are added
    newest_by: str = ""  # of a latest item: the attribute of which it holds the greatest value of its group
    holds: tuple[str, ...] = ()  # entities that lie in its items
    packed: Packing | None = None  # set by the architect only: its items lie together, one for each period
    shares: str = ""  # of a sentinel: the one of another entity whose keys it has, where values are unique across both

    @property
    def said_expiry(self) -> tuple[str, ...]:
        """The attribute in which callers say when an item goes: DynamoDB wants a number of seconds."""
        attribute = None if self.ttl is None else self.attributes.get(self.ttl.attribute or "")
        return (attribute.name,) if attribute is not None and attribute.type == "number" else ()


class RelationshipSpec(msgspec.Struct, frozen=True, kw_only=True):
    """How two entities belong together; `avg`, `p50`, `p99` and `max` count the children of one parent."""

    source: str
    target: str
    kind: RelationshipKind
    via: str | None = None
    by: tuple[str, ...] = ()
    avg: float | None = None
    p50: float | None = None
    p99: float | None = None
    max: float | None = None
    cascade: bool | None = None
    integrity: Integrity = "none"  # checked: a child is written only where its parent is


class RangeSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    attr: str
    op: RangeOp
    step: int | None = None  # of a count: what lies in the same step as the value given need not be counted


class Overlaps(msgspec.Struct, frozen=True, kw_only=True):
    """Asks for what begins at `to` at the latest and ends at `from` at the earliest; nothing lasts longer than said."""

    start: str
    end: str
    longest: str | int | float  # a time such as 14d, or a number where start and end are numbers


class SortSpec(msgspec.Struct, frozen=True):
    attr: str
    order: Order = "asc"


class Change(msgspec.Struct, frozen=True):
    """What an update does to one attribute.

    given: the caller brings the new value (None removes an optional one; left out, it stays). set: becomes the constant
    `value`. add: `value` (a number, `{qty}` or `-{qty}`) is added to what is stored at that moment, nothing counting 0.
    remove: is absent afterwards.
    """

    attr: str
    kind: ChangeKind = "given"
    value: Any = None


class EntityWrite(msgspec.Struct, frozen=True, kw_only=True):
    """What a transaction says of one of its entities; what is None or empty here, the pattern says for all of them.

    check: nothing is written, but the item must exist and `when` must hold.
    """

    op: EntityOp
    by: tuple[str, ...] | None = None
    changes: tuple[Change, ...] | None = None
    condition: str = ""
    when: str = ""
    upsert: bool = False


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """Requests a second, on average and at peak."""

    avg: float
    peak: float | None = None


class Skew(msgspec.Struct, frozen=True, kw_only=True):
    """How unevenly requests fall on keys: Zipf with exponent `zipf`, or a `hottest` share; neither is uniform."""

    zipf: float | None = None
    hottest: float | None = None


class PatternSpec(msgspec.Struct, frozen=True, kw_only=True):
    """Something the application asks or does; `by` are the attributes whose values the caller has."""

    id: str
    description: str = ""
    kind: PatternKind
    op: WriteOp | None = None
    ops: Mapping[str, EntityWrite] = {}  # of a transaction, by entity
    entities: tuple[str, ...]
    through: str | None = None  # the entity of a list whose entries name the items, perhaps with the attribute
    by: tuple[str, ...] = ()
    range: RangeSpec | None = None
    overlaps: Overlaps | None = None  # then `range` and `filter` say the same: see `intervals`
    sort: tuple[SortSpec, ...] = ()
    absent: Absent = "last"  # where items stand that lack an attribute of `sort`
    expired: Literal["hidden", "shown"] = "hidden"
    filter: Mapping[str, Any] = msgspec.field(default_factory=dict[str, Any])
    selectivity: float | None = None
    filter_must_be_key: bool = False
    limit: int | None = None
    limits: Mapping[str, int] = {}  # by entity, where `limit` was given for each; then `limit` is None
    items: float | None = None
    returns: tuple[str, ...] = ()
    aggregate: Aggregate | None = None
    changes: tuple[Change, ...] | None = None
    upsert: bool = False  # an update makes what does not exist
    idempotent: bool = False  # the same request token twice has the effect of once
    rate: Rate | None = None
    rate_hint: str = ""
    skew: Skew | None = None  # of what the caller names
    skews: Mapping[str, Skew] = {}  # by attribute, where `skew` was given for each; then `skew` is None
    consistency: Consistency = "eventual"
    stale: float | None = None  # seconds that an aggregate, a list with a limit, or what is of a parent may be behind
    latency: str = ""
    transactional: bool = False
    failures: float | None = None
    repeats: float | None = None
    tenant: str | None = None
    condition: str = ""
    when: str = ""
    search: str | None = None
    regions: tuple[str, ...] = ()  # from which it is called; empty: from all of the spec's
    together: Mapping[
        str, float
    ] = {}  # set by the architect only: items of an entity written in one run, where its parent is in another table
    fetched_for: str = ""  # set by the architect only: the list whose entries name the items of this batch
    cascade_of: str = ""  # set by the architect only: the write that goes on by this read, delete or update
    demands: tuple[str, ...] = ()  # set by the architect only: numbers that its transaction holds against what it found
    beside: str = ""  # set by the architect only: the entity whose one item lies at the edge of this list

    @property
    def is_read(self) -> bool:
        return self.kind != "write"

    @property
    def entity(self) -> str:
        """The entity of a pattern that is about one."""
        return self.entities[0]

    @property
    def changed(self) -> tuple[str, ...] | None:
        """The attributes that an update changes; None where it may be any."""
        return None if self.changes is None else tuple(each.attr for each in self.changes)

    def changed_of(self, entity: str) -> tuple[str, ...] | None:
        """The same for one entity of a transaction, which may say it by itself."""
        said = self.ops.get(entity)
        if said is None or said.changes is None:
            return self.changed
        return tuple(each.attr for each in said.changes)

    def upserts(self, entity: str) -> bool:
        """Whether an update of this entity makes what does not exist."""
        said = self.ops.get(entity)
        return self.upsert or (said is not None and said.upsert)

    def by_of(self, entity: str) -> tuple[str, ...]:
        """The attributes that name one entity of a transaction."""
        said = self.ops.get(entity)
        return self.by if said is None or said.by is None else said.by


class Constraints(msgspec.Struct, frozen=True, kw_only=True):
    """What a design must keep to."""

    max_gsis: int = 20
    tables: Tables = "single"
    budget: float | None = None
    multi_attribute_keys: bool = False
    key_style: KeyStyle = "electrodb"
    lsis: bool | None = None  # None: only where nothing else serves
    copies: Literal["none", "ids", "any"] = "ids"
    rewrites: tuple[RewriteKind, ...] = REWRITES


UTILISATION = 0.7
"""What autoscaling aims at where nobody says more."""


class Billing(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of the table that the bill depends on."""

    profile: tuple[float, ...] | None = None  # 24 hours, in any unit
    utilisation: float | None = None
    prices: str | None = None
    pitr: bool | None = None
    streams: Streams = "none"

    @property
    def has_recovery(self) -> bool:
        """Point-in-time recovery is on unless the spec says no."""
        return self.pitr is not False


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    """An application, as its builders describe it."""

    name: str
    title: str = ""
    region: str | None = None  # that of the price file, else us-east-1
    regions: tuple[str, ...] = ()  # where the tables have a replica, home first
    month_growth: float | None = None
    entities: Mapping[str, EntitySpec]
    relationships: tuple[RelationshipSpec, ...] = ()
    unique: tuple[tuple[tuple[str, str], ...], ...] = ()  # across entities: groups of (entity, attribute)
    patterns: tuple[PatternSpec, ...]
    constraints: Constraints = Constraints()
    billing: Billing = Billing()

    @property
    def is_global(self) -> bool:
        """Whether its tables have replicas in several regions."""
        return len(self.regions) > 1

    def called_from(self, pattern: PatternSpec) -> tuple[str, ...]:
        """The regions that a pattern is called from, home first; nothing where there is one region."""
        return tuple(each for each in self.regions if not pattern.regions or each in pattern.regions)

    @property
    def reads(self) -> tuple[PatternSpec, ...]:
        return tuple(each for each in self.patterns if each.is_read)

    @property
    def writes(self) -> tuple[PatternSpec, ...]:
        return tuple(each for each in self.patterns if not each.is_read)

    @property
    def expiry_attribute(self) -> str | None:
        """A table has one: what the entities that expire call it, if they agree."""
        said = {each.said_expiry for each in self.entities.values() if each.ttl is not None}
        if len(said) == 1 and () not in said:
            return next(iter(said))[0]
        taken = {attribute for each in self.entities.values() for attribute in each.attributes}
        return next(each for each in EXPIRES_AT if each not in taken) if said else None

    def written_expiry(self, entity: str) -> str | None:
        """The attribute in which puts say when an item goes, where that is not for callers to say."""
        expiring = self.entities[entity]
        if expiring.ttl is None or expiring.ttl.days is None or self.expiry_attribute in expiring.attributes:
            return None
        return self.expiry_attribute

    def pattern(self, id: str) -> PatternSpec | None:  # noqa: A002 - the spec's own word
        return next((each for each in self.patterns if each.id == id), None)
