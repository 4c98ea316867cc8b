"""`tablewright generate`, run as people run it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tablewright import tasks
from tablewright.cli.main import main
from tablewright.schema.dump import dump
from tablewright.schema.load import load
from tests.cli.test_designs import SPEC

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.yaml").write_text(SPEC)
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 1) -> str:
    """What a command that must fail says, without a traceback."""
    assert main(arguments) == status
    said = capsys.readouterr().err
    assert "Traceback" not in said
    return said


def test_targets_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "--list"]) == 0
    listed = capsys.readouterr().out
    assert [line.split()[0] for line in listed.splitlines()] == list(tasks.generation_targets())


def test_files_of_a_target_are_written_and_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "shop.yaml", "--to", "terraform", "--to", "cloudformation,workbench", "-o", "made"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in told] == ["made/cloudformation", "made/terraform", "made/workbench"]
    assert (folder / "made" / "terraform" / "main.tf").read_text().startswith('resource "aws_dynamodb_table" "shop"')


def test_a_written_design_gives_the_same_as_its_spec(folder: Path) -> None:
    assert main(["design", "shop.yaml", "--quick", "--prove", "-o", "."]) == 0
    assert tasks.generated(folder / "design.json", ["typescript"]) == tasks.generated(
        folder / "shop.yaml", ["typescript"]
    )


def test_the_same_again_changes_nothing(folder: Path) -> None:
    command = ["generate", "shop.yaml", "--to", "cdk-python", "-o", "made"]
    assert main(command) == 0
    before = {path: path.stat().st_size for path in (folder / "made").rglob("*") if path.is_file()}
    assert main(command) == 0
    assert before == {path: path.stat().st_size for path in (folder / "made").rglob("*") if path.is_file()}


def test_a_file_changed_by_hand_is_kept(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["generate", "shop.yaml", "--to", "terraform", "-o", "made"]
    assert main(command) == 0
    changed = folder / "made" / "terraform" / "main.tf"
    changed.write_text("# mine\n")
    (folder / "made" / "terraform" / "versions.tf").unlink()
    assert "main.tf" in refused(capsys, *command)
    assert changed.read_text() == "# mine\n"
    assert not (folder / "made" / "terraform" / "versions.tf").exists()  # all or nothing
    assert main([*command, "--force"]) == 0
    assert changed.read_text() != "# mine\n"


def test_an_unknown_target_is_named_with_the_nearest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "generate", "shop.yaml", "--to", "tersaform")
    assert 'Did you mean "terraform"?' in said
    assert not (folder / "generated").exists()


def test_a_folder_that_cannot_be_written_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "made").write_text("a file")
    assert "made" in refused(capsys, "generate", "shop.yaml", "--to", "terraform", "-o", "made")


@pytest.mark.parametrize("arguments", [["generate"], ["generate", "shop.yaml"], ["generate", "--to", "terraform"]])
def test_what_is_missing_is_said(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "tablewright generate design.json --to all" in capsys.readouterr().err


# ---- classes from schemas -------------------------------------------------------------------------------------------

SCHEMA: dict[str, Any] = {
    "model": {"service": "notes", "entity": "note", "version": "1"},
    "table": "notes",
    "attributes": {"id": {"type": "string", "default": {"$fn": "makeId"}}, "text": "string"},
    "indexes": {"main": {"pk": {"field": "pk", "composite": ["id"]}, "sk": {"field": "sk", "composite": []}}},
}


@pytest.fixture
def schema(folder: Path) -> str:
    (folder / "schema.json").write_text(json.dumps(SCHEMA))
    return "schema.json"


def test_classes_are_written_from_an_electrodb_schema(
    folder: Path, schema: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", schema, "--to", "classes", "-o", "made"]) == 0
    assert capsys.readouterr().out == "made/classes: 1 file\n"
    assert "class Note(tw.Entity, service=notes" in (folder / "made" / "classes" / "notes.py").read_text()


def test_classes_are_written_from_our_own_form_and_from_designs(folder: Path) -> None:
    service = dump(load(SCHEMA, functions={"makeId": str}), functions={"makeId": str})
    (folder / "service.json").write_text(json.dumps(service))
    assert main(["generate", "service.json", "--to", "classes", "-o", "made"]) == 0
    assert (folder / "made" / "classes" / "notes.py").exists()
    assert main(["design", "shop.yaml", "--quick", "-o", "."]) == 0
    assert main(["generate", "design.json", "--to", "classes", "-o", "shop"]) == 0
    assert "tw.Entity" in (folder / "shop" / "classes" / "shop.py").read_text()


@pytest.mark.parametrize("targets", [("all",), ("typescript",), ("classes", "terraform")])
def test_nothing_else_is_made_of_a_schema(
    schema: str, targets: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = [part for each in targets for part in ("--to", each)]
    said = refused(capsys, "generate", schema, *wanted)
    assert "schema of a service, from which only classes can be generated" in said
    assert "tablewright init --from" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not valid JSON"),
        ("[1]", "holds no mapping"),
        ('{"a": 1}', "This is no schema"),
        (
            '{"model": {"service": "s", "entity": "e", "version": "1"}, "attributes": {"a": "strng"}, "indexes": {}}',
            "at least one",
        ),
    ],
)
def test_what_is_no_schema_is_told(folder: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.json").write_text(text)
    assert said in refused(capsys, "generate", "bad.json", "--to", "classes")


def test_a_missing_file_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert "cannot be read" in refused(capsys, "generate", "none.json", "--to", "classes")


def test_the_export_script_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export-script"]) == 0
    assert capsys.readouterr().out == tasks.export_script()
    assert tasks.export_script().startswith("// Writes ElectroDB services")
