"""What whoever holds a claim does with it: `tw.extend`, `tw.release`, `tw.finish`; and `tw.enqueue` for the beginning.

Each is one update of the item, which insists on the claim's token. Somebody else's claim, a release and the end of all
attempts take the token away, and with it the right to finish: that raises `LeaseLost`. A lease that has ended while
nobody else came by is as good as before, because the token proves it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.errors import ConditionFailed, LeaseLost
from tablewright.expr import nodes
from tablewright.runtime.clock import now
from tablewright.runtime.features.queues.claim import Claim, checked_seconds, lease_of, met_by, patch_of
from tablewright.runtime.operations.members import in_words
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.changes import Change
from tablewright.runtime.requests.request import Params, read_own
from tablewright.runtime.types.scalars import encode_datetime
from tablewright.runtime.types.values import ABSENT

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.item import StoredItem
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.operations.delete import Delete
    from tablewright.runtime.operations.query import Query
    from tablewright.runtime.operations.update import Update

E = TypeVar("E", bound="StoredItem")
E_co = TypeVar("E_co", covariant=True)

NO_TIME = timedelta()


class Finish(Tunable, msgspec.Struct, Generic[E_co], frozen=True):
    """Ends a claim: the item leaves the queue, or is due again later. The answer is the item as it is then.

    `write` is the update (or deletion) itself, for a transaction: `tw.transact(tw.finish(claim).write, ...)`.
    """

    claim: Claim[Any]
    write: Any
    method: str
    options: Options = DEFAULT

    @property
    def layout(self) -> Layout:
        return self.claim.layout

    def params(self) -> Params:
        return self.write.params()  # type: ignore[no-any-return]

    def flow(self) -> Flow[E_co]:
        return read_own(self.layout, (yield from _held(self.claim, self.write)), DEFAULT)  # type: ignore[no-any-return]


class Discard(Finish[E_co], frozen=True):
    """Ends a claim by deleting the item."""

    def flow(self) -> Flow[None]:  # type: ignore[override]
        yield from _held(self.claim, self.write)


class Extend(Tunable, msgspec.Struct, Generic[E_co], frozen=True):
    """Makes a lease longer; the answer is the claim with its new end."""

    claim: Claim[Any]
    write: Any
    until: datetime
    options: Options = DEFAULT

    method = "extend"

    @property
    def layout(self) -> Layout:
        return self.claim.layout

    def params(self) -> Params:
        return self.write.params()  # type: ignore[no-any-return]

    def flow(self) -> Flow[Claim[E_co]]:
        stored = yield from _held(self.claim, self.write)
        item = read_own(self.layout, stored, DEFAULT)
        return msgspec.structs.replace(self.claim, item=item, until=self.until)


def _held(claim: Claim[Any], write: Any) -> Flow[Params]:
    """Run a write that insists on the claim; the answer is the stored item afterwards."""
    response = "all_old" if write.method == "delete" else "all_new"
    flow: Flow[Any] = write.with_options(response=response, data="raw").flow()
    try:
        reply = yield from flow
    except ConditionFailed as error:
        stored = met_by(error)
        if stored.get(claim.layout.attributes[claim.lease.token].field) == claim.token:
            raise  # it is still held; something else has changed
        raise _lost(claim, write, stored) from error
    return reply.get("Attributes", {})  # type: ignore[no-any-return]


def _lost(claim: Claim[Any], write: Any, stored: Params) -> LeaseLost:
    layout, lease = claim.layout, claim.lease
    worker = stored.get(layout.attributes[lease.worker].field)
    now_held = f"{worker} has claimed it since" if worker else "it was finished, released or given up since"
    if not stored:
        now_held = "there is no such item any more"
    words = f"{in_words(write)}: {claim.worker} no longer holds it ({now_held}); drop what was done for it"
    error = LeaseLost("LeaseLost", words)
    error.item = read_own(layout, stored, DEFAULT) if stored else None
    return error


# ---- operations ------------------------------------------------------------------------------------------------------


def extend(claim: Claim[E], *, lease: timedelta | None = None) -> Extend[E]:
    """Hold on to an item for so long from now (the queue's own lease by default)."""
    until = now() + timedelta(seconds=claim.lease.seconds if lease is None else checked_seconds(lease))
    return Extend(claim, _holding(claim, (Change("set", (claim.lease.due,), encode_datetime(until)),)), until)


def release(claim: Claim[E], *, delay: timedelta = NO_TIME, counted: bool = True) -> Finish[E]:
    """Give an item back, to be claimed again after the delay; `counted=False` takes the attempt back as well."""
    lease = claim.lease
    changes = (Change("set", (lease.due,), encode_datetime(now() + delay)), *_unclaimed(claim))
    if not counted:
        changes += (Change("subtract", (lease.counter,), 1),)
    return Finish(claim, _holding(claim, changes), "release")


def finish(claim: Claim[E], *changes: Change) -> Finish[E]:
    """The item is done with and leaves the queue; `changes` to it are made in the same write.

    A change of the time at which it is due keeps it in the queue, for the next time.
    """
    lease = claim.lease
    is_due_again = any(change.path == (lease.due,) for change in changes)
    leave = () if is_due_again else (Change("remove", (lease.due,)),)
    own = (*leave, *_unclaimed(claim), Change("remove", (lease.counter,)))
    return Finish(claim, _holding(claim, (*own, *changes)), "finish")


def discard(claim: Claim[E]) -> Discard[E]:
    """The item is done with and deleted."""
    deletion: Delete[Any] = claim.item.delete()
    kept = msgspec.structs.replace(deletion, must_exist=True, remembered={}).where(_is_held(claim))
    options = {"return_on_condition_check_failure": "all_old", "table": claim.options.table}
    return Discard(claim, kept.with_options(**options), "discard")


def enqueue(queue: Query[E], item: E, *, delay: timedelta = NO_TIME) -> Update[E]:
    """Put a stored item into the queue, from the beginning: a new one, one that was finished, or a dead one."""
    lease = lease_of(queue.layout, queue.pattern)
    names = (lease.token, lease.worker, lease.counter, lease.dead)
    gone = tuple(Change("remove", (name,)) for name in names)
    due = Change("set", (lease.due,), encode_datetime(now() + delay))
    patch = patch_of(item, (due, *gone), queue.options.table)
    moved = [name for name, value in queue.given.items() if patch.remembered.get(name, ABSENT) != value]
    fixed = (*queue.layout.table_composites, *(each.name for each in queue.layout.derived))
    placed = tuple(Change("set", (name,), queue.given[name]) for name in moved if name not in fixed)
    return msgspec.structs.replace(patch, changes=(*patch.changes, *placed))


# ---- pieces ----------------------------------------------------------------------------------------------------------


def _holding(claim: Claim[Any], changes: tuple[Change, ...]) -> Update[Any]:
    return patch_of(claim.item, changes, claim.options.table).where(_is_held(claim))


def _is_held(claim: Claim[Any]) -> nodes.Condition:
    field = claim.layout.attributes[claim.lease.token].field
    return nodes.Compare("=", nodes.Name((field,)), nodes.Value(claim.token))


def _unclaimed(claim: Claim[Any]) -> tuple[Change, ...]:
    return tuple(Change("remove", (name,)) for name in (claim.lease.token, claim.lease.worker))
