"""Blobs that nobody refers to, found and deleted; references to nothing, found and told.

A blob without a reference is either an orphan that a crash left, or one whose item is being written at this moment. So
only blobs older than a grace time are looked at, which must be longer than any write takes. First the blobs are listed,
then the table is read, consistently: a reference that is there all the while is seen, and one that is not there when
its blob is that old will never be, because no other write has its key.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.blob_store import Blob
from tablewright.runtime.features.blobs.effects import WIDTH, each
from tablewright.runtime.features.blobs.large_fields import Kept
from tablewright.runtime.features.blobs.stored_form import KEY
from tablewright.wire.call import Call

if TYPE_CHECKING:
    from tablewright.runtime.blob_store import StoredBlob
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.layout import Layout

Params: TypeAlias = dict[str, Any]
Places: TypeAlias = dict[str, tuple[Params, str]]  # by blob: the item that refers to it (its key) and the field

decode = msgspec.json.Decoder(dict[str, Any]).decode

GRACE = timedelta(hours=24)


class LaidOut(Protocol):
    """A service in either style: what its entities look like."""

    def __tablewright_layouts__(self) -> Iterable[Layout]: ...


class Swept(msgspec.Struct, frozen=True):
    """What a sweep found: how many blobs and references, which blobs it deleted, which references lead nowhere."""

    blobs: int
    references: int
    deleted: tuple[str, ...] = ()
    dangling: tuple[str, ...] = ()


class Sweep(msgspec.Struct, frozen=True):
    """`tw.sweep(service)`, for a database to run."""

    tables: Mapping[str, tuple[Kept, ...]]
    older_than: timedelta = GRACE
    dry_run: bool = False

    def params(self) -> list[Params]:
        """The requests that look for references."""
        return [_scan_of(table, keeping) for table, keeping in self.tables.items()]

    def flow(self) -> Flow[Swept]:
        latest = time.time() - self.older_than.total_seconds()
        blobs: dict[str, StoredBlob] = {}
        for table, keeping in self.tables.items():
            for folder in dict.fromkeys(f"{table}/{kept.folder}/" for kept in keeping):
                blobs.update({found.key: found for found in (yield Blob("list", folder))})
        places: Places = {}
        dangling: list[str] = []
        for table, keeping in self.tables.items():
            here = yield from _references(table, keeping)
            places.update(here)
            unknown = {key: place for key, place in here.items() if key not in blobs}
            dangling += yield from _leading_nowhere(table, unknown)
        orphans = [key for key, blob in blobs.items() if key not in places and blob.written_at <= latest]
        if not self.dry_run:
            outcomes = yield from each([Blob("delete", key) for key in orphans], WIDTH)
            failed = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
            if failed:
                raise failed[0]
        return Swept(len(blobs), len(places), tuple(orphans), tuple(dangling))


def sweep(service: LaidOut, *, older_than: timedelta = GRACE, dry_run: bool = False) -> Sweep:
    """Delete the blobs of a service that nothing refers to and that are older than `older_than`.

    With `dry_run` they are only told. It reads the whole table.
    """
    tables: dict[str, list[Kept]] = {}
    for table, kept in _kept_in(service):
        tables.setdefault(table, []).append(kept)
    if not tables:
        name = getattr(service, "name", "the service")  # a loaded one has none
        raise RequestError(f"{name} has no attribute that is offloaded; there is nothing to sweep", code=2002)
    return Sweep({table: tuple(keeping) for table, keeping in tables.items()}, older_than, dry_run)


def _kept_in(service: LaidOut) -> Iterable[tuple[str, Kept]]:
    """The offloaded attributes of a service, each with the table it is in."""
    for layout in service.__tablewright_layouts__():
        if isinstance(layout.large, Kept) and layout.large.offloaded:
            if not layout.home.table:
                raise RequestError(f"{layout.name} has no table; name one in the service", code=2003)
            yield layout.home.table, layout.large


# ---- references ------------------------------------------------------------------------------------------------------


def _scan_of(table: str, keeping: Iterable[Kept]) -> Params:
    """The scan for all references in a table, with the keys of the items that hold them."""
    fields = list(dict.fromkeys(field for kept in keeping for field in kept.offloaded))
    key_fields = {field: None for kept in keeping for field in kept.table_fields}
    names = {f"#f{at}": field for at, field in enumerate(fields)}
    keys = {f"#p{at}": field for at, field in enumerate(key_fields)}
    return {
        "TableName": table,
        "ConsistentRead": True,
        "FilterExpression": " OR ".join(f"attribute_exists({name}.#k)" for name in names),
        "ProjectionExpression": ", ".join([*keys, *(f"{name}.#k" for name in names)]),
        "ExpressionAttributeNames": {**names, **keys, "#k": KEY},
    }


def _references(table: str, keeping: tuple[Kept, ...]) -> Flow[Places]:
    request = _scan_of(table, keeping)
    key_fields = {field: None for kept in keeping for field in kept.table_fields}
    places: Places = {}
    while True:
        page = decode((yield Call("Scan", request)))
        for item in page.get("Items", ()):
            key = {field: item[field] for field in key_fields if field in item}
            held = {field: value for field, value in item.items() if field not in key_fields}
            places.update({value["M"][KEY]["S"]: (key, field) for field, value in held.items()})
        if not page.get("LastEvaluatedKey"):
            return places
        request = {**request, "ExclusiveStartKey": page["LastEvaluatedKey"]}


def _leading_nowhere(table: str, places: Places) -> Flow[list[str]]:
    """Of references to blobs that were not listed, those that lead nowhere: most were written behind the listing."""
    found = yield from each([Blob("get", key) for key in places], WIDTH)
    nowhere: list[str] = []
    for (blob, (key, field)), outcome in zip(places.items(), found, strict=True):
        if isinstance(outcome, Exception):
            raise outcome
        if outcome is None:  # unless the item has changed since the scan
            request = {"TableName": table, "Key": key, "ConsistentRead": True}
            item = decode((yield Call("GetItem", request))).get("Item", {})
            if item.get(field, {}).get("M", {}).get(KEY) == {"S": blob}:
                nowhere.append(blob)
    return nowhere
