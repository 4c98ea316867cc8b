"""How key values are composed from attributes, and taken apart again, byte for byte as ElectroDB does.

A composed key is a prefix (service, scope, collection, entity, version), then `#label_value` for every composite, then
for clustered indexes the entity; a template is literal text around `${name}`. Casing applies to the finished key.

Two things surprise: an index without sort key carries the sort prefix in its partition key, and a field that several
indexes share is composed the way the first of them says (so a reversed index reads what the table wrote).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal, Protocol, TypeAlias

import msgspec

from tablewright.errors import FieldFault, ValidationError
from tablewright.schema.escaped import Escaped
from tablewright.schema.model import AccessPattern, Casing, Entity, KeySide
from tablewright.schema.ordered import Ordered, form_of, read_digits, read_signed
from tablewright.schema.types import BOOLEAN, NUMBER, STRING, Attribute, Digits, Padding
from tablewright.wire.values import js_number_text

KeyValue: TypeAlias = Any  # str, or a number for numeric keys
SideName: TypeAlias = Literal["pk", "sk"]
Values: TypeAlias = Mapping[str, Any]
Form: TypeAlias = Padding | Ordered | Escaped
"""How the values of an attribute are written in keys."""

MISSING: Any = object()
PLACEHOLDER = re.compile(r"\$\{([^}]*)\}")
LEADING_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)?")
LEADING_INTEGER = re.compile(r"\s*([+-]?)(0[xX][0-9a-fA-F]+|[0-9]+)")


class Guard(Protocol):
    """What a value must be so that its key cannot be mistaken for another's (typed style), see `schema/guards.py`."""

    def check(self, value: Any, text: str, /) -> None:
        """Refuse the value whose text in the key this is, where it could be mistaken."""
        ...


class Piece(msgspec.Struct, frozen=True):
    """One composite: the literal text in front of it, the attribute's name, how its value is padded and typed."""

    lead: str
    name: str
    padding: Form | None = None
    type: Any = None
    guard: Guard | None = None
    is_free: bool = False  # typed style: text of any spelling, of which a key in lower case tells only the letters

    def text(self, value: Any) -> str:
        """The value as the key holds it, letter case aside."""
        if value.__class__ is str and self.padding is None:
            text: str = value
        else:
            text = piece_text(value, self.padding)
        if self.guard is not None:
            self.guard.check(value, text)
        return text


class ComposedKey(msgspec.Struct, frozen=True):
    """One side of an access pattern, ready to compose values."""

    field: str
    prefix: str
    pieces: tuple[Piece, ...]
    postfix: str = ""
    casing: Casing = "default"
    numeric: bool = False
    attribute: str | None = None  # the attribute that is this key field itself, if any
    templated: bool = False
    strict: bool = False  # typed style: values are guarded, so that a key can be taken apart in one way only

    def compose(self, values: Values, *, tail: bool = True) -> KeyValue | None:
        """The key, cut at the first absent composite: behind that composite's label, or (no `tail`) before it.

        Without `tail` the text behind the last `${}` of a template is left out too, as a range is to find what goes on.
        """
        if self.numeric:
            return self._number(values)
        text = self.prefix
        for piece in self.pieces:
            value = values.get(piece.name, MISSING)
            if value is MISSING:
                return self.cased(text + piece.lead if tail else text) or None
            text += piece.lead + piece.text(value)
        return self.cased(text + self.postfix if tail or not self.templated else text) or None

    def whole(self, values: Values) -> KeyValue:
        """The key of values that are all there (KeyError for one that is not). Empty text is DynamoDB's to refuse."""
        if self.numeric:
            return self._to_number(values[self.pieces[0].name])
        text = self.prefix
        for piece in self.pieces:
            text += piece.lead + piece.text(values[piece.name])
        return self.cased(text + self.postfix)

    def cut(self, values: Values) -> tuple[KeyValue | None, bool]:
        """The key up to its first absent composite, and whether there was none."""
        if self.numeric:
            key = self._number(values)
            return key, key is not None
        text = self.prefix
        for piece in self.pieces:
            value = values.get(piece.name, MISSING)
            if value is MISSING:
                return self.cased(text + piece.lead) or None, False
            text += piece.lead + piece.text(value)
        return self.cased(text + self.postfix) or None, True

    def given(self, values: Values) -> int:
        """How many composites are present before the first absent one."""
        count = 0
        for piece in self.pieces:
            if piece.name not in values:
                break
            count += 1
        return count

    def missing(self, values: Values) -> list[str]:
        return [piece.name for piece in self.pieces if piece.name not in values]

    def cased(self, text: str) -> str:
        return in_case(text, self.casing)

    def wrap(self, value: Any) -> Any:
        """The stored form of an attribute that is itself this key field: literal text and casing applied."""
        if self.numeric or not isinstance(value, str):
            return value
        return self.cased(self.pieces[0].lead + value + self.postfix)

    def wrap_start(self, value: Any) -> Any:
        """The same for what such an attribute begins with: the text behind it is not known to follow."""
        return msgspec.structs.replace(self, postfix="").wrap(value)

    def wrap_part(self, value: Any) -> Any:
        """The same for what such an attribute contains, wherever that is."""
        return value if self.numeric or not isinstance(value, str) else self.cased(value)

    def split(self, key: Any) -> dict[str, Any] | None:
        """The composites in a key; None when the key is not of this shape."""
        if self.numeric:
            return self._split_number(key)
        pattern = re.escape(self.prefix)
        value = "(.*?)" if self.strict else "(.+)"  # typed: a value ends where the literal text behind it first begins
        pattern += "".join(re.escape(piece.lead) + value for piece in self.pieces) + re.escape(self.postfix)
        found = re.fullmatch(pattern, key, re.IGNORECASE | re.DOTALL) if isinstance(key, str) else None
        if found is None:
            return None
        return {piece.name: _read_piece(piece, text) for piece, text in zip(self.pieces, found.groups(), strict=True)}

    def _split_number(self, key: Any) -> dict[str, Any] | None:
        """An attribute that is the key itself is what it is; a cast key must be a number."""
        is_number = isinstance(key, int | float | Decimal) and not isinstance(key, bool)
        if key is None or not (is_number or self.attribute):
            return None
        piece = self.pieces[0]
        return {piece.name: key_text(key) if piece.type == STRING else key}

    def fits(self, key: Any) -> bool:
        """Whether a stored key is of this shape, letter case included."""
        if self.split(key) is None:
            return False
        return self.numeric or (key.startswith(self.cased(self.stem)) and key.endswith(self.cased(self.postfix)))

    @property
    def stem(self) -> str:
        """What all keys begin with."""
        return self.pieces[0].lead if self.templated and self.pieces else self.prefix

    def _number(self, values: Values) -> KeyValue | None:
        value = values.get(self.pieces[0].name, MISSING)
        return None if value is MISSING else self._to_number(value)

    def _to_number(self, value: Any) -> KeyValue:
        piece = self.pieces[0]
        number = to_number(piece.name, value)
        if piece.guard is not None:
            piece.guard.check(value, str(number))
        return number


