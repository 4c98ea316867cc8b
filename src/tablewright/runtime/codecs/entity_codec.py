"""The compiled code of one entity, made when it is first needed: classes stay cheap to define."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.runtime.items.page_items import MisfitError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.runtime.codecs.encoder import Encoder
    from tablewright.runtime.codecs.reader import Reader
    from tablewright.runtime.codecs.writer import Writer
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.types.slot import TypedSlot


class _Unknown:
    """What is not compiled yet."""


UNKNOWN = _Unknown()


class EntityCodec:
    """What an entity's items are read with, and what went another way.

    `reason` says why the entity is read the generic way (None: it is not), `writing_reason` the same of writing;
    `misfits` counts items that had to be read that way, `last_misfit` says what was odd about the last of them.
    """

    __slots__ = (
        "_encoder",
        "_reader",
        "_slots",
        "_writer",
        "cls",
        "last_misfit",
        "misfits",
        "name",
        "reads_as_written",
        "reason",
        "writing_reason",
    )

    def __init__(self, cls: type[Any], slots: Mapping[str, TypedSlot]) -> None:
        self.cls = cls
        self._slots = slots
        self._encoder: Encoder | None = None
        self._reader: Reader | _Unknown | None = UNKNOWN
        self._writer: Writer | _Unknown | None = UNKNOWN
        self.name = cls.__name__
        self.reason: str | None = None
        self.writing_reason: str | None = None
        self.reads_as_written = False  # nothing inside an item is hidden, or changed by a getter
        self.misfits = 0
        self.last_misfit: str | None = None

    def reader(self, layout: Layout) -> Reader | None:
        """The reader, compiled on first use; None when the entity needs more than plain reading."""
        if isinstance(self._reader, _Unknown):
            from tablewright.runtime.codecs.decoders import is_mindful
            from tablewright.runtime.codecs.reader import compile_reader, why_generic
            from tablewright.runtime.items.plain import nested_in

            self.reason = why_generic(layout)
            nested = (each for attribute in layout.attributes.values() for each in nested_in(attribute))
            self.reads_as_written = not any(is_mindful(each) for each in nested)
            if self.reason is not None:
                _log("%s is read the generic way: %s", self.name, self.reason)
            self._reader = None if self.reason is not None else compile_reader(layout, self.cls, self._slots, self.note)
        return self._reader

    def writer(self, layout: Layout) -> Writer | None:
        """The function that writes whole items; None when they are more than their values."""
        if isinstance(self._writer, _Unknown):
            from tablewright.runtime.codecs.writer import compile_writer, why_not_compiled

            self.writing_reason = why_not_compiled(layout)
            if self.writing_reason is not None:
                _log("%s is written the generic way: %s", self.name, self.writing_reason)
            self._writer = None if self.writing_reason is not None else compile_writer(layout)
        return self._writer

    def encode(self, own: dict[str, Any]) -> dict[str, Any]:
        """The stored values of an item, from its attributes; an `EncodingError` where something is wrong."""
        if self._encoder is None:
            from tablewright.runtime.codecs.encoder import compile_encoder

            self._encoder = compile_encoder(self._slots)
        return self._encoder(own)

    def shows_text(self, python_name: str) -> bool:
        """Whether an attribute is text on items of the class, as it is in the table."""
        slot = self._slots.get(python_name)
        return slot is not None and slot.codec.decode_quickly is None and not slot.attribute.hidden

    def note(self, misfit: Exception) -> None:
        self.misfits += 1
        # The text of other errors may hold values, which have no place in a log.
        is_ours = isinstance(misfit, msgspec.ValidationError | MisfitError)
        self.last_misfit = str(misfit) if is_ours else type(misfit).__name__
        _log("an item of %s is read the generic way: %s", self.name, self.last_misfit)


def _log(message: str, *values: Any) -> None:
    import logging  # only where something is out of the ordinary

    logging.getLogger("tablewright").debug(message, *values)
