"""Samples from stored items: what a request would read of them, what a write changes. No engine is asked.

Stored items are plain mappings with all their key fields, as they are written. With the samples of many runs in
`Volumes`, `predict` gives the mean of exact sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tablewright.architect.cost.units.entries import entries_of
from tablewright.architect.cost.units.volumes import EntryChange, ReadSample, WriteSample
from tablewright.architect.design.encoding import key_text
from tablewright.architect.design.naming import SHARD, key_fields, shard_of
from tablewright.wire.sizes import item_size_bytes

if TYPE_CHECKING:
    from tablewright.architect.cost.units.entries import Entry
    from tablewright.architect.design.requests import Request
    from tablewright.architect.design.templates import Comparison
    from tablewright.architect.solution import Solution

Item = Mapping[str, Any]


# ---- reads --------------------------------------------------------------------------------------------------------


def read_sample(request: Request, stored: Iterable[Item], inputs: Mapping[str, Any]) -> ReadSample:
    """The sizes of what lies under the key in every shard, in reading order."""
    texts = {name: key_text(value) for name, value in inputs.items()}
    items = [item for item in stored if request.pk_field in item and request.sk_field in item]
    return ReadSample(tuple(sizes_under(request, items, {**texts, SHARD: shard}) for shard in shards(request, texts)))


def shards(request: Request, texts: Mapping[str, str]) -> list[str]:
    if request.operation == "GetItem" and request.shards > 1:
        return [shard_of((texts[name] for name in request.id), request.shards)]
    return [str(shard) for shard in range(1 if request.operation == "GetItem" else request.shards)]


def sizes_under(request: Request, items: Iterable[Item], texts: Mapping[str, str]) -> tuple[int, ...]:
    wanted = filled(request.pk, texts)
    found = [
        item
        for item in items
        if item[request.pk_field] == wanted and fits(request.sk, str(item[request.sk_field]), texts)
    ]
    found.sort(key=lambda item: str(item[request.sk_field]).encode(), reverse=request.backwards)
    return tuple(item_size_bytes(item) for item in found)


def filled(template: str, texts: Mapping[str, str]) -> str:
    for name, text in texts.items():
        template = template.replace(f"{{{name}}}", text)
    return template


def fits(condition: Comparison | None, key: str, texts: Mapping[str, str]) -> bool:
    """Texts are compared by their bytes, as DynamoDB does."""
    if condition is None:
        return True
    low, high = filled(condition.low, texts), filled(condition.high, texts)
    match condition.operator:
        case "=":
            return key == low
        case "begins_with":
            return key.startswith(low)
        case _:
            return low.encode() <= key.encode() <= high.encode()


# ---- writes -------------------------------------------------------------------------------------------------------


def write_sample(
    solution: Solution, entity: str, before: Sequence[Item], after: Sequence[Item], *, refused: bool = False
) -> WriteSample:
    """What a write of one item did: the stored items it was and became (itself first, then its copies)."""
    entries = [each for each in entries_of(solution) if each.entity == entity and each.kind != "unique"]
    copies = [each.name for each in entries if each.kind == "copy"]
    found: list[EntryChange] = []
    for entry in entries:
        place = 1 + copies.index(entry.name) if entry.kind == "copy" else 0
        old = before[place] if place < len(before) else None
        new = after[place] if place < len(after) else None
        change = change_between(entry, old, new)
        if change is not None:
            found.append(change)
    return WriteSample(tuple(found), refused=refused)


def change_between(entry: Entry, old: Item | None, new: Item | None) -> EntryChange | None:
    slot = int(entry.place.removeprefix("gsi")) - 1 if entry.kind == "index" else None
    fields = key_fields(slot)
    was, became = entry_in(old, fields), entry_in(new, fields)
    if was is None and became is None:
        return None
    return EntryChange(
        entry=entry.name,
        before_bytes=None if was is None else item_size_bytes(was),
        after_bytes=None if became is None else item_size_bytes(became),
        key_changed=was is not None and became is not None and any(was[name] != became[name] for name in fields),
        view_changed=was != became or entry.kind != "index",
    )


def entry_in(item: Item | None, fields: tuple[str, str]) -> Item | None:
    """An item is in an index when it has both of its keys."""
    return item if item is not None and all(name in item for name in fields) else None
