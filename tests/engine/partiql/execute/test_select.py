from __future__ import annotations

import pytest

from tests.engine.partiql.conftest import Session

OVERLAP = "Overlapping conditions with range keys are not supported in where clause"
WRONG_TYPE = "Key attribute's data type should match its data type in table's schema: Key {}"


@pytest.fixture
def orders(db: Session) -> Session:
    for pk in ("o", "p"):
        for sk in ("1", "2", "3"):
            db.put("orders", pk={"S": pk}, sk={"S": sk}, flag={"S": f"f{sk}"})
    return db


def keys(db: Session, where: str) -> list[str]:
    return [item["pk"]["S"] + item["sk"]["S"] for item in db.items(f"SELECT * FROM orders WHERE {where}")]


def test_columns_are_named_by_the_end_of_their_paths(db: Session) -> None:
    db.put("users", pk={"S": "a"}, m={"M": {"k": {"L": [{"S": "x"}, {"S": "y"}]}, "sub": {"S": "z"}}}, n={"N": "1"})
    item = db.items("SELECT n, m.sub, m.k[1], nope, m.k[9] FROM users WHERE pk = 'a'")
    assert item == [{"n": {"N": "1"}, "sub": {"S": "z"}, "k[1]": {"S": "y"}}]
    assert db.items('SELECT "m"."k"[-0] FROM "users" WHERE "pk" = ?', {"S": "a"}) == [{"k[0]": {"S": "x"}}]


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("pk = 'o'", ["o1", "o2", "o3"]),
        ("'o' = pk AND '1' < sk", ["o2", "o3"]),
        ("pk = 'o' AND sk = '2'", ["o2"]),
        ("pk = 'o' AND sk >= '2'", ["o2", "o3"]),
        ("pk = 'o' AND sk BETWEEN '2' AND '3'", ["o2", "o3"]),
        ("pk = 'o' AND begins_with(sk, '2')", ["o2"]),
        ("pk = 'o' AND sk > '1' AND sk < '3'", ["o2"]),
        ("pk = 'o' AND sk = '1' AND sk > '0'", ["o1"]),
        ("pk = 'o' AND (sk = '1' OR sk = '3')", ["o1", "o3"]),
        ("pk = 'o' AND sk IN ['3', '1']", ["o1", "o3"]),
        ("pk = 'o' AND (sk < '2' OR sk > '2' OR sk = '2')", ["o1", "o2", "o3"]),
        ("pk = 'o' AND sk <> '1'", ["o2", "o3"]),
        ("pk = 'o' AND NOT sk = '1'", ["o2", "o3"]),
        ("pk = 'o' AND attribute_exists(pk)", ["o1", "o2", "o3"]),
        ("pk = 'o' AND flag = 'f2'", ["o2"]),
        ("(pk = 'o' AND sk = '1') OR (pk = 'p' AND flag = 'f2')", ["o1", "p2"]),
        ("pk IN ['o', 'p'] AND sk = '1'", ["o1", "p1"]),
        ("pk = 'o' OR sk = '1'", ["o1", "o2", "o3", "p1"]),
        ("pk = 'o' AND pk = 'p'", []),
        ("pk = 'o' AND NOT sk = '1' OR pk = 'o' AND sk = '2'", ["o2", "o3"]),
        ("pk = 'o' OR pk = 'o' AND NOT sk = '1'", ["o1", "o2", "o3"]),
        ("pk > 1", []),
        ("sk = '1'", ["o1", "p1"]),
    ],
)
def test_what_a_where_finds(orders: Session, where: str, found: list[str]) -> None:
    assert sorted(keys(orders, where)) == found


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("pk IN ['o', 'o']", OVERLAP),
        ("pk = 'o' OR pk = 'o'", OVERLAP),
        ("pk = 'o' AND (sk > '0' OR sk < '5')", OVERLAP),
        ("pk = 'o' AND (sk = '1' OR flag = 'f2')", OVERLAP),
        ("(pk = 'o' AND flag = 'f1') OR (pk = 'o' AND flag = 'f2')", OVERLAP),
        ("pk = 'o' AND flag <> 'f1' OR pk = 'o' AND sk = '2'", OVERLAP),
        ("pk = 1 OR pk = 'o'", WRONG_TYPE.format("pk")),
        ("pk = 'o' AND sk IN ['1', 2]", WRONG_TYPE.format("sk")),
        ("pk = 'o' AND sk > 2", WRONG_TYPE.format("sk")),
    ],
)
def test_what_a_where_may_not_say(orders: Session, where: str, message: str) -> None:
    assert orders.refusal(f"SELECT * FROM orders WHERE {where}") == message


