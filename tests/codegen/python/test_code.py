"""What is true of generated code whatever it does: complete, formatted, strictly typed, the same every time."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tablewright.codegen.python.model import name_design
from tablewright.codegen.python.patterns import runs_steps
from tablewright.codegen.targets import TARGETS, generate
from tests.codegen.designs import NAMES, case
from tests.codegen.nasty import nasty
from tests.codegen.python.generated import write_to
from tests.codegen.python.judged import to_judge
from tests.codegen.python.test_tablewright import SPECS
from tests.codegen.semantics import NAMES as SEMANTIC
from tests.codegen.semantics import semantic
from tests.codegen.specials import SPECIALS, special
from tests.golden.designs import golden

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.model import Design

BOTH = ("python", "python-boto3")
BIN = Path(sys.executable).parent
ROOT = Path(__file__).parents[3]


def everything() -> Iterable[tuple[str, Design]]:
    yield from ((name, case(name)) for name in NAMES)
    yield from ((path.stem, golden(path.stem)) for path in SPECS)
    for style in ("plain", "electrodb"):
        yield from ((f"{name}-{style}", special(name, style)) for name in SPECIALS)
        yield from ((f"{name}-{style}", semantic(name, style)) for name in SEMANTIC)
        yield f"nasty-{style}", nasty(style)


def written(designs: Iterable[tuple[str, Design]], folder: Path) -> list[Path]:
    """Both packages of every design, each in a folder of its own."""
    roots: list[Path] = []
    for name, each in designs:
        write_to(generate(each, BOTH), folder / name)
        roots += [folder / name / target for target in BOTH]
    return roots


def run(*command: str | Path, cwd: Path) -> None:
    done = subprocess.run([str(each) for each in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]


def check_tools(roots: list[Path], folder: Path) -> None:
    run(BIN / "ruff", "format", "--isolated", "--check", ".", cwd=folder)
    run(BIN / "ruff", "check", "--isolated", "--quiet", ".", cwd=folder)
    settings = {
        "typeCheckingMode": "strict",
        "include": [str(each.relative_to(folder)) for each in to_judge(roots)],
        "venvPath": str(BIN.parents[1]),
        "venv": BIN.parent.name,
        "executionEnvironments": [{"root": str(each.relative_to(folder))} for each in roots],
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    run(BIN / "pyright", "-p", "pyrightconfig.json", cwd=folder)


def functions(text: str) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    found = [each for each in ast.parse(text).body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert len({each.name for each in found}) == len(found)
    return {each.name: each for each in found}


def is_implemented(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether there is more than a docstring, and it calls something."""
    return any(isinstance(each, ast.Call) for line in function.body[1:] for each in ast.walk(line))


def check_complete(each: Design) -> None:
    known = name_design(each)
    files = generate(each, BOTH)
    modules = [f"python/{known.package}/patterns.py", f"python/{known.package}/patterns_async.py"]
    for name in (*modules, f"python-boto3/{known.package}/patterns.py"):
        found = functions(files[name])
        assert list(found) == [known.functions[pattern.id] for pattern in each.patterns]
        assert all(is_implemented(function) for function in found.values())
    assert not any("TODO" in text or "NotImplemented" in text for text in files.values())


@pytest.mark.parametrize("name", ["chat-system", "session-management"])
def test_every_access_pattern_has_one_function(name: str) -> None:
    check_complete(case(name))


def test_most_patterns_of_an_application_are_typed() -> None:
    shop = case("online-shop")
    stepped = [each.id for each in shop.patterns if runs_steps(name_design(shop), each)]
    assert len(stepped) * 4 <= len(shop.patterns)


TYPED = {
    "embedded": lambda: special("embedded", "electrodb"),
    "parents": lambda: special("parents", "plain"),
    "copied": lambda: special("copied", "electrodb"),
    "shop": lambda: semantic("shop"),
    "tasks": lambda: semantic("tasks", "plain"),
}


def test_code_is_formatted_and_strictly_typed(tmp_path: Path) -> None:
    check_tools(written(((name, make()) for name, make in TYPED.items()), tmp_path), tmp_path)


def test_modules_that_are_the_same_are_judged_once(tmp_path: Path) -> None:
    """Unless they import something that is not the same."""
    for name, said in (("one", "1"), ("two", "1"), ("three", '""')):
        files = {"a.py": f"A = {said}", "b.py": "from . import a\nB = a.A", "c.py": "from .b import B", "d.py": ""}
        write_to({f"{name}/{path}": text for path, text in files.items()}, tmp_path / name)
    judged = to_judge([tmp_path / name for name in ("one", "two", "three")])
    found = [str(each.relative_to(tmp_path)) for each in judged]
    assert found == [f"one/one/{each}.py" for each in "abcd"] + [f"three/three/{each}.py" for each in "abc"]


def test_same_design_same_files() -> None:
    assert generate(case("chat-system"), BOTH) == generate(case("chat-system"), BOTH)


def test_boto3_is_made_when_it_is_asked_for() -> None:
    assert TARGETS["python-boto3"].optional
    assert not TARGETS["python"].optional


def test_own_tests_of_a_package_pass(tmp_path: Path) -> None:
    root, _ = written([("chat", case("chat-system"))], tmp_path)
    run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=root)


@pytest.mark.slow
def test_everything_is_complete() -> None:
    for _, each in everything():
        check_complete(each)


@pytest.mark.slow
def test_everything_is_formatted_and_strictly_typed(tmp_path: Path) -> None:
    check_tools(written(everything(), tmp_path), tmp_path)


@pytest.mark.slow
def test_own_tests_of_all_packages_pass(tmp_path: Path) -> None:
    roots = written(everything(), tmp_path)
    run(sys.executable, "-m", "tests.codegen.python.own_tests", *roots, cwd=ROOT)


@pytest.mark.parametrize("broken", ["assert False", "import nothing_of_that_name"])
def test_a_package_whose_own_tests_fail_is_found(broken: str, tmp_path: Path) -> None:
    good, bad = written([("chat", case("chat-system"))], tmp_path)
    (found,) = bad.glob("*/tests/test_keys.py")
    found.write_text(f"def test_nothing() -> None:\n    {broken}\n")
    with pytest.raises(AssertionError, match=f"the tests of {bad} fail"):
        run(sys.executable, "-m", "tests.codegen.python.own_tests", good, bad, cwd=ROOT)
