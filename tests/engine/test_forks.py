"""A process that is forked while a database is in use: memory is copied, a file is opened anew, and nobody hangs."""

from __future__ import annotations

import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tablewright.engine import Engine
from tablewright.engine.simulation import Instruments

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning"),
]

TABLE: dict[str, Any] = {
    "TableName": "things",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}
SECONDS = 20


def put(engine: Engine, key: str) -> None:
    engine.call("PutItem", {"TableName": "things", "Item": {"pk": {"S": key}, "text": {"S": "x" * 2000}}})


def keys(engine: Engine) -> set[str]:
    return {item["pk"]["S"] for item in engine.call("Scan", {"TableName": "things"})["Items"]}


def in_child(work: Callable[[], None]) -> None:
    """Fork, and let the child work; whatever it raises, or if it hangs, is this test's failure."""
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)  # ends it if it hangs
        status = 1
        try:
            work()
            status = 0
        except BaseException:  # noqa: BLE001 - it is printed, and the parent hears of it
            traceback.print_exc()
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0


@contextmanager
def busy(engine: Engine, threads: int = 4) -> Iterator[None]:
    """While inside, threads write to the engine without a pause."""
    done = threading.Event()
    failures: list[BaseException] = []

    def work(name: int) -> None:
        number = 0
        try:
            while not done.is_set():
                put(engine, f"busy {name} {number % 50}")
                number += 1
        except BaseException as error:  # noqa: BLE001 - it is raised below
            failures.append(error)

    crew = [threading.Thread(target=work, args=(name,)) for name in range(threads)]
    for each in crew:
        each.start()
    try:
        yield
    finally:
        done.set()
        for each in crew:
            each.join()
    assert not failures


@pytest.fixture(params=["memory", "file"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    with Engine(None if request.param == "memory" else tmp_path / "db.sqlite") as made:
        made.call("CreateTable", TABLE)
        yield made


def test_a_child_goes_on_with_what_there_was(engine: Engine) -> None:
    put(engine, "before")

    def work() -> None:
        assert keys(engine) == {"before"}
        put(engine, "child")
        assert keys(engine) == {"before", "child"}

    in_child(work)
    put(engine, "parent")
    is_file = engine.storage.path is not None
    assert keys(engine) == {"before", "parent", *(["child"] if is_file else [])}


def test_a_child_and_its_parent_write_at_once(tmp_path: Path) -> None:
    with Engine(tmp_path / "db.sqlite") as engine:
        engine.call("CreateTable", TABLE)

        def write(name: str) -> None:
            for number in range(100):
                put(engine, f"{name} {number}")

        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS)  # ends it if it hangs
            try:
                write("child")
            except BaseException:  # noqa: BLE001 - as above
                os._exit(1)
            os._exit(0)
        write("parent")
        assert os.waitpid(child, 0)[1] == 0
        assert keys(engine) == {f"{name} {number}" for name in ("child", "parent") for number in range(100)}
        assert engine.storage.connection.execute("pragma integrity_check").fetchone()[0] == "ok"


def test_forks_while_threads_are_in_the_middle_of_calls(engine: Engine) -> None:
    def work() -> None:
        assert len(keys(engine)) > 0
        put(engine, "child")
        assert "child" in keys(engine)

    with busy(engine):
        time.sleep(0.05)
        for _ in range(20):
            in_child(work)
    assert engine.storage.connection.execute("pragma integrity_check").fetchone()[0] == "ok"


def test_forks_with_instruments() -> None:
    with Engine(instruments=Instruments(account=True, heat=True)) as engine:
        engine.call("CreateTable", TABLE)
        with busy(engine, threads=2):
            for _ in range(20):
                in_child(lambda: put(engine, "child"))


def test_a_grandchild_opens_the_file_for_itself(tmp_path: Path) -> None:
    with Engine(tmp_path / "db.sqlite") as engine:
        engine.call("CreateTable", TABLE)

        def child() -> None:
            put(engine, "child")
            in_child(lambda: put(engine, "grandchild"))
            assert keys(engine) == {"child", "grandchild"}

        in_child(child)
        assert keys(engine) == {"child", "grandchild"}


def test_a_child_that_never_uses_it_closes_nothing(tmp_path: Path) -> None:
    with Engine(tmp_path / "db.sqlite") as engine:
        engine.call("CreateTable", TABLE)
        in_child(engine.close)
        put(engine, "parent")
        assert keys(engine) == {"parent"}


def test_a_closed_database_stays_closed_in_a_child(tmp_path: Path) -> None:
    engine = Engine(tmp_path / "db.sqlite")
    engine.call("CreateTable", TABLE)
    engine.close()

    def work() -> None:
        with pytest.raises(Exception, match="closed"):
            put(engine, "child")

    in_child(work)
