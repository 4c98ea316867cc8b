"""A spec to start from: the text that `architect.spec.imports` infers from a file, or from classes in Python."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablewright.errors import DesignError
from tablewright.schema.documents import Unreadable, read_text
from tablewright.spec.imports.formats import TAKEN, draft_from_text
from tablewright.spec.imports.service import draft_from_service
from tablewright.spec.imports.write import draft_text
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from types import ModuleType

    from tablewright.runtime.service import Service
    from tablewright.spec.imports.draft import Draft


def drafted(from_: str | Path) -> str:
    """The text of the spec; it can be read back, which is made sure of here."""
    text = draft_text(draft_of(str(from_)))
    try:
        read_spec(text)
    except DesignError as error:
        raise DesignError(f"{from_}: what it says makes no spec; correct it there: {error}") from None
    return text


def draft_of(source: str) -> Draft:
    module, colon, name = source.partition(":")
    if colon and module.replace(".", "").isidentifier():
        return from_classes(imported(module), name, source)
    path = Path(source)
    if path.suffix == ".py" and path.is_file():
        return from_classes(loaded(path), "", source)
    try:
        return draft_from_text(read_text(path), path.name)
    except FileNotFoundError:
        raise DesignError(f"there is no file {source}; --from takes {TAKEN}") from None
    except OSError as error:
        raise DesignError(f"{source} cannot be read: {error.strerror}; --from takes {TAKEN}") from None
    except Unreadable as error:
        raise DesignError(f"{error}; --from takes {TAKEN}") from None


# ---- classes --------------------------------------------------------------------------------------------------------


def imported(module: str) -> ModuleType:
    """A module as `python -m` would find it: from the current folder first."""
    sys.path.insert(0, "")
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise DesignError(f"{module} cannot be imported: {error}") from error
    finally:
        sys.path.remove("")


def loaded(path: Path) -> ModuleType:
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


def from_classes(module: ModuleType, name: str, source: str) -> Draft:
    service = service_in(module, name)
    return draft_from_service(service.schema, f"the classes of {source}")


def service_in(module: ModuleType, name: str) -> Service:
    from tablewright.runtime.service import Service

    if name:
        found = getattr(module, name, None)
        if not isinstance(found, Service):
            raise DesignError(f"{module.__name__} has no service {name}; its services are: {services(module)}")
        return found
    known = [each for each in vars(module).values() if isinstance(each, Service)]
    if len(set(map(id, known))) != 1:
        raise DesignError(f"{module.__name__} has {len(known)} services; name one as module:service")
    return known[0]


def services(module: ModuleType) -> str:
    from tablewright.runtime.service import Service

    names: list[Any] = [name for name, each in vars(module).items() if isinstance(each, Service)]
    return ", ".join(names) or "none"
