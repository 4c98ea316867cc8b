"""A flow with large attributes on its way to the wire and back, see the room's own rule for the order of things.

    look    (transactions and batches) which references the writes may take out
    store   the new blobs
    send    the sealed request
    settle  delete the blobs that are no longer referred to; open the values of the reply

A transaction whose looked-up references changed meanwhile is begun again. A read that finds a reference whose blob is
gone has met a write in between, and is made again.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from tablewright.errors import BlobError, RequestError, ServiceError, TransactionCancelled
from tablewright.runtime.blob_store import Blob
from tablewright.runtime.clock import new_id
from tablewright.runtime.features.blobs.effects import WIDTH, each
from tablewright.runtime.features.blobs.outgoing import Passage, Sealer, digest
from tablewright.runtime.features.blobs.references import (
    answered,
    demanding,
    is_outdated,
    look_at,
    taken_out,
    unprocessed,
    unused,
    wants_reply,
)
from tablewright.runtime.features.blobs.saved import NOTHING, Saved, saved_by
from tablewright.runtime.features.blobs.stored_form import (
    blob_key,
    decode,
    encode,
    items_in,
    may_be_sealed,
    open_item,
    references_in,
)
from tablewright.runtime.flow import Flow, Pause, Together
from tablewright.runtime.requests.retry_safety import is_read
from tablewright.wire.call import Call
from tablewright.wire.capacity import read_rcu
from tablewright.wire.sizes import item_size_bytes
from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tablewright.runtime.features.blobs.large_fields import Kept
    from tablewright.runtime.flow import Effect

R = TypeVar("R")

ATTEMPTS = 10
LOOK_AGAIN_SECONDS = 0.05
NO_BLOBS: Mapping[str, bytes] = MappingProxyType({})


class _Outdated(Exception):
    """Something a transaction relied on has changed; it is begun again."""


class Passing:
    """One operation's way to the wire."""

    def __init__(self, operation: Any, keeping: tuple[Kept, ...]) -> None:
        self.keeping = keeping
        self.sealer = Sealer(keeping)
        self.opens = getattr(operation, "opens_large", True)
        self.has_token = getattr(getattr(operation, "options", None), "token", None) is not None
        self.left: set[str] = set()  # blobs of batch members that DynamoDB handed back
        self.saved: Saved = NOTHING

    def along(self, flow: Flow[R]) -> Flow[R]:
        """The flow, its requests sealed and its replies opened."""
        try:
            effect = next(flow)
            while True:
                try:
                    answer = yield from self.carried(effect)
                except Exception as error:  # noqa: BLE001 - the flow decides what a failure means
                    effect = flow.throw(error)
                else:
                    effect = flow.send(answer)
        except StopIteration as done:
            yield from self.delete(self.left)
            return done.value  # type: ignore[no-any-return]
        except Exception:
            yield from self.delete(self.left)
            raise

    def carried(self, effect: Effect) -> Flow[Any]:
        if isinstance(effect, Together):
            calls = [each for each in effect.calls if isinstance(each, Call)]
            return (yield from self.carry(calls, effect.width)) if calls else (yield effect)
        if not isinstance(effect, Call):
            return (yield effect)
        for _ in range(ATTEMPTS):
            (outcome,) = yield from self.carry([effect], 1)
            if not isinstance(outcome, _Outdated):
                break
            effect = Call(effect.action, {**effect.params, "ClientRequestToken": new_id()})
        else:
            raise RequestError("others kept changing the large attributes of the same items; try again", code=2002)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def carry(self, calls: Sequence[Call], width: int) -> Flow[list[Any]]:
        """All calls, one step after the other; for each its reply or the exception in its place."""
        passages = [self.sealer.passage(call) for call in calls]
        yield from self.look(passages)
        yield from self.store(passages)
        for passage in passages:
            self.left.difference_update(key for write in passage.writes for key in write.fresh.values())
        outcomes = yield from each([passage.sent for passage in passages], width)
        settled: list[Any] = []
        for passage, outcome in zip(passages, outcomes, strict=True):
            try:
                settled.append((yield from self.settle(passage, outcome)))
            except Exception as error:  # noqa: BLE001 - one failure must not hide what became of the others
                settled.append(error)
        return settled

    # ---- before --------------------------------------------------------------------------------------------------

    def look(self, passages: Sequence[Passage]) -> Flow[None]:
        """Learn which references transactions and batches may take out; transactions then demand that they hold."""
        places = [(each, at, write) for each in passages if not each.is_single for at, write in each.touching()]
        outcomes = yield from each([look_at(write) for _, _, write in places], WIDTH)
        for (passage, at, _), outcome in zip(places, outcomes, strict=True):
            if isinstance(outcome, Exception):
                raise outcome
            passage.old[at] = decode(outcome).get("Item", {})
        for passage in passages:
            if passage.asked.action == "TransactWriteItems" and passage.old:
                self.refuse_token(passage)
                passage.sent = demanding(passage)

    def refuse_token(self, passage: Passage) -> None:
        """A token promises the same request again, but every run has blobs of its own."""
        found = [blob_key(value) for item in passage.old.values() for value in item.values()]
        if self.has_token and (passage.fresh or any(found)):
            raise RequestError(
                "a transaction with a token of its own cannot write offloaded values, because each run stores them "
                "anew; leave out token(...), or make the write conditional",
                code=2002,
            )

    def store(self, passages: Sequence[Passage]) -> Flow[None]:
        blobs = [Blob("put", fresh.key, fresh.data) for passage in passages for fresh in passage.fresh]
        outcomes = yield from each(blobs, WIDTH)
        failed = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        if failed:
            yield from self.delete(blob.key for blob in blobs)
            raise failed[0]

    # ---- after ---------------------------------------------------------------------------------------------------

    def settle(self, passage: Passage, outcome: Any) -> Flow[Any]:
        if isinstance(outcome, Exception):
            return (yield from self.failed(passage, outcome))
        if not passage.writes:
            return (yield from self.opened(passage.sent, outcome)) if self.opens else outcome
        self.saved += saved_by(passage)
        if passage.is_single and passage.writes[0].touches:
            document = decode(outcome)
            passage.old[0] = dict(document.get("Attributes", {}))  # its own, because the reply's is opened
            if wants_reply(passage):
                document = answered(passage, document)
                known = {fresh.key: fresh.data for fresh in passage.fresh}
                outcome = encode((yield from self.opened_document(passage.sent, document, known)))
            else:
                outcome = encode({name: value for name, value in document.items() if name != "Attributes"})
        elif passage.is_single:
            outcome = yield from self.opened(passage.sent, outcome)
        left = unprocessed(passage, outcome)
        self.left.update(key for at in left for key in passage.writes[at].fresh.values())
        yield from self.delete(taken_out(passage, left))
        return outcome

    def failed(self, passage: Passage, error: Exception) -> Flow[Exception]:
        """What is known not to have been written is deleted; of the rest nobody knows, and the sweeper will see."""
        if isinstance(error, ServiceError):
            is_again = isinstance(error, TransactionCancelled) and is_outdated(passage, error)
            yield from self.delete((yield from self.surely_unused(passage)))
            if is_again:
                return _Outdated()
            yield from self.open_details(error)
        return error

    def surely_unused(self, passage: Passage) -> Flow[list[str]]:
        """The new blobs that no item refers to. A client may have repeated a write that it took for failed."""
        keys = [key for write in passage.writes for key in write.fresh.values()]
        if not keys or passage.asked.action == "TransactWriteItems":  # those have a token and happen once
            return keys
        writes = [write for write in passage.writes if write.fresh]
        outcomes = yield from each([look_at(write) for write in writes], WIDTH)
        found: list[str] = []
        for write, outcome in zip(writes, outcomes, strict=True):
            if not isinstance(outcome, Exception):
                found += unused(write, decode(outcome).get("Item", {}))
        return found

    def open_details(self, error: ServiceError) -> Flow[None]:
        """The items that an error carries. One that has changed meanwhile is left out."""
        items = list(items_in(error.details))
        blobs = yield from self.fetch(references_in(items, self.keeping))
        for item in items:
            if all(key in blobs for key in references_in([item], self.keeping)):
                self.note(open_item(item, self.keeping, blobs))
            else:
                item.clear()

    # ---- opening -------------------------------------------------------------------------------------------------

    def opened(self, call: Call, reply: bytes) -> Flow[bytes]:
        if not may_be_sealed(reply):
            return reply
        return encode((yield from self.opened_document(call, decode(reply))))

    def opened_document(
        self, call: Call, document: dict[str, Any], known: Mapping[str, bytes] = NO_BLOBS
    ) -> Flow[dict[str, Any]]:
        """The reply with plain values. What refers to a blob that is gone by now is asked for once more."""
        missing: list[str] = []
        for attempt in range(ATTEMPTS):
            items = list(items_in(document))
            wanted = references_in(items, self.keeping)
            blobs = {**known, **(yield from self.fetch([key for key in wanted if key not in known]))}
            missing = [key for key in wanted if key not in blobs]
            if not missing:
                self.open_items(items, blobs, call)
                return document
            yield Pause(LOOK_AGAIN_SECONDS * attempt)
            if is_read(call):
                document = decode((yield _consistent(call)))
            else:
                yield from self.brought_up_to_date(call, document["Attributes"], missing)
        raise BlobError(
            f"an item refers to the blob {missing[0]}, and there is none: was it deleted from the store, or is this "
            "another store than the one it was written to?",
            key=missing[0],
        )

    def brought_up_to_date(self, call: Call, item: dict[str, Any], missing: Sequence[str]) -> Flow[None]:
        """In the answer to a write, what somebody else has replaced since is told as it is now."""
        key = call.params.get("Key") or self.keeping[0].key_of(call.params["Item"])
        request = {"TableName": call.params["TableName"], "Key": key, "ConsistentRead": True}
        now = decode((yield Call("GetItem", request))).get("Item", {})
        for field in [field for field, value in item.items() if blob_key(value) in missing]:
            item.pop(field)
            if field in now:
                item[field] = now[field]

    def open_items(self, items: list[dict[str, Any]], blobs: Mapping[str, bytes], call: Call) -> None:
        stored = sum(item_size_bytes(unmarshal_item(item)) for item in items)
        for item in items:
            self.note(open_item(item, self.keeping, blobs))
        plain = sum(item_size_bytes(unmarshal_item(item)) for item in items)
        if plain != stored and is_read(call):
            is_consistent = bool(call.params.get("ConsistentRead"))
            rcu = read_rcu(plain, consistent=is_consistent) - read_rcu(stored, consistent=is_consistent)
            self.saved += Saved(plain, stored, sum(map(len, blobs.values())), 0.0, rcu)

    def note(self, changes: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
        """Companions may demand that what was read still holds."""
        for stored, plain in changes:
            self.sealer.seen[digest(plain)] = stored

    # ---- blobs ---------------------------------------------------------------------------------------------------

    def fetch(self, keys: Sequence[str]) -> Flow[dict[str, bytes]]:
        outcomes = yield from each([Blob("get", key) for key in keys], WIDTH)
        found: dict[str, bytes] = {}
        for key, outcome in zip(keys, outcomes, strict=True):
            if isinstance(outcome, Exception):
                raise outcome
            if outcome is not None:
                found[key] = outcome
        return found

    def delete(self, keys: Any) -> Flow[None]:
        """Delete blobs that nobody refers to. One that cannot be deleted now is an orphan, which the sweeper finds."""
        outcomes = yield from each([Blob("delete", key) for key in keys], WIDTH)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                import logging

                logging.getLogger("tablewright").warning("a blob is left for the sweeper: %s", outcome)


def _consistent(call: Call) -> Call:
    """The same question, answered from what was last written where that can be asked for."""
    params = call.params
    if call.action == "GetItem" or (call.action in ("Query", "Scan") and "IndexName" not in params):
        return Call(call.action, {**params, "ConsistentRead": True})
    if call.action == "BatchGetItem":
        tables = {table: {**asked, "ConsistentRead": True} for table, asked in params["RequestItems"].items()}
        return Call(call.action, {**params, "RequestItems": tables})
    return call
