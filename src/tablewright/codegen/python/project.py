"""The package on Tablewright: entities, one function for every access pattern, and what these share."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from tablewright.codegen.python.entities import entities_file, without_texts
from tablewright.codegen.python.literals import docstring, printed
from tablewright.codegen.python.model import named
from tablewright.codegen.python.packaging import init_file, readme, settings, test_file
from tablewright.codegen.python.parts import parts
from tablewright.codegen.python.patterns import imported, is_stepped, mentions, patterns_file
from tablewright.codegen.python.requests import reads, stored, writing
from tablewright.codegen.python.signatures import AWAITED, BLOCKING

if TYPE_CHECKING:
    from tablewright.codegen.python.model import Named
    from tablewright.design.model import Design, PatternDesign

FOLDER = "python"
STEPS = ("__init__", "model", "templates", "expressions", "queries", "sources", "reads", "changes", "writes")
MODEL = ("Filter", "Given", "ItemKeys", "ItemType", "Place", "Read", "Sort", "Stored", "Write", "Writing")


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
        files |= {"running.py": static("running.py"), **steps(found.design)}
    if stepped or mentions(code, "NotFound"):
        files["errors.py"] = static("errors.py")
    if stepped or mentions(code, "KEEP") or mentions(code, "become"):
        files["keeping.py"] = static("keeping.py")
    if mentions(code, "become"):
        files["changing.py"] = static("changing.py")
    return files


def static(name: str) -> str:
    return (resources.files("tablewright.codegen.python") / "static" / name).read_text("utf-8")


def steps(design: Design) -> dict[str, str]:
    """What is written by hand once for all designs."""
    files = {f"steps/{name}.py": static(f"steps/{name}.py") for name in STEPS}
    files["steps/encoding.py"] = static(f"steps/encoding_{design.key_style}.py")
    return files


def requests_file(found: Named, patterns: list[PatternDesign]) -> str:
    made = "\n".join(steps_of(each, found.constants[each.id]) for each in patterns)
    return module(
        "Requests of access patterns, as the design says them.",
        imported(".steps.model", MODEL, without_texts(made)),
        made,
    )


def module(about: str, imports: str, code: str) -> str:
    return f"{docstring([about])}\n\nfrom __future__ import annotations\n\n{imports}\n\n{code}\n"


def steps_of(pattern: PatternDesign, name: str) -> str:
    value = writing(pattern) if pattern.writes else reads(pattern)
    return f"{name} = {printed(value, 0, len(name) + 3)}"


def stored_file(found: Named) -> str:
    made = f"STORED = {printed(stored(found.design), 0, 9)}"
    imports = f"from .steps.encoding import key_text\n{imported('.steps.model', MODEL, without_texts(made))}"
    return module("Every kind of item, as it is stored.", imports, made)
