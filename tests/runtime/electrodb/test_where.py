from __future__ import annotations

from typing import Any

import pytest

from tablewright.errors import RequestError, ValidationError
from tests.runtime.harbor import berth


def filtered(callback: Any) -> str:
    """The filter with its placeholders replaced."""
    params = berth().query.main(harbor="H").where(callback).params()
    text: str = params["FilterExpression"]
    for name, field in sorted(params["ExpressionAttributeNames"].items(), key=lambda pair: -len(pair[0])):
        text = text.replace(name, field)
    for name, value in sorted(params["ExpressionAttributeValues"].items(), key=lambda pair: -len(pair[0])):
        text = text.replace(name, repr(value))
    return text


@pytest.mark.parametrize(
    ("callback", "text"),
    [
        (lambda a, op: op.eq(a.since, "s"), "sn = 's'"),
        (lambda a, op: op.between(a.visits, 1, 2), "visits BETWEEN 1 AND 2"),
        (lambda a, op: op.begins(a.dims.side, "p"), "begins_with(dims.sd, 'p')"),
        (lambda a, op: op.exists(a.log[2]), "attribute_exists(log[2])"),
        (lambda a, op: op.not_contains(a["tags"], "x"), "NOT contains(tags, 'x')"),
        (lambda a, op: op.eq(a.visits, op.size(a.tags)), "visits = size(tags)"),
        (lambda a, op: op.eq(a.vessel, op.name(a.since)), "vessel = sn"),
        (lambda a, op: op.eq_or_not_exists(a.visits, 1), "visits = 1 OR attribute_not_exists(visits)"),
        (lambda a, op: f"{op.size(a.log)} > {op.escape(3)}", "size(log) > 3"),
        (lambda a, op: op.in_(a.visits, [1, 2]), "visits IN (1, 2)"),
        (lambda a, op: op.in_(a.since, {"x"}), "sn IN ('x')"),
        (lambda a, op: op.in_(a.vessel, (1, op.name(a.since))), "vessel IN ('1', sn)"),
        (lambda a, op: ~op.in_(a.dims.side, ["p"]), "NOT dims.sd IN ('p')"),
    ],
)
def test_operations(callback: Any, text: str) -> None:
    assert filtered(callback) == text


def test_conditions_are_joined_with_operators() -> None:
    both = filtered(lambda a, op: (op.eq(a.visits, 1) | op.eq(a.visits, 2)) & ~op.exists(a.log))
    assert both == "(visits = 1 OR visits = 2) AND NOT attribute_exists(log)"


def test_text_means_the_same_wherever_it_is_glued_in() -> None:
    glued = filtered(lambda a, op: f"{op.eq_or_not_exists(a.visits, 1)} AND {op.exists(a.log)}")
    assert glued == "(visits = 1 OR attribute_not_exists(visits)) AND attribute_exists(log)"
    either = filtered(lambda a, op: f"{op.eq(a.visits, 1) | op.eq(a.visits, 2)} AND {op.exists(a.log)}")
    assert either == "(visits = 1 OR visits = 2) AND attribute_exists(log)"


def test_a_second_where_keeps_an_or_together() -> None:
    chain = berth().query.main(harbor="H").where(lambda a, op: op.exists(a.log))
    params = chain.where(lambda a, op: f"{op.eq(a.visits, 1)} OR {op.eq(a.visits, 2)}").params()
    assert params["FilterExpression"] == "attribute_exists(#log) AND (#visits = :visits0 OR #visits = :visits1)"


@pytest.mark.parametrize(("value", "sent"), [(5, "'5'"), (True, "'true'"), (1.5, "'1.5'"), (None, "None")])
def test_numbers_and_booleans_said_of_a_string_are_text(value: Any, sent: str) -> None:
    assert filtered(lambda a, op: op.eq(a.vessel, value)) == f"vessel = {sent}"


@pytest.mark.parametrize("nothing", ["", "   "])
def test_an_empty_text_says_nothing(nothing: str) -> None:
    assert "FilterExpression" not in berth().query.main(harbor="H").where(lambda a, op: nothing).params()


@pytest.mark.parametrize(
    "callback",
    [
        lambda a, op: op.eq(a.zz, 1),
        lambda a, op: op.eq(a.vessel.zz, 1),
        lambda a, op: op.eq("vessel", 1),
        lambda a, op: op.escape(None),
        lambda a, op: None,
        lambda a, op: f"{op.eq(a.visits, 1)} AND",
        "vessel = 1",
    ],
)
def test_mistakes_are_found_at_once(callback: Any) -> None:
    with pytest.raises(RequestError) as refused:
        berth().query.main(harbor="H").where(callback)
    assert refused.value.code == 1012


def test_data_makes_changes_in_order() -> None:
    def change(a: Any, op: Any) -> None:
        op.set(a.dims.beam, 2)
        op.add(a.visits, 1, 10)
        op.remove(a.note.x)
        op.append(a.log, ["x"])

    text = berth().update(harbor="H", slot=1).data(change).params()["UpdateExpression"]
    assert text.startswith("SET #dims.#beam = :beam0, #visits = if_not_exists(#visits, :visits0) + :visits1, ")
    assert "#log = list_append(if_not_exists(#log, " in text
    assert text.endswith("REMOVE #note.#x")


@pytest.mark.parametrize(("value", "sent"), [(5, "5"), (False, "false")])
def test_data_turns_numbers_and_booleans_into_text_for_a_string(value: Any, sent: str) -> None:
    params = berth().update(harbor="H", slot=1).data(lambda a, op: op.set(a.dims.side, value)).params()
    assert params["ExpressionAttributeValues"][":sd0"] == sent


@pytest.mark.parametrize("value", [None, ["a"], {"a": 1}])
def test_data_turns_nothing_else_into_text(value: Any) -> None:
    with pytest.raises(ValidationError):
        berth().update(harbor="H", slot=1).data(lambda a, op: op.set(a.dims.side, value)).params()


@pytest.mark.parametrize("values", [[], "free", 5, None, range(101)])
def test_in_takes_a_list_that_dynamodb_takes(values: Any) -> None:
    with pytest.raises(RequestError, match="in_") as refused:
        filtered(lambda a, op: op.in_(a.visits, values))
    assert refused.value.code == 1012


def test_the_older_form_knows_in_as_well() -> None:
    chain = berth().query.main(harbor="H").filter(lambda a: a.state.in_(["free", "taken"]))
    assert chain.params()["FilterExpression"] == "#state IN (:state0, :state1)"
