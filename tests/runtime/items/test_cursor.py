from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.errors import RequestError
from tablewright.runtime.items.cursor import key_fields, read_cursor, start_key, write_cursor
from tablewright.runtime.options import Options
from tests.runtime.harbor import berth

LAYOUT = berth().layout
NUMBERS = st.integers(-(2**53), 2**53)


def test_a_cursor_is_compact_json_in_base64url_without_padding() -> None:
    cursor = write_cursor({"pk": "é#1", "n": Decimal("1.50")})
    assert "=" not in cursor
    assert urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode() == '{"pk":"é#1","n":1.5}'


@given(st.dictionaries(st.text(max_size=4), st.text(max_size=8) | NUMBERS | st.booleans(), min_size=1, max_size=4))
def test_what_was_written_can_be_read(key: dict[str, object]) -> None:
    assert read_cursor(write_cursor(key)) == key
    assert list(read_cursor(write_cursor(key))) == list(key)


@pytest.mark.parametrize("cursor", ["%%%", "", 5, {"pk": "a"}, "WzFd"])
def test_what_is_no_cursor_is_refused(cursor: object) -> None:
    with pytest.raises(RequestError) as refused:
        read_cursor(cursor)
    assert refused.value.code == 2008


def test_a_start_key_has_the_fields_of_index_and_table_and_no_others() -> None:
    keys = LAYOUT.pattern("byVessel")
    assert key_fields(LAYOUT, keys) == ["gsi1pk", "gsi1sk", "pk", "sk"]
    cursor = write_cursor({"zz": 1, "sk": "s", "pk": "p"})
    assert start_key(LAYOUT, keys, Options(cursor=cursor)) == {"pk": "p", "sk": "s"}


def test_raw_data_takes_the_key_itself() -> None:
    key = json.loads('{"pk": "p"}')
    assert start_key(LAYOUT, LAYOUT.primary, Options(cursor=key, data="raw")) == key
