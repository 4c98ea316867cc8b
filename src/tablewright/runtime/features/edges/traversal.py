"""Following edges: whether there is one, who is at their other ends, and whom two have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.operations.batches import GetMany
from tablewright.runtime.operations.get import Get
from tablewright.runtime.operations.query import Page
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.path import Path

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.item import StoredItem
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.key import Key
    from tablewright.runtime.operations.query import Query

E = TypeVar("E", bound="StoredItem")
N = TypeVar("N", bound="StoredItem")
T = TypeVar("T")

MOST = 1_000


class Exists(Tunable, msgspec.Struct, frozen=True):
    """Whether there is an item; nothing of it but its key is sent."""

    get: Get[Any]

    @property
    def layout(self) -> Layout:
        return self.get.layout

    @property
    def options(self) -> Options:
        return self.get.options

    method = "exists"

    def with_options(self, **options: Any) -> Exists:
        return Exists(self.get.with_options(**options))

    def params(self) -> Any:
        return self._get().params()

    def _get(self) -> Get[Any]:
        return self.get.with_options(attributes=self.get.layout.table_composites)

    def flow(self) -> Flow[bool]:
        return (yield from self._get().flow()) is not None


def exists(key: Key[Any]) -> Exists:
    """Whether there is an item with this key: `tw.exists(Follows.key("a", target="b"))`."""
    return Exists(Get(key.layout, key.composites))


class Neighbours(Tunable, msgspec.Struct, Generic[N], frozen=True):
    """The items at the other ends of edges: a query, and a batch of gets."""

    edges: Any
    to: Any

    method = "neighbours"

    @property
    def layout(self) -> Layout:
        return self.edges.layout  # type: ignore[no-any-return]

    @property
    def options(self) -> Options:
        return self.edges.options  # type: ignore[no-any-return]

    def with_options(self, **options: Any) -> Neighbours[N]:
        return Neighbours(self.edges.with_options(**options), self.to)

    def params(self) -> Any:
        """The request for the edges."""
        return self.edges.params()

    def check_tenant(self, tenant: Any) -> NoReturn:
        """Where edges lead is known only once they are read, which is too late to ask whose it is."""
        remedy = "run the query of the edges, and then tw.batch_get(...) of the keys they lead to"
        raise RequestError(f"neighbours() may lead out of {tenant}; {remedy}", code=2002)

    def flow(self) -> Flow[Page[N]]:
        asking: Flow[Page[Any]] = self.edges.flow()
        page = yield from asking
        keys = [self.to(edge) for edge in page.items]
        options = Options(consistent=True) if self.options.consistent else DEFAULT
        found = yield from GetMany[Any](tuple(Get(key.layout, key.composites) for key in keys), options).flow()
        return Page([each for each in found if each is not None], page.cursor)


def neighbours(edges: Query[E], to: Callable[[E], Key[N]]) -> Neighbours[N]:
    """The items that edges lead to: `tw.neighbours(Follows.following("a"), lambda edge: User.key(edge.target))`.

    A page of them, in the order of the edges, with the cursor of the edges; ends that do not exist are left out.
    """
    return Neighbours(edges, to)


class Common(Tunable, msgspec.Struct, Generic[T], frozen=True):
    """What two queries have in common."""

    first: Any
    second: Any
    by: tuple[Path[Any], Path[Any]]
    most: int
    options: Options = DEFAULT

    method = "common"

    @property
    def layout(self) -> Layout:
        return self.first.layout  # type: ignore[no-any-return]

    def params(self) -> list[Any]:
        return [self.first.params(), self.second.params()]

    def flow(self) -> Flow[list[T]]:
        first = yield from self.ends(self.first, self.by[0])
        second = yield from self.ends(self.second, self.by[1])
        return [each for each in first if each in second]

    def ends(self, query: Any, path: Path[Any]) -> Flow[dict[Any, None]]:
        name = query.layout.called(str(path.parts[0]))
        found: dict[Any, None] = {}
        asked: Any = query.with_options(attributes=(str(path.parts[0]),), pages=1)
        while True:
            asking: Flow[Page[Any]] = asked.flow()
            page = yield from asking
            found.update(dict.fromkeys(getattr(edge, name) for edge in page.items))
            if len(found) > self.most:
                remedy = "ask for more (most=...), or keep what is common in items of its own"
                raise RequestError(f"{query.layout.name}: a query has more than {self.most} ends; {remedy}", code=2002)
            if page.cursor is None:
                return found
            asked = asked.with_options(cursor=page.cursor)


def common(
    first: Query[Any], second: Query[Any], *, by: Path[T] | tuple[Path[T], Path[T]], most: int = MOST
) -> Common[T]:
    """The values that an attribute has in both answers, in the order of the first: common neighbours.

    `tw.common(Follows.following("a"), Follows.following("b"), by=Follows.target)`. Two attributes, one for each query,
    may be named. A query with more than `most` values is refused.
    """
    return Common(first, second, by if isinstance(by, tuple) else (by, by), most)
