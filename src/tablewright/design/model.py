"""A design as data: all that someone without Tablewright needs to make the table, write items and run every pattern.

Templates, paths, conditions, buckets, totals and amounts are structured values; `design.json` shows them as texts in
which `{name}` stands for a value: an attribute of the item, or a parameter of the pattern. `encoding` says how a value
is written inside a key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from tablewright.design.advice import Advice, Verdict
from tablewright.design.cost.report import CostReport
from tablewright.design.heat.report import HeatReport
from tablewright.design.layout.forms import Copy, Rewrite, StoredForm
from tablewright.design.patterns import (
    Cascade,
    Parameter,
    PatternDesign,
    Predicted,
    ReadOperation,
    ReadStep,
    Refresh,
    SortCondition,
    WriteOperation,
    WriteStep,
)
from tablewright.design.values.amounts import Total
from tablewright.design.values.buckets import Bucket
from tablewright.design.values.templates import KeyTemplate
from tablewright.spec.conditions import Predicate
from tablewright.spec.model import AttributeType, Ending, KeyStyle, Step, StoredKind, Top, Validation
from tablewright.spec.quantities import Assumption, Number

__all__ = [  # with those of `patterns.py`: a design is one vocabulary
    "Cascade",
    "Design",
    "DesignChange",
    "Encoding",
    "EstimateReport",
    "FORMAT",
    "Index",
    "ItemAttribute",
    "ItemKeys",
    "ItemKind",
    "ItemType",
    "KeyField",
    "Parameter",
    "PatternDesign",
    "PatternEstimate",
    "PatternProof",
    "Predicted",
    "Projection",
    "ProjectionType",
    "ProofReport",
    "Provisioned",
    "ReadOperation",
    "ReadStep",
    "Refresh",
    "ScalarType",
    "SizeEstimate",
    "SortCondition",
    "TableDesign",
    "VERSION",
    "WriteOperation",
    "WriteStep",
]

FORMAT: Literal["tablewright-design"] = "tablewright-design"
VERSION = 2

ScalarType: TypeAlias = Literal["S", "N", "B"]
ProjectionType: TypeAlias = Literal["ALL", "INCLUDE", "KEYS_ONLY"]
ItemKind: TypeAlias = Literal[StoredKind, "copy", "embedded", "packed"]


# ---- the table ------------------------------------------------------------------------------------------------------


class KeyField(msgspec.Struct, frozen=True):
    """An attribute of a physical key."""

    name: str
    type: ScalarType = "S"


class Projection(msgspec.Struct, frozen=True):
    """What an index holds besides its keys."""

    type: ProjectionType = "ALL"
    attributes: tuple[str, ...] = ()


class Index(msgspec.Struct, frozen=True, kw_only=True):
    """A secondary index. More than one partition or sort attribute makes it a multi-attribute key."""

    name: str
    pk: tuple[KeyField, ...]
    sk: tuple[KeyField, ...] = ()
    projection: Projection = Projection()


class Provisioned(msgspec.Struct, frozen=True, kw_only=True):
    """Capacity with autoscaling between two bounds."""

    min_rcu: int
    max_rcu: int
    min_wcu: int
    max_wcu: int
    target_utilisation: float


class TableDesign(msgspec.Struct, frozen=True, kw_only=True):
    """A physical table with its settings."""

    name: str
    pk: KeyField
    sk: KeyField
    gsis: tuple[Index, ...] = ()
    lsis: tuple[Index, ...] = ()
    billing_mode: Literal["PAY_PER_REQUEST", "PROVISIONED"] = "PAY_PER_REQUEST"
    provisioned: Mapping[str, Provisioned] = {}  # by place: "table" or an index
    table_class: Literal["STANDARD", "STANDARD_INFREQUENT_ACCESS"] = "STANDARD"
    ttl_attribute: str | None = None
    stream: Literal["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"] | None = None
    kinesis: bool = False
    pitr: bool = True
    deletion_protection: bool = True
    encryption: Literal["AWS_OWNED", "AWS_MANAGED", "CUSTOMER_MANAGED"] = "AWS_OWNED"
    why: Mapping[str, str] = {}  # by setting: the reason, where there is one to give


# ---- items ----------------------------------------------------------------------------------------------------------


class ItemKeys(msgspec.Struct, frozen=True, kw_only=True):
    """How an item type is keyed in one place; `partition | lead # tag # rest` are the attributes behind it.

    A key ends where its first absent attribute of `rest` would stand; without one of `partition` or `lead` the item is
    not in the index. `shards` above 1: `{_shard}` is a number that follows from the id. `bucket`, as in
    `createdAt:7`: `{_bucket}` is what that attribute begins with, so many characters of it; the attribute then counts
    as part of the partition. `when`: the item is in the index only while this is true of it; attributes have these
    values, or (`attribute_exists`) any value at all. `copies` above 1: this is number `copy`, from 1 on, of so many
    that are written alike and differ in that number, with which their partition keys end.
    """

    index: str | None = None
    partition: tuple[str, ...]
    lead: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    pk: tuple[KeyTemplate, ...]
    sk: tuple[KeyTemplate, ...] = ()
    shards: int = 1
    copies: int = 1
    copy: int = 0
    bucket: Bucket | None = None
    when: Predicate | None = None
    native: bool = False  # the key fields are the attributes themselves
    collections: tuple[str, ...] = ()  # as the service calls what is read together, the widest first

    @property
    def leading(self) -> tuple[str, ...]:
        """The attributes without which an item is not in this index."""
        return (*self.partition, *self.lead, *((self.bucket.attribute,) if self.bucket else ()))


class ItemAttribute(msgspec.Struct, frozen=True, kw_only=True):
    """An attribute as it is stored."""

    name: str
    type: AttributeType
    required: bool = False
    changes: bool = False
    immutable: bool = False  # by the spec: no update may ever change it
    values: tuple[str, ...] = ()
    default: Any = None  # what puts write that leave it out
    validate: Validation | None = None  # what a value must be like that a caller gives
    ends: Ending | None = None  # so far at most behind the attribute `start`
    step_of: Step | None = None  # of what the stream keeps: a number of the entity, rounded down
    copy_of: Copy | None = None  # another entity's, which puts read first; no part of the item to the application


class ItemType(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of item. `entity` is what users call it; other kinds are written along with an entity.

    A detail has the attributes that the item itself lacks, a sentinel is there for every value that must be unique and
    names the item that has it. A total says in `totals` what each of its attributes is: `count`, or `sum amount`; a
    trailing one is not written along, but by a function that follows the table's stream. A trailing item with `top` has
    in its map `inside` the first items of its group in the order `sort`, `most` of them, by their places: `00`, `01`;
    of equal ones those with the least id come first, and each has the attributes `shows`. A latest one names the newest
    item of a group: that with the greatest value of `newest_by`, and of several such that with the greatest id. An
    embedded type has no item of its own: it is an entry of the map `inside` of the type `holder`, by the attribute
    `entry`, and `keys` are the holder's; the map is no part of an answer about the holder. A packed type has one item
    for all that have the same key, in which `{_bucket}` is the period of the attribute `entry`: the item has the rest
    of their id, and for each of them an attribute whose name is its value of `entry`, a map of all that is not in the
    id. `entries` is how many of them an item usually has.

    `ttl_attribute`: a PutItem with `all_attributes` sets it to the time of writing, in whole seconds since 1970, plus
    `ttl_days` (of 86,400 seconds, rounded to whole ones); an item that moves keeps what the reads found. All items of
    one write have the same time. It is no part of an answer.
    """

    name: str
    entity: str
    kind: ItemKind = "entity"
    table: str
    id: tuple[str, ...]
    attributes: tuple[ItemAttribute, ...]
    keys: tuple[ItemKeys, ...]
    fixed: Mapping[str, Any] = {}  # attributes with a constant value, such as the type's name
    totals: Mapping[str, Total] = {}
    top: Top | None = None
    newest_by: str = ""
    holder: str = ""
    inside: str = ""
    entry: str = ""
    entries: int = 0
    ttl_days: float | None = None  # an item says when it goes, in the table's ttl_attribute: seconds since 1970
    ttl_attribute: str | None = None  # set by puts, see above; None where items do not expire or callers say when
    expected_bytes: int = 0
    expected_count: float = 0.0
    sample: Mapping[str, Any] = {}
    notes: str = ""

    @property
    def is_second_item(self) -> bool:
        """The same item once more, under another key of the table."""
        return self.kind == "copy"

    @property
    def is_whole_item(self) -> bool:
        """All of an entity's attributes are in it: the item itself, or a second one."""
        return self.kind in ("entity", "copy")

    @property
    def is_written_along(self) -> bool:
        """An item of its own that is written in one transaction with an entity's."""
        return self.kind not in ("entity", "embedded", "packed", "trailing")

    @property
    def is_companion(self) -> bool:
        """Written along by a plan of its own; a put that replaces an item reads it first, to take along what it had."""
        return self.is_written_along and self.kind not in ("copy", "detail")

    @property
    def table_keys(self) -> ItemKeys:
        """Its key in the table itself."""
        return next(each for each in self.keys if each.index is None)


