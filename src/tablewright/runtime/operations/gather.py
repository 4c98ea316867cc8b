"""A query for a collection class: what the members' query finds, as an object of the class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import msgspec

from tablewright.runtime.operations.collect import Collect
from tablewright.runtime.operations.total import Countable

if TYPE_CHECKING:
    from tablewright.expr.nodes import Condition
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.item import StoredCollection
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.options import Options
    from tablewright.runtime.requests.request import Params

C = TypeVar("C", bound="StoredCollection")


class Gather(Countable, msgspec.Struct, Generic[C], frozen=True):
    """A query for a collection: `Workload.of("e1")`. It reads all pages unless told otherwise."""

    kind: type[C]
    collect: Collect

    @property
    def options(self) -> Options:
        return self.collect.options

    @property
    def layout(self) -> Layout:
        return self.collect.layout

    def with_options(self, **options: Any) -> Self:
        return msgspec.structs.replace(self, collect=self.collect.with_options(**options))

    def where(self, *conditions: Condition) -> Self:
        return msgspec.structs.replace(self, collect=self.collect.where(*conditions))

    def limit(self, items: int) -> Self:
        """Evaluate at most so many items, of one page."""
        return self.with_options(limit=items, pages=1)

    def params(self) -> Params:
        return self.collect.params()

    def flow(self) -> Flow[C]:
        gathered = yield from self.collect.flow()
        found = object.__new__(self.kind)
        found.__dict__.update(gathered.items, cursor=gathered.cursor)
        return found
