"""What the commands say of a proof: passed, failed, not run, or silent about a pattern; and what they then refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tablewright import tasks
from tablewright.cli.main import main
from tablewright.design.model import Design, ProofReport
from tablewright.design.read import design_json, read_design
from tablewright.proof import run
from tablewright.report.document import document, overview
from tablewright.report.html.page import html_page
from tablewright.report.markdown import markdown
from tablewright.report.text import plain_text
from tests.cli.test_designs import SPEC

REASON = 'nobody here can read "the caller is in a good mood"'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.yaml").write_text(SPEC)
    return tmp_path


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    """No spec is known whose design fails, so the proof is made to."""

    def fail(design: Design) -> ProofReport:
        return ProofReport(seed=1, items={}, patterns=(), passed=False, failure="AP2: answered otherwise")

    monkeypatch.setattr(run, "prove", fail)


def edited(name: str, change: Any, *options: str) -> str:
    """The design of the spec in a file, changed as somebody with an editor might."""
    assert main(["design", "shop.yaml", "--quick", "-o", "out", *options]) == 0
    found = json.loads(Path("out/design.json").read_text())
    change(found)
    Path(name).write_text(json.dumps(found))
    return name


def pattern_of(found: dict[str, Any], id: str) -> dict[str, Any]:  # noqa: A002 - the design's own word
    return next(each for each in found["patterns"] if each["id"] == id)


# ---- prove ----------------------------------------------------------------------------------------------------------


def look_elsewhere(found: dict[str, Any]) -> None:
    pattern_of(found, "AP2")["reads"][0]["pk"][0]["template"] += "x"


def forget_a_key(found: dict[str, Any]) -> None:
    """The status is changed at another key: what is stored no longer follows from what was written."""
    pattern_of(found, "AP5")["writes"][0]["condition"] = None
    pattern_of(found, "AP5")["writes"][0]["key"][0]["template"] += "x"


def promise_too_little(found: dict[str, Any]) -> None:
    pattern_of(found, "AP3")["predicted"]["rcu"] /= 2


@pytest.mark.parametrize("change", [look_elsewhere, forget_a_key, promise_too_little])
def test_whatever_differs_is_told_and_the_status_is_one(change: Any, capsys: pytest.CaptureFixture[str]) -> None:
    name = edited("broken.json", change)
    capsys.readouterr()
    assert main(["prove", name]) == 1
    said = capsys.readouterr()
    assert "FAILED, " in said.out
    assert "The first: AP" in said.out
    assert said.err == "tablewright: the proof of broken.json failed\n"


def test_json_of_a_failed_proof_is_json_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    name = edited("broken.json", look_elsewhere)
    capsys.readouterr()
    assert main(["prove", name, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["passed"] is False


@pytest.mark.usefixtures("failing")
@pytest.mark.parametrize("form", [(), ("--json",), ("--markdown",), ("-o", "out")])
def test_a_design_that_fails_is_not_shown_and_not_written(
    folder: Path, form: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["design", "shop.yaml", "--quick", "--prove", *form]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("tablewright: the design of shop failed its proof, so it is not shown: AP2: answered")
    assert not (folder / "out").exists()


# ---- generate -------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("failing")
def test_nothing_is_generated_from_a_spec_whose_design_fails(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "shop.yaml", "--to", "terraform", "-o", "made"]) == 1
    said = capsys.readouterr()
    assert (said.out, "failed its proof, so nothing is generated from it: AP2: answered" in said.err) == ("", True)
    assert not (folder / "made").exists()


def test_what_comes_from_a_spec_is_proven(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "shop.yaml", "--to", "terraform,document", "-o", "made"]) == 0
    assert "unproven" not in capsys.readouterr().err
    assert not list((folder / "made").rglob("UNPROVEN.md"))
    assert "proven by running it" in (folder / "made" / "document" / "design.md").read_text()


def test_without_a_proof_it_is_called_unproven_until_it_is_proven(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["generate", "shop.yaml", "--to", "terraform", "-o", "made"]
    assert main([*command, "--no-prove"]) == 0
    assert capsys.readouterr().err == "unproven: no proof of this design was run\n"
    note = folder / "made" / "terraform" / "UNPROVEN.md"
    assert "no proof of this design was run" in note.read_text()
    assert main(command) == 0
    assert not note.exists()
    note.write_text("mine")
    assert main(command) == 0
    assert note.read_text() == "mine"


def test_a_written_design_is_as_proven_as_it_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["design", "shop.yaml", "--quick", "-o", "plain"]) == 0
    assert main(["design", "shop.yaml", "--quick", "--prove", "-o", "proven"]) == 0
    capsys.readouterr()
    assert main(["generate", "plain/design.json", "--to", "terraform", "-o", "one"]) == 0
    assert capsys.readouterr().err == "unproven: no proof of this design was run\n"
    assert main(["generate", "proven/design.json", "--to", "terraform", "-o", "two"]) == 0
    assert capsys.readouterr().err == ""
    assert [path.parts[-3] for path in folder.rglob("UNPROVEN.md")] == ["one"]


def test_a_written_design_whose_proof_failed_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failed = tasks.prove(edited("broken.json", look_elsewhere))
    (path, _) = tasks.write_design(failed, folder / "failed")
    capsys.readouterr()
    command = ["generate", str(path), "--to", "terraform", "-o", "made"]
    assert main(command) == 1
    assert "failed its proof, so nothing is generated" in capsys.readouterr().err
    assert main([*command, "--no-prove"]) == 0
    assert capsys.readouterr().err.startswith("unproven: the proof of this design failed: AP2")


def test_a_design_that_was_changed_after_its_proof_is_unproven(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = edited("changed.json", look_elsewhere, "--prove")
    capsys.readouterr()
    assert main(["generate", name, "--to", "document", "-o", "made"]) == 0
    assert capsys.readouterr().err == "unproven: this design was changed after its proof\n"
    assert "CHANGED after it was proven" in (folder / "made" / "document" / "design.md").read_text()
    assert "changed since" in (folder / "made" / "document" / "design.html").read_text()


def test_of_a_schema_nothing_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    indexes = {"main": {"pk": {"field": "pk", "composite": ["id"]}, "sk": {"field": "sk", "composite": []}}}
    model = {"service": "notes", "entity": "note", "version": "1"}
    schema = {"model": model, "table": "notes", "attributes": {"id": "string"}, "indexes": indexes}
    (folder / "schema.json").write_text(json.dumps(schema))
    assert main(["generate", "schema.json", "--to", "classes"]) == 0
    assert capsys.readouterr().err == ""


# ---- what a proof says nothing of -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def doubtful() -> Design:
    """A proven design with a pattern that the proof says nothing of."""
    found = tasks.design(SPEC, quick=True)
    changed = tuple(
        msgspec.structs.replace(each, unproven=REASON) if each.id == "AP5" else each for each in found.patterns
    )
    return tasks.prove(msgspec.structs.replace(found, patterns=changed))


def test_the_head_line_names_it_in_every_form(doubtful: Design) -> None:
    said = f"proven by running it, except AP5: {REASON}"
    assert said in " ".join(plain_text(overview(doubtful)).split())
    assert said in " ".join(markdown(document(doubtful)).split())
    page = html_page(doubtful, lambda *_: ())
    assert "proven by running it, except AP5: nobody here can read" in page
    assert ", except AP5</small>" in page


def test_before_a_proof_it_is_named_too(doubtful: Design) -> None:
    shown = " ".join(plain_text(overview(msgspec.structs.replace(doubtful, proof=None))).split())
    assert f"not proven yet, and cannot be in AP5: {REASON}" in shown


def test_prove_and_generate_name_it(folder: Path, doubtful: Design, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "doubtful.json").write_bytes(design_json(doubtful))
    assert read_design(folder / "doubtful.json") == doubtful
    assert main(["prove", "doubtful.json"]) == 3
    assert f"passed, except AP5: {REASON}: " in " ".join(capsys.readouterr().out.split())
    assert main(["generate", "doubtful.json", "--to", "terraform"]) == 0
    assert capsys.readouterr().err == f"unproven: AP5: {REASON}\n"
    assert "AP5" in (folder / "generated" / "terraform" / "UNPROVEN.md").read_text()
