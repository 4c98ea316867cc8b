"""Times that have a beginning: a proof happens in the year 2100, and so does what its walks look back to.

A walk over buckets ends at the time that the spec calls the oldest. Every such time is moved, in the spec and in the
steps of the design by the same span, so that a few buckets lie between it and now. Nothing else of either is looked
at: steps that ended too early before do so afterwards.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.proof.values import WRITTEN_AT
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tablewright.spec.volumes import age_days

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tablewright.design.model import Design, PatternDesign, ReadStep
    from tablewright.design.values.buckets import Bucket
    from tablewright.spec.model import Spec

Time: TypeAlias = tuple[str, str]
"""An entity and its timestamp."""
DAY = 86_400
SECONDS = {4: 365 * DAY, 7: 30 * DAY, 10: DAY, 13: 3600}
"""By length of a bucket: about how long it is."""
BUCKETS = 9 + 1 / 3
"""So many lie between the oldest time and now; the first and the last are cut."""


def with_near_past(design: Design) -> Design:
    """The same design and spec, with few buckets to look through; one that was moved before stays as it is."""
    shortest: dict[Time, int] = {}
    for time, bucket in _walks(design):
        shortest[time] = min(shortest.get(time, bucket.length), bucket.length)
    return _moved(design, lambda time: round(BUCKETS * SECONDS[shortest[time]]))


def with_whole_past(design: Design) -> Design:
    """The same as long ago as the spec's items are old."""
    facts = assume(read_spec(design.spec)) if any(_walks(design)) else None

    def age(time: Time) -> int:
        assert facts is not None
        return round(age_days(facts, time[0]).value * DAY)

    return _moved(design, age)


def _walks(design: Design) -> Iterator[tuple[Time, Bucket]]:
    for pattern in design.patterns:
        for step in pattern.reads:
            if step.since is not None and step.bucket is not None:
                yield (step.entities[0], step.bucket.attribute), step.bucket


def _moved(design: Design, age: Callable[[Time], int]) -> Design:
    walks = dict(_walks(design))
    if not walks:
        return design
    entities: Mapping[str, Any] = design.spec.get("entities", {})
    asked = read_spec(design.spec)
    spans: dict[Time, timedelta] = {}
    for time in walks:
        said = _said_since(asked, time)
        if said is not None:
            oldest = datetime.fromtimestamp(WRITTEN_AT, UTC) - timedelta(seconds=age(time))
            spans[time] = oldest - _parsed(said)
    spec = {**design.spec, "entities": {name: _moved_entity(name, each, spans) for name, each in entities.items()}}
    patterns = tuple(_moved_pattern(each, spans) for each in design.patterns)
    return msgspec.structs.replace(design, spec=spec, patterns=patterns)


def _said_since(spec: Spec, time: Time) -> str | None:
    entity = spec.entities.get(time[0])
    attribute = None if entity is None else entity.attributes.get(time[1])
    return None if attribute is None else attribute.since


def _moved_entity(name: str, entity: Mapping[str, Any], spans: Mapping[Time, timedelta]) -> Mapping[str, Any]:
    moved = {attr: span for (of, attr), span in spans.items() if of == name}
    if not moved:
        return entity
    attributes: Mapping[str, Any] = entity["attributes"]
    changed = {
        attr: {**attributes[attr], "since": _shifted(attributes[attr]["since"], span)} for attr, span in moved.items()
    }
    return {**entity, "attributes": {**attributes, **changed}}


def _moved_pattern(pattern: PatternDesign, spans: Mapping[Time, timedelta]) -> PatternDesign:
    return msgspec.structs.replace(pattern, reads=tuple(_moved_step(each, spans) for each in pattern.reads))


def _moved_step(step: ReadStep, spans: Mapping[Time, timedelta]) -> ReadStep:
    if step.since is None or step.bucket is None:
        return step
    span = spans.get((step.entities[0], step.bucket.attribute))
    return step if span is None else msgspec.structs.replace(step, since=_shifted(step.since, span))


def _shifted(moment: str, span: timedelta) -> str:
    return (_parsed(moment) + span).strftime("%Y-%m-%dT%H:%M:%SZ")


def _parsed(moment: str) -> datetime:
    found = datetime.fromisoformat(moment)
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
