"""Keys in lower (or upper) case find every spelling of a text; a read answers only the one it was asked for.

`room_id="R1"` and `r1` have the same key there. The items themselves hold what was written, so what comes back is
compared with the composites asked for. (That `R1` is written over `r1` nobody can help: they are one item.)
Comparisons (`gte`, `begins` and so on) compare the attribute by a filter, see `requests/ranges.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.runtime.items.reading import upgraded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.expr.nodes import Condition
    from tablewright.runtime.items.layout import Layout, Values
    from tablewright.runtime.items.page_items import Found
    from tablewright.schema.keys import ComposedKey, PatternKeys


class Spelling(msgspec.Struct, frozen=True):
    """What some attributes of an entity's items must be, letter for letter."""

    layout: Any  # a Layout
    keys: Any  # the PatternKeys by which they are found
    equal: Mapping[str, str]

    def fits(self, item: Mapping[str, Any]) -> bool:
        """Of an item as it is stored; what it does not hold is not held against it."""
        attributes = self.layout.attributes
        if self.layout.upgrades:
            item = upgraded(self.layout, item)
        return all(item.get(attributes[name].field, text) == text for name, text in self.equal.items())

    def fits_made(self, item: Any) -> bool:
        """Of an item as compiled code makes it."""
        own, called = item.__dict__, self.layout.called
        return all(own.get(called(name), text) == text for name, text in self.equal.items())

    @property
    def lacking(self) -> list[str]:
        """The attributes that items do not hold where they are found, so that they have to be read behind it."""
        return [name for name in self.equal if not is_held(self.keys, name)]

    @property
    def is_plain(self) -> bool:
        """Whether items of the class hold these texts as they are stored."""
        codec = self.layout.codec
        return codec is not None and all(codec.shows_text(self.layout.called(name)) for name in self.equal)

    def of_page(self, found: Found) -> Found:
        """What a compiled reader found, without other spellings."""
        keep = [self.fits_made(item) for item in found.items]
        if all(keep):
            return found
        found.items = [item for item, is_kept in zip(found.items, keep, strict=True) if is_kept]
        found.stored = [item for item, is_kept in zip(found.stored, keep, strict=False) if is_kept]
        return found

    def condition(self) -> Condition | None:
        """The same for DynamoDB to compare, where items are counted and not read."""
        named = {name: nodes.Name((each.field,)) for name, each in self.layout.attributes.items()}
        equal = (nodes.Compare("=", named[name], nodes.Value(text)) for name, text in self.equal.items())
        return nodes.all_of(*equal)


def spelling_of(layout: Layout, keys: PatternKeys, given: Values) -> Spelling | None:
    """What has to be compared of the items that a key finds; None where the key tells everything."""
    if not layout.folds:
        return None
    equal = dict(_texts_asked(keys, given))
    return Spelling(layout, keys, equal) if equal else None


def only_if_spelled(layout: Layout, composites: Values) -> Condition | None:
    """That the item with a table key is spelled as it was asked for; where there is none, nothing is compared."""
    spelling = spelling_of(layout, layout.primary, composites)
    if spelling is None:
        return None
    named = [(nodes.Name((layout.attributes[name].field,)), text) for name, text in spelling.equal.items()]
    return nodes.all_of(
        *(
            nodes.Or((nodes.Function("attribute_not_exists", (path,)), nodes.Compare("=", path, nodes.Value(text))))
            for path, text in named
        )
    )


def _texts_asked(keys: PatternKeys, given: Values) -> Iterator[tuple[str, str]]:
    """The texts in a key that could be spelled another way, up to the first composite that is not given."""
    for side in _folding(keys):
        for piece in side.pieces:
            value = given.get(piece.name)
            if value is None:
                break
            if piece.is_free and isinstance(value, str) and not value.lower() == value == value.upper():
                yield piece.name, value


def _folding(keys: PatternKeys) -> Iterable[ComposedKey]:
    return [side for side in (keys.pk, keys.sk) if side is not None and side.casing != "none" and not side.numeric]


def fields_to_compare(layout: Layout, keys: PatternKeys) -> list[str]:
    """What a projection must hold besides, so that spellings can be compared."""
    names = (piece.name for side in _folding(keys) for piece in side.pieces if piece.is_free)
    return [layout.attributes[name].field for name in names]


def is_held(keys: PatternKeys, name: str) -> bool:
    """Whether items have the attribute where these keys find them."""
    projection = keys.pattern.projection
    return keys.pattern.index is None or projection == "all" or (isinstance(projection, tuple) and name in projection)


def check_comparable(spelling: Spelling, *, hydrate: bool) -> None:
    """An index that does not hold the text, and keys that fold it, cannot tell what was asked for."""
    lacking = [] if hydrate else spelling.lacking
    if lacking:
        layout = spelling.layout
        raise RequestError(
            f"{layout.name}.{spelling.keys.pattern.name} cannot tell how {layout.listed(lacking)} is spelled: its keys "
            "fold letter case, and the index does not hold it; use hydrate(), or add it to the projection",
            code=2002,
        )
