"""From a design to files: what can be generated, and writing it where nothing of anybody's is lost.

Most targets begin with a design, or a spec that is designed and proven first. A design that was made before is as
proven as it says of itself; what is generated from one that is not proven has a file in every folder that says so.
Classes are also made from a schema, which is told apart by what it holds: ElectroDB's has indexes, a service in our
form entities with access patterns of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import TYPE_CHECKING, Any, cast

from tablewright.codegen.python.classes.module import classes
from tablewright.codegen.targets import TARGETS, choose_targets, generate
from tablewright.design.model import Design
from tablewright.errors import DesignError, SchemaError
from tablewright.report.markdown import inline
from tablewright.report.verdict import doubt
from tablewright.schema.load import read_source
from tablewright.spec.model import Spec
from tablewright.tasks.designs import add_proof, design_of, is_design
from tablewright.tasks.files import write_files

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from tablewright.tasks.designs import Given

CLASSES = "classes"


UNPROVEN = "UNPROVEN.md"


def generated(given: Given, targets: Iterable[str], *, prove: bool = True) -> dict[str, str]:
    """By path: the text of every file of some targets, or of `all`; see `design_to_generate`."""
    wanted = list(targets)
    chosen = choose_targets(wanted)
    schema = _schema_in(given, only_classes=wanted == [CLASSES])
    if schema is None:
        found = _design_to_generate(given, chosen, prove=prove)
        return _with_doubts(generate(found, wanted), doubt(found))
    if wanted != [CLASSES]:
        others = ", ".join(each for each in wanted if each != CLASSES)
        raise DesignError(
            f"this is the schema of a service, from which only {CLASSES} can be generated, not {others}."
            " For the rest begin with a spec: tablewright init --from SCHEMA."
        )
    return classes(schema)


def design_to_generate(given: Given, targets: Iterable[str], *, prove: bool = True) -> Design | None:
    """What some targets are generated from; None for a schema, of which no design is made.

    A spec is designed and proven first; `prove=False` leaves the proof out. A design is taken as it is. One whose proof
    failed is refused, unless nothing is to be proven.
    """
    wanted = list(targets)
    chosen = choose_targets(wanted)
    if _schema_in(given, only_classes=wanted == [CLASSES]) is not None:
        return None
    return _design_to_generate(given, chosen, prove=prove)


def _design_to_generate(given: Given, chosen: Collection[str], *, prove: bool) -> Design:
    was_made = isinstance(given, Design) or is_design(given)
    found = design_of(given, quick="document" not in chosen)
    if prove and not was_made:
        found = add_proof(found)
    if prove and found.proof is not None and not found.proof.passed:
        raise DesignError(
            f"the design of {found.name} failed its proof, so nothing is generated from it: {found.proof.failure}"
            " (--no-prove generates it all the same, and says so)"
        )
    return found


def _with_doubts(files: Mapping[str, str], reason: str) -> dict[str, str]:
    """The files, and in the folder of each target what is not proven of them."""
    if not reason:
        return dict(files)
    text = f"# Unproven\n\n{inline(reason.removeprefix('unproven: '))}\n\n{_REMEDY}\n"
    return dict(sorted({**files, **{f"{folder}/{UNPROVEN}": text for folder in _folders_of(files)}}.items()))


_REMEDY = (
    "What lies in this folder may answer otherwise than the spec says. `tablewright prove` runs a design and tells;"
    " generated from a spec, or from a design that was proven, it comes without this page."
)


def _folders_of(names: Iterable[str]) -> list[str]:
    return sorted({name.partition("/")[0] for name in names if "/" in name})


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


def write_generated(
    given: Given, targets: Iterable[str], folder: Path, *, force: bool = False, prove: bool = True
) -> list[Path]:
    """The same, written into a folder: all files or none, and none over what was changed by hand."""
    files = generated(given, targets, prove=prove)
    doubts = [f"{each}/{UNPROVEN}" for each in _folders_of(files)]
    contents = {name: text.encode() for name, text in files.items()}
    return write_files(folder, contents, gone=[each for each in doubts if each not in files], force=force)


def generation_targets() -> dict[str, str]:
    """By name: what can be generated."""
    return {name: each.about for name, each in TARGETS.items()}


def export_script() -> str:
    """A program for Node that writes ElectroDB services, entities and schemas as JSON, functions by name."""
    return (resources.files("tablewright.schema.electro") / "export.mjs").read_text(encoding="utf-8")
