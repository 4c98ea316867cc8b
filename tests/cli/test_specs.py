"""Beginning a spec, and completing it in an interview."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml

from tablewright import tasks
from tablewright.cli.main import main
from tablewright.design.advice import Answer, Question

INPUTS = Path(__file__).parents[1] / "spec" / "imports" / "inputs"
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ---- init -----------------------------------------------------------------------------------------------------------


def test_init_writes_a_spec_that_designs_and_never_over_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init"]) == 0
    assert capsys.readouterr().err == "tablewright.yaml written; next: tablewright design tablewright.yaml\n"
    (folder / "tablewright.yaml").write_text("mine")
    assert main(["init"]) == 1
    assert "is there already" in capsys.readouterr().err
    assert (folder / "tablewright.yaml").read_text() == "mine"


@pytest.mark.parametrize("name", ["hospital.sql", "shop.openapi.yaml", "tasks.electrodb.json"])
def test_init_from_a_file(folder: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main(["init", "new.yaml", "--from", str(INPUTS / name)]) == 0
    assert "# Inferred from the" in (folder / "new.yaml").read_text()
    assert yaml.safe_load((folder / "new.yaml").read_text())["access_patterns"]


def test_init_from_classes_by_module_and_by_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "one.yaml", "--from", "examples.task_management.model:taskapp"]) == 0
    assert main(["init", "other.yaml", "--from", str(EXAMPLES / "sensor_readings" / "model.py")]) == 0
    spec = yaml.safe_load((folder / "one.yaml").read_text())
    assert spec["entities"]["Employee"]["unique"] == [["email"]]
    assert {"from": "Project", "to": "Task", "kind": "one-to-many", "by": ["projectId"]} in spec["relationships"]
    other = (folder / "other.yaml").read_text()
    assert "items expire by expires: say after how many days" in other
    assert yaml.safe_load(other)["entities"]["Reading"]["id"] == ["sensor", "at"]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("none.sql", "there is no file none.sql"),
        ("no.such.module:x", "cannot be imported"),
        ("examples.task_management.model:nobody", "has no service nobody; its services are: taskapp"),
        ("words.txt", "--from takes"),
    ],
)
def test_init_from_something_else_fails_in_a_line(
    folder: Path, capsys: pytest.CaptureFixture[str], source: str, told: str
) -> None:
    (folder / "words.txt").write_text("hello")
    assert main(["init", "new.yaml", "--from", source]) == 1
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1
    assert not (folder / "new.yaml").exists()


# ---- schema ---------------------------------------------------------------------------------------------------------


def test_schemas_check_what_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = {}
    for kind in ("spec", "design", "service"):
        assert main(["schema", kind]) == 0
        found[kind] = json.loads(capsys.readouterr().out)
    spec = yaml.safe_load((EXAMPLES / "specs" / "chat.yaml").read_text())
    jsonschema.validate(spec, found["spec"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**spec, "entitys": {}}, found["spec"])
    assert main(["design", str(EXAMPLES / "specs" / "chat.yaml"), "--json", "--quick"]) == 0
    jsonschema.validate(json.loads(capsys.readouterr().out), found["design"])


# ---- ask ------------------------------------------------------------------------------------------------------------

SPEC = """\
entities:
  A: {id: [a], attributes: {a: string}}  # the only one
access_patterns:
  - {id: P, kind: get, entity: A, by: [a]}
"""
QUESTIONS = (
    Question(
        id="count",
        place="entities.A.count",
        question="How many A are there?",
        value=2.0,
        answers=(
            Answer(answer="few", outcome="1 GSI", is_assumed=True, changes={"entities.A.count": 10}),
            Answer(answer="many", outcome="2 GSIs", changes={"entities.A.count": 1000000}),
        ),
    ),
    Question(
        id="rate",
        place="access_patterns.P.rate",
        question="How often?",
        value=1.0,
        answers=(Answer(answer="often", outcome="shards", changes={"access_patterns.P.rate": {"avg": 5, "peak": 50}}),),
    ),
)


@pytest.fixture
def spec(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tasks, "questions", lambda given: QUESTIONS)
    (folder / "a.yaml").write_text(SPEC)
    return folder / "a.yaml"


def test_ask_shows_every_outcome_and_writes_the_answers(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "a.yaml", "--answers", "2,1"]) == 0
    shown = capsys.readouterr().out
    for text in (
        "1 of 2: How many A are there?",
        "1) few (assumed now): 1 GSI",
        "2) many: 2 GSIs",
        "2 of 2: How often?",
    ):
        assert text in shown
    assert spec.read_text() == SPEC.replace("string}}", "string}, count: 1000000}").replace(
        "by: [a]}", "by: [a], rate: {avg: 5, peak: 50}}"
    )


def test_ask_reads_a_pipe_and_skips_what_is_not_answered(
    spec: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n1\n"))
    assert main(["ask", "a.yaml"]) == 0
    assert "count" not in spec.read_text()
    assert "peak: 50" in spec.read_text()
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert main(["ask", "a.yaml"]) == 0
    assert "a.yaml is as it was" in capsys.readouterr().out


def test_a_person_may_try_again(
    spec: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keyboard = io.StringIO("seven\n9\n1\n1\n")
    monkeypatch.setattr(keyboard, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", keyboard)
    assert main(["ask", "a.yaml"]) == 0
    assert "'seven' is no answer; write a number from 1 to 2" in capsys.readouterr().out
    assert "count: 10}" in spec.read_text()


def test_nothing_is_written_when_it_is_called_off(
    spec: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted(io.StringIO):
        def readline(self, size: int = -1) -> str:
            if self.tell():
                raise KeyboardInterrupt
            return super().readline(size)

    monkeypatch.setattr(sys, "stdin", Interrupted("1\n1\n"))
    assert main(["ask", "a.yaml"]) == 130
    assert spec.read_text() == SPEC


def test_a_wrong_answer_from_a_script_is_an_error(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "a.yaml", "--answers", "3"]) == 1
    assert "'3' is no answer" in capsys.readouterr().err
    assert spec.read_text() == SPEC


def test_questions_as_json(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "a.yaml", "--json"]) == 0
    assert [each["id"] for each in json.loads(capsys.readouterr().out)] == ["count", "rate"]
