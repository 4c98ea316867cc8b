"""Items straight from the text of a reply: decoded into wire structs, and made by one function written for the entity.

The result is what the generic way makes, attribute for attribute. Whatever is not as expected is left to that way: an
entity that needs more than plain reading has no reader, and an item that does not fit is read on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.errors import BadAnswer
from tablewright.runtime.codecs.constructors import (
    fallback,
    is_told,
    nothing,
    setting,
    struct_of,
    structure,
    with_fallback,
)
from tablewright.runtime.codecs.decoders import LIST, LOOSE, ReadingScript, Taking, demanded, scalar_typed, taking_of
from tablewright.runtime.items.page_items import UNSURE, Found, as_document
from tablewright.schema.script import Script, literal
from tablewright.wire.answers import answer_fault, item_fault
from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.types.slot import TypedSlot

Generic: TypeAlias = Callable[[dict[str, Any]], Any]  # an item in document form, as the caller gets it
Note: TypeAlias = Callable[[Exception], None]  # told of every item that does not fit


class _RawPage(msgspec.Struct, gc=False):
    """A page whose items are still text."""

    Items: list[msgspec.Raw] = []
    LastEvaluatedKey: dict[str, Any] | None = None


raw_page: Callable[[bytes], _RawPage] = msgspec.json.Decoder(_RawPage).decode


class Reader:
    """Reads one entity's items. `note` hears of those that did not fit."""

    __slots__ = ("_item", "_note", "_one", "_page", "_read", "_written")

    def __init__(self, wire: type[Any], read: Callable[[Any], Any], note: Note) -> None:
        self._read = read
        self._note = note
        self._item = decoder(wire)
        self._one = decoder(_reply_of("Item", wire))
        self._written = decoder(_reply_of("Attributes", wire))
        self._page = decoder(_page_of(wire))

    def one(self, reply: bytes | msgspec.Raw) -> Any:
        """The item of a GetItem's reply, None when there is none, `UNSURE` when the generic way has to say."""
        return self._only(self._one, reply)

    def written(self, reply: bytes) -> Any:
        """The same of a write's reply that holds the whole item, be it as it was or as it is now."""
        return self._only(self._written, reply)

    def _only(self, decode: Callable[[bytes | msgspec.Raw], Any], reply: bytes | msgspec.Raw) -> Any:
        try:
            wire = decode(reply).item
            found = None if wire is None else self._read(wire)
        except Exception as misfit:  # noqa: BLE001 - whatever is odd, the generic way knows what to say
            self._note(misfit)
            _refuse(answer_fault(reply))
            return UNSURE
        return UNSURE if found is None and wire is not None else found

    def page(self, reply: bytes, generic: Generic, *, is_certain: bool) -> Found:
        """The entity's items of a page."""
        read = self._read
        try:
            page = self._page(reply)
            items = [item for wire in page.Items if (item := read(wire)) is not None]
        except Exception:  # noqa: BLE001 - which of them it was turns out below
            return self.one_by_one(reply, generic, is_certain=is_certain)
        if len(items) == len(page.Items) or is_certain:
            return Found(items, key_of(page.LastEvaluatedKey))
        return self.one_by_one(reply, generic, is_certain=is_certain)

    def one_by_one(self, reply: bytes, generic: Generic, *, is_certain: bool) -> Found:
        """The same with the stored items beside the ones that were made of them."""
        page = raw_page(reply)
        read = [(raw, self.item(raw, generic, is_certain=is_certain)) for raw in page.Items]
        mine = [(raw, item) for raw, item in read if item is not None]
        return Found([item for _, item in mine], key_of(page.LastEvaluatedKey), [raw for raw, _ in mine])

    def item(self, raw: msgspec.Raw | bytes, generic: Generic, *, is_certain: bool) -> Any:
        """One item from its text; None when it is somebody else's."""
        try:
            found = self._read(self._item(raw))
        except Exception as misfit:  # noqa: BLE001 - as above
            self._note(misfit)
            _refuse(item_fault(raw))
        else:
            if found is not None or is_certain:
                return found
        return generic(as_document(raw))


