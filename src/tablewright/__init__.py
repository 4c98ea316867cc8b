"""Tablewright: the DynamoDB architect you can run."""

from tablewright.errors import (
    Aborted,
    CancellationReason,
    ConditionFailed,
    DesignError,
    FieldFault,
    RequestError,
    SchemaError,
    ServiceError,
    TablewrightError,
    Throttled,
    TransactionCancelled,
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
from tablewright.runtime.together import Transaction, batch_get, batch_write, delete_all, transact, transact_get
from tablewright.schema.model import Identifiers

__all__ = [
    "ANY",
    "Aborted",
    "AsyncDatabase",
    "Attr",
    "Bound",
    "CancellationReason",
    "Change",
    "Check",
    "Collection",
    "Condition",
    "ConditionFailed",
    "Database",
    "Delete",
    "DesignError",
    "Entity",
    "FieldFault",
    "Gather",
    "Get",
    "Identifiers",
    "Key",
    "Map",
    "Operation",
    "Page",
    "Path",
    "Put",
    "Query",
    "Range",
    "RequestError",
    "Scan",
    "SchemaError",
    "Service",
    "ServiceError",
    "Table",
    "TablewrightError",
    "Throttled",
    "Transaction",
    "TransactionCancelled",
    "Update",
    "Upsert",
    "ValidationError",
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
    "transact",
    "transact_get",
]
