"""The parameters from before expressions, read into the same nodes that expressions become.

    legacy_condition(params, "Expected")    a Condition, or None; also for "QueryFilter" and "ScanFilter"
    legacy_key_conditions(params)           KeyConditions: a Condition for each key attribute, or None
    check_names(names)                      the attribute names of any of these, and of AttributesToGet
    legacy_update(params)                   AttributeUpdates: an Update, or None
    update_fault(message)                   DynamoDB's other wording for what applying such an update met

ConditionalOperator joins the conditions of Expected and the filters. That the two styles do not mix is checked at the
front door (`requests/check.py`).
"""

from __future__ import annotations

from tablewright.engine.legacy.conditions import legacy_condition, legacy_key_conditions
from tablewright.engine.legacy.names import check_names
from tablewright.engine.legacy.updates import legacy_update, update_fault

__all__ = [
    "check_names",
    "legacy_condition",
    "legacy_key_conditions",
    "legacy_update",
    "update_fault",
]
