from __future__ import annotations

from typing import Any

import pytest

from tablewright.engine.item_checks import check_item, check_key, check_size
from tablewright.engine.store.table import Index, Keys, Table
from tablewright.errors import ServiceError

TABLE = Table(
    id=1,
    name="things",
    uuid="",
    created=0,
    types={"pk": "S", "sk": "B", "n": "N", "s": "S", "b": "B"},
    keys=Keys(("pk",), ("sk",)),
    indexes=(
        Index(name="z", slot=0, kind="gsi", keys=Keys(("s",))),
        Index(name="a", slot=1, kind="gsi", keys=Keys(("s",), ("n",))),
        Index(name="l", slot=2, kind="lsi", keys=Keys(("pk",), ("b",))),
    ),
)
KEY = {"pk": "k", "sk": b"k"}
NOT_VALID = "One or more parameter values are not valid. "
UNSUPPORTED = f"{NOT_VALID}A value specified for a secondary index key is not supported."
INVALID = "One or more parameter values were invalid: "
EMPTY = "The AttributeValue for a key attribute cannot contain an empty {} value."


def refusal(check: Any, *given: Any) -> str:
    with pytest.raises(ServiceError) as refused:
        check(*given)
    assert refused.value.name == "ValidationException"
    return refused.value.service_message


@pytest.mark.parametrize(
    "key", [{}, {"pk": "k"}, {**KEY, "x": 1}, {"pk": 1, "sk": b""}, {"pk": "k", "sk": "k"}, {"pk": ["k"], "sk": b"k"}]
)
def test_keys_have_a_schema(key: dict[str, Any]) -> None:
    assert refusal(check_key, TABLE, key) == "The provided key element does not match the schema"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pk": ""}, f"{NOT_VALID}{EMPTY.format('string')} Key: pk"),
        ({"sk": b""}, f"{NOT_VALID}{EMPTY.format('binary')} Key: sk"),
        ({"pk": "k" * 2049}, f"{INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes"),
        ({"pk": "é" * 1025}, f"{INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes"),
        (
            {"sk": b"k" * 1025},
            f"{INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes",
        ),
    ],
)
def test_key_values(change: dict[str, Any], message: str) -> None:
    assert refusal(check_key, TABLE, {**KEY, **change}) == message
    assert refusal(check_item, TABLE, {**KEY, **change, "other": ""}) == message


def test_longest_keys() -> None:
    check_key(TABLE, {"pk": "é" * 1024, "sk": b"k" * 1024})


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({"sk": b"k"}, f"{INVALID}Missing the key pk in the item"),
        ({"pk": 1, "sk": b"k"}, f"{INVALID}Type mismatch for key pk expected: S actual: N"),
        ({"pk": ["k"], "sk": b"k"}, f"{INVALID}Type mismatch for key pk expected: S actual: L"),
        ({**KEY, "s": 1}, f"{INVALID}Type mismatch for Index Key s Expected: S Actual: N IndexName: a"),
        ({**KEY, "n": [1]}, f"{INVALID}Type mismatch for Index Key n Expected: N Actual: L IndexName: a"),
        ({**KEY, "b": True}, f"{INVALID}Type mismatch for Index Key b Expected: B Actual: BOOL IndexName: l"),
        (
            {**KEY, "s": ""},
            f"{UNSUPPORTED} {EMPTY.format('string')} IndexName: a, IndexKey: s",
        ),
        (
            {**KEY, "b": b""},
            f"{UNSUPPORTED} {EMPTY.format('binary')} IndexName: l, IndexKey: b",
        ),
        ({**KEY, "s": "k" * 2049}, f"{INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes"),
        (
            {**KEY, "b": b"k" * 1025},
            f"{INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes",
        ),
    ],
)
def test_items(item: dict[str, Any], message: str) -> None:
    assert refusal(check_item, TABLE, item) == message


def test_items_without_index_keys() -> None:
    check_item(TABLE, {**KEY, "other": ""})


def test_400_kilobytes() -> None:
    check_size(409_600)
    assert refusal(check_size, 409_601) == "Item size has exceeded the maximum allowed size"
