"""Which access patterns have no resolver, and why: what AppSync's runtime cannot do, and what nobody wrote for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.carrying import refused_fields
from tablewright.design.steps.lists import limit_of, lists_of
from tablewright.design.steps.model import BUCKET, Slot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.steps.compile import Compiled
    from tablewright.design.steps.model import ItemType, Read, Write, Writing

_SHARD = "its shard is a checksum, which AppSync's runtime cannot make"
_READS = frozenset(
    (
        "operation table index key condition filter projection backwards limit beside sends_limit consistent shards"
        " shard_of for_each bucket longest entities keys_from continues merges unexpired each optional counts_gone"
    ).split()
)
_WHY_NO_READ = {
    "copies": "it reads any one of several copies, and no resolver here picks a number",
    "since": "it asks one bucket of time after the other, and AppSync's runtime has no loop of requests",
    "unfold": "its answer lies inside other items",
    "demands": "it sifts items after it got them",
    "joins": "it completes several items from others",
    "takes": "it answers or writes with what another item has",
}
_WRITES = frozenset(
    (
        "operation item table key all_attributes attributes changes condition unchanged unless_same if_same names_of"
    ).split()
)
_WHY_NO_WRITE = {
    "each": "it writes one item for every element of a list",
    "if_newer": "it compares what it writes with the newest item so far",
}
_WRITINGS = frozenset("op entities inputs rules reads writes transaction puts seen becomes".split())
_LOOPS = "it deletes what goes with its item, page by page, and AppSync's runtime has no loop of requests"
_WHY_NO_WRITING = {
    "cascades": _LOOPS,
    "deleted": _LOOPS,
    "resumes": _LOOPS,
    "idempotent": "it needs a ClientRequestToken, which AppSync's transactions do not take",
}


def hindrance(compiled: Compiled, pattern: str) -> str | None:
    """Why a pattern has no resolver, if it has none."""
    writing, reads = compiled.writings.get(pattern), compiled.reads[pattern]
    found = [why for step in reads for why in _read_hindrances(step)]
    if writing is None:
        found += _list_hindrances(reads)
    else:
        found += _writing_hindrances(writing)
        found += [why for step in writing.writes for why in _write_hindrances(step, compiled.stored.types[step.item])]
    return next(iter(found), None)


def _read_hindrances(step: Read) -> Iterator[str]:
    yield from refused_fields(step, _READS, _WHY_NO_READ)
    if BUCKET in step.for_each:
        yield "it asks a number of buckets that only the caller knows"
    if step.operation != "Query" and step.shards > 1:
        yield _SHARD
    if step.beside and step.shards > 1:
        yield "a parent lies beside a list of several shards"
    if step.keys_from is not None and step.operation != "BatchGetItem":
        yield "it asks once for every item of an earlier answer"


def _list_hindrances(steps: tuple[Read, ...]) -> Iterator[str]:
    for answering in lists_of(steps):
        limit = limit_of(steps, answering)
        fetched = [steps[at] for at in answering if steps[at].operation == "BatchGetItem"]
        if any(each.counts_gone and each.continues for each in fetched):
            yield "the list whose items it fetches comes from two requests, with one limit"
        if limit is not None and any(each.unexpired and not each.counts_gone for each in fetched):
            yield "it drops what has expired from what it fetched, and then lacks some of its limit"


def _writing_hindrances(writing: Writing) -> Iterator[str]:
    yield from refused_fields(writing, _WRITINGS, _WHY_NO_WRITING)
    if any(each.pattern for each in writing.rules):
        yield "it checks a text by a regular expression, which AppSync's runtime does not have"
    if len(writing.writes) > 1 and not writing.transaction:
        yield "it sends several writes that are no transaction"
    for step in writing.reads:
        if step.keys_from is not None or step.each or step.continues or step.merges is not None:
            yield "it looks for its item in several requests"


def _write_hindrances(step: Write, kind: ItemType) -> Iterator[str]:
    yield from refused_fields(step, _WRITES, _WHY_NO_WRITE)
    if any(keys.shards > 1 for keys in kind.keys):
        yield _SHARD
    values = (*step.attributes.values(), *(each.value for each in step.changes))
    names = (name for each in step.changes for name in each.path.names.values())
    if Slot("*") in values or any(isinstance(each, Slot) for each in names):
        yield "it writes an entry of a map inside another item"
