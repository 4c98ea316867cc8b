"""A design as data: all that someone without Tablewright needs to make the table, write items and run every pattern.

`{name}` in a template stands for a value: an attribute of the item, or a parameter of the pattern. `encoding` says how
a value is written inside a key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from tablewright.architect.cost.report import CostReport
from tablewright.architect.design.requests import Filter
from tablewright.architect.explain.advice import Advice
from tablewright.architect.heat.report import HeatReport
from tablewright.architect.spec.assume import Assumption
from tablewright.architect.spec.model import AttributeType, Consistency, KeyStyle, PatternKind, WriteOp

FORMAT: Literal["tablewright-design"] = "tablewright-design"
VERSION = 1

ScalarType: TypeAlias = Literal["S", "N", "B"]
ProjectionType: TypeAlias = Literal["ALL", "INCLUDE", "KEYS_ONLY"]
ItemKind: TypeAlias = Literal["entity", "copy", "detail", "sentinel", "total", "embedded"]
ReadOperation: TypeAlias = Literal["GetItem", "Query", "BatchGetItem"]
WriteOperation: TypeAlias = Literal["PutItem", "UpdateItem", "DeleteItem", "ConditionCheck"]


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


class KeyTemplate(msgspec.Struct, frozen=True):
    """One key field of an item type and the template that fills it."""

    field: str
    template: str


class ItemKeys(msgspec.Struct, frozen=True, kw_only=True):
    """How an item type is keyed in one place; `partition | lead # tag # rest` are the attributes behind it.

    A key is cut before its first absent attribute of `rest`; without one of `partition` or `lead` the item is not in
    the index. `shards` above 1: `{_shard}` is a number that follows from the id. `bucket`: `{_bucket}` is the
    beginning of a timestamp.
    """

    index: str | None = None
    partition: tuple[str, ...]
    lead: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    pk: tuple[KeyTemplate, ...]
    sk: tuple[KeyTemplate, ...] = ()
    shards: int = 1
    bucket: str | None = None
    native: bool = False  # the key fields are the attributes themselves


class ItemAttribute(msgspec.Struct, frozen=True, kw_only=True):
    """An attribute as it is stored."""

    name: str
    type: AttributeType
    required: bool = False
    changes: bool = False
    values: tuple[str, ...] = ()


class ItemType(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of item. `entity` is what users call it; other kinds are written along with an entity."""

    name: str
    entity: str
    kind: ItemKind = "entity"
    table: str
    id: tuple[str, ...]
    attributes: tuple[ItemAttribute, ...]
    keys: tuple[ItemKeys, ...]
    fixed: Mapping[str, Any] = {}  # attributes with a constant value, such as the type's name
    ttl_days: float | None = None
    expected_bytes: int = 0
    expected_count: float = 0.0
    sample: Mapping[str, Any] = {}
    notes: str = ""


# ---- patterns -------------------------------------------------------------------------------------------------------


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller of a pattern brings."""

    name: str
    type: AttributeType = "string"
    attribute: str | None = None
    values: tuple[str, ...] = ()
    required: bool = True


class SortCondition(msgspec.Struct, frozen=True, kw_only=True):
    """What the sort key must satisfy; a native multi-attribute key has one for every attribute that is asked for."""

    field: str
    operator: Literal["=", "begins_with", "between", "<", "<=", ">", ">="]
    low: str
    high: str | None = None


class ReadStep(msgspec.Struct, frozen=True, kw_only=True):
    """One request of a read; its answer is the pattern's, or feeds the next step.

    `shards`: asked once for every `{_shard}`. `for_each`: asked once for every value of the named parameters, and for
    `_bucket` once for every bucket between the range's ends. Answers are merged in the order of the sort key.
    `keys_from`: an earlier step (counted from 0) whose items give `{name}` values, one request or key for each, in
    their order. `joins`: what is found completes the earlier step's items with the same id instead of replacing them.
    `unfold`: the answer is the values of that map attribute, not the items that hold it.
    """

    operation: ReadOperation
    table: str
    index: str | None = None
    pk: tuple[KeyTemplate, ...]
    sk: tuple[SortCondition, ...] = ()
    filters: tuple[Filter, ...] = ()
    backwards: bool = False
    limit: int | None = None
    consistent: bool = False
    projection: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    shards: int = 1
    shard_of: tuple[str, ...] = ()
    for_each: Mapping[str, tuple[str, ...]] = {}
    keys_from: int | None = None
    joins: bool = False
    unfold: str | None = None


class WriteStep(msgspec.Struct, frozen=True, kw_only=True):
    """One write; several of one pattern go in one transaction. `set` has templates or `{name}` values by attribute.

    `{name}` is a parameter, or else the attribute of the item that the pattern's reads found; `{old.name}` is always
    the latter. A path `children.{childId}` sets one entry of a map; `{*}` is the whole item as a map.
    """

    operation: WriteOperation
    item: str  # item type
    table: str
    key: tuple[KeyTemplate, ...]
    all_attributes: bool = False  # a put of the whole item, with all its keys
    set: Mapping[str, str] = {}
    add: Mapping[str, str] = {}
    remove: tuple[str, ...] = ()
    condition: str = ""  # an expression over attribute names, with `{name}` for values
    why: str = ""


class Predicted(msgspec.Struct, frozen=True, kw_only=True):
    """What one run takes, and what a month of them costs."""

    requests: float
    items: float
    pages: float = 1.0
    rcu: float = 0.0
    wcu: float = 0.0
    usd_per_month: float = 0.0


class PatternDesign(msgspec.Struct, frozen=True, kw_only=True):
    """How an access pattern is served: first the reads, then, for a write, the writes in one transaction."""

    id: str
    description: str = ""
    kind: PatternKind
    op: WriteOp | None = None
    entities: tuple[str, ...]
    parameters: tuple[Parameter, ...] = ()
    reads: tuple[ReadStep, ...] = ()
    writes: tuple[WriteStep, ...] = ()
    transaction: bool = False
    aggregate: Mapping[str, str] = {}
    sorted_by: tuple[tuple[str, str], ...] = ()
    returns: tuple[str, ...] = ()
    consistency: Consistency = "eventual"
    predicted: Predicted
    why: str = ""
    paging: str = ""
    retries: str = ""


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


class ProofReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was run, on how many items, and what came of it."""

    seed: int
    items: Mapping[str, int]
    patterns: tuple[PatternProof, ...]
    invariants: Mapping[str, int] = {}  # what held, and how many times it was checked
    passed: bool


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


class Design(msgspec.Struct, frozen=True, kw_only=True):
    """The whole design."""

    format: Literal["tablewright-design"] = FORMAT
    version: int = VERSION
    name: str
    title: str = ""
    aim: str
    key_style: KeyStyle
    tables: tuple[TableDesign, ...]
    items: tuple[ItemType, ...]
    patterns: tuple[PatternDesign, ...]
    encoding: Encoding
    cost: CostReport
    heat: HeatReport
    advice: Advice
    assumptions: tuple[Assumption, ...] = ()
    proof: ProofReport | None = None
    spec: Mapping[str, Any] = {}  # what it was made from