class PatternKeys(msgspec.Struct, frozen=True):
    """The composed keys of one access pattern; both None for composite (multi-attribute) indexes."""

    pattern: AccessPattern
    pk: ComposedKey
    sk: ComposedKey | None


def in_case(text: str, casing: Casing) -> str:
    if casing == "default" or casing == "lower":  # noqa: PLR1714 - in every key, and twice as fast as a tuple
        return text.lower()
    return text.upper() if casing == "upper" else text


def key_text(value: Any) -> str:
    """A value's text inside keys, as JavaScript prints it."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return js_number_text(value)


def piece_text(value: Any, padding: Form | None) -> str:
    if isinstance(padding, Ordered):
        return padding.text(value)
    text = value if isinstance(value, str) else key_text(value)
    if isinstance(padding, Escaped):
        return padding.text(text)
    return pad(text, padding) if padding is not None else text


def pad(text: str, padding: Padding) -> str:
    """JavaScript's padStart: lengths count UTF-16 units, a longer pad repeats and is cut to fit."""
    units = text.encode("utf-16-le", "surrogatepass")
    fill = padding.char.encode("utf-16-le", "surrogatepass")
    room = 2 * padding.length - len(units)
    if room <= 0 or not fill:
        return text
    repeated = fill * (room // len(fill) + 1)
    return (repeated[:room] + units).decode("utf-16-le", "surrogatepass")


def to_number(name: str, value: Any) -> Any:
    """The number a value becomes in a numeric key: booleans are 1 and 0, of text the leading integer counts."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int | float | Decimal):
        return value
    found = LEADING_INTEGER.match(value) if isinstance(value, str) else None
    if found is None:
        fault = FieldFault(name, f"cannot be used in a numeric key: {value!r} does not begin with digits")
        raise ValidationError([fault])
    sign, digits = found.groups()
    return int(sign + digits, 16 if digits[:2] in {"0x", "0X"} else 10)


def _read_piece(piece: Piece, text: str) -> Any:
    if isinstance(piece.padding, Ordered) and (number := _read_ordered(piece.padding, text)) is not None:
        return number
    if isinstance(piece.padding, Escaped):
        return piece.padding.read(text)
    if piece.type == NUMBER:
        return read_number(text)
    if piece.type == BOOLEAN:
        return text == "true"
    return text


def _read_ordered(ordered: Ordered, text: str) -> Any:
    """The number in a form of our own; None where it is ElectroDB's."""
    if isinstance(ordered.form, Digits):
        return read_digits(text, ordered.form)
    return read_signed(text, ordered.form.length) if ordered.signed else None


def read_number(text: str) -> Any:
    """The number a text begins with; NaN when it begins with none, which no number is equal to."""
    found = LEADING_NUMBER.match(text)
    if found is None:
        return math.nan
    return float(found[0]) if found[1] else int(found[0])


# ---- compiling --------------------------------------------------------------------------------------------------


def compile_keys(entity: Entity) -> dict[str, PatternKeys]:
    """The composed keys of every access pattern, by pattern name."""
    by_field: dict[str, ComposedKey] = {}
    compiled: dict[str, PatternKeys] = {}
    for pattern in entity.patterns:
        pk = _side(entity, pattern, pattern.pk, "pk", by_field)
        sk = _side(entity, pattern, pattern.sk, "sk", by_field) if pattern.sk else None
        compiled[pattern.name] = PatternKeys(pattern, pk, sk)
    return compiled


def _side(
    entity: Entity, pattern: AccessPattern, side: KeySide, which: SideName, by_field: dict[str, ComposedKey]
) -> ComposedKey:
    if pattern.kind == "composite":
        return ComposedKey("", "", tuple(Piece("", name) for name in side.composite))
    if side.field not in by_field:
        by_field[side.field] = _compile_side(entity, pattern, side, which)
    return by_field[side.field]


def _compile_side(entity: Entity, pattern: AccessPattern, side: KeySide, which: SideName) -> ComposedKey:
    attributes = {attribute.name: attribute for attribute in entity.attributes}
    own = next((each.name for each in entity.attributes if each.field == side.field), None)
    template = side.template
    if template is None and own is not None:
        template = "${" + own + "}"
    if template is not None:
        return _from_template(side, template, attributes, own)
    prefix, postfix = _fixings(entity, pattern, which)
    pieces = tuple(_piece(attributes[name], which) for name in side.composite)
    return ComposedKey(side.field, prefix, pieces, postfix, side.casing, numeric=side.cast == "number")


def _from_template(side: KeySide, template: str, attributes: Mapping[str, Attribute], own: str | None) -> ComposedKey:
    texts_and_names = PLACEHOLDER.split(template)
    texts, names = texts_and_names[::2], texts_and_names[1::2]
    pieces = tuple(
        Piece(text, name, _form(attributes[name]), attributes[name].type)
        for text, name in zip(texts[:-1], names, strict=True)
    )
    if not pieces:
        return ComposedKey(side.field, template, (), "", side.casing, templated=True)
    bare_number = len(pieces) == 1 and not any(texts) and pieces[0].type == NUMBER
    numeric = side.cast == "number" or (side.cast is None and bare_number)
    return ComposedKey(side.field, "", pieces, texts[-1], side.casing, numeric, own, templated=True)


def _piece(attribute: Attribute, which: SideName) -> Piece:
    label = attribute.label
    if label is None or (which == "pk" and not label):
        label = attribute.name
    return Piece(f"#{label}_", attribute.name, _form(attribute), attribute.type)


def _form(attribute: Attribute) -> Form | None:
    """Padding is ElectroDB's, and pads whatever comes; only the typed style refuses what it cannot put in order."""
    if attribute.escaped:
        return Escaped()
    return form_of(attribute) if attribute.digits is not None or attribute.signed else attribute.padding


def in_order(keys: Mapping[str, PatternKeys], forms: Mapping[str, Ordered]) -> dict[str, PatternKeys]:
    """The same keys, which refuse numbers that would stand in the wrong place."""
    if not forms:
        return {**keys}
    return {
        name: PatternKeys(
            each.pattern, _in_order(each.pk, forms), None if each.sk is None else _in_order(each.sk, forms)
        )
        for name, each in keys.items()
    }


def _in_order(side: ComposedKey, forms: Mapping[str, Ordered]) -> ComposedKey:
    if side.numeric or not side.field:
        return side
    pieces = tuple(msgspec.structs.replace(each, padding=forms.get(each.name, each.padding)) for each in side.pieces)
    return msgspec.structs.replace(side, pieces=pieces)


def _fixings(entity: Entity, pattern: AccessPattern, which: SideName) -> tuple[str, str]:
    """The text before and after the composites of a composed key."""
    version = entity.version if entity.key_version is None else entity.key_version
    service = f"${entity.service}_{version}" if entity.legacy else f"${entity.service}"
    name = entity.name if entity.legacy else f"{entity.name}_{version}"
    scope = f"_{pattern.scope}" if pattern.scope else ""
    if which == "pk":
        return (service + scope if pattern.sk else f"{service}${name}{scope}"), ""
    if pattern.kind == "clustered":
        return ("$" + "#".join(pattern.collection), f"#{name}") if pattern.collection else ("", f"${name}")
    return "$" + "#".join((*pattern.collection, name)), ""


def key_pattern(entity: Entity, pattern: AccessPattern, side: SideName) -> str:
    """A key as people write it down: `$shop#customer_{customerId}`."""
    declared = pattern.pk if side == "pk" else pattern.sk
    if declared is None:
        return ""
    if pattern.kind == "composite":
        return ", ".join("{" + name + "}" for name in declared.composite)
    keys = compile_keys(entity)[pattern.name]
    key = keys.pk if side == "pk" or keys.sk is None else keys.sk
    cased = [key.cased(piece.lead) + "{" + piece.name + "}" for piece in key.pieces]
    return key.cased(key.prefix) + "".join(cased) + key.cased(key.postfix)
