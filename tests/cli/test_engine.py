"""The command line, run as people run it."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from tablewright.cli.main import main
from tablewright.engine import Engine
from tablewright.tasks import NewTable

PEOPLE = "id,city,age\n1,Rome,30\n2,Rome,41\n3,Oslo,25\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def people(folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A file with a table of three people in two cities."""
    (folder / "people.csv").write_text(PEOPLE)
    assert main("engine import people people.csv --file app.db --pk city --sk id:N".split()) == 0
    assert capsys.readouterr().err == "3 items imported into people\n"
    return folder / "app.db"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command that must succeed prints on stdout."""
    assert main(["engine", *arguments]) == 0
    return capsys.readouterr().out


def failure(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line of a command that must fail, and must not say anything else."""
    try:
        status = main(["engine", *arguments])
    except SystemExit as usage:
        status = usage.code
    said = capsys.readouterr()
    assert status in (1, 2)
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


def test_tables(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "tables", "--file", "app.db") == (
        "table   keys          items  size  indexes\n"
        "------  ------------  -----  ----  -------\n"
        "people  city S, id N  3      51 B\n"
    )
    (told,) = json.loads(run(capsys, "tables", "--file", "app.db", "--json"))
    assert (told["TableName"], told["ItemCount"]) == ("people", 3)


def test_query(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main("engine query people --file app.db --pk Rome --descending".split()) == 0
    said = capsys.readouterr()
    assert said.out == "city  id  age\n----  --  ---\nRome  2   41\nRome  1   30\n"
    assert said.err == "2 items, 2 read, 0.5 read units\n"


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ("--pk Rome --sk 2", ["2"]),
        ("--pk Rome --sk-from 2", ["2"]),
        ("--pk Rome --sk-to 1", ["1"]),
        ("--pk Rome --sk-from 1 --sk-to 2", ["1", "2"]),
        ("--pk Paris", []),
        ("--limit 2 --pk Rome", ["1", "2"]),
    ],
)
def test_query_as_json(people: Path, capsys: pytest.CaptureFixture[str], options: str, found: list[str]) -> None:
    told = json.loads(run(capsys, "query", "people", "--file", "app.db", "--json", *options.split()))
    assert [item["id"]["N"] for item in told["Items"]] == found
    assert told["Count"] == len(found)


def test_a_query_without_partition_reads_the_table(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main("engine query people --file app.db --limit 2".split()) == 0
    said = capsys.readouterr()
    assert said.out.count("\n") == 4
    assert "there are more" in said.err


def test_values_of_every_type_are_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    item = {
        "id": {"S": "a\nb"},
        "long": {"S": "x" * 100},
        "map": {"M": {"k": {"L": [{"BOOL": True}, {"NULL": True}, {"N": "1.50"}]}}},
        "set": {"NS": ["1", "2"]},
    }
    (folder / "x.jsonl").write_text(json.dumps(item))
    run(capsys, "import", "things", "x.jsonl", "--file", "app.db", "--pk", "id")
    shown = run(capsys, "query", "things", "--file", "app.db").splitlines()
    assert shown[2].startswith("a\N{REPLACEMENT CHARACTER}b  " + "x" * 47 + "…  ")
    assert '{"k": [true, null, "1.5"]}' in shown[2]


@pytest.mark.parametrize("target", ["out.jsonl", "out.jsonl.gz"])
def test_export_and_import(people: Path, capsys: pytest.CaptureFixture[str], folder: Path, target: str) -> None:
    run(capsys, "export", "people", target, "--file", "app.db")
    content = (folder / target).read_bytes()
    lines = (gzip.decompress(content) if target.endswith(".gz") else content).splitlines()
    assert {json.loads(line)["Item"]["id"]["N"] for line in lines} == {"1", "2", "3"}
    run(capsys, "import", "copy", target, "--file", "copy.db", "--pk", "city", "--sk", "id:N")
    assert "copy" in run(capsys, "tables", "--file", "copy.db")


def test_export_as_s3_does(people: Path, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    run(capsys, "export", "people", "out", "--file", "app.db", "--format", "s3")
    assert len(list((folder / "out").glob("AWSDynamoDB/*/data/*.json.gz"))) == 1
    run(capsys, "import", "copy", "out", "--file", "app.db", "--pk", "city", "--sk", "id:N")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("", "required: ACTION"),
        ("dance", "invalid choice"),
        ("serve --port 70000", "from 0 to 65535"),
        ("serve --port x", "from 0 to 65535"),
        ("serve --durability some", "invalid choice"),
        ("serve --file missing/app.db", "missing/app.db"),
        ("serve --host 203.0.113.1 --port 0", "cannot listen on 203.0.113.1:0"),
        ("tables", "required: --file"),
        ("tables --file missing.db", "no such file"),
        ("tables --file people.csv", "people.csv"),
        ("query missing --file app.db", "there is no table 'missing'; there are people"),
        ("query people --file app.db --index nope", "no index 'nope'"),
        ("query people --file app.db --sk 1", "give --pk"),
        ("query people --file app.db --pk a --pk b", "--pk is given 2 times"),
        ("query people --file app.db --pk a --sk 1 --sk-from 1", "no sort key left"),
        ("query people --file app.db --pk a --sk-from 1 --sk-begins-with 1", "either"),
        ("query people --file app.db --pk a --sk x", "numeric value"),
        ("query people --file app.db --limit 0", "from 1 on"),
        ("query people --file app.db --descending", "give --pk"),
        ("import people missing.jsonl --file app.db", "no such file"),
        ("import other people.csv --file app.db", "give --pk"),
        ("import other people.csv --file app.db --sk id", "--sk needs --pk"),
        ("import other people.csv --file app.db --pk id:X", "S, N or B"),
        ("import other people.csv --file app.db --pk nope", "Missing the key nope"),
        ("import other people.csv --file new.db --pk nope", "Missing the key nope"),
        ("import people . --file app.db --format json", "is a folder"),
        ("import people . --file app.db", "is this an export"),
        ("import people people.csv --file app.db --format json", "not JSON"),
        ("import people people.csv --file app.db --delimiter ab", "not one character"),
        ("export missing x --file app.db", "no table"),
        ("export people people.csv --file app.db", "already"),
        ("export people people.csv --file app.db --format s3", "is a file"),
        ("export people missing/x --file app.db", "missing/x"),
    ],
)
def test_mistakes_get_one_line_and_leave_nothing(
    people: Path, capsys: pytest.CaptureFixture[str], folder: Path, arguments: str, complaint: str
) -> None:
    assert complaint in failure(capsys, *arguments.split())
    assert {path.name for path in folder.iterdir()} <= {"app.db", "app.db-wal", "app.db-shm", "people.csv"}
    assert (folder / "people.csv").read_text() == PEOPLE
    assert [told["TableName"] for told in json.loads(run(capsys, "tables", "--file", "app.db", "--json"))] == ["people"]


