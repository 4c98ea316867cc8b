"""Text of any kind inside keys: no two become one, and their order stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tablewright.schema.escaped import Escaped, escape

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
ANY = TEXTS | st.text('ab#$! "\x00\x01', min_size=1, max_size=6)


@given(ANY, ANY)
def test_the_order_of_texts_stays(one: str, other: str) -> None:
    assert (one < other) == (escape(one) < escape(other))
    assert (one < other) == (f"{escape(one)}#z" < f"{escape(other)}#a") or one == other


@given(ANY)
def test_what_is_written_is_read(text: str) -> None:
    assert Escaped().read(escape(text)) == text
    assert "#" not in escape(text)
