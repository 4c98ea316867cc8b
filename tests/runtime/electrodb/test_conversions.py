from __future__ import annotations

from typing import Any

import pytest

from tablewright.errors import RequestError
from tests.runtime.harbor import berth

CONVERSIONS = berth().conversions
KEYS = {
    "pk": "$harbor#harbor_h",
    "sk": "$berth_1#slot_007",
    "gsi1pk": "$harbor#vessel_v",
    "gsi1sk": "$fleet#berth_1#state_free#since_s",
    "gsi2pk": "$harbor#harbor_h#state_free",
    "gsi2sk": "$berth_1",
}
COMPOSITES = {"harbor": "h", "slot": 7, "vessel": "v", "state": "free", "since": "s"}


def test_composites_to_keys_and_back() -> None:
    assert CONVERSIONS.from_composite.to_keys(COMPOSITES) == KEYS
    assert CONVERSIONS.from_keys.to_composite(KEYS) == COMPOSITES


def test_keys_are_cut_at_the_first_missing_composite() -> None:
    keys = CONVERSIONS.by_access_pattern["byVessel"].from_composite.to_keys({"vessel": "V"})
    assert keys["gsi1sk"] == "$fleet#berth_1#state_"


def test_cursors_go_both_ways() -> None:
    chosen = CONVERSIONS.by_access_pattern["byVessel"]
    cursor = chosen.from_composite.to_cursor(COMPOSITES)
    assert chosen.from_cursor.to_composite(cursor) == COMPOSITES


def test_an_index_does_not_need_the_table_key() -> None:
    chosen = CONVERSIONS.by_access_pattern["byVessel"]
    keys = {name: KEYS[name] for name in ("gsi1pk", "gsi1sk", "pk")}
    assert chosen.from_keys.to_composite(keys) == {"vessel": "v", "state": "free", "since": "s"}


@pytest.mark.parametrize(
    ("convert", "code"),
    [
        (lambda: CONVERSIONS.from_composite.to_keys({}), 2009),
        (lambda: CONVERSIONS.from_composite.to_keys(None), 2009),  # type: ignore[arg-type]
        (lambda: CONVERSIONS.from_composite.to_keys({"harbor": "H"}, strict="all"), 2002),
        (lambda: CONVERSIONS.from_composite.to_keys({"slot": 1}, strict="pk"), 2002),
        (lambda: CONVERSIONS.from_keys.to_composite({"pk": "$harbor#harbor_h"}), 2007),
        (lambda: CONVERSIONS.from_keys.to_composite({**KEYS, "sk": "$other_1#slot_1"}), 2007),
        (lambda: CONVERSIONS.from_keys.to_cursor(5), 2007),  # type: ignore[arg-type]
        (lambda: CONVERSIONS.from_cursor.to_keys("%%%"), 2008),
    ],
)
def test_what_cannot_be_converted(convert: Any, code: int) -> None:
    with pytest.raises(RequestError) as refused:
        convert()
    assert refused.value.code == code
