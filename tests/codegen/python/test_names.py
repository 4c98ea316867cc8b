"""Names that generated classes must not take are those of the runtime, which no generator imports."""

from __future__ import annotations

import tablewright as tw
from tablewright.codegen.python.classes.draft import PATH_METHODS
from tablewright.codegen.python.names import DOCUMENT_METHODS, ENTITY_METHODS


def public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def test_methods_of_entities() -> None:
    assert public(tw.Entity) == ENTITY_METHODS


def test_methods_of_paths_and_maps() -> None:
    assert tw.Map.__tablewright_reserved__ == PATH_METHODS
    assert public(tw.Map) == DOCUMENT_METHODS
    assert public(type(tw.Map)) == {"mro"}
