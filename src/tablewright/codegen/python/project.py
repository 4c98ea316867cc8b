"""The package on Tablewright: entities, one function for every access pattern, and what these share."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from tablewright.codegen.python.entities import entities_file
from tablewright.codegen.python.literals import docstring, printed
from tablewright.codegen.python.model import named
from tablewright.codegen.python.parts import parts
from tablewright.codegen.python.patterns import AWAITED, BLOCKING, bare, constant, imported, patterns_file
from tablewright.codegen.python.requests import reads, stored, writing

if TYPE_CHECKING:
    from tablewright.architect.design.model import Design, PatternDesign
    from tablewright.codegen.python.model import Named

FOLDER = "python"
STEPS = ("__init__", "model", "templates", "expressions", "queries", "sources", "reads", "changes", "writes")
MODEL = ("Filter", "Given", "ItemKeys", "ItemType", "Place", "Read", "Sort", "Stored", "Write", "Writing")


def python(design: Design) -> dict[str, str]:
    found = named(design)
    files = {
        "entities.py": entities_file(found, parts(found)),
        "patterns.py": patterns_file(found, BLOCKING),
        "patterns_async.py": patterns_file(found, AWAITED),
        "requests.py": requests_file(found),
        "stored.py": stored_file(found),
        "running.py": static("running.py"),
        **steps(design),
        "__init__.py": init_file(found),
    }
    return {f"{FOLDER}/{found.package}/{name}": text for name, text in files.items()}


def static(name: str) -> str:
    return (resources.files("tablewright.codegen.python") / "static" / name).read_text("utf-8")


def steps(design: Design) -> dict[str, str]:
    """What is written by hand once for all designs."""
    files = {f"steps/{name}.py": static(f"steps/{name}.py") for name in STEPS}
    files["steps/encoding.py"] = static(f"steps/encoding_{design.key_style}.py")
    return files


def requests_file(found: Named) -> str:
    head = docstring(["Requests of access patterns, as the design says them."])
    made = [steps_of(each) for each in found.design.patterns]
    names = imported(".steps.model", MODEL, bare("\n".join(made)))
    return "\n\n".join([head, "from __future__ import annotations", names, "\n".join(made)]) + "\n"


def steps_of(pattern: PatternDesign) -> str:
    name = constant(pattern)
    value = writing(pattern) if pattern.writes else reads(pattern)
    return f"{name} = {printed(value, 0, len(name) + 3)}"


def stored_file(found: Named) -> str:
    made = f"STORED = {printed(stored(found.design), 0, 9)}"
    names = imported(".steps.model", MODEL, bare(made))
    head = docstring(["Every kind of item, as it is stored."])
    imports = f"from .steps.encoding import key_text\n{names}"
    return "\n\n".join([head, "from __future__ import annotations", imports, made]) + "\n"


def init_file(found: Named) -> str:
    design = found.design
    return docstring([f"{design.title or design.name} on DynamoDB: entities and access patterns."]) + "\n"
