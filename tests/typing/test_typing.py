"""Right code passes pyright and mypy in strict mode; each deliberate mistake is caught, nothing else is."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from tests.typing.checkers import FOLDER, errors_of
from tests.typing.expectations import CHECKERS, expectations, expected_lines

PASS = sorted((FOLDER / "pass").glob("*.py"))
FAIL = sorted((FOLDER / "fail").glob("*.py"))

# With `--dist loadgroup` one worker runs all tests of a checker, so that each checker starts once.
each_checker = pytest.mark.parametrize(
    "checker", [pytest.param(checker, marks=pytest.mark.xdist_group(checker)) for checker in CHECKERS]
)


def listed(errors: dict[int, list[str]]) -> str:
    return "\n".join(f"  line {line}: {message}" for line in sorted(errors) for message in errors[line])


@each_checker
@pytest.mark.parametrize("path", PASS, ids=lambda path: path.stem)
def test_right_code_passes(path: Path, checker: str) -> None:
    errors = errors_of(checker).get(path, {})
    assert not errors, f"{checker} reports\n{listed(errors)}"


@pytest.mark.parametrize("path", PASS, ids=lambda path: path.stem)
def test_right_code_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the checkers accept is no promise that the run time keeps not."""
    monkeypatch.syspath_prepend(str(FOLDER))
    runpy.run_path(str(path))


@each_checker
@pytest.mark.parametrize("path", FAIL, ids=lambda path: path.stem)
def test_mistakes_are_caught(path: Path, checker: str) -> None:
    errors = errors_of(checker).get(path, {})
    expected = expected_lines(path.read_text(), checker)
    missed = sorted(expected - set(errors))
    unexpected = {line: messages for line, messages in errors.items() if line not in expected}
    assert not missed, f"{checker} does not see the mistakes in lines {missed}"
    assert not unexpected, f"{checker} reports in unmarked lines\n{listed(unexpected)}"


@pytest.mark.parametrize("path", FAIL, ids=lambda path: path.stem)
def test_each_file_has_a_mistake(path: Path) -> None:
    assert expectations(path.read_text())


@pytest.mark.parametrize(
    ("line", "checkers"),
    [
        ("f(1)  # error: text wanted", {"mypy", "pyright"}),
        ("f(1)  # error[mypy]: pyright infers Any", {"mypy"}),
        ("f(1)  # error[pyright]: mypy infers Any", {"pyright"}),
    ],
)
def test_marks_name_their_checkers(line: str, checkers: set[str]) -> None:
    assert [set(expected.checkers) for expected in expectations(line)] == [checkers]


@pytest.mark.parametrize(
    "line", ["f(1)  # error", "f(1)  # error:", "f(1)  # error[mypy]", "f(1)  # error[ruff]: no checker"]
)
def test_careless_marks_are_refused(line: str) -> None:
    with pytest.raises(ValueError, match="line 1"):
        expectations(line)
