from __future__ import annotations

from tablewright.wire.reserved import RESERVED_WORDS, is_reserved


def test_the_list_is_complete() -> None:
    assert len(RESERVED_WORDS) == 573
    assert {"ABORT", "STATUS", "TTL", "NAME", "YEAR", "ZONE", "INNTER"} <= RESERVED_WORDS
    assert all(word.isascii() and word.isupper() for word in RESERVED_WORDS)


def test_casing_does_not_matter() -> None:
    assert is_reserved("Status")
    assert not is_reserved("statuses")