# ---- the whole ------------------------------------------------------------------------------------------------------


class PatternProof(msgspec.Struct, frozen=True, kw_only=True):
    """How a pattern did when it was run on the embedded engine."""

    pattern: str
    runs: int
    wrong: int
    measured_rcu: float = 0.0
    predicted_rcu: float = 0.0
    measured_wcu: float = 0.0
    predicted_wcu: float = 0.0
    exact: bool = False
    notes: tuple[str, ...] = ()


class PatternEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """What one run takes on average: as estimated, as it follows from the items that were touched, as it was billed.

    `recomputed` is the estimate for the items that there were, where the spec's own volumes were too large to be run.
    """

    pattern: str
    runs: int
    estimated_rcu: float = 0.0
    estimated_wcu: float = 0.0
    recomputed_rcu: float = 0.0
    recomputed_wcu: float = 0.0
    predicted_rcu: float = 0.0
    predicted_wcu: float = 0.0
    measured_rcu: float = 0.0
    measured_wcu: float = 0.0
    standard_error: float = 0.0  # of the measured units, where not everything that could be asked was asked
    passed: bool = True
    explanation: str = ""  # of a difference, or why there were no runs


class SizeEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """The bytes of an item of one type on average."""

    item: str
    estimated: float
    measured: float
    passed: bool = True


