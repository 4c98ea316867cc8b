"""What the file goes through: killed writers, several writers, files that are not ours, disks that are full."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tablewright.engine import Engine
from tablewright.engine.store.checksums import entry_checksum, item_checksum
from tablewright.engine.store.rows import entry_of, table_key
from tablewright.engine.store.table import Table
from tablewright.engine.store.values import from_text
from tablewright.errors import TablewrightError
from tests.engine.make import create_table
from tests.engine.writer import changes

WRITER = Path(__file__).with_name("writer.py")
KILLS = 40

State = dict[str, dict[str, Any]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "app.db"


def new_file(path: Path) -> None:
    with Engine(path) as engine:
        stream = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
        gsis = {"by_owner": ("owner", "ALL"), "keys": ("owner pk", "KEYS_ONLY")}
        create_table(engine, "pk", name="things", gsis=gsis, StreamSpecification=stream)


def contents(engine: Engine, table: str = "things") -> State:
    return {item["pk"]["S"]: item for item in engine.call("Scan", {"TableName": table})["Items"]}


def state_after(number: int, before: State, first: int) -> State:
    """What is there when the changes up to a number are done."""
    state = dict(before)
    for each in range(first, number + 1):
        for key, item in changes(each).items():
            if item is None:
                state.pop(f"key{key}", None)
            else:
                state[f"key{key}"] = item
    return state


def check_file(engine: Engine) -> None:
    """SQLite finds no fault, every index has exactly the entries of the items, and totals and checksums are right."""
    execute = engine.storage.connection.execute
    with engine.storage.reading():
        tables = list(engine.storage.tables.values())
    assert tables
    assert execute("pragma integrity_check").fetchone() == ("ok",)
    for table in tables:
        items = [(row, from_text(text)) for row, text in execute(f"select id, item from t{table.id}")]
        keys = {(bytes(h), bytes(r)) for h, r in execute(f"select h, r from t{table.id}")}
        assert keys == {table_key(table, item) for _, item in items}
        for index in table.indexes:
            wanted = set()
            for row, item in items:
                entry = entry_of(table, index, item)
                if entry is not None:
                    wanted.add((*entry.key, row, entry.size))
            assert set(execute(f"select gh, gr, h, r, id, size from t{table.id}_{index.slot}")) == wanted
        check_checksums(engine, table)
        check_totals(engine, table)


def check_checksums(engine: Engine, table: Table) -> None:
    execute = engine.storage.connection.execute
    for h, r, text, size, crc in execute(f"select h, r, item, size, crc from t{table.id}"):
        assert crc == item_checksum(h, r, text, size)
    for index in table.indexes:
        for *key, _, size, crc in execute(f"select * from t{table.id}_{index.slot}"):
            assert crc == entry_checksum((key[0], key[1], key[2], key[3]), size)


def check_totals(engine: Engine, table: Table) -> None:
    """What is kept of the totals is what counting gives."""
    for slot in (-1, *(index.slot for index in table.indexes)):
        rows = f"t{table.id}" if slot == -1 else f"t{table.id}_{slot}"
        query = f"select count(*), coalesce(sum(size), 0) from {rows}"
        assert engine.storage.totals(table, slot) == engine.storage.connection.execute(query).fetchone()


def run(*args: object, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, *map(str, args)], stdout=subprocess.PIPE, text=True, **options)


def python(code: str, *args: object, **options: Any) -> subprocess.Popen[str]:
    return run("-c", textwrap.dedent(code), *args, **options)


# ---- kill -9 -----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
@pytest.mark.parametrize("durability", ["full", "normal"])
def test_a_killed_writer_loses_nothing(path: Path, durability: str) -> None:
    """What was told to be done is there; what was under way is there as a whole or not at all."""
    new_file(path)
    chance = random.Random(durability)
    state: State = {}
    first = 1
    deadline = time.monotonic() + 4
    with run(WRITER, path, durability, stdin=subprocess.PIPE) as writers:
        for _ in range(KILLS):
            done = killed_writer(writers, first, chance.uniform(0, 0.1))
            with Engine(path) as engine:
                check_file(engine)
                found = contents(engine)
            sure, perhaps = state_after(done, state, first), state_after(done + 1, state, first)
            assert found in (sure, perhaps)
            first = done + 1 if found == sure else done + 2
            state = found
            if time.monotonic() > deadline and first > 30:
                break
        writers.communicate()
    assert first > 30, "the writers wrote"


def killed_writer(writers: subprocess.Popen[str], first: int, seconds: float) -> int:
    """Let a writer run for a while; the answer is the last change that it told to be done."""
    assert writers.stdin is not None
    assert writers.stdout is not None
    writers.stdin.write(f"{first}\n")
    writers.stdin.flush()
    process, done = None, first - 1
    for line in writers.stdout:
        if line.startswith("process"):
            process = int(line.split()[1])
            time.sleep(seconds)
            os.kill(process, signal.SIGKILL)
        elif line == "dead\n":
            return done
        else:
            done = int(line)
    raise AssertionError("the writers' parent has ended")


def test_killed_while_opening_a_new_file(path: Path) -> None:
    for number in range(6):
        opener = python(
            "import sys; from tablewright.engine import Engine; print(1, flush=True); Engine(sys.argv[1])", path
        )
        assert opener.stdout is not None
        opener.stdout.readline()
        time.sleep(number * 0.002)
        opener.kill()
        opener.communicate()
    new_file(path)
    with Engine(path) as engine:
        check_file(engine)


# ---- several at once ---------------------------------------------------------------------------------------------

COUNT = """
    import sys
    from tablewright.engine import Engine
    who, path, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with Engine(path) as engine:
        if "things" not in engine.call("ListTables", {})["TableNames"]:
            engine.call("CreateTable", {
                "TableName": f"table-{who}", "BillingMode": "PAY_PER_REQUEST",
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]})
        for number in range(times):
            engine.call("UpdateItem", {
                "TableName": "things", "Key": {"pk": {"S": "total"}}, "UpdateExpression": "ADD n :one",
                "ExpressionAttributeValues": {":one": {"N": "1"}}})
            engine.call("PutItem", {"TableName": "things", "Item": {
                "pk": {"S": f"{who}-{number}"}, "owner": {"S": who}}})
