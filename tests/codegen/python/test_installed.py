"""A generated package, installed by the real build tool into an environment that is empty, and imported there."""

from __future__ import annotations

import os
import site
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

import tablewright
from tablewright.codegen.python.model import name_design
from tablewright.codegen.targets import generate
from tablewright.design.steps import model as interpreted
from tests.codegen.designs import case
from tests.codegen.python.generated import write_to
from tests.codegen.semantics import semantic
from tests.codegen.specials import special

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.design.model import Design

BUILD = "from setuptools import setup; setup()"
IMPORT_ALL = """
import importlib, pkgutil, sys

package = importlib.import_module(sys.argv[1])
assert package.__file__.startswith(sys.prefix), package.__file__
names = [each.name for each in pkgutil.walk_packages(package.__path__, f"{sys.argv[1]}.")]
for name in names:
    importlib.import_module(name)
print(*names)
"""
OUR_OWN = {  # what the package depends on, and nothing of where it was generated
    "PYTHONPATH": os.pathsep.join([str(Path(tablewright.__file__).parents[1]), *site.getsitepackages()]),
}


def run(*command: str | Path, cwd: Path, also: Mapping[str, str] = {}) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [str(each) for each in command],
        cwd=cwd,
        env={**environment, "SETUPTOOLS_USE_DISTUTILS": "local", **also},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout


def installed(design: Design, target: str, folder: Path) -> set[str]:
    """The modules that were imported from the new environment, by a process that runs elsewhere."""
    root = write_to(generate(design, [target]), folder / "made") / target
    environment = folder / "environment"
    venv.create(environment, with_pip=False)
    place = {"base": str(environment), "platbase": str(environment)}
    library = Path(sysconfig.get_path("purelib", "venv", place))
    run(sys.executable, "-c", BUILD, "-q", "build", "install_lib", "--install-dir", library, cwd=root)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    package = name_design(design).package
    found = run(environment / "bin" / "python", "-c", IMPORT_ALL, package, cwd=elsewhere, also=OUR_OWN)
    return {each.removeprefix(f"{package}.") for each in found.split()}


@pytest.mark.parametrize("target", ["python", "python-boto3"])
@pytest.mark.parametrize(("name", "style"), [("embedded", "plain"), ("embedded", "electrodb")])
def test_a_package_with_steps_is_whole_where_it_is_installed(
    name: str, style: str, target: str, tmp_path: Path
) -> None:
    found = installed(special(name, style), target, tmp_path)
    assert {"entities", "patterns", "stored", "steps", "steps.model", "steps.encoding"} <= found
    assert not any(each.startswith("tests") for each in found)


@pytest.mark.parametrize("target", ["python", "python-boto3"])
def test_a_package_that_deletes_along_is_whole_where_it_is_installed(target: str, tmp_path: Path) -> None:
    own = {f"steps.{each.stem}" for each in Path(interpreted.__file__).parent.glob("*.py")}
    # What makes steps is none of the package's business, nor what follows the stream, which is a function's.
    expected = own - {"steps.compile", "steps.following", "steps.tops", "steps.__init__"}
    assert {*expected, "running" if target == "python" else "database"} <= installed(
        semantic("likes", "plain"), target, tmp_path
    )


def test_a_package_without_steps_is_whole_too(tmp_path: Path) -> None:
    design = case("session-management")
    assert {"entities", "patterns", "patterns_async"} <= installed(design, "python", tmp_path)


def test_settings_of_an_installation_are_said_in_full() -> None:
    design = special("embedded", "plain")
    said = tomllib.loads(generate(design, ["python"])["python/pyproject.toml"])
    package = name_design(design).package
    assert said["tool"]["setuptools"]["packages"] == [package, f"{package}.steps"]
    assert said["build-system"]["build-backend"] == "setuptools.build_meta"
    assert "tablewright" in said["project"]["dependencies"]


@pytest.mark.parametrize("name", ["x--", "a.b_c", "..a..", "---", "2go"])
def test_a_distribution_has_a_name_that_installers_take(name: str) -> None:
    from packaging.utils import canonicalize_name

    design: Any = msgspec.structs.replace(case("session-management"), name=name)
    said = tomllib.loads(generate(design, ["python"])["python/pyproject.toml"])
    assert canonicalize_name(said["project"]["name"], validate=True)