class EstimateReport(msgspec.Struct, frozen=True, kw_only=True):
    """The estimates of a design, held against runs on data in the proportions of its spec."""

    items: Mapping[str, int]  # by entity
    shares: Mapping[str, float]  # by entity: of the items that the spec counts
    patterns: tuple[PatternEstimate, ...]
    sizes: tuple[SizeEstimate, ...] = ()
    passed: bool
    failure: str = ""  # why nothing could be compared


class ProofReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was run, on how many items, and what came of it."""

    seed: int
    items: Mapping[str, int]
    patterns: tuple[PatternProof, ...]
    invariants: Mapping[str, int] = {}  # what held, and how many times it was checked
    passed: bool
    failure: str = ""  # the first thing that was wrong, for people
    unproven: Mapping[str, str] = {}  # by pattern: what of it could not be tried, such as a condition nobody could read
    fingerprint: str = ""  # of what was proven; a design that has another was changed afterwards
    estimates: EstimateReport | None = None


class Encoding(msgspec.Struct, frozen=True, kw_only=True):
    """How values stand inside keys, in words that can be implemented."""

    delimiter: str
    text: str
    numbers: str
    booleans: str
    absent: str
    shard: str
    bucket: str = ""
    type_field: str


class DesignChange(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an earlier design whose keys were to be kept; each key as `Order in gsi1`."""

    kept: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()  # is written differently now: every item has to be written again
    gone: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()  # stays, although no pattern reads it any more
    usd_per_month: float = 0.0  # more than before, on demand
    once_usd: float = 0.0  # for writing the items that get other or more keys
    steps: tuple[str, ...] = ()  # in this order, nobody is interrupted


class Design(msgspec.Struct, frozen=True, kw_only=True):
    """The whole design."""

    format: Literal["tablewright-design"] = FORMAT
    version: int = VERSION
    name: str
    title: str = ""
    aim: str
    gap: float = 0.0  # by what share of its aim a better one may exist; 0 when it is proven to be the best
    key_style: KeyStyle
    tables: tuple[TableDesign, ...]
    items: tuple[ItemType, ...]
    patterns: tuple[PatternDesign, ...]
    encoding: Encoding
    cost: CostReport
    heat: HeatReport
    advice: Advice
    verdicts: tuple[Verdict, ...] = ()  # what it fails at
    numbers: tuple[Number, ...] = ()  # that it rests on, each with its origin
    assumptions: tuple[Assumption, ...] = ()
    rewrites: tuple[Rewrite, ...] = ()  # how the spec's entities became item types
    proof: ProofReport | None = None
    change: DesignChange | None = None  # against the design that was to be kept
    notes: tuple[str, ...] = ()  # what to keep in mind when reading and writing by it
    service: Mapping[str, Any] = {}  # the same as a service in Tablewright's own form, for its runtime
    spec: Mapping[str, Any] = {}  # what it was made from
    stored: Mapping[str, StoredForm] = {}  # by table: the spec as it is stored there, where it was rewritten

    def item(self, name: str) -> ItemType:
        return next(each for each in self.items if each.name == name)
