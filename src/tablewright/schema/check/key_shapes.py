"""What table keys look like, and templates that could give items of two entities the same one (typed style).

`ORDER#{order}` and `ORDER#{order}#ITEM#{item}` stand side by side in many tables, and an order called `1#ITEM#2` would
be written over an item: see `runtime/items/key_clashes.py`. Templates that make the very same keys are refused
altogether.
"""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.errors import SchemaError
from tablewright.schema.guards import possible_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.schema.keys import ComposedKey, PatternKeys

_Texts: TypeAlias = tuple[str, ...]  # the literal text around values that can be anything
_ANYTHING = "\ufffe"  # stands for a value; it is no character, and in no template
_MOST_FORMS = 64  # of a key with constants in it; what has more counts as free text


class KeyShape(msgspec.Struct, frozen=True):
    """What the table keys of an entity look like: for each field the forms that its text can have."""

    entity: str
    forms: tuple[tuple[_Texts, ...], ...]

    def fits(self, key: Mapping[str, Any]) -> bool:
        """Whether this entity could have made the key."""
        sides = zip(key.values(), self.forms, strict=False)
        return all(any(_fits(str(text), form) for form in forms) for text, forms in sides)

    def is_within(self, other: KeyShape) -> bool:
        """Whether every key of this entity could be one of the other's, too."""
        pairs = zip(self.forms, other.forms, strict=False)
        return all(
            all(any(_fits(_ANYTHING.join(mine), form) for form in theirs) for mine in own) for own, theirs in pairs
        )


FEATURES = KeyShape("the items that features write along", ((("__", "__#", ""),), (("", ""),)))


def refuse_alike(own: KeyShape, others: Iterable[KeyShape]) -> None:
    """Refuse an entity that makes the very keys that another one makes."""
    for other in others:
        if own.is_within(other) and other.is_within(own):
            raise SchemaError(
                f"{own.entity} and {other.entity} have the same templates for the table's own key, and their items "
                "could not be told apart; put text into one of them that the other does not have",
                code=1009,
            )


def shape_of(entity: str, primary: PatternKeys) -> KeyShape:
    return KeyShape(entity, tuple(tuple(_forms_of(side)) for side in (primary.pk, primary.sk) if side is not None))


def _forms_of(side: ComposedKey) -> Iterator[_Texts]:
    """The literal text of a key, once for each combination of constants in it."""
    choices = [None if side.numeric else possible_texts(piece) for piece in side.pieces]
    count = 1
    for each in choices:
        count *= len(each or "-")
    if count > _MOST_FORMS:
        choices = [None] * len(choices)
    for values in product(*([_ANYTHING] if each is None else each for each in choices)):
        leads = (piece.lead + value for piece, value in zip(side.pieces, values, strict=True))
        yield tuple(side.cased(side.prefix + "".join(leads) + side.postfix).split(_ANYTHING))


def _fits(text: str, form: _Texts) -> bool:
    return re.fullmatch(".*".join(map(re.escape, form)), text, re.DOTALL) is not None
