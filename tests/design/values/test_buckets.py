from __future__ import annotations

import pytest

from tablewright.design.values.buckets import Bucket, buckets_between, with_bucket


@pytest.mark.parametrize(
    ("low", "high", "bucket", "found"),
    [
        ("2025-11-30T10:00", "2027-01-01", "at:4", ["2025", "2026", "2027"]),
        ("2025-11-30T10:00", "2026-02-01", "at:7", ["2025-11", "2025-12", "2026-01", "2026-02"]),
        ("2024-02-28T23:59", "2024-03-01T00:00", "at:10", ["2024-02-28", "2024-02-29", "2024-03-01"]),
        (
            "2026-01-01T22:10",
            "2026-01-02T01:00",
            "at:13",
            [f"2026-01-0{at}" for at in ("1T22", "1T23", "2T00", "2T01")],
        ),
        ("2026-02-01", "2026-01-01", "at:7", []),
    ],
)
def test_every_bucket_from_the_one_to_the_other(low: str, high: str, bucket: str, found: list[str]):
    assert buckets_between(low, high, Bucket.parse(bucket).length) == found


def test_a_bucket_follows_from_its_timestamp():
    assert with_bucket({"at": "2026-05-06T07:08:09Z"}, Bucket("at", 7))["_bucket"] == "2026-05"
    assert with_bucket({"at": None}, Bucket("at", 7)) == {"at": None}
    assert with_bucket({"at": "2026-05-06"}, None) == {"at": "2026-05-06"}


@pytest.mark.parametrize("text", ["createdAt:7", "a:b:10", "when:4", "t:13"])
def test_buckets_are_written_and_read(text: str):
    assert str(Bucket.parse(text)) == text


@pytest.mark.parametrize("text", ["", "createdAt", "createdAt:", ":7", "createdAt:99", "createdAt:x"])
def test_what_is_no_bucket_is_refused(text: str):
    with pytest.raises(ValueError, match="is no bucket"):
        Bucket.parse(text)
