"""Specs as files: starting one, answering questions in it, and the schemas that editors check files against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tablewright.engine.transfer import appearing
from tablewright.errors import TablewrightError
from tablewright.schema.documents import Unreadable, read_text
from tablewright.spec.read import read_spec
from tablewright.spec.starter import STARTER
from tablewright.spec.text_edit import edit_spec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from tablewright.design.advice import Answer

Published: TypeAlias = Literal["spec", "design", "service"]


def start_spec(path: Path, from_: str | Path | None = None) -> Path:
    """A new spec to fill in: a commented example, or what can be inferred from something that exists."""
    if path.exists():
        raise TablewrightError(f"{path} is there already; choose another name, or remove it first")
    text = STARTER if from_ is None else draft(from_)
    with appearing(path) as output:
        output.write(text.encode())
    return path


def draft(from_: str | Path) -> str:
    from tablewright.tasks.drafting import drafted

    return drafted(from_)


def answer(path: Path, answers: Iterable[Answer]) -> list[str]:
    """Write answers into a spec, everything else in it as it was; tells which places changed."""
    changes = {place: value for each in answers for place, value in each.changes.items()}
    if not changes:
        return []
    try:
        text = read_text(path)
    except Unreadable as error:
        raise TablewrightError(str(error)) from error
    changed = edit_spec(text, changes)
    read_spec(changed)  # what is written can be read
    with appearing(path) as output:
        output.write(changed.encode())
    return list(changes)


def published_schema(kind: Published) -> dict[str, Any]:
    """The JSON Schema of specs, of design.json, or of services in our own form."""
    return SCHEMAS[kind]()


def service_schema() -> dict[str, Any]:
    from tablewright.schema.jsonschema import json_schema

    return json_schema()


def spec_schema() -> dict[str, Any]:
    from tablewright.spec.write import spec_schema as schema

    return schema()


def design_schema() -> dict[str, Any]:
    from tablewright.design.read import design_schema as schema

    return schema()


SCHEMAS: Mapping[Published, Callable[[], dict[str, Any]]] = {
    "spec": spec_schema,
    "design": design_schema,
    "service": service_schema,
}
