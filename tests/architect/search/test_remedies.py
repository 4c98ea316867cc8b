"""A refusal names a smallest set of patterns, and what it says would help does help: both tried by designing again."""

from __future__ import annotations

from functools import cache

import pytest

from tests.architect.search.infeasible import changed, only, read_back, refusal, tight_spec

SEEDS = range(48)


@cache
def message_of(seed: int) -> str | None:
    return refusal(tight_spec(seed))


def test_most_of_these_specs_are_refused() -> None:
    assert sum(message_of(seed) is not None for seed in SEEDS) > len(SEEDS) / 2


@pytest.mark.parametrize("seed", SEEDS)
def test_a_refusal_is_smallest_and_its_remedies_help(seed: int) -> None:
    spec, message = tight_spec(seed), message_of(seed)
    if message is None:
        return
    told = read_back(message)
    assert told.sets
    assert told.remedies
    first = told.sets[0]
    assert refusal(only(spec, first)) is not None
    for id_ in first if len(first) > 1 else ():  # a spec without patterns is none
        assert refusal(only(spec, [each for each in first if each != id_])) is None, id_
    if told.together:
        for remedy in told.remedies:
            assert refusal(spec) is not None, remedy
            spec = changed(spec, remedy)
        assert refusal(spec) is None
    else:
        for remedy in told.remedies:
            assert refusal(changed(spec, remedy)) is None, remedy
