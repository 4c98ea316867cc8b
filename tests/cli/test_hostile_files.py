"""Files that are made to hurt, given to every command that reads one: a message with the file, in little memory."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import tablewright
from tablewright.engine.transfer.lines import Lines
from tests.schema.test_documents import LAUGHS

MOST_MEMORY = 1024 * 1024 * 1024
DEEP = "[" * 200_000


def openapi(schemas: dict[str, object], answer: object) -> str:
    content = {"application/json": {"schema": answer}}
    paths = {"/things/{id}": {"get": {"responses": {"200": {"content": content}}}}}
    return json.dumps({"openapi": "3.0.0", "info": {"title": "t"}, "paths": paths, "components": {"schemas": schemas}})


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


EXPLOSION = {f"S{at}": {"allOf": [ref(f"S{at + 1}") for _ in range(12)]} for at in range(12)}
EXPLOSION["S12"] = {"type": "object", "properties": {"id": {"type": "string"}}}  # type: ignore[dict-item]
MANY_PARTS = {f"S{at}": {"allOf": [ref(f"S{at + 1}")]} for at in range(5000)}

REFUSED = [
    (["design", "x.yaml"], LAUGHS, "x.yaml:7: more than 300,000 values"),
    (["ask", "x.yaml"], LAUGHS, "x.yaml:7: more than 300,000 values"),
    (["generate", "x.yaml", "--to", "all", "-o", "out"], DEEP, "x.yaml:1: nested more than 100 levels"),
    (["init", "new.yaml", "--from", "x.yaml"], "openapi: 3.0.0\n" + LAUGHS, "x.yaml:8: more than 300,000 values"),
    (["init", "new.yaml", "--from", "x.json"], '{"a": ' + DEEP, "x.json:1: nested more than 100 levels"),
    (["init", "new.yaml", "--from", "x.sql"], "CREATE TABLE a (b int CHECK " + "(" * 50_000, "x.sql cannot be read"),
    (["init", "new.yaml", "--from", "x.json"], openapi(MANY_PARTS, ref("S0")), "more than 200 others"),
    (["cost", "x.json"], '{"format": "tablewright-design", "a": ' + DEEP, "x.json: nested more than 100 levels"),
    (["design", "good.yaml", "--prices", "x.yaml"], LAUGHS, "x.yaml:7: more than 300,000 values"),
    (["design", "good.yaml", "--keep", "x.json"], '{"format": ' + DEEP, "x.json: nested more than 100 levels"),
]
GOOD = next(iter(sorted((Path(__file__).parents[2] / "examples" / "specs").glob("*.yaml")))).read_text("utf-8")


def spoiled(field: str, value: str) -> str:
    """A good spec with another value in the first such field."""
    found, count = re.subn(rf"\b{field}: [^,}}\n]+", lambda _: f"{field}: {value}", GOOD, count=1)
    assert count
    return found


SURROGATE = '"\\ud800"'
NUMBERS = [
    (["design", "x.yaml", "--quick"], spoiled("count", ".nan"), ".nan is no number"),
    (["prove", "x.yaml"], spoiled("count", ".inf"), ".inf is no number"),
    (["ask", "x.yaml"], spoiled("count", "9" + "0" * 400), "the number 90000... has more than 300 digits"),
    (["explain", "x.yaml", "AP1"], spoiled("count", "9" * 5001), "the number 99999... has more than 300 digits"),
    (["compare", "x.yaml", "x.yaml"], spoiled("count", "9" + "0" * 100), ".count: 9000"),
    (["design", "x.yaml", "--json"], spoiled("description", SURROGATE), r"half a character (\ud800)"),
    (["design", "x.yaml", "--json"], f"title: {SURROGATE}\n{GOOD}", r"x.yaml:1: half a character (\ud800)"),
    (["design", "good.yaml", "--prices", "x.yaml"], "write_per_million: .nan", "x.yaml:1: .nan is no number"),
    (["design", "good.yaml", "--prices", "x.yaml"], "write_per_million: 1.0e+300", "a price is at least 0 and at most"),
    (["design", "good.yaml", "--prices", "x.yaml"], f"region: {SURROGATE}", r"x.yaml:1: half a character (\ud800)"),
    (["heat", "good.yaml", "--traffic", "1e308"], "", "traffic of 1e+308"),
    (["cost", "good.yaml", "--traffic", "1e308"], "", "traffic of 1e+308"),
    (
        ["init", "new.yaml", "--from", "x.json"],
        openapi({}, {"title": "\ud800"}),
        r"x.json:1: half a character (\ud800)",
    ),
]
TAKEN = {
    "explosion": openapi(EXPLOSION, ref("S0")),
    "a list of itself": openapi(
        {
            "Thing": {"type": "object", "properties": {"id": {"type": "string"}}},
            "L": {"type": "array", "items": ref("L")},
        },
        {"allOf": [ref("L"), ref("Thing")]},
    ),
    "itself": openapi({"Thing": {"allOf": [ref("Thing")], "properties": {"id": {}}}}, ref("Thing")),
    "a reference to itself": openapi({"Thing": ref("Other"), "Other": ref("Thing")}, ref("Thing")),
    "not what it should be": openapi({"Thing": {"allOf": 3, "required": 4, "properties": {"id": 5}}}, ref("Thing")),
    "references that are none": openapi({"Thing": {"$ref": {"a": 1}, "properties": {"id": {}}}}, ref("Thing")),
}


def little_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def run(folder: Path, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tablewright.cli", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(tablewright.__file__).parents[1])},
        preexec_fn=little_memory,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(("arguments", "text", "fault"), REFUSED + NUMBERS, ids=lambda each: ascii(each)[-30:])
def test_a_hostile_file_is_refused_by_name(arguments: list[str], text: str, fault: str, tmp_path: Path) -> None:
    for name in ("x.yaml", "x.json", "x.sql"):
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "good.yaml").write_text(GOOD, "utf-8")
    done = run(tmp_path, arguments)
    said = " ".join((done.stdout + done.stderr).split())
    assert done.returncode != 0
    assert fault in said, said[-1000:]
    assert "Traceback" not in said
    assert not (tmp_path / "new.yaml").exists()
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", TAKEN)
def test_references_that_turn_in_circles_end(name: str, tmp_path: Path) -> None:
    (tmp_path / "api.json").write_text(TAKEN[name], "utf-8")
    done = run(tmp_path, ["init", "new.yaml", "--from", "api.json"])
    said = done.stdout + done.stderr
    assert "Traceback" not in said, said[-2000:]
    assert done.returncode == 0 or "no endpoint" in said, said[-2000:]


LIVE = "{id: EVIL, description: injected, kind: query, entity: User, by: [x]}"


def test_a_line_break_in_a_foreign_name_makes_no_pattern(tmp_path: Path) -> None:
    index = f'create index "i\n  - {LIVE}\n#" on users (x);'
    (tmp_path / "j.sql").write_text(f"CREATE TABLE users (id int primary key, x text); {index}", "utf-8")
    done = run(tmp_path, ["init", "j.yaml", "--from", "j.sql"])
    assert done.returncode == 0, done.stderr
    patterns = yaml.safe_load((tmp_path / "j.yaml").read_text("utf-8"))["access_patterns"]
    assert "EVIL" not in {each["id"] for each in patterns}


def test_what_makes_no_spec_is_told_of_the_file_it_came_from(tmp_path: Path) -> None:
    (tmp_path / "j.sql").write_text(f"CREATE TABLE {'u' * 100_000} (id int primary key, x text);", "utf-8")
    done = run(tmp_path, ["init", "j.yaml", "--from", "j.sql"])
    assert done.returncode != 0
    assert "j.sql: the name 'U" in done.stderr
    assert len(done.stderr) < 2000


def test_a_byte_order_mark_hides_no_design(tmp_path: Path) -> None:
    from tablewright import tasks

    mark = b"\xef\xbb\xbf"
    (tmp_path / "good.yaml").write_text(GOOD, "utf-8")
    tasks.write_design(tasks.design(tmp_path / "good.yaml", quick=True), tmp_path)
    design = tmp_path / "design.json"
    design.write_bytes(mark + design.read_bytes())
    (tmp_path / "x.sql").write_bytes(mark + b"CREATE TABLE users (id int primary key, x text);")
    (tmp_path / "items.json").write_bytes(mark + b'{"Item": {"id": {"S": "1"}}}\n')
    assert [each.item for each in Lines([tmp_path / "items.json"]).records()] == [{"id": {"S": "1"}}]
    for arguments in (["cost", "design.json"], ["init", "new.yaml", "--from", "x.sql"]):
        done = run(tmp_path, arguments)
        assert done.returncode == 0, done.stdout + done.stderr
