"""Specs as files: starting one (also from what exists), answering questions in it, and the published schemas."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tablewright.engine.transfer import replace_file
from tablewright.errors import DesignError, TablewrightError
from tablewright.schema.documents import Unreadable, read_text
from tablewright.spec.imports.formats import TAKEN, draft_from_text
from tablewright.spec.imports.service import draft_from_service
from tablewright.spec.imports.write import draft_text
from tablewright.spec.read import read_spec
from tablewright.spec.starter import STARTER
from tablewright.spec.text_edit import edit_spec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import ModuleType

    from tablewright.design.advice import Answer
    from tablewright.runtime.service import Service
    from tablewright.spec.imports.draft import Draft

SchemaKind: TypeAlias = Literal["spec", "design", "service"]


def start_spec(path: Path, from_: str | Path | None = None) -> Path:
    """A new spec to fill in: a commented example, or what can be inferred from something that exists."""
    if path.exists():
        raise TablewrightError(f"{path} is there already; choose another name, or remove it first")
    text = STARTER if from_ is None else _draft_spec(from_)
    with replace_file(path) as output:
        output.write(text.encode())
    return path


def answer(path: Path, answers: Iterable[Answer]) -> list[str]:
    """Writes answers into a spec, leaving everything else as it was; the places that changed."""
    changes = {place: value for each in answers for place, value in each.changes.items()}
    if not changes:
        return []
    try:
        text = read_text(path)
    except Unreadable as error:
        raise TablewrightError(str(error)) from error
    changed = edit_spec(text, changes)
    read_spec(changed)  # the result must be readable
    with replace_file(path) as output:
        output.write(changed.encode())
    return list(changes)


def published_schema(kind: SchemaKind) -> dict[str, Any]:
    """The JSON Schema of specs, of design.json, or of services in our own form."""
    return SCHEMAS[kind]()


def _service_schema() -> dict[str, Any]:
    from tablewright.schema.jsonschema import json_schema

    return json_schema()


def _spec_schema() -> dict[str, Any]:
    from tablewright.spec.write import spec_schema as schema

    return schema()


def _design_schema() -> dict[str, Any]:
    from tablewright.design.read import design_schema as schema

    return schema()


SCHEMAS: Mapping[SchemaKind, Callable[[], dict[str, Any]]] = {
    "spec": _spec_schema,
    "design": _design_schema,
    "service": _service_schema,
}


# ---- drafts from what exists ----------------------------------------------------------------------------------------


def _draft_spec(from_: str | Path) -> str:
    """The text of a spec inferred from a file or from classes; it is checked that it can be read back."""
    text = draft_text(_draft_of(str(from_)))
    try:
        read_spec(text)
    except DesignError as error:
        raise DesignError(f"{from_}: what it says makes no spec; correct it there: {error}") from None
    return text


def _draft_of(source: str) -> Draft:
    module, colon, name = source.partition(":")
    if colon and module.replace(".", "").isidentifier():
        return _draft_from_classes(_import_module(module), name, source)
    path = Path(source)
    if path.suffix == ".py" and path.is_file():
        return _draft_from_classes(_load_file(path), "", source)
    try:
        return draft_from_text(read_text(path), path.name)
    except FileNotFoundError:
        raise DesignError(f"there is no file {source}; --from takes {TAKEN}") from None
    except OSError as error:
        raise DesignError(f"{source} cannot be read: {error.strerror}; --from takes {TAKEN}") from None
    except Unreadable as error:
        raise DesignError(f"{error}; --from takes {TAKEN}") from None


# ---- classes --------------------------------------------------------------------------------------------------------


def _import_module(module: str) -> ModuleType:
    """A module as `python -m` would find it: from the current folder first."""
    sys.path.insert(0, "")
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise DesignError(f"{module} cannot be imported: {error}") from error
    finally:
        sys.path.remove("")


def _load_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # annotations are looked up there
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise DesignError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    return module


def _draft_from_classes(module: ModuleType, name: str, source: str) -> Draft:
    service = _find_service(module, name)
    return draft_from_service(service.schema, f"the classes of {source}")


def _find_service(module: ModuleType, name: str) -> Service:
    from tablewright.runtime.service import Service

    if name:
        found = getattr(module, name, None)
        if not isinstance(found, Service):
            raise DesignError(f"{module.__name__} has no service {name}; its services are: {_service_names(module)}")
        return found
    known = [each for each in vars(module).values() if isinstance(each, Service)]
    if len(set(map(id, known))) != 1:
        raise DesignError(f"{module.__name__} has {len(known)} services; name one as module:service")
    return known[0]


def _service_names(module: ModuleType) -> str:
    from tablewright.runtime.service import Service

    names: list[Any] = [name for name, each in vars(module).items() if isinstance(each, Service)]
    return ", ".join(names) or "none"
