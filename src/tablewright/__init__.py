"""Tablewright: the DynamoDB architect you can run.

What every program uses is imported at once, the features of some when they are first named: starting up is paid for
by every process, and by every cold Lambda function.
"""

import typing

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
    LeaseLost,
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
from tablewright.runtime.backoff import Retry
from tablewright.runtime.blob_store import AsyncBlobStore, BlobStore, StoredBlob
from tablewright.runtime.clock import new_id, now, now_ms, time_held
from tablewright.runtime.collection import Collection
from tablewright.runtime.database import AsyncDatabase, Database
from tablewright.runtime.declare.access import index, primary
from tablewright.runtime.declare.attr import Attr, Map, attr
from tablewright.runtime.declare.bounds import ANY, Bound, Range, begins_with, between, gt, gte, lt, lte
from tablewright.runtime.declare.links import count_into, counter, latest_into, max_into, min_into, mirror, sum_into
from tablewright.runtime.entity import Entity
from tablewright.runtime.key import Key
from tablewright.runtime.observing.explain import Explained
from tablewright.runtime.observing.observation import Observation
from tablewright.runtime.operations.batches import batch_get, batch_write
from tablewright.runtime.operations.bulk import Written
from tablewright.runtime.operations.delete import Check, Delete
from tablewright.runtime.operations.delete_found import delete_all
from tablewright.runtime.operations.gather import Gather
from tablewright.runtime.operations.get import Get
from tablewright.runtime.operations.put import Put
from tablewright.runtime.operations.query import Page, Query
from tablewright.runtime.operations.scan import Scan
from tablewright.runtime.operations.transactions import Transaction, transact, transact_get
from tablewright.runtime.operations.update import Update
from tablewright.runtime.operations.upsert import Upsert
from tablewright.runtime.requests.changes import Change
from tablewright.runtime.requests.path import Path
from tablewright.runtime.requests.request import Operation
from tablewright.runtime.service import Service, Table
from tablewright.runtime.tables.difference import Difference
from tablewright.runtime.tables.settings import Provisioned
from tablewright.schema.features import Bucket, History, Lease, Shards, SoftDelete
from tablewright.schema.model import Identifiers

if typing.TYPE_CHECKING:
    __version__: str
    from tablewright.runtime.declare.documents import replace
    from tablewright.runtime.features.aggregates.recount import recount
    from tablewright.runtime.features.blobs.saved import Saved, saved
    from tablewright.runtime.features.blobs.stores import FolderStore
    from tablewright.runtime.features.blobs.sweep import Swept, sweep
    from tablewright.runtime.features.cascade.cascade import cascade
    from tablewright.runtime.features.counters import CounterOf, Counters
    from tablewright.runtime.features.edges.traversal import common, exists, neighbours
    from tablewright.runtime.features.edit import Edit, edit
    from tablewright.runtime.features.hierarchy.tree import Tree, tree
    from tablewright.runtime.features.history.restore import forget, restore
    from tablewright.runtime.features.history.versions import Version, as_of, version_of, versions
    from tablewright.runtime.features.idempotency.once import Once, once
    from tablewright.runtime.features.jobs.job import Job
    from tablewright.runtime.features.jobs.progress import Progress
    from tablewright.runtime.features.queues.claim import Claim, claim
    from tablewright.runtime.features.queues.lease import discard, enqueue, extend, finish, release
    from tablewright.runtime.features.refs.ref import Ref, ref
    from tablewright.runtime.features.refs.resolve import resolve
    from tablewright.runtime.features.sharding.realign import Realign, realign
    from tablewright.runtime.features.soft_delete import purge
    from tablewright.runtime.features.tenant.across import across_tenants
    from tablewright.runtime.features.tenant.scope import Tenant
    from tablewright.runtime.features.unique.sentinels import Repaired, find_unique, repair_unique
    from tablewright.runtime.features.upgrade import Upgrade, upgrade
    from tablewright.runtime.streams.aggregates import keep_aggregates
    from tablewright.runtime.streams.batch import Handled
    from tablewright.runtime.streams.changes.differences import Moved
    from tablewright.runtime.streams.changes.events import Event, Inserted, Modified, Removed
    from tablewright.runtime.streams.changes.record import StreamRecord
    from tablewright.runtime.streams.changes.sources import stream_records
    from tablewright.runtime.streams.following.checkpoints import Checkpoints
    from tablewright.runtime.streams.handlers import Handlers
    from tablewright.runtime.streams.seen import Recalled, Seen, SeenInMemory
    from tablewright.runtime.streams.seen_table import SeenInTable
    from tablewright.runtime.transports.aws.s3 import S3Store
    from tablewright.runtime.types.tree_path import TreePath

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
    "Claim",
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
    "History",
    "Identifiers",
    "Incomplete",
    "Inserted",
    "Job",
    "Key",
    "Lease",
    "LeaseLost",
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
    "SoftDelete",
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
    "Upgrade",
    "Upsert",
    "ValidationError",
    "Version",
    "Written",
    "across_tenants",
    "as_of",
    "attr",
    "batch_get",
    "batch_write",
    "begins_with",
    "between",
    "cascade",
    "claim",
    "common",
    "count_into",
    "counter",
    "delete_all",
    "discard",
    "edit",
    "enqueue",
    "exists",
    "extend",
    "find_unique",
    "finish",
    "forget",
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
    "now_ms",
    "once",
    "primary",
    "purge",
    "realign",
    "recount",
    "ref",
    "release",
    "repair_unique",
    "replace",
    "resolve",
    "restore",
    "saved",
    "stream_records",
    "sum_into",
    "sweep",
    "time_held",
    "transact",
    "transact_get",
    "tree",
    "upgrade",
    "version_of",
    "versions",
]

