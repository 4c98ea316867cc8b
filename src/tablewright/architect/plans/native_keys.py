"""Multi-attribute keys: an index on the attributes themselves, without composed texts.

An item that lacks one of the attributes is not in such an index, and one of any type that has them all is. So it takes
the place of composed keys only where all its entities agree on the same attributes, always have them, and nobody else
does. With several entities the type is a part of the partition key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.plans.plan import VariantPlan
from tablewright.design.model import (
    Index,
    ItemKeys,
    KeyField,
    Projection,
    ReadStep,
    ScalarType,
    SortCondition,
)
from tablewright.design.values.templates import EARLIEST, KeyTemplate, Template, slot
from tablewright.expr.nodes import Compare, Slot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.layout.layout import Layout
    from tablewright.design.layout.views import View
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.conditions import Predicate

MOST_ATTRIBUTES = 4
ENDS = ("from", "to", "value", EARLIEST)
"""What ranges are asked with."""
KEY_TYPES: dict[str, ScalarType] = {"string": "S", "timestamp": "S", "number": "N", "binary": "B"}


class _NativeIndex(msgspec.Struct, frozen=True, kw_only=True):
    """An index whose keys are attributes; `type_field` stands behind the others of the partition where it is needed."""

    name: str
    partition: tuple[KeyField, ...]
    sort: tuple[KeyField, ...]
    type_field: str | None = None

    def index(self, projection: Projection) -> Index:
        """Its key attributes are in the index anyway."""
        typed = (KeyField(self.type_field),) if self.type_field else ()
        pk = (*self.partition, *typed)
        keys = {each.name for each in (*pk, *self.sort)}
        included = tuple(name for name in projection.attributes if name not in keys)
        return Index(name=self.name, pk=pk, sk=self.sort, projection=Projection(projection.type, included))

    def item_keys(self, keys: ItemKeys, tag: str) -> ItemKeys:
        typed = (KeyTemplate(self.type_field, Template(tag)),) if self.type_field else ()
        return msgspec.structs.replace(
            keys,
            pk=(*(KeyTemplate(each.name, slot(each.name)) for each in self.partition), *typed),
            sk=tuple(KeyTemplate(each.name, slot(each.name)) for each in self.sort),
            native=True,
        )

    def read_step(self, step: ReadStep) -> ReadStep:
        """The same question, attribute by attribute: what stood in a text at some place is asked of that attribute."""
        inputs = step.pk[0].template.names
        typed = (KeyTemplate(self.type_field, Template(step.entities[0])),) if self.type_field else ()
        equal = (KeyTemplate(each.name, slot(name)) for each, name in zip(self.partition, inputs, strict=True))
        own = {each.name for each in self.sort}
        return msgspec.structs.replace(
            step,
            pk=(*equal, *typed),
            sk=tuple(self.conditions(step)),
            filters=tuple(each for each in step.filters if not own & set(each.attributes)),
        )

    def conditions(self, step: ReadStep) -> Iterator[SortCondition]:
        for found in step.sk:
            ranged = _ranged_by(found, step.filters)
            high = () if found.high is None else found.high.names
            names = [name for name in found.low.names or high if name not in ENDS]
            for field, name in zip(self.sort, names, strict=False):
                yield SortCondition(field=field.name, operator="=", low=slot(name))
            if ranged is not None:
                operator, *ends = ranged
                ends = [slot(name) for name in ends]
                yield SortCondition(
                    field=self.sort[len(names)].name,
                    operator=operator,
                    low=ends[0],
                    high=(*ends[1:], None)[0],
                )


def _ranged_by(found: SortCondition, filters: tuple[Predicate, ...]) -> tuple[Any, ...] | None:
    """The comparison that a condition on composed texts means, with its parameters."""
    low, high = found.low.names, () if found.high is None else found.high.names
    if "from" in low or EARLIEST in low:
        return "between", "from" if "from" in low else EARLIEST, "to"
    if "value" in high:
        return ("<" if any(_is_below_value(each) for each in filters) else "<="), "value"
    if "value" not in low:
        return None
    if found.operator == "begins_with":
        return "begins_with", "value"
    return (">" if found.low.parts[-1] != Slot("value") else ">="), "value"


def _is_below_value(predicate: Predicate) -> bool:
    """BETWEEN includes its end, so that a range below a value is filtered as well."""
    return isinstance(predicate.tree, Compare) and predicate.tree.operator == "<" and predicate.slots == ("value",)


# ---- where it can be ------------------------------------------------------------------------------------------------


def _native_indexes(layout: Layout) -> dict[str, _NativeIndex]:
    """By index: the keys of those that can do without composed texts."""
    found = {f"gsi{slot + 1}": _native_slot(layout, slot) for slot in range(layout.gsis)}
    return {name: native for name, native in found.items() if native is not None}


def _native_slot(layout: Layout, slot: int) -> _NativeIndex | None:
    views = [view for view in layout.keys if view.slot == slot]
    shapes = [view.shape for view in views]
    partition = _key_fields(layout, shapes, shapes[0].partition)
    sort = _key_fields(layout, shapes, shapes[0].sort)
    is_several = len(views) > 1
    if partition is None or sort is None or not 1 <= len(partition) <= MOST_ATTRIBUTES - is_several:
        return None
    alike = {(each.partition, each.sort) for each in shapes} == {(shapes[0].partition, shapes[0].sort)}
    derived = any(each.bucket or each.when for each in shapes) or any(layout.shards[view] > 1 for view in views)
    if not alike or derived or len(sort) > MOST_ATTRIBUTES or _is_shared(layout, views) or _is_asked(layout, views[0]):
        return None
    type_field = layout.type_field if is_several else None
    return _NativeIndex(name=f"gsi{slot + 1}", partition=partition, sort=sort, type_field=type_field)


def _key_fields(layout: Layout, shapes: list[Shape], names: tuple[str, ...]) -> tuple[KeyField, ...] | None:
    """The attributes with their types; None when one may be absent, is no key type, or differs between entities."""
    facts = layout.facts
    if any(set(names) - facts.present[each.entity] for each in shapes):
        return None
    fields: list[KeyField] = []
    for name in names:
        types = {facts.attribute(each.entity, name).type for each in shapes}
        kinds: set[ScalarType | None] = {KEY_TYPES.get(each) for each in types}
        fields += [KeyField(name, kind) for kind in kinds if kind is not None and len(kinds) == 1]
    return tuple(fields) if len(fields) == len(names) else None


def _is_shared(layout: Layout, views: list[View]) -> bool:
    """Whether items that do not belong there would be in the index, because they have all its attributes."""
    members, wanted = {view.entity for view in views}, set(views[0].shape.attributes)
    strangers = [
        name for name, each in layout.spec.entities.items() if name not in members and each.attributes.keys() >= wanted
    ]
    return bool(strangers) or any(view.is_copy and view.entity in members for view in layout.keys)


def _is_asked(layout: Layout, view: View) -> bool:
    """Whether composed texts are asked for: by several entities at once, or where a filter names a key attribute.

    A filter cannot name an attribute of the key, when an item goes included; what the key itself can say needs none.
    """
    own = set(view.shape.attributes)
    if layout.spec.expiry_attribute in own:
        return True
    reads = [each for each in layout.reads.values() if each.index == view.index]
    located = [each for each in layout.located.values() if each.view.slot is not None and each.view.shape == view.shape]
    return (
        any(len(each.entities) > 1 for each in reads)
        or any(own & set(one.attributes) and not _is_below_value(one) for each in reads for one in each.filters)
        or any(set(each.serving.filters) & own for each in located)
    )


NATIVE_KEYS = VariantPlan(index_keys=_native_indexes)
