"""Rules of values: which texts and numbers pass, which patterns can be used, and values made to pass or not."""

from __future__ import annotations

import pytest

from tablewright.spec.model import AttributeSpec, Validation
from tablewright.spec.validation import make_valid, pattern_fault, typical_bytes, wrong_about, wrong_values

PATTERNS = [
    r"^[A-Z]{2}\d{4}$",
    r"^[^@\s]+@[^@\s]+\.[a-z]{2,}$",
    r"^(red|green|blue)$",
    r"^\+?[0-9 ]{7,15}$",
    r"foo.*bar",
    r"^[a-z0-9]+(-[a-z0-9]+)*$",
    r"^[$]\d+\.\d\d$",
    r"^\w{3,}$|^-$",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_texts_are_made_that_match(pattern: str) -> None:
    attribute = AttributeSpec(name="a", validate=Validation(pattern=pattern))
    assert attribute.validate is not None
    assert pattern_fault(pattern) == ""
    made = [make_valid(attribute, number) for number in range(30)]
    assert [each for each in made if wrong_about(attribute.validate, each)] == []
    assert made == [make_valid(attribute, number) for number in range(30)]


@pytest.mark.parametrize(
    ("pattern", "word"), [("(", "no regular expression"), ("(?i)a", "not every language"), ("^(?=a)b", "looks ahead")]
)
def test_patterns_that_not_everybody_reads_are_refused(pattern: str, word: str) -> None:
    assert word in pattern_fault(pattern)


def test_the_end_is_the_very_end() -> None:
    assert wrong_about(Validation(pattern="^a$"), "a\n")
    assert not wrong_about(Validation(pattern="^a$"), "a")
    assert not wrong_about(Validation(pattern="a"), "bab")
    assert not wrong_about(Validation(pattern="^[$]$"), "$")


def test_numbers_begin_with_their_bounds() -> None:
    attribute = AttributeSpec(name="n", type="number", validate=Validation(min=1, max=5))
    assert [make_valid(attribute, number) for number in range(7)] == [1, 5, 2, 3, 4, 5, 1]
    assert wrong_values(attribute) == [0, 0.5, 6, 5.5]


@pytest.mark.parametrize("rule", [Validation(min=3), Validation(max=-2), Validation(min=0.2, max=0.4)])
def test_numbers_with_one_bound_or_none_whole(rule: Validation) -> None:
    attribute = AttributeSpec(name="n", type="number", validate=rule)
    assert all(not wrong_about(rule, make_valid(attribute, number)) for number in range(20))
    assert all(wrong_about(rule, each) for each in wrong_values(attribute))


def test_lengths_count_characters() -> None:
    rule = Validation(min_length=2, max_length=3)
    assert [bool(wrong_about(rule, each)) for each in ("a", "ab", "éèê", "abcd")] == [True, False, False, True]
    attribute = AttributeSpec(name="t", validate=rule)
    assert typical_bytes(attribute) == 3
    assert {len(each) for each in wrong_values(attribute)} >= {1, 4}


@pytest.mark.parametrize("pattern", ["@", "^a", "z$", r"\d", r"^\+"])
def test_what_a_pattern_leaves_open_tells_values_apart(pattern: str) -> None:
    attribute = AttributeSpec(name="code", validate=Validation(pattern=pattern))
    made = [make_valid(attribute, number) for number in range(300)]
    assert len(set(made)) == 300
    assert not any(wrong_about(Validation(pattern=pattern), each) for each in made)
