"""The reference pages are complete: every public name, every option, every error code, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import tablewright
from tablewright import tasks
from tablewright.cli.main import build_parser
from tablewright.runtime.options import Options
from tests.docs.made import RECORDS, commands
from tests.docs.markdown import anchors, included, prose

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"
NAMED_ROW = re.compile(r"^\| `(?P<name>\w+)` \| (?P<default>`[^`]+`)?")

# A code in the source: an argument or attribute `code`, or the second argument of `refuse(entity, 1004, ...)`.
CODE = re.compile(
    r"\b(?:code(?:: int)?\s*=\s*|refuse\(\w+,\s*|, )([1-5]0\d\d)\b|\b([1-5]0\d\d) if\b|\belse ([1-5]0\d\d)\b"
)
WITHOUT_CODES = {"engine", "architect", "proof", "codegen"}


def rows(page: str) -> dict[str, str]:
    """The rows of a page that explain one name, with what stands in their second column."""
    found = (NAMED_ROW.match(line) for line in prose((REFERENCE / page).read_text()))
    return {match["name"]: (match["default"] or "").strip("`") for match in found if match}


def codes_in_source() -> set[str]:
    # The engine speaks in DynamoDB's errors, the architect in places of a spec: names, and no codes.
    paths = (path for path in (ROOT / "src").rglob("*.py") if not WITHOUT_CODES & set(path.parts))
    texts = (path.read_text() for path in paths)
    return {code for text in texts for found in CODE.findall(text) for code in found if code}


def test_every_public_name_has_its_line() -> None:
    assert sorted(rows("api.md")) == sorted(tablewright.__all__)


def test_every_option_is_explained_with_its_default() -> None:
    described = rows("options.md")
    assert list(described) == list(Options.__struct_fields__)
    assert described == {name: shown(getattr(Options(), name)) for name in Options.__struct_fields__}


def shown(default: object) -> str:
    return f'"{default}"' if isinstance(default, str) else repr(default)


def test_every_code_has_an_anchor() -> None:
    codes = codes_in_source()
    assert {"1009", "1024", "2002", "2012", "3001", "4002", "5002"} <= codes
    assert codes <= anchors((REFERENCE / "errors.md").read_text())


def test_every_code_of_electrodb_has_an_anchor() -> None:
    known = {*range(1001, 1027), *range(2001, 2014), 3001, 4001, 4002, *range(5001, 5006)}
    assert {str(code) for code in known} <= anchors((REFERENCE / "errors.md").read_text())


def test_errors_point_at_the_page() -> None:
    page, _, anchor = tablewright.RequestError("no", code=2002).anchor.partition("#")
    assert (ROOT / page) == REFERENCE / "errors.md"
    assert anchor == "2002"


# ---- commands and specs: what the tables say is compared where pages are run; here, that none is missing -------------


def taken(page: Path) -> list[str]:
    return [each.heading for each in included(page.read_text())]


def test_every_command_has_its_section() -> None:
    assert taken(REFERENCE / "cli.md") == [f"tablewright {name}" for name, _ in commands(build_parser())]


def test_every_task_is_named_beside_its_command() -> None:
    text = (REFERENCE / "cli.md").read_text()
    functions = [name for name in tasks.__all__ if name.islower()]
    assert [name for name in functions if f"`{name}`" not in text] == []


def test_every_part_of_a_spec_has_its_table() -> None:
    assert taken(ROOT / "docs" / "architect" / "spec.md") == ["The whole", *RECORDS]