_LATER = {
    "tablewright.runtime.declare.documents": ("replace",),
    "tablewright.runtime.features.aggregates.recount": ("recount",),
    "tablewright.runtime.streams.aggregates": ("keep_aggregates",),
    "tablewright.runtime.features.cascade.cascade": ("cascade",),
    "tablewright.runtime.features.counters": ("CounterOf", "Counters"),
    "tablewright.runtime.features.edges.traversal": ("common", "exists", "neighbours"),
    "tablewright.runtime.features.edit": ("Edit", "edit"),
    "tablewright.runtime.types.tree_path": ("TreePath",),
    "tablewright.runtime.features.hierarchy.tree": ("Tree", "tree"),
    "tablewright.runtime.features.history.versions": ("Version", "as_of", "version_of", "versions"),
    "tablewright.runtime.features.history.restore": ("forget", "restore"),
    "tablewright.runtime.features.jobs.job": ("Job",),
    "tablewright.runtime.features.jobs.progress": ("Progress",),
    "tablewright.runtime.features.blobs.saved": ("Saved", "saved"),
    "tablewright.runtime.features.blobs.stores": ("FolderStore",),
    "tablewright.runtime.features.blobs.sweep": ("Swept", "sweep"),
    "tablewright.runtime.features.idempotency.once": ("Once", "once"),
    "tablewright.runtime.features.queues.claim": ("Claim", "claim"),
    "tablewright.runtime.features.queues.lease": ("discard", "enqueue", "extend", "finish", "release"),
    "tablewright.runtime.features.refs.ref": ("Ref", "ref"),
    "tablewright.runtime.features.refs.resolve": ("resolve",),
    "tablewright.runtime.features.soft_delete": ("purge",),
    "tablewright.runtime.features.sharding.realign": ("Realign", "realign"),
    "tablewright.runtime.features.tenant.across": ("across_tenants",),
    "tablewright.runtime.features.tenant.scope": ("Tenant",),
    "tablewright.runtime.features.unique.sentinels": ("Repaired", "find_unique", "repair_unique"),
    "tablewright.runtime.features.upgrade": ("Upgrade", "upgrade"),
    "tablewright.runtime.streams.batch": ("Handled",),
    "tablewright.runtime.streams.changes.differences": ("Moved",),
    "tablewright.runtime.streams.changes.events": ("Event", "Inserted", "Modified", "Removed"),
    "tablewright.runtime.streams.changes.record": ("StreamRecord",),
    "tablewright.runtime.streams.changes.sources": ("stream_records",),
    "tablewright.runtime.streams.following.checkpoints": ("Checkpoints",),
    "tablewright.runtime.streams.handlers": ("Handlers",),
    "tablewright.runtime.streams.seen": ("Recalled", "Seen", "SeenInMemory"),
    "tablewright.runtime.streams.seen_table": ("SeenInTable",),
    "tablewright.runtime.transports.aws.s3": ("S3Store",),
}
_HOMES = {name: module for module, names in _LATER.items() for name in names}


if not typing.TYPE_CHECKING:  # to a type checker every misspelled name would be something

    def __getattr__(name: str) -> typing.Any:
        from importlib import import_module

        if name == "__version__":
            value = import_module("importlib.metadata").version("tablewright")
        elif name in _HOMES:
            value = getattr(import_module(_HOMES[name]), name)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
