"""Calls as OpenTelemetry spans and metrics, under the names of its conventions for databases and for DynamoDB.

    db = tw.Database.aws(observe=otel())

A span is made when its call is over, with the times the call had, as a child of whatever span is current. Values of
requests are in none of them.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import TablewrightError

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider

    from tablewright.runtime.observing.observation import Consumed, Observation
    from tablewright.runtime.observing.observe import Observer

SCOPE = "tablewright"
SYSTEM = {"db.system.name": "aws.dynamodb"}


def otel(tracer_provider: TracerProvider | None = None, meter_provider: MeterProvider | None = None) -> Observer:
    """An observer that tells OpenTelemetry; without providers, the ones that are set for the program."""
    try:
        from opentelemetry import metrics, trace
    except ImportError as error:
        remedy = "install the extra: pip install 'tablewright[otel]'"
        raise TablewrightError(f"opentelemetry-api is not installed; {remedy}") from error

    tracer = trace.get_tracer(SCOPE, tracer_provider=tracer_provider)
    meter = metrics.get_meter(SCOPE, meter_provider=meter_provider)
    durations = meter.create_histogram("db.client.operation.duration", "s", "Duration of calls, retries included")
    units = meter.create_counter("tablewright.consumed_capacity", "{unit}", "Capacity units that calls consumed")
    retries = meter.create_counter("tablewright.retries", "{attempt}", "Attempts after the first")

    def observe(seen: Observation) -> None:
        end = time.time_ns()
        labels = _labels_of(seen)
        start = end - int(seen.duration_seconds * 1e9)
        span = tracer.start_span(
            f"{seen.action} {seen.table or ''}".rstrip(),
            kind=trace.SpanKind.CLIENT,
            attributes={**labels, **_details_of(seen)},
            start_time=start,
        )
        if seen.error is not None:
            span.set_status(trace.StatusCode.ERROR, seen.error_name)
        span.end(end)
        durations.record(seen.duration_seconds, labels)
        if seen.capacity_units:
            units.add(seen.capacity_units, {**labels, "tablewright.unit": seen.unit})
        if seen.attempts > 1:
            retries.add(seen.attempts - 1, labels)

    return observe


def _labels_of(seen: Observation) -> dict[str, Any]:
    """What is the same for many calls, and so may label a metric."""
    labels: dict[str, Any] = {
        **SYSTEM,
        "db.operation.name": seen.action,
        "db.collection.name": ",".join(seen.tables),
        "tablewright.operation": seen.name,
    }
    if seen.index is not None:
        labels["aws.dynamodb.index_name"] = seen.index
    if seen.error_name is not None:
        labels["error.type"] = seen.error_name
    return labels


def _details_of(seen: Observation) -> dict[str, Any]:
    """What is this call's own."""
    details: dict[str, Any] = {
        "aws.dynamodb.table_names": list(seen.tables),
        "aws.dynamodb.scanned_count": seen.items_read,
        "aws.dynamodb.count": seen.items_returned,
        "aws.dynamodb.consumed_capacity": [_capacity_text(each) for each in seen.capacity] or None,
        "tablewright.consumed_capacity": seen.capacity_units,
        "tablewright.attempts": seen.attempts,
        "tablewright.faults": list(seen.faults) or None,
    }
    return {name: value for name, value in details.items() if value is not None}


def _capacity_text(consumed: Consumed) -> str:
    """DynamoDB's own shape, as the conventions ask for."""
    told: dict[str, Any] = {
        "TableName": consumed.table,
        "CapacityUnits": consumed.units,
        "Table": {"CapacityUnits": consumed.table_units},
    }
    for field, indexes in (("GlobalSecondaryIndexes", consumed.gsis), ("LocalSecondaryIndexes", consumed.lsis)):
        if indexes:
            told[field] = {name: {"CapacityUnits": each} for name, each in indexes.items()}
    return msgspec.json.encode(told).decode()
