"""One partition that is being read, and how much of it is asked for at a time."""

from __future__ import annotations

from collections import deque
from math import ceil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablewright.runtime.items.page_items import Found
    from tablewright.runtime.operations.query import Query

Key = dict[str, Any]


class Falling:
    """A sort key where the largest comes first."""

    __slots__ = ("key",)

    def __init__(self, key: Any) -> None:
        self.key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Falling) and bool(self.key == other.key)

    def __lt__(self, other: Falling) -> bool:
        return bool(other.key < self.key)

    __hash__ = None  # type: ignore[assignment]


class Reading:
    """A lane: what was read and is yet to be handed out, and the place behind all that was."""

    def __init__(self, name: str, query: Query[Any], place: Key) -> None:
        self.name = name
        self.query = query
        self.place = place  # of what was handed out; empty at the beginning
        self.requests = 0
        self.asked = 0  # the size of the last request, 0 for no limit
        self._more: Key | None = place  # where the next request goes on; None when there is nothing more
        self._found: deque[tuple[Any, Any]] = deque()
        self._filtered = 0  # of the last reply: how many items were looked at and left out
        self._sort_fields = sort_fields(query)
        self._params = query.request(sending=True)

    @property
    def has_items(self) -> bool:
        return bool(self._found)

    @property
    def is_done(self) -> bool:
        return self._more is None and not self._found

    def front(self, is_falling: bool) -> Any:
        """The sort key of what comes next here: of the first item, or the place behind which there may be more."""
        key = self.sort_key(self._found[0][1] if self._found else self.place)
        return Falling(key) if is_falling else key

    def sort_key(self, stored: Key) -> tuple[Any, ...]:
        return tuple(stored[field] for field in self._sort_fields)

    def request(self, limit: int | None) -> Key:
        self.requests += 1
        self.asked = limit or 0
        request = {**self._params, "Limit": limit} if limit else self._params
        return {**request, "ExclusiveStartKey": self._more} if self._more else request

    def receive(self, found: Found, share: Share) -> None:
        self._more = found.last
        self._found.extend((item, found.stored_at(at)) for at, item in enumerate(found.items))
        self._filtered = self.asked - len(found.items) if self.asked and found.last else 0
        if not self._found and found.last:
            self.place = found.last
            share.evaluated(self._filtered)

    def take(self, share: Share) -> Any:
        """The next item, handed out."""
        from tablewright.runtime.operations.query import position_of

        item, stored = self._found.popleft()
        share.evaluated(1)
        if not self._found:
            share.evaluated(self._filtered)
        behind = self._more if not self._found else None
        self.place = behind or position_of(self.query.layout, self.query.keys, stored)
        return item


def sort_fields(query: Query[Any]) -> tuple[str, ...]:
    """The stored fields by which a partition is sorted."""
    pattern, sk = query.keys.pattern, query.keys.sk
    if pattern.kind == "composite":
        names = pattern.sk.composite if pattern.sk is not None else ()
        return tuple(query.layout.attributes[name].field for name in names)
    return () if sk is None else (sk.field,)


class Share:
    """How much is wanted for a page, and how much each lane is asked for."""

    def __init__(self, query: Query[Any]) -> None:
        options = query.options
        pages = options.pages
        self._count = options.count
        self._size = options.limit
        self._most = options.limit * pages if options.limit and isinstance(pages, int) and not options.count else None
        self._is_filtered = query.filter() is not None
        self._seen = 0

    @property
    def is_counted(self) -> bool:
        """Whether a number of items ends the page, whatever requests that takes."""
        return self._count is not None or self._most is not None

    def evaluated(self, items: int) -> None:
        """Items that were looked at for good: handed out, or filtered out before one that was."""
        self._seen += items

    def is_used_up(self, items: list[Any]) -> bool:
        if self._count is not None:
            return len(items) >= self._count
        return self._most is not None and self._seen >= self._most

    def of(self, lane: Reading, lanes: int, items: list[Any]) -> int | None:
        """The limit of a lane's next request: its share of what is still wanted, doubled when that was too little."""
        wanted = self._size
        if self._count is not None and (not self._is_filtered or self._size is None):
            wanted = None if self._is_filtered else min(self._count - len(items), self._size or self._count)
        elif self._most is not None:
            wanted = self._most - self._seen
        if wanted is None or wanted < 1:
            return self._size
        share = ceil(wanted / lanes) + 1 if lanes > 1 else wanted
        return min(wanted, max(share, 2 * lane.asked))
