"""Who belongs to whom: from `belongs_to` declarations to questions about one parent.

An access pattern finds the children of a parent when its partition key (and as much of its sort key as can be) is made
of attributes that have the same names as those of the parent's key, or of references to the parent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import SchemaError
from tablewright.runtime.features.refs.ref import Ref, class_of
from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.operations.query import Query

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.runtime.flow import Flow

REFERENCE = ""  # in place of an attribute of the parent: the reference to it


class Relation(msgspec.Struct, frozen=True):
    """Children of one entity, found by an access pattern; `bound` says what of the parent each composite is."""

    parent: Layout
    child: Layout
    pattern: str
    bound: Mapping[str, str]

    def given(self, composites: Values) -> dict[str, Any]:
        """The composites of the question about one parent."""
        return {
            name: _reference_text(self.parent, composites) if source == REFERENCE else composites[source]
            for name, source in self.bound.items()
        }

    def query(self, composites: Values) -> Query[Any]:
        query: Query[Any] = Query(self.child, self.pattern, self.given(composites))
        asked = self.child.pattern(self.pattern).pattern
        if asked.index is None:
            query = query.consistent()
        return query if asked.projection == "all" else query.hydrate()

    def find(self, composites: Values, count: int) -> Flow[list[Values]]:
        """The keys of some children that are there."""
        page = yield from self.query(composites).count(count).flow()
        return [item.__tablewright_key__().composites for item in page.items]


def _reference_text(layout: Layout, composites: Values) -> str:
    return str(Ref(class_of(layout), tuple(composites[name] for name in layout.table_composites)))


def relations_from(layout: Layout) -> dict[str, tuple[Relation, ...]]:
    """By entity name: the children of an entity, of its children, and so on."""
    service = class_of(layout).__tablewright_about__.service
    assert service is not None
    found: dict[str, tuple[Relation, ...]] = {}
    waiting = [layout]
    while waiting:
        parent = waiting.pop()
        if parent.name not in found:
            found[parent.name] = tuple(_children_of(service, parent))
            waiting += [relation.child for relation in found[parent.name]]
    return found


def _children_of(service: Any, parent: Layout) -> Iterator[Relation]:
    for entity in service.entities.values():
        child = entity.__tablewright_layout__()
        for belonging in child.entity.features.belongs_to:
            if parent.name in belonging.to:
                yield Relation(parent, child, belonging.pattern, _bindings(parent, child, belonging.pattern))


def _bindings(parent: Layout, child: Layout, pattern: str) -> dict[str, str]:
    declared = child.pattern(pattern).pattern
    filled = {each.name for each in child.derived}
    bound: dict[str, str] = {}
    for name in declared.pk.composite:
        source = _source_of(parent, child, name)
        if source is None and name not in filled:
            problem = f"{child.name}.{pattern} does not find the children of one {parent.name}: {child.called(name)}"
            remedy = f"is neither in its key ({parent.listed(parent.table_composites)}) nor a reference to it"
            raise SchemaError(f"{problem} {remedy}", code=1009)
        if source is not None:
            bound[name] = source
    for name in declared.sk.composite if declared.sk is not None else ():
        source = _source_of(parent, child, name)
        if source is None or (source == REFERENCE and REFERENCE in bound.values()):  # a second one is to others
            break
        bound[name] = source
    return bound


def _source_of(parent: Layout, child: Layout, name: str) -> str | None:
    if any(each.attribute == name and parent.name in each.to for each in child.entity.features.references):
        return REFERENCE
    return name if name in parent.table_composites else None
