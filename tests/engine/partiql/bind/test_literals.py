from __future__ import annotations

from typing import Any

import pytest

from tests.engine.partiql.conftest import Session

OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
DIGITS = "Attempting to store more than 38 significant digits in a Number"
NO_NUMBER = "The parameter cannot be converted to a numeric value"
DUPLICATES = "One or more parameter values were invalid: Input collection"
NESTING = "Nesting Levels have exceeded supported limits"


def test_every_kind_of_literal_is_stored(db: Session) -> None:
    db.run(
        "INSERT INTO users value {'pk': 'a', 'n': -1.5e-3, 'e': 1E3, 'dot': .5, 'zero': -0, 'q': 'it''s', 't': true,"
        " 'nothing': null, 'l': [1, 'x', [- 1]], 'm': {'in': {'x': 4}}, 'ns': <<1, 4.5>>, 'ss': <<'x', 'y'>>, 'p': ?}",
        {"B": "AQ=="},
    )
    assert db.get("users", pk="a") == {
        "pk": {"S": "a"},
        "n": {"N": "-0.0015"},
        "e": {"N": "1000"},
        "dot": {"N": "0.5"},
        "zero": {"N": "0"},
        "q": {"S": "it's"},
        "t": {"BOOL": True},
        "nothing": {"NULL": True},
        "l": {"L": [{"N": "1"}, {"S": "x"}, {"L": [{"N": "-1"}]}]},
        "m": {"M": {"in": {"M": {"x": {"N": "4"}}}}},
        "ns": {"NS": ["1", "4.5"]},
        "ss": {"SS": ["x", "y"]},
        "p": {"B": "AQ=="},
    }


@pytest.mark.parametrize("literal", ["7.31e6", "7.31E6", "7.31e+6", "731e4", "73100000e-1", "+7310000", "- -7310000"])
def test_numbers_in_every_writing(db: Session, literal: str) -> None:
    db.put("numbers", pk={"N": "7310000"})
    assert len(db.items(f"SELECT * FROM numbers WHERE pk = {literal}")) == 1


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("{'pk': 1e126}", f"{OVERFLOW} under root"),
        ("{'pk': 1e2000000}", f"{OVERFLOW} under root"),
        ("{'pk': 1e-131}", f"{UNDERFLOW} under root"),
        ("{'pk': 123456789012345678901234567890123456789}", f"{DIGITS} under root"),
        ("{'pk': 1, 'm': {'x': 1e126}}", f"{OVERFLOW} under root.x"),
        ("{'pk': 1, 'l': [1, 1e126]}", f"{OVERFLOW} under root[1]"),
        ("{'pk': 1, 's': <<>>}", "Empty bags are not supported"),
        (
            "{'pk': 1, 's': <<1, 'a'>>}",
            "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags",
        ),
        ("{'pk': 1, 's': <<'a', 'a'>>}", f"{DUPLICATES} [a, a] contains duplicates."),
        ("{'pk': 1, 's': <<2, 2.0>>}", f"{DUPLICATES} [2, 2.0] contains duplicates! under root"),
        ("{'pk': 1, 'd': " + "{'a':" * 32 + "1" + "}" * 32 + "}", f"{NESTING} under root" + ".a" * 32),
        ("{'pk': 1, 'd': {'a':" + "[" * 31 + "1" + "]" * 31 + "}}", f"{NESTING} under root.a" + "[0]" * 31),
        (
            "{'pk': 1, 'x': set_add(<<'a'>>, <<'b'>>)}",
            "Unsupported data type: set_add under key root at 1:42:7",
        ),
        (
            "{'pk': 1, 'x': `2020T`}",
            "DynamoDB does not read Ion; write `2020T` as a PartiQL literal, under key root at 1:42:7",
        ),
        ("{'pk': 1, 'pk': 2}", "A map has each name once; pk is there twice, under root"),
        ("{1: 2}", "The names of a map are strings in single quotes, not Lit, under root"),
        (
            "[1]",
            "The item of an INSERT is a map of its attributes: {'name': value, ...}",
        ),
    ],
)
def test_literals_that_are_refused(db: Session, item: str, message: str) -> None:
    assert db.refusal(f"INSERT INTO numbers VALUE {item}") == message


def test_the_deepest_literal(db: Session) -> None:
    db.run("INSERT INTO numbers VALUE {'pk': 1, 'd': " + "{'a':" * 31 + "1" + "}" * 31 + "}")
    assert len(db.items("SELECT d.a.a FROM numbers WHERE pk = 1")) == 1


def test_parameters_stand_for_whole_values(db: Session) -> None:
    update = "UPDATE users SET x = [?] WHERE pk = 'a'"
    assert db.refusal(update, {"S": "v"}) == "Unsupported data type: Parameter under key root[0] at 1:23:1"
    insert = "INSERT INTO users VALUE {'pk': 'a', 'm': {'k': ?}}"
    assert (
        db.refusal(insert, {"S": "v"})
        == f"Unsupported data type: Parameter under key root.k at 1:{insert.index('?') + 1}:1"
    )
    db.run("INSERT INTO users VALUE ?", {"M": {"pk": {"S": "a"}, "n": {"N": "1"}}})
    assert len(db.items("SELECT * FROM users WHERE pk = 'a' AND n IN [?, 2]", {"N": "1"})) == 1


def deep(levels: int, leaf: Any = None) -> dict[str, Any]:
    value = leaf or {"S": "x"}
    for _ in range(levels):
        value = {"M": {"n": value}}
    return value


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ([{"N": "1e99999999999"}, {"N": "1"}], f"{NO_NUMBER}: 1e99999999999"),
        ([{"N": "-1e2147483648"}, {"N": "1"}], f"{NO_NUMBER}: -1e2147483648"),
        ([{"N": "1e-2147483648"}, {"N": "1"}], f"{NO_NUMBER}: 1e-2147483648"),
        ([{"N": "1e2147483647"}, {"N": "1"}], UNDERFLOW),
        ([{"N": ""}, {"N": "1"}], NO_NUMBER),
        ([{"L": [{"N": "1"}, {"N": "x"}]}, {"N": "1"}], f"{NO_NUMBER}: x"),
        ([{"M": {"x": {"N": "1e126"}}}, {"N": "1"}], OVERFLOW),
        ([{"NS": ["1", "x"]}, {"N": "1"}], f"{NO_NUMBER}: x"),
        ([deep(40), {"N": "abc"}], f"{NESTING}: Attributes in the item have nested levels beyond supported limit"),
        ([{"N": "abc"}, deep(40)], f"{NO_NUMBER}: abc"),
        (
            [deep(40, {"N": "x"}), {"N": "1"}],
            f"{NESTING}: Attributes in the item have nested levels beyond supported limit",
        ),
        ([{"SS": ["a", "a"]}, {"N": "1"}], f"{DUPLICATES} [a, a] contains duplicates."),
        (
            [{"NULL": False}, {"N": "1"}],
            "One or more parameter values were invalid: Null attribute value types must have the value of true",
        ),
    ],
)
def test_parameters_are_read_before_the_statement(db: Session, parameters: list[Any], message: str) -> None:
    for statement in ("SELECT * FROM users WHERE x = ? AND y = ?", "UPDATE ? ? WHERE"):
        assert db.refusal(statement, *parameters) == message
