from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.engine.store.item import StoredItem, changed_names
from tablewright.engine.store.values import Reading, canonical_text, from_text, read_attributes, to_text
from tablewright.wire.sizes import item_size_bytes, resized_bytes

NAMES = st.sampled_from("abcde")
VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(10**6), 10**6),
        st.sampled_from([0.5, -12.25, 3.125]),
        st.text(max_size=3),
        st.sets(st.sampled_from(["x", "y", "z"]), min_size=1),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(NAMES, inner, max_size=2)),
    max_leaves=5,
)
ITEMS = st.dictionaries(NAMES, VALUES)


@given(old=ITEMS, new=ITEMS)
def test_texts_tell_the_same_changes_as_values(old: dict[str, Any], new: dict[str, Any]) -> None:
    stored = StoredItem(1, to_text(old), item_size_bytes(old))
    assert stored.changed_names(new, to_text(new)) == changed_names(old, new)


@given(old=ITEMS, new=ITEMS)
def test_text_and_size_after_a_change(old: dict[str, Any], new: dict[str, Any]) -> None:
    stored = StoredItem(1, to_text(old), item_size_bytes(old))
    changed = changed_names(old, new)
    after = from_text(stored.text_after(new, changed))
    assert not changed_names(after, new)
    assert resized_bytes(stored.size, old, new, changed) == item_size_bytes(new)


def test_the_order_of_the_members_of_a_map_does_not_count() -> None:
    stored = StoredItem(1, to_text({"m": {"a": 1, "b": 2}}), 0)
    new = {"m": {"b": 2, "a": 1}}
    assert stored.changed_names(new, to_text(new)) == set()


@pytest.mark.parametrize(
    "sent",
    [
        {"s": {"SS": ["b", "a"]}, "t": {"S": "x"}},
        {"n": {"N": "1.0"}, "l": {"L": [{"N": "007"}]}},
        {"m": {"M": {"s": {"NS": ["2", "1"]}}}, "t": {"S": "x"}},
    ],
)
def test_what_was_sent_in_another_form_is_stored_in_the_canonical_one(sent: dict[str, Any]) -> None:
    reading = Reading()
    plain = read_attributes(sent, reading)
    assert canonical_text(sent, plain, reading) == to_text(plain)
