from __future__ import annotations

from tablewright.expr.nodes import And, Compare, Name, Not, Value, all_of

A, B, C = (Compare("=", Name((field,)), Value(1)) for field in "abc")


def test_values_compare_without_their_hint_and_keep_true_apart_from_1() -> None:
    assert Value(1, "a") == Value(1, "b")
    assert hash(Value("x", "a")) == hash(Value("x", "b"))
    assert Value(1) != Value(True)
    assert Value(1) != 1
    assert Value(1) != Name(("a",))


def test_all_of_lays_conditions_flat() -> None:
    assert all_of() is None
    assert all_of(None, None) is None
    assert all_of(None, A) == A
    assert all_of(And((A, B)), None, C) == And((A, B, C))
    assert all_of(A, Not(And((B, C)))) == And((A, Not(And((B, C)))))
