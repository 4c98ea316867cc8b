"""A layout: where the items of one table lie, and how its reads and writes find them.

Cost, heat and review are made from this value alone. The search makes one for every choice it weighs; of a design,
whether it was just made or read from a file, `design.layout.derive.layout_of` makes the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from tablewright.design.layout.forms import Rewritten
from tablewright.design.layout.names import TYPE_FIELDS, fixed_attributes
from tablewright.design.layout.views import Keys, View
from tablewright.design.serving.serving import Serving
from tablewright.spec.conditions import Predicate
from tablewright.spec.facts import Facts
from tablewright.spec.model import KeyStyle, Rate, Spec

if TYPE_CHECKING:
    from tablewright.design.serving.shapes import Shape

ReadOperation: TypeAlias = Literal["GetItem", "Query", "BatchGetItem"]


class StoredRead(msgspec.Struct, frozen=True, kw_only=True):
    """How a read pattern of the spec as it is stored is answered: its request, and what that reads.

    `views` and `servings` are by entity, in the order of the pattern's entities. `fetches`: the index holds too little,
    and the items are fetched from the table afterwards.
    """

    operation: ReadOperation
    index: str | None = None
    filters: tuple[Predicate, ...] = ()
    backwards: bool = False
    limit: int | None = None
    consistent: bool = False
    entities: tuple[str, ...] = ()
    shards: int = 1
    for_each: Mapping[str, tuple[str, ...]] = {}
    fetches: bool = False
    views: Mapping[str, View]
    servings: Mapping[str, Serving]


class Located(msgspec.Struct, frozen=True):
    """How a write finds an item whose table key does not follow from what the writer knows."""

    view: View
    serving: Serving


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """One table of a design, as far as cost, heat and review depend on it.

    `facts` and `spec` are of the spec as it is stored, `asked` and `origin` of the spec as it was written; `form` is
    the way from the one to the other. `keys` has every view, the table's first, then second items, global indexes and
    local ones; `groups` has the views that lie in the same partitions, the view itself included.
    """

    facts: Facts
    form: Rewritten
    style: KeyStyle
    keys: Mapping[View, Keys]
    groups: Mapping[View, tuple[View, ...]]
    shards: Mapping[View, int]
    tags: Mapping[View, str]  # the item type of every view
    projections: Mapping[str, tuple[str, ...]]  # by index that holds not all: attributes besides keys
    reads: Mapping[str, StoredRead]  # by pattern as it is stored
    located: Mapping[tuple[str, str], Located]  # by write and entity

    @property
    def spec(self) -> Spec:
        return self.facts.spec

    @property
    def asked(self) -> Facts:
        return self.form.asked

    @property
    def origin(self) -> Spec:
        return self.form.origin

    @property
    def type_field(self) -> str:
        """The attribute that says what an item is."""
        return TYPE_FIELDS[self.style]

    @property
    def gsis(self) -> int:
        """How many global indexes there are."""
        return len({view.slot for view in self.keys} - {None})

    def base_view(self, entity: str) -> View:
        """The item itself."""
        return next(view for view in self.keys if view.entity == entity and view.index is None and not view.is_copy)

    def base(self, entity: str) -> Shape:
        return self.base_view(entity).shape

    def busier(self, traffic: float) -> Layout:
        """The same with so many times the requests: keys and data stay as designed, so that it shows where they end."""
        if traffic == 1.0:
            return self
        rates = {
            name: Rate(avg=rate.avg * traffic, peak=(rate.peak or rate.avg) * traffic)
            for name, rate in self.facts.rates.items()
        }
        return msgspec.structs.replace(self, facts=msgspec.structs.replace(self.facts, rates=rates))

    def fixed(self, view: View) -> dict[str, str]:
        """The attributes of a view's items that are always the same."""
        return fixed_attributes(self.style, self.tags.get(view, view.entity))
