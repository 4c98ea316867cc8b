"""From a design to files: what can be generated, and writing it where nothing of anybody's is lost.

Most targets begin with a design, or a spec that is designed first. Classes are also made from a schema, which is told
apart by what it holds: ElectroDB's has indexes, a service in our form entities with access patterns of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import TYPE_CHECKING, Any, cast

from tablewright.codegen.python.classes.module import classes
from tablewright.codegen.targets import TARGETS, choose_targets, generate
from tablewright.design.model import Design
from tablewright.errors import DesignError, SchemaError
from tablewright.schema.load import read_source
from tablewright.spec.model import Spec
from tablewright.tasks.designs import design_of, is_design
from tablewright.tasks.files import write_files

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tablewright.tasks.designs import Given

CLASSES = "classes"


def generated(given: Given, targets: Iterable[str]) -> dict[str, str]:
    """By path: the text of every file of some targets, or of `all`. A spec is designed first."""
    wanted = list(targets)
    chosen = choose_targets(wanted)
    schema = _schema_in(given, only_classes=wanted == [CLASSES])
    if schema is None:
        return generate(design_of(given, quick="document" not in chosen), wanted)
    if wanted != [CLASSES]:
        others = ", ".join(each for each in wanted if each != CLASSES)
        raise DesignError(
            f"this is the schema of a service, from which only {CLASSES} can be generated, not {others}."
            " For the rest begin with a spec: tablewright init --from SCHEMA."
        )
    return classes(schema)


def _schema_in(given: Given, *, only_classes: bool) -> Mapping[str, Any] | None:
    """The data of a schema; None for a spec or a design. What is none of these is a schema where only that will do."""
    if isinstance(given, Spec | Design) or is_design(given):
        return None
    try:
        data = read_source(given)
    except SchemaError:
        if only_classes:
            raise
        return None  # then it is for the reader of specs to say what is wrong with it
    return data if _is_schema(data) or (only_classes and "access_patterns" not in data) else None


def _is_schema(data: Mapping[str, Any]) -> bool:
    if "access_patterns" in data:
        return False
    entities = data.get("entities")
    held: Mapping[str, Any] = cast("Mapping[str, Any]", entities) if isinstance(entities, Mapping) else data
    marks = ("access_patterns", "indexes")
    inside = [cast("Mapping[str, Any]", each) for each in held.values() if isinstance(each, Mapping)]
    return "indexes" in data or any(mark in each for each in inside for mark in marks)


def write_generated(given: Given, targets: Iterable[str], folder: Path, *, force: bool = False) -> list[Path]:
    """The same, written into a folder: all files or none, and none over what was changed by hand."""
    files = generated(given, targets)
    return write_files(folder, {name: text.encode() for name, text in files.items()}, force=force)


def generation_targets() -> dict[str, str]:
    """By name: what can be generated."""
    return {name: each.about for name, each in TARGETS.items()}


def export_script() -> str:
    """A program for Node that writes ElectroDB services, entities and schemas as JSON, functions by name."""
    return (resources.files("tablewright.schema.electro") / "export.mjs").read_text(encoding="utf-8")
