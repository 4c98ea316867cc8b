"""What the names in a step mean where nothing is read: values of the caller, and what attributes become of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.design.steps.encoding import key_text
from tablewright.design.steps.model import Slot, Sum

if TYPE_CHECKING:
    from tablewright.design.model import PatternDesign
    from tablewright.design.steps.compile import Compiled
    from tablewright.design.steps.model import ItemKeys, KeyStyle, Value, Write, Writing


class Meaning(msgspec.Struct, frozen=True):
    """`types` of the parameters, those `needed`, what attributes `becoming` of the entity are, and names of a parent
    that is `called` as its child says.
    """

    types: Mapping[str, str]
    needed: frozenset[str] = frozenset()
    becoming: Mapping[str, Any] = {}
    called: Mapping[str, Any] = {}
    lifetime: int = 0

    def of(self, value: Value) -> Value:
        """The same in names of the caller."""
        if isinstance(value, Slot):
            return self._of_slot(value)
        if not isinstance(value, tuple):
            return value
        parts = cast("tuple[str | Slot, ...]", value)
        return tuple(each if isinstance(each, str) else self._of_slot(each) for each in parts)

    def _of_slot(self, slot: Slot) -> Value:
        if slot.name in self.called:
            return self.called[slot.name]
        name = slot.name.removeprefix("new.")
        return slot if name == slot.name else self.becoming.get(name)

    def may_lack(self, value: Value) -> bool:
        return isinstance(value, Slot) and value.name not in self.needed

    def is_in(self, keys: ItemKeys) -> bool:
        """Whether a put item has what an index needs; what a caller may leave out is refused before."""
        return keys.index is None or all(self.becoming.get(name) is not None for name in keys.needs)

    def key_fields(self, keys: ItemKeys, style: KeyStyle) -> dict[str, Value]:
        """The key fields of a put item, with the caller's values; text ends where one is absent."""
        return {field: self._key_field(value, style) for field, value in keys.fields.items()}

    def _key_field(self, value: Value, style: KeyStyle) -> Value:
        parts = cast("tuple[str | Slot, ...]", value if isinstance(value, tuple) else (value,))
        found: list[str | Slot] = []
        for part in parts:
            said = self.becoming.get(part.name) if isinstance(part, Slot) else part
            if said is None:
                break
            is_plain = isinstance(said, Slot) or not isinstance(part, Slot)
            found.append(said if is_plain else key_text(said, style))
        return tuple(found)


def meaning_of(compiled: Compiled, pattern: PatternDesign, step: Write) -> Meaning:
    kind = compiled.stored.types[step.item]
    return Meaning(
        types={each.name: each.type for each in pattern.parameters},
        needed=frozenset(each.name for each in pattern.parameters if each.required),
        becoming=_becoming(compiled, compiled.writings[pattern.id], step.names_of or kind.entity),
        called=step.attributes if step.names_of else {},
        lifetime=kind.lifetime_seconds,
    )


def _becoming(compiled: Compiled, writing: Writing, entity: str) -> dict[str, Value]:
    """By attribute what it becomes, as far as that is known without a read."""
    known = compiled.stored.attributes_of(entity)
    found: dict[str, Value] = {
        each.attribute: Slot(each.name)
        for each in writing.given
        if each.entity in (None, entity) and each.attribute in known
    }
    for name, value in writing.becomes.get(entity, {}).items():
        if value is None or (isinstance(value, Sum) and not writing.is_put(entity)):
            found.pop(name, None)
        else:
            found[name] = value
    return found
