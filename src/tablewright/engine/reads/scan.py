"""Scan: everything in a table or index, in the order of the hashes of its partition keys, or one segment of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.expressions import Expressions
from tablewright.engine.faults import validation
from tablewright.engine.legacy import legacy_condition
from tablewright.engine.reads.key_range import UNLIMITED, KeyRange, Limits
from tablewright.engine.reads.pages import read_page
from tablewright.engine.reads.projection import check_attributes_to_get
from tablewright.engine.reads.reply import page_reply
from tablewright.engine.reads.select import (
    NOTHING_NAMED,
    Selection,
    check_paths,
    check_select,
    read_selection,
    view_of,
)
from tablewright.engine.reads.source import find_source
from tablewright.engine.reads.start_key import INVALID, MISMATCH, check_start_piece, check_start_table_key, read_start
from tablewright.engine.requests.envelope import enclose
from tablewright.engine.store.keys import HASH_BYTES
from tablewright.errors import ServiceError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.context import EngineContext
    from tablewright.engine.reads.source import Source
    from tablewright.engine.reads.start_key import Start
    from tablewright.engine.store.values import Words

HASHES = 256**HASH_BYTES


def scan(engine: EngineContext, params: dict[str, Any]) -> dict[str, Any]:
    """One page; the checks are in DynamoDB's order."""
    start, selection = _read_request(params, engine.wording)
    with engine.storage.reading():
        source = find_source(engine, params)
        if start is not None:
            _check_start_shape(source, start, engine.wording)
        view = view_of(source, selection)
        key_range = _scan_range(source, params, start)
        check_paths(source, selection)
        engine.admit(source.table, source.index_name, None, "read")
        page = read_page(engine.storage, source, key_range, limit=params.get("Limit"), whole_items=view.fetches)
    return page_reply(engine, params, source, view, selection, page, None)


def _read_request(params: dict[str, Any], words: Words) -> tuple[Start, Selection]:
    """What can be read without the table."""
    try:
        check_select(params)
    except ServiceError as error:
        if words != "current" or error.service_message != NOTHING_NAMED:
            raise
        raise enclose(error.service_message) from None
    check_attributes_to_get(params)
    legacy_filter = legacy_condition(params, "ScanFilter", "older")
    start = read_start(params, "older")
    _check_segment(params, words)
    return start, read_selection(params, Expressions(params, "older"), legacy_filter, "ScanFilter")


def _check_segment(params: Mapping[str, Any], words: Words) -> None:
    """Segment and TotalSegments come together, the one below the other."""
    segment, total = params.get("Segment"), params.get("TotalSegments")
    if total is None and segment is not None:
        reason = "The TotalSegments parameter is required but was not present in the request"
        raise validation(f"{reason} when Segment parameter is present")
    if total is None:
        return
    if segment is None:
        reason = "The Segment parameter is required but was not present in the request"
        raise validation(f"{reason} when parameter TotalSegments is present")
    if segment >= total:
        reason = "The Segment parameter is zero-based and must be less than parameter TotalSegments"
        shown = f": Segment: {segment} is not less than TotalSegments: {total}"
        raise validation(reason if words == "current" else f"{reason}{shown}")


def _check_start_shape(source: Source, start: Mapping[str, Any], words: Words) -> None:
    if words == "current" and start.keys().isdisjoint(source.key_names):
        raise validation(INVALID)
    if len(start) != len(source.key_names):
        raise validation(INVALID if source.index is not None else f"{INVALID}: {MISMATCH}")
    if source.index is not None:
        for name in source.keys.names:
            check_start_piece(source, start, name)


def _scan_range(source: Source, params: Mapping[str, Any], start: Start) -> KeyRange:
    """The hashes of the segment, behind the starting key."""
    limits = _segment_limits(params)
    if start is None:
        return KeyRange(limits=limits)
    check_start_table_key(source, start)
    after = source.position(start)
    (_, low), (ends, high) = limits
    if after[0] < low or (ends and after[0] >= high):
        told = f"TotalSegments: {params['TotalSegments']} Segment: {params['Segment']}"
        reason = "Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment."
        raise validation(f"{INVALID}: {reason} {told}")
    return KeyRange(limits=limits, after=after)


def _segment_limits(params: Mapping[str, Any]) -> Limits:
    """Equal parts of the hashes."""
    segment, total = params.get("Segment"), params.get("TotalSegments")
    if segment is None or total is None:
        return Limits()
    low, high = (-(-HASHES * place // total) for place in (segment, segment + 1))
    return Limits(
        (">=", low.to_bytes(HASH_BYTES, "big")) if segment else UNLIMITED,
        ("<", high.to_bytes(HASH_BYTES, "big")) if segment + 1 < total else UNLIMITED,
    )
