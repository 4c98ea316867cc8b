"""Many references at once: what they point at, in few requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.runtime.features.refs.ref import Ref
from tablewright.runtime.operations.batches import GetMany
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Tunable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.item import StoredItem
    from tablewright.runtime.operations.get import Get
    from tablewright.runtime.requests.request import Params

E = TypeVar("E", bound="StoredItem")


class Resolve(Tunable, msgspec.Struct, Generic[E], frozen=True):
    """`tw.resolve(refs)`: the items pointed at by reference; what is gone is left out."""

    refs: tuple[Ref[E], ...]
    options: Options = DEFAULT

    @property
    def gets(self) -> tuple[Get[E], ...]:
        return tuple(each.get() for each in self.refs)

    def params(self) -> list[Params]:
        return GetMany[Any](self.gets, self.options).params()

    def flow(self) -> Flow[dict[Ref[E], E]]:
        found = yield from GetMany[E](self.gets, self.options).flow()
        return {each: item for each, item in zip(self.refs, found, strict=True) if item is not None}


def resolve(refs: Iterable[Ref[E]]) -> Resolve[E]:
    """Read what references point at, of any entities, each once."""
    return Resolve(tuple(dict.fromkeys(refs)))
