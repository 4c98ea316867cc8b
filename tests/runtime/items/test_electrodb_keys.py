from __future__ import annotations

import pytest

from tablewright.errors import RequestError
from tablewright.runtime.items.electrodb_keys import keys_for_put, keys_for_update
from tests.runtime.harbor import berth

LAYOUT = berth().layout
KEY = {"harbor": "H", "slot": 7}


def test_a_put_writes_every_index_of_which_a_composite_is_known() -> None:
    keys = keys_for_put(LAYOUT, {**KEY, "vessel": "V", "state": "free", "since": "S"})
    assert keys.set["gsi1pk"] == "$harbor#vessel_v"
    assert keys.set["gsi1sk"] == "$fleet#berth_1#state_free#since_s"


def test_a_side_of_which_nothing_is_known_is_cut_at_its_first_label() -> None:
    keys = keys_for_put(LAYOUT, {**KEY, "state": "free", "since": "S"})
    assert keys.set["gsi1pk"] == "$harbor#vessel_"


def test_a_side_of_which_something_is_known_must_be_complete() -> None:
    with pytest.raises(RequestError, match="missing: since") as refused:
        keys_for_put(LAYOUT, {**KEY, "vessel": "V", "state": "free"})
    assert refused.value.code == 2002


def test_a_condition_that_says_no_leaves_the_item_out() -> None:
    keys = keys_for_put(LAYOUT, {**KEY, "state": "free", "since": "S"})
    assert "gsi2pk" not in keys.set
    assert list(keys.remove) == ["gsi2pk", "gsi2sk"]


def test_a_condition_wants_to_know_every_member() -> None:
    with pytest.raises(RequestError) as refused:
        keys_for_put(LAYOUT, {**KEY, "vessel": "V"})
    assert refused.value.code == 2012


def test_an_update_rebuilds_only_the_side_it_touches() -> None:
    keys = keys_for_update(LAYOUT, {"vessel": "W"}, (), KEY)
    assert keys.set == {"gsi1pk": "$harbor#vessel_w"}


def test_an_update_may_know_the_rest_from_composite() -> None:
    keys = keys_for_update(LAYOUT, {"since": "T"}, (), {**KEY, "state": "taken"})
    assert keys.set["gsi1sk"] == "$fleet#berth_1#state_taken#since_t"


def test_an_update_with_half_a_side_is_refused() -> None:
    with pytest.raises(RequestError, match="missing: state"):
        keys_for_update(LAYOUT, {"since": "T"}, (), KEY)


def test_removing_a_whole_side_removes_its_key() -> None:
    assert list(keys_for_update(LAYOUT, {}, ("vessel",), KEY).remove) == ["gsi1pk"]


def test_removing_half_a_side_is_refused() -> None:
    with pytest.raises(RequestError, match="missing: state"):
        keys_for_update(LAYOUT, {}, ("since",), KEY)


def test_table_composites_do_not_keep_a_side_from_being_removed() -> None:
    assert "gsi2pk" in keys_for_update(LAYOUT, {}, ("state", "since"), KEY).remove


@pytest.mark.parametrize(("state", "is_in"), [("taken", True), ("free", False)])
def test_a_condition_puts_in_and_takes_out(state: str, is_in: bool) -> None:
    keys = keys_for_update(LAYOUT, {"state": state, "since": "S"}, (), KEY)
    assert ("gsi2pk" in keys.set) is is_in
    assert ("gsi2pk" in keys.remove) is not is_in
