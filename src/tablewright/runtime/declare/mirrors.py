"""Reading by second items: the function behind `@tw.mirror`. `features/edges/mirrors.py` writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.runtime.codecs.entity_codec import EntityCodec
from tablewright.runtime.declare.binding import bound_function
from tablewright.runtime.declare.range_checks import check_ranges
from tablewright.runtime.features.hooks import hooks_of
from tablewright.runtime.items.layout import lay_out
from tablewright.runtime.operations.query import Query
from tablewright.schema.features import NO_FEATURES
from tablewright.schema.second import mirror_entity

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.runtime.declare.access import Pattern
    from tablewright.runtime.declare.attr import Slots
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.requests.ranges import Sort


def mirror_function(owner: type[Any], first: Layout, slots: Slots, pattern: Pattern[Any]) -> Callable[..., Any]:
    """What `Follows.followers` is: a function from composites to a query."""
    layout = _mirror_layout(first, pattern.signature.name, EntityCodec(owner, slots))
    check_ranges(owner, {pattern.signature.name: pattern}, layout, slots)

    def make(given: dict[str, Any], sort: Sort | None) -> Query[Any]:
        return Query(layout, pattern.signature.name, given, sort)

    return bound_function(pattern.signature, slots, f"{owner.__name__}.{pattern.signature.name}", make)


def _mirror_layout(first: Layout, pattern: str, codec: EntityCodec | None) -> Layout:
    """The second items as an entity to read: it makes items of the first."""
    second = mirror_entity(first.entity, pattern)
    layout = lay_out(
        msgspec.structs.replace(second, features=NO_FEATURES),
        strict=first.strict,
        home=first.home,
        make=first.make,
        codec=codec,
        take=first.take,
        said=first.said,
        widths=first.widths,
        hooks_of=hooks_of,
    )
    return msgspec.structs.replace(layout, first=first)
