"""Tablewright: the DynamoDB architect you can run."""

from tablewright.errors import (
    Aborted,
    BadAnswer,
    BlobError,
    CancellationReason,
    ConditionFailed,
    Conflict,
    ConnectionFailed,
    CredentialsMissing,
    DesignError,
    FieldFault,
    Incomplete,
    NotUnique,
    OutcomeUnknown,
    RequestError,
    SchemaError,
    ServiceError,
    TablewrightError,
    Throttled,
    TimedOut,
    TransactionCancelled,
    TransportError,
    ValidationError,
)
from tablewright.expr.nodes import Condition
from tablewright.runtime.collection import Collection, Gather
from tablewright.runtime.database import AsyncDatabase, Database
from tablewright.runtime.declare.access import index, primary
from tablewright.runtime.declare.attr import Attr, Map, attr
from tablewright.runtime.declare.bounds import ANY, Bound, Range, begins_with, between, gt, gte, lt, lte
from tablewright.runtime.declare.fresh import new_id, now, time_held
from tablewright.runtime.declare.links import count_into, counter, latest_into, max_into, min_into, mirror, sum_into
from tablewright.runtime.declare.path import Path
from tablewright.runtime.entity import Entity
from tablewright.runtime.features.aggregates.recount import recount
from tablewright.runtime.features.aggregates.streaming import keep_aggregates
from tablewright.runtime.features.cascade.cascade import cascade
from tablewright.runtime.features.counters import CounterOf, Counters
from tablewright.runtime.features.edges.traversal import common, exists, neighbours
from tablewright.runtime.features.edit import Edit, edit
from tablewright.runtime.features.hierarchy.path import TreePath
from tablewright.runtime.features.hierarchy.tree import Tree, tree
from tablewright.runtime.features.jobs.job import Job
from tablewright.runtime.features.jobs.progress import Progress
from tablewright.runtime.features.large.saved import Saved, saved
from tablewright.runtime.features.large.stores import AsyncBlobStore, BlobStore, FolderStore, StoredBlob
from tablewright.runtime.features.large.sweep import Swept, sweep
from tablewright.runtime.features.once.once import Once, once
from tablewright.runtime.features.refs.ref import Ref, ref
from tablewright.runtime.features.refs.resolve import resolve
from tablewright.runtime.features.spread.realign import Realign, realign
from tablewright.runtime.features.tenant.across import across_tenants
from tablewright.runtime.features.tenant.scope import Tenant
from tablewright.runtime.features.unique.sentinels import Repaired, find_unique, repair_unique
from tablewright.runtime.key import Key
from tablewright.runtime.observing.explain import Explained
from tablewright.runtime.observing.observation import Observation
from tablewright.runtime.operations.delete import Check, Delete
from tablewright.runtime.operations.get import Get
from tablewright.runtime.operations.put import Put
from tablewright.runtime.operations.query import Page, Query
from tablewright.runtime.operations.scan import Scan
from tablewright.runtime.operations.update import Update
from tablewright.runtime.operations.upsert import Upsert
from tablewright.runtime.requests.changes import Change
from tablewright.runtime.requests.request import Operation
from tablewright.runtime.service import Service, Table
from tablewright.runtime.streams.batch import Handled
from tablewright.runtime.streams.changes.differences import Moved
from tablewright.runtime.streams.changes.events import Event, Inserted, Modified, Removed
from tablewright.runtime.streams.changes.record import StreamRecord
from tablewright.runtime.streams.changes.sources import stream_records
from tablewright.runtime.streams.following.checkpoints import Checkpoints
from tablewright.runtime.streams.handlers import Handlers
from tablewright.runtime.streams.seen import Recalled, Seen, SeenInMemory
from tablewright.runtime.streams.seen_table import SeenInTable
from tablewright.runtime.tables.difference import Difference
from tablewright.runtime.tables.settings import Provisioned
from tablewright.runtime.together.batches import batch_get, batch_write
from tablewright.runtime.together.bulk import Written
from tablewright.runtime.together.deleting import delete_all
from tablewright.runtime.together.transactions import Transaction, transact, transact_get
from tablewright.runtime.transports.aws.s3 import S3Store
from tablewright.runtime.transports.retry import Retry
from tablewright.schema.features import Bucket, Shards
from tablewright.schema.model import Identifiers

__all__ = [
    "ANY",
    "Aborted",
    "AsyncBlobStore",
    "AsyncDatabase",
    "Attr",
    "BadAnswer",
    "BlobError",
    "BlobStore",
    "Bound",
    "Bucket",
    "CancellationReason",
    "Change",
    "Check",
    "Checkpoints",
    "Collection",
    "Condition",
    "ConditionFailed",
    "Conflict",
    "ConnectionFailed",
    "CounterOf",
    "Counters",
    "CredentialsMissing",
    "Database",
    "Delete",
    "DesignError",
    "Difference",
    "Edit",
    "Entity",
    "Event",
    "Explained",
    "FieldFault",
    "FolderStore",
    "Gather",
    "Get",
    "Handled",
    "Handlers",
    "Identifiers",
    "Incomplete",
    "Inserted",
    "Job",
    "Key",
    "Map",
    "Modified",
    "Moved",
    "NotUnique",
    "Observation",
    "Once",
    "Operation",
    "OutcomeUnknown",
    "Page",
    "Path",
    "Progress",
    "Provisioned",
    "Put",
    "Query",
    "Range",
    "Realign",
    "Recalled",
    "Ref",
    "Removed",
    "Repaired",
    "RequestError",
    "Retry",
    "S3Store",
    "Saved",
    "Scan",
    "SchemaError",
    "Seen",
    "SeenInMemory",
    "SeenInTable",
    "Service",
    "ServiceError",
    "Shards",
    "StoredBlob",
    "StreamRecord",
    "Swept",
    "Table",
    "TablewrightError",
    "Tenant",
    "Throttled",
    "TimedOut",
    "Transaction",
    "TransactionCancelled",
    "TransportError",
    "Tree",
    "TreePath",
    "Update",
    "Upsert",
    "ValidationError",
    "Written",
    "across_tenants",
    "attr",
    "batch_get",
    "batch_write",
    "begins_with",
    "between",
    "cascade",
    "common",
    "count_into",
    "counter",
    "delete_all",
    "edit",
    "exists",
    "find_unique",
    "gt",
    "gte",
    "index",
    "keep_aggregates",
    "latest_into",
    "lt",
    "lte",
    "max_into",
    "min_into",
    "mirror",
    "neighbours",
    "new_id",
    "now",
    "once",
    "primary",
    "realign",
    "recount",
    "ref",
    "repair_unique",
    "resolve",
    "saved",
    "stream_records",
    "sum_into",
    "sweep",
    "time_held",
    "transact",
    "transact_get",
    "tree",
]