@pytest.mark.parametrize("size", [0, 1, 16, 99, 100, 512, 4095])
@pytest.mark.parametrize("command", ["check", "tables", "query people", "export people out.jsonl"])
def test_a_truncated_file_is_not_taken_for_a_new_one(
    people: Path, capsys: pytest.CaptureFixture[str], folder: Path, command: str, size: int
) -> None:
    content = people.read_bytes()[:size]
    (folder / "short.db").write_bytes(content)
    assert "short.db" in failure(capsys, *command.split(), "--file", "short.db")
    assert (folder / "short.db").read_bytes() == content
    assert not {path.name for path in folder.iterdir()} & {"short.db-wal", "short.db-shm", "out.jsonl"}


def test_a_log_beside_a_truncated_file_is_not_thrown_away(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "short.db").touch()
    (folder / "short.db-wal").write_bytes(b"what may help to get it back")
    failure(capsys, "check", "--file", "short.db")
    assert (folder / "short.db-wal").read_bytes() == b"what may help to get it back"


def test_an_empty_database_of_somebody_else_stays_as_it_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    connection = sqlite3.connect(folder / "blank.db")
    connection.execute("vacuum")
    connection.close()
    before = (folder / "blank.db").read_bytes()
    assert "there is nothing in it" in failure(capsys, "tables", "--file", "blank.db")
    assert (folder / "blank.db").read_bytes() == before != b""


def test_what_to_do_with_an_empty_file_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "empty.db").touch()
    said = failure(capsys, "check", "--file", "empty.db")
    assert "there is nothing in it" in said
    assert "use a copy" in said
    (folder / "people.csv").write_text(PEOPLE)
    run(capsys, "import", "people", "people.csv", "--file", "empty.db", "--pk", "id")  # a writer may begin here


def test_a_database_that_is_only_in_the_log_so_far_is_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SQLite moves what is written to the file later on."""
    with Engine(folder / "young.db") as engine:
        engine.call("CreateTable", NewTable("id", None).params("people"))
        assert "people" in run(capsys, "tables", "--file", "young.db")


def test_overwriting_is_possible_when_asked(people: Path, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / "out").write_text("before")
    run(capsys, "export", "people", "out", "--file", "app.db", "--overwrite")
    assert (folder / "out").read_text().count("\n") == 3


def test_serve_greets_answers_and_stops(folder: Path) -> None:
    command = [sys.executable, "-m", "tablewright.cli", "engine", "serve", "--port", "0", "--file", "app.db"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as process:
        assert process.stdout is not None
        greeting = ""
        while "Ctrl+C" not in greeting:
            greeting += process.stdout.readline()
        found = re.search(r"answers at (http://127\.0\.0\.1:\d+)", greeting)
        assert found is not None
        assert all(word in greeting for word in ("boto3.client(", "aws dynamodb", "new DynamoDBClient("))
        with urlopen(found[1]) as reply:
            assert reply.read().startswith(b"healthy")
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
    assert (folder / "app.db").exists()


def test_a_taken_port_is_told(folder: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "tablewright.cli", "engine", "serve", "--port", str(port)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"cannot listen on 127.0.0.1:{port}" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_reader_that_has_seen_enough_is_no_failure(people: Path) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = f"{sys.executable} -m tablewright.cli engine tables --file app.db --json | head -c 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, timeout=20, env=environment)
    assert "Traceback" not in done.stderr
