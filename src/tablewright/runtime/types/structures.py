"""Classes with fields, whichever library made them: their names, annotations and defaults."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from tablewright.errors import SchemaError
from tablewright.runtime.types.codec import Codec
from tablewright.runtime.types.renaming import Renaming
from tablewright.schema.types import Attribute


class AnyMap:
    """What every `tw.Map` is, for those who need not know how one is declared."""

    __slots__ = ()


class Field(msgspec.Struct, frozen=True):
    """One field of a class; `attribute` makes the schema attribute where the field itself says more (tw.Map)."""

    name: str
    annotation: Any
    has_default: bool
    attribute: Callable[[Codec, Any, Renaming], Attribute] | None = None
    parameter: str | None = ""  # what the constructor calls it where that differs; None: it takes no such thing

    @property
    def given_as(self) -> str | None:
        return self.name if self.parameter == "" else self.parameter


def is_structure(kind: Any) -> bool:
    return isinstance(kind, type) and any(marker(kind) for marker, _ in KINDS)


def fields_of(kind: type[Any]) -> list[Field]:
    return next(list(fields(kind)) for marker, fields in KINDS if marker(kind))


def resolved_hints(kind: type[Any], where: str) -> dict[str, Any]:
    """The annotations of a class with names looked up; an unknown name is told with its place."""
    try:
        return typing.get_type_hints(kind, include_extras=True)
    except NameError as error:
        remedy = f"import it in {kind.__module__} outside of `if TYPE_CHECKING`, or define it at the module's top level"
        raise SchemaError(
            f"{where}: an annotation names {error.name!r}, which is unknown at run time; {remedy}"
        ) from error


def _hints(kind: type[Any]) -> dict[str, Any]:
    return resolved_hints(kind, kind.__name__)


def _declared(kind: type[Any]) -> Iterator[Field]:
    """Classes of ours list their own fields."""
    yield from kind.__tablewright_fields__()


def _dataclass(kind: type[Any]) -> Iterator[Field]:
    import dataclasses  # whoever has a dataclass has paid for this import already

    found = _hints(kind)
    for each in dataclasses.fields(kind):
        missing = each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING
        yield Field(each.name, found[each.name], not missing, parameter=each.name if each.init else None)


def _attrs(kind: type[Any]) -> Iterator[Field]:
    found = _hints(kind)
    for each in kind.__attrs_attrs__:
        parameter = each.alias if each.init else None
        yield Field(each.name, found[each.name], not _is_nothing(each.default), parameter=parameter)


def _is_nothing(default: Any) -> bool:
    """Attrs marks a field without default with its NOTHING."""
    return repr(default) == "NOTHING"


def _pydantic(kind: type[Any]) -> Iterator[Field]:
    by_name = kind.model_config.get("populate_by_name") or kind.model_config.get("validate_by_name")
    for name, each in kind.model_fields.items():
        alias = each.validation_alias or each.alias
        parameter = name if by_name or not isinstance(alias, str) else alias
        yield Field(name, each.annotation, not each.is_required(), parameter=parameter)


def _msgspec(kind: type[Any]) -> Iterator[Field]:
    found = _hints(kind)
    names: tuple[str, ...] = kind.__struct_fields__
    first_default = len(names) - len(kind.__struct_defaults__)
    for at, name in enumerate(names):
        has_default = at >= first_default and repr(kind.__struct_defaults__[at - first_default]) != "NODEFAULT"
        yield Field(name, found[name], has_default)


KINDS: tuple[tuple[Callable[[Any], bool], Callable[[type[Any]], Iterator[Field]]], ...] = (
    (lambda kind: hasattr(kind, "__tablewright_fields__"), _declared),
    (lambda kind: hasattr(kind, "__attrs_attrs__"), _attrs),
    (lambda kind: hasattr(kind, "__dataclass_fields__") and not hasattr(kind, "__tablewright_about__"), _dataclass),
    (lambda kind: hasattr(kind, "model_fields") and hasattr(kind, "model_validate"), _pydantic),
    (lambda kind: hasattr(kind, "__struct_fields__"), _msgspec),
)
