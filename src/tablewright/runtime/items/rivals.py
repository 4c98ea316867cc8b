"""Templates of one service that could give items of two entities the same table key (typed style).

`ORDER#{order}` and `ORDER#{order}#ITEM#{item}` stand side by side in many tables, and an order called `1#ITEM#2` would
be written over an item. The narrower template has the right of way: a key that it could have made is refused for the
wider one. Templates that make the very same keys are refused altogether. Composed keys hold the entity's name and need
none of this. What features write along begins with `__unique__#` and the like, and has the right of way as well.
"""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.errors import SchemaError
from tablewright.schema.guards import Place, possible_texts
from tablewright.schema.keys import compile_keys
from tablewright.schema.second import mirror_entities

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.runtime.items.layout import Layout
    from tablewright.schema.keys import ComposedKey, PatternKeys

Texts: TypeAlias = tuple[str, ...]  # the literal text around values that can be anything
ANYTHING = "\ufffe"  # stands for a value; it is no character, and in no template
MOST_FORMS = 64  # of a key with constants in it; what has more counts as free text


class Shape(msgspec.Struct, frozen=True):
    """What the table keys of an entity look like: for each field the forms that its text can have."""

    entity: str
    forms: tuple[tuple[Texts, ...], ...]

    def fits(self, key: Mapping[str, Any]) -> bool:
        """Whether this entity could have made the key."""
        sides = zip(key.values(), self.forms, strict=False)
        return all(any(fits(str(text), form) for form in forms) for text, forms in sides)

    def is_within(self, other: Shape) -> bool:
        """Whether every key of this entity could be one of the other's, too."""
        pairs = zip(self.forms, other.forms, strict=False)
        return all(
            all(any(fits(ANYTHING.join(mine), form) for form in theirs) for mine in own) for own, theirs in pairs
        )


class Rivals(msgspec.Struct, frozen=True):
    """The shapes that have the right of way before an entity's own, as long as its service has so many members."""

    members: int
    shapes: tuple[Shape, ...]


FEATURES = Shape("the items that features write along", ((("__", "__#", ""),), (("", ""),)))


def check_rivals(layout: Layout, key: Mapping[str, Any]) -> None:
    """Refuse a table key that another entity could have made."""
    known: Rivals | None = layout.home.rivals.get(layout.name)
    if known is None or known.members != len(layout.home.members):
        known = layout.home.rivals[layout.name] = find_rivals(layout)
    for shape in known.shapes:
        if shape.fits(key):
            raise refusal(layout, shape, key)


def refusal(layout: Layout, shape: Shape, key: Mapping[str, Any]) -> Exception:
    primary = layout.primary
    side = primary.sk if primary.sk is not None and primary.sk.pieces else primary.pk
    place = Place(layout.name, primary.pattern.name, layout.called(side.pieces[-1].name))
    problem = f"gives the key of {shape.entity}"
    return place.fault(" | ".join(map(str, key.values())), problem, "use another value, or templates that differ more")


def find_rivals(layout: Layout) -> Rivals:
    own = shape_of(layout.name, layout.primary)
    others = [*other_shapes(layout), FEATURES]
    refuse_alike(own, others)
    return Rivals(len(layout.home.members), tuple(other for other in others if not own.is_within(other)))


def refuse_alike(own: Shape, others: Iterable[Shape]) -> None:
    """Refuse an entity that makes the very keys that another one makes."""
    for other in others:
        if own.is_within(other) and other.is_within(own):
            raise SchemaError(
                f"{own.entity} and {other.entity} have the same templates for the table's own key, and their items "
                "could not be told apart; put text into one of them that the other does not have",
                code=1009,
            )


def other_shapes(layout: Layout) -> Iterator[Shape]:
    for name in [*layout.home.members]:
        try:
            other = layout.home.layout(name)
        except SchemaError:  # that is told when it is used itself
            continue
        if other is None:
            continue
        if other.name != layout.name:
            yield shape_of(other.name, other.primary)
        for second in mirror_entities(other.entity):
            if second.name == layout.name:
                continue
            yield shape_of(second.name, compile_keys(second)[second.primary.name])


def shape_of(entity: str, primary: PatternKeys) -> Shape:
    return Shape(entity, tuple(tuple(forms_of(side)) for side in (primary.pk, primary.sk) if side is not None))


def forms_of(side: ComposedKey) -> Iterator[Texts]:
    """The literal text of a key, once for each combination of constants in it."""
    choices = [None if side.numeric else possible_texts(piece) for piece in side.pieces]
    count = 1
    for each in choices:
        count *= len(each or "-")
    if count > MOST_FORMS:
        choices = [None] * len(choices)
    for values in product(*([ANYTHING] if each is None else each for each in choices)):
        leads = (piece.lead + value for piece, value in zip(side.pieces, values, strict=True))
        yield tuple(side.cased(side.prefix + "".join(leads) + side.postfix).split(ANYTHING))


def fits(text: str, form: Texts) -> bool:
    return re.fullmatch(".*".join(map(re.escape, form)), text, re.DOTALL) is not None
