"""Taking items from a queue: `tw.claim(Job.waiting("mail"), limit=10, worker="w1")`.

What is due is looked up in the index, oldest first, and each item is claimed by an update of the item itself, on
condition that it is still due: the claim moves the time at which it is due to the end of the lease. So of two workers
who see the same item one gets it, and whoever looks after the lease has ended may have it next. Every claim has a token
of its own, on which everything insists that is done with it (see lease.py).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.errors import ConditionFailed, RequestError
from tablewright.expr import nodes
from tablewright.runtime.clock import new_id, now
from tablewright.runtime.flow import Together
from tablewright.runtime.items.layout import Layout
from tablewright.runtime.operations.query import Query
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.changes import Change
from tablewright.runtime.requests.ranges import Sort
from tablewright.runtime.requests.request import Params, read_own
from tablewright.runtime.types.scalars import encode_datetime
from tablewright.wire.call import Call
from tablewright.wire.document import read_reply, to_wire
from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.item import StoredItem
    from tablewright.runtime.operations.update import Update
    from tablewright.schema.features import Lease

E = TypeVar("E", bound="StoredItem")
E_co = TypeVar("E_co", covariant=True)

MOST_PAGES = 10
"""So many pages of candidates are tried for one claim, where others are always faster."""
AT_ONCE = 10


class Claim(msgspec.Struct, Generic[E_co], frozen=True, kw_only=True):
    """An item that a worker holds: nobody else is given it before `until`. `attempts` counts its claims so far."""

    item: E_co
    token: str
    worker: str
    until: datetime
    attempts: int
    layout: Layout
    pattern: str
    options: Options = DEFAULT

    @property
    def lease(self) -> Lease:
        return lease_of(self.layout, self.pattern)

    def __repr__(self) -> str:
        return f"<claim of {self.item!r} by {self.worker} until {self.until}, attempt {self.attempts}>"


class Claiming(Tunable, msgspec.Struct, Generic[E_co], frozen=True):
    """Claims what is due, up to `limit` items; the answer is a list of claims, oldest first."""

    query: Query[Any]
    seconds: float
    limit: int
    worker: str
    options: Options = DEFAULT

    method = "claim"

    @property
    def layout(self) -> Layout:
        return self.query.layout

    @property
    def lease(self) -> Lease:
        return lease_of(self.layout, self.query.pattern)

    def params(self) -> Any:
        """The request that looks for what is due."""
        return self.search(now(), self.limit).params()

    def search(self, moment: datetime, count: int) -> Query[Any]:
        sort = Sort("lte", {self.lease.due: encode_datetime(moment)})
        options = {"count": count, "table": self.options.table or self.query.options.table}
        return msgspec.structs.replace(self.query, sort=sort).with_options(**options)

    def flow(self) -> Flow[list[Claim[E_co]]]:
        claims: list[Claim[E_co]] = []
        cursor: Any = None
        for _ in range(MOST_PAGES):
            moment = now()
            page = yield from self.search(moment, self.limit - len(claims)).after(cursor).flow()
            claims += yield from self.take(page.items, moment, is_last=not claims)
            cursor = page.cursor
            if len(claims) >= self.limit or cursor is None:
                break
        return claims

    def take(self, items: list[Any], moment: datetime, *, is_last: bool) -> Flow[list[Claim[E_co]]]:
        """Claim each of them; some may be gone. A failure is told only when nothing was claimed."""
        tokens = [new_id() for _ in items]
        updates = [self.claiming(item, moment, token) for item, token in zip(items, tokens, strict=True)]
        outcomes = yield from _outcomes_of(updates)
        claims: list[Claim[E_co]] = []
        failed: Exception | None = None
        for item, token, outcome in zip(items, tokens, outcomes, strict=True):
            stored = outcome if isinstance(outcome, dict) else met_by(outcome)
            if stored.get(self.field(self.lease.token)) == token:
                claims.append(self.claimed(stored, token, moment))
            elif isinstance(outcome, ConditionFailed):
                yield from self.bury_if_dead(item, stored, moment)
            elif isinstance(outcome, Exception):
                failed = failed or outcome
        if failed is not None and is_last and not claims:
            raise failed
        return claims

    def claiming(self, item: Any, moment: datetime, token: str) -> Update[Any]:
        lease = self.lease
        changes = (
            Change("set", (lease.due,), encode_datetime(moment + timedelta(seconds=self.seconds))),
            Change("set", (lease.token,), token),
            Change("set", (lease.worker,), self.worker),
            Change("add", (lease.counter,), 1),
        )
        return self.insisting(item, changes).where(self.is_due(moment), *self.is_alive())

    def claimed(self, stored: Params, token: str, moment: datetime) -> Claim[E_co]:
        return Claim(
            item=read_own(self.layout, stored, DEFAULT),
            token=token,
            worker=self.worker,
            until=moment + timedelta(seconds=self.seconds),
            attempts=int(stored.get(self.field(self.lease.counter), 0)),
            layout=self.layout,
            pattern=self.query.pattern,
            options=Options(table=self.options.table or self.query.options.table),
        )

    # ---- those that were claimed too often -----------------------------------------------------------------------

    def bury_if_dead(self, item: Any, stored: Params, moment: datetime) -> Flow[None]:
        """Take an item out of the queue that is due once more than it may be claimed."""
        lease = self.lease
        if lease.attempts is None or int(stored.get(self.field(lease.counter), 0)) < lease.attempts:
            return
        changes = (
            Change("remove", (lease.due,)),
            Change("remove", (lease.token,)),
            Change("remove", (lease.worker,)),
            Change("set", (lease.dead,), encode_datetime(moment)),
        )
        spent = nodes.Compare(">=", self.name(lease.counter), nodes.Value(lease.attempts))
        yield from _outcomes_of([self.insisting(item, changes).where(self.is_due(moment), spent)])

    # ---- pieces --------------------------------------------------------------------------------------------------

    def insisting(self, item: Any, changes: tuple[Change, ...]) -> Update[Any]:
        return patch_of(item, changes, self.options.table or self.query.options.table)

    def is_due(self, moment: datetime) -> nodes.Condition:
        return nodes.Compare("<=", self.name(self.lease.due), nodes.Value(encode_datetime(moment)))

    def is_alive(self) -> list[nodes.Condition]:
        lease = self.lease
        if lease.attempts is None:
            return []
        counter = self.name(lease.counter)
        fewer = nodes.Compare("<", counter, nodes.Value(lease.attempts))
        return [nodes.Or((nodes.Function("attribute_not_exists", (counter,)), fewer))]

    def name(self, attribute: str) -> nodes.Name:
        return nodes.Name((self.field(attribute),))

    def field(self, attribute: str) -> str:
        return self.layout.attributes[attribute].field


def claim(queue: Query[E], *, lease: timedelta | None = None, limit: int = 1, worker: str | None = None) -> Claiming[E]:
    """Claim up to `limit` items that are due, oldest first, for as long as the lease is (the queue's own by default).

    The answer is a list of claims; give them to `tw.extend`, `tw.release` or `tw.finish`.
    """
    declared = lease_of(queue.layout, queue.pattern)
    if queue.sort is not None or declared.due in queue.given:
        raise RequestError(f"claim() takes what is due by now; leave {declared.due} out of the query", code=2002)
    if limit < 1:
        raise RequestError(f"claim() takes at least one item, not {limit}", code=2002)
    seconds = declared.seconds if lease is None else checked_seconds(lease)
    return Claiming(queue, seconds, limit, worker or new_id())


def checked_seconds(lease: timedelta) -> float:
    if lease < timedelta(milliseconds=1):
        raise RequestError(f"a lease of {lease} would be over at once", code=2002)
    return lease.total_seconds()


def lease_of(layout: Layout, pattern: str) -> Lease:
    declared = layout.pattern(pattern).pattern.queue
    if declared is None:
        remedy = "declare it with queue=True"
        raise RequestError(f"{layout.name}.{pattern} is no queue; {remedy}", code=2002)
    return declared


def patch_of(item: Any, changes: tuple[Change, ...], table: str | None) -> Update[Any]:
    """A patch of the item as it is now: it does not insist on the version, which others may have counted up."""
    patch: Update[Any] = item.patch(*changes)
    plan = patch.layout.plan
    if plan is not None and plan.lock is not None:
        remembered = {name: value for name, value in patch.remembered.items() if name != plan.lock}
        patch = msgspec.structs.replace(patch, remembered=remembered)
    return patch.with_options(return_on_condition_check_failure="all_old", table=table)


def _outcomes_of(updates: list[Update[Any]]) -> Flow[list[Params | Exception]]:
    """What became of each: the stored item as it is then, or the error."""
    whole = [update.with_options(response="all_new", data="raw") for update in updates]
    if not whole or whole[0].layout.plan is not None:
        found: list[Params | Exception] = []
        for update in whole:
            try:
                reply: Any = yield from update.flow()
            except Exception as error:  # noqa: BLE001 - one failure must not hide what became of the others
                found.append(error)
            else:
                found.append(reply["Attributes"])
        return found
    calls = tuple(Call("UpdateItem", to_wire(update.request())) for update in whole)
    outcomes: list[Any] = yield Together(calls, min(len(calls), AT_ONCE))
    return [each if isinstance(each, Exception) else read_reply(each)["Attributes"] for each in outcomes]


def met_by(outcome: Exception) -> Params:
    """The item that a condition failed on; nothing where there is none."""
    met = outcome.details.get("Item") if isinstance(outcome, ConditionFailed) else None
    return unmarshal_item(met) if met else {}
