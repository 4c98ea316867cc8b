"""Every example runs as its reader would run it, says what its README says, and warns of nothing; applications do so on
a server and under another table's name as well."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import tablewright as tw
from tablewright.engine import Engine
from tablewright.engine.server import serve
from tablewright.wire.call import Call
from tablewright.wire.document import read_reply

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted(path.stem for path in (ROOT / "examples").glob("[a-z]*.py"))
APPLICATIONS = sorted(path.parent.name for path in (ROOT / "examples").glob("*/__main__.py"))


def run_example(name: str, folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", f"examples.{name}", *arguments]
    known = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(command, cwd=folder, env=known, capture_output=True, text=True, check=False, timeout=120)


def output_of(name: str, folder: Path, *arguments: str, **environment: str) -> str:
    done = run_example(name, folder, *arguments, **environment)
    assert done.returncode == 0, done.stderr
    assert [each.name for each in folder.iterdir()] == (["build"] if name == "demo" else [])
    return done.stdout.strip("\n")


def readme(name: str) -> str:
    return (ROOT / "examples" / name / "README.md").read_text(encoding="utf-8")


def service_of(name: str) -> tw.Service:
    model = importlib.import_module(f"examples.{name}.model")
    (service,) = (each for each in vars(model).values() if isinstance(each, tw.Service))
    return service


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The engine on a port, which stands for AWS."""

    url: str
    engine: Engine

    @property
    def environment(self) -> dict[str, str]:
        keys = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "eu-west-1"}
        return {**keys, "AWS_ENDPOINT_URL_DYNAMODB": self.url}

    def tables(self) -> list[str]:
        return list(self.engine.call("ListTables", {})["TableNames"])


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    engine = Engine()
    server = serve(engine).start()
    yield Elsewhere(server.url, engine)
    server.stop()


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_runs(name: str, tmp_path: Path) -> None:
    told = output_of(name, tmp_path)
    assert told
    assert name != "demo" or max(map(len, told.splitlines())) <= 120


@pytest.mark.parametrize("name", APPLICATIONS)
def test_application_says_what_its_readme_says(name: str, tmp_path: Path) -> None:
    assert f"```text\n{output_of(name, tmp_path)}\n```" in readme(name)


@pytest.mark.parametrize("name", APPLICATIONS)
def test_readme_has_the_access_patterns(name: str) -> None:
    assert f"```text\n{service_of(name).describe()}\n```" in readme(name)


@pytest.mark.parametrize("name", APPLICATIONS)
def test_application_runs_in_aws_in_a_table_of_any_name(name: str, tmp_path: Path, elsewhere: Elsewhere) -> None:
    told = output_of(name, tmp_path, "--keep", "--aws", f"{name}-demo", **elsewhere.environment)
    assert told in readme(name)
    assert elsewhere.tables() == [f"{name}-demo"]


@pytest.mark.parametrize("name", ["ecommerce", "sessions"], ids=["blocking", "awaited"])
def test_application_runs_on_a_server_and_leaves_nothing(name: str, tmp_path: Path, elsewhere: Elsewhere) -> None:
    assert output_of(name, tmp_path, "--endpoint", elsewhere.url) in readme(name)
    assert elsewhere.tables() == []


@pytest.mark.parametrize("name", ["sensor_readings", "sessions"], ids=["blocking", "awaited"])
def test_a_table_that_is_there_is_not_touched(name: str, tmp_path: Path, elsewhere: Elsewhere) -> None:
    tw.Database.embedded(engine=elsewhere.engine).create(service_of(name))
    refused = run_example(name, tmp_path, "--endpoint", elsewhere.url)
    table = service_of(name).table.name
    assert refused.stderr.strip() == f'the table "{table}" exists already; name one that does not, or delete it first'
    assert elsewhere.tables() == [table]


def test_nothing_of_a_closed_workspace_is_left(tablewright_db: tw.Database) -> None:
    from examples.life_os import app
    from examples.life_os.__main__ import HOUSE, MANUAL, OVEN
    from examples.life_os.model import life

    tablewright_db.create(life)
    app.found_workspace(tablewright_db, "home", "Home", "ann")
    home = app.enter(tablewright_db, "home", "ann")
    home.add(HOUSE, OVEN, MANUAL)
    home.relate(MANUAL, OVEN, "describes")
    home.relate(HOUSE, OVEN, "holds")
    home.comment(OVEN, "Twelve years old.")
    home.write_page("food")
    assert list(app.close_workspace(tablewright_db, "home"))[-1].is_done
    transport = tablewright_db.transport
    assert read_reply(transport.call(Call("Scan", {"TableName": "life"})))["Items"] == []