def _refuse(fault: str | None) -> None:
    """The generic way reads whatever DynamoDB may send, and nothing else."""
    if fault is not None:
        raise BadAnswer(f"the answer cannot be DynamoDB's: {fault}; something in between may have sent it")


def key_of(typed_key: dict[str, Any] | None) -> dict[str, Any] | None:
    return None if typed_key is None else unmarshal_item(typed_key)


def decoder(wire: Any) -> Callable[[bytes | msgspec.Raw], Any]:
    """Lax, because DynamoDB's numbers are texts."""
    return msgspec.json.Decoder(wire, strict=False).decode


def _reply_of(member: str, wire: type[Any]) -> type[Any]:
    """A reply with one item, or none, under this name."""
    return msgspec.defstruct("ReplyItem", [("item", wire, None)], rename={"item": member}, gc=False)


def _page_of(wire: type[Any]) -> type[Any]:
    return msgspec.defstruct("ReplyItems", [("Items", LIST[wire], ()), ("LastEvaluatedKey", LOOSE, None)], gc=False)


# ---- compiling -----------------------------------------------------------------------------------------------------


def why_generic(layout: Layout) -> str | None:
    """What keeps an entity's items from being read by compiled code, if anything does."""
    for attribute in layout.attributes.values():
        if attribute.get is not None:
            return f"{attribute.name} has a getter"
        if attribute.name in layout.attribute_keys and not layout.attribute_keys[attribute.name].numeric:
            return f"{attribute.name} is itself a key field"
        if attribute.field in layout.identity:
            return f"{attribute.name} is stored in an identifier's field"
        if not is_told(attribute.field):
            return f"{attribute.name} is stored under a name that is written with escapes"
    if not all(map(is_told, layout.identity)):
        return "an identifier's field is written with escapes"
    if len(layout.by_field) != len(layout.attributes):
        return "two attributes share a field"
    return None


def compile_reader(layout: Layout, cls: type[Any], slots: Mapping[str, TypedSlot], note: Note) -> Reader:
    script = ReadingScript(structure)
    fields: list[tuple[str, str, Any, bool]] = []
    given: list[tuple[str, str]] = []
    for at, (python_name, slot) in enumerate(slots.items()):
        if slot.attribute.hidden:
            continue
        taking, is_demanded = _taking_of_slot(slot, script)
        fields.append((slot.attribute.field, f"f{at}", taking.wire, is_demanded))
        wire = f"wire.f{at}"
        value = taking.read(wire) if is_demanded else with_fallback(taking, wire, _absent(slot, script))
        given.append((python_name, value))
    made = f"made = {script.refer(object.__new__, 'new')}({script.refer(cls, 'kind')})"
    first = [f"if not ({_ownership(layout, fields)}): return None", made]
    read = script.define("read", "wire", [*first, *setting(cls, given, script), "return made"])
    return Reader(struct_of(fields), script.run()[read], note)


def _taking_of_slot(slot: TypedSlot, script: ReadingScript) -> tuple[Taking, bool]:
    """How an attribute is read, and whether it must be there: an item that lacks what has no stand-in is a misfit."""
    taking = taking_of(slot.attribute, slot.codec, script)
    if slot.reads_as is not None:
        return taking, False
    return demanded(taking, slot.codec, script), True


def _absent(slot: TypedSlot, script: Script) -> str:
    assert slot.reads_as is not None
    return fallback(nothing if slot.reads_as() is None else slot.reads_as, script)


def _ownership(layout: Layout, fields: list[tuple[str, str, Any, bool]]) -> str:
    """The test whether an item carries the entity's identifiers, which join the fields."""
    tests: list[str] = []
    for at, (field, value) in enumerate(layout.identity.items()):
        fields.append((field, f"i{at}", scalar_typed("S", str), False))
        tests.append(f"(value := wire.i{at}) is not None and value.S == {literal(value)}")
    return " and ".join(tests)
