"""What is done for one record: whose it is, the events it means, and the handlers that want them, one after another."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.runtime.streams.changes.events import AnyEvent, Inserted, Modified, Removed
from tablewright.runtime.streams.changes.owners import Owners, Unknown
from tablewright.runtime.streams.registration import Registration
from tablewright.runtime.streams.seen import Recalled, Seen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tablewright.runtime.streams.changes.owners import Owner
    from tablewright.runtime.streams.changes.record import StreamRecord
    from tablewright.runtime.streams.steps import Steps

NOTHING_KNOWN = Recalled()


class _Candidate(msgspec.Struct, frozen=True):
    """A handler that may want an event (or, of an unknown item, the record); `label` is how that is remembered."""

    label: str
    registration: Registration
    given: Any


def events_of(old: Owner, new: Owner, record: StreamRecord) -> list[AnyEvent]:
    """The change as events: one, none for a foreign item, two when a key passed from one entity to another."""
    gone = None if isinstance(old, Unknown) else old
    come = None if isinstance(new, Unknown) else new
    if gone is not None and gone is come:
        return [Modified(gone, record)]
    events: list[AnyEvent] = [] if gone is None else [Removed(gone, record)]
    return events if come is None else [*events, Inserted(come, record)]


def handling(
    record: StreamRecord,
    owners: Owners,
    registrations: Sequence[Registration],
    unknown: Registration | None,
    seen: Seen | None,
) -> Steps[None]:
    """Call every handler that wants the record and has not had it; the first that fails ends it."""
    candidates = list(_find_candidates(record, owners, registrations, unknown))
    if not candidates:
        return
    told: Recalled = NOTHING_KNOWN if seen is None else (yield partial(seen.recall, record))
    done: set[str] = set()
    failure: Exception | None = None
    for each in candidates:
        try:
            if each.label not in told.done | done and _is_wanted(each, record, told):
                yield partial(each.registration.handler, each.given)
                done.add(each.label)
        except Exception as error:  # noqa: BLE001 - raised below, once it is noted who is done
            failure = error
            break
    if seen is not None and done:
        yield partial(seen.remember, record, frozenset(done))
    if failure is not None:
        raise failure


def _find_candidates(
    record: StreamRecord, owners: Owners, registrations: Sequence[Registration], unknown: Registration | None
) -> Iterator[_Candidate]:
    old, new = owners.of_record(record)
    for at, event in enumerate(events_of(old, new, record)):
        for each in registrations:
            if any(kind.fits(event) for kind in each.kinds):
                yield _Candidate(f"{each.name}+{at}" if at else each.name, each, event)
    if unknown is not None and (isinstance(old, Unknown) or isinstance(new, Unknown)):
        yield _Candidate(unknown.name, unknown, record)


def _is_wanted(candidate: _Candidate, record: StreamRecord, told: Recalled) -> bool:
    event = candidate.given
    if event is record:
        return True
    event.late = _is_late(record, told)
    return candidate.registration.wants(event)


def _is_late(record: StreamRecord, told: Recalled) -> bool:
    newest, made = told.newest_microseconds, record.microseconds
    return not record.is_ordered and newest is not None and made is not None and made < newest
