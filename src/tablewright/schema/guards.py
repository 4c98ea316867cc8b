"""Guards of composites: which values leave no doubt where they end inside a key (the typed style's rule).

A key is literal text around values: `$app#org_acme#doc_x`. It can be taken apart in one way only when every value ends
where the literal text behind it first begins. So a value is refused in which that text (`#doc_`) would begin earlier;
the last value of a key without literal text behind it is free, and so is text that is escaped. Two more things share
keys and are refused: an empty text where the attribute could be absent as well, or is escaped (a key ends where an
absent value would stand), and padded texts that differ in their padding alone.

What can be judged by the declaration (constants, composites that touch) is judged there. Values of one width are never
in doubt. Letter case is another matter: keys in lower case are told apart when they are read, see `items/spelling.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import FieldFault, ValidationError
from tablewright.schema.check.faults import refuse
from tablewright.schema.escaped import Escaped
from tablewright.schema.keys import ComposedKey, PatternKeys, in_case, pad, piece_text
from tablewright.schema.model import AccessPattern, Casing, Entity
from tablewright.schema.ordered import Ordered
from tablewright.schema.types import BOOLEAN, NUMBER, STRING, Attribute, Enum, Free, Padding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.schema.keys import Guard, Piece

POINT = "."
NUMERALS = frozenset("0123456789+-.eE")
"""What the text of a number is made of."""


class Place(msgspec.Struct, frozen=True):
    """Where a value stands, in the caller's words."""

    entity: str
    pattern: str
    attribute: str

    def fault(self, value: Any, problem: str, remedy: str) -> ValidationError:
        reason = f"{value!r:.80} {problem} (in the key of {self.entity}.{self.pattern}); {remedy}"
        return ValidationError([FieldFault(self.attribute, reason)], message=self.entity)


class Stop(msgspec.Struct, frozen=True):
    """Text that a value must not contain; enough where letter case stays and the text cannot overlap itself."""

    place: Place
    text: str

    def check(self, value: Any, text: str, /) -> None:
        if self.text in text:
            raise _contains(self.place, value, self.text)


class _Thorough(msgspec.Struct, frozen=True):
    """All that a value can be refused for."""

    place: Place
    stop: str = ""  # in the key's letter case
    casing: Casing = "none"
    padding: Padding | None = None
    width: int | None = None  # the length that its text must have
    is_native: bool = False  # it is stored nowhere but in the key
    can_be_absent: bool = False
    is_number: bool = False  # the key is a number, made of this value

    def check(self, value: Any, text: str, /) -> None:
        cased = in_case(text, self.casing)
        if self.stop and _starts_early(cased, self.stop):
            raise _contains(self.place, value, self.stop)
        if self.width is not None and len(cased) != self.width:
            problem = f"has the width {len(cased)}, but nothing follows it that would tell where it ends"
            raise self.place.fault(value, problem, f"keep it at {self.width}, or put text behind it in the template")
        if self.can_be_absent and not text:
            problem = "is empty, and would have the key of items that lack it"
            raise self.place.fault(value, problem, "leave it out (None), or give it a value")
        if self.padding is not None and isinstance(value, str):
            self.check_padding(value, self.padding)
        if self.is_native and cased != text:
            problem = f"would be stored as {cased!r}, like other spellings of it"
            raise self.place.fault(value, problem, 'write it so, or declare casing="none"')
        if self.is_number and isinstance(value, str) and value != text:
            raise self.place.fault(value, f"would have the key {text}, like other texts", f"write it as {text!r}")

    def check_padding(self, value: str, padding: Padding) -> None:
        """`7` and `007` have one key; the shortest (but not the empty one) is meant."""
        padded = pad(value, padding)
        shorter = next((value[at:] for at in range(1, len(value)) if pad(value[at:], padding) == padded), None)
        if shorter is not None or not value:
            problem = f"is padded to {padded!r}, like {shorter or padding.char[:1]!r}"
            raise self.place.fault(value, problem, "leave the padding to the key")


def _contains(place: Place, value: Any, stop: str) -> ValidationError:
    problem = f"contains {stop!r}, which ends it inside its key: another item could have the same"
    remedy = f"keep {stop!r} out of it, or declare a template with text around it that it never contains"
    return place.fault(value, problem, remedy)


