from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.expr.faults import ExpressionError, Faults
from tablewright.expr.tokens import CONDITION_KEYWORDS, END, NO_KEYWORDS, Reader, tokenize


def kinds(text: str) -> list[str]:
    return [token.kind for token in tokenize(text, CONDITION_KEYWORDS)]


def test_kinds_of_tokens() -> None:
    assert kinds("#a.b[12]<>:v aNd x>=y") == [
        "#name", ".", "name", "[", "number", "]", "<>", ":value", "AND", "name", ">=", "name", END,
    ]  # fmt: skip


def test_characters_that_mean_nothing_stand_alone() -> None:
    assert [token.text for token in tokenize('_1a # :"', NO_KEYWORDS)] == ["_", "1", "a", "#", ":", '"', END]


def test_keywords_depend_on_the_kind_of_expression() -> None:
    assert [token.kind for token in tokenize("and set", NO_KEYWORDS)] == ["name", "name", END]


@given(st.text(max_size=30))
def test_tokens_leave_out_nothing_but_white_space(text: str) -> None:
    tokens = tokenize(text, CONDITION_KEYWORDS)
    assert "".join(token.text for token in tokens[:-1]) == "".join(text.split())
    assert all(text[token.start : token.end] == token.text for token in tokens[:-1])


def reader(text: str) -> Reader:
    return Reader(text, NO_KEYWORDS, Faults("FilterExpression"))


@pytest.mark.parametrize(
    ("reads", "message"),
    [
        (0, 'token: "a", near: "a  ="'),
        (1, 'token: "=", near: "a  = :b"'),
        (2, 'token: ":b", near: "= :b"'),
        (3, 'token: "<EOF>", near: ":b"'),
        (9, 'token: "<EOF>", near: ":b"'),
    ],
)
def test_a_syntax_error_shows_the_neighbours(reads: int, message: str) -> None:
    at = reader("a  = :b ")
    for _ in range(reads):
        at.next()
    with pytest.raises(ExpressionError) as fault:
        at.refuse()
    assert str(fault.value) == f"Invalid FilterExpression: Syntax error; {message}"


def test_what_stands_behind_a_parenthesis() -> None:
    assert reader("((a) = b)").after_closing() == END
    assert reader("(a) = b").after_closing() == "="
    assert reader("((a)").after_closing() == END
    assert reader(")(a) = b").after_closing() == END


def test_size_is_counted_in_bytes() -> None:
    assert reader("a" * 4096).token.kind == "name"
    with pytest.raises(ExpressionError, match="maximum allowed size; expression size: 4097"):
        reader("é" + "a" * 4095)
    with pytest.raises(ExpressionError, match="The expression can not be empty;"):
        reader(" \n")
