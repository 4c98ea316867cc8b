"""Calls arrive at OpenTelemetry as spans and metrics."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

import tablewright as tw
from tablewright.runtime.observing.otel import otel
from tests.runtime.observing.shelf import BOOKS, Book, filled


class Telemetry:
    """Providers that keep what they are told."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        self.tracers = TracerProvider()
        self.tracers.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.reader = InMemoryMetricReader()
        self.meters = MeterProvider([self.reader])

    def points(self) -> dict[str, list[Any]]:
        told = self.reader.get_metrics_data()
        assert told is not None
        metrics = [
            metric for resource in told.resource_metrics for scope in resource.scope_metrics for metric in scope.metrics
        ]
        return {metric.name: list(metric.data.data_points) for metric in metrics}


@pytest.fixture
def telemetry() -> Telemetry:
    return Telemetry()


def observed(telemetry: Telemetry) -> tw.Database:
    return filled(observe=otel(telemetry.tracers, telemetry.meters))


def test_a_query_is_a_span_below_the_current_one(telemetry: Telemetry) -> None:
    db = observed(telemetry)
    with telemetry.tracers.get_tracer("test").start_as_current_span("request") as outer:
        db.run(Book.by_genre("novel").where(Book.text == "secret"))
    span = telemetry.exporter.get_finished_spans()[0]
    assert (span.name, span.kind) == ("Query shelf", SpanKind.CLIENT)
    assert span.parent is not None
    assert span.parent.span_id == outer.get_span_context().span_id
    assert span.start_time is not None
    assert span.end_time is not None
    assert span.start_time < span.end_time
    told = dict(span.attributes or {})
    assert told["db.system.name"] == "aws.dynamodb"
    assert told["db.operation.name"] == "Query"
    assert told["db.collection.name"] == "shelf"
    assert told["tablewright.operation"] == "book.by_genre"
    assert told["aws.dynamodb.index_name"] == "gsi1"
    assert (told["aws.dynamodb.scanned_count"], told["aws.dynamodb.count"]) == (6, 3)
    assert told["aws.dynamodb.consumed_capacity"] == (
        (
            '{"TableName":"shelf","CapacityUnits":0.5,"Table":{"CapacityUnits":0.0},'
            '"GlobalSecondaryIndexes":{"gsi1":{"CapacityUnits":0.5}}}'
        ),
    )
    assert not any("secret" in str(value) for value in told.values())


def test_failures_are_errors(telemetry: Telemetry) -> None:
    with pytest.raises(tw.ConditionFailed):
        observed(telemetry).run(BOOKS[0].create())
    (span,) = telemetry.exporter.get_finished_spans()
    assert span.status.status_code is StatusCode.ERROR
    assert dict(span.attributes or {})["error.type"] == "ConditionalCheckFailedException"


def test_metrics_are_kept_by_access_pattern(telemetry: Telemetry) -> None:
    db = observed(telemetry)
    for _ in range(3):
        db.run(Book.by_genre("novel"))
    db.run(BOOKS[0].put())
    points = telemetry.points()
    durations = {
        point.attributes["tablewright.operation"]: point.count for point in points["db.client.operation.duration"]
    }
    assert durations == {"book.by_genre": 3, "book.put": 1}
    units = {
        (point.attributes["tablewright.operation"], point.attributes["tablewright.unit"]): point.value
        for point in points["tablewright.consumed_capacity"]
    }
    assert units == {("book.by_genre", "rcu"): 1.5, ("book.put", "wcu"): 1.0}


def test_without_the_package_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(tw.TablewrightError, match=r"tablewright\[otel\]"):
        otel()