def _starts_early(text: str, stop: str) -> bool:
    """Whether the stop begins inside the text, be it that it ends behind it."""
    return (text + stop).find(stop) < len(text)


def _overlaps_itself(stop: str) -> bool:
    """Whether a text can end with the beginning of the stop and still be followed by all of it too early: `##`."""
    return any(stop.startswith(stop[at:]) for at in range(1, len(stop)))


# ---- guarding --------------------------------------------------------------------------------------------------------


class _Guarding(msgspec.Struct, frozen=True):
    """The entity whose keys are guarded, what callers call its attributes, and which have texts of one width."""

    entity: Entity
    said: Mapping[str, str]
    widths: Mapping[str, int]

    def keys(self, compiled: Mapping[str, PatternKeys]) -> dict[str, PatternKeys]:
        """The same keys, with guards. A field has one key, however many patterns use it."""
        by_field: dict[str, ComposedKey] = {}
        return {name: self.of_pattern(keys, by_field) for name, keys in compiled.items()}

    def of_pattern(self, keys: PatternKeys, by_field: dict[str, ComposedKey]) -> PatternKeys:
        if keys.pattern.kind == "composite":  # the attributes themselves are the key
            return keys
        sides = [self.of_side(keys.pattern, side, by_field) for side in (keys.pk, keys.sk) if side is not None]
        return PatternKeys(keys.pattern, sides[0], sides[1] if len(sides) > 1 else None)

    def of_side(self, pattern: AccessPattern, side: ComposedKey, by_field: dict[str, ComposedKey]) -> ComposedKey:
        if side.field not in by_field:
            pieces = tuple(self.of_piece(pattern, side, at) for at in range(len(side.pieces)))
            by_field[side.field] = msgspec.structs.replace(side, pieces=pieces, strict=True)
        return by_field[side.field]

    def of_piece(self, pattern: AccessPattern, side: ComposedKey, at: int) -> Piece:
        piece = side.pieces[at]
        place = Place(self.entity.name, pattern.name, self.said.get(piece.name, piece.name))
        texts = None if side.numeric else self.constants(pattern, piece)
        if texts is not None:
            self.check_texts(pattern, side, at, texts)
            return piece
        is_native = side.attribute == piece.name and not side.numeric
        is_free = not is_native and _is_free_text(piece) and piece.name not in self.widths
        guard = self.guard(pattern, side, at, place)
        return msgspec.structs.replace(piece, guard=guard, is_free=is_free)

    def guard(self, pattern: AccessPattern, side: ComposedKey, at: int, place: Place) -> Guard | None:
        piece = side.pieces[at]
        if side.numeric:
            return _Thorough(place, is_number=True) if _is_free_text(piece) else None
        is_last = at == len(side.pieces) - 1
        stop = side.cased(side.postfix if is_last else side.pieces[at + 1].lead)
        if isinstance(piece.padding, Ordered) and piece.padding.signed and (stop or not is_last):
            self.check_behind(pattern, piece, stop)
        if isinstance(piece.padding, Ordered) or (piece.name in self.widths and side.attribute != piece.name):
            return None  # always the same width, whatever is in it, or a number that ends where no other goes on
        if isinstance(piece.padding, Escaped) and (is_last or stop) and piece.padding.ends_at(stop):
            return _Thorough(place, casing=side.casing, can_be_absent=True)
        if piece.type == NUMBER and not NUMERALS.issuperset(stop):
            stop = ""
            width = None
        else:
            width = None if stop or is_last else self.enforced_width(pattern, piece)
        thorough = _Thorough(
            place,
            stop,
            side.casing,
            piece.padding if _is_free_text(piece) and isinstance(piece.padding, Padding) else None,
            width,
            is_native=side.attribute == piece.name and side.casing != "none",
            can_be_absent=is_last and not side.postfix and _is_free_text(piece) and self.can_be_absent(pattern, piece),
        )
        return _simplest(thorough)

    def check_behind(self, pattern: AccessPattern, piece: Piece, stop: str) -> None:
        """A signed number may go on with a point: what stands behind it must sort before that."""
        if not "" < stop[:1] < POINT:
            name = self.said.get(piece.name, piece.name)
            problem = f'"{name}" is signed, and {stop!r} behind it does not sort before a point'
            refuse(self.entity, 1017, problem, "Put a text there that begins with #, or declare digits", part=pattern)

    def enforced_width(self, pattern: AccessPattern, piece: Piece) -> int:
        """Composites that touch: only the width tells where the first ends."""
        if not isinstance(piece.padding, Padding):
            name = self.said.get(piece.name, piece.name)
            problem = (
                f'nothing stands between "{name}" and the composite behind it, so that keys of different items agree'
            )
            remedy = f'Put text between them, or give "{name}" a padding'
            refuse(self.entity, 1017, problem, remedy, part=pattern)
        return piece.padding.length

    def can_be_absent(self, pattern: AccessPattern, piece: Piece) -> bool:
        """Whether keys may end where this composite would begin: never in the table, whose keys are whole."""
        attribute: Attribute | None = self.entity.attribute(piece.name)
        is_sort = pattern.sk is not None and piece.name in pattern.sk.composite
        is_sure = attribute is None or attribute.required or attribute.default is not None
        return is_sort and not is_sure and piece.name not in self.entity.primary.composites

    def constants(self, pattern: AccessPattern, piece: Piece) -> tuple[str, ...] | None:
        try:
            return possible_texts(piece)
        except ValidationError as error:
            problem = f'"{self.said.get(piece.name, piece.name)}" has a constant that {error.fields[0].reason}'
            refuse(self.entity, 1009, problem, "Use other constants, or another form", part=pattern)

    def check_texts(self, pattern: AccessPattern, side: ComposedKey, at: int, texts: Iterable[str]) -> None:
        """Constants are judged here, once for all."""
        piece = side.pieces[at]
        is_last = at == len(side.pieces) - 1
        stop = side.cased(side.postfix if is_last else side.pieces[at + 1].lead)
        seen: dict[str, str] = {}
        name = self.said.get(piece.name, piece.name)
        for text in texts:
            cased = side.cased(text)
            if seen.get(cased) == text:
                problem = f'"{name}" has two constants that are both {text!r} in its key'
                refuse(self.entity, 1009, problem, "Use constants that are written differently", part=pattern)
            if cased in seen:
                problem = f'"{name}" can be {seen[cased]!r} and {text!r}, which have the same key'
                refuse(self.entity, 1009, problem, 'Use other constants, or casing="none"', part=pattern)
            seen[cased] = text
            if stop and _starts_early(cased, stop):
                problem = f'"{name}" can be {text!r}, in which {stop!r} ends it inside its key'
                refuse(self.entity, 1009, problem, "Use other constants, or a template with other text", part=pattern)
            if not text and is_last and not side.postfix and self.can_be_absent(pattern, piece):
                problem = f'"{name}" can be empty, which gives items the key of those that lack it'
                refuse(self.entity, 1009, problem, "Use other constants", part=pattern)
        if not stop and not is_last and len({len(text) for text in seen}) > 1:
            self.enforced_width(pattern, msgspec.structs.replace(piece, padding=None))