"""


def add_one(engine: Engine) -> None:
    add = {"UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}
    engine.call("UpdateItem", {"TableName": "things", "Key": {"pk": {"S": "total"}}, **add})


def test_processes_and_threads_share_a_file(path: Path) -> None:
    new_file(path)
    others = [python(COUNT, f"process{number}", path, 60) for number in range(3)]
    with Engine(path) as engine:
        with ThreadPoolExecutor(4) as threads:
            for future in [threads.submit(add_one, engine) for _ in range(100)]:
                future.result()
        assert [other.wait(60) for other in others] == [0, 0, 0]
        for other in others:
            other.communicate()
        found = contents(engine)
        assert found.pop("total")["n"] == {"N": "280"}
        assert len(found) == 180
        check_file(engine)


def test_many_open_a_new_file_at_once(path: Path) -> None:
    others = [python(COUNT, number, path, 0) for number in range(5)]
    for other in others:
        other.communicate(timeout=60)
        assert other.returncode == 0
    with Engine(path) as engine:
        assert engine.call("ListTables", {})["TableNames"] == [f"table-{number}" for number in range(5)]
        check_file(engine)


def test_a_table_that_another_process_made_is_there(path: Path) -> None:
    with Engine(path) as one, Engine(path) as two:
        create_table(one, "pk", name="things")
        one.call("PutItem", {"TableName": "things", "Item": {"pk": {"S": "a"}}})
        assert list(contents(two)) == ["a"]
        two.call("DeleteTable", {"TableName": "things"})
        with pytest.raises(TablewrightError, match="ResourceNotFound"):
            contents(one)


# ---- files that cannot be used -----------------------------------------------------------------------------------


def refusal(path: Path) -> str:
    with pytest.raises(TablewrightError) as caught:
        Engine(path)
    return caught.value.message


def test_a_file_that_is_no_database_is_left_alone(path: Path) -> None:
    path.write_bytes(b"a diary, not a database\n" * 100)
    before = path.read_bytes()
    assert "it is not a database; choose another file" in refusal(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_somebody_elses_database_is_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("create table facts (anything)")
    other.close()
    before = path.read_bytes()
    assert "of somebody else; choose another file" in refusal(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_an_empty_file_will_do(path: Path) -> None:
    path.touch()
    new_file(path)


def test_a_file_of_another_version(path: Path) -> None:
    new_file(path)
    with sqlite3.connect(path) as other:
        other.execute("update facts set value = 99 where name = 'format'")
    other.close()
    assert "format 99" in refusal(path)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert "its folder must exist" in refusal(tmp_path / "nowhere" / "app.db")


def test_a_folder_instead_of_a_file(tmp_path: Path) -> None:
    assert "cannot be opened" in refusal(tmp_path)


READ_ONLY = """
    import os, sys
    from tablewright.engine import Engine
    from tablewright.errors import TablewrightError
    if os.geteuid() == 0:
        os.setuid(65534)
    try:
        Engine(sys.argv[1])
    except TablewrightError as error:
        print(error.message)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such permissions")
