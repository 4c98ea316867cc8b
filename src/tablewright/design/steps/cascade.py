"""What goes with an item that was deleted, and with what goes with it.

The item itself is gone by now, with all its conditions. What names it is read, page by
page, and deleted; what names one of these goes before it, so that a run that stopped
halfway can be repeated and finds the rest. Afterwards is looked again where something
may have come meanwhile or may be shown late: below items that were still there at the
first look, and in indexes. That goes on until nothing more is found.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .actions import Given, action_of
from .model import PAUSE, Cascade, Flow, Inputs, Item, Request, Stored, Writing
from .reads import read_page

PAGE = 100
"""Items that are read before they are deleted."""
TRIES = 5
"""What is refused so often is an error."""
SETTLING = 1.0
"""Seconds after which an index usually shows what was written."""

_Key: TypeAlias = tuple[Any, ...]
_Look: TypeAlias = tuple[int, "str | None"]  # a cascade by its number, and the cursor


@dataclass(slots=True)
class _Node:
    """An item that goes or is gone, and where to look for what names it."""

    entity: str
    item: Item
    key: _Key  # its entity and id
    looks: deque[_Look] = field(default_factory=deque[_Look])
    found_by: int | None = None  # the cascade; None where it is gone
    above: _Node | None = None


def delete_along(
    stored: Stored, pattern: Writing, inputs: Inputs, old: Mapping[str, Item], now: int
) -> Flow[None]:
    """Deletes all that goes with what a pattern deleted, `old` being what it found.

    Items whose id is neither given nor found are not there, and nothing names them.
    """
    if not pattern.cascades:
        return
    run = _Run(stored, pattern.cascades, now)
    roots = [
        run.node(entity, item)
        for entity, item in _deleted(stored, pattern, inputs, old)
    ]
    for root in roots:
        yield from run.clear(root)
    for root in roots:
        for number, _ in run.looks_below(root.entity):
            if not pattern.cascades[number].is_certain:
                run.again[root.key, number] = root
    yield from run.look_again()


def _deleted(
    stored: Stored, pattern: Writing, inputs: Inputs, old: Mapping[str, Item]
) -> Iterator[tuple[str, Item]]:
    """The items that a pattern deletes; of a list parameter, every element."""
    for entity in pattern.deleted:
        ids = _id_of(stored, entity)
        is_list = any(each.each == entity for each in pattern.writes)
        elements: list[Inputs] = inputs[entity] if is_list else [{}]
        for element in elements:
            known = {**inputs, **element, **old.get(entity, {})}
            if all(known.get(name) is not None for name in ids):
                yield entity, known


def _id_of(stored: Stored, entity: str) -> tuple[str, ...]:
    return next(each.id for each in stored.types.values() if each.entity == entity)


class _Run:
    """What one run has found so far, and where it has to look again."""

    def __init__(self, stored: Stored, cascades: Sequence[Cascade], now: int) -> None:
        self.stored, self.cascades, self.now = stored, cascades, now
        self.seen: set[_Key] = set()
        self.refusals: Counter[_Key] = Counter()
        self.again: dict[tuple[_Key, int], _Node] = {}

    def node(
        self,
        entity: str,
        item: Item,
        found_by: int | None = None,
        above: _Node | None = None,
    ) -> _Node:
        names = _id_of(self.stored, entity)
        key = (entity, *(item[name] for name in names))
        looks = self.looks_below(entity)
        return _Node(entity, item, key, deque(looks), found_by, above)

    def looks_below(self, entity: str) -> list[_Look]:
        found = enumerate(self.cascades)
        return [(number, None) for number, each in found if each.of == entity]

    # ---- one item ----

    def clear(self, root: _Node) -> Flow[None]:
        """Deletes all below an item, and at last the item where it is still there."""
        self.seen.add(root.key)
        path = [root]
        while path:
            node = path[-1]
            if node.looks:
                path += yield from self.look(node)
                continue
            path.pop()
            if node.found_by is not None:
                yield from self.delete(node.found_by, [node])
                for number, _ in self.looks_below(node.entity):
                    self.again[node.key, number] = node

    def look(self, node: _Node) -> Flow[list[_Node]]:
        """The next page of what names an item: deleted, or what has others below it."""
        number, after = node.looks.popleft()
        cascade = self.cascades[number]
        ids = {name: node.item[name] for name in cascade.by.values()}
        reads = cascade.deletes.reads
        page = yield from read_page(self.stored, reads, ids, PAGE, after, self.now)
        if page.cursor is not None:
            node.looks.appendleft((number, page.cursor))
        nodes = [
            self.node(cascade.entity, item, number, node)
            for item in page.items
            if _names(cascade, item, ids)
        ]
        new = [each for each in nodes if each.key not in self.seen]
        self.seen.update(each.key for each in new)
        if new and node.found_by is None and not cascade.is_certain:
            self.again[node.key, number] = node
        if self.looks_below(cascade.entity):
            return new
        yield from self.delete(number, new)
        return []

    def look_again(self) -> Flow[None]:
        while self.again:
            pending, self.again = self.again, {}
            if not all(self.cascades[number].is_certain for _, number in pending):
                yield (Request(PAUSE, {"seconds": SETTLING}),)
            for (_, number), node in pending.items():
                gone = _Node(node.entity, node.item, node.key, deque([(number, None)]))
                yield from self.clear(gone)

    # ---- deletes ----

    def delete(self, number: int, nodes: Sequence[_Node]) -> Flow[None]:
        """In transactions one after the other: several may write the same total."""
        deletes = self.cascades[number].deletes
        requests = [self.request(deletes, each) for each in nodes]
        size = 1 if deletes.transaction else PAGE
        replies: list[dict[str, Any]] = []
        for start in range(0, len(requests), size):
            replies += yield tuple(requests[start : start + size])
        for node, reply in zip(nodes, replies, strict=True):
            if reply.get("Refused"):
                self.refusals[node.key] += 1
                self.seen.discard(node.key)
                if node.above is not None:
                    self.again[node.above.key, number] = node.above

    def request(self, deletes: Writing, node: _Node) -> Request:
        may_fail = self.refusals[node.key] < TRIES
        found = (
            action_of(self.stored, deletes, step, Given({}, {}), node.item, self.now)
            for step in deletes.writes
        )
        actions = [each for each in found if each is not None]
        if not deletes.transaction:
            (action,) = actions
            return Request(action.operation, dict(action.params), may_fail)
        items = [{each.operation.removesuffix("Item"): each.params} for each in actions]
        return Request("TransactWriteItems", {"TransactItems": items}, may_fail)


def _names(cascade: Cascade, item: Item, ids: Item) -> bool:
    """Whether what was found still names the item; an index may not say by what."""
    return all(
        item.get(name, ids[other]) == ids[other] for name, other in cascade.by.items()
    )