def guarded(
    entity: Entity,
    compiled: Mapping[str, PatternKeys],
    said: Mapping[str, str] | None = None,
    widths: Mapping[str, int] | None = None,
) -> dict[str, PatternKeys]:
    """The composed keys of an entity with guards; `widths` are those of attributes whose texts all have one."""
    return _Guarding(entity, said or {}, widths or {}).keys(compiled)


def _simplest(guard: _Thorough) -> Guard | None:
    """The cheapest guard that says the same; None where nothing can be wrong."""
    if guard == _Thorough(guard.place, casing=guard.casing):
        return None
    is_simple = guard.casing == "none" and not _overlaps_itself(guard.stop)
    if is_simple and guard == _Thorough(guard.place, guard.stop):
        return Stop(guard.place, guard.stop)
    return guard


def _is_free_text(piece: Piece) -> bool:
    return piece.type is None or piece.type == STRING or isinstance(piece.type, Free)


def possible_texts(piece: Piece) -> tuple[str, ...] | None:
    """All texts that a composite can have in its key, where they are few and known."""
    if isinstance(piece.type, Enum):
        return tuple(piece_text(choice, piece.padding) for choice in piece.type.choices)
    return tuple(piece_text(flag, piece.padding) for flag in (False, True)) if piece.type == BOOLEAN else None
