"""`tablewright generate`, run as people run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tablewright import tasks
from tablewright.cli.main import main
from tests.cli.test_designing import SPEC

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
    assert main(["design", "shop.yaml", "--quick", "-o", "."]) == 0
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
