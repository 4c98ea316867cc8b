"""What the standard library asks of a dataclass, so that it takes entities and maps for one.

`dataclasses.fields`, `asdict` and `replace` work, and libraries that treat dataclasses as documents (FastAPI decides by
that what is a body) treat these likewise. Hidden attributes are no fields: they would be shown.
"""

from __future__ import annotations

from typing import Any, get_args

from tablewright.runtime.declare.attr import attributes_of
from tablewright.runtime.types.structures import resolved_hints


def dataclass_fields(cls: type[Any]) -> dict[str, Any]:
    import dataclasses  # whoever asks has imported it

    hints = resolved_hints(cls, cls.__name__)
    fields: list[tuple[str, Any, Any]] = []
    for name, declared in attributes_of(cls).items():
        if declared.options.get("hidden"):
            continue
        made = dataclasses.field(default_factory=declared.default) if declared.has_default else dataclasses.field()
        fields.append((name, get_args(hints[name])[0], made))
    view: Any = dataclasses.make_dataclass(cls.__name__, fields, kw_only=True)
    return view.__dataclass_fields__  # type: ignore[no-any-return]
