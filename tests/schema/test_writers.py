"""The functions written for one key say exactly what the key itself says."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from tablewright.errors import ValidationError
from tablewright.schema.keys import ComposedKey, Piece
from tablewright.schema.types import Padding
from tablewright.schema.writers import writer_of

TEXTS = st.text(max_size=6) | st.sampled_from(["", "'", '"', "\\", "{", "}", "${a}", "\n", "#x_", "İ", "ß", "𝄞", "\0"])
NAMES = st.sampled_from(["a", "b", "c'", 'd"', "values", "text", "MISSING", "value_0", "ünï"])
PADDINGS = st.none() | st.builds(Padding, st.integers(0, 8), st.sampled_from(["0", "ab", "𝄞", "'"]))
PIECES = st.lists(st.builds(Piece, TEXTS, NAMES, PADDINGS), max_size=4, unique_by=lambda piece: piece.name)
KEYS = st.builds(
    ComposedKey,
    st.just("pk"),
    TEXTS,
    PIECES.map(tuple),
    TEXTS,
    st.sampled_from(["default", "lower", "upper", "none"]),
    templated=st.booleans(),
)
NUMBERS = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.none() | st.booleans() | TEXTS | NUMBERS | st.decimals(allow_nan=False, allow_infinity=False, places=3)


class Text(str):
    """Text of a class of its own, as members of a StrEnum are."""

    __slots__ = ()


def outcome(function: Callable[[Any], Any], values: dict[str, Any]) -> Any:
    try:
        return function(values)
    except (KeyError, ValidationError) as error:
        return type(error), str(error)


@given(KEYS, st.dictionaries(NAMES, VALUES | st.builds(Text, TEXTS)))
@example(ComposedKey("pk", "P", (Piece("#a_", "a"),), "!", "upper"), {"a": "ß"})
@example(ComposedKey("pk", "", (), "", "none"), {})
@example(ComposedKey("pk", "", (Piece("", "a", Padding(3, "0")),)), {"a": Decimal("1.50")})
def test_written_functions_agree_with_the_key(key: ComposedKey, values: dict[str, Any]) -> None:
    writer = writer_of(key)
    assert outcome(writer.whole, values) == outcome(key.whole, values)
    assert outcome(writer.cut, values) == outcome(key.cut, values)


@given(KEYS, st.data())
def test_whole_keys_of_complete_values_are_the_composed_ones(key: ComposedKey, data: st.DataObject) -> None:
    values = {piece.name: data.draw(VALUES) for piece in key.pieces}
    whole = writer_of(key).whole(values)
    assert (whole or None) == key.compose(values)
    assert writer_of(key).cut(values) == (whole or None, True)


@given(st.integers() | st.booleans() | st.text(max_size=4))
def test_numeric_keys_agree_too(value: Any) -> None:
    key = ComposedKey("pk", "", (Piece("", "a"),), numeric=True)
    writer = writer_of(key)
    for values in ({"a": value}, {}):
        assert outcome(writer.whole, values) == outcome(key.whole, values)
        assert outcome(writer.cut, values) == outcome(key.cut, values)
