"""Python packages called by hand: what a spec says of writes is what their functions do."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

import tablewright as tw
from tablewright.codegen.python.model import name_design
from tablewright.codegen.targets import generate
from tablewright.engine import Engine
from tablewright.engine.server import serve
from tablewright.proof.database import create_tables
from tests.codegen.python.generated import imported, write_to
from tests.codegen.python.test_boto3 import client
from tests.codegen.semantics import semantic

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

AT = "2026-03-01T00:00:00.000Z"


class Package:
    """Functions by name, on a database that is empty at first."""

    def __init__(self, module: Any, db: Any, refused: tuple[type[Exception], ...], engine: Engine) -> None:
        self.entities, self.db, self.refused, self.engine = module("entities"), db, refused, engine
        self.patterns = module("patterns")
        vars(module("steps.cascade"))["SETTLING"] = 0

    def __getattr__(self, name: str) -> Any:
        return lambda *given, **named: getattr(self.patterns, name)(self.db, *given, **named)

    def count(self, table: str) -> int:
        return self.engine.call("Scan", {"TableName": table, "Select": "COUNT"})["Count"]


@contextmanager
def package(name: str, target: str, style: str, folder: Path) -> Iterator[Package]:
    design = semantic(name, style)
    write_to(generate(design, [target]), folder)
    with Engine() as engine, imported(folder / target, name_design(design).package) as module:
        create_tables(engine, design)
        if target == "python":
            refused = (tw.ConditionFailed, tw.TransactionCancelled)
            yield Package(module, tw.Database.embedded(engine=engine), refused, engine)
            return
        server = serve(engine).start()
        try:
            refusals = module("refusals")
            refused = (refusals.ConditionFailed, refusals.TransactionRefused)
            yield Package(module, module("database").Database(client(server.url)), refused, engine)
        finally:
            server.stop()


BOTH = pytest.mark.parametrize("target", ["python", "python-boto3"])
STYLES = pytest.mark.parametrize("style", ["plain", "electrodb"])


@BOTH
@STYLES
def test_what_is_bought_is_taken_from_the_stock_once(target: str, style: str, tmp_path: Path) -> None:
    with package("shop", target, style, tmp_path) as shop:
        shop.add("pen", "Pen", 5, version=0)
        order = {"order_id": "1", "sku": "pen", "qty": 3, "at": AT, "version": 1, "request_token": "first"}
        shop.buy(**order)
        shop.buy(**order)  # the same token: it has been done
        assert shop.product("pen").stock == 2
        assert shop.product("pen").version == 2
        with pytest.raises(shop.refused):
            shop.buy(**{**order, "order_id": "2", "version": 2, "request_token": "second"})
        with pytest.raises(shop.refused):
            shop.close("pen", version=1)
        shop.close("pen", version=2)
        assert (shop.product("pen").state, shop.product("pen").sold) == ("closed", None)
        with pytest.raises(shop.refused):
            shop.add("pen", "Pencil", 1, version=0)


@BOTH
@STYLES
def test_many_are_found_in_the_order_of_their_ids(target: str, style: str, tmp_path: Path) -> None:
    with package("shop", target, style, tmp_path) as shop:
        for sku in ("a", "b", "c"):
            shop.add(sku, sku, 1, version=0)
        found = shop.some([shop.entities.ProductId(each) for each in ("c", "gone", "a")])
        assert [each.sku for each in found] == ["c", "a"]


@BOTH
@STYLES
def test_what_belongs_to_an_item_goes_with_it(target: str, style: str, tmp_path: Path) -> None:
    with package("likes", target, style, tmp_path) as likes:
        for user in ("ann", "bob"):
            likes.join(likes.entities.User(user_id=user, handle=user))
        for number in range(3):
            likes.write(likes.entities.Post(post_id=str(number), user_id="ann", text="text"))
        likes.like(post_id="0", user_id="bob", at=AT)
        with pytest.raises(likes.refused):
            likes.like(post_id="0", user_id="bob", at=AT)
        with pytest.raises(likes.refused):
            likes.like(post_id="none", user_id="bob", at=AT)
        assert likes.post("0").likes == 1
        likes.leave("ann")
        assert [likes.post(str(number)) for number in range(3)] == [None, None, None]
        assert likes.count("likes") == 2  # bob and his handle
        likes.found(likes.entities.Team(team_id="1", handle="ann"))
        with pytest.raises(likes.refused):
            likes.rename("bob", handle="ann", name=None)


@BOTH
@STYLES
def test_lists_have_items_without_a_date_and_limits_of_their_own(target: str, style: str, tmp_path: Path) -> None:
    with package("tasks", target, style, tmp_path) as tasks:
        tasks.put_list(tasks.entities.List(list_id="1", title="List"))
        for number, due in enumerate((None, "2026-03-02", "2026-03-01", None)):
            at = None if due is None else f"{due}T00:00:00.000Z"
            tasks.put_task(tasks.entities.Task(list_id="1", task_id=str(number), title="Task", due_at=at))
        by_date = [each.task_id for each in tasks.by_date("1")]
        assert (by_date[:2], set(by_date[2:])) == (["2", "1"], {"0", "3"})  # those without a date in any order
        assert [each.task_id for each in tasks.next("1")][:2] == ["2", "1"]
        assert len(tasks.next("1")) == 3
        assert [each.due_at is None for each in tasks.last("1")] == [True, True, False, False]
        board = tasks.board("1").items
        assert [type(each).__name__ for each in board] == ["List", "Task", "Task"]
        tasks.drop("1")
        assert tasks.count("tasks") == 0


@BOTH
@STYLES
def test_defaults_are_filled_in_and_rules_obeyed(target: str, style: str, tmp_path: Path) -> None:
    with package("rules", target, style, tmp_path) as rules:
        rules.join("C000001", "ann@example.com")
        assert rules.customer("C000001").tier == "basic"
        with pytest.raises(ValueError, match="customerId: '1' does not match"):
            rules.join("1", "ann@example.com")
        with pytest.raises(ValueError, match=r"email: .* has more than 60 characters"):
            rules.join("C000002", f"{'a' * 60}@example.com")
        line = rules.entities.Line
        lines = [line(order_id="1", line_no=1, sku="ABC-1"), line(order_id="1", line_no=2, sku="ABC-2", quantity=9)]
        rules.place("1", "C000001", lines)
        found = rules.order("1").items
        assert sorted(each.quantity for each in found if hasattr(each, "sku")) == [1, 9]
        (order,) = (each for each in found if not hasattr(each, "sku"))
        assert (order.status, order.priority, order.gift, order.note) == ("open", 3, False, None)
        wrong = [line(order_id="2", line_no=1, sku="abc")]
        with pytest.raises(ValueError, match="sku: 'abc' does not match"):
            rules.place("2", "C000001", wrong)
        with pytest.raises(ValueError, match="priority: 6 is more than 5"):
            rules.change("1", "paid", 6, None)
        assert rules.count("rules") == 4
