"""Which way items are read: compiled, where whole items of a typed entity are wanted; else generic, for a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.runtime.options import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Collection

    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.items.page_items import ItemReader
    from tablewright.runtime.options import Options


def reader_for(layout: Layout, options: Options, held: Collection[str] | None = None) -> ItemReader | None:
    """The compiled reader; None for the generic way. `held` as in `read_own`."""
    codec = layout.codec
    if codec is None or held is not None or (options is not DEFAULT and asked_for(options) is not None):
        return None
    return codec.reader(layout)


def asked_for(options: Options) -> str | None:
    """What a caller wants that only the generic way does."""
    if options.attributes is not None:
        return "only part of each item is read"
    if options.hydrate:
        return "items are read behind the keys of an index"
    return None if options.data == "attributes" else f"data is {options.data!r}"


def why_generic(layout: Layout, options: Options, held: Collection[str] | None = None) -> str | None:
    """Why items are read the generic way; None when they are not."""
    if layout.codec is None:
        return "its schema was loaded"
    if held is not None and options.attributes is None:
        return "the index holds only part of each item"
    wanted = asked_for(options)
    if wanted is None and layout.codec.reader(layout) is None:
        return layout.codec.reason
    return wanted