def test_no_more_than_fifty_reads(orders: Session) -> None:
    many = ", ".join(f"'v{n}'" for n in range(51))
    few = ", ".join(f"'v{n}'" for n in range(50))
    message = "Too many decomposed read operations for a given query."
    for where in (f"pk IN [{many}]", f"pk = 'o' AND sk IN [{many}]", f"pk IN [{few}] AND sk IN ['1', '2']"):
        assert orders.refusal(f"SELECT * FROM orders WHERE {where}") == message
    assert keys(orders, f"pk IN [{few}] AND flag IN [{many}]") == []
    assert sorted(keys(orders, f"pk IN [{many}] OR flag = 'f1'")) == ["o1", "p1"]


@pytest.mark.parametrize(
    ("clause", "found"),
    [
        ("pk = 'o' ORDER BY sk DESC", ["o3", "o2", "o1"]),
        ("pk = 'o' ORDER BY sk", ["o1", "o2", "o3"]),
        ("pk = 'o' ORDER BY pk ASC", ["o3", "o2", "o1"]),
        ("pk IN ['o', 'p'] ORDER BY pk DESC, sk ASC", ["p1", "p2", "p3", "o1", "o2", "o3"]),
        ("pk IN ['p', 'o'] ORDER BY pk, sk DESC", ["o3", "o2", "o1", "p3", "p2", "p1"]),
    ],
)
def test_order(orders: Session, clause: str, found: list[str]) -> None:
    assert keys(orders, clause) == found


@pytest.mark.parametrize(
    ("clause", "message"),
    [
        ("ORDER BY sk", "Must have WHERE clause in the statement when using ORDER BY clause."),
        ("WHERE pk = 'o' ORDER BY flag", "Attribute flag in ORDER BY clause must be part of the primary key"),
        (
            "WHERE pk > 'a' ORDER BY sk",
            "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.",
        ),
        (
            "WHERE pk IN ['o', 'p'] ORDER BY sk",
            "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.",
        ),
    ],
)
def test_orders_that_are_refused(orders: Session, clause: str, message: str) -> None:
    assert orders.refusal(f"SELECT * FROM orders {clause}") == message


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM orders",
        "SELECT * FROM orders WHERE pk IN ['o', 'p']",
        "SELECT * FROM orders WHERE pk IN ['o', 'p'] ORDER BY pk DESC",
        "SELECT * FROM orders WHERE flag <> 'f2'",
    ],
)
def test_pages_add_up_to_the_whole(orders: Session, statement: str) -> None:
    whole = orders.items(statement)
    for limit in (1, 2, 3, 4, 7):
        found, token, pages = [], None, 0
        while pages == 0 or token is not None:
            page = orders.run(statement, Limit=limit, **({} if token is None else {"NextToken": token}))
            assert len(page["Items"]) <= limit
            found += page["Items"]
            token, pages = page.get("NextToken"), pages + 1
        assert found == whole
        assert pages >= 6 // limit


def test_a_token_belongs_to_its_statement(orders: Session) -> None:
    statement = "SELECT * FROM orders WHERE pk = ?"
    token = orders.run(statement, {"S": "o"}, Limit=1)["NextToken"]
    assert len(orders.items(statement, {"S": "o"}, NextToken=token)) == 2
    assert orders.refusal(statement, {"S": "p"}, NextToken=token) == "NextToken does not match request"
    assert orders.refusal("SELECT * FROM users", NextToken=token) == "NextToken does not match request"
    assert orders.refusal(statement, {"S": "o"}, NextToken="?!") == "Invalid NextToken"


def test_reads_cost_what_queries_and_scans_cost(orders: Session) -> None:
    def units(statement: str, **more: object) -> float:
        return orders.run(statement, ReturnConsumedCapacity="TOTAL", **more)["ConsumedCapacity"]["CapacityUnits"]

    assert units("SELECT * FROM orders WHERE pk = 'o'") == 0.5
    assert units("SELECT * FROM orders WHERE pk = 'o'", ConsistentRead=True) == 1
    assert units("SELECT * FROM orders WHERE pk IN ['o', 'p']") == 1
    assert units("SELECT * FROM orders WHERE pk = 'nobody'") == 0.5
    assert units("SELECT * FROM orders WHERE flag = 'nobody'") == 0.5
    report = orders.run("SELECT * FROM orders WHERE pk IN ['o', 'p']", ReturnConsumedCapacity="INDEXES")
    assert report["ConsumedCapacity"] == {"TableName": "orders", "CapacityUnits": 1, "Table": {"CapacityUnits": 1}}
    assert "ConsumedCapacity" not in orders.run("SELECT * FROM orders")