@pytest.mark.parametrize("exists", [True, False])
def test_a_folder_that_may_not_be_written(tmp_path: Path, exists: bool) -> None:
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(0o755)
    folder = tmp_path / "shelf"
    folder.mkdir()
    if exists:
        new_file(folder / "app.db")
    folder.chmod(0o555)
    try:
        told, _ = python(READ_ONLY, folder / "app.db").communicate(timeout=60)
    finally:
        folder.chmod(0o755)
    assert "must be writable" in told or "and be writable" in told


def test_a_damaged_file_is_told_as_such(path: Path) -> None:
    new_file(path)
    with Engine(path) as engine:
        for number in range(200):
            engine.call("PutItem", {"TableName": "things", "Item": {"pk": {"S": str(number)}, "x": {"S": "x" * 500}}})
    size = path.stat().st_size
    with path.open("r+b") as file:
        for page in range(4096 * 12, size - 4096, 4096):
            file.seek(page)
            file.write(b"\xff" * 4096)
    with Engine(path) as engine, pytest.raises(TablewrightError, match="damaged"):
        contents(engine)


def test_a_closed_engine_says_so(path: Path) -> None:
    new_file(path)
    engine = Engine(path)
    engine.close()
    with pytest.raises(TablewrightError, match="closed"):
        contents(engine)


# ---- full disks --------------------------------------------------------------------------------------------------


def fill(engine: Engine, start: int, put: Callable[[int], dict[str, Any]]) -> tuple[int, TablewrightError]:
    """Write until there is no room; the answer is the first item that did not fit, and why."""
    number = start
    while True:
        try:
            engine.call("PutItem", {"TableName": "things", "Item": put(number)})
        except TablewrightError as error:
            return number, error
        number += 1


def large(number: int) -> dict[str, Any]:
    return {"pk": {"S": f"{number:05d}"}, "owner": {"S": "me"}, "data": {"S": "x" * 5000}}


def test_a_full_disk_loses_nothing(path: Path) -> None:
    new_file(path)
    with Engine(path, durability="full") as engine:
        pages = engine.storage.connection.execute("pragma page_count").fetchone()[0]
        engine.storage.connection.execute(f"pragma max_page_count = {pages + 100}")
        count, error = fill(engine, 0, large)
        assert "the disk is full; make room and try again" in error.message
        assert len(contents_of_all(engine)) == count > 0
        check_file(engine)
        engine.storage.connection.execute("pragma max_page_count = 1000000")
        engine.call("PutItem", {"TableName": "things", "Item": large(count)})
    with Engine(path) as engine:
        assert len(contents_of_all(engine)) == count + 1
        check_file(engine)


def contents_of_all(engine: Engine) -> list[str]:
    with engine.storage.reading():
        (table,) = engine.storage.tables.values()
    return [text for (text,) in engine.storage.connection.execute(f"select item from t{table.id}")]


LIMITED = """
    import resource, sys
    from tablewright.engine import Engine
    from tablewright.errors import TablewrightError
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Engine(sys.argv[1], durability="full") as engine:
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, most))
        number = 0
        try:
            while number < 1000:
                item = {"pk": {"S": str(number)}, "owner": {"S": "me"}, "data": {"S": "x" * 5000}}
                engine.call("PutItem", {"TableName": "things", "Item": item})
                number += 1
        except TablewrightError as error:
            print(number, error.message)
        read = engine.call("GetItem", {"TableName": "things", "Key": {"pk": {"S": "0"}}})
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        engine.call("PutItem", {"TableName": "things", "Item": item})
"""


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such limits")
def test_a_disk_that_refuses_loses_nothing(path: Path) -> None:
    new_file(path)
    other = python(LIMITED, path)
    told, _ = other.communicate(timeout=60)
    assert other.returncode == 0
    count, _, message = told.partition(" ")
    assert "the disk refused" in message or "the disk is full" in message
    with Engine(path) as engine:
        assert len(contents_of_all(engine)) == int(count) + 1
        check_file(engine)
