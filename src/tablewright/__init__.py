"""Tablewright: the DynamoDB architect you can run."""

from tablewright.errors import (
    Aborted,
    BadAnswer,
    CancellationReason,
    ConditionFailed,
    ConnectionFailed,
    CredentialsMissing,
    DesignError,
    FieldFault,
    Incomplete,
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
from tablewright.runtime.declare.fresh import new_id, now
from tablewright.runtime.declare.path import Path
from tablewright.runtime.entity import Entity
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
from tablewright.runtime.transports.retry import Retry
from tablewright.schema.model import Identifiers

__all__ = [
    "ANY",
    "Aborted",
    "AsyncDatabase",
    "Attr",
    "BadAnswer",
    "Bound",
    "CancellationReason",
    "Change",
    "Check",
    "Checkpoints",
    "Collection",
    "Condition",
    "ConditionFailed",
    "ConnectionFailed",
    "CredentialsMissing",
    "Database",
    "Delete",
    "DesignError",
    "Difference",
    "Entity",
    "Event",
    "Explained",
    "FieldFault",
    "Gather",
    "Get",
    "Handled",
    "Handlers",
    "Identifiers",
    "Incomplete",
    "Inserted",
    "Key",
    "Map",
    "Modified",
    "Moved",
    "Observation",
    "Operation",
    "OutcomeUnknown",
    "Page",
    "Path",
    "Provisioned",
    "Put",
    "Query",
    "Range",
    "Recalled",
    "Removed",
    "RequestError",
    "Retry",
    "Scan",
    "SchemaError",
    "Seen",
    "SeenInMemory",
    "SeenInTable",
    "Service",
    "ServiceError",
    "StreamRecord",
    "Table",
    "TablewrightError",
    "Throttled",
    "TimedOut",
    "Transaction",
    "TransactionCancelled",
    "TransportError",
    "Update",
    "Upsert",
    "ValidationError",
    "Written",
    "attr",
    "batch_get",
    "batch_write",
    "begins_with",
    "between",
    "delete_all",
    "gt",
    "gte",
    "index",
    "lt",
    "lte",
    "new_id",
    "now",
    "primary",
    "stream_records",
    "transact",
    "transact_get",
]
