"""The package on Tablewright: entities, one function for every access pattern, and what these share."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from tablewright.codegen.python.entities import entities_file, without_texts
from tablewright.codegen.python.model import named
from tablewright.codegen.python.packaging import init_file, readme, settings, test_file
from tablewright.codegen.python.parts import parts
from tablewright.codegen.python.patterns import is_stepped, mentions, patterns_file
from tablewright.codegen.python.requests import interpreter, interpreter_file, requests_file, stored_file
from tablewright.codegen.python.signatures import AWAITED, BLOCKING

if TYPE_CHECKING:
    from tablewright.codegen.python.model import Named
    from tablewright.design.model import Design

FOLDER = "python"


def python(design: Design) -> dict[str, str]:
    found = named(design)
    files = {
        "__init__.py": init_file(found),
        "py.typed": "",
        "entities.py": entities_file(found, parts(found)),
        "patterns.py": patterns_file(found, BLOCKING),
        "patterns_async.py": patterns_file(found, AWAITED),
        "tests/__init__.py": "",
        "tests/test_patterns.py": test_file(found),
    }
    files |= shared(found, without_texts(files["patterns.py"]))
    placed = {f"{found.package}/{name}": text for name, text in files.items()}
    placed |= {"pyproject.toml": settings(found, placed), "README.md": readme(found)}
    return {f"{FOLDER}/{name}": text for name, text in placed.items()}


def shared(found: Named, code: str) -> dict[str, str]:
    """What functions use besides the entities, as far as they do."""
    files: dict[str, str] = {}
    stepped = [each for each in found.design.patterns if is_stepped(found, each)]
    if stepped:
        files |= {"requests.py": requests_file(found, stepped), "stored.py": stored_file(found)}
        files |= {"running.py": static("running.py"), **interpreter()}
    if stepped or mentions(code, "NotFound"):
        files["errors.py"] = static("errors.py") if stepped else interpreter_file("errors")
    if stepped or mentions(code, "KEEP") or mentions(code, "become"):
        files["keeping.py"] = static("keeping.py")
    if mentions(code, "become"):
        files["changing.py"] = static("changing.py")
    return files


def static(name: str) -> str:
    return (resources.files("tablewright.codegen.python") / "static" / name).read_text("utf-8")
