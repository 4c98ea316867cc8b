"""What a design has to say beyond its tables and requests, as values: prose beside the numbers it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

DecisionKind: TypeAlias = Literal[
    "table-key", "index", "copy", "plan", "projection", "shards", "buckets", "rewrite", "tables", "capacity"
]

CopyWrite: TypeAlias = Literal["transaction", "batch"]
VerdictKind: TypeAlias = Literal["budget", "heat", "size", "latency", "unproven", "estimates"]


class Verdict(msgspec.Struct, frozen=True):
    """Something that a design fails at; see `design/verdicts.py`."""

    kind: VerdictKind
    text: str


class Source(msgspec.Struct, frozen=True, order=True):
    """A page of the AWS documentation that a rule rests on."""

    title: str
    url: str


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """What changes when something else is chosen; more is worse. None of it where no design exists."""

    possible: bool = True
    usd_per_month: float = 0.0
    gsis: int = 0
    copies: int = 0  # second items to keep in step
    requests: float = 0.0


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was chosen, why, and by how much the next best choice loses (found by solving without it)."""

    id: str
    kind: DecisionKind
    subject: str  # an entity, a pattern or an index
    chosen: str
    why: str
    usd_per_month: float = 0.0
    alternative: str = ""
    loses: Difference = Difference()
    patterns: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()


class Alternative(msgspec.Struct, frozen=True, kw_only=True):
    """Another design on the Pareto front, with what it gains and what it costs against the chosen one."""

    name: str
    gsis: int
    copies: int
    tables: int
    usd_per_month: float
    requests_per_pattern: float
    hottest_share: float  # of what a partition can take, at peak
    gains: str
    costs: str
    keys: Mapping[str, str] = {}  # by entity: its table key
    chosen: bool = False
    lsis: int = 0
    without: tuple[str, ...] = ()  # patterns that it leaves to something else
    needs: Mapping[str, Any] = {}  # path in the spec -> value, to get it
    how: str = ""  # the same in words, with options of the command


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer to a question: what to write into the spec, and what the design then is."""

    answer: str
    outcome: str
    changes: Mapping[str, Any] = {}  # path in the spec -> value
    gsis: int = 0
    usd_per_month: float = 0.0
    is_assumed: bool = False


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """Asked because another answer changes the design; the most valuable comes first."""

    id: str
    place: str  # in the spec
    question: str
    answers: tuple[Answer, ...]
    value: float  # by how much the design changes: a GSI counts like so many dollars


class RelationshipNote(msgspec.Struct, frozen=True, kw_only=True):
    """How a relationship is held, what is stored twice, who keeps it in step, and what a delete must reach."""

    relationship: str
    kind: str
    held: str
    copied: str = ""
    in_step: str = ""
    on_delete: str = ""
    sources: tuple[Source, ...] = ()


class WriteNote(msgspec.Struct, frozen=True, kw_only=True):
    """What keeps a write pattern right."""

    pattern: str
    uniqueness: str = ""
    conditions: str = ""
    transaction: str = ""
    idempotency: str = ""
    concurrency: str = ""
    cascade: str = ""
    sources: tuple[Source, ...] = ()


class NewPattern(msgspec.Struct, frozen=True, kw_only=True):
    """A pattern nobody asked for yet: does it fit, and what would it need."""

    description: str
    entity: str
    fits: bool
    needs: str = ""
    usd_per_month: float = 0.0
    gsis: int = 0


class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """Something to watch in CloudWatch, with the number at which someone should look."""

    name: str
    metric: str
    namespace: str = "AWS/DynamoDB"
    dimensions: Mapping[str, str] = {}
    statistic: str = "Sum"
    period_seconds: int = 60
    evaluation_periods: int = 5
    threshold: float
    comparison: Literal["GreaterThanThreshold", "GreaterThanOrEqualToThreshold", "LessThanThreshold"] = (
        "GreaterThanThreshold"
    )
    why: str = ""


class Monitoring(msgspec.Struct, frozen=True, kw_only=True):
    alarms: tuple[Alarm, ...] = ()
    metrics: tuple[str, ...] = ()
    contributor_insights: tuple[str, ...] = ()  # places: "table" or an index
    contributor_insights_why: str = ""
    sources: tuple[Source, ...] = ()


class Saving(msgspec.Struct, frozen=True, kw_only=True):
    """Something about attributes that would make the bill smaller."""

    subject: str
    advice: str
    usd_per_month: float = 0.0
    bytes_per_item: float = 0.0


class HotRead(msgspec.Struct, frozen=True, kw_only=True):
    """A small answer that is read more often than a partition serves: copies of it, or a cache."""

    place: str
    partition_key: str
    patterns: tuple[str, ...]
    entities: tuple[str, ...]
    rcu_per_second: float  # at peak, on the hottest partition
    copies: int  # with the first
    items: float  # that are read too often
    written: CopyWrite
    copies_usd_per_month: float  # of these items
    all_copies_usd_per_month: float  # of all items of these entities, where nobody knows which are hot
    dax_nodes: int = 0
    dax_usd_per_month: float | None = None  # less the reads that it saves; None where it does not help
    cheaper: Literal["copies", "dax"]
    is_built: bool = False  # the design has these copies, of all items
    how: str = ""


class LoadStage(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the load test."""

    name: str
    minutes: int
    rates: Mapping[str, float]  # by pattern, a second
    expected_rcu: float
    expected_wcu: float
    abort_when: str


class Testing(msgspec.Struct, frozen=True, kw_only=True):
    strategy: tuple[str, ...] = ()
    key_distributions: Mapping[str, str] = {}
    stages: tuple[LoadStage, ...] = ()


class TablesNote(msgspec.Struct, frozen=True, kw_only=True):
    """One table against several, with numbers."""

    recommended: Literal["single", "several"]
    why: str
    single_usd_per_month: float = 0.0
    several_usd_per_month: float = 0.0
    groups: tuple[tuple[str, ...], ...] = ()
    points: Mapping[str, str] = {}  # shared patterns, transactions, backup, capacity, life cycle


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One of our own red flags, held against our own design."""

    id: str
    check: str
    passed: bool
    remains: str = ""
    why: str = ""
    sources: tuple[Source, ...] = ()


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """All of it."""

    decisions: tuple[Decision, ...] = ()
    pattern_prices: Mapping[str, Difference] = {}  # by pattern: what leaving it out would save
    why_not_fewer: str = ""
    alternatives: tuple[Alternative, ...] = ()
    questions: tuple[Question, ...] = ()
    relationships: tuple[RelationshipNote, ...] = ()
    writes: tuple[WriteNote, ...] = ()
    evolution: tuple[NewPattern, ...] = ()
    capped: str = ""  # what was left untried because a spec is large
    monitoring: Monitoring = Monitoring()
    savings: tuple[Saving, ...] = ()
    hot_reads: tuple[HotRead, ...] = ()
    testing: Testing = Testing()
    tables: TablesNote | None = None
    critique: tuple[Check, ...] = ()
    reconsidered: Mapping[str, str] = {}  # by check that did not pass: what searching without it came to
    tradeoffs: tuple[str, ...] = ()  # what is paid above the cheapest design, and for what; what cannot be helped
    naming: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
